"""What others may build on: standings, results, rounds and what the league announces, as JSON and CSV.

Version 1 of the addresses and shapes, as docs/api.md tells them: fields are added, never changed or taken away.
Points are decimal strings ("97.5"), those that count in the season: with ``key_corrected`` computed anew by a key that
the league corrected, with ``key_unconfirmed`` by one it has not confirmed (P). Prizes are whole CZK; ``name`` is null
without consent to publication (LG-7) and once the season is over (LG-12).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import path, register_converter

from league import csvout
from league.notices import editions
from league.notices.models import Edition
from league.notices.pages import standing_announcements
from league.rounds.models import Round, Season
from league.site import api_shapes as shapes
from league.site import pages, paging
from league.site.caching import public
from league.site.converters import PlayerNumber, RoundId
from league.site.players import player_of
from league.site.touch import touches
from league.site.venues import known_venues

register_converter(RoundId, "round_id")
register_converter(PlayerNumber, "player_number")

LINES_A_PAGE = 1000

View = Callable[..., HttpResponse]


class Missing(Exception):
    """There is no such thing; its kind."""


def answers(view: View) -> Any:
    """A view whose missing things are told in JSON, open to other sites' pages, and kept for a moment."""

    @public
    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **given: Any) -> HttpResponse:
        try:
            answer = view(request, *args, **given)
        except Missing as missing:
            answer = _json({"error": "not-found", "what": str(missing)}, 404)
        answer.headers["Access-Control-Allow-Origin"] = "*"
        answer.headers["Access-Control-Expose-Headers"] = "ETag, Link"
        return answer

    return answered


@answers
def seasons(request: HttpRequest) -> HttpResponse:
    """All seasons, the latest first."""
    return _json({"seasons": [shapes.season(row) for row in Season.objects.all()]})


@answers
def venues(request: HttpRequest) -> HttpResponse:
    """All venues with rounds."""
    page = _page(request, known_venues())
    return _linked(request, page, _json({"venues": [shapes.venue(row) for row in page]} | _counts(page)))


@answers
def standings(request: HttpRequest, year: int | None = None, form: str = "json") -> HttpResponse:
    """Standings of a season, the current one without a year."""
    season = Season.objects.filter(year=year).first() if year is not None else pages.current_season()
    if season is None:
        raise Missing("season")
    number = _page_number(request)
    table, lines = pages.named_standings(season, (number - 1) * LINES_A_PAGE, LINES_A_PAGE)
    page = _page(request, range(table.total))
    shown = [shapes.standing(line) for line in lines]
    if form == "csv":
        return _linked(request, page, _csv(f"standings-{season.year}", shapes.STANDING, shown))
    body = shapes.table(season, table) | _counts(page) | {"standings": shown}
    return _linked(request, page, _json(body))


@answers
def rounds(request: HttpRequest, form: str = "json") -> HttpResponse:
    """All rounds with their states, of a season or a venue if that is asked for, the first to start first."""
    page = _page(request, _chosen(request))
    lines = [pages.line_of(round) for round in page]
    near = touches(line.round.venue_id for line in lines if line.state in pages.UNDER_WAY)
    shown = [shapes.round_head(line, near) for line in lines]
    if form == "csv":
        return _linked(request, page, _csv("rounds", shapes.ROUND, shown))
    return _linked(request, page, _json({"rounds": shown} | _counts(page)))


@answers
def round_results(request: HttpRequest, round_id: str, form: str = "json") -> HttpResponse:
    """One round and the places known so far."""
    round = pages.public_rounds().filter(pk=round_id).first()
    if round is None:
        raise Missing("round")
    head = shapes.round_head(pages.line_of(round), touches([round.venue_id]))
    shown = [shapes.result(row, head["provisional"]) for row in pages.results(round)]
    if form == "csv":
        return _csv(f"round-{round.pk}", shapes.RESULT, shown)
    return _json(head | {"results": shown})


@answers
def player(request: HttpRequest, number: str, year: int | None = None) -> HttpResponse:
    """Somebody's results, of their latest season without a year."""
    try:
        found = player_of(number, year)
    except Http404:
        raise Missing("participant") from None
    answer = _json(shapes.player(found))
    answer.headers["X-Robots-Tag"] = "noindex, noarchive"
    return answer


@answers
def announcements(request: HttpRequest) -> HttpResponse:
    """What is announced on the league's pages now, the latest first."""
    return _json({"announcements": [shapes.announcement(row) for row in standing_announcements()]})


@answers
def in_force(request: HttpRequest) -> HttpResponse:
    """The rules, the game plan and the price list that hold today, as far as there are any."""
    found = [editions.in_force(kind) for kind in Edition.Kind.values]
    return _json({"editions": [shapes.edition(row) for row in found if row is not None]})


@answers
def nothing(request: HttpRequest, rest: str) -> HttpResponse:
    """There is no such address."""
    raise Missing("address")


def _chosen(request: HttpRequest) -> QuerySet[Round]:
    found = pages.public_rounds()
    season, venue = request.GET.get("season", ""), request.GET.get("venue", "")
    if season:
        if not (season.isascii() and season.isdigit() and len(season) == 4):
            raise Missing("season")
        found = found.filter(season__year=int(season))
    if venue:
        if "\0" in venue:
            raise Missing("venue")
        found = found.filter(venue=venue[:40])
    return found


def _page_number(request: HttpRequest) -> int:
    try:
        return paging.page_number(request)
    except Http404:
        raise Missing("page") from None


def _page(request: HttpRequest, rows: Any) -> Any:
    number, paginator = _page_number(request), Paginator(rows, LINES_A_PAGE)
    if number > paginator.num_pages:
        raise Missing("page")
    return paginator.page(number)


def _counts(page: Any) -> dict[str, int]:
    return {"total": page.paginator.count, "page": page.number, "pages": page.paginator.num_pages}


def _linked(request: HttpRequest, page: Any, answer: HttpResponse) -> HttpResponse:
    """With the addresses of the pages beside it in ``Link`` (RFC 8288)."""
    links = []
    for rel, there in (("prev", page.has_previous()), ("next", page.has_next())):
        if there:
            query = request.GET.copy()
            query["page"] = str(page.number + (1 if rel == "next" else -1))
            links.append(f'<{request.path}?{query.urlencode()}>; rel="{rel}"')
    if links:
        answer.headers["Link"] = ", ".join(links)
    return answer


def _json(body: dict[str, Any], status: int = 200) -> HttpResponse:
    return JsonResponse(body, status=status, json_dumps_params={"ensure_ascii": False})


def _csv(name: str, columns: tuple[str, ...], rows: Iterable[dict[str, Any]]) -> HttpResponse:
    """With ``true``, ``false`` and nothing for null, as spreadsheets and programs take them."""
    told = {True: "true", False: "false", None: ""}
    lines = [
        [told[cell] if cell is None or isinstance(cell, bool) else cell for cell in map(row.get, columns)]
        for row in rows
    ]
    answer = HttpResponse("".join(csvout.lines([columns, *lines])), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return answer


urlpatterns = [
    path("seasons.json", seasons, name="api-seasons"),
    path("venues.json", venues, name="api-venues"),
    path("standings.json", standings, name="api-standings"),
    path("standings.csv", standings, {"form": "csv"}, name="api-standings-csv"),
    path("standings/<int:year>.json", standings, name="api-season"),
    path("standings/<int:year>.csv", standings, {"form": "csv"}, name="api-season-csv"),
    path("rounds.json", rounds, name="api-rounds"),
    path("rounds.csv", rounds, {"form": "csv"}, name="api-rounds-csv"),
    path("rounds/<round_id:round_id>.json", round_results, name="api-round"),
    path("rounds/<round_id:round_id>.csv", round_results, {"form": "csv"}, name="api-round-csv"),
    path("players/<player_number:number>.json", player, name="api-player"),
    path("players/<player_number:number>/<int:year>.json", player, name="api-player-season"),
    path("announcements.json", announcements, name="api-announcements"),
    path("editions.json", in_force, name="api-editions"),
    path("<path:rest>", nothing, name="api-nothing"),
]
