"""What an address may say of a page: its number, and the venue and month of a calendar. Anything else is a 404."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Q
from django.http import Http404, HttpRequest
from django.utils import timezone

from league.rounds.models import Season, Venue


def page_number(request: HttpRequest, name: str = "page") -> int:
    """The number of the page that is asked for, the first without one."""
    text = request.GET.get(name, "1") or "1"
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:9]) <= 10**6:
        raise Http404
    return int(text[:9])


class Chosen(NamedTuple):
    """Of which venue and month a calendar is wanted; None: of all."""

    venue: Venue | None
    month: datetime | None

    @property
    def only(self) -> Q:
        """For rounds that have ``shown_at``."""
        found = Q() if self.venue is None else Q(venue=self.venue)
        if self.month is not None:
            after = timezone.make_aware((self.month.replace(tzinfo=None) + timedelta(days=32)).replace(day=1))
            found &= Q(shown_at__gte=self.month, shown_at__lt=after)
        return found

    @property
    def month_text(self) -> str:
        """As an address has it: ``2027-03``."""
        return f"{self.month:%Y-%m}" if self.month else ""

    @property
    def query(self) -> str:
        """To be put behind ``?page=2``."""
        venue = f"&venue={self.venue.pk}" if self.venue else ""
        return venue + (f"&month={self.month_text}" if self.month else "")


def chosen(request: HttpRequest) -> Chosen:
    """What ``?venue=zabreh&month=2027-03`` asks for."""
    code, text = request.GET.get("venue", ""), request.GET.get("month", "")
    venue = Venue.objects.filter(pk=code[:32]).first() if code else None
    if (code and venue is None) or (text and not re.fullmatch(r"20[0-9]{2}-(0[1-9]|1[0-2])", text, re.A)):
        raise Http404
    month = timezone.make_aware(datetime.strptime(text, "%Y-%m")) if text else None  # noqa: DTZ007 (made aware)
    return Chosen(venue, month)


def months() -> list[tuple[int, list[datetime]]]:
    """The months of the years in which seasons are played, the latest year first."""
    years = {year for season in Season.objects.all() for year in (season.year, season.last_day.year)}
    here = timezone.get_current_timezone()
    return [(year, [datetime(year, month, 1, tzinfo=here) for month in range(1, 13)]) for year in sorted(years)[::-1]]
