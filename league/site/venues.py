"""The venues: what is coming there, what was played, and the records; and the records of a season."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.core.paginator import Paginator
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from league.rounds.models import Round, Season, Venue
from league.site import pages
from league.site.caching import public
from league.site.paging import page_number
from league.standings.models import RoundReport
from league.standings.records import RecordResult, Records, records_of_season, records_of_venue
from league.standings.table import season_names

ROUNDS_A_PAGE = 30
VENUES_A_PAGE = 200


class Line(NamedTuple):
    """Who has a record, and in which round, where it is one of a round."""

    number: str
    name: str | None
    round: Round | None


class Told(NamedTuple):
    """A kind of record with those who share it; ``what``: ``points`` (half points), ``field``, ``wins``, ``prize``."""

    what: str
    value: int
    lines: list[Line]


def told(found: Records) -> list[Told]:
    """Records with the names that may be published: beside a round's only while its season lasts (LG-12).

    Who won most is named where all of those rounds are of seasons that last; else the number stands for all of them.
    """
    results: list[RecordResult] = [*found.points, *found.prize]
    seasons = {row.round.season for row in results} | {season for row in found.wins for season in row.seasons}
    lasting = next((one for one in seasons if not one.is_over()), None)
    numbers = {row.number for row in results} | {row.number for row in found.wins}
    published = season_names(lasting, numbers) if lasting else {}

    def line(number: str, of: Iterable[Season], round: Round | None) -> Line:
        over = any(one.is_over() for one in of)
        return Line(number, None if over else published.get(number), round)

    kinds = {
        "points": [(row.value, line(row.number, [row.round.season], row.round)) for row in found.points],
        "field": [(row.value, Line("", None, row.round)) for row in found.field],
        "wins": [(row.value, line(row.number, row.seasons, None)) for row in found.wins],
        "prize": [(row.value, line(row.number, [row.round.season], row.round)) for row in found.prize],
    }
    return [Told(what, rows[0][0], [row for _, row in rows]) for what, rows in kinds.items() if rows]


def flags(found: Records) -> dict[str, bool]:
    """What must be said of the points among the records: by which key they came (P)."""
    keys = RoundReport.objects.filter(round__in=[row.round.pk for row in found.points])
    told = list(keys.values_list("key_unconfirmed", "key_corrected"))
    return {
        "key_unconfirmed": any(unconfirmed for unconfirmed, _ in told),
        "key_corrected": any(corrected for _, corrected in told),
    }


def known_venues() -> QuerySet[Venue]:
    """Those with a round that anybody may know of, by their towns."""
    rounds = pages.public_rounds().filter(venue=OuterRef("pk")).order_by()
    return Venue.objects.filter(Exists(rounds)).order_by("town", "name", "id")


@public
def venues(request: HttpRequest) -> HttpResponse:
    """All venues, a page at a time."""
    over = Count("rounds", filter=Q(rounds__folded__state="finished"))
    paginator = Paginator(known_venues().annotate(over=over), VENUES_A_PAGE)
    page = page_number(request)
    if page > paginator.num_pages:
        raise Http404
    return render(request, "site/venues.html", {"page": paginator.page(page)})


@public
def venue(request: HttpRequest, venue_id: str) -> HttpResponse:
    """A venue: its rounds and records."""
    shown = get_object_or_404(known_venues(), pk=venue_id)
    only = Q(venue=shown)
    page = page_number(request)
    past = Paginator(pages.past_rounds(only=only), ROUNDS_A_PAGE)
    if page > past.num_pages:
        raise Http404
    played, found = past.page(page), records_of_venue(shown)
    context = flags(found) | {
        "venue": shown,
        "calendar": pages.calendar(only=only),
        "page": played,
        "played": [pages.line_of(round) for round in played],
        "records": told(found),
    }
    return render(request, "site/venue.html", context)


@public
def season_records(request: HttpRequest, year: int) -> HttpResponse:
    """The records of a season."""
    season = get_object_or_404(Season, year=year)
    found = records_of_season(season)
    context = flags(found) | {"season": season, "records": told(found)}
    return render(request, "site/records.html", context)
