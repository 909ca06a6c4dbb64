"""One run of the simulated reader: a thread that does what hands have done, in order, and talks with the cards."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable

from appliance.hw.dialogue import ask
from appliance.hw.ports import (
    CardLost,
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
from appliance.hw.simulated_card import Laid

log = logging.getLogger(__name__)

STOP_S = 0.9
"""How long `SimulatedRun.stop` waits for a dialog that goes on."""


class SimulatedRun:
    """From start to stop. ``plugged``: whether the cable is in, as the hands know it."""

    def __init__(self, name: str, sink: Sink, dialog: Dialog | None, plugged: Callable[[], bool]) -> None:
        self.state = ReaderState.STOPPED
        self._name = name
        self._sink = sink
        self._dialog = dialog
        self._plugged = plugged
        self._occupied = False
        self._ended = threading.Event()
        self._telling = threading.Lock()
        self._jobs: queue.SimpleQueue[tuple[Callable[[], None], threading.Event] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name=f"reader {name}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End the thread. One that its dialog keeps is left behind, and tells nothing more."""
        with self._telling:
            self._ended.set()
        self._jobs.put(None)
        if self._thread is not threading.current_thread():
            self._thread.join(STOP_S)
        if self._thread.is_alive():
            log.warning("%s: a dialog goes on, left behind", self._name)

    def do(self, job: Callable[[], None]) -> None:
        """Have it done in turn, and wait for that; what a dialog does to its own card is done after it."""
        done = self.later(job)
        if self._thread is not threading.current_thread():
            while not done.wait(0.1) and not self._ended.is_set():
                pass

    def later(self, job: Callable[[], None]) -> threading.Event:
        """Have it done in turn; the event is set when it is."""
        done = threading.Event()
        self._jobs.put((job, done))
        return done

    def _work(self) -> None:
        while (item := self._jobs.get()) is not None and not self._ended.is_set():
            job, done = item
            job()
            done.set()

    # -- in the thread -----------------------------------------------------------------------------------

    def cable(self, plugged: bool) -> None:
        """The cable was put in or pulled."""
        self._occupied = False
        if plugged:
            self.tell(ReaderOnline(self._name), ReaderState.ONLINE)
        else:
            self.tell(ReaderOffline(self._name, Offline.NO_READER), ReaderState.OFFLINE)

    def came(self, laid: Laid) -> None:
        """A card was put there: told once it has been asked, by a reader that is plugged in."""
        if self.state is not ReaderState.ONLINE:
            return
        event = self._read(laid, time.monotonic_ns())
        if self._plugged():
            self._occupied = True
            self.tell(event)
        if laid.gone:
            self.left()

    def _read(self, laid: Laid, at_ns: int) -> CardPresented | CardUnreadable:
        if isinstance(laid.what, Unreadable):
            return CardUnreadable(self._name, laid.what, at_ns)
        uid = laid.what if isinstance(laid.what, str) else laid.what.uid.hex().upper()
        try:
            reading = ask(self._dialog, laid.channel(self._there), uid, reader=self._name)
        except CardLost as lost:
            return CardUnreadable(self._name, lost.why, at_ns)
        return CardPresented(self._name, uid, at_ns, reading)

    def _there(self) -> bool:
        return self._plugged() and not self._ended.is_set()

    def left(self) -> None:
        """The card was taken away."""
        if self._occupied:
            self._occupied = False
            self.tell(CardRemoved(self._name, time.monotonic_ns()))

    def tell(self, event: ReaderEvent, state: ReaderState | None = None) -> None:
        with self._telling:
            if not self._ended.is_set():
                self.state = state or self.state
                self._sink(event)
