"""Slips of paper at a door, each once: what happened in the rounds' streams, and the seats that people were told.

A slip is known by the record it is about (a seat slip by the seat). What was given to the printer and what was printed
is kept in a small file: a slip that a restart may have cut off is printed again, marked as a copy. For the engine
thread; the printer has its own, so nothing here waits for paper.
"""

from __future__ import annotations

import logging
import sqlite3
from collections import deque
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from appliance import slipfacts
from appliance.config import Config
from appliance.display import prompt as show
from appliance.engine import Engine, history, records
from appliance.game.state import Round
from appliance.hw.printer_ports import Printer, PrinterChanged, PrinterEvent, PrinterState
from appliance.i18n import Translator
from appliance.record import Record
from appliance.slips.contents import Occasion, Printing, Seat, seat_slip
from appliance.slips.slip import Slip

RECENT_MS = 3_600_000
"""What happened longer ago was on paper long since, or nobody waits for it any more."""

_log = logging.getLogger(__name__)


class DoorSlips:
    """The slips of one kiosk; without a printer nothing is done."""

    def __init__(self, printer: Printer | None, config: Config, folder: Path) -> None:
        self._printer = printer if config.device.role == "door" else None
        self._how = Printing(Translator(config.printer.language or config.language))
        self._venue = config.venue.called
        self._folder = folder
        self._book: _Book | None = None
        self._out: deque[str] = deque()
        self._waiting: deque[tuple[str, Slip]] = deque()  # for room in the printer's queue
        self.trouble: PrinterState | None = None

    def start(self, engine: Engine, now_ms: int) -> None:
        """Look for what happened while this program did not run, and for slips that its end may have cut off."""
        if self._printer is None:
            return
        self._book = _Book(self._folder / "slips.db")
        for stream, ledger in engine.states.items():
            if stream.startswith("round/") and ledger.round is not None:
                recent = records(engine.journal, stream, history(engine.journal, stream), None)
                self.happened(recent, (ledger.round,), now_ms)

    def stop(self) -> None:
        """Let go of the file."""
        if self._book is not None:
            self._book.close()

    def happened(self, fresh: Iterable[Record], rounds: Sequence[Round], now_ms: int) -> None:
        """Records of rounds are here."""
        if self._book is None:
            return
        by_stream = {f"round/{round.id}": round for round in rounds}
        for record in fresh:
            round = by_stream.get(record.stream)
            if round is None or now_ms - record.at > RECENT_MS:
                continue
            for key, slip in slipfacts.slips_of(record, round, self._venue, self._how):
                self._print(key, slip)

    def seat_told(self, seat: show.YourSeat, rounds: Sequence[Round], now_ms: int) -> None:
        """Somebody has tapped and was told their seat: on paper, the first time they sit there."""
        round = next((r for r in rounds if seat.participant in r.players and r.tables), None)
        if self._book is None or round is None:
            return
        at = datetime.fromtimestamp(now_ms / 1000, UTC)
        about = Occasion(round.id, slipfacts.name_of(round), self._venue, seat.participant, at)
        key = f"seat {round.id} {seat.participant} {seat.table}-{seat.seat}"
        self._print(key, seat_slip(about, Seat(seat.table, seat.seat), self._how))

    def told(self, event: PrinterEvent) -> None:
        """The printer has printed a slip, or is in another state."""
        if isinstance(event, PrinterChanged):
            self.trouble = None if event.state is PrinterState.ONLINE else event.state
        elif self._out and self._book is not None:
            self._book.printed(self._out.popleft())
        while self._waiting and self._give(*self._waiting[0]):
            self._waiting.popleft()

    def _print(self, key: str, slip: Slip) -> None:
        if self._book is None or key in self._out or any(key == waiting for waiting, _ in self._waiting):
            return
        known = self._book.known(key)
        if known == "printed":
            return
        slip = slip.as_copy() if known else slip
        if self._waiting or not self._give(key, slip):
            self._waiting.append((key, slip))

    def _give(self, key: str, slip: Slip) -> bool:
        """Give the printer a slip; False when it takes none now."""
        if self._printer is None or self._book is None or self._printer.print(slip) is not None:
            return False
        self._book.given(key)
        self._out.append(key)
        return True


class _Book:
    """Which slips were given to the printer, and which it printed. A disk that fails costs copies, never a tap."""

    def __init__(self, path: Path) -> None:
        self._memory: dict[str, str] = {}
        self._file: sqlite3.Connection | None = None
        try:
            self._file = sqlite3.connect(path, isolation_level=None)
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = NORMAL")  # a power cut may cost a copy; no tap waits for a disk
            self._file.execute("CREATE TABLE IF NOT EXISTS slip (key TEXT PRIMARY KEY, state TEXT) WITHOUT ROWID")
            self._memory = dict(self._file.execute("SELECT key, state FROM slip"))
        except sqlite3.Error as error:
            _log.error("slips: %s: %s", path, error)

    def known(self, key: str) -> str | None:
        """ "given", "printed" or nothing."""
        return self._memory.get(key)

    def given(self, key: str) -> None:
        self._write(key, "given")

    def printed(self, key: str) -> None:
        self._write(key, "printed")

    def _write(self, key: str, state: str) -> None:
        self._memory[key] = state
        if self._file is None:
            return
        try:
            self._file.execute("INSERT OR REPLACE INTO slip VALUES (?, ?)", (key, state))
        except sqlite3.Error as error:
            _log.error("slips: %s", error)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
