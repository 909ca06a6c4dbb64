"""Which records of a stream count, and which are stranded: kept, never folded (DESIGN §3).

A stream's history is the chain of links back from its newest epoch. What an older epoch holds past the record that is
continued, and every epoch that nobody continues, is stranded.
"""

from __future__ import annotations

from typing import Protocol

from appliance import record as rec
from appliance.record import Head


class Copy(Protocol):
    """Records by stream and epoch: a journal, or any other store of them."""

    def heads(self) -> list[Head]: ...
    def head(self, stream: str, epoch: str) -> Head | None: ...
    def epochs(self, stream: str) -> list[str]: ...
    def read(self, stream: str, epoch: str, after: int, max_bytes: int) -> list[tuple[bytes, bytes | None]]: ...


def counted(copy: Copy, stream: str) -> dict[str, int]:
    """By epoch, up to which record a stream's records count. Raises `RecordError` where an epoch's first is none."""
    epochs = copy.epochs(stream)
    head = copy.head(stream, epochs[-1]) if epochs else None
    upto: dict[str, int] = {}
    epoch, seq = (head.epoch, head.seq) if head else ("", 0)
    while epoch in epochs:
        upto[epoch] = seq
        after = rec.epoch_opened(rec.decode(copy.read(stream, epoch, 0, 1)[0][0])).after
        epoch, seq = (after.epoch, after.seq) if after else ("", 0)
    return upto


def stranded(copy: Copy, stream: str) -> list[tuple[Head, int]]:
    """The heads of the epochs that hold stranded records, oldest first, each with the last record that counts."""
    epochs = copy.epochs(stream)
    if len(epochs) < 2:
        return []
    upto = counted(copy, stream)
    held = ((head, upto.get(epoch, 0)) for epoch in epochs if (head := copy.head(stream, epoch)))
    return [(head, last) for head, last in held if last < head.seq]


def stranded_heads(copy: Copy) -> list[Head]:
    """The heads of all epochs that hold stranded records."""
    return [head for newest in copy.heads() for head, _ in stranded(copy, newest.stream)]
