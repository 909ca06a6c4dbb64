"""Tells a venue the time when its director asks for it (DESIGN §3): in the league's stream, signed by its key."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from appliance import record as rec
from appliance.game.roster import TimeQuestion, TimeTold, encode_roster_event
from league.ingest.models import RawRecord, StreamHead
from league.ingest.outbox import Draft, Pen

_ASKED, _TOLD = "time-asked/1", "time-told/1"
_LAST = 50  # of a stream's records, in which a question is looked for that is still worth an answer


def answer(grown: Iterable[str], pen: Pen, now: int) -> list[str]:
    """Answer the last question in each of the venues' own streams that have just grown, once; which venues were told.

    ``now``: UTC ms. Who asked knows when: an answer that comes late tells them nothing.
    """
    told: list[str] = []
    for stream in sorted(stream for stream in grown if stream.startswith("venue/")):
        venue = stream.removeprefix("venue/")
        ask = _last_question(stream)
        if ask is None or ask == _last_answer(venue):
            continue
        name, data = encode_roster_event(TimeTold(ask=ask, at=now))
        pen.append(venue, [Draft(name, msgspec.Raw(data))])
        told.append(venue)
    return told


def _last_question(stream: str) -> str | None:
    head = StreamHead.objects.filter(stream=stream).order_by("-pk").first()
    if head is None:
        return None
    rows = RawRecord.objects.filter(stream=stream, epoch=head.epoch, seq__gt=head.seq - _LAST, type=_ASKED)
    row = rows.order_by("-seq").first()
    try:
        return None if row is None else msgspec.json.decode(rec.decode(bytes(row.raw)).data, type=TimeQuestion).ask
    except msgspec.MsgspecError:
        return None


def _last_answer(venue: str) -> str | None:
    row = RawRecord.objects.filter(stream=f"league/{venue}", type=_TOLD).order_by("-seq").first()
    return None if row is None else msgspec.json.decode(rec.decode(bytes(row.raw)).data, type=TimeTold).ask
