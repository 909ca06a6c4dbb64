"""A device's side of pings: how far its clock is from the director's."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from appliance.link.envelope import Ping, Pong
from appliance.link.offset import Offset

PING_S = 10.0
"""Between pings for the director's clock, after a few quick ones at the start."""

_QUICK_PINGS, _QUICK_PING_S = 4, 0.1
_PINGS_OUT = 8


class Pings:
    """``clock``: this device's milliseconds of the kind that the director's records are in. ``due``: the next one."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self.offset = Offset()
        """From ``clock`` to the director's."""
        self.mono = Offset()
        """From this device's monotonic clock to the director's, in milliseconds."""
        self.due: float | None = None
        self._clock = clock
        self._ids = itertools.count(1)
        self._quick = 0
        self._of = ""
        self._out: dict[str, tuple[int, float]] = {}

    def begin(self, director: str, now: float) -> None:
        """A director is there, or is there again; while there is nobody, clocks go on by the last one's."""
        if director != self._of:
            self._of = director
            self.offset.reset()
        self.mono.reset()
        self._out.clear()
        self.due = now
        self._quick = _QUICK_PINGS

    def director_clock(self) -> int | None:
        """UTC milliseconds by the director's clock, None until it has answered."""
        offset = self.offset.ms
        return None if offset is None else round(self._clock() + offset)

    def ping(self, now: float) -> Ping:
        """The next one."""
        number = str(next(self._ids))
        self._quick -= 1
        self.due = now + (_QUICK_PING_S if self._quick > 0 else PING_S)
        while len(self._out) >= _PINGS_OUT:
            del self._out[next(iter(self._out))]
        self._out[number] = (self._clock(), now * 1000)
        return Ping(number)

    def pong(self, pong: Pong, now: float) -> float | None:
        """Take an answer; when it was asked for, in seconds, None if nobody asked."""
        clock, mono = self._out.pop(pong.id, (None, 0.0))
        if clock is None:
            return None
        self.offset.add(clock, pong.at, self._clock())
        self.mono.add(mono, pong.mono, now * 1000)
        return mono / 1000
