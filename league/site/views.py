"""The public pages: drawn on the server, readable without a script."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string

from league.notices.pages import standing_announcements
from league.rounds.models import Season
from league.site import boards, pages, paging, searching
from league.site.caching import public
from league.site.venues import known_venues

LINES_A_PAGE = 200
ROUNDS_A_PAGE = 50


@public
def home(request: HttpRequest) -> HttpResponse:
    """The calendar of rounds, of a venue or a month if that is asked for; those that are over a page at a time."""
    season, chosen = pages.current_season(), paging.chosen(request)
    table, top = (season and not chosen.query and pages.leaders(season)) or (None, [])
    page = paging.page_number(request)
    past = Paginator(pages.past_rounds(only=chosen.only), ROUNDS_A_PAGE)
    if page > past.num_pages:
        raise Http404
    played = past.page(page)
    context = {
        "calendar": pages.calendar(only=chosen.only),
        "page": played,
        "played": [pages.line_of(round) for round in played],
        "season": season,
        "table": table,
        "top": top,
        "announcements": standing_announcements(),
        "chosen": chosen,
        "venues": known_venues(),
        "months": paging.months(),
    }
    if not chosen.query and page == 1:
        context |= boards.watching("calendar")
    return render(request, "site/home.html", context)


@public
def round_page(request: HttpRequest, round_id: str) -> HttpResponse:
    """One round: what was announced, how it goes, who finished where."""
    round = get_object_or_404(pages.public_rounds(), pk=round_id)
    context = boards.round_board(round) | {"announcement": round.terms}
    if context["line"].goes_on:
        context |= boards.watching(f"rounds/{round.pk}")
    return render(request, "site/round.html", context)


@public
def standings(request: HttpRequest, year: int | None = None) -> HttpResponse:
    """The standings of a season, the current one without a year; with ``q`` the lines that fit a number or a name."""
    season = pages.current_season() if year is None else get_object_or_404(Season, year=year)
    if season is None:
        return render(request, "site/standings.html", {"season": None})
    page = paging.page_number(request)
    table, lines = pages.named_standings(season, (page - 1) * LINES_A_PAGE, LINES_A_PAGE)
    paginator = Paginator(range(table.total), LINES_A_PAGE)
    if page > paginator.num_pages:
        raise Http404
    asked = request.GET.get("q", "").strip()
    found = searching.find(season, asked) if asked else None
    context = {
        "season": season,
        "seasons": Season.objects.all(),
        "table": table,
        "lines": lines,
        "page": paginator.page(page),
        "winners": pages.winners(season),
        "playing": pages.being_played(season) if table.provisional else [],
        "asked": asked[: searching.LONGEST],
        "found": found,
        "hits": [line | {"page": line["before"] // LINES_A_PAGE + 1} for line in found.lines] if found else [],
    }
    return render(request, "site/standings.html", context)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """There is no such page."""
    return render(request, "site/404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Something broke: a page that itself needs nothing that could be broken."""
    return HttpResponse(render_to_string("site/500.html"), status=500)
