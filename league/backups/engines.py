"""What both kinds of database can do for a backup: a copy of all of it at one moment, and a copy put in its place."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from django.db import connections

from league.backups import on_postgresql, on_sqlite
from league.backups.archive import BackupError, Counted, Vendor


class Engine(Protocol):
    """One kind of database."""

    def dump(self, alias: str, into: Path) -> Counted:
        """Copy all of a database as it is at one moment, while others go on writing. Raises `BackupError`."""

    def check(self, copy: Path) -> None:
        """Read all of a copy. Raises `BackupError` when it is damaged."""

    def load(self, alias: str, copy: Path, mark: str) -> None:
        """Put a copy in a database's place, all of it or nothing, with an empty table ``mark``.

        Raises `BackupError`; also when others are connected to the database, which is left alone then.
        """

    def count(self, alias: str) -> Counted:
        """What is in a database now; empty where there is none."""

    def number_from(self, alias: str, table: str, after: int) -> None:
        """Give the next row of a table an id beyond that one."""


_ENGINES: dict[Vendor, Engine] = {"sqlite": on_sqlite, "postgresql": on_postgresql}


def engine_of(alias: str) -> tuple[Vendor, Engine]:
    """A configured database's kind. Raises `BackupError`."""
    for vendor, engine in _ENGINES.items():
        if connections[alias].vendor == vendor:
            return vendor, engine
    raise BackupError(f"{connections[alias].vendor}: no such database is backed up")
