"""Who on this machine says that its wall clock is right: the kernel or systemd, where NTP has told them, and a clock
that goes on while the machine is off.
"""

from __future__ import annotations

import ctypes
import time
from pathlib import Path
from typing import NamedTuple

_TIMEX_BYTES = 512  # more than any kernel's struct timex; all zero: nothing is set
_TIME_ERROR = 5
_SANE_MS = 1_750_000_000_000  # June 2025: no wall clock that is right is earlier


class Sources(NamedTuple):
    """Where they are asked. ``libc``: what has `ntp_adjtime(3)`, None: this program's own."""

    timesync: Path = Path("/run/systemd/timesync/synchronized")
    clocks: Path = Path("/sys/class/rtc")
    libc: str | None = None

    def ntp(self) -> bool:
        """Whether NTP has set the wall clock in this boot."""
        return self.wall_ms() >= _SANE_MS and (kernel_synchronised(self.libc) or self.timesync.exists())

    def keeps_time(self) -> bool:
        """Whether the wall clock may be right without anybody: the machine has a battery's, or, as a container, no
        clock of its own. A Raspberry Pi before the fifth has none.
        """
        if self.wall_ms() < _SANE_MS:
            return False
        try:
            return next(self.clocks.iterdir(), None) is not None
        except OSError:
            return True

    def wall_ms(self) -> int:
        """The wall clock, UTC ms."""
        return time.time_ns() // 1_000_000


def kernel_synchronised(library: str | None = None) -> bool:
    """Whether the kernel was told that its wall clock is right (STA_UNSYNC, adjtimex(2)); False where it cannot say."""
    try:
        told = ctypes.CDLL(library).ntp_adjtime(ctypes.create_string_buffer(_TIMEX_BYTES))
    except (OSError, AttributeError):
        return False
    return told not in (-1, _TIME_ERROR)
