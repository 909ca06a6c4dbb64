"""A copy of an SQLite database through SQLite itself, which sees one moment of a database in use."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from django.db import connections

from league.backups.archive import BackupError, Counted

_WAIT_S = 20.0


def dump(alias: str, into: Path) -> Counted:
    """See `league.backups.engines.Engine`."""
    into.touch(0o600, exist_ok=False)
    with _reading(_place(alias)) as source:
        source.execute("VACUUM INTO ?", [str(into)])  # without the pages in which something deleted may still stand
    with _reading(into) as copy:
        return _counted(copy)


def check(copy: Path) -> None:
    """See `league.backups.engines.Engine`."""
    with _reading(copy) as database:
        wrong = [row[0] for row in database.execute("PRAGMA integrity_check(3)")]
        if wrong != ["ok"]:
            raise BackupError(f"the copy is damaged: {'; '.join(wrong)}")
        if loose := database.execute("PRAGMA foreign_key_check").fetchone():
            raise BackupError(f"the copy is damaged: a row of {loose[0]} belongs to none of {loose[2]}")


def load(alias: str, copy: Path, mark: str) -> None:
    """See `league.backups.engines.Engine`."""
    place = _place(alias)
    connections[alias].close()
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _said(place), contextlib.closing(sqlite3.connect(copy)) as source:
        source.execute(f"CREATE TABLE {mark} (unfinished INTEGER)")
        source.commit()
        with contextlib.closing(sqlite3.connect(place, timeout=1.0)) as database:
            # leaving WAL needs the file for oneself alone: whoever else is connected is found out by it
            database.execute("PRAGMA journal_mode=DELETE")
            source.backup(database)
            database.execute("PRAGMA journal_mode=WAL")
    place.chmod(0o600)


def count(alias: str) -> Counted:
    """See `league.backups.engines.Engine`."""
    place = _place(alias)
    if not place.exists():
        return Counted({}, [])
    with _reading(place) as database:
        return _counted(database)


def number_from(alias: str, table: str, after: int) -> None:
    """See `league.backups.engines.Engine`."""
    with connections[alias].cursor() as cursor:
        cursor.execute("UPDATE sqlite_sequence SET seq = max(seq, %s) WHERE name = %s", [after, table])
        if cursor.rowcount == 0:
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, after])


def _place(alias: str) -> Path:
    return Path(str(connections[alias].settings_dict["NAME"]))


@contextlib.contextmanager
def _reading(place: Path) -> Iterator[sqlite3.Connection]:
    with (
        _said(place),
        contextlib.closing(sqlite3.connect(f"file:{quote(str(place))}?mode=ro", uri=True, timeout=_WAIT_S)) as database,
    ):
        yield database


@contextlib.contextmanager
def _said(place: Path) -> Iterator[None]:
    """What SQLite finds wrong, as a `BackupError`."""
    try:
        yield
    except sqlite3.Error as error:
        busy = error.sqlite_errorcode in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
        why = "others are using it: stop serve and ingest first" if busy else str(error)
        raise BackupError(f"{place}: {why}") from None


def _counted(database: sqlite3.Connection) -> Counted:
    names = database.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    )
    tables = sorted(row[0] for row in names)
    rows = {name: database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in tables}
    if "django_migrations" not in rows:
        return Counted(rows, [])
    applied = database.execute("SELECT app || '.' || name FROM django_migrations ORDER BY 1")
    return Counted(rows, [row[0] for row in applied])
