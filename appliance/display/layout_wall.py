"""The clock wall: the same clock, as large as the screen allows; lists beside it while nobody plays."""

from __future__ import annotations

from typing import NamedTuple

from appliance.display.canvas import Canvas
from appliance.display.layout_bands import Bands, Tight, bands, draw_bands
from appliance.display.layout_board import clock, clock_letters, header, header_gap
from appliance.display.layout_figures import Figure, figures, footer
from appliance.display.layout_final import draw_ladder, final_title, is_final, ladder_and_rest
from appliance.display.layout_pictures import sponsored
from appliance.display.layout_places import enough, figures_foot
from appliance.display.layout_rest import beside_play, clock_on_felt, draw_finish, draw_rest, rests
from appliance.display.ops import Box
from appliance.display.view import ClockView

_SIDE = 40
"""Space beside the clock, in lengths of the design."""


class _Wall(NamedTuple):
    """The boxes of a wall, and the figures in ``foot``; ``low``: without their notes."""

    head: Box
    title: str
    subtitle: str
    shown: list[Figure]
    foot: Box
    low: bool
    bands: Bands


def draw_clock_screen(c: Canvas, view: ClockView) -> None:
    """The whole screen of a wall."""
    board, where = view.board, _wall(c, view)
    body = where.bands.free
    c.ground()
    header(c, where.head, board, where.title, where.subtitle)
    draw_bands(c, where.bands, board.status)
    if board.phase in ("running", "paused") and not rests(board):
        ladder, body = ladder_and_rest(c, body, board)
        if ladder is not None:
            draw_ladder(c, ladder, board)
        else:
            body = beside_play(c, body, board)
        clock(c, sponsored(c, body, board).inset(c.u(_SIDE), 0), board)
    elif board.phase != "finished":
        draw_rest(c, body, board)
    elif not draw_finish(c, body, board):
        clock(c, body, board)
    c.part(footer, where.foot, where.shown, low=where.low)


def _wall(c: Canvas, view: ClockView) -> _Wall:
    """Where everything goes: with as little giving way as leaves time and blinds their share of the screen."""
    where = _placed(c, view, Tight.NOTHING)
    for tight in (Tight.FIGURES_LOW, Tight.FEW_LINES, Tight.NO_FIGURES, Tight.LOW_BANDS):
        if _has_its_share(c, view, where.bands.free):
            break
        where = _placed(c, view, tight)
    return where


def _has_its_share(c: Canvas, view: ClockView, free: Box) -> bool:
    board, face = view.board, view.board.face
    if face is None or board.phase not in ("running", "paused"):
        return True
    if rests(board):
        return enough(c, board, clock_letters(c, clock_on_felt(c, free), face))
    _, body = ladder_and_rest(c, free, board)
    return enough(c, board, clock_letters(c, body.inset(c.u(_SIDE), 0), face))


def _placed(c: Canvas, view: ClockView, tight: Tight) -> _Wall:
    board, safe = view.board, c.safe
    head = Box(safe.x, safe.y, safe.w, c.u(64))
    title, subtitle = (final_title(c.tr, board), board.venue) if is_final(board) else (board.venue, "")
    final = is_final(board) and not rests(board)
    shown = figures(c, board, prizes=not final) if tight < Tight.NO_FIGURES else []
    low = tight >= Tight.FIGURES_LOW
    foot = figures_foot(c, safe, len(shown), low=low) if shown else Box(safe.x, safe.bottom, safe.w, 0)
    body = Box(safe.x, head.bottom + c.u(20), safe.w, foot.y - head.bottom - c.u(44 if shown else 20))
    gap = header_gap(c, head, board, title, subtitle)
    said = bands(c, body, gap, view, tight=tight, slim=bool(view.moves))
    return _Wall(head, title, subtitle, shown, foot, low, said)
