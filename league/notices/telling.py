"""Tells every venue what the league publishes: announcements, and editions in force and to come (LG-9, LG-12).

Each is told whole, with what is still to come, and written only where it differs from what was told last.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time
from typing import cast

import msgspec
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from appliance.game.league_event import RosterEvent
from appliance.game.publications import MOST_EDITIONS, MOST_WORDS, Announcements, EditionKind, Editions, PriceLine, Word
from appliance.game.publications import Edition as Told
from appliance.game.roster import encode_roster_event
from league.ingest.lasttold import last_of
from league.ingest.outbox import Draft, Pen
from league.notices.editions import in_force, upcoming
from league.notices.models import Announcement, Edition
from league.rounds.models import Venue

LOOK_S = 2.0
"""How often it is looked at what is published: it is written in other processes."""

AT_ONCE = 20
"""So many venues are told in one look: there may be hundreds, and records wait meanwhile."""

_AHEAD = 1
"""So many editions to come of each kind are told, the next ones."""

_MOST_BYTES = 56 * 1024
"""More does not fit into a record."""


def announced(now: datetime | None = None) -> list[tuple[Announcement, frozenset[str] | None]]:
    """What the league announces now or later, the latest first, each with its venues; None: all of them."""
    found = Announcement.objects.filter(
        Q(until__isnull=True) | Q(until__gt=now or timezone.now()), withdrawn_at__isnull=True
    )
    return [
        (row, None if row.everywhere else frozenset(venue.pk for venue in row.venues.all()))
        for row in found.order_by("-since", "-pk").prefetch_related("venues")
    ]


def announcements_for(venue: str, rows: Sequence[tuple[Announcement, frozenset[str] | None]]) -> Announcements:
    """What of it is announced at a venue."""
    here = [row for row, venues in rows if venues is None or venue in venues]
    words = [
        Word(
            since=_ms(row.since), until=_ms(row.until) if row.until else None, title_cs=row.title_cs,
            title_en=row.title_en, text_cs=row.text_cs, text_en=row.text_en,
        )
        for row in here[:MOST_WORDS]
    ]  # fmt: skip
    while words and _too_long(Announcements(words=tuple(words))):
        words.pop()
    return Announcements(words=tuple(words))


def editions_now(day: date | None = None) -> Editions:
    """The editions that are in force and the next ones, as every venue is told them."""
    stands = [edition for kind in Edition.Kind.values if (edition := in_force(kind, day)) is not None]
    next_ones = [edition for kind in Edition.Kind.values for edition in upcoming(kind, day)[:_AHEAD]]
    told = [_told(edition) for edition in [*stands, *next_ones]][:MOST_EDITIONS]
    while told and _too_long(Editions(editions=tuple(told))):
        told.pop()
    return Editions(editions=tuple(told))


def publish_to(venue: str, pen: Pen, events: Sequence[Announcements | Editions]) -> int:
    """Write to a venue's stream what it has not been told; how many events that took. Raises `Venue.DoesNotExist`."""
    with transaction.atomic():
        Venue.objects.select_for_update(no_key=True).get(pk=venue)
        fresh: list[RosterEvent] = []
        for event in events:
            name, _ = encode_roster_event(event)
            if (last_of(venue, name, type(event)) or type(event)()) != event:
                fresh.append(event)
        if fresh:
            pen.append(venue, [Draft(kind, msgspec.Raw(data)) for kind, data in map(encode_roster_event, fresh)])
    return len(fresh)


class PublicationTeller:
    """Keeps every venue up with what is published. Two of them in two processes are safe, as two pens are."""

    def __init__(self, pen: Pen) -> None:
        self._pen = pen
        self._told: dict[str, tuple[Announcements, Editions]] = {}
        self._look_at: float | None = None

    def turn(self, now: float) -> list[str]:
        """Tell the venues what is different, if it is time to look (monotonic seconds); which venues were told."""
        if self._look_at is not None and now < self._look_at:
            return []
        self._look_at = now + LOOK_S
        editions, rows = editions_now(), announced()
        stands = {
            venue: (announcements_for(venue, rows), editions)
            for venue in Venue.objects.order_by("pk").values_list("pk", flat=True)
        }
        changed = [venue for venue, events in stands.items() if self._told.get(venue) != events][:AT_ONCE]
        told = [venue for venue in changed if self._tell(venue, stands[venue])]
        self._told |= {venue: stands[venue] for venue in changed}
        return told

    def _tell(self, venue: str, events: tuple[Announcements, Editions]) -> bool:
        try:
            return publish_to(venue, self._pen, events) > 0
        except Venue.DoesNotExist:
            return False


def _told(edition: Edition) -> Told:
    return Told(
        kind=cast(EditionKind, edition.kind),
        version=edition.number or 1,
        since=_ms(timezone.make_aware(datetime.combine(edition.effective_on, time.min))),
        hash=edition.hash,
        cs=edition.brief_cs,
        en=edition.brief_en,
        prices=tuple(PriceLine(crowns=line.crowns, cs=line.cs, en=line.en) for line in edition.prices),
    )


def _ms(at: datetime) -> int:
    return int(at.timestamp() * 1000)


def _too_long(event: RosterEvent) -> bool:
    return len(encode_roster_event(event)[1]) > _MOST_BYTES
