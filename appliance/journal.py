"""The journal: one SQLite file that holds streams of records, append only.

Durable means: after `Transaction.commit` (or `Journal.absorb`) returns, the records are on the disk (WAL, synchronous
FULL). A commit is whole or absent, whatever kills the process. One thread of one process writes; others read.

Layout: a *line* is one epoch of one stream. What one commit adds to a line is one *block*: the records' bytes, a
newline apart (JSON holds none), deflated where there are many, with the writer's signature of its last record. Its key
is line and last sequence number in one integer, so the file is a single append-only B-tree with no index beside it, a
batch can be cut at any block, and a commit of fifty records writes less than their bytes.
"""

from __future__ import annotations

import bisect
import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import journal_file
from appliance import record as rec
from appliance.journal_file import JournalError
from appliance.record import Epoch, Head, Record

__all__ = ["Draft", "Journal", "JournalError", "Line", "Transaction"]

_ID = re.compile(r"[0-9a-f]{16}")
_ID_BYTES = 16
_BLOCK_BYTES = 128 * 1024  # well below a batch of 256 kB, which must be able to end at a block's end


class Draft(NamedTuple):
    """A record still to be written: its type, its data as JSON, and the id of the command behind it."""

    type: str
    data: msgspec.Raw
    cause: str | None = None


DraftLike = tuple[str, msgspec.Raw, str | None]
"""A draft, or a plain tuple in its stead."""


class _Tip(NamedTuple):
    """Where a line stands: its head, and the time of that record (no later record is earlier)."""

    line: int
    head: Head
    at: int


class Journal:
    """A journal file. ``device`` and ``key`` are needed to write own streams, not to keep copies of others'."""

    def __init__(
        self,
        path: Path,
        *,
        device: str = "",
        key: Ed25519PrivateKey | None = None,
        read_only: bool = False,
        entropy: Callable[[int], bytes] = os.urandom,
    ) -> None:
        """Open ``path``, making the file if need be. Raises `JournalError`."""
        self.path = path
        self.device = device
        self._key = key
        self._ids = _Ids(entropy)
        self._unsigned: set[tuple[str, str]] = set()
        self._db = journal_file.open_to_read(path) if read_only else journal_file.open_to_write(path, entropy)
        try:
            self.id = self._load_id()
            self._tips: dict[tuple[str, str], _Tip] = {}
            self._epochs: dict[str, list[str]] = {}
            self._seen = self._data_version()
            self._grow(self._load_tips(whole=True))
            self._answers = self._load_answers()
            self._unsigned = set(self._find_unsigned())
        except JournalError:
            self._db.close()
            raise

    def close(self) -> None:
        """Close the file; open transactions are rolled back by SQLite."""
        self._db.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- what is here ------------------------------------------------------------------------------------

    def streams(self) -> list[str]:
        """Names of all streams held, sorted."""
        return sorted(self._epochs)

    def epochs(self, stream: str) -> list[str]:
        """The epochs held of a stream, oldest first."""
        return list(self._epochs.get(stream, ()))

    def head(self, stream: str, epoch: str) -> Head | None:
        """The newest record of one epoch, or None if nothing of it is here."""
        tip = self._tips.get((stream, epoch))
        return tip.head if tip else None

    def newest(self, stream: str) -> Head | None:
        """The head of a stream's highest epoch."""
        epochs = self._epochs.get(stream)
        return self._tips[stream, epochs[-1]].head if epochs else None

    def last_at(self, stream: str) -> int:
        """When the newest record of a stream that counts was made, UTC ms; 0 if nothing of it is here. What an old
        director has written since it was followed may be of any time."""
        epochs = self._epochs.get(stream)
        return self._tips[stream, epochs[-1]].at if epochs else 0

    def heads(self) -> list[Head]:
        """The head of the highest epoch of every stream."""
        return [head for stream in self.streams() if (head := self.newest(stream))]

    def read(
        self, stream: str, epoch: str, after: int = 0, max_bytes: int = 1 << 60
    ) -> list[tuple[bytes, bytes | None]]:
        """Records with ``seq > after`` and their signatures, at least one if there is one, up to ``max_bytes``.

        Never beyond `head`: what another process has written since the last `refresh` is not here yet.
        Raises `JournalError` (``damaged``) if one of them is missing.
        """
        tip = self._tips.get((stream, epoch))
        if tip is None or after >= tip.head.seq:
            return []
        taken: list[tuple[bytes, bytes | None]] = []
        size = 0
        for raw, sig in journal_file.records(self._db, self.path, tip.line, after, tip.head.seq):
            size += len(raw)
            if taken and size > max_bytes:
                break
            taken.append((raw, sig))
        return taken

    def read_on(self, stream: str, epoch: str, after: int = 0) -> list[bytes]:
        """All records with ``seq > after``, up to `head`, as bytes alone. Raises `JournalError` (``damaged``)."""
        tip = self._tips.get((stream, epoch))
        if tip is None or after >= tip.head.seq:
            return []
        blocks = journal_file.blocks(self._db, self.path, tip.line, after, tip.head.seq)
        return [raw for raws, _ in blocks for raw in raws]

    def refresh(self) -> bool:
        """For readers of another process's file: look for new records; True if there are any."""
        seen = self._data_version()
        if seen == self._seen:
            return False
        self._seen, before = seen, dict(self._tips)
        self._grow(self._load_tips())
        return self._tips != before

    # -- own streams -------------------------------------------------------------------------------------

    def begin(self) -> Transaction:
        """Start a transaction: everything in it is written by its `commit`, or nothing."""
        return Transaction(self)

    def answer(self, command_id: str) -> bytes | None:
        """The answer kept for a command id. Accepted commands need none: their records name them as their cause."""
        return self._answers.get(command_id)

    def forget_answers(self, stream: str) -> None:
        """Drop the kept answers of a stream whose round has ended. Raises `JournalError` (``disk``)."""
        lines = [(tip.line,) for (name, _), tip in self._tips.items() if name == stream]
        self._write("DELETE FROM answer WHERE line = ?", *lines)
        self._answers = self._load_answers()

    def sign_heads(self) -> None:
        """Sign the own heads that are not yet signed: to be called before a batch leaves.

        A signature can be made again at any time, so this does not wait for the disk.
        """
        if self._key is None or not self._unsigned:
            return
        tips = [self._tips[line] for line in self._unsigned]
        signed = [(rec.sign(self._key, tip.head), journal_file.key(tip.line, tip.head.seq)) for tip in tips]
        self._db.execute("PRAGMA synchronous = NORMAL")
        try:
            with self.begin() as transaction:
                transaction.sign(signed)
                transaction.commit()
        finally:
            self._db.execute("PRAGMA synchronous = FULL")
        self._unsigned.clear()

    # -- copies of others' streams -----------------------------------------------------------------------

    def absorb(self, stream: str, epoch: str, items: Sequence[tuple[bytes, bytes | None]]) -> Head:
        """Store records as they came; durable on return. They must continue what is here (`RecordError` otherwise)."""
        with self.begin() as transaction:
            head = transaction.absorb(stream, epoch, items)
            transaction.commit()
        return head

    def cursor(self, peer: str, stream: str, epoch: str) -> int:
        """How far ``peer`` has said it stored this line (0: nothing yet)."""
        sql = "SELECT upto FROM cursor WHERE peer = ? AND stream = ? AND epoch = ?"
        return next((int(upto) for (upto,) in self._rows(sql, (peer, stream, epoch), (int,))), 0)

    def set_cursor(self, peer: str, stream: str, epoch: str, upto: int) -> None:
        """Remember a stored-acknowledgement; it only ever rises. Raises `JournalError` (``disk``)."""
        sql = "INSERT INTO cursor VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET upto = max(upto, excluded.upto)"
        self._write(sql, (peer, stream, epoch, upto))

    def know_writer(self, device: str, public: str) -> None:
        """Keep a device's public key (hex), so that the file can be verified on its own. Raises `JournalError`."""
        if self.writers().get(device) != public:
            self._write("INSERT OR REPLACE INTO writer VALUES (?, ?)", (device, public))

    def writers(self) -> dict[str, str]:
        """Public keys (hex) of the devices that wrote here."""
        return dict(self._rows("SELECT device, public FROM writer", (), (str, str)))

    # -- inside ------------------------------------------------------------------------------------------

    def _write(self, sql: str, *rows: Sequence[object]) -> None:
        """Write something beside the records, at once."""
        with self.begin() as transaction:
            for row in rows:
                transaction.execute(sql, row)
            transaction.commit()

    def _grow(self, tips: Mapping[tuple[str, str], _Tip]) -> None:
        """Take over where lines stand now."""
        for key, tip in tips.items():
            if key not in self._tips:
                stream, epoch = key
                bisect.insort(self._epochs.setdefault(stream, []), epoch, key=Epoch.parse)
            self._tips[key] = tip

    def _data_version(self) -> int:
        """A number that changes when another connection has committed (SQLite's PRAGMA data_version)."""
        return int(next(self._rows("PRAGMA data_version"))[0])

    def _rows(self, sql: str, values: Sequence[object] = (), kinds: Sequence[type] = ()) -> Iterator[tuple[Any, ...]]:
        return journal_file.rows(self._db, self.path, sql, values, kinds)

    def _damaged(self, what: str) -> JournalError:
        return JournalError("damaged", f"{self.path}: {what}")

    def _load_id(self) -> str:
        for (found,) in self._rows("SELECT value FROM meta WHERE name = 'journal'", (), (str,)):
            if _ID.fullmatch(found):
                return str(found)
        raise self._damaged("its id is missing")

    def _load_tips(self, *, whole: bool = False) -> dict[tuple[str, str], _Tip]:
        """Where every line stands; ``whole``: once it is sure that none is missing. Raises `JournalError`."""
        with journal_file.snapshot(self._db, self.path):
            lines = journal_file.lines(self._db, self.path)
            if whole and (fault := journal_file.lines_fault(self._db, self.path, lines)):
                raise self._damaged(fault)
            return {(stream, epoch): self._load_tip(number, stream, epoch) for number, stream, epoch in lines}

    def _load_tip(self, line: int, stream: str, epoch: str) -> _Tip:
        newest = journal_file.last_block(self._db, self.path, line)
        if newest is None:
            raise self._damaged(f"no records of {stream} {epoch}")
        seq, raw = newest
        try:
            record = rec.decode(raw)
        except rec.RecordError as error:
            raise self._damaged(f"last record of {stream} {epoch}: {error}") from None
        if (record.stream, record.epoch, record.seq) != (stream, epoch, seq):
            raise self._damaged(f"{stream} {epoch} ends with {record.stream} {record.epoch} {record.seq}, not {seq}")
        return _Tip(line, Head(stream, epoch, seq, rec.digest(raw)), record.at)

    def _find_unsigned(self) -> Iterable[tuple[str, str]]:
        for (stream, epoch), tip in self._tips.items():
            here = (journal_file.key(tip.line, tip.head.seq),)
            if epoch.endswith(self.id) and any(self._rows("SELECT 1 FROM block WHERE key = ? AND sig IS NULL", here)):
                yield stream, epoch

    def _load_answers(self) -> dict[str, bytes]:
        kept = dict(self._rows("SELECT id, body FROM answer", (), (bytes, bytes)))
        if any(len(command) != _ID_BYTES for command in kept):
            raise self._damaged("an answer to no command's id")
        return {_uuid(command.hex()): body for command, body in kept.items()}


class Transaction:
    """Appends that become durable together; without `commit` the journal is as if nothing had been asked."""

    def __init__(self, journal: Journal) -> None:
        """Raises `JournalError` (``disk``) if the file cannot be written."""
        self._journal = journal
        self._db = journal._db
        self._lines: dict[tuple[str, str], Line] = {}
        self._blocks: list[tuple[int, bytes, bytes | None]] = []
        self._answers: dict[str, tuple[int, bytes]] = {}
        self.execute("BEGIN IMMEDIATE")

    def __enter__(self) -> Transaction:
        return self

    def __exit__(self, *_: object) -> None:
        if self._db.in_transaction:
            self._db.rollback()

    def open_epoch(
        self, stream: str, why: str, at: int, *, after: Head | None = None, least: int = 1, above: int = 0
    ) -> Head:
        """Open the next epoch of an own stream, linked to ``after`` (default: the stream's newest head here).

        ``least``: the number of a stream's first one; ``above``: that of one that exists and is not here.
        """
        journal = self._journal
        after = after or journal.newest(rec.check_stream(stream))
        before = [*journal.epochs(stream), *([after.epoch] if after else [])]
        n = max(above + 1, max((Epoch.parse(epoch).n + 1 for epoch in before), default=least))
        epoch = str(Epoch(n, journal.id))
        Epoch.parse(epoch)  # the last number there is: raised before anything is written
        link = rec.Link(after.epoch, after.seq, after.hash) if after else None
        opened = rec.EpochOpened(link, journal.device, why)
        line = self._new_line(Head(stream, epoch, 0, after.hash if after else ""), at)
        self.append(stream, epoch, [Draft(rec.EPOCH_OPENED, rec.to_raw(opened))], at)
        return line.head

    def line(self, stream: str, epoch: str) -> Line:
        """A line opened here, to be added to; raises `JournalError` (``no-epoch``)."""
        line = self._known_line(stream, epoch)
        if line is None:
            raise JournalError("no-epoch", f"{stream} {epoch} is not open here")
        return line

    def append(self, stream: str, epoch: str, drafts: Iterable[DraftLike], at: int) -> list[Record]:
        """Number, date, chain and add drafts to a line opened here; returns the records."""
        return self.add(self.line(stream, epoch), drafts, at)

    def add(self, line: Line, drafts: Iterable[DraftLike], at: int) -> list[Record]:
        """The same with the line at hand: a group of commands is carried out in little more time than this takes."""
        if line.size > _BLOCK_BYTES:
            self._seal(line, self._signature(line))
        stream, epoch, seq, prev, size = line.stream, line.epoch, line.seq, line.hash or None, line.size
        at, next_id = line.not_before(at), self._journal._ids.next
        written: list[Record] = []
        raws: list[bytes] = []
        for kind, data, cause in drafts:
            seq += 1
            made = Record(stream, epoch, seq, next_id(at), at, kind, data, cause, prev)
            raw = rec.encode(made)
            prev = rec.digest(raw)
            size += len(raw)
            raws.append(raw)
            written.append(made)
        if raws and prev is not None:
            line.grow(raws, seq, prev, at, size)
        return written

    def absorb(self, stream: str, epoch: str, items: Sequence[tuple[bytes, bytes | None]]) -> Head:
        """Insert another writer's records, checked to continue the chain here. Raises `RecordError`."""
        known = self._known_line(stream, epoch)
        head = known.head if known else None
        line = known or self._new_line(Head(stream, epoch, 0, ""), 0)
        for raw, sig in items:
            record, head = rec.follow(head, raw)
            if (record.stream, record.epoch) != (stream, epoch):
                raise rec.RecordError("broken-chain", f"{stream} {epoch}: a record of {record.stream} {record.epoch}")
            if line.size > _BLOCK_BYTES:
                self._seal(line, None)
            line.grow((raw,), head.seq, head.hash, line.not_before(record.at), line.size + len(raw))
            if sig is not None:
                self._seal(line, sig)
        if head is None:
            raise rec.RecordError("broken-chain", f"{stream} {epoch}: nothing to store")
        self._seal(line, None)
        return head

    def sign(self, signatures: Iterable[tuple[bytes, int]]) -> None:
        """Put signatures beside the blocks they belong to (signature, key)."""
        for signature in signatures:
            self.execute("UPDATE block SET sig = ? WHERE key = ?", signature)

    def keep_answer(self, command_id: str, stream: str, epoch: str, body: bytes) -> None:
        """Keep the answer to a command; the same id again gets these bytes."""
        self._answers[command_id] = (self.line(stream, epoch).number, body)

    def commit(self, *, sign: bool = True) -> None:
        """Make everything durable, signed or to be signed when it leaves (`Journal.sign_heads`).

        Raises `JournalError` (``disk``); then nothing is written.
        """
        journal = self._journal
        for line in self._lines.values():
            if line.raws:
                self._seal(line, self._signature(line) if sign else None)
        answers = [(UUID(command).bytes, line, body) for command, (line, body) in self._answers.items()]
        try:
            self._db.executemany("INSERT INTO block VALUES (?, ?, ?)", self._blocks)
            if answers:
                self._db.executemany("INSERT INTO answer VALUES (?, ?, ?)", answers)
            self._db.commit()
        except sqlite3.Error as error:
            if self._db.in_transaction:
                self._db.rollback()
            raise JournalError("disk", f"{journal.path}: {error}") from error
        grown = {key: _Tip(line.number, line.head, line.at) for key, line in self._lines.items() if line.grown}
        journal._grow(grown)
        if not sign and journal._key:
            journal._unsigned |= {key for key in grown if key[1].endswith(journal.id)}
        for command, (_, body) in self._answers.items():
            journal._answers[command] = body

    def _known_line(self, stream: str, epoch: str) -> Line | None:
        line = self._lines.get((stream, epoch))
        if line is None and (tip := self._journal._tips.get((stream, epoch))):
            line = self._lines[stream, epoch] = Line(*tip)
        return line

    def _new_line(self, head: Head, at: int) -> Line:
        names = (head.stream, head.epoch)
        number = self.execute("INSERT INTO line (stream, epoch) VALUES (?, ?)", names).lastrowid or 0
        line = self._lines[names] = Line(number, head, at)
        return line

    def _seal(self, line: Line, sig: bytes | None) -> None:
        """Make a row of what is on its way to it."""
        if line.raws:
            self._blocks.append((journal_file.key(line.number, line.seq), journal_file.pack(line.raws), sig))
            line.raws.clear()
            line.size = 0

    def _signature(self, line: Line) -> bytes | None:
        """The writer's signature of a line's last record; copies come with theirs."""
        key = self._journal._key
        return rec.sign(key, line.head) if key else None

    def execute(self, sql: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        """Run a statement; raises `JournalError` (``disk``)."""
        try:
            return self._db.execute(sql, values)
        except sqlite3.Error as error:
            raise JournalError("disk", f"{self._journal.path}: {error}") from error


class Line:
    """A line that is written to: where it stands, and the records on their way into its next row."""

    __slots__ = ("at", "epoch", "grown", "hash", "number", "raws", "seq", "size", "stream")

    def __init__(self, number: int, head: Head, at: int) -> None:
        self.number = number
        self.stream, self.epoch, self.seq, self.hash = head
        self.at = at
        self.grown = False
        self.raws: list[bytes] = []
        self.size = 0

    @property
    def head(self) -> Head:
        """Its last record."""
        return Head(self.stream, self.epoch, self.seq, self.hash)

    def not_before(self, at: int) -> int:
        """The time of its next record: ``at``, but never before the record before it (DESIGN §3)."""
        return at if at > self.at else self.at

    def grow(self, raws: Sequence[bytes], seq: int, digest: str, at: int, size: int) -> None:
        """Take records in: number, hash and time of the last of them, and the bytes of the row they make."""
        self.raws += raws
        self.seq, self.hash, self.at, self.size, self.grown = seq, digest, at, size, True


def _uuid(digits: str) -> str:
    """Hex digits as a UUID is written (RFC 9562 §4)."""
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


class _Ids:
    """Ids of records: UUIDv7, random for each millisecond and counting up within it (RFC 9562 §6.2, method 2)."""

    __slots__ = ("_at", "_entropy", "_stem", "_tail")

    def __init__(self, entropy: Callable[[int], bytes]) -> None:
        self._entropy = entropy
        self._at = -1
        self._stem = ""
        self._tail = 0

    def next(self, at: int) -> str:
        """An id of this moment, in UTC milliseconds."""
        if at != self._at:
            fresh = rec.uuid7(at, self._entropy(10))
            self._at, self._stem, self._tail = at, fresh[:24], int(fresh[24:], 16) >> 1  # room to count
        self._tail += 1
        return f"{self._stem}{self._tail:012x}"
