"""Notes which venues have less of their own streams than is stored here, and when they have it again (DESIGN §3)."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from appliance.record import Epoch, Head
from league.ingest.models import RolledBack, StreamHead


def note(venue: str, named: Iterable[Head]) -> None:
    """Compare what a hello names with what is stored: of each stream that it names, and of the venue's own."""
    newest: dict[str, tuple[Epoch, int]] = {f"venue/{venue}": (Epoch(0, ""), 0)}
    for head in named:
        newest[head.stream] = max(newest.get(head.stream, (Epoch(0, ""), 0)), (Epoch.parse(head.epoch), head.seq))
    stored: dict[str, tuple[Epoch, int, str]] = {}
    rows = StreamHead.objects.filter(venue=venue, stream__in=newest).values_list("stream", "epoch", "seq")
    for stream, epoch, seq in rows:
        stored[stream] = max(stored.get(stream, (Epoch(0, ""), 0, "")), (Epoch.parse(epoch), seq, epoch))
    behind = {stream for stream, here in stored.items() if newest[stream] < here[:2]}
    known = set(open_ones().filter(venue=venue, stream__in=newest).values_list("stream", flat=True))
    if known - behind:
        healed(venue, known - behind)
    for stream in sorted(behind - known):
        number, seq, epoch = stored[stream]
        said = newest[stream][1] if newest[stream][0] == number else 0
        with suppress(IntegrityError), transaction.atomic():  # another process has just noted it
            RolledBack.objects.create(venue=venue, stream=stream, epoch=epoch, named=said, stored=seq)


def healed(venue: str, streams: Iterable[str]) -> None:
    """The venue has these again as far as they are stored."""
    open_ones().filter(venue=venue, stream__in=set(streams)).update(healed_at=timezone.now())


def open_ones() -> QuerySet[RolledBack]:
    """What venues lack still."""
    return RolledBack.objects.filter(healed_at__isnull=True)
