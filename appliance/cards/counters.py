"""The highest read counter seen of each card, on this device's disk: a card that counts back is a copy.

Kept for cards that could not prove more (`Tier.WEAK`), and only what was accepted: a refused card must not be able to
spoil the counter of the one that it copies.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from types import TracebackType

LAST = 0xFFFFFF
"""A card's counter has three bytes."""


class CountersError(OSError):
    """The counters cannot be read or kept: without them no card may be believed on its signature alone."""


class Counters:
    """For one thread. Everything raises `CountersError` when the disk fails."""

    def __init__(self, path: Path) -> None:
        try:
            self._file = sqlite3.connect(path, isolation_level=None)
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = FULL")  # what was accepted stays accepted after a power cut
            self._file.execute(
                "CREATE TABLE IF NOT EXISTS counter (uid TEXT PRIMARY KEY, highest INTEGER NOT NULL) WITHOUT ROWID"
            )
        except sqlite3.Error as error:
            raise CountersError(f"{path}: {error}") from None
        self._path = path

    def __enter__(self) -> Counters:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def highest(self, uid: str) -> int | None:
        """The highest counter kept of a card; None: none yet."""
        try:
            row = self._file.execute("SELECT highest FROM counter WHERE uid = ?", (uid,)).fetchone()
        except sqlite3.Error as error:
            raise CountersError(f"{self._path}: {error}") from None
        return None if row is None else int(row[0])

    def rise(self, uid: str, counter: int) -> bool:
        """Keep a counter, on the disk before this returns; False, and nothing is changed, unless it rose."""
        if counter not in range(LAST + 1):
            raise ValueError("a counter of three bytes")
        try:
            changed = self._file.execute(
                "INSERT INTO counter VALUES (?, ?) ON CONFLICT (uid) DO UPDATE SET highest = excluded.highest"
                " WHERE excluded.highest > highest",
                (uid, counter),
            )
        except sqlite3.Error as error:
            raise CountersError(f"{self._path}: {error}") from None
        return changed.rowcount == 1

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()
