"""Buttons: from edges to presses and holds, with a debounce of our own on the monotonic clock.

A level counts once it has stood for the debounce time by the edges' own times, so neither a contact that bounces
nor a spike on a long wire makes a press, however late this process gets to see them. With a hold time a press is told
when the finger lifts, unless it was held: every press is told exactly once, as the one or the other.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from appliance.hw.alarms import Alarms
from appliance.hw.panel import Button, ButtonPressed


class Press:
    """One button as a state machine: edges and time in, presses out. Times in nanoseconds, monotonic.

    ``pressed``: the level when it is first looked at. A button that is down already was not pressed now: nothing
    is told until it has been up, but it can be stuck.
    """

    def __init__(
        self, name: Button, *, debounce_ns: int, hold_ns: int, stuck_ns: int, pressed: bool = False, at_ns: int = 0
    ) -> None:
        self.name = name
        self.stuck = False
        self._debounce_ns, self._hold_ns, self._stuck_ns = debounce_ns, hold_ns, stuck_ns
        self._level = self._settled = pressed
        self._since = self._last = self._began = at_ns
        self._told = pressed
        self._doubted = False

    def edge(self, pressed: bool, at_ns: int) -> list[ButtonPressed]:
        """The contact closed or opened at ``at_ns``. An edge older than the last one is told too late to count."""
        if at_ns < self._last:
            return []
        told = self._advance(at_ns)
        self._level, self._since, self._last = pressed, at_ns, at_ns
        self._doubted = False
        return told

    def tick(self, now_ns: int, pressed: bool) -> list[ButtonPressed]:
        """Time has come to `due_ns`; ``pressed`` is what the pin says now.

        If that is not what the last edge said, an edge is still under way, and its own time must decide: it is
        waited for once more. One that never comes is taken to be now, and nothing to have been held until now.
        """
        if pressed != self._level:
            if self._doubted:
                self._level, self._since, self._last = pressed, now_ns, now_ns
            self._doubted = not self._doubted
            return []
        self._doubted = False
        return self._advance(now_ns)

    def due_ns(self, now_ns: int) -> int | None:
        """When `tick` should be called next; None: not before the next edge."""
        if self._doubted:
            return now_ns + self._debounce_ns
        if self._level != self._settled:
            return self._since + self._debounce_ns
        if not self._settled or self.stuck:
            return None
        if not self._told and self._hold_ns:
            return self._began + self._hold_ns
        return self._began + self._stuck_ns

    def _advance(self, now_ns: int) -> list[ButtonPressed]:
        """What the time up to now makes of the level that stands since the last edge."""
        told: list[ButtonPressed] = []
        if self._level != self._settled and now_ns - self._since >= self._debounce_ns:
            told += self._settle()
        if not (self._settled and self._level):
            return told
        if not self._told and now_ns - self._began >= self._hold_ns:
            self._told = True
            held = self._hold_ns > 0
            told.append(ButtonPressed(self.name, self._began + self._hold_ns, held))
        if now_ns - self._began >= self._stuck_ns:
            self.stuck = True
        return told

    def _settle(self) -> list[ButtonPressed]:
        self._settled = self._level
        if self._settled:
            self._began, self._told = self._since, False
            return []
        self.stuck = False
        short, self._told = not self._told, True
        return [ButtonPressed(self.name, self._began)] if short else []


class PanelButton:
    """A `Press` on a pin: edges come from the chip's thread, time from the alarms.

    ``device`` is a gpiozero InputDevice. ``tell`` gets the presses, ``noticed`` is called when `stuck` changes;
    ``guard`` runs what may touch the pin from the alarms' thread, and minds a chip that is gone.
    """

    def __init__(
        self,
        press: Callable[[bool, int], Press],
        device: Any,
        *,
        low_is_pressed: bool,
        alarms: Alarms,
        tell: Callable[[ButtonPressed], None],
        noticed: Callable[[], None],
        guard: Callable[[Callable[[], None]], None],
    ) -> None:
        self._pin = device.pin
        self._low = low_is_pressed
        self._alarms = alarms
        self._tell, self._noticed, self._guard = tell, noticed, guard
        self._lock = threading.Lock()
        self._closed = False
        self._press = press(self._pressed(self._pin.state), alarms.now_ns())
        self._pin.edges = "both"
        self._pin.when_changed = self._changed
        # an edge before the line above was not told: look again
        alarms.at(self._key, alarms.now_ns(), self._due)

    def close(self) -> None:
        """Tell nothing more; the pin is not touched again."""
        with self._lock:
            self._closed = True
            self._alarms.cancel(self._key)

    @property
    def name(self) -> Button:
        return self._press.name

    @property
    def stuck(self) -> bool:
        return self._press.stuck

    @property
    def _key(self) -> str:
        return f"button {self._press.name}"

    def _pressed(self, state: object) -> bool:
        return bool(state) != self._low

    def _changed(self, ticks: float, state: object) -> None:
        """An edge, in the chip's thread; ``ticks`` is the kernel's time of it in seconds, monotonic."""
        self._do(lambda: self._press.edge(self._pressed(state), round(ticks * 1e9)))

    def _due(self) -> None:
        self._guard(self._tick)

    def _tick(self) -> None:
        if self._closed:
            return
        pressed = self._pressed(self._pin.state)
        self._do(lambda: self._press.tick(self._alarms.now_ns(), pressed))

    def _do(self, step: Callable[[], list[ButtonPressed]]) -> None:
        with self._lock:
            if self._closed:
                return
            was_stuck = self._press.stuck
            told = step()
            stuck = self._press.stuck
            self._arm()
        for press in told:
            self._tell(press)
        if stuck != was_stuck:
            self._noticed()

    def _arm(self) -> None:
        due_ns = self._press.due_ns(self._alarms.now_ns())
        if due_ns is None:
            self._alarms.cancel(self._key)
        else:
            self._alarms.at(self._key, due_ns, self._due)
