"""Hosts and programs of the chaos evening, and the service manager's part: what ended is started again."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from chaos import nets
from chaos.clocks import WallClock

_AGAIN_S = 0.7
"""How soon a program that ended is started again, as a service manager does."""
_DISK_MB = {"league": 64, "director": 24}


class Ended(NamedTuple):
    """A program ended although nobody killed it."""

    name: str
    code: int
    at: float


class Program:
    """A program in the process it has now; its output is kept in one log over all its lives."""

    def __init__(self, name: str, host: Host, command: list[str], log: Path, environment: Mapping[str, str]) -> None:
        self.name, self.host = name, host
        self._command, self._log = command, log
        self._environment = {**os.environ, **host.clock.environment, **environment}
        self.start_at: float | None = None
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, or start it again."""
        self.start_at = None
        with self._log.open("ab") as log:
            log.write(f"--- {time.strftime('%H:%M:%S')} started\n".encode())
            self.process = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env=self._environment,
                start_new_session=True, preexec_fn=self.host.inside(),
            )  # fmt: skip

    def kill(self, again_s: float) -> None:
        """kill -9; it is started again after so long."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None
        self.start_at = time.monotonic() + again_s

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal, if it runs."""
        if self.process is not None:
            self.process.send_signal(number)

    def look(self) -> int | None:
        """Start it again if it is time; its exit code if it has just ended by itself."""
        if self.start_at is not None and time.monotonic() >= self.start_at:
            self.start()
        if self.process is None or (code := self.process.poll()) is None:
            return None
        self.process, self.start_at = None, time.monotonic() + _AGAIN_S
        return code


class Host(nets.Host):
    """A host with its clock, its disk and its way to the broker."""

    def __init__(self, name: str, folder: Path, disk: Path, shim: Path, ahead_s: int) -> None:
        super().__init__(name)
        self.clock = WallClock(folder / f"{name}.clock", shim, ahead_s)
        self.disk = disk
        self.disk.mkdir(parents=True)
        nets.small_disk(self.disk, _DISK_MB.get(name, 12))
        self.full_from = self.full_until = 0.0

    def fill(self) -> None:
        """Leave no room on its disk."""
        self.full_from, self.full_until = time.monotonic(), float("inf")
        with (self.disk / "filler").open("ab") as filler, contextlib.suppress(OSError):
            for size in (65536, 512):
                with contextlib.suppress(OSError):
                    while True:
                        os.write(filler.fileno(), b"x" * size)

    def free(self) -> None:
        """Make room again."""
        (self.disk / "filler").unlink(missing_ok=True)
        self.full_until = time.monotonic()

    def was_full(self, at: float) -> bool:
        """Whether its disk was full around this moment."""
        return self.full_from <= at <= self.full_until + 5.0


def processes(text: str) -> list[int]:
    """The programs with this in their command line, but us."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            with contextlib.suppress(OSError):
                if text.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
    return found


def children(pid: int) -> list[int]:
    """The processes that one has started."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    return found


def runs(pid: int, program: str) -> bool:
    """Whether a process is this program."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/comm").read_text().strip() == program
    return False


def no_sockets(folder: str, names: list[str]) -> list[str]:
    """What `shutil.copytree` cannot or need not copy."""
    return [name for name in names if (Path(folder) / name).is_socket() or name == "filler"]
