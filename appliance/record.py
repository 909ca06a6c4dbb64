"""A record: one fact of a stream, encoded once by its writer and never again.

Hash, copies and the league's raw table hold exactly the bytes made here. A stream is a chain: ``prev`` names
the SHA-256 of the record before it, also across epochs, so a copy can be checked by anybody who holds it.
The writer signs the head of the chain (Ed25519, RFC 8032), which covers every record below it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

EPOCH_OPENED = "epoch-opened/1"
"""Type of the first record of every epoch; its data is an `EpochOpened`."""

MAX_RECORD_BYTES = 64 * 1024
"""No record is larger: a batch must always hold at least one."""

LEAP = 1000
"""Further than so above the one before no epoch's number is: who names such a one would have the numbers end."""

_MOST_DATED = 900_000_000  # of the year 2255
_MOST_FIRST = 100_000  # a round's first epoch has the number that the venue has come to
_STREAM = re.compile(r"(round|table|venue|league)/[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_EPOCH = re.compile(r"([1-9][0-9]{0,8})-([0-9a-f]{16})")
_HASH = re.compile(r"[0-9a-f]{64}")


class RecordError(ValueError):
    """Bytes that are no record, or a record that breaks the chain; ``code`` says which."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


class Record(msgspec.Struct, frozen=True, gc=False):
    """One line of a stream. ``at`` is UTC milliseconds; ``cause`` the id of the command that led to it."""

    stream: str
    epoch: str
    seq: int
    id: str
    at: int
    type: str
    data: msgspec.Raw
    cause: str | None = None
    prev: str | None = None


class Link(msgspec.Struct, frozen=True):
    """The record an epoch continues from."""

    epoch: str
    seq: int
    hash: str


class EpochOpened(msgspec.Struct, frozen=True):
    """Data of an epoch's first record: what it continues (None: the stream begins), who opened it and why."""

    after: Link | None
    by: str
    why: str


class Head(NamedTuple):
    """The newest record of one epoch of a stream: ``hash`` is the SHA-256 of its bytes, in hex."""

    stream: str
    epoch: str
    seq: int
    hash: str


class Epoch(NamedTuple):
    """``<n>-<journal id>``; ordered by n, then by the journal's 64 random bits."""

    n: int
    journal: str

    def __str__(self) -> str:
        return f"{self.n}-{self.journal}"

    @classmethod
    def parse(cls, text: str) -> Epoch:
        """Read an epoch; raises `RecordError` (``bad-epoch``)."""
        found = _EPOCH.fullmatch(text)
        if not found:
            raise RecordError("bad-epoch", repr(text[:40]))
        return cls(int(found[1]), found[2])

    def leaps(self, before: str | None, *, dated: bool = False) -> bool:
        """Whether it cannot have followed that epoch, however many directors there were between; None: begun.

        ``dated``: of a table's stream, whose numbers go by the time they were begun at.
        """
        if dated:
            return self.n > _MOST_DATED
        return self.n > _MOST_FIRST if before is None else self.n > Epoch.parse(before).n + LEAP


parse_epoch = lru_cache(maxsize=4096)(Epoch.parse)
"""`Epoch.parse` of names that come again and again."""

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Record)


def encode(record: Record) -> bytes:
    """The record's bytes; called once, by its writer."""
    raw = _encoder.encode(record)
    if len(raw) > MAX_RECORD_BYTES:
        raise RecordError("record-too-large", f"{record.type}: {len(raw)} bytes, at most {MAX_RECORD_BYTES}")
    return raw


def decode(raw: bytes) -> Record:
    """Read a record's envelope; its data stays raw. Raises `RecordError` (``bad-record``, ``bad-stream``…)."""
    if len(raw) > MAX_RECORD_BYTES:
        raise RecordError("record-too-large", f"{len(raw)} bytes, at most {MAX_RECORD_BYTES}")
    try:
        record = _decoder.decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise RecordError("bad-record", str(error)[:200]) from None
    check_stream(record.stream)
    parse_epoch(record.epoch)
    if record.seq < 1:
        raise RecordError("bad-seq", f"{record.stream}: {record.seq}")
    if record.prev is not None and not _HASH.fullmatch(record.prev):
        raise RecordError("bad-prev", f"{record.stream} {record.seq}")
    return record


def check_stream(name: str) -> str:
    """Return a well-formed stream name as it came; raises `RecordError` (``bad-stream``)."""
    if not _STREAM.fullmatch(name):
        raise RecordError("bad-stream", repr(name[:80]))
    return name


def digest(raw: bytes) -> str:
    """SHA-256 of a record's bytes, in hex (FIPS 180-4)."""
    return hashlib.sha256(raw).hexdigest()


def follow(before: Head | None, raw: bytes) -> tuple[Record, Head]:
    """Check that ``raw`` continues ``before`` in the same epoch and return it with the new head.

    ``before`` None means that ``raw`` opens an epoch: it must then be record 1 and say what it continues.
    Raises `RecordError` (``broken-chain`` and the codes of `decode`).
    """
    record = decode(raw)
    if before is None:
        opened = epoch_opened(record)
        expected = opened.after.hash if opened.after else None
        if record.seq != 1 or record.prev != expected:
            raise RecordError("broken-chain", f"{record.stream} {record.epoch}: its first record links to nothing")
    elif (record.stream, record.epoch, record.seq, record.prev) != (
        before.stream, before.epoch, before.seq + 1, before.hash,
    ):  # fmt: skip
        raise RecordError("broken-chain", f"{record.stream} {record.epoch} {record.seq} after {before.seq}")
    return record, Head(record.stream, record.epoch, record.seq, digest(raw))


def follow_all(before: Head | None, raws: Sequence[bytes]) -> tuple[list[Record], Head | None]:
    """What `follow` checks of one record, checked of many in a row: them, and the head after the last.

    What they share need not be read again: whoever has the same stream and epoch as the record before is as well
    formed, and a ``prev`` that is that record's hash is a hash.
    """
    if not raws:
        return [], before
    record, head = follow(before, raws[0])
    records = [record]
    stream, epoch, seq, prev = head
    sha256, read = hashlib.sha256, _decoder.decode
    for raw in raws[1:]:
        seq += 1
        try:
            record = read(raw)
            sound = (
                record.seq == seq
                and record.prev == prev
                and record.epoch == epoch
                and record.stream == stream
                and len(raw) <= MAX_RECORD_BYTES
            )
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            sound = False
        if not sound:
            record, _ = follow(Head(stream, epoch, seq - 1, prev), raw)
        records.append(record)
        prev = sha256(raw).hexdigest()
    return records, Head(stream, epoch, seq, prev)


def epoch_opened(record: Record) -> EpochOpened:
    """The link in an epoch's first record; raises `RecordError` (``broken-chain``)."""
    if record.type != EPOCH_OPENED:
        raise RecordError("broken-chain", f"{record.stream} {record.epoch}: opens with {record.type[:40]!r}")
    try:
        opened = msgspec.json.decode(record.data, type=EpochOpened)
    except msgspec.MsgspecError as error:
        raise RecordError("broken-chain", f"{record.stream} {record.epoch}: {error}") from None
    if opened.after is not None and Epoch.parse(opened.after.epoch) >= Epoch.parse(record.epoch):
        raise RecordError("broken-chain", f"{record.stream} {record.epoch}: continues a later epoch")
    return opened


def head_bytes(head: Head) -> bytes:
    """What a head signature signs: unambiguous, and of no other meaning than this."""
    return msgspec.json.encode(["tableside-head-1", *head])


def sign(key: Ed25519PrivateKey, head: Head) -> bytes:
    """Sign a head with the writer's device key (64 bytes, RFC 8032)."""
    return key.sign(head_bytes(head))


def verify(public: Ed25519PublicKey, head: Head, signature: bytes) -> bool:
    """Whether the holder of ``public`` signed this head."""
    try:
        public.verify(signature, head_bytes(head))
    except InvalidSignature:
        return False
    return True


def uuid7(at_ms: int, random: bytes) -> str:
    """A UUIDv7 (RFC 9562 §5.7) from UTC milliseconds and ten random bytes."""
    time, tail = f"{at_ms & 0xFFFFFFFFFFFF:012x}", random.hex()
    return f"{time[:8]}-{time[8:]}-7{tail[:3]}-{'89ab'[random[2] & 3]}{tail[5:8]}-{tail[8:20]}"


def to_raw(data: Any) -> msgspec.Raw:
    """JSON bytes of a record's data."""
    return msgspec.Raw(_encoder.encode(data))
