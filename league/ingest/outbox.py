"""The one writer of ``league/<venue>``: what the league tells a venue, signed with the league's key."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import transaction

from appliance import record as rec
from appliance.record import Epoch, Head, Record
from league.ingest.models import RawRecord
from league.ingest.store import VenueStore
from league.rounds.models import Venue

SIGN_EVERY = 64
"""A batch must end at a signed record, so a long roster carries a signature every so often."""

WRITER = "league"
"""Who opens the epochs of these streams."""


class Draft(NamedTuple):
    """A record still to be written: its type and its data as JSON."""

    type: str
    data: msgspec.Raw


class Pen:
    """Appends to the leagues' streams. Two pens in two processes are safe: the database lets one write at a time."""

    def __init__(
        self, key: Ed25519PrivateKey, now_ms: Callable[[], int], entropy: Callable[[int], bytes] = os.urandom
    ) -> None:
        self._key = key
        self._now_ms = now_ms
        self._entropy = entropy

    def append(self, venue: str, drafts: Sequence[Draft]) -> Head | None:
        """Write drafts to the venue's stream: all of them or none. None if the stream has never been opened.

        Raises `Venue.DoesNotExist`.
        """
        stream = f"league/{venue}"
        with transaction.atomic():
            Venue.objects.select_for_update(no_key=True).get(pk=venue)
            store = VenueStore(venue)
            epochs = store.epochs(stream)
            head = store.head(stream, epochs[-1]) if epochs else None
            if not drafts:
                return head
            if head is None:
                epoch = str(Epoch(1, self._entropy(8).hex()))
                opened = rec.EpochOpened(None, WRITER, "first")
                drafts = [Draft(rec.EPOCH_OPENED, rec.to_raw(opened)), *drafts]
            else:
                epoch = head.epoch
            items = self._write(stream, epoch, head, drafts, _last_at(head))
            return store.absorb(stream, epoch, items)

    def reopen(self, venue: str, why: str, *, beyond: int = 0) -> Head | None:
        """Go on in a new epoch from what is stored, whatever the venue has of the one before; None if never opened.

        For a league that was restored: what it had said since its backup is at the venues, and stranded there
        (DESIGN §3). ``beyond``: the highest number of an epoch that there has been. Of two that continue one record,
        the one begun later counts. Raises `Venue.DoesNotExist`.
        """
        stream = f"league/{venue}"
        with transaction.atomic():
            Venue.objects.select_for_update(no_key=True).get(pk=venue)
            store = VenueStore(venue)
            epochs = store.epochs(stream)
            head = store.head(stream, epochs[-1]) if epochs else None
            if head is None:
                return None
            journal = f"{self._now_ms() // 1000:08x}{self._entropy(4).hex()}"
            epoch = str(Epoch(max(Epoch.parse(head.epoch).n, beyond) + 1, journal))
            opened = rec.EpochOpened(rec.Link(head.epoch, head.seq, head.hash), WRITER, why)
            drafts = [Draft(rec.EPOCH_OPENED, rec.to_raw(opened))]
            begun = Head(stream, epoch, 0, head.hash)
            return store.absorb(stream, epoch, self._write(stream, epoch, begun, drafts, _last_at(head)))

    def _write(
        self, stream: str, epoch: str, head: Head | None, drafts: Sequence[Draft], not_before: int
    ) -> list[tuple[bytes, bytes | None]]:
        at = max(self._now_ms(), not_before)
        items: list[tuple[bytes, bytes | None]] = []
        for place, draft in enumerate(drafts, 1):
            seq = head.seq + 1 if head else 1
            made = Record(
                stream=stream, epoch=epoch, seq=seq, id=rec.uuid7(at, self._entropy(10)), at=at,
                type=draft.type, data=draft.data, prev=head.hash if head else None,
            )  # fmt: skip
            raw = rec.encode(made)
            head = Head(stream, epoch, seq, rec.digest(raw))
            signed = place == len(drafts) or place % SIGN_EVERY == 0
            items.append((raw, rec.sign(self._key, head) if signed else None))
        return items


def _last_at(head: Head | None) -> int:
    if head is None:
        return 0
    row = RawRecord.objects.get(stream=head.stream, epoch=head.epoch, seq=head.seq)
    return rec.decode(bytes(row.raw)).at
