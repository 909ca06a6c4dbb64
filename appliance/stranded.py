"""What only an old director had: commands it answered whose records are stranded (DESIGN §3). Pure, over a store.

Their records are kept and never folded; a person decides of each command whether it is given anew or void, and a note
in the venue's stream says so (`appliance.kinds.settled`).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

import msgspec
from msgspec import Struct

from appliance import forks
from appliance import record as rec
from appliance.forks import Copy
from appliance.record import Record

AREAS = ("round", "table", "venue")
"""The streams that people's commands lead to; what the league has written anew needs nobody's word."""


class Event(Struct, frozen=True):
    """What happened: its type and the facts, as JSON."""

    type: str
    data: bytes


class Stranded(Struct, frozen=True):
    """One command's stranded records, ``first`` to ``last`` of an epoch; ``at`` in UTC milliseconds.

    ``command`` is its id, or epoch and number of a record that no command led to. ``body`` is the command as JSON,
    empty where the record does not tell it; ``actor`` and ``device`` say who gave it and where.
    """

    stream: str
    epoch: str
    first: int
    last: int
    at: int
    command: str
    actor: str
    device: str
    body: bytes
    events: tuple[Event, ...]


class _Origin(Struct, frozen=True):
    actor: str = ""
    device: str = ""
    command: msgspec.Raw = msgspec.Raw(b"")


_origins = msgspec.json.Decoder(_Origin)


def open_items(copy: Copy, settled: Container[str] = frozenset(), areas: Sequence[str] = AREAS) -> list[Stranded]:
    """The stranded commands of a store that nobody has decided of, in the order of streams and records.

    One that was carried out under the same id in what counts was sent again by who gave it: nothing is to be decided.
    Raises `RecordError` where a record is none.
    """
    streams = [head.stream for head in copy.heads() if head.stream.partition("/")[0] in areas]
    return [
        item
        for stream in streams
        if (items := _of(copy, stream))
        for done in [_carried_out(copy, stream)]
        for item in items
        if item.command not in settled and item.command not in done
    ]


def by_command(records: Iterable[Record]) -> list[Stranded]:
    """Records of one epoch, in order, as the commands that led to them."""
    items: list[Stranded] = []
    together: list[Record] = []
    for record in records:
        if (together and record.cause != together[-1].cause) or record.cause is None:
            items += _item(together)
            together = []
        together.append(record)
    return items + _item(together)


def _of(copy: Copy, stream: str) -> list[Stranded]:
    return [
        item
        for head, last in forks.stranded(copy, stream)
        for item in by_command(_records(copy, stream, head.epoch, last, head.seq))
    ]


def _item(records: Sequence[Record]) -> list[Stranded]:
    """Records of one command as an item; none of what only says how epochs go on."""
    if not records or records[0].type == rec.EPOCH_OPENED:
        return []
    first, last = records[0], records[-1]
    try:
        origin = _origins.decode(first.data)
    except msgspec.MsgspecError:
        origin = _Origin()
    events = tuple(Event(record.type, bytes(record.data)) for record in records)
    command = first.cause or f"{first.epoch}:{first.seq}"
    body = bytes(origin.command)
    return [
        Stranded(
            first.stream, first.epoch, first.seq, last.seq, first.at, command, origin.actor, origin.device, body, events
        )
    ]


def _carried_out(copy: Copy, stream: str) -> set[str]:
    """The commands that counted records name as their cause."""
    upto = forks.counted(copy, stream)
    return {r.cause for epoch, last in upto.items() for r in _records(copy, stream, epoch, 0, last) if r.cause}


def _records(copy: Copy, stream: str, epoch: str, after: int, upto: int) -> Iterable[Record]:
    rows = copy.read(stream, epoch, after, 1 << 60)[: max(0, upto - after)]
    return [rec.decode(raw) for raw, _ in rows]
