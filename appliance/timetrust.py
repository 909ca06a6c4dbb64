"""Whether this device's time is right, as far as it can tell (DESIGN §3).

The time goes on by the monotonic clock, so what was trusted stays so until a reboot. Then somebody else has to say that
it is right again: the kernel, where NTP has told it.
"""

from __future__ import annotations

import logging
import time
from pathlib import Path

from appliance.timebase import Timebase, boot_id, synchronised

NEAR_MS = 60_000
"""So far a wall clock that NTP keeps and the time here may be apart."""

BEHIND_MS = 5 * 60_000
"""A time that the league's word is so far ahead of is wrong: it cannot have come before it was written."""

_log = logging.getLogger(__name__)


class TimeTrust:
    """Kept in a data folder: in which boot of the kernel the time is trusted. A new folder trusts its first boot."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "time-trusted"
        self._boot = self._read()
        if self._boot is None:
            self._trust()

    def holds(self, now: Timebase, league_ms: int = 0) -> bool:
        """Whether the time may be trusted now. ``league_ms``: when the league wrote its latest word (UTC ms)."""
        if league_ms - now.now_ms() > BEHIND_MS:
            self._trust_only("")
            return False
        if self._boot and self._boot == boot_id():
            return True
        if not synchronised() or abs(now.now_ms() - time.time_ns() // 1_000_000) > NEAR_MS:
            return False
        self._trust()
        return True

    def _trust(self) -> None:
        self._trust_only(boot_id())

    def _trust_only(self, boot: str) -> None:
        if boot == self._boot:
            return
        self._boot = boot
        try:
            self._file.write_text(self._boot, encoding="utf-8")
        except OSError as error:
            _log.warning("%s: %s", self._file, error)

    def _read(self) -> str | None:
        try:
            return self._file.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError):
            return ""
