"""What drivers with a thread of their own have in common: start, stop, going offline and coming back.

A driver writes a `Run`: `watch` opens its device and tells what happens until `ended` is set, and raises `Gone`
when the device is of no more use; it is then called again, for as long as the reader is started.
"""

from __future__ import annotations

import errno
import logging
import threading
import time
from abc import ABC, abstractmethod
from pathlib import Path

from appliance.hw.ports import (
    CardPresented,
    CardRemoved,
    CardUnreadable,
    Dialog,
    Offline,
    ReaderEvent,
    ReaderOffline,
    ReaderOnline,
    ReaderState,
    Sink,
    Unreadable,
)

log = logging.getLogger(__name__)

STOP_S = 0.9
"""How long `stop` waits for the thread; it takes a few milliseconds unless a device hangs."""

REOPEN_S = 0.5
"""Pause before a device that failed is tried again: the longest deafness after its return."""

WAKE_S = 0.02
"""How often a thread that should end is woken."""


class Gone(Exception):
    """The device failed or is not there: close everything and open it again."""

    def __init__(self, why: Offline, detail: str) -> None:
        super().__init__(detail)
        self.why = why


def why_gone(port: str, failure: BaseException) -> Offline:
    """Why a device on a port cannot be had: its port is not there (its cable is pulled), or it does not work."""
    missing = getattr(failure, "errno", None) in (errno.ENOENT, errno.ENXIO, errno.ENODEV)
    return Offline.NO_READER if missing or not Path(port).exists() else Offline.FAILED


class Run(ABC):
    """One run of a reader, from start to stop, with its thread."""

    def __init__(self, name: str, sink: Sink, dialog: Dialog | None) -> None:
        self.name = name
        self.dialog = dialog
        self.state = ReaderState.STOPPED
        self.alive_ns = 0
        self.ended = threading.Event()
        self._sink = sink
        self._telling = threading.Lock()
        self._why: Offline | None = None
        self._occupied = False
        self._thread = threading.Thread(target=self._run, name=f"reader {name}", daemon=True)

    @abstractmethod
    def watch(self) -> None:
        """Open the device and tell what happens, until `ended` is set; raises `Gone`."""

    @abstractmethod
    def wake(self) -> None:
        """Make `watch` look whether it should end; from another thread, and perhaps more than once."""

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End the thread. One that its device keeps hanging is left behind, and tells nothing more."""
        with self._telling:
            self.ended.set()
        deadline = time.monotonic() + STOP_S
        while self._thread.is_alive() and time.monotonic() < deadline:
            self.wake()
            self._thread.join(WAKE_S)
        if self._thread.is_alive():
            log.warning("%s: hangs in its device, left behind", self.name)

    def _run(self) -> None:
        while not self.ended.is_set():
            try:
                self.watch()
            except Gone as gone:
                self._go_offline(gone)
                self.ended.wait(REOPEN_S)

    def beat(self) -> int:
        """Note that thread and device live; returns the time of it."""
        self.alive_ns = time.monotonic_ns()
        return self.alive_ns

    def online(self) -> None:
        """Tell that the device works; nothing when that is known."""
        self.beat()
        if self.state is not ReaderState.ONLINE:
            log.info("%s: online", self.name)
            self._why = None
            self._tell(ReaderOnline(self.name), ReaderState.ONLINE)

    def _go_offline(self, gone: Gone) -> None:
        self._occupied = False
        if gone.why is not self._why:
            log.warning("%s: offline, %s: %s", self.name, gone.why, gone)
            self._why = gone.why
            self._tell(ReaderOffline(self.name, gone.why), ReaderState.OFFLINE)

    def presented(self, uid: str, at_ns: int, reading: object) -> None:
        self._occupied = True
        self._tell(CardPresented(self.name, uid, at_ns, reading))

    def unreadable(self, why: Unreadable, at_ns: int) -> None:
        self._occupied = True
        self._tell(CardUnreadable(self.name, why, at_ns))

    def removed(self, at_ns: int) -> None:
        """Tell that the card left, if one was told of."""
        if self._occupied:
            self._occupied = False
            self._tell(CardRemoved(self.name, at_ns))

    def _tell(self, event: ReaderEvent, state: ReaderState | None = None) -> None:
        with self._telling:
            if not self.ended.is_set():
                self.state = state or self.state
                self._sink(event)


class ThreadedReader(ABC):
    """A `Reader` that makes a `Run` at each start."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._current: Run | None = None

    @abstractmethod
    def new_run(self, sink: Sink, dialog: Dialog | None) -> Run:
        """The run that `start` starts; each driver has its own."""

    @property
    def name(self) -> str:
        return self._name

    @property
    def state(self) -> ReaderState:
        run = self._current
        return run.state if run else ReaderState.STOPPED

    @property
    def alive_ns(self) -> int:
        run = self._current
        return run.alive_ns if run else 0

    def start(self, sink: Sink, dialog: Dialog | None = None) -> None:
        if self._current:
            raise RuntimeError(f"{self._name}: already started")
        self._current = self.new_run(sink, dialog)
        self._current.start()

    def stop(self) -> None:
        run, self._current = self._current, None
        if run:
            run.stop()
