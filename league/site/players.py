"""A participant's page: what the standings and the results of rounds tell of one number, and nothing more (LG-9).

A season at a time, so that the name stands beside results of a season that lasts, and never beside older ones (LG-12).
Whoever has no result that counts is as unknown here as a number that was never given to anybody.
"""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Count, F, Q, QuerySet, Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from league.rounds.models import Season
from league.site import pages
from league.site.caching import public
from league.standings.models import Result, RoundReport, SeasonTotal
from league.standings.table import listed, season_names


class Played(NamedTuple):
    """A result, with its round. ``field``: how many were registered."""

    line: pages.RoundLine
    place: int
    field: int
    prize: int
    half_points: int
    provisional: bool


class Player(NamedTuple):
    """Somebody in a season. ``seasons``: all in which they have results, the latest first.

    Place and points are those of the standings, over the rounds that are over: ``place`` None before one is.
    ``open``: half points that a round which is not over has given so far, None without one.
    """

    number: str
    name: str | None
    season: Season
    seasons: list[Season]
    place: int | None
    of: int
    half_points: int
    open: int | None
    prizes: int
    wins: int
    key_unconfirmed: bool
    key_corrected: bool
    played: list[Played]


def player_of(number: str, year: int | None = None) -> Player:
    """Raises `Http404` for whoever has no result of that year, or none at all."""
    totals = {
        total.season.year: total
        for total in SeasonTotal.objects.filter(number=number).select_related("season").order_by("-season__year")
    }
    total = totals.get(year) if year is not None else next(iter(totals.values()), None)
    if total is None:
        raise Http404
    season = total.season
    results = Result.objects.filter(round__season=season, number=number, void=False)
    better = SeasonTotal.objects.filter(season=season, over_counted__gt=total.over_counted)
    in_all = results.filter(provisional=False)
    own = in_all.aggregate(prizes=Sum("prize"), wins=Count("pk", filter=_WON))
    reports = RoundReport.objects.filter(round__in=results.values("round"))
    return Player(
        number, season_names(season, {number}).get(number), season, [one.season for one in totals.values()],
        better.count() + 1 if total.over_rounds else None, listed(season), total.over_counted,
        total.counted - total.over_counted if total.rounds > total.over_rounds else None,
        own["prizes"] or 0, own["wins"], reports.filter(key_unconfirmed=True).exists(),
        reports.filter(key_corrected=True).exists(), _played(results),
    )  # fmt: skip


_WON = Q(place=F("moved_up") + 1)


def _played(results: QuerySet[Result]) -> list[Played]:
    rows = results.select_related("round__venue", "round__season", "round__folded")
    return [
        Played(
            pages.line_of(row.round), row.counted_place, row.round.folded.registered, row.prize, row.counted,
            row.provisional,
        )
        for row in rows.order_by("-round__folded__starts_at", "-round")
    ]  # fmt: skip


@public
def player(request: HttpRequest, number: str, year: int | None = None) -> HttpResponse:
    """Somebody's results, of the latest season without a year. No search engine is to keep them."""
    answer = render(request, "site/player.html", {"player": player_of(number, year)})
    answer.headers["X-Robots-Tag"] = "noindex, noarchive"
    return answer
