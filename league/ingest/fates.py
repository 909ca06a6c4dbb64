"""What became of a venue's records, for the fleet's pages: questions to the database, and nothing is changed.

Each fate that a message or a record can have is in docs/operators.md ("What becomes of records").
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from django.db.models import Exists, OuterRef, QuerySet

from appliance.record import Epoch
from league.ingest.models import Alert, Contact, Quarantine, RolledBack, StreamHead


class EpochState(NamedTuple):
    """One epoch of a stream. ``named``: the last record that the venue said it has, None where it did not say.

    Of the ``stored`` records the first ``counts`` count; the others are stranded: kept, never folded.
    """

    epoch: str
    named: int | None
    stored: int
    counts: int

    @property
    def stranded(self) -> int:
        """Records past the fork at which a later epoch goes on."""
        return self.stored - self.counts

    @property
    def waiting(self) -> int:
        """Records that the venue has and the league not yet, as far as the venue said."""
        return max(0, (self.named or 0) - self.stored)


class StreamState(NamedTuple):
    """A stream with its epochs, oldest first; the last one is its present one."""

    stream: str
    epochs: tuple[EpochState, ...]

    @property
    def stored(self) -> int:
        """Records stored of all epochs."""
        return sum(epoch.stored for epoch in self.epochs)

    @property
    def stranded(self) -> int:
        """Records that are stranded, of all epochs."""
        return sum(epoch.stranded for epoch in self.epochs)

    @property
    def waiting(self) -> int:
        """Records that are still to come, of all epochs."""
        return sum(epoch.waiting for epoch in self.epochs)


def streams_of(venue: str) -> list[StreamState]:
    """Every stream of a venue that is stored or that it said it has, the league's own for it among them, by name."""
    contact = Contact.objects.filter(venue=venue).first()
    named: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for place, seq in (contact.heads if contact else {}).items():
        stream, _, epoch = place.partition(" ")
        named[stream][epoch] = int(seq)
    heads: defaultdict[str, dict[str, StreamHead]] = defaultdict(dict)
    for head in StreamHead.objects.filter(venue=venue):
        heads[head.stream][head.epoch] = head
    return [_state(stream, heads[stream], named[stream]) for stream in sorted({*heads, *named})]


def open_alerts(venue: str | None = None) -> QuerySet[Alert]:
    """Alerts that are open, the newest first: of one venue, or all; those of nobody have no venue."""
    found = Alert.objects.filter(resolved_at__isnull=True)
    return found if venue is None else found.filter(venue=venue)


def quarantined(venue: str | None = None) -> QuerySet[Quarantine]:
    """Records that are stored and could not be used: those that one venue wrote, or all."""
    if venue is None:
        return Quarantine.objects.all()
    theirs = StreamHead.objects.filter(venue=venue, stream=OuterRef("stream"), epoch=OuterRef("epoch"))
    return Quarantine.objects.filter(Exists(theirs))


def rollbacks(venue: str | None = None) -> QuerySet[RolledBack]:
    """Streams of which a venue had less than is stored here, the newest first; ``healed_at``: it has it again."""
    found = RolledBack.objects.all()
    return found if venue is None else found.filter(venue=venue)


def _state(stream: str, heads: dict[str, StreamHead], named: dict[str, int]) -> StreamState:
    counts = _counting(heads)
    epochs = sorted({*heads, *named}, key=Epoch.parse)
    return StreamState(
        stream,
        tuple(
            EpochState(epoch, named.get(epoch), heads[epoch].seq if epoch in heads else 0, counts.get(epoch, 0))
            for epoch in epochs
        ),
    )


def _counting(heads: dict[str, StreamHead]) -> dict[str, int]:
    """How far each epoch counts, along the links from the newest one; see `VenueStore.history`."""
    if not heads:
        return {}
    row = heads[max(heads, key=Epoch.parse)]
    counts = {row.epoch: row.seq}
    while row.after_epoch and row.after_epoch in heads:
        counts[row.after_epoch] = row.after_seq or 0
        row = heads[row.after_epoch]
    return counts
