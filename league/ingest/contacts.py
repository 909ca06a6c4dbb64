"""What is heard of venues beside their records: that they are there, and what time it is with them.

Gathered while a group of messages is taken, and written at its end: so many statements a group, however many venues.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any

from django.utils import timezone

from appliance.link import topics
from appliance.link.envelope import Hello, State
from league.fleet import standing
from league.ingest.models import Contact
from league.ingest.text import kept
from league.live import changes
from league.standings.models import RoundReport

WRITTEN_S = 10.0
"""So often at most it is written down that a venue was heard."""

EARLY_MS = 100
"""A venue's clock that is so much further on than was reckoned is believed: that message was on its way shorter."""

LATE_S = 1.5
"""One that is further back by no more than goes by in this time may only have been on its way longer."""

UNDER_WAY = ("open", "running", "paused")


class Contacts:
    """What a group of messages says of venues. ``now``: monotonic seconds."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._written: dict[str, float] = {}
        self._heard: dict[str, dict[str, Any]] = {}
        self._clocks: dict[str, tuple[datetime, State]] = {}
        self._states: dict[str, State] = {}

    def begin(self) -> None:
        """A group begins."""
        for gathered in (self._heard, self._clocks, self._states):
            gathered.clear()

    def forget(self) -> None:
        """What was gathered or written may not have been committed."""
        self.begin()
        self._written.clear()

    def heard(self, venue: str) -> None:
        """The venue's uplink said something just now."""
        if self._now() - self._written.get(venue, -WRITTEN_S) >= WRITTEN_S:
            self._heard.setdefault(venue, {})["seen_at"] = timezone.now()

    def hello(self, venue: str, hello: Hello, named: Mapping[str, int]) -> None:
        """It said hello, and how far its records go: numbers by ``<stream> <epoch>``."""
        heads = {place: named[place] for place in sorted(named) if topics.owned_by(venue, place.split()[0])}
        self._heard.setdefault(venue, {}).update(
            online=True, software=kept(hello.software, 200), heads=heads, seen_at=timezone.now()
        )

    def state(self, venue: str, state: State, retained: bool) -> None:
        """It said how it stands; or the broker says what it had kept, or that the venue is gone."""
        now = timezone.now()
        said: dict[str, Any] = {"online": state.online, "software": kept(state.software, 200)}
        self._states[venue] = state
        if state.online:
            said["again_s"] = state.again_s
            if not retained:
                said["seen_at"] = now
                if state.at is not None:
                    self._clocks[venue] = (now, state)
        self._heard.setdefault(venue, {}).update(said)

    def flush(self) -> None:
        """Write down what was gathered."""
        if not self._heard:
            return
        if self._states or self._clocks or any(said.keys() != {"seen_at"} for said in self._heard.values()):
            self._write_all()
        else:  # of those that are there nothing else is news
            rows = [Contact(venue_id=venue, online=True, **said) for venue, said in self._heard.items()]
            Contact.objects.bulk_create(
                rows, update_conflicts=True, unique_fields=["venue"], update_fields=["seen_at"]
            )  # fmt: skip
        standing.keep(self._states)
        now = self._now()
        self._written |= {venue: now for venue, said in self._heard.items() if "seen_at" in said}

    def _write_all(self) -> None:
        """Bring the rows up to all that was said, and count what of it the public sees."""
        before = Contact.objects.select_for_update().in_bulk(list(self._heard))
        rows, seen = [], []
        for venue, said in self._heard.items():
            row = before.get(venue) or Contact(venue_id=venue, online=True, seen_at=timezone.now())
            was = (row.online, row.clock_at) if venue in before else None
            for name, value in said.items():
                setattr(row, name, value)
            if venue in self._clocks:
                set_clock(row, *self._clocks[venue])
            rows.append(row)
            if was != (row.online, row.clock_at):
                seen.append(venue)
        names = [field.name for field in Contact._meta.fields if not field.primary_key]
        Contact.objects.bulk_create(rows, update_conflicts=True, unique_fields=["venue"], update_fields=names)
        _public_sees(seen)


def set_clock(contact: Contact, now: datetime, state: State) -> None:
    """Take over what time it is at a venue, unless it is as was reckoned."""
    assert state.at is not None
    reckoned = contact.venue_ms(now) if contact.pace == state.pace else None
    if reckoned is not None and -EARLY_MS < reckoned - state.at <= LATE_S * 1000 * state.pace:
        return
    contact.clock_at, contact.clock_ms, contact.pace = now, state.at, state.pace


def _public_sees(venues: Iterable[str]) -> None:
    """Have the boards of the venues' rounds drawn anew."""
    rounds = RoundReport.objects.filter(state__in=UNDER_WAY, round__venue__in=venues) if venues else ()
    for report in rounds:
        changes.bump(report.pk)
