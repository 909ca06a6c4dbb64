"""The public pages of the rules, the game plan and the price list, each in every version that was published."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone

from league.notices import editions
from league.notices.models import Announcement, Edition
from league.site.caching import public


@public
def edition(request: HttpRequest, kind: str, number: int | None = None) -> HttpResponse:
    """The edition in force, or the one with this number."""
    published = editions.published(kind).order_by("-number")
    if number is None:
        shown = editions.in_force(kind)
    else:
        shown = get_object_or_404(published, number=number) if number <= 32_767 else None
        if shown is None:
            raise Http404
    context = {
        "kind": kind,
        "label": Edition.Kind(kind).label,
        "edition": shown,
        "stands": editions.in_force(kind),
        "coming": editions.upcoming(kind),
        "versions": published,
    }
    return render(request, "notices/edition.html", context)


def standing_announcements() -> list[Announcement]:
    """What is announced on the league's pages now, the latest first."""
    now = timezone.now()
    found = Announcement.objects.filter(on_site=True, withdrawn_at=None, since__lte=now)
    return [row for row in found.order_by("-since", "-pk") if row.stands(now)]
