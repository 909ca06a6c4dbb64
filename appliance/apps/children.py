"""Child processes of the demo: started with a log each, and gone when the demo is, however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

from appliance.fencing import FENCED
from appliance.orphan import die_with_parent

_STOP_S = 5.0


class ChildFailed(RuntimeError):
    """A child ended although nobody asked it to; the message ends with the last lines of its log."""


class Children:
    """A group of programs that live and die together."""

    def __init__(self, logs: Path) -> None:
        self._logs = logs
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Children:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def start(self, name: str, command: Sequence[str], env: Mapping[str, str] | None = None) -> int:
        """Start a program; its output goes to ``<logs>/<name>.log``. Returns its process id."""
        with (self._logs / f"{name}.log").open("ab") as log:
            self._running[name] = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(env or {})},
                start_new_session=True,  # Ctrl-C is the demo's alone; it then stops its children in order
                preexec_fn=die_with_parent(),
            )
        return self._running[name].pid

    def run(self, name: str, command: Sequence[str], env: Mapping[str, str] | None = None) -> None:
        """Run a program to its end; raises `ChildFailed` unless it succeeds."""
        self.start(name, command, env)
        code = self._running.pop(name).wait()
        if code:
            raise ChildFailed(f"{name} ended with {code}:\n{self._tail(name)}")

    def signal(self, name: str, number: signal.Signals) -> None:
        """Send a running child a signal."""
        self._running[name].send_signal(number)

    def check(self) -> None:
        """Raise `ChildFailed` if one has ended; a director that another one followed ends as it should."""
        for name, child in self._running.items():
            if child.poll() is not None and child.returncode != FENCED:
                if child.returncode == 0:
                    raise ChildFailed(f"{name} was closed, and the evening ends with it")
                raise ChildFailed(f"{name} ended with {child.returncode}:\n{self._tail(name)}")

    def stop(self) -> None:
        """Ask all to end, last started first, and kill those that will not."""
        running = list(reversed(self._running.values()))
        self._running.clear()
        for child in running:
            child.terminate()
        deadline = time.monotonic() + _STOP_S
        for child in running:
            try:
                child.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()

    def _tail(self, name: str) -> str:
        lines = (self._logs / f"{name}.log").read_text(errors="replace").splitlines()
        return "\n".join(lines[-12:])
