"""The calendar of rounds for calendar programs (iCalendar, RFC 5545): all rounds, or those of one venue.

A round keeps its ``UID`` for good. When it is moved or cancelled (LG-2), ``SEQUENCE`` grows with the time of that, so
that programs take the new date over, and ``STATUS`` says whether it is played. Times are the league's own, with the
rule of daylight saving time. Whole evenings are guessed by the structure; where it is known on which day alone an old
round was played, it takes the day.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from functools import cache
from itertools import chain
from urllib.parse import urlsplit
from uuid import NAMESPACE_URL, uuid5

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from icalendar import Calendar, Event, Timezone, TimezoneDaylight, TimezoneStandard, vUri
from icalendar.enums import STATUS

from appliance.plaintext import plain
from league.site import pages
from league.site.address import site_of
from league.site.caching import public
from league.site.venues import known_venues

MOST_COMING = 400
MOST_PAST = 100
PAST = timedelta(days=92)
"""Rounds that are over stay so long, so that what was cancelled goes from calendars that look seldom."""

LONGEST = timedelta(hours=6)
ASK_AGAIN = timedelta(hours=1)
"""So often a calendar program is to look for changes."""

_SINCE = datetime(2020, 1, 1, tzinfo=UTC)
_LARGEST = 2**31 - 1
"""No integer of a calendar is larger (RFC 5545); a venue's clock may be off by centuries."""


@public
def feed(request: HttpRequest, venue_id: str | None = None) -> HttpResponse:
    """The rounds to come, soonest first, and those of the last months."""
    venue = None if venue_id is None else get_object_or_404(known_venues(), pk=venue_id)
    now, only = timezone.now(), Q() if venue is None else Q(venue=venue)
    shown = pages.calendar(now, only & Q(shown_at__gte=now - PAST), MOST_COMING)
    over = pages.past_rounds(now, only & Q(shown_at__gte=now - PAST))[:MOST_PAST]
    name = _("Poker league") if venue is None else f"{_('Poker league')}: {plain(str(venue))}"
    lines = chain(shown.under_way, shown.coming, map(pages.line_of, over))
    page = reverse("site:home") if venue is None else reverse("site:venue", args=[venue.pk])
    body = written(name, lines, site_of(request), request.path, page)
    answer = HttpResponse(body, content_type="text/calendar; charset=utf-8")
    answer["Content-Disposition"] = f'inline; filename="{venue_id or "calendar"}.ics"'
    answer["Access-Control-Allow-Origin"] = "*"
    return answer


def written(name: str, lines: Iterable[pages.RoundLine], site: str, path: str, page: str) -> bytes:
    """The file; ``site``: where the pages are, ``path``: where on it this file is, ``page``: where people read it.

    Asked again it is the same to the letter while nothing has changed, its own ``UID`` too (RFC 7986).
    """
    source = site + path
    calendar = Calendar.new(
        name=name, prodid="-//Tableside//League//EN", uid=uuid5(NAMESPACE_URL, source), url=site + page
    )
    # the library's own way leaves out the kinds of value that RFC 7986 has these tell
    calendar.add("SOURCE", vUri(source), parameters={"VALUE": "URI"})
    calendar.add("REFRESH-INTERVAL", ASK_AGAIN, parameters={"VALUE": "DURATION"})
    calendar.add("X-WR-TIMEZONE", timezone.get_default_timezone_name())
    calendar.add_component(_zone())
    for line in lines:
        calendar.add_component(event(line, site))
    return bytes(calendar.to_ical())


def event(line: pages.RoundLine, site: str) -> Event:
    """A round."""
    cancelled = line.state == "cancelled"
    starts_at = timezone.localtime(line.starts_at)
    start: date | datetime = starts_at if line.has_time else starts_at.date()
    until = starts_at + length(line) if line.has_time else starts_at.date() + timedelta(days=1)
    changed = changed_at(line)
    with_state = f"{line.round} – {line.label}" if cancelled or line.state == "moved" else str(line.round)
    sequence = int((changed - _SINCE).total_seconds()) if changed else 0
    return Event.new(
        uid=f"{line.round.pk}@{urlsplit(site).hostname or 'league'}",
        summary=plain(with_state),
        start=start,
        end=until,
        location=plain(str(line.round.venue)),
        status=STATUS.CANCELLED if cancelled else STATUS.CONFIRMED,
        sequence=min(max(sequence, 0), _LARGEST),
        stamp=changed or line.round.offered_at or _SINCE,
        url=site + reverse("site:round", args=[line.round.pk]),
        description="\n".join(map(plain, line.reason.splitlines())) or None,
    )


def changed_at(line: pages.RoundLine) -> datetime | None:
    """When league or venue moved or cancelled it last, as far as is known; None: it stands as it was announced.

    A venue's word is as old as the last of the round's records: later it may grow, but never shrinks.
    """
    round, report = line.round, line.report
    times = [time for time in (round.moved_at, round.cancelled_at) if time is not None]
    by_venue = round.told_starts_at is not None or round.heard_cancelled or line.moved_from is not None
    if report is not None and (by_venue or report.state in ("moved", "cancelled")):
        times.append(report.at)
    return max(times, default=None)


def length(line: pages.RoundLine) -> timedelta:
    """How long it takes, by its levels and breaks, but not the whole night."""
    minutes = sum(entry["minutes"] for entry in pages.structure(line.round))
    return min(timedelta(minutes=minutes), LONGEST) or LONGEST


@cache
def _zone() -> Timezone:
    """The league's zone with its rules, for programs that know none: those of the European Union since 1996."""
    zone = Timezone()
    zone.add("TZID", timezone.get_default_timezone_name())
    for kind, name, begins, before, after in (
        (TimezoneDaylight, "CEST", datetime(1996, 3, 31, 2), timedelta(hours=1), timedelta(hours=2)),  # noqa: DTZ001
        (TimezoneStandard, "CET", datetime(1996, 10, 27, 3), timedelta(hours=2), timedelta(hours=1)),  # noqa: DTZ001
    ):
        half = kind()
        half.add("DTSTART", begins)  # by the clocks of the half year before
        half.add("RRULE", {"FREQ": "YEARLY", "BYMONTH": begins.month, "BYDAY": "-1SU"})
        half.add("TZNAME", name)
        half.add("TZOFFSETFROM", before)
        half.add("TZOFFSETTO", after)
        zone.add_component(half)
    return zone
