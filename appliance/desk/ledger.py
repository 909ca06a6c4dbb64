"""What the desk did with cards: a file of lines beside the key file, appended to and never changed.

A line is on the disk before the next step is taken. A process killed in the middle of a line leaves half of one:
it never happened, and is cut off by the next who writes.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Literal

from appliance.cards import ledgerline as lines
from appliance.cards.ledgerline import BadEntry, Entry, Kind, Reason


class LedgerError(OSError):
    """A ledger that cannot be read or written; the text names file, line and reason."""


@dataclass(frozen=True, slots=True)
class DeskCard:
    """A card as the ledger knows it; ``state`` is ``begun``, ``valid``, ``wiped`` or why it was withdrawn."""

    uid: str
    participant: str
    serial: int
    issued: date
    kind: Kind
    key_version: int
    state: Literal["begun", "valid", "wiped"] | Reason


@dataclass
class Book:
    """All lines of a ledger together."""

    cards: dict[str, DeskCard] = field(default_factory=dict)
    last_serial: int = 0
    key: str = ""
    """The public key that was written down last."""
    last_version: int = 0
    """The highest version of keys that any card was given."""
    taken_back: dict[str, tuple[str, Reason]] = field(default_factory=dict)
    """Cards that venues refuse by name: whose they were and why they were withdrawn, until they are issued again.

    A card that was wiped since is among them, for the league goes on telling of it.
    """

    def take(self, entry: Entry) -> None:
        """Fold one more line."""
        self.last_serial = max(self.last_serial, entry.serial)
        self.last_version = max(self.last_version, entry.key_version)
        card = self.cards.get(entry.uid)
        if entry.what == "issued":
            self.taken_back.pop(entry.uid, None)
        elif entry.what == "withdrawn" and entry.reason is not None and card is not None and card.state != "begun":
            self.taken_back[entry.uid] = (entry.participant, entry.reason)
        match entry.what:
            case "key":
                self.key = entry.key
            case "begun" | "issued" if entry.issued is not None:
                self.cards[entry.uid] = DeskCard(
                    entry.uid, entry.participant, entry.serial, entry.issued, entry.kind, entry.key_version,
                    "begun" if entry.what == "begun" else "valid",
                )  # fmt: skip
            case "withdrawn" if card is not None and entry.reason is not None:
                self.cards[entry.uid] = _in_state(card, entry.reason)
            case "wiped" if card is not None:
                self.cards[entry.uid] = _in_state(card, "wiped")

    def valid_of(self, participant: str) -> DeskCard | None:
        """The participant's valid card; there is at most one (LG-6)."""
        return next((c for c in self.cards.values() if c.participant == participant and c.state == "valid"), None)


def _in_state(card: DeskCard, state: Literal["wiped"] | Reason) -> DeskCard:
    return DeskCard(card.uid, card.participant, card.serial, card.issued, card.kind, card.key_version, state)


class Ledger:
    """An open ledger, held by this process alone. Use `opened`."""

    def __init__(self, path: Path, file: Any, who: str, now: Callable[[], datetime]) -> None:
        self.path = path
        self.book = Book()
        self._file = file
        self._who = who
        self._now = now
        self._read()

    def write(self, what: lines.What, **fields: Any) -> Entry:
        """Append a line and have it on the disk. Raises `LedgerError`."""
        at = self._now().astimezone(UTC).replace(microsecond=0)
        entry = Entry(id=uuid.uuid4().hex, at=at, who=self._who, what=what, **fields)
        line = lines.encode(entry)
        try:
            lines.decode(line)  # what would not be read again is not written
        except BadEntry as error:
            raise LedgerError(f"{self.path}: this cannot be written down: {error}") from None
        end = self._file.tell()
        try:
            rest = line
            while rest:  # a disk that is nearly full takes the beginning and says how much
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            with contextlib.suppress(OSError):
                self._file.truncate(end)
                self._file.seek(end)
            raise LedgerError(f"{self.path}: {error.strerror}") from None
        self.book.take(entry)
        return entry

    def withdraw(self, card: DeskCard, reason: Reason) -> None:
        """Write down that a card is taken back. Raises `LedgerError`."""
        self.write(
            "withdrawn", uid=card.uid, participant=card.participant, serial=card.serial, kind=card.kind, reason=reason
        )

    def _read(self) -> None:
        content: bytes = self._file.read()
        whole = content[: content.rfind(b"\n") + 1]
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                self.book.take(lines.decode(line))
            except BadEntry as error:
                raise LedgerError(f"{self.path}: line {number}: {error}") from None
        self._file.truncate(len(whole))
        self._file.seek(len(whole))


@contextlib.contextmanager
def opened(path: Path, who: str, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> Iterator[Ledger]:
    """The ledger, made if it is not there yet (mode 0600). Raises `LedgerError`, also while another desk has it."""
    try:
        file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b", buffering=0)
    except OSError as error:
        raise LedgerError(f"{path}: {error.strerror}") from None
    with file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise LedgerError(f"{path}: no ordinary file")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise LedgerError(f"{path}: another desk is at work with it") from None
        yield Ledger(path, file, who, now)


def beside(key_file: Path) -> Path:
    """Where the ledger of a key file lies."""
    file = key_file.resolve()  # one ledger, and one lock, by whatever name the key file goes
    return file.with_name(file.name + ".ledger.jsonl")
