"""NDEF: the records of a message, and the blocks that hold it in the memory of a Type 2 card (NFC Forum T2T, NDEF).

Whoever holds a card writes what he likes into it. Everything here is bounded by the bytes given, and every error is
a `BadNdef`.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum

from msgspec import Struct

MAX_MESSAGE = 1024
MAX_RECORDS = 32

_NULL, _LOCK, _MEMORY, _NDEF, _END = 0x00, 0x01, 0x02, 0x03, 0xFE
_BEGIN, _LAST, _CHUNK, _SHORT, _ID = 0x80, 0x40, 0x20, 0x10, 0x08


class BadNdef(ValueError):
    """Not an NDEF message, or one beyond the bounds. The text quotes nothing of it."""


class Tnf(IntEnum):
    """What a record's type is a name of."""

    EMPTY = 0
    WELL_KNOWN = 1
    MIME = 2
    URI = 3
    EXTERNAL = 4
    UNKNOWN = 5
    UNCHANGED = 6
    RESERVED = 7


class NdefRecord(Struct, frozen=True):
    """One record; ``type`` at most 255 bytes."""

    tnf: Tnf
    type: bytes = b""
    payload: bytes = b""
    id: bytes = b""


def decode(message: bytes) -> tuple[NdefRecord, ...]:
    """The records of a message, none for an empty one."""
    if len(message) > MAX_MESSAGE:
        raise BadNdef("longer than a card of ours can hold")
    records: list[NdefRecord] = []
    at, ended = 0, not message
    while not ended:
        if len(records) == MAX_RECORDS:
            raise BadNdef("too many records")
        record, flags, at = _record(message, at)
        if bool(flags & _BEGIN) != (not records):
            raise BadNdef("a record begins a message in its middle, or none begins it")
        records.append(record)
        ended = bool(flags & _LAST)
    if at != len(message):
        raise BadNdef("bytes after the last record")
    return tuple(records)


def _record(message: bytes, at: int) -> tuple[NdefRecord, int, int]:
    reader = _Reader(message, at)
    flags = reader.number(1)
    tnf = Tnf(flags & 7)
    if flags & _CHUNK or tnf is Tnf.UNCHANGED:
        raise BadNdef("a record in chunks")
    if tnf is Tnf.RESERVED:
        raise BadNdef("a type of no kind")
    type_length = reader.number(1)
    length = reader.number(1 if flags & _SHORT else 4)
    id_length = reader.number(1) if flags & _ID else 0
    if tnf is Tnf.EMPTY and (type_length or length or id_length):
        raise BadNdef("an empty record with something in it")
    if (tnf is Tnf.UNKNOWN) == bool(type_length) and tnf is not Tnf.EMPTY:
        raise BadNdef("a type where none belongs, or none where one does")
    kind = reader.take(type_length)
    name = reader.take(id_length)
    return NdefRecord(tnf, kind, reader.take(length), name), flags, reader.at


class _Reader:
    """Bytes from a place on, never beyond the end."""

    def __init__(self, data: bytes, at: int) -> None:
        self._data = data
        self.at = at

    def take(self, length: int) -> bytes:
        if length > len(self._data) - self.at:
            raise BadNdef("cut short")
        self.at += length
        return self._data[self.at - length : self.at]

    def number(self, length: int) -> int:
        return int.from_bytes(self.take(length))


def encode(*records: NdefRecord) -> bytes:
    """A message of these records; ValueError for what `decode` would not read."""
    parts = []
    for number, record in enumerate(records):
        short = len(record.payload) < 256
        flags = record.tnf | (_SHORT if short else 0) | (_ID if record.id else 0)
        flags |= (_BEGIN if number == 0 else 0) | (_LAST if number == len(records) - 1 else 0)
        head = bytes([flags, len(record.type)]) + len(record.payload).to_bytes(1 if short else 4)
        parts.append(head + (bytes([len(record.id)]) if record.id else b"") + record.type + record.id + record.payload)
    message = b"".join(parts)
    if decode(message) != records:
        raise BadNdef("records that would not be read again")
    return message


class Tlv(Struct, frozen=True):
    """A block of the data area: its tag, its value, and where the block begins and ends in the area."""

    tag: int
    value: bytes
    start: int
    end: int


def blocks(area: bytes) -> Iterator[Tlv]:
    """The blocks of a data area up to its terminator or its end; empty bytes between them are passed over."""
    reader = _Reader(area, 0)
    while reader.at < len(area):
        start, tag = reader.at, reader.number(1)
        if tag == _NULL:
            continue
        if tag == _END:
            return
        length = reader.number(1)
        if length == 0xFF:
            length = reader.number(2)
            if length < 0xFF:
                raise BadNdef("a length of three bytes that needs one")
        value = reader.take(length)
        if tag in (_LOCK, _MEMORY) and length != 3:
            raise BadNdef("a control block of another length than three")
        yield Tlv(tag, value, start, reader.at)


def message_of(area: bytes) -> bytes:
    """The first NDEF message of a Type 2 card's data area (from page 4 on), empty when there is none.

    Blocks that describe lock bytes and reserved memory are passed over: on our cards both lie behind the data area.
    """
    return next((block.value for block in blocks(area) if block.tag == _NDEF), b"")


def needed(area_so_far: bytes) -> int | None:
    """How many bytes of the area are needed to read its message, None as long as that cannot be told."""
    try:
        for block in blocks(area_so_far):
            if block.tag == _NDEF:
                return block.end
    except BadNdef:
        return _announced(area_so_far)
    return None


def _announced(area: bytes) -> int | None:
    """The end of a message that is cut short, by its length."""
    reader, at = _Reader(area, 0), 0
    try:
        while True:
            tag = reader.number(1)
            if tag == _NULL:
                continue
            if tag == _END:
                return None
            length = reader.number(1)
            length = reader.number(2) if length == 0xFF else length
            at = reader.at + length
            if tag == _NDEF:
                return at
            reader.take(length)
    except BadNdef:
        return None


def area_with(message: bytes, size: int, keep: bytes = b"") -> bytes:
    """A data area that holds this message after the control blocks of ``keep``, what the area holds now.

    Ends with a terminator where one fits. `BadNdef` when ``size`` bytes do not hold it.
    """
    head = b"".join(keep[block.start : block.end] for block in blocks(keep) if block.tag in (_LOCK, _MEMORY))
    length = bytes([len(message)]) if len(message) < 0xFF else b"\xff" + len(message).to_bytes(2)
    area = head + bytes([_NDEF]) + length + message
    if len(area) > size:
        raise BadNdef("more than the card holds")
    return area + (bytes([_END]) if len(area) < size else b"")
