"""Pulse width modulation by a thread, for pins without it: good enough to dim a lamp, too coarse for a servo."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class SoftPwm:
    """Switches a pin ``frequency`` times a second, on for the ``duty`` share of it (0 to 1).

    The thread runs only while duty is neither 0 nor 1. ``write`` is called from it and from the setter; an OSError
    from it ends the thread and goes to ``lost``.
    """

    def __init__(self, frequency: float, write: Callable[[bool], None], lost: Callable[[OSError], None]) -> None:
        self.frequency = frequency
        self._write, self._lost = write, lost
        self._duty = 0.0
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    @property
    def duty(self) -> float:
        return self._duty

    @duty.setter
    def duty(self, duty: float) -> None:
        self._end()
        self._duty = duty
        if 0.0 < duty < 1.0:
            self._thread = threading.Thread(target=self._run, args=(duty,), name="soft pwm", daemon=True)
            self._thread.start()
        else:
            self._write(duty >= 1.0)

    def close(self) -> None:
        """End the thread; the pin stays as it is."""
        self._end()

    def _end(self) -> None:
        with self._changed:
            thread, self._thread = self._thread, None
            self._changed.notify()
        if thread and thread is not threading.current_thread():
            thread.join()

    def _run(self, duty: float) -> None:
        me, on, due = threading.current_thread(), True, time.monotonic()
        try:
            while True:
                self._write(on)
                due += (duty if on else 1.0 - duty) / self.frequency
                on = not on
                with self._changed:
                    if self._thread is not me or self._changed.wait_for(
                        lambda: self._thread is not me, timeout=max(0.0, due - time.monotonic())
                    ):
                        return
        except OSError as error:
            self._lost(error)
