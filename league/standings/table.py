"""The season's standings (LG-8): points of each participant over all rounds, straight from the results.

A void participation has no part in them (LG-10).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from django.db.models import Count, F, Q, Sum, Window
from django.db.models.functions import Rank

from league.people.models import published_names
from league.rounds.models import Season
from league.standings.models import Result, RoundReport


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
    results = Result.objects.filter(round__season=season, void=False)
    reports = RoundReport.objects.filter(round__season=season, round__results__isnull=False)
    if over:
        results, reports = results.filter(provisional=False), reports.filter(round__results__provisional=False)
    totals = (
        results.values("number")
        .annotate(total=Sum("counted"), played=Count("id"), open=Count("id", filter=Q(provisional=True)))
        .annotate(rank=Window(Rank(), order_by=F("total").desc()))
        .order_by("rank", "number")
    )
    stop = None if count is None else first + count
    lines = [
        Standing(row["rank"], row["number"], row["total"], row["played"], bool(row["open"]))
        for row in totals[first:stop]
    ]
    return Standings(
        lines,
        results.values("number").distinct().count(),
        results.filter(provisional=True).exists(),
        reports.filter(key_unconfirmed=True).exists(),
        reports.filter(key_corrected=True).exists(),
    )
