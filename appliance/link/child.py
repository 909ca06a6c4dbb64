"""A broker's process: watched through what it says, started again when it ends, gone when its program is.

The thread that starts it reads its standard error: that line ends when the process does, so nothing is polled. It is
also the thread whose end the kernel tells the process of (`appliance.orphan`).
"""

from __future__ import annotations

import logging
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from appliance.link.client import Backoff
from appliance.orphan import die_with_parent

_FIRST_S, _LONGEST_S = 0.1, 5.0
_STEADY_S = 10.0
_STOP_S, _TOLD_AGAIN_S = 5.0, 0.2
_RUNNING = " running"
"""What mosquitto says once it listens and heeds signals."""

_log = logging.getLogger(__name__)


class Child:
    """One process of mosquitto in ``folder``. ``name``: what it is called in the log."""

    def __init__(self, command: Sequence[str], folder: Path, name: str) -> None:
        self._command = command
        self._folder = folder
        self._name = name
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._ready = self._stale = self._renewing = False
        self._over = threading.Event()
        self._news = threading.Event()
        self._backoff = Backoff(_FIRST_S, _LONGEST_S)
        self._failures = 0
        self._last_words: deque[str] = deque(maxlen=4)
        self._thread = threading.Thread(target=self._run, name=f"broker-{name}", daemon=True)

    @property
    def pid(self) -> int | None:
        """The process as it is now."""
        process = self._process
        return process.pid if process and process.returncode is None else None

    def start(self) -> None:
        """Start it, and again whenever it ends, in the background."""
        self._thread.start()

    def wait_for_news(self, seconds: float) -> None:
        """Until it listens or has ended for the first time."""
        self._news.wait(seconds)

    def reload(self) -> None:
        """Have it read its files again, as soon as it can hear."""
        with self._lock:
            if self._process and self._ready:
                self._process.send_signal(signal.SIGHUP)
            else:
                self._stale = True

    def restart(self) -> None:
        """Have it end, and start anew at once."""
        with self._lock:
            if self._process and self._process.poll() is None:
                self._renewing = True
                self._process.kill()

    def stop(self) -> None:
        """End it in order; after five seconds, by force."""
        with self._lock:
            self._over.set()
        until = time.monotonic() + _STOP_S
        while self._thread.is_alive() and (process := self._process):
            # again and again: mosquitto forgets what it was told in the moment between its start and its first look
            process.terminate() if time.monotonic() < until else process.kill()
            self._thread.join(_TOLD_AGAIN_S)

    # -- in the thread -----------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._over.is_set():
            began = time.monotonic()
            try:
                process = self._spawn()
            except OSError as error:
                self._wait(f"cannot be started: {error}")
                continue
            if process is None:
                return
            with process:
                for line in process.stderr or ():
                    self._heard(line.decode(errors="replace").strip())
            code = process.returncode
            renewed = self._renewing
            self._ready = self._renewing = False
            if renewed or self._over.is_set():
                continue
            if time.monotonic() - began > _STEADY_S:
                self._backoff.reset()
                self._failures = 0
            errors = [line for line in self._last_words if "Error" in line]
            self._wait(": ".join([f"ended with {code}", *errors]), in_order=code == 0)

    def _spawn(self) -> subprocess.Popen[bytes] | None:
        with self._lock:
            if self._over.is_set():
                return None
            self._stale = False
            self._last_words.clear()
            self._process = subprocess.Popen(
                self._command,
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for the program above, which ends its broker last
                preexec_fn=die_with_parent(signal.SIGKILL),  # which it cannot miss; it keeps nothing
            )
            return self._process

    def _heard(self, line: str) -> None:
        _log.debug("%s: %s", self._name, line)
        self._last_words.append(line)
        if line.endswith(_RUNNING):
            with self._lock:
                self._ready = True
                if self._stale and self._process:
                    self._process.send_signal(signal.SIGHUP)
            self._news.set()

    def _wait(self, why: str, in_order: bool = False) -> None:
        """Wait before the next try; the 1st, 10th, 100th … in a row is told of.

        One that ended ``in_order`` was told to, as a service manager tells all programs of a service at once: the one
        above has a moment to hear of it, too.
        """
        seconds = self._backoff.next()
        self._failures += 1
        if in_order:
            self._news.set()
            if not self._over.wait(seconds):
                _log.warning("the broker (%s) was told to end, not by its director; it is started again", self._name)
            return
        if str(self._failures).strip("0") == "1":
            taken = " (is an older one still there?)" if "in use" in why else ""
            _log.error("the broker (%s) %s%s; it is started again", self._name, why, taken)
        self._news.set()
        self._over.wait(seconds)
