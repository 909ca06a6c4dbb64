"""The season's standings (LG-8): points of each participant over all rounds, as they are kept added up.

A void participation has no part in them (LG-10).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from django.db.models import Exists, F, OuterRef, QuerySet

from league.people.models import published_names
from league.rounds.models import Season
from league.standings.models import Result, RoundReport, SeasonTotal


def season_names(season: Season, numbers: Collection[str] | None = None) -> dict[str, str]:
    """The names that stand beside a season's results: with consent (LG-7), and only while the season lasts (LG-12)."""
    return {} if season.is_over() else published_names(numbers)


class Standing(NamedTuple):
    """A line of the standings; equal totals share the place. Points are half points."""

    place: int
    number: str
    half_points: int
    rounds: int
    provisional: bool


class Standings(NamedTuple):
    """A stretch of a season's standings, and what holds for the whole of it."""

    lines: list[Standing]
    total: int
    provisional: bool
    key_unconfirmed: bool
    key_corrected: bool


def standings(season: Season, first: int = 0, count: int | None = None, *, over: bool = False) -> Standings:
    """``count`` lines of the season's standings (all without it) after the ``first`` ones.

    ``over``: of the rounds that are over only.
    """
    points, rounds = ("over_counted", "over_rounds") if over else ("counted", "rounds")
    totals = SeasonTotal.objects.filter(season=season)
    with_points = totals.filter(over_counted__gt=0).count() if over else 0
    # whoever has points is ahead of all who have none, and is found by the index alone
    known = over and count is not None and first + count <= with_points
    rows = totals.filter(over_rounds__gt=0) if over and not known else totals
    stretch = rows.order_by(f"-{points}", "number").values_list("number", points, rounds, "over_rounds")
    lines: list[Standing] = []
    for at, (number, total, played, played_out) in enumerate(stretch[first : None if count is None else first + count]):
        if not lines:
            place = 1 + totals.filter(**{f"{points}__gt": total}).count()
        elif total != lines[-1].half_points:
            place = first + at + 1
        lines.append(Standing(place, number, total, played, played > played_out))
    open_rounds = Result.objects.filter(round__season=season, void=False, provisional=True)
    total_lines = with_points + _pointless(totals) if over else totals.count()
    return Standings(lines, total_lines, not over and open_rounds.exists(), *_keys(season, over))


def has_results(over: bool = False) -> QuerySet[Season]:
    """The seasons that have standings, the latest first; ``over``: over rounds that are over."""
    totals = SeasonTotal.objects.filter(season=OuterRef("pk"))
    return Season.objects.filter(Exists(totals.filter(over_rounds__gt=0) if over else totals))


def listed(season: Season) -> int:
    """How many the standings over the rounds that are over list."""
    totals = SeasonTotal.objects.filter(season=season)
    return totals.filter(over_counted__gt=0).count() + _pointless(totals)


def still_played(season: Season, numbers: Collection[str]) -> dict[str, int]:
    """What rounds that are not over have given these participants so far, in half points; who is in none is not there.

    It is told beside the standings and is no part of them: before a round is over, only those who lost have points.
    """
    some = SeasonTotal.objects.filter(season=season, number__in=numbers, rounds__gt=F("over_rounds"))
    rows = some.values_list("number", "counted", "over_counted")
    return {number: all - over for number, all, over in rows}


def _pointless(totals: QuerySet[SeasonTotal]) -> int:
    """How many took part in rounds that are over and have no points of them."""
    return totals.filter(over_counted=0, over_rounds__gt=0).count()


def _keys(season: Season, over: bool) -> tuple[bool, bool]:
    """Whether a round with results counts by a key that is unconfirmed, and whether by a corrected one."""
    results = Result.objects.filter(round=OuterRef("pk"))
    reports = RoundReport.objects.filter(Exists(results.filter(provisional=False) if over else results))
    reports = reports.filter(round__season=season)
    return reports.filter(key_unconfirmed=True).exists(), reports.filter(key_corrected=True).exists()
