"""The receiving half of replication: order, chain and signature. See `appliance.link.replication`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from appliance import record
from appliance.link.envelope import Ack, Batch
from appliance.link.store import (
    Alert,
    BadSignature,
    BrokenChain,
    Forked,
    Former,
    Gap,
    Keyring,
    Store,
    StoreTrouble,
    Teller,
    UnknownWriter,
    hash_at,
    nobody,
    say_nothing,
)
from appliance.record import Head, Record, RecordError, parse_epoch

GAP_PATIENCE = 8
"""Batches from beyond before a gap is worth an alert: a sender that asks where we are, or one lost batch before
a full window, is the daily course of things."""


class Outcome(StrEnum):
    """What became of a batch."""

    STORED = "stored"
    DUPLICATE = "duplicate"
    BEYOND = "beyond"
    REFUSED = "refused"


class Taken(NamedTuple):
    """The receiver's answer: ``ack`` to send back (None: say nothing) and the ``records`` that are new."""

    outcome: Outcome
    ack: Ack | None = None
    records: tuple[bytes, ...] = ()


Absorb = Callable[[Sequence[tuple[bytes, bytes | None]], Sequence[Record], Head], Head]
"""Stores records that were followed already, from the bytes and what they say up to their head; as `Store.absorb`."""

Check = Callable[[bytes, Head, bytes], bool]
"""Whether the holder of a public key signed a head; as `check_signature`."""


class Receiver:
    """Takes batches into a store after checking chain and signature, and says how far it is.

    A stream with a broken chain or a bad signature stops where it is: it goes on by itself when the right
    bytes come, and never otherwise.
    """

    def __init__(
        self, store: Store, keyring: Keyring, alert: Callable[[Alert], None] = say_nothing, former: Former = nobody,
        absorb: Absorb | None = None, check: Check | None = None,
    ) -> None:  # fmt: skip
        self._store = store
        self._absorb = absorb or (lambda items, records, head: store.absorb(head.stream, head.epoch, items))
        self._check = check or check_signature
        self._keyring = keyring
        self._former = former
        self._alert = Teller(alert)
        self._openers: dict[tuple[str, str], str] = {}
        self._gaps: dict[str, tuple[Ack, int]] = {}

    def take(self, batch: Batch) -> Taken:
        """Verify and store what is new in a batch."""
        head = self._store.head(batch.stream, batch.epoch)
        upto = head.seq if head else 0
        if batch.first > upto + 1:
            return self._beyond(batch, self._watermark(batch.stream, batch.epoch))
        if head is not None and batch.last <= upto:
            return self._take_again(batch, head)
        try:
            return self._take_new(batch, head)
        except RecordError as error:
            self._alert(BrokenChain(batch.stream, batch.epoch, upto, str(error)))
        except OSError as error:
            self._alert(StoreTrouble(batch.stream, batch.epoch, upto, str(error)))
        return Taken(Outcome.REFUSED)

    def greet(self, heads: Iterable[Head]) -> list[Ack]:
        """The answer to a sender's hello: where this side is with each of the sender's streams.

        A hello may name thousands of streams that nobody ever wrote: those cost no look into the store.
        """
        held = {head.stream: head for head in self._store.heads()}
        newest: dict[str, Head] = {}
        for head in heads:
            other = newest.get(head.stream)
            if other is None or parse_epoch(head.epoch) > parse_epoch(other.epoch):
                newest[head.stream] = head
        acks = []
        for theirs in newest.values():
            if theirs.stream not in held:
                acks.append(Ack(theirs.stream, theirs.epoch, 0))
                continue
            here = self._store.head(theirs.stream, theirs.epoch)
            if here is not None and theirs.seq <= here.seq and theirs.hash != hash_at(self._store, here, theirs.seq):
                self._alert(Forked(theirs.stream, theirs.epoch, theirs.seq, "the sender has another record there"))
            acks.append(self._watermark(theirs.stream, theirs.epoch))
            last = held[theirs.stream]
            if here is not None and parse_epoch(last.epoch) > parse_epoch(theirs.epoch):  # a disk was rolled back
                acks.append(Ack(*last))
        return acks

    def is_genuine(self, batch: Batch) -> bool:
        """Whether the one who opened its epoch wrote these records, wherever they belong."""
        try:
            raws = [bytes(raw) for raw in batch.records]
            if batch.first == 1:
                first, head = record.follow(None, raws[0])
                opener = record.epoch_opened(first).by
            else:
                first = record.decode(raws[0])
                head = Head(batch.stream, batch.epoch, batch.first, record.digest(raws[0]))
                opener = self._stored_opener(batch.stream, batch.epoch)
            if (first.stream, first.epoch, first.seq) != (batch.stream, batch.epoch, batch.first):
                return False
            _, last = record.follow_all(head, raws[1:])
        except (RecordError, IndexError):
            return False
        key = self._keyring(batch.stream, opener)
        return last is not None and key is not None and check_signature(key, last, batch.signature)

    # -- inside ------------------------------------------------------------------------------------------

    def _watermark(self, stream: str, epoch: str) -> Ack:
        """How far we are in that epoch; if we have nothing of it, in the newest one we have."""
        here = self._store.head(stream, epoch)
        if here is not None:
            return Ack(*here)
        epochs = self._store.epochs(stream)
        newest = self._store.head(stream, epochs[-1]) if epochs else None
        return Ack(*newest) if newest else Ack(stream, epoch, 0)

    def _beyond(self, batch: Batch, ack: Ack) -> Taken:
        at, times = self._gaps.get(batch.stream, (ack, 0))
        times = times + 1 if at == ack else 1
        if len(self._gaps) >= 1000:  # names of streams may be anybody's invention
            self._gaps.clear()
        self._gaps[batch.stream] = (ack, times)
        if times >= GAP_PATIENCE:
            self._alert(Gap(ack.stream, ack.epoch, ack.upto, f"{batch.epoch} from {batch.first} keeps coming"))
        return Taken(Outcome.BEYOND, ack)

    def _take_again(self, batch: Batch, head: Head) -> Taken:
        if record.digest(bytes(batch.records[-1])) != hash_at(self._store, head, batch.last):
            self._alert(Forked(batch.stream, batch.epoch, batch.last, "the sender has another record there"))
            return Taken(Outcome.REFUSED)
        return Taken(Outcome.DUPLICATE, Ack(batch.stream, batch.epoch, head.seq))

    def _take_new(self, batch: Batch, head: Head | None) -> Taken:
        raws = [bytes(raw) for raw in batch.records]
        known = head.seq + 1 - batch.first if head else 0
        if head is not None and known and record.digest(raws[known - 1]) != head.hash:
            self._alert(Forked(batch.stream, batch.epoch, head.seq, "the sender has another record there"))
            return Taken(Outcome.REFUSED)
        new = raws[known:]
        opener = self._opener(batch, head, new[0])
        if isinstance(opener, Taken):
            return opener
        records, head = record.follow_all(head, new)
        if head is None or not self._signed(batch, head, opener):
            return Taken(Outcome.REFUSED)
        items: list[tuple[bytes, bytes | None]] = [(raw, None) for raw in new]
        items[-1] = (new[-1], batch.signature)
        stored = self._absorb(items, records, head)
        self._openers[batch.stream, batch.epoch] = opener
        self._gaps.pop(batch.stream, None)
        return Taken(Outcome.STORED, Ack(batch.stream, batch.epoch, stored.seq), tuple(new))

    def _opener(self, batch: Batch, head: Head | None, first: bytes) -> str | Taken:
        """Who opened the epoch; or what to answer if the epoch cannot be joined to what is here."""
        if head is not None:
            return self._stored_opener(batch.stream, batch.epoch)
        opening = record.decode(first)
        if (opening.stream, opening.epoch) != (batch.stream, batch.epoch):
            raise RecordError("broken-chain", f"a record of {opening.stream} {opening.epoch} in it")
        opened = record.epoch_opened(opening)
        held = self._store.epochs(batch.stream)
        follows = opened.after.epoch if opened.after else held[-1] if held else None
        if parse_epoch(batch.epoch).leaps(follows, dated=batch.stream.startswith("table/")):
            raise RecordError("broken-chain", f"{opened.by[:32]} leaps to {batch.epoch}")
        if opened.after is None:
            if held:
                self._alert(Forked(batch.stream, batch.epoch, 1, f"{opened.by[:32]} begins the stream anew"))
            return opened.by
        before = self._store.head(batch.stream, opened.after.epoch)
        if before is None or before.seq < opened.after.seq:
            return self._beyond(batch, Ack(batch.stream, opened.after.epoch, before.seq if before else 0))
        if hash_at(self._store, before, opened.after.seq) != opened.after.hash:
            self._alert(Forked(batch.stream, opened.after.epoch, opened.after.seq, f"{batch.epoch} continues another"))
            return Taken(Outcome.REFUSED)
        return opened.by

    def _stored_opener(self, stream: str, epoch: str) -> str:
        by = self._openers.get((stream, epoch))
        if by is None:
            raw, _ = self._store.read(stream, epoch, 0, 1)[0]
            by = self._openers[stream, epoch] = record.epoch_opened(record.decode(raw)).by
        return by

    def _signed(self, batch: Batch, head: Head, opener: str) -> bool:
        key = self._keyring(batch.stream, opener)
        if self._signed_before(batch, head):
            return True
        if key is None:
            self._alert(UnknownWriter(batch.stream, batch.epoch, head.seq, f"no key of {opener[:32]!r}"))
            return False
        if not self._check(key, head, batch.signature):
            self._alert(BadSignature(batch.stream, batch.epoch, head.seq, f"not signed by {opener[:32]!r}"))
            return False
        return True

    def _signed_before(self, batch: Batch, head: Head) -> bool:
        """Whether a writer who has been revoked since signed it while that counted."""
        former = self._former(batch.stream, batch.epoch)
        if former is None or head.seq > former.seq or (head.seq == former.seq and head.hash != former.hash):
            return False
        return check_signature(former.key, head, batch.signature)


def check_signature(key: bytes, head: Head, signature: bytes) -> bool:
    """Whether the holder of a public key (32 bytes, RFC 8032) signed this head."""
    return record.verify(_public_key(key), head, signature)


@lru_cache(maxsize=256)
def _public_key(raw: bytes) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(raw)
