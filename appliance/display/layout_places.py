"""Where everything of a table's screen goes: what is drawn and what is touched asks the same."""

from __future__ import annotations

from typing import NamedTuple

from appliance.display.canvas import Canvas
from appliance.display.handplan import HandPlan, Middle, hand_plan
from appliance.display.layout_bands import Bands, Tight, bands
from appliance.display.layout_board import Letters, blinds_text, clock_letters, header_gap
from appliance.display.layout_clock import compact_fits, compact_letters
from appliance.display.layout_figures import Figure, figures, figures_in_a_row, footer_rows
from appliance.display.layout_final import final_title, is_final, ladder_and_rest, still_in
from appliance.display.layout_rest import clock_on_felt, rests
from appliance.display.ops import Box
from appliance.display.padboxes import beside, pad_height, pad_width
from appliance.display.seatmap import Plan, plan
from appliance.display.view import Board, HandView, Seat, TableView

_ROW = 158
_LOW_ROW = 104
"""Height of a row of figures, and of one beside a tracked hand, in lengths of the design."""

_LINGERS_S = 120
"""So long after a break has begun the hand that was the last one is still shown."""

_TOAST = 120
"""Height of an answer above the keys, in lengths of the design."""


ALONE, BESIDE_HAND, BESIDE_KEYS = (18, 7), (9, 3), (6, 2)
"""Per cent of a screen's height that the letters of time and blinds have at least: of a clock with a table or a list
for itself, of one that shares the felt with a hand, and beside that with the dealer's keys."""

_USUAL_BLINDS = "00 000 / 00 000"
"""Blinds as they usually are at their longest."""

CLOCK_ON_TABLE = (60, 86, 60)
"""Per cent of the clock's width for level, blinds and ante: plates lie beside them."""


class Places(NamedTuple):
    """The boxes of a table's screen. ``foot``: figures, ``low`` ones without notes, or an answer; ``pad``: the
    dealer's keys.

    ``left_alone``: nobody sits there any more, and who goes where is told large. ``tracked``: the hand to show.
    ``rest``: nobody plays, and ``free`` is for the clock of a break and for lists. ``final``: the final table is in
    play, with the ``ladder`` of prizes and only those ``seats`` that are taken.
    """

    title: str
    subtitle: str
    shown: list[Figure]
    head: Box
    foot: Box
    low: bool
    pad: Box | None
    bands: Bands
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
    """Where everything goes: with as little giving way as leaves time and blinds their share of the screen."""
    where = _placed(c, view, Tight.NOTHING)
    for tight in list(Tight)[1:]:
        if _has_its_share(c, view, where):
            break
        where = _placed(c, view, tight)
    return where


def _has_its_share(c: Canvas, view: TableView, where: Places) -> bool:
    """Whether time and blinds of a round in play are large enough."""
    board, face = view.board, view.board.face
    if face is None or board.phase not in ("running", "paused"):
        return True
    if where.tracked is not None:
        letters = compact_letters(c, where.on_clock, board, face, view.hand_blinds)
        return enough(c, board, letters, BESIDE_HAND if where.pad is None else BESIDE_KEYS)
    if where.rest:
        letters = clock_letters(c, clock_on_felt(c, where.free), face)
    elif where.left_alone:
        letters = clock_letters(c, where.free, face)
    else:
        letters = clock_letters(c, where.on_clock, face, CLOCK_ON_TABLE)
    return enough(c, board, letters)


def enough(c: Canvas, board: Board, letters: Letters, share: tuple[int, int] = ALONE) -> bool:
    """Whether a clock's letters have these shares of the screen; longer texts than usual are smaller by as much."""
    face, high = board.face, c.u(1080)
    if face is None:
        return True
    blinds = blinds_text(c.tr, (face.next_blinds or face.blinds) if face.on_break else face.blinds)
    longer = max(1.0, c.measure.width(blinds, 100, True) / c.measure.width(_USUAL_BLINDS, 100, True))
    return letters.time * 100 >= high * share[0] and letters.blinds * 100 * longer >= high * share[1]


def _placed(c: Canvas, view: TableView, tight: Tight) -> Places:
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
    if tight >= Tight.NO_FIGURES:
        shown = []
    low = tracked is not None or tight >= Tight.FIGURES_LOW
    foot = figures_foot(c, left, len(shown), low=low) if shown else _toast_foot(c, left, view)
    body = Box(left.x, left.y, left.w, foot.y - left.y - (c.u(16) if foot.h else 0))
    busy = view.call is not None or bool(view.moves) or view.tracked is not None
    gap = header_gap(c, head, board, title, subtitle)
    said = bands(c, body, gap, view, tight=tight, slim=busy, large=left_alone)
    ladder, free = ladder_and_rest(c, said.free, board) if final and tight < Tight.NO_LADDER else (None, said.free)
    seats = still_in(view.seats) if final else view.seats
    on_clock, seated = _clock_and_table(c, free, max(2, len(seats)), large=final, low=tight >= Tight.LOW_BANDS)
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
        title, subtitle, shown, head, foot, low, pad, said, free, left_alone, rest, final, ladder, seats, on_clock,
        seated, tracked, hand, middle,
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


def _clock_and_table(c: Canvas, box: Box, seats: int, *, large: bool, low: bool) -> tuple[Box, Plan]:
    """Where the clock goes, and the table: all in one, or one above the other."""
    if box.w * 100 >= box.h * 135:
        seated = plan(c, box, seats, large=large and not low, low=low)
        return seated.inside, seated
    upper = Box(box.x, box.y, box.w, box.h * 44 // 100)
    lower = Box(box.x, upper.bottom + c.u(20), box.w, box.bottom - upper.bottom - c.u(20))
    seated = plan(c, lower, seats, large=large and not low, low=low, clock=False)
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
