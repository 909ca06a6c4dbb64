"""Wall clocks that are wrong, and step while programs run: a library that moves CLOCK_REALTIME (libfaketime breaks
``time.sleep``, and time namespaces leave the wall clock alone)."""

from __future__ import annotations

import struct
import subprocess
from pathlib import Path

_SOURCE = Path(__file__).with_name("wallclock.c")


def library(folder: Path) -> Path:
    """Compile the library into a folder. Raises OSError or CalledProcessError where there is no compiler."""
    made = folder / "wallclock.so"
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", str(made), str(_SOURCE), "-ldl"], check=True)
    return made


class WallClock:
    """One host's. It can be set at any time; all programs of the host see it at once."""

    def __init__(self, file: Path, shim: Path, ahead_s: int) -> None:
        self._file = file
        self.ahead_s = ahead_s
        file.write_bytes(struct.pack("=q", ahead_s * 1_000_000_000))
        self.environment = {"LD_PRELOAD": str(shim), "CHAOS_CLOCK": str(file)}
        """Of the host's programs."""

    def step(self, seconds: int) -> None:
        """Set it forward, or back."""
        self.ahead_s += seconds
        with self._file.open("r+b") as file:  # in place: programs have it mapped
            file.write(struct.pack("=q", self.ahead_s * 1_000_000_000))
