"""What is said above a table or a clock, band below band, and how it makes room: the time has its share of a screen.

What is wrong, whose time runs and who is to move is always told. Where it would take more than there is, it is told in
fewer lines first, and the word for the room and the notices take turns.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from appliance.display.canvas import Canvas
from appliance.display.layout_announcement import announcement_and_body, draw_announcement
from appliance.display.layout_call import call_and_body, draw_call
from appliance.display.layout_moves import draw_moves, moves_and_body
from appliance.display.layout_notices import draw_notices, notices_and_body
from appliance.display.layout_rest import rests
from appliance.display.layout_ribbons import ribbons, ribbons_height
from appliance.display.notice import Notice
from appliance.display.ops import Box
from appliance.display.view import Asked, Board, Call, ClockView, Move, Status, TableView
from appliance.display.view_season import Announcement


class Tight(IntEnum):
    """How much gives way to the time and the blinds, each besides those before."""

    NOTHING = 0
    FIGURES_LOW = 1
    FEW_LINES = 2
    NO_FIGURES = 3
    LOW_BANDS = 4
    NO_LADDER = 5


class Bands(NamedTuple):
    """The boxes of the bands, with what is told in those that may tell less, and what is ``free`` below them."""

    warned: Box
    called: Box
    announced: Box
    noted: Box
    told: Box
    free: Box
    said: Announcement | None
    notices: tuple[Notice, ...]
    moves: tuple[Move, ...]
    few: bool
    large: bool
    low: bool
    rested: bool


def bands(
    c: Canvas,
    body: Box,
    gap: Box,
    view: TableView | ClockView,
    *,
    tight: Tight,
    slim: bool = False,
    large: bool = False,
) -> Bands:
    """Where all that is said goes, from the top of ``body``; ``gap``: what the header leaves free.

    ``slim``: something comes before what is announced; ``large``: the moves have most of the room.
    """
    board, call, asked = view.board, None, None
    if isinstance(view, TableView):
        call, asked = view.call, view.asked
    few = tight >= Tight.FEW_LINES
    said, notices = _in_turns(board, view.notices) if few else (board.announcement, view.notices)
    below = body.below(ribbons_height(c, board.status, body.w, few=few))
    called, below = call_and_body(c, below, call, asked, low=tight >= Tight.LOW_BANDS)
    announced, below = announcement_and_body(c, below, said, slim=slim or tight >= Tight.LOW_BANDS)
    rested = tight < Tight.FEW_LINES and rests(board)
    noted, below = notices_and_body(c, gap, below, notices, large=rested)
    low = tight >= Tight.LOW_BANDS
    moves = view.moves
    if low and moves:
        first = 2 * board.turn % len(moves)
        moves = moves[first:] + moves[:first]
    told, free = moves_and_body(c, below, moves, large=large, low=low)
    return Bands(body, called, announced, noted, told, free, said, notices, moves, few, large, low, rested)


def _in_turns(board: Board, notices: tuple[Notice, ...]) -> tuple[Announcement | None, tuple[Notice, ...]]:
    """One of all that would be told."""
    told: list[Announcement | Notice] = [*notices]
    if board.announcement is not None:
        told.insert(0, board.announcement)
    turn = told[board.turn % len(told)] if told else None
    if isinstance(turn, Announcement):
        return turn, ()
    return None, () if turn is None else (turn,)


def draw_bands(
    c: Canvas,
    where: Bands,
    status: Status,
    call: Call | None = None,
    asked: Asked | None = None,
) -> None:
    """Draw them all."""
    ribbons(c, where.warned, status, few=where.few)
    draw_call(c, where.called, call, asked)
    c.part(draw_announcement, where.announced, where.said)
    c.part(draw_notices, where.noted, where.notices, large=where.rested)
    c.part(draw_moves, where.told, where.moves, large=where.large, low=where.low)
