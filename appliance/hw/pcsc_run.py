"""One run of a PC/SC reader, from start to stop: its threads, what they have told, and who notices that one hangs.

A call into pcscd may never return: pcscd is stopped, its driver waits for a reader that fell silent, a card holds up
its answer. Each call is therefore made by a *turn*, a thread with a connection to pcscd of its own, and a guard that
never calls pcscd knows until when it must be back:

- a card that keeps a turn too long is told unreadable, the turn is left behind, and a new one goes on from the same
  state of the slots, so that removals and the other slots are seen;
- where pcscd itself does not answer, the reader is told offline, and everything begins anew once it does.
"""

from __future__ import annotations

import contextlib
import logging
import math
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from appliance.hw.ports import (
    CardUnreadable,
    Offline,
    ReaderEvent,
    ReaderOffline,
    ReaderOnline,
    ReaderState,
    Sink,
    Unreadable,
)

if TYPE_CHECKING:
    from appliance.hw.pcsc_turn import Turn

log = logging.getLogger(__name__)

STOP_S = 0.9
"""How long `Run.stop` waits for the thread; it takes a few milliseconds unless something hangs."""

RETRIES = 3
"""How many times a card that could not be read is tried again while it is held there."""

IDLE_S = 60.0
"""How long the guard sleeps where nothing is due."""


class Visit:
    """A card that is being read: where, since when, whether ``again``, and what to say of it if that takes too long.

    Until it has given its UID what takes long is a program that holds it: pcsc-lite waits for the end of others'
    transactions, for ever.
    """

    def __init__(self, slot: str, at_ns: int, again: bool) -> None:
        self.slot = slot
        self.at_ns = at_ns
        self.again = again
        self.why = Unreadable.BUSY


class Run:
    """What is known and told of a reader, and its guard; ``new_turn`` makes the one who talks with pcscd."""

    def __init__(self, name: str, sink: Sink, new_turn: Callable[[Run], Turn]) -> None:
        self.name = name
        self.state = ReaderState.STOPPED
        self.alive_ns = 0
        self.ended = threading.Event()
        self.slots: dict[str, int] = {}
        self.occupied: set[str] = set()
        self.unread: dict[str, int] = {}
        self.hung = False
        self.visit: Visit | None = None
        self.due: float | None = None
        self._sink = sink
        self._new_turn = new_turn
        self._changed = threading.Condition(threading.RLock())
        self._guard_sleeps_until = math.inf
        self._why: Offline | None = None
        self._guard = threading.Thread(target=self._watch_over, name=f"guard {name}", daemon=True)

    def start(self) -> None:
        self._take_over()
        self._guard.start()

    def _take_over(self) -> None:
        self.turn = self._new_turn(self)
        self.turn.start()

    def stop(self) -> None:
        """End the threads. One that a card or pcscd keeps hanging is left behind, and tells nothing more."""
        with self._changed:
            self.ended.set()
            self._changed.notify_all()
        if not self.turn.join(STOP_S):
            log.warning("%s: hangs in pcscd, left behind", self.name)
        self._guard.join(STOP_S)

    def owned(self, turn: Turn) -> bool:
        """Whether this turn is the one that counts."""
        return self.turn is turn and not self.ended.is_set()

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else changes what is known, or tells, inside."""
        with self._changed:
            yield

    def expect(self, due: float) -> None:
        """Have the guard look at ``due`` (monotonic) whether `due` still holds."""
        self.due = due
        if due < self._guard_sleeps_until:
            with self._changed:
                self._changed.notify_all()

    def tell(self, event: ReaderEvent, state: ReaderState | None = None) -> None:
        """Tell an event; whoever calls holds the lock."""
        if not self.ended.is_set():
            self.state = state or self.state
            self._sink(event)

    def online(self) -> None:
        """Tell that the reader works; nothing when that is known."""
        if self.state is not ReaderState.ONLINE:
            log.info("%s: online", self.name)
            self._why = None
            self.tell(ReaderOnline(self.name), ReaderState.ONLINE)

    def offline(self, why: Offline, detail: str) -> None:
        """Tell why it does not, and forget the cards; nothing is told when that is known."""
        self.occupied.clear()
        self.unread.clear()
        if why is not self._why:
            log.warning("%s: offline, %s: %s", self.name, why, detail)
            self._why = why
            self.tell(ReaderOffline(self.name, why), ReaderState.OFFLINE)

    def _watch_over(self) -> None:
        """The guard: asleep until something is due."""
        with self._changed:
            while not self.ended.is_set():
                now = time.monotonic()
                if self.due is not None and now >= self.due:
                    self._overdue()
                due = self.due
                self._guard_sleeps_until = now + IDLE_S if due is None else due
                self._changed.wait(self._guard_sleeps_until - now)
                self._guard_sleeps_until = math.inf

    def _overdue(self) -> None:
        self.due = None
        if visit := self.visit:
            log.warning("%s: a card keeps its reader for too long, left behind", self.name)
            self._give_up(visit)
            self._take_over()
        elif not self.hung:
            self.hung = True
            self.turn.rouse()
            self.offline(Offline.NO_SERVICE, "pcscd does not answer")

    def _give_up(self, visit: Visit) -> None:
        """Tell of a card that takes too long; one that others hold is tried again, a few times."""
        self.visit = None
        if not visit.again:
            self.tell(CardUnreadable(self.name, visit.why, visit.at_ns))
            if visit.why is Unreadable.BUSY:
                self.unread[visit.slot] = RETRIES
        elif not self.unread.get(visit.slot):
            self.unread.pop(visit.slot, None)
