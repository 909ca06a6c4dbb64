"""Who finished where (T-6, T-7, T-8, CK-6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import NamedTuple

from appliance.game.handrounds import Spans, bounds, round_of
from appliance.game.prizes import ranked
from appliance.game.state import Elimination, Round
from appliance.game.values import registration_order


class Place(NamedTuple):
    """Participants who share the places from ``place`` on, one each; the better number names them all."""

    place: int
    participants: tuple[str, ...]


def places(round: Round) -> list[Place]:
    """The places known so far, best first, counted from the bottom: all but void participations have one (LG-10)."""
    stacks = round.finish.stacks if round.finish else {}
    together = round.rules.round_of_hands == "shared"
    in_time = sorted(round.eliminations, key=lambda each: each.at)  # a table without a director tells them later
    out = eliminated(in_time, round.hand_spans, shared=together)
    known: list[Place] = []
    last = ranked(round)
    below = 0
    for participants in [*out, *by_stack(stacks)]:
        below += len(participants)
        place = last - below + 1
        in_order = sorted(participants, key=registration_order) if len(participants) > 1 else participants
        known.append(Place(place, tuple(in_order)))
    return known[::-1]


class _Moment(NamedTuple):
    """Eliminations that rank together.

    ``table`` and ``hand`` say where and when the first of them happened, None for one without a hand. ``round`` is the
    round of hand-for-hand play it was, ``since`` and ``until`` bound the moment; see `handrounds.bounds`.
    """

    table: int | None
    hand: int | None
    round: int | None
    since: int
    until: int
    out: list[Elimination]

    def before(self, other: _Moment) -> bool:
        """Whether it must rank lower: played earlier at one table, or in an earlier round of hand-for-hand play."""
        if self.until < other.since:
            return True
        return self.table == other.table and (self.hand or 0) < (other.hand or 0)


def eliminated(eliminations: Iterable[Elimination], spans: Spans = (), *, shared: bool = False) -> list[list[str]]:
    """Those who are out, from the lowest place up; those in one list share their places (T-7).

    The order of the stream decides, but for what hands say. At one table a lower hand ranks lower, whatever the order
    of entry; so does a lower round of hand-for-hand play (CK-6) over all tables, and a table's hands before and after
    that play rank below and above its rounds. This is an order in itself (what holds between A and B, and B and C,
    holds between A and C), so there is always a place for one told late: before the first that must rank higher. One
    without a hand stays where it was told.

    Those out in one hand, or one round, rank by their stacks; with ``shared`` all of a round share.
    """
    line = _Line(spans)
    for elimination in eliminations:
        line.enter(elimination)
    return [group for moment in line.moments for group in _ranked(moment, shared)]


class _Line:
    """Moments from the lowest place up, as eliminations are entered one by one.

    What is told in time comes last: the line is gone through only for one told late.
    """

    def __init__(self, spans: Spans) -> None:
        self.moments: list[_Moment] = []
        self._spans: dict[int, Spans] = {}
        for span in spans:
            self._spans[span.table] = (*self._spans.get(span.table, ()), span)
        self._found: dict[tuple[int | None, int], _Moment] = {}  # by table and hand, or by round alone
        self._last_hand: dict[int, int] = {}
        self._since = 0

    def enter(self, late: Elimination) -> None:
        """Add an elimination to its moment, or before the first moment that ranks higher, or at the end."""
        if late.hand is None or late.table is None:
            self.moments.append(_Moment(None, None, None, 0, 0, [late]))
            return
        table, hand = late.table, late.hand
        spans = self._spans.get(table, ())
        together = round_of(spans, table, hand)
        one = (table, hand) if together is None else (None, together)
        if one in self._found:
            self._found[one].out.append(late)
        else:
            moment = _Moment(table, hand, together, *bounds(spans, table, hand), [late])
            self._found[one] = moment
            self.moments.insert(self._place(moment, table, hand), moment)
            self._since = max(self._since, moment.since)
        self._last_hand[table] = max(hand, self._last_hand.get(table, 0))

    def _place(self, new: _Moment, table: int, hand: int) -> int:
        if new.until >= self._since and hand > self._last_hand.get(table, 0):
            return len(self.moments)
        higher = (place for place, other in enumerate(self.moments) if other.hand is not None and new.before(other))
        return next(higher, len(self.moments))


def _ranked(moment: _Moment, shared: bool) -> list[list[str]]:
    """Rank one moment's eliminations by stack; equal stacks share, and with one unknown all do (T-7)."""
    if len(moment.out) == 1:
        return [[moment.out[0].participant]]
    stacks = {e.participant: e.stack for e in moment.out if e.stack is not None}
    if len(stacks) < len(moment.out) or (shared and moment.round is not None):
        return [[e.participant for e in moment.out]]
    return by_stack(stacks)


def by_stack(stacks: Mapping[str, int]) -> list[list[str]]:
    """Participants from the smallest stack up; equal stacks share."""
    order = sorted(stacks, key=lambda participant: stacks[participant])
    return [list(group) for _, group in groupby(order, key=lambda participant: stacks[participant])]
