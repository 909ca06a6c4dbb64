"""The public pages: drawn on the server, readable without a script."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string

from league.notices.pages import standing_announcements
from league.rounds.models import Season
from league.site import pages

LINES_A_PAGE = 200
ROUNDS_A_PAGE = 50


def home(request: HttpRequest) -> HttpResponse:
    """The calendar of rounds; those that are over a page at a time."""
    season = pages.current_season()
    table, top = (season and pages.leaders(season)) or (None, [])
    page = _page_number(request)
    past = Paginator(pages.past_rounds(), ROUNDS_A_PAGE)
    if page > past.num_pages:
        raise Http404
    played = past.page(page)
    context = {
        "calendar": pages.calendar(),
        "page": played,
        "played": [pages.line_of(round) for round in played],
        "season": season,
        "table": table,
        "top": top,
        "announcements": standing_announcements(),
    }
    return render(request, "site/home.html", context)


def round_page(request: HttpRequest, round_id: str) -> HttpResponse:
    """One round: what was announced, how it goes, who finished where."""
    round = get_object_or_404(pages.public_rounds(), pk=round_id)
    context = {
        "line": pages.line_of(round),
        "results": pages.results(round),
        "structure": pages.structure(round),
        "announcement": round.terms,
        "substitutes": round.substitutes.filter(cancelled_at=None).select_related("venue"),
    }
    return render(request, "site/round.html", context)


def standings(request: HttpRequest, year: int | None = None) -> HttpResponse:
    """The standings of a season, the current one without a year."""
    season = pages.current_season() if year is None else get_object_or_404(Season, year=year)
    if season is None:
        return render(request, "site/standings.html", {"season": None})
    page = _page_number(request)
    table, lines = pages.named_standings(season, (page - 1) * LINES_A_PAGE, LINES_A_PAGE)
    paginator = Paginator(range(table.total), LINES_A_PAGE)
    if page > paginator.num_pages:
        raise Http404
    context = {
        "season": season,
        "seasons": Season.objects.all(),
        "table": table,
        "lines": lines,
        "page": paginator.page(page),
        "winners": pages.winners(season),
    }
    return render(request, "site/standings.html", context)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """There is no such page."""
    return render(request, "site/404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Something broke: a page that itself needs nothing that could be broken."""
    return HttpResponse(render_to_string("site/500.html"), status=500)


def _page_number(request: HttpRequest) -> int:
    text = request.GET.get("page", "1")
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:9]) <= 10**6:
        raise Http404
    return int(text[:9])
