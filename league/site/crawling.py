"""What search engines are told: where they may look, and which pages there are. Players' pages are none of theirs."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import escape
from django.utils.translation import override

from league.rounds.models import Season
from league.site import pages
from league.site.address import site_of
from league.site.caching import public
from league.site.venues import known_venues

MOST = 5000
CLOSED = ("/office/", "/account/", "/admin/", "/me/", "/live/", "/enrol", "/en/office/", "/en/account/", "/en/admin/",
          "/en/me/")  # fmt: skip


@public
def robots(request: HttpRequest) -> HttpResponse:
    """``robots.txt``."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in CLOSED), f"Sitemap: {site_of(request)}/sitemap.xml"]
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")


@public
def sitemap(request: HttpRequest) -> HttpResponse:
    """``sitemap.xml``: each page in both languages, the latest rounds and as many as may stand there."""
    found = "".join(f"<url><loc>{escape(address)}</loc></url>\n" for address in _all(request))
    body = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    return HttpResponse(f"{body}{found}</urlset>\n", content_type="application/xml; charset=utf-8")


def _all(request: HttpRequest) -> Iterator[str]:
    site = site_of(request)
    years = list(Season.objects.values_list("year", flat=True))
    venues = list(known_venues().values_list("pk", flat=True)[:MOST])
    rounds = list(pages.public_rounds().order_by("-starts_at").values_list("pk", flat=True)[:MOST])
    for language in ("cs", "en"):
        with override(language):
            for name in (
                "site:home",
                "site:standings",
                "site:venues",
                "notices:rules",
                "notices:plan",
                "notices:prices",
            ):
                yield site + reverse(name)
            for year in years:
                yield site + reverse("site:season", args=[year])
                yield site + reverse("site:records", args=[year])
            for venue in venues:
                yield site + reverse("site:venue", args=[venue])
            for round in rounds:
                yield site + reverse("site:round", args=[round])
