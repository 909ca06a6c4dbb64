"""An X server for a test, that may die in it."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path
from types import TracebackType


class XServer:
    """Xvfb with a screen of 800x600; ``display`` is what DISPLAY calls it. Ends with its ``with`` block."""

    def __enter__(self) -> XServer:
        reading, writing = os.pipe()
        command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "800x600x24", "-nolisten", "tcp"]
        self._process = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as told:
            self._number = told.readline().strip()
        self.display = f":{self._number}"
        return self

    def send(self, number: signal.Signals) -> None:
        """Have it end or crash."""
        self._process.send_signal(number)

    def end(self, number: signal.Signals) -> None:
        """The same, and wait until it has."""
        self._process.send_signal(number)
        self._process.wait()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        for left in (f"/tmp/.X11-unix/X{self._number}", f"/tmp/.X{self._number}-lock"):
            Path(left).unlink(missing_ok=True)
