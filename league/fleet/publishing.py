"""Tells each venue which devices are its own, and which no longer are: only differences are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple, cast

import msgspec
from django.db import transaction
from msgspec.structs import replace

from appliance import certificates
from appliance import record as rec
from appliance.certificates import CertificateError
from appliance.game.codec import EventError
from appliance.game.fleet import MOST_SIGNED, DeviceKnown, DeviceRole, SignedHead
from appliance.game.roster import Roster, decode_roster_event, encode_roster_event, fold_roster
from appliance.identity import public_key
from appliance.record import Head
from league.fleet.models import FormerKey
from league.ingest.models import RawRecord, StreamHead
from league.ingest.outbox import Draft, Pen
from league.ingest.store import VenueStore
from league.rounds.models import Device, Venue

LOOK_S = 2.0
"""How often the devices are looked at: enrolled, edited and revoked they are in other processes."""

AT_ONCE = 20
"""So many venues are told in one look: there may be hundreds after a start, and records wait meanwhile."""

MOST_TABLE = 99
_TYPE = "device/1"


class Fleet(NamedTuple):
    """A venue's devices by name, and by key those that count no more."""

    known: dict[str, DeviceKnown]
    out: dict[str, DeviceKnown]


def fleets() -> dict[str, Fleet]:
    """How each venue's devices stand in the league's records."""
    found: dict[str, Fleet] = {}
    for device in Device.objects.order_by("name"):
        fleet = found.setdefault(device.venue_id, Fleet({}, {}))
        if device.revoked_at is None:
            fleet.known[device.name] = _known(device)
        else:
            fleet.out[device.public_key] = replace(_known(device), certificate="", revoked=True)
    for former in FormerKey.objects.order_by("pk"):
        gone = DeviceKnown(
            device=former.device, key=former.public_key, role=cast(DeviceRole, former.role), revoked=True
        )
        found.setdefault(former.venue_id, Fleet({}, {})).out[former.public_key] = gone
    return found


def publish_devices(venue: str, pen: Pen) -> int:
    """Bring what a venue knows of its devices to the league's records; how many events that took.

    Raises `Venue.DoesNotExist`.
    """
    with transaction.atomic():
        Venue.objects.select_for_update(no_key=True).get(pk=venue)
        events = differences(told(venue), fleets().get(venue, Fleet({}, {})), lambda known: signed_by(venue, known))
        pen.append(venue, [Draft(kind, msgspec.Raw(data)) for kind, data in map(encode_roster_event, events)])
    return len(events)


def vouch(device: Device, pen: Pen) -> bool:
    """Tell the venue again how far a revoked device had signed, if the league has more of it by now."""
    with transaction.atomic():
        Venue.objects.select_for_update(no_key=True).get(pk=device.venue_id)
        said = told(device.venue_id).signed
        event = replace(_known(device), certificate="", revoked=True)
        event = replace(event, signed=signed_by(device.venue_id, event))
        before = {of: signed.seq for of, signed in said.items()}
        if all(before.get((head.stream, head.epoch)) == head.seq for head in event.signed):
            return False
        kind, data = encode_roster_event(event)
        pen.append(device.venue_id, [Draft(kind, msgspec.Raw(data))])
    return True


def told(venue: str) -> Roster:
    """What the league's stream has told a venue of its devices, and nothing else."""
    stream, roster = f"league/{venue}", Roster()
    for epoch, upto in VenueStore(venue).history(stream):
        rows = RawRecord.objects.filter(stream=stream, epoch=epoch, seq__lte=upto, type=_TYPE).order_by("seq")
        for raw in rows.values_list("raw", flat=True).iterator():
            try:
                roster = fold_roster(roster, decode_roster_event(_TYPE, rec.decode(bytes(raw)).data))
            except EventError:
                continue  # an older version wrote it; whatever it said is said anew
    return roster


def signed_by(venue: str, device: DeviceKnown) -> tuple[SignedHead, ...]:
    """What the league has stored of this device's epochs, under the key that it had: the newest ones, for a record."""
    found: list[SignedHead] = []
    public = public_key(device.key)
    for row in StreamHead.objects.filter(venue=venue).exclude(stream=f"league/{venue}").order_by("-pk"):
        head = Head(row.stream, row.epoch, row.seq, row.hash)
        record = RawRecord.objects.filter(stream=row.stream, epoch=row.epoch, seq=row.seq).first()
        if record is not None and record.signature and rec.verify(public, head, bytes(record.signature)):
            found.append(SignedHead(*head))
    return tuple(found[:MOST_SIGNED])


def differences(
    said: Roster, fleet: Fleet, signed: Callable[[DeviceKnown], tuple[SignedHead, ...]] = lambda known: ()
) -> list[DeviceKnown]:
    """The events that lead from what was said to how it is: revocations first, as they take the name with them.

    Whom the records do not hold any more, and whose key was exchanged by hand, is revoked, too. ``signed``: what the
    venue may go on to take of what such a device signed.
    """
    kept = {known.key for known in fleet.known.values()}
    gone = [replace(known, certificate="", revoked=True) for known in said.devices.values() if known.key not in kept]
    out: Mapping[str, DeviceKnown] = {known.key: known for known in gone} | fleet.out
    revoked = [replace(known, signed=signed(known)) for key, known in out.items() if key not in said.revoked_keys]
    for event in revoked:
        said = fold_roster(said, event)
    changed = [
        known
        for name, known in fleet.known.items()
        if said.devices.get(name) != known and known.key not in said.revoked_keys
    ]
    return [*revoked, *changed]


class FleetTeller:
    """Keeps every venue's devices up with the records. Two of them in two processes are safe, as two pens are."""

    def __init__(self, pen: Pen) -> None:
        self._pen = pen
        self._told: dict[str, Fleet] = {}
        self._look_at: float | None = None

    def turn(self, now: float) -> list[str]:
        """Tell the venues what is different, if it is time to look (monotonic seconds); which venues were told."""
        if self._look_at is not None and now < self._look_at:
            return []
        self._look_at = now + LOOK_S
        stands = fleets()
        for venue in self._told.keys() - stands.keys():
            stands[venue] = Fleet({}, {})
        changed = [venue for venue, fleet in sorted(stands.items()) if self._told.get(venue) != fleet][:AT_ONCE]
        told_now = [venue for venue in changed if self._tell(venue)]
        self._told |= {venue: stands[venue] for venue in changed}
        return told_now

    def _tell(self, venue: str) -> bool:
        try:
            return publish_devices(venue, self._pen) > 0
        except Venue.DoesNotExist:
            return False


def _known(device: Device) -> DeviceKnown:
    table = device.table if device.table is not None and device.table <= MOST_TABLE else None
    return DeviceKnown(
        device=device.name, key=device.public_key, role=cast(DeviceRole, device.role), table=table,
        opening=device.opening_key, certificate=_own(device.certificate),
    )  # fmt: skip


@lru_cache(maxsize=4096)
def _own(certificate: str) -> str:
    """A certificate that only its device stands for: of the league's own the venue needs no copy."""
    try:
        return certificate if certificate and certificates.is_self_signed(certificates.from_text(certificate)) else ""
    except CertificateError:
        return ""
