"""The file of a journal: its layout, how it is made, opened and recognised."""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

FORMAT = 1
"""Version of the file's layout; a file with a higher one is refused, never guessed at."""

_APPLICATION_ID = 0x54534A31  # "TSJ1", so that `file` and we know a journal from any other database
_PAGE_BYTES = 1024
_CHECKPOINT_PAGES = 1000  # 1 MB: a page that is rewritten often reaches the main file seldom
_PIECE = 4096
_DEFLATE_FROM = 4096  # a group's records say much the same: they shrink to a third, and a card wears out slower
_SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE line (id INTEGER PRIMARY KEY, stream TEXT NOT NULL, epoch TEXT NOT NULL, UNIQUE (stream, epoch)) STRICT;
CREATE TABLE block (key INTEGER PRIMARY KEY, raw BLOB NOT NULL, sig BLOB) STRICT;
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


def open_to_write(path: Path, entropy: Callable[[int], bytes]) -> sqlite3.Connection:
    """The file's connection, in the modes of its one writer; a file that is not there, or empty, is made.

    Raises `JournalError`.
    """
    try:
        if not path.exists() or not path.stat().st_size:
            _make(path, entropy)
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


def open_to_read(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing, beside the writer's or alone. Raises `JournalError`."""
    return _opened(path, "ro")


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


def translate(error: sqlite3.Error, path: Path) -> JournalError:
    """SQLite's trouble with a file, in our codes."""
    code = {"SQLITE_NOTADB": "not-a-journal", "SQLITE_CORRUPT": "damaged", "SQLITE_CANTOPEN": "unreadable"}
    return JournalError(code.get(getattr(error, "sqlite_errorname", ""), "unreadable"), f"{path}: {error}")


def _make(path: Path, entropy: Callable[[int], bytes]) -> None:
    """Lay a file out beside its place and move it there: whoever finds a journal finds a whole one."""
    fresh = path.with_name(f".{path.name}.new")
    fresh.unlink(missing_ok=True)
    db = sqlite3.connect(fresh, isolation_level=None)
    try:
        db.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
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
    except sqlite3.Error as error:
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
