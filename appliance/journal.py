"""The journal: one SQLite file that holds streams of records, append only.

Durable means: after `Transaction.commit` (or `Journal.absorb`) returns, the records are on the disk (WAL,
``synchronous=FULL``). A commit is whole or absent, whatever kills the process. The file is opened for writing by
one process, and there by one thread; others read it.

Layout: a *line* is one epoch of one stream; a record's key is its line and sequence number in one integer, so that
the table is a single append-only B-tree with no index beside it. The signature of a commit's last record sits in that
record's row, so a reader can always cut a batch at a signed head.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import NamedTuple
from uuid import UUID

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import record as rec
from appliance.record import Epoch, Head, Record

FORMAT = 1
"""Version of the file's layout; a file with a higher one is refused, never guessed at."""

_APPLICATION_ID = 0x54534A31  # "TSJ1", so that `file` and we know a journal from any other database
_SEQ_BITS = 40
_SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE line (id INTEGER PRIMARY KEY, stream TEXT NOT NULL, epoch TEXT NOT NULL, UNIQUE (stream, epoch)) STRICT;
CREATE TABLE record (key INTEGER PRIMARY KEY, raw BLOB NOT NULL, sig BLOB) STRICT;
CREATE TABLE answer (id BLOB PRIMARY KEY, line INTEGER NOT NULL, body BLOB NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE cursor (peer TEXT NOT NULL, stream TEXT NOT NULL, epoch TEXT NOT NULL, upto INTEGER NOT NULL,
                     PRIMARY KEY (peer, stream, epoch)) STRICT, WITHOUT ROWID;
CREATE TABLE writer (device TEXT PRIMARY KEY, public TEXT NOT NULL) STRICT, WITHOUT ROWID;
"""


class JournalError(OSError):
    """The file cannot serve as a journal; ``code`` says why (``not-a-journal``, ``newer-version``, ``damaged``…)."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


class Draft(NamedTuple):
    """A record still to be written: its type, its data as JSON, and the id of the command behind it."""

    type: str
    data: msgspec.Raw
    cause: str | None = None


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
        self._entropy = entropy
        self._db = _connect(path, read_only=read_only)
        try:
            if not read_only:
                _prepare(self._db, path, entropy)
            _check_format(self._db, path)
            self.id = self._meta("journal")
            self._tips = {(tip.head.stream, tip.head.epoch): tip for tip in self._load_tips()}
        except sqlite3.DatabaseError as error:
            self._db.close()
            raise _translate(error, path) from error
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
        return sorted({stream for stream, _ in self._tips})

    def epochs(self, stream: str) -> list[str]:
        """The epochs held of a stream, oldest first."""
        return sorted((e for s, e in self._tips if s == stream), key=Epoch.parse)

    def head(self, stream: str, epoch: str) -> Head | None:
        """The newest record of one epoch, or None if nothing of it is here."""
        tip = self._tips.get((stream, epoch))
        return tip.head if tip else None

    def newest(self, stream: str) -> Head | None:
        """The head of a stream's highest epoch."""
        epochs = self.epochs(stream)
        return self._tips[stream, epochs[-1]].head if epochs else None

    def heads(self) -> list[Head]:
        """The head of the highest epoch of every stream."""
        return [head for stream in self.streams() if (head := self.newest(stream))]

    def read(
        self, stream: str, epoch: str, after: int = 0, max_bytes: int = 1 << 60
    ) -> list[tuple[bytes, bytes | None]]:
        """Records with ``seq > after`` and their signatures, at least one if there is one, up to ``max_bytes``."""
        tip = self._tips.get((stream, epoch))
        if tip is None:
            return []
        low, high = _key(tip.line, after + 1), _key(tip.line + 1, 0)
        rows: list[tuple[bytes, bytes | None]] = []
        size = 0
        for raw, sig in self._db.execute(
            "SELECT raw, sig FROM record WHERE key >= ? AND key < ? ORDER BY key", (low, high)
        ):
            size += len(raw)
            if rows and size > max_bytes:
                break
            rows.append((raw, sig))
        return rows

    def refresh(self) -> bool:
        """For readers of another process's file: look for new records; True if there are any."""
        before = self._tips
        self._tips = {(tip.head.stream, tip.head.epoch): tip for tip in self._load_tips()}
        return self._tips != before

    # -- own streams -------------------------------------------------------------------------------------

    def begin(self) -> Transaction:
        """Start a transaction: everything in it is written by its `commit`, or nothing."""
        return Transaction(self)

    def answer(self, command_id: str) -> bytes | None:
        """The answer kept for a command id, refusals included."""
        row = self._db.execute("SELECT body FROM answer WHERE id = ?", (UUID(command_id).bytes,)).fetchone()
        return bytes(row[0]) if row else None

    def forget_answers(self, stream: str) -> None:
        """Drop the kept answers of a stream whose round has ended."""
        lines = [(tip.line,) for (name, _), tip in self._tips.items() if name == stream]
        with self._db:
            self._db.executemany("DELETE FROM answer WHERE line = ?", lines)

    # -- copies of others' streams -----------------------------------------------------------------------

    def absorb(self, stream: str, epoch: str, items: Sequence[tuple[bytes, bytes | None]]) -> Head:
        """Store records as they came; durable on return. They must continue what is here (`RecordError` otherwise)."""
        with self.begin() as transaction:
            head = transaction.absorb(stream, epoch, items)
            transaction.commit()
        return head

    def cursor(self, peer: str, stream: str, epoch: str) -> int:
        """How far ``peer`` has said it stored this line (0: nothing yet)."""
        row = self._db.execute(
            "SELECT upto FROM cursor WHERE peer = ? AND stream = ? AND epoch = ?", (peer, stream, epoch)
        ).fetchone()
        return int(row[0]) if row else 0

    def set_cursor(self, peer: str, stream: str, epoch: str, upto: int) -> None:
        """Remember a stored-acknowledgement; it only ever rises."""
        with self._db:
            self._db.execute(
                "INSERT INTO cursor VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET upto = max(upto, excluded.upto)",
                (peer, stream, epoch, upto),
            )

    def know_writer(self, device: str, public: str) -> None:
        """Keep a device's public key (hex) beside its records, so that the file can be verified on its own."""
        if self.writers().get(device) != public:
            with self._db:
                self._db.execute("INSERT OR REPLACE INTO writer VALUES (?, ?)", (device, public))

    def writers(self) -> dict[str, str]:
        """Public keys (hex) of the devices that wrote here."""
        return dict(self._db.execute("SELECT device, public FROM writer"))

    # -- inside ------------------------------------------------------------------------------------------

    def _meta(self, name: str) -> str:
        row = self._db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        if row is None:
            raise JournalError("damaged", f"{self.path}: its {name} is missing")
        return str(row[0])

    def _load_tips(self) -> Iterable[_Tip]:
        for line, stream, epoch in self._db.execute("SELECT id, stream, epoch FROM line").fetchall():
            row = self._db.execute(
                "SELECT key, raw FROM record WHERE key >= ? AND key < ? ORDER BY key DESC LIMIT 1",
                (_key(line, 0), _key(line + 1, 0)),
            ).fetchone()
            if row is None:
                continue
            at = _time_of(row[1], self.path, stream)
            yield _Tip(line, Head(stream, epoch, row[0] & (1 << _SEQ_BITS) - 1, rec.digest(row[1])), at)


class Transaction:
    """Appends that become durable together; without `commit` the journal is as if nothing had been asked."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._db = journal._db
        self._db.execute("BEGIN IMMEDIATE")
        self._tips: dict[tuple[str, str], _Tip] = {}
        self._unsigned: dict[tuple[str, str], tuple[int, bytes]] = {}

    def __enter__(self) -> Transaction:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._db.in_transaction:
            self._db.rollback()

    def open_epoch(self, stream: str, why: str, at: int, *, after: Head | None = None) -> Head:
        """Open the next epoch of an own stream, linked to ``after`` (default: the stream's newest head here)."""
        journal = self._journal
        after = after or journal.newest(rec.check_stream(stream))
        n = max([Epoch.parse(e).n for e in journal.epochs(stream)] + [Epoch.parse(after.epoch).n if after else 0]) + 1
        epoch = str(Epoch(n, journal.id))
        link = rec.Link(after.epoch, after.seq, after.hash) if after else None
        opened = rec.EpochOpened(link, journal.device, why)
        line = self._new_line(stream, epoch)
        before = Head(stream, epoch, 0, after.hash if after else "")
        self._tips[stream, epoch] = _Tip(line, before, at)
        return self.append(stream, epoch, [Draft(rec.EPOCH_OPENED, rec.to_raw(opened))], at)[-1][1]

    def append(self, stream: str, epoch: str, drafts: Iterable[Draft], at: int) -> list[tuple[Record, Head]]:
        """Number, date, chain and insert drafts; returns the records with the head each of them makes."""
        line, head, last_at = self._tip(stream, epoch)
        at = max(at, last_at)
        written: list[tuple[Record, Head]] = []
        for draft in drafts:
            made = Record(
                stream=stream, epoch=epoch, seq=head.seq + 1, id=rec.uuid7(at, self._journal._entropy(10)),
                at=at, type=draft.type, data=draft.data, cause=draft.cause, prev=head.hash or None,
            )  # fmt: skip
            raw = rec.encode(made)
            head = Head(stream, epoch, made.seq, rec.digest(raw))
            self._put(line, made.seq, raw, None)
            self._unsigned[stream, epoch] = (_key(line, made.seq), raw)
            written.append((made, head))
        self._tips[stream, epoch] = _Tip(line, head, at)
        return written

    def absorb(self, stream: str, epoch: str, items: Sequence[tuple[bytes, bytes | None]]) -> Head:
        """Insert another writer's records, checked to continue the chain here. Raises `RecordError`."""
        known = self._tips.get((stream, epoch)) or self._journal._tips.get((stream, epoch))
        head = known.head if known else None
        at = known.at if known else 0
        line = known.line if known else self._new_line(stream, epoch)
        for raw, sig in items:
            record, head = rec.follow(head, raw)
            if (record.stream, record.epoch) != (stream, epoch):
                raise rec.RecordError("broken-chain", f"{stream} {epoch}: a record of {record.stream} {record.epoch}")
            at = max(at, record.at)
            self._put(line, record.seq, raw, sig)
        if head is None:
            raise rec.RecordError("broken-chain", f"{stream} {epoch}: nothing to store")
        self._tips[stream, epoch] = _Tip(line, head, at)
        return head

    def keep_answer(self, command_id: str, stream: str, epoch: str, body: bytes) -> None:
        """Keep the answer to a command; the same id again gets these bytes."""
        line = self._tip(stream, epoch).line
        self._db.execute("INSERT INTO answer VALUES (?, ?, ?)", (UUID(command_id).bytes, line, body))

    def commit(self) -> None:
        """Sign the new heads and make everything durable. Raises `JournalError` (``disk``), then nothing is written."""
        journal = self._journal
        try:
            for (stream, epoch), (key, _raw) in self._unsigned.items():
                if journal._key is not None:
                    sig = rec.sign(journal._key, self._tips[stream, epoch].head)
                    self._db.execute("UPDATE record SET sig = ? WHERE key = ?", (sig, key))
            self._db.commit()
        except sqlite3.Error as error:
            if self._db.in_transaction:
                self._db.rollback()
            raise JournalError("disk", f"{journal.path}: {error}") from error
        journal._tips.update(self._tips)

    def _tip(self, stream: str, epoch: str) -> _Tip:
        tip = self._tips.get((stream, epoch)) or self._journal._tips.get((stream, epoch))
        if tip is None:
            raise JournalError("no-epoch", f"{stream} {epoch} is not open here")
        return tip

    def _new_line(self, stream: str, epoch: str) -> int:
        found = self._db.execute("INSERT INTO line (stream, epoch) VALUES (?, ?)", (stream, epoch))
        return int(found.lastrowid or 0)

    def _put(self, line: int, seq: int, raw: bytes, sig: bytes | None) -> None:
        try:
            self._db.execute("INSERT INTO record VALUES (?, ?, ?)", (_key(line, seq), raw, sig))
        except sqlite3.Error as error:
            raise JournalError("disk", f"{self._journal.path}: {error}") from error


def _key(line: int, seq: int) -> int:
    return line << _SEQ_BITS | seq


def _connect(path: Path, *, read_only: bool) -> sqlite3.Connection:
    mode = "ro" if read_only else "rwc"
    try:
        return sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            timeout=5,
        )
    except sqlite3.Error as error:
        raise JournalError("unreadable", f"{path}: {error}") from error


def _prepare(db: sqlite3.Connection, path: Path, entropy: Callable[[int], bytes]) -> None:
    """Set the modes of a writer; lay out an empty file."""
    _check_format(db, path, empty_is_fine=True)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    if db.execute("PRAGMA user_version").fetchone()[0] == 0:
        db.executescript(
            f"BEGIN IMMEDIATE; {_SCHEMA} INSERT INTO meta VALUES ('journal', '{entropy(8).hex()}');"
            f"PRAGMA application_id = {_APPLICATION_ID}; PRAGMA user_version = {FORMAT}; COMMIT;"
        )


def _check_format(db: sqlite3.Connection, path: Path, *, empty_is_fine: bool = False) -> None:
    application = db.execute("PRAGMA application_id").fetchone()[0]
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if empty_is_fine and not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        return
    if application != _APPLICATION_ID:
        raise JournalError("not-a-journal", f"{path} is a database of another program")
    if version > FORMAT:
        raise JournalError("newer-version", f"{path} has format {version}, this program knows up to {FORMAT}")


def _time_of(raw: bytes, path: Path, stream: str) -> int:
    try:
        return rec.decode(raw).at
    except rec.RecordError as error:
        raise JournalError("damaged", f"{path}: last record of {stream}: {error}") from None


def _translate(error: sqlite3.DatabaseError, path: Path) -> JournalError:
    code = {"SQLITE_NOTADB": "not-a-journal", "SQLITE_CORRUPT": "damaged", "SQLITE_CANTOPEN": "unreadable"}
    return JournalError(code.get(getattr(error, "sqlite_errorname", ""), "unreadable"), f"{path}: {error}")
