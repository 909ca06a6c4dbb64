"""Readers behind PC/SC: one thread sleeps in pcscd until a card moves, reads its UID and goes back to sleep.

pyscard's own monitor is not used: it loses the taps of a slow observer and dies with pcscd. Here the blocking
SCardGetStatusChange (PC/SC part 5; pcsc-lite's API) is asked directly. pcscd counts a reader's insertions and
removals in the high word of its state, so that movements made while a card was being read are not missed.
Whatever fails, everything is closed and opened again, for as long as the reader is started.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping

from appliance.hw.pcsc_service import (
    ABSENT_READER,
    MUTE,
    UNAWARE,
    Lost,
    Move,
    NotRead,
    Service,
    moves,
    wanted_slots,
)
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

STOP_S = 1.0
"""How long `PcscReader.stop` waits for the thread; it takes a few milliseconds unless something hangs."""

REOPEN_S = 0.5
"""Pause before pcscd is tried again: the longest deafness after its return."""

LOOK_MS = 1000
"""How long to wait for a first reader before listing again. pcscd tells of new readers only to those who wait
already, so one that comes between the list and the wait is seen at the next list."""

WATCH_MS = 60_000
"""The same while a reader works: then only a second reader can come unseen."""


RETRY_MS = 500
RETRIES = 3
"""How often, and how many times, a card that gave no UID is tried again while it is held there."""


class PcscReader:
    """A `Reader` for all PC/SC readers whose name contains ``wanted``, ignoring case.

    With nothing wanted it takes every reader but the SAM slots some have for key chips. It is online while at
    least one of them works.
    """

    def __init__(self, wanted: str = "", *, name: str = "pcsc") -> None:
        self._name = name
        self._wanted = wanted
        self._watcher: _Watcher | None = None

    @property
    def name(self) -> str:
        return self._name

    @property
    def state(self) -> ReaderState:
        watcher = self._watcher
        return watcher.state if watcher else ReaderState.STOPPED

    @property
    def alive_ns(self) -> int:
        watcher = self._watcher
        return time.monotonic_ns() if watcher and watcher.alive else 0

    def start(self, sink: Sink, dialog: Dialog | None = None) -> None:
        if self._watcher:
            raise RuntimeError(f"{self._name}: already started")
        self._watcher = _Watcher(self._name, self._wanted, sink)
        self._watcher.start()

    def stop(self) -> None:
        watcher, self._watcher = self._watcher, None
        if watcher:
            watcher.stop()


class _Watcher:
    """One run of a reader, from start to stop, with its thread."""

    def __init__(self, name: str, wanted: str, sink: Sink) -> None:
        self.state = ReaderState.STOPPED
        self._name = name
        self._wanted = wanted
        self._sink = sink
        self._ended = threading.Event()
        self._telling = threading.Lock()
        self._service: Service | None = None
        self._occupied: set[str] = set()
        self._unread: dict[str, int] = {}
        self._why: Offline | None = None
        self._thread = threading.Thread(target=self._run, name=f"reader {name}", daemon=True)

    @property
    def alive(self) -> bool:
        """Whether the thread runs: pcscd wakes it when a reader or pcscd itself goes."""
        return self._thread.is_alive()

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End the thread. One that a card or pcscd keeps hanging is left behind, and tells nothing more."""
        with self._telling:
            self._ended.set()
        waker = threading.Thread(target=self._wake, name=f"waker {self._name}", daemon=True)
        waker.start()
        self._thread.join(STOP_S)
        if self._thread.is_alive():
            log.warning("%s: hangs in pcscd, left behind", self._name)
        else:
            waker.join(STOP_S)

    def _wake(self) -> None:
        """Cancel the wait until the thread has ended.

        More than once, for pcsc-lite forgets a cancellation that comes before the wait; in a thread of its own,
        for the cancellation, too, waits for a pcscd that hangs.
        """
        for _ in range(50):
            if service := self._service:
                service.cancel()
            self._thread.join(STOP_S / 50)
            if not self._thread.is_alive():
                return

    def _run(self) -> None:
        while not self._ended.is_set():
            try:
                with Service() as self._service:
                    self._watch(self._service)
            except Lost as lost:
                self._go_offline(lost.why, str(lost))
                self._ended.wait(REOPEN_S)

    def _watch(self, service: Service) -> None:
        """Tell what happens until the end; raises `Lost` when the service is gone."""
        slots: dict[str, int] = {}
        while not self._ended.is_set():
            names = wanted_slots(service.readers(), self._wanted)
            if not names:
                self._go_offline(Offline.NO_READER, f"no reader named {self._wanted!r}")
            for name in slots.keys() - set(names):
                self._card_left(name, time.monotonic_ns())
            slots = {name: slots.get(name, UNAWARE) for name in names}
            news = service.wait(slots, RETRY_MS if self._unread else WATCH_MS if slots else LOOK_MS)
            now = time.monotonic_ns()
            self._tell_state(slots | news)
            for name, state in news.items():
                self._tell_moves(service, name, moves(slots[name], state), state, now)
            for name in self._unread.keys() - news.keys():
                self._try_again(service, name, slots[name], now)
            slots |= news

    def _tell_state(self, slots: Mapping[str, int]) -> None:
        known = [state for state in slots.values() if state != UNAWARE]
        if any(not state & ABSENT_READER for state in known):
            self._go_online()
        elif known:
            self._go_offline(Offline.FAILED, "pcscd cannot talk to it")

    def _tell_moves(self, service: Service, slot: str, happened: list[Move], state: int, at_ns: int) -> None:
        """Tell of cards that came and left; only the last that came can still be there to be read."""
        for number, move in enumerate(happened, 1):
            if move is Move.LEFT:
                self._card_left(slot, at_ns)
                continue
            self._occupied.add(slot)
            if number < len(happened):
                self._tell(CardUnreadable(self._name, Unreadable.GONE, at_ns))
                continue
            event = self._read(service, slot, state, at_ns)
            if isinstance(event, CardUnreadable):
                self._unread[slot] = RETRIES
            self._tell(event)

    def _try_again(self, service: Service, slot: str, state: int, at_ns: int) -> None:
        """Read a card that is still there; tells only of success."""
        self._unread[slot] -= 1
        event = self._read(service, slot, state, at_ns)
        if isinstance(event, CardPresented):
            self._tell(event)
        if isinstance(event, CardPresented) or not self._unread[slot]:
            del self._unread[slot]

    def _read(self, service: Service, slot: str, state: int, at_ns: int) -> CardPresented | CardUnreadable:
        try:
            uid = service.uid(slot)
        except NotRead as failure:
            return CardUnreadable(self._name, failure.why, at_ns)
        if state & MUTE and moves(state, service.look(slot)):
            # pcsc-lite is 0.4 s late with a mute card; this is another's UID, and that card will be told next
            return CardUnreadable(self._name, Unreadable.GONE, at_ns)
        return CardPresented(self._name, uid, at_ns)

    def _card_left(self, slot: str, at_ns: int) -> None:
        self._unread.pop(slot, None)
        if slot in self._occupied:
            self._occupied.discard(slot)
            self._tell(CardRemoved(self._name, at_ns))

    def _go_online(self) -> None:
        if self.state is not ReaderState.ONLINE:
            log.info("%s: online", self._name)
            self._why = None
            self._tell(ReaderOnline(self._name), ReaderState.ONLINE)

    def _go_offline(self, why: Offline, detail: str) -> None:
        self._occupied.clear()
        self._unread.clear()
        if why is not self._why:
            log.warning("%s: offline, %s: %s", self._name, why, detail)
            self._why = why
            self._tell(ReaderOffline(self._name, why), ReaderState.OFFLINE)

    def _tell(self, event: ReaderEvent, state: ReaderState | None = None) -> None:
        with self._telling:
            if not self._ended.is_set():
                self.state = state or self.state
                self._sink(event)
