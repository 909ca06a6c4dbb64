"""The file of a journal: its layout, how it is made, opened and recognised."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import NoneType
from typing import Any, NamedTuple

FORMAT = 1
"""Version of the file's layout; a file with a higher one is refused, never guessed at."""

SEQ_BITS = 40
SEQ_MASK = (1 << SEQ_BITS) - 1
_LINES = 1 << (63 - SEQ_BITS)  # a key is a signed number of 64 bits

_APPLICATION_ID = 0x54534A31  # "TSJ1", so that `file` and we know a journal from any other database
_PAGE_BYTES = 1024
_CHECKPOINT_PAGES = 1000  # 1 MB: a page that is rewritten often reaches the main file seldom
_PIECE = 4096
_DEFLATE_FROM = 4096  # a group's records say much the same: they shrink to a third, and a card wears out slower
_FAULTS_NAMED = 3
_TROUBLE = (sqlite3.Error, UnicodeDecodeError)  # the latter for a name in the schema that is no longer text
_NOT_THE_FILE = ("BUSY", "LOCKED", "CANTOPEN", "IOERR", "PERM", "READONLY", "NOMEM", "FULL", "PROTOCOL", "INTERRUPT")
_SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE line (id INTEGER PRIMARY KEY, stream TEXT NOT NULL, epoch TEXT NOT NULL, UNIQUE (stream, epoch)) STRICT;
CREATE TABLE block (key INTEGER PRIMARY KEY, raw BLOB NOT NULL, sig BLOB) STRICT;
CREATE TABLE answer (id BLOB PRIMARY KEY, line INTEGER NOT NULL, body BLOB NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE cursor (peer TEXT NOT NULL, stream TEXT NOT NULL, epoch TEXT NOT NULL, upto INTEGER NOT NULL,
                     PRIMARY KEY (peer, stream, epoch)) STRICT, WITHOUT ROWID;
CREATE TABLE writer (device TEXT PRIMARY KEY, public TEXT NOT NULL) STRICT, WITHOUT ROWID;
"""


class LineRow(NamedTuple):
    """A line's row: its number, and the epoch of the stream that it stands for."""

    number: int
    stream: str
    epoch: str


class JournalError(OSError):
    """The file cannot serve as a journal; ``code`` says why (``not-a-journal``, ``newer-version``, ``damaged``…)."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


def open_to_write(path: Path, entropy: Callable[[int], bytes]) -> sqlite3.Connection:
    """The file's connection, in the modes of its one writer; a file that is not there, or empty, is made.

    A damaged file stays as it is. Raises `JournalError`.
    """
    try:
        if not path.exists() or not path.stat().st_size:
            _make(path, entropy)
        if path.with_name(f"{path.name}-journal").exists():
            _opened(path, "rw").close()  # killed as an older version turned the log on: that has to be rolled back
        open_to_read(path).close()  # a writer that closes a file moves its log into it: so look without writing first
    except JournalError:
        raise
    except sqlite3.Error as error:
        raise translate(error, path) from error
    except OSError as error:
        raise JournalError("unreadable", f"{path}: {error.strerror}") from error
    db = _opened(path, "rw")
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
    db.execute("SELECT 1 FROM meta").fetchone()  # from the first look on the log is there
    _make_room(path)
    return db


def open_to_read(path: Path, *, whole: bool = True) -> sqlite3.Connection:
    """A connection that changes nothing, beside the writer's or alone. Raises `JournalError`.

    ``whole``: only if SQLite finds nothing wrong in all of the file (12 ms for 10 MB, once read from the disk).
    """
    db = _opened(path, "ro")
    try:
        if whole and (fault := structure_fault(db, path)):
            raise JournalError("damaged", f"{path}: {fault}")
    except JournalError:
        db.close()
        raise
    return db


def structure_fault(db: sqlite3.Connection, path: Path) -> str | None:
    """What SQLite itself finds wrong in the file, None if nothing: a flipped bit may hide rows without an error."""
    found = [str(row[0]) for row in rows(db, path, f"PRAGMA integrity_check({_FAULTS_NAMED})")]
    if found == ["ok"]:
        return None
    named = [line for text in found for line in text.splitlines() if not line.startswith("***")]
    return "; ".join(named[:_FAULTS_NAMED])


def rows(
    db: sqlite3.Connection,
    path: Path,
    sql: str,
    values: Sequence[object] = (),
    kinds: Sequence[type | tuple[type, ...]] = (),
) -> Iterator[tuple[Any, ...]]:
    """The rows of a query, their values of ``kinds``. Raises `JournalError`, also for what SQLite finds out late."""
    try:
        for row in db.execute(sql, values):
            if not all(map(isinstance, row, kinds)):
                raise JournalError("damaged", f"{path}: a value that is none of {', '.join(map(str, kinds))}")
            yield row
    except _TROUBLE as error:
        raise translate(error, path) from error


@contextlib.contextmanager
def snapshot(db: sqlite3.Connection, path: Path) -> Iterator[None]:
    """What is read within is one state of the file, whatever its writer commits meanwhile. Raises `JournalError`."""
    try:
        db.execute("BEGIN")
    except _TROUBLE as error:
        raise translate(error, path) from error
    try:
        yield
    finally:
        if db.in_transaction:
            db.rollback()


def key(line: int, seq: int) -> int:
    """The key of the block that ends with this record."""
    return line << SEQ_BITS | seq


def lines(db: sqlite3.Connection, path: Path) -> list[LineRow]:
    """The rows of all lines. Raises `JournalError`."""
    found = rows(db, path, "SELECT id, stream, epoch FROM line ORDER BY id", (), (int, str, str))
    return [LineRow(*row) for row in found]


def lines_fault(db: sqlite3.Connection, path: Path, held: Sequence[LineRow]) -> str | None:
    """What is missing of the lines ``held``, None if nothing is. Lines are numbered from 1 and never taken away."""
    numbers = {line.number for line in held}
    most = max(numbers, default=0)
    if missing := [number for number in range(1, min(most, _LINES)) if number not in numbers]:
        return f"line {missing[0]} is missing, of {most}"
    if numbers and not 0 < min(numbers) <= most < _LINES:
        return f"a line has the number {min(numbers) if min(numbers) < 1 else most}"
    outside = "SELECT key FROM block WHERE key < ? OR key >= ? LIMIT 1"
    if row := next(rows(db, path, outside, (key(1, 0), key(most + 1, 0))), None):
        return f"line {row[0] >> SEQ_BITS} is missing: there are records of it"
    answers = "SELECT line FROM answer WHERE line < 1 OR line > ? LIMIT 1"
    if row := next(rows(db, path, answers, (most,)), None):
        return f"line {row[0]} is missing: there are answers to commands of it"
    return None


def last_block(db: sqlite3.Connection, path: Path, line: int) -> tuple[int, bytes] | None:
    """Number and bytes of a line's last record, None if it has none. Raises `JournalError`."""
    sql = "SELECT key, raw FROM block WHERE key >= ? AND key < ? ORDER BY key DESC LIMIT 1"
    for at, block in rows(db, path, sql, (key(line, 0), key(line + 1, 0)), (int, bytes)):
        return at & SEQ_MASK, unpack(block, path)[-1]
    return None


def records(
    db: sqlite3.Connection, path: Path, line: int, after: int = 0, upto: int | None = None
) -> Iterator[tuple[bytes, bytes | None]]:
    """A line's records behind ``after``, up to ``upto`` (None: all), each with its signature or None.

    Raises `JournalError` (``damaged``) where one is missing: each row must begin where the one before it ended.
    """
    for raws, sig in blocks(db, path, line, after, upto):
        for raw in raws[:-1]:
            yield raw, None
        yield raws[-1], sig


def blocks(
    db: sqlite3.Connection, path: Path, line: int, after: int = 0, upto: int | None = None
) -> Iterator[tuple[list[bytes], bytes | None]]:
    """The same row by row: what a row has of these records, at least one, and the signature of its last."""
    reached = after
    sql = "SELECT key, raw, sig FROM block WHERE key BETWEEN ? AND ? ORDER BY key"
    ends = key(line, after + 1), key(line, SEQ_MASK if upto is None else upto)
    for at, block, sig in rows(db, path, sql, ends, (int, bytes, (bytes, NoneType))):
        raws = unpack(block, path)
        last = at & SEQ_MASK
        first = last - len(raws) + 1
        if first != reached + 1 and not (reached == after and 1 <= first <= after):
            raise JournalError("damaged", f"{path}: record {first} follows record {reached}")
        yield (raws[after + 1 - first :] if first <= after else raws), sig
        reached = last
    if upto is not None and reached < upto:
        raise JournalError("damaged", f"{path}: nothing follows record {reached}, of {upto}")


def pack(raws: Sequence[bytes]) -> bytes:
    """Records as they stand in a row."""
    block = b"\n".join(raws)
    return block if len(block) < _DEFLATE_FROM else zlib.compress(block, 1)


def unpack(block: bytes, path: Path) -> list[bytes]:
    """The records of a row, at least one. Raises `JournalError` (``damaged``)."""
    if not block.startswith(b"{"):
        try:
            block = zlib.decompress(block)
        except zlib.error as error:
            raise JournalError("damaged", f"{path}: {error}") from error
    return block.split(b"\n")


def translate(error: sqlite3.Error | UnicodeDecodeError, path: Path) -> JournalError:
    """SQLite's trouble with a file, in our codes. What is not the trouble of reaching it is the file's own."""
    name = getattr(error, "sqlite_errorname", "").removeprefix("SQLITE_")
    if name == "NOTADB":
        code = "not-a-journal"
    elif name != "IOERR_SHORT_READ" and name.startswith(_NOT_THE_FILE):
        code = "unreadable"
    else:
        code = "damaged"
    return JournalError(code, f"{path}: {error}")


def _make(path: Path, entropy: Callable[[int], bytes]) -> None:
    """Lay a file out beside its place and move it there: whoever finds a journal finds a whole one.

    It has a write-ahead log from the start: turning that on later is a change that a reader could not take back.
    """
    fresh = path.with_name(f".{path.name}.new")
    for rest in ("", "-wal", "-shm", "-journal"):
        fresh.with_name(f"{fresh.name}{rest}").unlink(missing_ok=True)
    db = sqlite3.connect(fresh, isolation_level=None)
    try:
        db.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
        db.execute("PRAGMA journal_mode = WAL")
        db.executescript(
            f"BEGIN IMMEDIATE; {_SCHEMA} INSERT INTO meta VALUES ('journal', '{entropy(8).hex()}');"
            f"PRAGMA application_id = {_APPLICATION_ID}; PRAGMA user_version = {FORMAT}; COMMIT;"
        )
    finally:
        db.close()
    fresh.replace(path)
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _make_room(path: Path) -> None:
    """Lengthen the write-ahead log to what it will need, so that no commit waits for the file to grow.

    A commit into blocks that are there takes half the time. SQLite never reads beyond the frames it wrote. A disk
    without so much room keeps what it has left: for the records themselves, and for others.
    """
    log = path.with_name(f"{path.name}-wal")
    wanted = _CHECKPOINT_PAGES * (_PAGE_BYTES + 24)
    try:
        with log.open("r+b", buffering=0) as file:
            used = file.seek(0, os.SEEK_END)
            try:
                # piece by piece: what comes in one piece the kernel keeps, and writes again with each commit, as one
                while (size := file.seek(0, os.SEEK_END)) < wanted:
                    file.write(bytes(min(_PIECE, wanted - size)))
                os.fsync(file.fileno())
            except OSError:
                file.truncate(used)
    except OSError:
        return


def _opened(path: Path, mode: str) -> sqlite3.Connection:
    db: sqlite3.Connection | None = None
    try:
        db = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            timeout=5,
        )
        _check_format(db, path)
    except _TROUBLE as error:
        if db is not None:
            db.close()
        raise translate(error, path) from error
    except JournalError:
        if db is not None:
            db.close()
        raise
    return db


def _check_format(db: sqlite3.Connection, path: Path) -> None:
    application = db.execute("PRAGMA application_id").fetchone()[0]
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if application != _APPLICATION_ID:
        raise JournalError("not-a-journal", f"{path} is a database of another program")
    if version > FORMAT:
        raise JournalError("newer-version", f"{path} has format {version}, this program knows up to {FORMAT}")
