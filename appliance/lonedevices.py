"""What only an old director had written of who belongs to the venue (DESIGN §5). Pure, over a journal.

Whom a commissioner dropped there is out here at once: the device may be in a thief's hands, and letting it in again
takes a code. Whom one let in there, people have to decide of: so they have of a drop, where the device was let in again
since.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

import msgspec

from appliance import kinds
from appliance.engine import history, records
from appliance.journal import Journal
from appliance.record import Epoch
from appliance.stranded import Stranded, by_command

About: TypeAlias = "kinds.DeviceAdopted | kinds.DeviceDropped"


class Devices(NamedTuple):
    """``drops``: to be written here, too, by the ids they follow from; ``listed``: what people have to decide of."""

    drops: tuple[tuple[str, kinds.DeviceDropped], ...]
    listed: tuple[kinds.StrandedFound, ...]


def of_devices(journal: Journal, items: Iterable[Stranded], notes: Mapping[str, kinds.Note]) -> Devices:
    """Sort out what an old director's ``items`` of the venue's stream say of devices: of each its last word."""
    last = {note.device: (item, note) for item, note in _read(items)}
    drops, listed = [], []
    for item, note in last.values():
        here = notes.get(f"device {note.device}")
        if type(here) is type(note) and here.key == note.key:
            continue
        if isinstance(note, kinds.DeviceDropped) and note.device not in _let_in_since(journal, item):
            drops.append((item.command, note))
        else:
            listed.append(_found(item, note))
    return Devices(tuple(drops), tuple(listed))


def _read(items: Iterable[Stranded]) -> Iterator[tuple[Stranded, About]]:
    for item in items:
        try:
            note = kinds.decode_note(item.events[0].data)
        except msgspec.MsgspecError:
            continue
        if isinstance(note, kinds.DeviceAdopted | kinds.DeviceDropped):
            yield item, note


def _let_in_since(journal: Journal, item: Stranded) -> set[str]:
    """The devices that were let in after the old director's stream and this one had parted."""
    of, stream = Epoch.parse(item.epoch).n, item.stream
    lines = [line for line in history(journal, stream) if line[0] != item.epoch and Epoch.parse(line[0]).n >= of]
    since = (item for record in records(journal, stream, lines) for item in by_command([record]))
    return {note.device for _, note in _read(since) if isinstance(note, kinds.DeviceAdopted)}


def _found(item: Stranded, note: About) -> kinds.StrandedFound:
    event = item.events[0]
    return kinds.StrandedFound(
        command=item.command, round=kinds.VENUE_NOTES, at=min(max(item.at, 0), (1 << 53) - 1), actor=note.by, device="",
        body=msgspec.Raw(event.data), first=event.type,
    )  # fmt: skip
