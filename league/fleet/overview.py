"""How the venues stand, for the operator: when each was heard, what waits, what is wrong. Nothing is changed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from appliance import certificates
from appliance.certificates import CertificateError
from appliance.link.rights import UPLINK
from league.fleet.adopting import dropped_keys
from league.fleet.models import VenueStanding
from league.fleet.standing import Said, said_by
from league.ingest.fates import open_alerts
from league.ingest.models import Contact, Quarantine, StreamHead
from league.privacy.marks import fold
from league.rounds.models import Device, Round, Venue

SILENT = timedelta(days=1)
"""A venue that is not heard of for so long is looked for, when it plays soon."""

NEAR = timedelta(days=2)
"""So long before its round a venue should be heard of."""

_NO_END = datetime(9000, 1, 1, tzinfo=UTC)
"""What is later is said by RFC 5280 where there is no end; the last day of all is in no other zone."""


class VenueRow(NamedTuple):
    """A venue at a glance. ``backlog``: records that it said it has and the league has not. ``away_since``: when it was
    heard last, if it is away now: what it has written since nobody here knows. ``clock_ms``: how far its clock is
    ahead of the league's (``pace``: and how many times as fast it goes), None where it did not say.
    """

    venue: Venue
    contact: Contact | None
    backlog: int
    alerts: int
    quarantine: int
    ailing: int
    away_since: datetime | None = None
    clock_ms: int | None = None
    pace: int = 1


class DeviceRow(NamedTuple):
    """A device as the league knows it, as it said itself, or both. ``state`` is a code of the page."""

    name: str
    device: Device | None
    said: Said | None
    state: str
    certified_until: datetime | None
    taken: bool


def silent(now: datetime) -> QuerySet[Venue]:
    """Venues with a round near that were not heard of for a day, or never."""
    near = Q(starts_at__range=(now - SILENT, now + NEAR), told_starts_at=None) | Q(
        told_starts_at__range=(now - SILENT, now + NEAR)
    )
    playing = Round.objects.filter(near, cancelled_at=None, promised__isnull=False)
    return Venue.objects.filter(pk__in=playing.values("venue")).exclude(contact__seen_at__gte=now - SILENT)


def called(asked: str) -> list[str]:
    """The codes of the venues with every word that is asked for in name, town or code, accents and cases aside."""
    words = [fold(word) for word in asked.split()]
    rows = ((row[0], [fold(text) for text in row]) for row in Venue.objects.values_list("pk", "name", "town"))
    return [pk for pk, texts in rows if all(word and any(word in text for text in texts) for word in words)]


def troubled() -> QuerySet[Venue]:
    """Venues with something to look at: an alert, a record put aside, a device that ails."""
    return Venue.objects.filter(
        Q(pk__in=open_alerts().values("venue"))
        | Q(pk__in=StreamHead.objects.filter(Exists(_aside())).values("venue"))
        | Q(standing__ailing__gt=0)
    )


def rows(venues: Iterable[Venue], now: datetime) -> list[VenueRow]:
    """The venues of a page, in a few questions for all of them together."""
    venues = list(venues)
    names = [venue.pk for venue in venues]
    contacts = {contact.venue_id: contact for contact in Contact.objects.filter(venue__in=names)}
    stored: defaultdict[str, dict[str, int]] = defaultdict(dict)
    writer: dict[tuple[str, str], str] = {}
    heads = StreamHead.objects.filter(venue__in=names).values_list("venue", "stream", "epoch", "seq")
    for venue, stream, epoch, seq in heads:
        stored[venue][f"{stream} {epoch}"] = seq
        writer[stream, epoch] = venue
    aside: Counter[str] = Counter()
    theirs = StreamHead.objects.filter(venue__in=names, stream=OuterRef("stream"), epoch=OuterRef("epoch"))
    put_aside = Quarantine.objects.filter(Exists(theirs)).order_by().values_list("stream", "epoch")
    for stream, epoch, count in put_aside.annotate(Count("pk")):
        aside[writer.get((stream, epoch), "")] += count
    alerts = open_alerts().filter(venue__in=names).order_by().values_list("venue").annotate(Count("pk"))
    alerts_of = dict(alerts)
    ailing = dict(VenueStanding.objects.filter(venue__in=names).values_list("venue", "ailing"))
    return [
        VenueRow(
            venue, contacts.get(venue.pk), _backlog(contacts.get(venue.pk), stored[venue.pk]),
            alerts_of.get(venue.pk, 0), aside[venue.pk], ailing.get(venue.pk, 0),
            *_touch(contacts.get(venue.pk), now),
        )
        for venue in venues
    ]  # fmt: skip


def _touch(contact: Contact | None, now: datetime) -> tuple[datetime | None, int | None, int]:
    if contact is None:
        return None, None, 1
    there = contact.venue_ms(now)
    clock_ms = None if there is None else there - round(now.timestamp() * 1000)
    return contact.away_since(now), clock_ms, contact.pace


def devices(venue: str, now: datetime) -> list[DeviceRow]:
    """The venue's devices: those that the league knows, then those that only said something."""
    said = said_by(VenueStanding.objects.filter(venue=venue).first())
    own = list(Device.objects.filter(venue=venue))
    link = next((device.name for device in own if device.role == UPLINK and device.revoked_at is None), UPLINK)
    if (contact := Contact.objects.filter(venue=venue).first()) is not None:
        said.setdefault(link, _uplink(link, contact, now))
    dropped = dropped_keys(venue)
    known = [
        DeviceRow(
            device.name, device, said.get(device.name), _state(device, device.public_key in dropped),
            _certified_until(device.certificate), device.accepted_until is not None and device.accepted_until > now,
        )
        for device in own
    ]  # fmt: skip
    names = {row.name for row in known}
    others = sorted(said.keys() - names)
    return known + [
        DeviceRow(name, None, said[name], UPLINK if name == link else "stranger", None, False) for name in others
    ]


def _uplink(name: str, contact: Contact, now: datetime) -> Said:
    """The uplink among the devices: it tells of the others, and of itself by being there."""
    online = contact.away_since(now) is None
    return Said(name, None, online, UPLINK, contact.software, None, (), "", None)


def _aside() -> QuerySet[Quarantine]:
    return Quarantine.objects.filter(stream=OuterRef("stream"), epoch=OuterRef("epoch"))


def _backlog(contact: Contact | None, stored: dict[str, int]) -> int:
    named = contact.heads if contact else {}
    return sum(max(0, int(seq) - stored.get(place, 0)) for place, seq in named.items())


def _state(device: Device, dropped: bool) -> str:
    if device.revoked_at is not None:
        return "revoked"
    if dropped:
        return "dropped"
    if device.adopted_by:
        return "adopted"
    return "enrolled" if device.certificate else "key"


def _certified_until(certificate: str) -> datetime | None:
    """When a certificate ends, None where it does not, as those of the league, or is none."""
    try:
        until = certificates.from_text(certificate).not_valid_after_utc if certificate else None
    except CertificateError:
        return None
    return until if until is not None and until < _NO_END else None
