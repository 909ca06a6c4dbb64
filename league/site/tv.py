"""Pages for a television in the room: all that is played now, or one round. They are looked at, nobody touches them."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from league.site import boards, pages
from league.site.caching import public


@public
def screens(request: HttpRequest) -> HttpResponse:
    """What is played now, side by side; while nothing is, what comes and who leads."""
    context = boards.screens_board() | boards.watching("tv")
    return render(request, "site/tv.html", context | {"shown": "site/_screens.html"})


@public
def screen(request: HttpRequest, round_id: str) -> HttpResponse:
    """One round, as large as the screen."""
    round = get_object_or_404(pages.public_rounds(), pk=round_id)
    context = boards.round_board(round) | boards.watching(f"tv/{round.pk}")
    return render(request, "site/tv.html", context | {"shown": "site/_screen.html"})
