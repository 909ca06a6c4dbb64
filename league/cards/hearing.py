"""Reads in venues' streams which cards their kiosks refused, each record once."""

from __future__ import annotations

import msgspec
from django.db import transaction

from appliance import record as rec
from league.cards.models import Heard, RefusedCard
from league.ingest.models import RawRecord, StreamHead
from league.ingest.store import VenueStore
from league.ingest.text import kept
from league.rounds.models import Venue
from league.standings.beside import moment

_TYPE = "card-refused/1"


def update(stream: str) -> int:
    """Take what a venue's own stream tells since the last time; how many refusals. Others tell of none."""
    area, _, venue = stream.partition("/")
    if area != "venue":
        return 0
    taken = 0
    with transaction.atomic():
        if not Venue.objects.select_for_update(no_key=True).filter(pk=venue).exists():
            return 0
        for epoch, upto in VenueStore(venue).history(stream):
            heard, _new = Heard.objects.get_or_create(venue=venue, epoch=epoch)
            if heard.seq >= upto:
                continue
            rows = RawRecord.objects.filter(stream=stream, epoch=epoch, seq__gt=heard.seq, seq__lte=upto, type=_TYPE)
            found = [row for raw in rows.order_by("seq") if (row := _read(venue, raw)) is not None]
            RefusedCard.objects.bulk_create(found)
            Heard.objects.filter(pk=heard.pk).update(seq=upto)
            taken += len(found)
    return taken


def catch_up() -> int:
    """Take what came while nobody read: after a start."""
    streams = StreamHead.objects.filter(stream__startswith="venue/").values_list("stream", flat=True).distinct()
    return sum(update(stream) for stream in streams.order_by("stream"))


def _read(venue: str, row: RawRecord) -> RefusedCard | None:
    """A refusal; what cannot be read tells nothing."""
    record = rec.decode(bytes(row.raw))
    try:
        note = msgspec.json.decode(record.data, type=_Told)
        at = moment(record.at)
    except (msgspec.MsgspecError, ValueError, OverflowError):
        return None
    return RefusedCard(
        venue=venue, epoch=row.epoch, seq=row.seq, at=at, device=kept(note.device, 64), reason=kept(note.reason, 64),
        uid=kept(note.uid or "", 64).upper(),
        participant=kept(note.participant or "", 64),
    )  # fmt: skip


class _Told(msgspec.Struct, frozen=True):
    """The fields of `appliance.kinds.CardRefused`; its type is the record's."""

    device: str
    reason: str
    uid: str | None = None
    participant: str | None = None
