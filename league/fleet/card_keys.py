"""Keys of cards on their way to a device of a venue: what the issuing desk sealed, in the league's stream.

The league opens none of them: it sees to it that they are signed by the desk, not at their end, and for a device that
belongs to a venue.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import datetime

import msgspec
from django.db import transaction

from appliance import record as rec
from appliance.cards import seal
from appliance.cards.seal import SealError
from appliance.game.codec import EventError
from appliance.game.fleet import CardKeysSent
from appliance.game.roster import decode_roster_event, encode_roster_event
from appliance.identity import public_key
from league.ingest.models import RawRecord
from league.ingest.outbox import Draft, Pen
from league.ingest.store import VenueStore
from league.people.models import CardKey
from league.rounds.models import Device, Venue

PART_BYTES = 40 * 1024
"""In base64, with what is around it, that is a record (`rec.MAX_RECORD_BYTES`)."""

_TYPE = "card-keys/1"


class NotSent(ValueError):
    """A file that no device would take; the text says why."""


def recipient(data: bytes, venue: str | None, now: datetime) -> Device:
    """The device that a file of sealed keys is for. Raises `NotSent`."""
    signed = CardKey.objects.first()
    if signed is None:
        raise NotSent("whose signature cards bear is not known yet: take in the desk's ledger first (cards)")
    try:
        name = seal.addressee(data)
        keys = seal.decode(data, name, public_key(signed.public_key))
    except SealError as error:
        raise NotSent(str(error)) from None
    if not keys or max(key.until for key in keys) <= now.timestamp() * 1000:
        raise NotSent("no key in it counts any longer: have the desk seal them anew")
    found = list(Device.objects.filter(name=name, revoked_at__isnull=True, **({"venue": venue} if venue else {})))
    if not found:
        raise NotSent(f"there is no device {name}{f' at {venue}' if venue else ''} that counts")
    if len(found) > 1:
        raise NotSent(f"{', '.join(map(str, found))}: say which, with --venue")
    return found[0]


def send(data: bytes, device: Device, pen: Pen) -> bool:
    """Write a file of sealed keys to the device's venue, in parts; False if its venue has it already."""
    file = hashlib.sha256(data).hexdigest()
    with transaction.atomic():
        Venue.objects.select_for_update(no_key=True).get(pk=device.venue_id)
        if _last(device) == file:
            return False
        pen.append(device.venue_id, list(_parts(data, device.name, file)))
    return True


def _parts(data: bytes, device: str, file: str) -> Iterator[Draft]:
    pieces = [data[at : at + PART_BYTES] for at in range(0, len(data), PART_BYTES)]
    for number, piece in enumerate(pieces, 1):
        event = CardKeysSent(device=device, sealed=piece, part=number, of=len(pieces), file=file)
        kind, raw = encode_roster_event(event)
        yield Draft(kind, msgspec.Raw(raw))


def _last(device: Device) -> str:
    """Which file the device was sent last, empty for none."""
    stream, last = f"league/{device.venue_id}", ""
    for epoch, upto in VenueStore(device.venue_id).history(stream):
        rows = RawRecord.objects.filter(stream=stream, epoch=epoch, seq__lte=upto, type=_TYPE).order_by("seq")
        for raw in rows.values_list("raw", flat=True).iterator():
            try:
                event = decode_roster_event(_TYPE, rec.decode(bytes(raw)).data)
            except EventError:
                continue
            if isinstance(event, CardKeysSent) and event.device == device.name:
                last = event.file
    return last
