"""While nobody plays: the clock on its felt, and beside it what there is to read; after the end that alone."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from appliance.display.canvas import Canvas
from appliance.display.layout_board import clock
from appliance.display.layout_lists import Kind, draw_turn, pages, rest_kinds
from appliance.display.layout_pictures import sponsored
from appliance.display.listing import shown_at_all
from appliance.display.ops import Box
from appliance.display.view import Board

_GAP = 32
"""Between the clock and the list, in lengths of the design."""


def rests(board: Board) -> bool:
    """Whether it is a break of the round in play."""
    return board.phase in ("running", "paused") and board.face is not None and board.face.on_break


def draw_rest(c: Canvas, box: Box, board: Board) -> None:
    """A break, the time before the start, or an evening without a round: the clock and, in turns, the lists."""
    main, side = clock_and_list(c, box)
    kinds: Sequence[Kind] = ("structure", "standings", "rules", "plan")
    if rests(board):
        kinds = (*rest_kinds(c, side, board), "rules", "plan")
    elif board.phase in ("none", "cancelled", "moved"):
        kinds = ("standings", "rules", "plan")
    if not shown_at_all(c, side) or not pages(c, side, board, kinds):
        _draw_clock(c, box, board)
        return
    _draw_clock(c, main, board)
    draw_turn(c, sponsored(c, side, board), board, kinds)


def beside_play(c: Canvas, box: Box, board: Board) -> Box:
    """Where the clock of play goes: an upright wall has room below it for the prizes and what follows, always there."""
    if box.h * 100 < box.w * 115:
        return box
    main, below = clock_and_list(c, box)
    kinds = [kind for kind in reversed(rest_kinds(c, below, board)) if kind != "standings"]
    if not shown_at_all(c, below) or not draw_turn(c, below, replace(board, turn=0), kinds):
        return box
    return main


def draw_finish(c: Canvas, box: Box, board: Board) -> bool:
    """After the end: the results and the standings take turns; False where there are neither."""
    kinds: Sequence[Kind] = ("results", "standings")
    return bool(pages(c, box, board, kinds)) and draw_turn(c, sponsored(c, box, board), board, kinds)


def clock_and_list(c: Canvas, box: Box) -> tuple[Box, Box]:
    """The clock and the list side by side, or one above the other on an upright screen."""
    gap = c.u(_GAP)
    if box.w * 100 >= box.h * 120:
        left = Box(box.x, box.y, (box.w - gap) * 57 // 100, box.h)
        return left, Box(left.right + gap, box.y, box.right - left.right - gap, box.h)
    upper = Box(box.x, box.y, box.w, (box.h - gap) * 44 // 100)
    return upper, Box(box.x, upper.bottom + gap, box.w, box.bottom - upper.bottom - gap)


def clock_on_felt(c: Canvas, box: Box) -> Box:
    """Where the clock is written that has a list beside it."""
    return _on_felt(c, clock_and_list(c, box)[0])


def _on_felt(c: Canvas, felt: Box) -> Box:
    return felt.inset(c.u(44), c.u(30))


def _draw_clock(c: Canvas, box: Box, board: Board) -> None:
    """The clock on felt, blue in a break."""
    c.part(_draw_felt, box, on_break=rests(board))
    clock(c, _on_felt(c, box), board)


def _draw_felt(c: Canvas, box: Box, *, on_break: bool) -> None:
    theme = c.theme
    felt, line = (theme.felt_break, theme.felt_break_line) if on_break else (theme.felt, theme.felt_line)
    c.framed(box, c.u(40), felt, theme.rail_light, c.u(3))
    edge = box.inset(c.u(14))
    c.framed(edge, c.u(28), felt, line, c.u(2))
