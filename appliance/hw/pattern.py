"""Signals as patterns in time, and who plays them: a light and a buzzer are the same thing with other lamps."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from msgspec import Struct

from appliance.hw.alarms import Alarms
from appliance.hw.panel import STANDING, Signal

Shown = TypeVar("Shown")


class Pattern(Generic[Shown], Struct, frozen=True):
    """What to show for how many milliseconds, one after another, once or until something else comes."""

    steps: tuple[tuple[Shown, int], ...] = ()
    repeat: bool = False


class Player(Generic[Shown]):
    """An `Indicator` that plays patterns; the hardware is touched by the alarms' thread only.

    ``apply`` puts something on the lamps. Nothing is set on the alarms while nothing changes, so what shows nothing, or
    one thing for good, wakes nobody. ``silent`` says whether a pattern is to be left out now. Before `begin` and
    after `pause` nothing is played, only remembered.
    """

    def __init__(
        self,
        key: str,
        patterns: Mapping[Signal, Pattern[Shown]],
        off: Shown,
        *,
        alarms: Alarms,
        apply: Callable[[Shown], None],
        silent: Callable[[], bool] = lambda: False,
    ) -> None:
        self._key, self._patterns, self._off = key, patterns, off
        self._alarms, self._apply, self._silent = alarms, apply, silent
        self._lock = threading.Lock()
        self._standing = Signal.IDLE
        self._number = 0
        self._playing = False

    def show(self, signal: Signal) -> None:
        with self._lock:
            if signal in STANDING:
                if signal is self._standing:
                    return
                self._standing = signal
            if self._playing:
                self._start(self._patterns.get(signal, Pattern()))

    def begin(self) -> None:
        """The lamps are there: show what stands."""
        with self._lock:
            self._playing = True
            self._start(self._resumed())

    def pause(self) -> None:
        """The lamps are gone."""
        with self._lock:
            self._playing = False
            self._number += 1
            self._alarms.cancel(self._key)

    def _resumed(self) -> Pattern[Shown]:
        """What shows after a signal has passed: a standing one, if it goes on. One that was told is not told again."""
        pattern = self._patterns.get(self._standing, Pattern())
        return pattern if pattern.repeat else Pattern()

    def _start(self, pattern: Pattern[Shown]) -> None:
        self._number += 1
        number, now_ns = self._number, self._alarms.now_ns()
        self._alarms.at(self._key, now_ns, lambda: self._play(pattern, 0, number, now_ns))

    def _play(self, pattern: Pattern[Shown], step: int, number: int, at_ns: int) -> None:
        """Show one step, in the alarms' thread, and see to it that the next one follows."""
        if step == 0 and self._silent():
            pattern = Pattern()
        shown, ms = pattern.steps[step] if pattern.steps else (self._off, 0)
        self._apply(shown)
        if not pattern.steps:
            return
        next_ns, following = at_ns + ms * 1_000_000, step + 1
        with self._lock:
            if number != self._number:
                return
            if following == len(pattern.steps):
                following, pattern = 0, pattern if pattern.repeat else self._resumed()
            self._alarms.at(self._key, next_ns, lambda: self._play(pattern, following, number, next_ns))
