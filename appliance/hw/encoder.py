"""The door's knob for amounts: a rotary encoder, decoded by a table of states.

Two contacts open and close a quarter of a click apart. A contact that bounces goes to the next state and back, which
adds up to nothing, so a turned knob needs no debouncing in time; clicks are counted where the knob comes to rest.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Literal

from appliance.hw.panel import Turned

_ORDER = {(False, False): 0, (True, False): 1, (True, True): 2, (False, True): 3}
"""The states of (a, b), closed is True, in the order of a clockwise turn."""

_MOVES = {0: 0, 1: 1, 3: -1}
"""Quarters by the distance between two states, clockwise; 0 is a contact said to be where it was: an edge is lost."""

_RESTS = {1: frozenset({0, 1, 2, 3}), 2: frozenset({0, 2}), 4: frozenset({0})}


class Quadrature:
    """Counts whole clicks of an encoder that has ``quarters`` of them to a click; a and b as they are at first."""

    def __init__(self, quarters: Literal[1, 2, 4] = 4, *, a: bool = False, b: bool = False) -> None:
        self._quarters = quarters
        self._contacts = [a, b]
        self._moved = 0

    def edge(self, contact: int, closed: bool) -> int:
        """Contact 0 (a) or 1 (b) is closed or open now; returns the clicks this completes, clockwise positive."""
        before = _ORDER[self._contacts[0], self._contacts[1]]
        self._contacts[contact] = closed
        state = _ORDER[self._contacts[0], self._contacts[1]]
        self._moved += _MOVES[(state - before) % 4]
        if state not in _RESTS[self._quarters]:
            return 0
        clicks = int(self._moved / self._quarters)
        # a knob that did not rest at first has less than a click left over here
        self._moved = 0
        return clicks


class PanelEncoder:
    """A `Quadrature` on two pins; ``devices`` are the gpiozero InputDevices of a and b."""

    def __init__(
        self,
        name: str,
        devices: tuple[Any, Any],
        *,
        quarters: Literal[1, 2, 4],
        low_is_closed: bool,
        tell: Callable[[Turned], None],
    ) -> None:
        self._name, self._tell, self._low = name, tell, low_is_closed
        self._lock = threading.Lock()
        self._closed = False
        pins = [device.pin for device in devices]
        a, b = (self._is_closed(pin.state) for pin in pins)
        self._code = Quadrature(quarters, a=a, b=b)
        for pin, changed in zip(pins, (self._a_changed, self._b_changed), strict=True):
            pin.edges = "both"
            pin.when_changed = changed

    def close(self) -> None:
        """Tell nothing more."""
        with self._lock:
            self._closed = True

    def _is_closed(self, state: object) -> bool:
        return bool(state) != self._low

    def _a_changed(self, ticks: float, state: object) -> None:
        self._changed(0, ticks, state)

    def _b_changed(self, ticks: float, state: object) -> None:
        self._changed(1, ticks, state)

    def _changed(self, contact: int, ticks: float, state: object) -> None:
        with self._lock:
            clicks = 0 if self._closed else self._code.edge(contact, self._is_closed(state))
        if clicks:
            self._tell(Turned(self._name, clicks, round(ticks * 1e9)))
