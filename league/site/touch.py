"""How a round's venue is in touch with the league, and what time it is there: its clock may be off, or run fast."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.utils import timezone

from league.ingest.models import Contact

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MS = timedelta(milliseconds=1)


class Touch(NamedTuple):
    """``as_of``: when the venue was heard last, if it is away now. At ``at`` (UTC ms of the league's clock) its own
    stood at ``ms``, and goes ``pace`` times as fast; without a word of that it is taken for right.
    """

    as_of: datetime | None = None
    at: int = 0
    ms: int = 0
    pace: int = 1

    @property
    def by(self) -> dict[str, int]:
        """How to reckon the venue's time, for the page's script."""
        return {"at": self.at, "ms": self.ms, "pace": self.pace}

    def venue_ms(self, now_ms: int) -> int:
        """What the venue's clock shows when the league's shows that."""
        return self.ms + (now_ms - self.at) * self.pace

    def league_time(self, venue_ms: int) -> datetime:
        """When it is that by the venue's clock."""
        return _EPOCH + timedelta(milliseconds=self.at + (venue_ms - self.ms) // self.pace)


NOTHING_KNOWN = Touch()


def touches(venues: Iterable[str]) -> dict[str, Touch]:
    """The venues of which anything was ever heard, asked for together."""
    now = timezone.now()
    rows = Contact.objects.filter(venue__in=set(venues)).defer("heads", "software")
    return {row.venue_id: _touch(row, now) for row in rows}


def _touch(row: Contact, now: datetime) -> Touch:
    away = row.away_since(now)
    if row.clock_at is None or row.clock_ms is None:
        return Touch(away)
    return Touch(away, (row.clock_at - _EPOCH) // _MS, row.clock_ms, row.pace)
