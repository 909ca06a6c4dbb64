"""What the public pages tell of a participant over all seasons, and the records of a venue and of a season.

Void participations have no part in them (LG-10), rounds under way none in records: until a round is over, only those
who are out have places. Names are for the caller to add, where they may be published (LG-7, LG-12).
"""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Count, F, QuerySet

from league.rounds.models import Round, Season, Venue
from league.standings.models import Result, RoundReport, SeasonTotal

SHARED = 5
"""So many of those who share a record are named; more of them are counted only."""


class Played(NamedTuple):
    """Somebody's result of a round, with its season and venue. ``field``: how many were registered.

    Points are half points that count, prizes whole CZK. ``provisional``: the round is not over yet.
    """

    round: Round
    place: int
    field: int
    half_points: int
    prize: int
    provisional: bool


class SeasonPlayed(NamedTuple):
    """How somebody stands in a season, as the standings have it: equal totals share the place."""

    season: Season
    place: int
    half_points: int
    rounds: int
    provisional: bool


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
    """Somebody who won most rounds, ``value`` of them."""

    value: int
    number: str


class Records(NamedTuple):
    """The records of all rounds that are over, each with those who share it, the first to reach it first.

    At most `SHARED` each; empty where there is none: no round is over, nobody has points, no prize was paid.
    """

    points: list[RecordResult]
    field: list[RecordField]
    wins: list[RecordWins]
    prize: list[RecordResult]


def results_of(number: str, first: int = 0, count: int | None = None) -> list[Played]:
    """``count`` of somebody's results over all seasons (all without it) after the ``first`` ones, the latest first."""
    found = Result.objects.filter(number=number, void=False).select_related(
        "round__season", "round__venue", "round__folded"
    )
    rows = found.order_by("-round__folded__starts_at", "-round")[first : None if count is None else first + count]
    return [
        Played(
            row.round, row.counted_place, row.round.folded.registered, row.counted, row.prize, row.provisional
        )
        for row in rows
    ]  # fmt: skip


def results_count(number: str) -> int:
    """How many results somebody has over all seasons."""
    return Result.objects.filter(number=number, void=False).count()


def seasons_of(number: str) -> list[SeasonPlayed]:
    """How somebody stands or stood in each season in which they played, the latest first."""
    return [
        SeasonPlayed(
            total.season,
            1 + SeasonTotal.objects.filter(season=total.season_id, counted__gt=total.counted).count(),
            total.counted,
            total.rounds,
            total.rounds > total.over_rounds,
        )
        for total in SeasonTotal.objects.filter(number=number).select_related("season").order_by("-season__year")
    ]


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
    won = results.filter(place=F("moved_up") + 1).values("number").annotate(won=Count("id")).order_by("-won", "number")
    rows = list(won.values_list("won", "number")[:SHARED])
    return [RecordWins(value, number) for value, number in rows if value == rows[0][0]]
