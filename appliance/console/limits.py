"""How much a stranger may ask for: so much at once, and so much a second, by address; and what the log hears of it."""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable

_KEPT = 2000
"""Addresses whose measure is kept: with one more the one that was longest silent is forgotten."""

_TOLD_EVERY_S = 60.0
_log = logging.getLogger(__name__)


class Measure:
    """A bucket for each address, which holds ``burst`` and fills by ``a_second``. For one thread."""

    def __init__(self, burst: float, a_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst, self._a_second, self._clock = burst, a_second, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, address: str) -> bool:
        """Take one out; False if there is none."""
        now = self._clock()
        left, at = self._left.pop(address, (self._burst, now))
        left = min(self._burst, left + (now - at) * self._a_second)
        allowed = left >= 1
        self._left[address] = (left - 1 if allowed else left, now)
        if len(self._left) > _KEPT:
            self._left.popitem(last=False)
        return allowed


class Sparingly:
    """Counts what was turned away, and says so at most once a minute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._count, self._told_at = 0, float("-inf")

    def note(self, address: str) -> None:
        """One more, lately of that address."""
        self._count += 1
        if self._clock() - self._told_at >= _TOLD_EVERY_S:
            _log.warning("%d requests that no phone signed were turned away, lately of %s", self._count, address)
            self._count, self._told_at = 0, self._clock()
