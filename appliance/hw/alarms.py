"""One thread that does things at their time, for all of a panel: debouncing, holds, blinking.

It sleeps until the next thing is due, and for good when nothing is.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol

Action = Callable[[], None]


class Alarms(Protocol):
    """Does things at their time on the monotonic clock, one after another."""

    def now_ns(self) -> int:
        """The monotonic clock."""

    def at(self, key: str, due_ns: int, action: Action) -> None:
        """Do this then (at once when that is past); what was set under the same key before is forgotten."""

    def cancel(self, key: str) -> None:
        """Forget what was set under this key."""

    def close(self) -> None:
        """Forget all; nothing is begun any more."""


class AlarmThread:
    """`Alarms` in a thread of their own, which begins with the first thing to do."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._changed = threading.Condition()
        self._set: dict[str, tuple[int, Action]] = {}
        self._thread: threading.Thread | None = None
        self._closed = False
        self.woken = 0
        """How often the thread was awake: an idle panel adds nothing to it."""

    def now_ns(self) -> int:
        return time.monotonic_ns()

    def at(self, key: str, due_ns: int, action: Action) -> None:
        with self._changed:
            if self._closed:
                return
            self._set[key] = (due_ns, action)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
            self._changed.notify()

    def cancel(self, key: str) -> None:
        with self._changed:
            self._set.pop(key, None)

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._set.clear()
            self._changed.notify()
            thread = self._thread
        if thread and thread is not threading.current_thread():
            thread.join()

    def _run(self) -> None:
        while (action := self._next()) is not None:
            action()

    def _next(self) -> Action | None:
        """Sleep until something is due; None when closed."""
        with self._changed:
            while not self._closed:
                self.woken += 1
                if not self._set:
                    self._changed.wait()
                    continue
                key = min(self._set, key=lambda k: self._set[k][0])
                due_ns, action = self._set[key]
                left_ns = due_ns - self.now_ns()
                if left_ns <= 0:
                    del self._set[key]
                    return action
                self._changed.wait(left_ns / 1e9)
        return None
