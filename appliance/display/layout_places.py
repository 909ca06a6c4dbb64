"""Where everything of a table's screen goes: what is drawn and what is touched asks the same."""

from __future__ import annotations

from typing import NamedTuple

from appliance.display.canvas import Canvas
from appliance.display.handplan import HandPlan, Middle, hand_plan
from appliance.display.layout_announcement import announcement_and_body
from appliance.display.layout_board import header_gap
from appliance.display.layout_call import call_and_body
from appliance.display.layout_clock import compact_fits
from appliance.display.layout_figures import Figure, figures, figures_in_a_row, footer_rows
from appliance.display.layout_final import final_title, is_final, ladder_and_rest, still_in
from appliance.display.layout_moves import moves_and_body
from appliance.display.layout_notices import notices_and_body
from appliance.display.layout_rest import rests
from appliance.display.layout_ribbons import ribbons_height
from appliance.display.ops import Box
from appliance.display.padboxes import beside, pad_height, pad_width
from appliance.display.seatmap import Plan, plan
from appliance.display.view import HandView, Seat, TableView

_ROW = 158
_LOW_ROW = 104
"""Height of a row of figures, and of one beside a tracked hand, in lengths of the design."""

_LINGERS_S = 120
"""So long after a break has begun the hand that was the last one is still shown."""

_TOAST = 120
"""Height of an answer above the keys, in lengths of the design."""


class Places(NamedTuple):
    """The boxes of a table's screen. ``foot``: figures or an answer; ``pad``: the dealer's keys.

    ``left_alone``: nobody sits there any more, and who goes where is told large. ``tracked``: the hand to show.
    ``rest``: nobody plays, and ``free`` is for the clock of a break and for lists. ``final``: the final table is in
    play, with the ``ladder`` of prizes and only those ``seats`` that are taken.
    """

    title: str
    subtitle: str
    shown: list[Figure]
    head: Box
    foot: Box
    pad: Box | None
    body: Box
    announced: Box
    called: Box
    noted: Box
    told: Box
    free: Box
    left_alone: bool
    rest: bool
    final: bool
    ladder: Box | None
    seats: tuple[Seat, ...]
    on_clock: Box
    seated: Plan
    tracked: HandView | None
    hand: HandPlan | None
    middle: Middle | None


def places(c: Canvas, view: TableView) -> Places:
    """Where everything goes."""
    board, safe = view.board, c.safe
    title, subtitle = _title(c, view)
    head = Box(safe.x, safe.y, safe.w, c.u(64))
    below = Box(safe.x, head.bottom + c.u(14), safe.w, safe.bottom - head.bottom - c.u(14))
    pad, left = _pad_and_rest(c, below, view)
    left_alone = bool(view.moves) and not any(seat.who for seat in view.seats)
    played = board.phase in ("running", "paused") and board.face is not None
    tracked = view.tracked if played and view.seats and not left_alone else None
    rest = _rests(view, left_alone)
    tracked = None if rest else tracked
    final = is_final(board) and not rest and tracked is None and pad is None and not left_alone
    shown = figures(c, board, prizes=not final) if pad is None or beside(c) else []
    if pad is not None:
        shown = shown[: figures_in_a_row(c, left.w)]
    foot = figures_foot(c, left, len(shown), low=tracked is not None) if shown else _toast_foot(c, left, view)
    body = Box(left.x, left.y, left.w, foot.y - left.y - (c.u(16) if foot.h else 0))
    unwarned = body.below(ribbons_height(c, board.status, body.w))
    called, unwarned = call_and_body(c, unwarned, view.call, view.asked)
    busy = view.call is not None or bool(view.moves) or view.tracked is not None
    announced, unwarned = announcement_and_body(c, unwarned, board.announcement, slim=busy)
    gap = header_gap(c, head, board, title, subtitle)
    noted, free = notices_and_body(c, gap, unwarned, view.notices)
    told, free = moves_and_body(c, free, view.moves, large=left_alone)
    ladder, free = ladder_and_rest(c, free, board) if final else (None, free)
    seats = still_in(view.seats) if final else view.seats
    on_clock, seated = _clock_and_table(c, free, max(2, len(seats)), large=final)
    hand = middle = None
    if tracked is not None:
        clock, hand, middle = _clock_and_hand(c, free, max(2, len(view.seats)), 26 if pad is None else 22)
        if not compact_fits(c, clock, board, view.hand_blinds):  # the smallest screens: the clock comes first
            clock, middle = hand.middle, Middle(hand.middle, *[Box(0, 0, 0, 0)] * 3)
        if compact_fits(c, clock, board, view.hand_blinds):
            on_clock = clock
        else:
            tracked = hand = middle = None
    return Places(
        title, subtitle, shown, head, foot, pad, body, announced, called, noted, told, free, left_alone, rest,
        final, ladder, seats, on_clock, seated, tracked, hand, middle,
    )  # fmt: skip


def _title(c: Canvas, view: TableView) -> tuple[str, str]:
    """The table and its hand; of the final table what it is."""
    table = c.tr.gettext("Table {table}", table=view.table)
    hand = c.tr.gettext("hand {hand}", hand=c.tr.number(view.hand)) if view.hand else ""
    if is_final(view.board) and view.seats:
        return final_title(c.tr, view.board), " · ".join(filter(None, (table, hand)))
    return table, hand or view.board.venue


def _rests(view: TableView, left_alone: bool) -> bool:
    """Whether a break or the end leaves nothing to tell of the table; the last hand's outcome stays for a while."""
    board, hand = view.board, view.tracked
    if board.phase == "finished":
        return True
    if not rests(board) or board.face is None or left_alone or view.call is not None:
        return False
    return hand is None or (hand.waits == "nothing" and board.face.span_s - board.face.remaining_s >= _LINGERS_S)


def figures_foot(c: Canvas, within: Box, count: int, *, low: bool = False) -> Box:
    """The lowest part of a box, for so many figures. ``low``: without their third lines."""
    rows = footer_rows(c, within.w, count) if count else 1
    height = rows * c.u(_LOW_ROW if low else _ROW) + (rows - 1) * c.u(16)
    return Box(within.x, within.bottom - height, within.w, height)


def _toast_foot(c: Canvas, within: Box, view: TableView) -> Box:
    height = c.u(_TOAST) if view.prompt else 0
    return Box(within.x, within.bottom - height, within.w, height)


def _pad_and_rest(c: Canvas, box: Box, view: TableView) -> tuple[Box | None, Box]:
    """The keys to the right of everything, or below it where the screen is upright."""
    if view.pad is None or view.board.phase not in ("running", "paused"):
        return None, box
    if beside(c):
        width, gap = min(pad_width(c), box.w * 2 // 5), c.u(28)
        return Box(box.right - width, box.y, width, box.h), Box(box.x, box.y, box.w - width - gap, box.h)
    height, gap = min(pad_height(c, view.pad), box.h // 2), c.u(20)
    return Box(box.x, box.bottom - height, box.w, height), Box(box.x, box.y, box.w, box.h - height - gap)


def _clock_and_table(c: Canvas, box: Box, seats: int, *, large: bool) -> tuple[Box, Plan]:
    """Where the clock goes, and the table: all in one, or one above the other."""
    if box.w * 100 >= box.h * 135:
        seated = plan(c, box, seats, large=large)
        return seated.inside, seated
    upper = Box(box.x, box.y, box.w, box.h * 44 // 100)
    lower = Box(box.x, upper.bottom + c.u(20), box.w, box.bottom - upper.bottom - c.u(20))
    seated = plan(c, lower, seats, large=large, clock=False)
    return upper.inset(c.u(30), 0), seated


def _clock_and_hand(c: Canvas, box: Box, seats: int, share: int) -> tuple[Box, HandPlan, Middle]:
    """Clock and board share the middle of a wide table; above an upright one the clock has its share, per cent."""
    if box.w * 100 >= box.h * 125:
        planned = hand_plan(c, box, seats, clock=True)
        middle = planned.parts(clock=True)
        return middle.clock or box, planned, middle
    upper = Box(box.x, box.y, box.w, box.h * share // 100)
    lower = Box(box.x, upper.bottom + c.u(20), box.w, box.bottom - upper.bottom - c.u(20))
    planned = hand_plan(c, lower, seats, clock=False)
    return upper.inset(c.u(30), 0), planned, planned.parts(clock=False)
