"""The final table has a look of its own: a brass rail, who is left, and the ladder of prizes with who took which."""

from __future__ import annotations

from collections.abc import Sequence

from appliance.display.canvas import Canvas
from appliance.display.listing import Heading, Line, draw_heading, draw_lines, panel, shown_at_all
from appliance.display.ops import Box
from appliance.display.view import Board, Prize, Result, Seat
from appliance.i18n import Translator

_SIDE, _BELOW, _GAP = 28, 28, 24
"""Per cent of the body for the ladder: beside the table, or below it; and the space between, a length of the design."""

_RUNGS = 10
"""So many prizes are told at most: no more than sit at a final table."""


def is_final(board: Board) -> bool:
    """Whether the final table is in play."""
    return board.final and board.phase in ("running", "paused")


def final_title(tr: Translator, board: Board) -> str:
    """What play has come to."""
    if board.field is not None and board.field.left == 2:
        return tr.gettext("Heads-up")
    return tr.gettext("Final table")


def still_in(seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """The seats that are taken, so that they can be drawn larger; all where fewer than two are."""
    taken = tuple(seat for seat in seats if seat.who is not None or seat.button or seat.small_blind or seat.big_blind)
    return taken if len(taken) > 1 else seats


def ladder_and_rest(c: Canvas, box: Box, board: Board) -> tuple[Box | None, Box]:
    """Where the ladder goes and what is left; None where there are no prizes, or no room to read them."""
    gap = c.u(_GAP)
    if box.w * 100 >= box.h * 120:
        width = box.w * _SIDE // 100
        side = Box(box.right - width, box.y, width, box.h)
        rest = Box(box.x, box.y, box.w - width - gap, box.h)
    else:
        height = box.h * _BELOW // 100
        side = Box(box.x, box.bottom - height, box.w, height)
        rest = Box(box.x, box.y, box.w, box.h - height - gap)
    if not is_final(board) or not board.prizes or not shown_at_all(c, side):
        return None, box
    return side, rest


def draw_ladder(c: Canvas, box: Box, board: Board) -> None:
    """The ladder on its panel."""
    left = board.field.left if board.field is not None else 0
    c.part(_draw_ladder, box, board.prizes[:_RUNGS], board.results, left)


def _draw_ladder(c: Canvas, box: Box, prizes: tuple[Prize, ...], gone: tuple[Result, ...], left: int) -> None:
    room = draw_heading(c, panel(c, box), Heading(c.tr.gettext("Prizes")))
    lines = rungs(c.tr, prizes, gone, left)
    draw_lines(c, room, lines, 2 if len(lines) > 3 and room.w * 10 > room.h * 25 else 1, below=True)


def rungs(tr: Translator, prizes: Sequence[Prize], gone: Sequence[Result], left: int) -> list[Line]:
    """A line for each prize, with who took it; the one that goes next is marked. ``left``: so many are in play."""
    return [
        Line(
            tr.place(prize.place),
            _taker(prize.place, gone) if prize.place > left else "",
            "",
            tr.crowns(prize.amount),
            "quiet" if prize.place > left else "strong",
            prize.place == left,
        )
        for prize in prizes
    ]


def _taker(place: int, gone: Sequence[Result]) -> str:
    """Who took a place: those who share one stand one after the other on the places it covers."""
    for first in sorted({result.place for result in gone}):
        sharing = [result.who for result in gone if result.place == first]
        if first <= place < first + len(sharing):
            return sharing[place - first]
    return ""
