"""What only an old director had, as the venue's stream tells it: listed by the director that has it, decided of by a
commissioner at any kiosk (DESIGN §5). Nothing is asked twice: a command given anew has an id that follows from its own.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from uuid import NAMESPACE_OID, uuid5

import msgspec

from appliance import kinds
from appliance.engine import Engine, Order
from appliance.forks import stranded_heads
from appliance.game.command import Command
from appliance.game.commands import decode_command
from appliance.game.reading import CommandError
from appliance.game.refusal import Refusal
from appliance.link.envelope import Reply
from appliance.note import WORD
from appliance.record import Head, decode, uuid7
from appliance.stranded import Stranded, by_command, open_items

AREAS = ("round",)
"""What people have to decide of: registrations, busts, the clock. The inside of a hand is the table's own."""

MOST_BODY = 48 * 1024
"""So long a command is kept for somebody to give it anew: with what is around it, that is a record."""

Told = Callable[[Refusal | None], None]

_log = logging.getLogger(__name__)


class Lister:
    """For the engine thread of a director that serves: has noted in the venue's stream what is stranded in its file."""

    def __init__(self, engine: Engine, venue: str, now_ms: Callable[[], int]) -> None:
        self._engine, self._stream, self._now_ms = engine, f"venue/{venue}", now_ms
        self._seen: list[Head] = []

    def look(self) -> None:
        """List what has come since the last look. Raises `RecordError`."""
        heads = [head for head in stranded_heads(self._engine.journal) if head.stream.startswith("round/")]
        if heads == self._seen:
            return
        if self._list(open_items(self._engine.journal, self._known(), AREAS)):
            self._seen = heads

    def lost(self, records: Sequence[bytes]) -> None:
        """List what devices have of a round after a record from which this director has gone on otherwise: its disk
        was put back and written on. It cannot be stored here. Raises `RecordError`.
        """
        known = self._known()
        items = by_command(map(decode, records))
        self._list(
            item for item in items
            if item.stream.startswith("round/") and item.command not in known
            and not self._engine.carried_out(item.stream, item.command)
        )  # fmt: skip

    def _known(self) -> frozenset[str]:
        notes: Mapping[str, kinds.Note] = self._engine.state(self._stream)
        return kinds.settled(notes) | {found.command for found in standing(notes)}

    def _list(self, items: Iterable[Stranded]) -> bool:
        """Have commands noted that people gave; False if the disk would not have it."""
        orders = [
            Order(
                uuid7(self._now_ms(), os.urandom(10)),
                self._stream,
                _found(item),
            )
            for item in items if item.actor and len(item.command) <= WORD
        ]  # fmt: skip
        if orders:
            _log.warning("%d commands that only an old director had wait for a decision", len(orders))
            return all(told.answer.ok for told in self._engine.execute(orders, leaves=True))
        return True


def _found(item: Stranded) -> kinds.StrandedFound:
    """The note of it. Whoever signed the records chose the words: what is too much for a note is left out."""
    body = item.body if len(item.body) <= MOST_BODY else b""
    return kinds.StrandedFound(
        command=item.command, round=item.stream.partition("/")[2][:WORD], at=min(max(item.at, 0), (1 << 53) - 1),
        actor=item.actor[:WORD],
        device=item.device[:WORD], body=msgspec.Raw(body or b"{}"), first=item.events[0].type[:WORD],
    )  # fmt: skip


class Decider:
    """For the engine thread of a kiosk. ``command`` sends one to the director, ``note`` has one written."""

    def __init__(
        self,
        device: str,
        command: Callable[[str, Command, str, Callable[[Reply], None]], None],
        note: Callable[[kinds.Note], None],
        notes: Callable[[], Mapping[str, kinds.Note]],
    ) -> None:
        self._device, self._command, self._note, self._notes = device, command, note, notes
        self._decided: set[str] = set()
        self._refused: dict[str, int] = {}

    def open(self) -> tuple[kinds.StrandedFound, ...]:
        """What waits for a decision, in the order in which it happened."""
        return tuple(found for found in standing(self._notes()) if found.command not in self._decided)

    def settle(self, command: str, who: str, accept: bool, told: Told) -> None:
        """``who`` decides of an entry. ``told`` hears why it could not be, None if it is settled."""
        found = next((each for each in self.open() if each.command == command), None)
        if found is None:
            told(Refusal("stale"))
        elif accept:
            self._accept(found, who, told)
        else:
            self._settle(kinds.StrandedDropped(device=self._device, command=found.command, by=who))
            told(None)

    def _accept(self, found: kinds.StrandedFound, who: str, told: Told) -> None:
        """Have the command decided anew: it is theirs who accept it."""
        try:
            command = decode_command(bytes(found.body))
        except CommandError:
            told(Refusal("unreadable-entry"))
            return
        number = str(uuid5(NAMESPACE_OID, f"{found.command} {self._refused.get(found.command, 0)}"))

        def answered(reply: Reply) -> None:
            if reply.ok:
                self._settle(kinds.StrandedAccepted(device=self._device, command=found.command, anew=number, by=who))
                told(None)
                return
            if reply.refusal is None or reply.refusal.code != "no-answer":
                self._refused[found.command] = self._refused.get(found.command, 0) + 1
            told(_why(reply))

        self._command(number, command, who, answered)

    def _settle(self, note: kinds.StrandedAccepted | kinds.StrandedDropped) -> None:
        self._decided.add(note.command)
        self._note(note)


def standing(notes: Mapping[str, kinds.Note]) -> list[kinds.StrandedFound]:
    """What the venue's stream lists and nobody has decided of, oldest first."""
    return sorted(
        (note for note in notes.values() if isinstance(note, kinds.StrandedFound)),
        key=lambda found: (found.at, found.command),
    )


def _why(reply: Reply) -> Refusal:
    if reply.refusal is None:
        return Refusal("no-answer")
    return Refusal(reply.refusal.code, msgspec.json.decode(reply.refusal.detail))
