"""What must not be forgotten when a kiosk starts anew: cards' read counters, and wrong PINs. On the device's disk.

A card that counts back is a copy, or has one.

Kept for cards that could not prove more (`Tier.WEAK`), and only what was accepted: a refused card must not be able to
spoil the counter of the one that it copies. A chip that is wiped and issued anew counts from zero again under another
serial number, which its signed record proves: so counters are kept by both, and with the new number's first one the
old number's record counts no more.
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
                "CREATE TABLE IF NOT EXISTS counter (uid TEXT, serial INTEGER, highest INTEGER NOT NULL,"
                " PRIMARY KEY (uid, serial)) WITHOUT ROWID"
            )
            self._file.execute(
                "CREATE TABLE IF NOT EXISTS pin (participant TEXT PRIMARY KEY, wrong INTEGER NOT NULL) WITHOUT ROWID"
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

    def highest(self, uid: str, serial: int = 0) -> int | None:
        """The highest counter kept of a card; None: none yet. ``serial``: the number in its record.

        `LAST`, which no card is above, once the same chip was accepted under a later serial number.
        """
        try:
            row = self._file.execute(
                "SELECT CASE serial WHEN ? THEN highest ELSE ? END FROM counter WHERE uid = ? AND serial >= ?"
                " ORDER BY serial DESC LIMIT 1",
                (serial, LAST, uid, serial),
            ).fetchone()
        except sqlite3.Error as error:
            raise CountersError(f"{self._path}: {error}") from None
        return None if row is None else int(row[0])

    def rise(self, uid: str, counter: int, serial: int = 0) -> bool:
        """Keep a counter, on the disk before this returns; False, and nothing is changed, unless it rose (and none of
        a later serial number is kept)."""
        if counter not in range(LAST + 1):
            raise ValueError("a counter of three bytes")
        try:
            changed = self._file.execute(
                "INSERT INTO counter SELECT ?, ?, ? WHERE NOT EXISTS"
                " (SELECT 1 FROM counter WHERE uid = ? AND serial > ?)"
                " ON CONFLICT DO UPDATE SET highest = excluded.highest WHERE excluded.highest > highest",
                (uid, serial, counter, uid, serial),
            )
        except sqlite3.Error as error:
            raise CountersError(f"{self._path}: {error}") from None
        return changed.rowcount == 1

    def wrong_pins(self, participant: str) -> int:
        """How many wrong PINs were typed for somebody since the last right one."""
        try:
            row = self._file.execute("SELECT wrong FROM pin WHERE participant = ?", (participant,)).fetchone()
        except sqlite3.Error as error:
            raise CountersError(f"{self._path}: {error}") from None
        return 0 if row is None else int(row[0])

    def keep_wrong_pins(self, participant: str, wrong: int) -> None:
        """Keep that number, on the disk before this returns."""
        try:
            self._file.execute("INSERT OR REPLACE INTO pin VALUES (?, ?)", (participant, wrong))
        except sqlite3.Error as error:
            raise CountersError(f"{self._path}: {error}") from None

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()
