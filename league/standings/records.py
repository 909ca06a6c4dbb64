"""The records of a venue and of a season.

Void participations have no part in them (LG-10), rounds under way none in records: until a round is over, only those
who are out have places. Names are for the caller to add, where they may be published (LG-7, LG-12).
"""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Count, F, Q, QuerySet

from league.rounds.models import Round, Season, Venue
from league.standings.models import Result, RoundReport

SHARED = 5
"""So many of those who share a record are named; more of them are counted only."""


class RecordResult(NamedTuple):
    """Somebody's result that is a record: most points in a round (``value`` in half points) or biggest prize (CZK)."""

    value: int
    number: str
    round: Round


class RecordField(NamedTuple):
    """A round with the biggest field: ``value`` were registered."""

    value: int
    round: Round


class RecordWins(NamedTuple):
    """Somebody who won most rounds, ``value`` of them, in these ``seasons``."""

    value: int
    number: str
    seasons: tuple[Season, ...]


class Records(NamedTuple):
    """The records of all rounds that are over, each with those who share it, the first to reach it first.

    At most `SHARED` each; empty where there is none: no round is over, nobody has points, no prize was paid.
    """

    points: list[RecordResult]
    field: list[RecordField]
    wins: list[RecordWins]
    prize: list[RecordResult]


def records_of_season(season: Season) -> Records:
    """The records of a season."""
    return _records(Round.objects.filter(season=season))


def records_of_venue(venue: Venue) -> Records:
    """The records of a venue over all seasons."""
    return _records(Round.objects.filter(venue=venue))


def _records(rounds: QuerySet[Round]) -> Records:
    results = Result.objects.filter(round__in=rounds, void=False, provisional=False)
    return Records(_most(results, "counted"), _biggest(rounds), _wins(results), _most(results, "prize"))


def _most(results: QuerySet[Result], what: str) -> list[RecordResult]:
    """The results with the most of something."""
    value = results.order_by(f"-{what}").values_list(what, flat=True).first()
    if not value:
        return []
    found = results.filter(**{what: value}).select_related("round__season", "round__venue")
    rows = found.order_by("round__folded__starts_at", "round", "number")[:SHARED]
    return [RecordResult(value, row.number, row.round) for row in rows]


def _biggest(rounds: QuerySet[Round]) -> list[RecordField]:
    over = RoundReport.objects.filter(round__in=rounds, state="finished")
    value = over.order_by("-registered").values_list("registered", flat=True).first()
    if not value:
        return []
    found = over.filter(registered=value).select_related("round__season", "round__venue")
    return [RecordField(value, report.round) for report in found.order_by("starts_at", "round")[:SHARED]]


def _wins(results: QuerySet[Result]) -> list[RecordWins]:
    won = results.filter(_WON).values("number").annotate(won=Count("id")).order_by("-won", "number")
    rows = list(won.values_list("won", "number")[:SHARED])
    best = {number: value for value, number in rows if value == rows[0][0]}
    found: dict[str, list[Season]] = {number: [] for number in best}
    theirs = results.filter(_WON, number__in=best).order_by("round__season_id")
    pairs = list(theirs.values_list("number", "round__season_id").distinct())
    seasons = Season.objects.in_bulk({season for _, season in pairs})
    for number, season in pairs:
        found[number].append(seasons[season])
    return [RecordWins(value, number, tuple(found[number])) for number, value in best.items()]


_WON = Q(place=F("moved_up") + 1)
