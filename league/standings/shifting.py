"""Who moves in a season when the results of one round change: computed from the totals, no other round is read."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from django.db.models import Count

from league.rounds.models import Season
from league.standings import totals
from league.standings.models import SeasonTotal
from league.standings.totals import Part

NAMED = 100
"""So many of those are named who only move because others do."""

_IN_A_QUERY = 500


class Move(NamedTuple):
    """A place and half points before and after; without a place they are not in the table."""

    number: str
    place_before: int | None
    place_after: int | None
    points_before: int
    points_after: int

    @property
    def moved(self) -> bool:
        """Whether anything is different."""
        return (self.place_before, self.points_before) != (self.place_after, self.points_after)


class _Table:
    """How many have how much, to tell the place of a total: one more than have a better one (LG-8)."""

    def __init__(self, totals: Mapping[int, int]) -> None:
        self.totals = {total: count for total, count in totals.items() if count}
        self._order = sorted(self.totals)
        self._so_much_or_more = [0]
        for total in reversed(self._order):
            self._so_much_or_more.append(self._so_much_or_more[-1] + self.totals[total])
        self._so_much_or_more.reverse()

    def place(self, total: int) -> int:
        """The place that somebody with this total has or would have."""
        return 1 + self._so_much_or_more[bisect_right(self._order, total)]


def moves(season: Season, before: Mapping[str, Part], after: Mapping[str, Part]) -> tuple[list[Move], int]:
    """Who moves when a round makes ``after`` of the season instead of ``before``; and how many move altogether.

    Named are those of the round, and of the others who are moved by them the best `NAMED`; in order of places after.
    """
    numbers = sorted(before.keys() | after.keys())
    had: dict[str, Part] = {}
    for start in range(0, len(numbers), _IN_A_QUERY):
        some = SeasonTotal.objects.filter(season=season, number__in=numbers[start : start + _IN_A_QUERY])
        had |= {number: Part(*values) for number, *values in some.values_list("number", *Part._fields)}
    have = {number: totals.changed(had.get(number), before.get(number), after.get(number)) for number in numbers}
    counts = SeasonTotal.objects.filter(season=season).order_by().values_list("counted").annotate(Count("id"))
    now = _Table(dict(counts.values_list("counted", "id__count")))
    then_counts = Counter(now.totals)
    then_counts.subtract(part.counted for part in had.values())
    others = dict(then_counts)
    then_counts.update(part.counted for part in have.values() if part.rounds)
    then = _Table(then_counts)
    own = [_move(number, had.get(number), have[number], now, then) for number in numbers]
    own = [move for move in own if move.moved]
    shifted = [total for total, count in others.items() if count and now.place(total) != then.place(total)]
    named = [
        Move(number, now.place(total), then.place(total), total, total)
        for number, total in _some_of(season, sorted(shifted, reverse=True), set(numbers))
    ]
    found = sorted(own + named, key=lambda move: (move.place_after is None, move.place_after or 0, move.number))
    return found, len(own) + sum(others[total] for total in shifted)


def _move(number: str, had: Part | None, has: Part, now: _Table, then: _Table) -> Move:
    return Move(
        number,
        now.place(had.counted) if had else None,
        then.place(has.counted) if has.rounds else None,
        had.counted if had else 0,
        has.counted,
    )


def _some_of(season: Season, best_first: list[int], without: set[str]) -> list[tuple[str, int]]:
    """Some of those who have these totals, the best first."""
    found: list[tuple[str, int]] = []
    for start in range(0, len(best_first), _IN_A_QUERY):
        rows = SeasonTotal.objects.filter(season=season, counted__in=best_first[start : start + _IN_A_QUERY])
        ordered = rows.order_by("-counted", "number").values_list("number", "counted")
        found += [row for row in ordered[: NAMED + len(without)] if row[0] not in without]
        if len(found) >= NAMED:
            break
    return found[:NAMED]
