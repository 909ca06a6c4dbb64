"""What only an old director had, as the venue's stream tells it: listed by the director that has it, decided of by a
commissioner at any kiosk (DESIGN §5). The director carries out what they say, and settles the entry, at once or not at
all; a command given anew has an id that follows from its own. So nothing is asked, or done, twice.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from appliance import kinds
from appliance.engine import STORAGE, Engine, Order
from appliance.forks import stranded_heads
from appliance.game.refusal import Refusal
from appliance.link.commands import NO_ANSWER
from appliance.link.envelope import Reply
from appliance.lonedevices import of_devices
from appliance.note import WORD
from appliance.post import why_not
from appliance.record import Head, decode, uuid7
from appliance.stranded import Stranded, by_command, open_items

AREAS = ("round", "venue")
"""What people have to decide of: registrations, busts, the clock; and which devices belong here. The inside of a hand
is the table's own.
"""

MOST_BODY = 48 * 1024
"""So long a command is kept for somebody to give it anew: with what is around it, that is a record."""

SETTLE_TTL_MS = 5_000

_AGAIN = (NO_ANSWER, STORAGE)
"""After these the same word is given again under the same id: it may have been carried out, or may be yet."""

Told = Callable[[Refusal | None], None]
Ask = Callable[[bytes, str, int, Callable[[Reply], None], str], None]

_log = logging.getLogger(__name__)


class Lister:
    """For the engine thread of a director that serves: has noted in the venue's stream what is stranded in its file."""

    def __init__(self, engine: Engine, venue: str, now_ms: Callable[[], int]) -> None:
        self._engine, self._stream, self._now_ms = engine, f"venue/{venue}", now_ms
        self._seen: list[Head] = []

    def look(self) -> bool:
        """List what has come since the last look; whether other devices belong here than before. Raises
        `RecordError`.
        """
        heads = [head for head in stranded_heads(self._engine.journal) if self._is_ours(head.stream)]
        if heads == self._seen:
            return False
        done, changed = self._list(open_items(self._engine.journal, self._known(), AREAS))
        if done:
            self._seen = heads
        return changed

    def lost(self, records: Sequence[bytes]) -> bool:
        """List what devices have after a record from which this director has gone on otherwise: its disk was put back
        and written on. It cannot be stored here. Whether other devices belong here than before. Raises `RecordError`.
        """
        known = self._known()
        items = [item for item in by_command(map(decode, records)) if self._is_ours(item.stream)]
        return self._list(item for item in items if item.command not in known)[1]

    def _is_ours(self, stream: str) -> bool:
        return stream.startswith("round/") or stream == self._stream

    def _known(self) -> frozenset[str]:
        notes: Mapping[str, kinds.Note] = self._engine.state(self._stream)
        return kinds.settled(notes) | {found.command for found in standing(notes)}

    def _list(self, items: Iterable[Stranded]) -> tuple[bool, bool]:
        """Have commands noted that people gave, and whom they dropped; whether the disk would have it, and whether
        other devices belong here than before.
        """
        found = self._open(list(items))
        devices = of_devices(
            self._engine.journal, (item for item in found if item.stream == self._stream),
            self._engine.state(self._stream),
        )  # fmt: skip
        of_rounds = [
            _found(item) for item in found if item.stream != self._stream and item.actor and len(item.command) <= WORD
        ]
        listed = [*of_rounds, *devices.listed]
        orders = [Order(uuid7(self._now_ms(), os.urandom(10)), self._stream, note) for note in listed]
        orders += [Order(kinds.given_anew(of), self._stream, note) for of, note in devices.drops]
        if not orders:
            return True, False
        if listed:
            _log.warning("%d commands that only an old director had wait for a decision", len(listed))
        for _, note in devices.drops:
            _log.warning("%s was dropped by %s at an old director: it is out here, too", note.device, note.by)
        return all(told.answer.ok for told in self._engine.execute(orders, leaves=True)), bool(devices.drops)

    def _open(self, items: Sequence[Stranded]) -> list[Stranded]:
        """Without what was carried out here, and without commands that gave another entry anew: one of both is asked
        about. Where an entry was accepted, what it led to counts here, or it is all that is left of it.
        """
        notes: Mapping[str, kinds.Note] = self._engine.state(self._stream)
        accepted = {note.command for note in notes.values() if isinstance(note, kinds.StrandedAccepted)}
        of = (*(self._known() - accepted), *(item.command for item in items))
        anew = {kinds.given_anew(number) for number in of}
        return [item for item in items if item.command not in anew and not self._is_done(item)]

    def _is_done(self, item: Stranded) -> bool:
        numbers = item.command, kinds.given_anew(item.command)
        return any(self._engine.carried_out(item.stream, number) for number in numbers)


def _found(item: Stranded) -> kinds.StrandedFound:
    """The note of it. Whoever signed the records chose the words: what is too much for a note is left out."""
    body = item.body if len(item.body) <= MOST_BODY else b""
    return kinds.StrandedFound(
        command=item.command, round=item.stream.partition("/")[2][:WORD], at=min(max(item.at, 0), (1 << 53) - 1),
        actor=item.actor[:WORD],
        device=item.device[:WORD], body=msgspec.Raw(body or b"{}"), first=item.events[0].type[:WORD],
    )  # fmt: skip


class Decider:
    """For the engine thread of a kiosk: what a commissioner says there is asked of the director, who decides.

    ``ask`` sends something for the venue's stream, in whose name, under which number; ``fresh_id`` makes numbers.
    """

    def __init__(
        self, device: str, ask: Ask, fresh_id: Callable[[], str], notes: Callable[[], Mapping[str, kinds.Note]]
    ) -> None:
        self._device, self._ask, self._fresh_id, self._notes = device, ask, fresh_id, notes
        self._decided: set[str] = set()
        self._asked: dict[kinds.Note, str] = {}

    def open(self) -> tuple[kinds.StrandedFound, ...]:
        """What waits for a decision, in the order in which it happened."""
        return tuple(found for found in standing(self._notes()) if found.command not in self._decided)

    def settle(self, command: str, who: str, accept: bool, told: Told) -> None:
        """``who`` decides of an entry. ``told`` hears why it could not be, None once it is settled."""
        if all(found.command != command for found in self.open()):
            told(Refusal("stale"))
            return
        note: kinds.Note = kinds.StrandedDropped(device=self._device, command=command, by=who)
        if accept:
            note = kinds.StrandedAccepted(device=self._device, command=command, anew=kinds.given_anew(command), by=who)
        number = self._asked.setdefault(note, self._fresh_id())

        def answered(reply: Reply) -> None:
            refusal = why_not(reply)
            if refusal is None:
                self._decided.add(command)
            if refusal is None or refusal.code not in _AGAIN:
                self._asked.pop(note, None)
            told(refusal)

        self._ask(msgspec.json.encode(note), who, SETTLE_TTL_MS, answered, number)


def standing(notes: Mapping[str, kinds.Note]) -> list[kinds.StrandedFound]:
    """What the venue's stream lists and nobody has decided of, oldest first."""
    return sorted(
        (note for note in notes.values() if isinstance(note, kinds.StrandedFound)),
        key=lambda found: (found.at, found.command),
    )
