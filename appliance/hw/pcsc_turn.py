"""One thread that talks with pcscd for a PC/SC reader, and what its guard must know of it (`appliance.hw.pcsc_run`)."""

from __future__ import annotations

import contextlib
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator

from appliance.hw.pcsc_codes import Lost
from appliance.hw.pcsc_run import Run, Visit
from appliance.hw.pcsc_service import Service
from appliance.hw.ports import CardRemoved, Offline, ReaderEvent, Unreadable

REOPEN_S = 0.5
"""Pause before pcscd is tried again: the longest deafness after its return."""

LATE_S = 2.0
"""How long an answer of pcscd's may be overdue before it counts as hung."""

GRACE_S = 0.25
"""A dialog ends itself at its deadline, between two commands; the guard waits so much longer."""

ROUSE_S = 0.1
"""How often a turn is woken that pcscd kept hanging."""


class LeftBehind(Exception):
    """This turn was given up: another thread has taken over, and nothing of it is told any more."""


class _Hung(Exception):
    """pcscd has answered at last, and the reader was told offline meanwhile."""


class Turn(ABC):
    """One thread that talks with pcscd."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.deadline = 0.0
        self._service: Service | None = None
        self._thread = threading.Thread(target=self._work, name=f"reader {run.name}", daemon=True)

    @abstractmethod
    def watch(self, service: Service) -> None:
        """Tell what happens until the end; raises `Lost` when the service is gone."""

    def start(self) -> None:
        self._thread.start()

    def join(self, timeout: float) -> bool:
        """Wake the thread and wait for it to end; whether it has.

        The waking is a thread's own, for it, too, waits for a pcscd that hangs.
        """
        waker = threading.Thread(target=self._wake, args=(timeout,), name=f"waker {self.run.name}", daemon=True)
        waker.start()
        self._thread.join(timeout)
        if self._thread.is_alive():
            return False
        waker.join(timeout)
        return True

    def rouse(self) -> None:
        """End the wait that a pcscd begins when it is no longer hung; returns at once."""
        threading.Thread(target=self._wake_once_back, name=f"waker {self.run.name}", daemon=True).start()

    def _wake_once_back(self) -> None:
        while self.run.hung and not self.left_behind():
            self._cancel()
            self.run.ended.wait(ROUSE_S)

    def _wake(self, timeout: float) -> None:
        """Cancel the wait until the thread has ended."""
        for _ in range(50):
            self._cancel()
            self._thread.join(timeout / 50)
            if not self._thread.is_alive():
                return

    def _cancel(self) -> None:
        """pcsc-lite forgets a cancellation that comes before the wait: one is not enough."""
        if service := self._service:
            service.cancel()

    def left_behind(self) -> bool:
        """Whether another has taken over, or the run is at its end."""
        return not self.run.owned(self)

    def _work(self) -> None:
        with contextlib.suppress(LeftBehind):
            self._work_on()

    def _work_on(self) -> None:
        while not self.left_behind():
            try:
                self._watch_service()
            except _Hung:
                self.run.slots.clear()
            except Lost as lost:
                self.go_offline(lost.why, str(lost))
                self.run.slots.clear()
                self.run.ended.wait(REOPEN_S)

    def _watch_service(self) -> None:
        with contextlib.ExitStack() as stack:
            with self.asking():
                self._service = stack.enter_context(Service())
            self.watch(self._service)

    # -- what the guard must know ------------------------------------------------------------------------

    @contextlib.contextmanager
    def asking(self, patience: float = 0.0) -> Iterator[None]:
        """Around a call that pcscd answers at once, or after ``patience`` seconds."""
        self.run.expect(time.monotonic() + patience + LATE_S)
        try:
            yield
        finally:
            self._back()

    def _back(self) -> None:
        """pcscd has answered. Raises `LeftBehind`, and `_Hung` when nobody expected it any more."""
        run = self.run
        with run.locked():
            if self.left_behind():
                raise LeftBehind
            run.due = None
            run.alive_ns = time.monotonic_ns()
            if run.hung:
                run.hung = False
                raise _Hung

    @contextlib.contextmanager
    def visiting(self, slot: str, at_ns: int, seconds: float, *, again: bool) -> Iterator[None]:
        """Around the reading of a card, which has so many seconds (`deadline`)."""
        run = self.run
        self.deadline = time.monotonic() + seconds
        run.visit = Visit(slot, at_ns, again)
        run.expect(self.deadline + GRACE_S)
        try:
            yield
        finally:
            with run.locked():
                if self.left_behind():
                    raise LeftBehind
                run.visit = None
            self._back()

    def heard_of(self) -> None:
        """The card being read is ours: from now on it is the card that takes long."""
        if visit := self.run.visit:
            visit.why = Unreadable.MUTE

    # -- what is told ------------------------------------------------------------------------------------

    def tell(self, event: ReaderEvent) -> None:
        """Tell, unless another does by now."""
        with self._mine():
            self.run.tell(event)

    def card_left(self, slot: str, at_ns: int) -> None:
        """Tell that the card on a slot has left, if one was told of."""
        with self._mine():
            self.run.unread.pop(slot, None)
            if slot in self.run.occupied:
                self.run.occupied.discard(slot)
                self.run.tell(CardRemoved(self.run.name, at_ns))

    def go_online(self) -> None:
        with self._mine():
            self.run.online()

    def go_offline(self, why: Offline, detail: str) -> None:
        with self._mine():
            self.run.offline(why, detail)

    @contextlib.contextmanager
    def _mine(self) -> Iterator[None]:
        with self.run.locked():
            if self.left_behind():
                raise LeftBehind
            yield
