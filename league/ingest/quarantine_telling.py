"""Tells the venues which of their records could not be used, and why; written where it differs from what was told."""

from __future__ import annotations

import re
from collections import defaultdict

import msgspec
from django.db import transaction

from appliance.game.quarantine import MOST_TOLD, QuarantineTold, Unused
from appliance.game.roster import encode_roster_event
from league.ingest.alerts import STOPPED
from league.ingest.lasttold import last_of
from league.ingest.models import Alert, Quarantine, RawRecord, StreamHead
from league.ingest.outbox import Draft, Pen
from league.rounds.models import Venue

LOOK_S = 5.0
"""How often the quarantine is looked at."""

_TYPE = "quarantine/1"
_CODE = re.compile(r"[a-z0-9-]{1,40}")


class QuarantineTeller:
    """Keeps every venue's word on its quarantine up. Two of them in two processes are safe, as two pens are."""

    def __init__(self, pen: Pen) -> None:
        self._pen = pen
        self._told: dict[str, QuarantineTold] = {}
        self._look_at: float | None = None

    def turn(self, now: float) -> list[str]:
        """Tell the venues what is different, if it is time to look (monotonic seconds); which venues were told."""
        if self._look_at is not None and now < self._look_at:
            return []
        self._look_at = now + LOOK_S
        stands = quarantines()
        for venue in self._told.keys() - stands.keys():
            stands[venue] = QuarantineTold(total=0)
        changed = {venue: event for venue, event in sorted(stands.items()) if self._told.get(venue) != event}
        told_now = [venue for venue, event in changed.items() if publish_quarantine(venue, event, self._pen)]
        self._told |= changed
        return told_now


def quarantines() -> dict[str, QuarantineTold]:
    """What is to be told to every venue that has something in quarantine, has a stream that stopped, or had either."""
    found: defaultdict[str, list[Unused]] = defaultdict(list)
    for stream in RawRecord.objects.filter(type=_TYPE).values_list("stream", flat=True).distinct():
        found[stream.partition("/")[2]] = []
    for alert in Alert.objects.filter(code__in=STOPPED, resolved_at__isnull=True).exclude(venue="").order_by("stream"):
        found[alert.venue].append(_unused(alert.stream, alert.code, detail=alert.detail))
    rows = list(Quarantine.objects.order_by("stream", "epoch", "seq", "reason"))
    heads = StreamHead.objects.filter(stream__in={row.stream for row in rows})
    owners = {(stream, epoch): venue for stream, epoch, venue in heads.values_list("stream", "epoch", "venue")}
    for row in rows:
        if owner := owners.get((row.stream, row.epoch)):
            found[owner].append(_unused(row.stream, row.reason, row.epoch, row.seq, row.detail))
    return {venue: QuarantineTold(total=len(rows), records=tuple(rows[:MOST_TOLD])) for venue, rows in found.items()}


def publish_quarantine(venue: str, event: QuarantineTold, pen: Pen) -> bool:
    """Write it to a venue's stream, unless it stands there; True if something was written."""
    with transaction.atomic():
        if not Venue.objects.select_for_update(no_key=True).filter(pk=venue).exists():
            return False
        before = last_told(venue)
        if before == event or (before is None and not event.total):
            return False
        kind, data = encode_roster_event(event)
        pen.append(venue, [Draft(kind, msgspec.Raw(data))])
    return True


def last_told(venue: str) -> QuarantineTold | None:
    """What the venue's stream says last, None where it says nothing that this version can read."""
    return last_of(venue, _TYPE, QuarantineTold)


def _unused(stream: str, reason: str, epoch: str = "", seq: int = 0, detail: str = "") -> Unused:
    code = reason if _CODE.fullmatch(reason) else "other"
    return Unused(stream=stream[:80], reason=code, epoch=epoch[:30], seq=seq, detail=detail[:200])
