"""A device's side of pings: how far its clock is from the director's."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from appliance.link.envelope import Ping, Pong
from appliance.link.offset import Offset

PING_S = 10.0
"""Between pings for the director's clock, after a few quick ones at the start."""

ANSWER_S, AGAIN_S, ASKED = 3.0, 1.0, 3
"""How long an answer may take; then it is asked again each second. Who has not answered the third time is silent."""

_QUICK_PINGS, _QUICK_PING_S = 4, 0.1
_POOR_MS, _EAGER_PINGS, _EAGER_PING_S = 10.0, 10, 1.0  # while answers come so late, a few more: screens agree by them
_PINGS_OUT = 8


class Pings:
    """``clock``: this device's milliseconds of the kind that the director's records are in."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self.offset = Offset()
        """From ``clock`` to the director's."""
        self.mono = Offset()
        """From this device's monotonic clock to the director's, in milliseconds."""
        self._next: float | None = None
        self._last = 0.0
        self._asked = 0
        self._asked_at: float | None = None
        self._clock = clock
        self._ids = itertools.count(1)
        self._quick = self._eager = 0
        self._of = ""
        self._serves = True
        self._out: dict[str, tuple[int, float]] = {}

    def begin(self, director: str, now: float, *, serves: bool = True) -> None:
        """A director is there, or is there again. While there is nobody that ``serves``, clocks go on by the last
        one's: who is about to take over may have to hear what time it is.
        """
        self._serves = serves
        if serves and director != self._of:
            self._of = director
            self.offset.reset()
        self.mono.reset()
        self._out.clear()
        self._next = now
        self._quick = _QUICK_PINGS
        self._eager = _EAGER_PINGS
        self.heard()

    def end(self) -> None:
        """Nobody is there."""
        self._next = self._asked_at = None

    def heard(self) -> None:
        """The director has said something, whatever it is."""
        self._asked_at = None

    def doubt(self, now: float) -> None:
        """Somebody has reason to ask at once, and to wait less for the answer than usual."""
        if self._next is not None and self._asked_at is None:
            self._next, self._last = now, now
            self._asked_at, self._asked = now - ANSWER_S + AGAIN_S, ASKED - 1

    @property
    def due(self) -> float | None:
        """When the next one is due; None while nobody is there. Only one that is not answered wakes anybody sooner."""
        if self._next is None or self._asked_at is None:
            return self._next
        return min(self._next, max(self._asked_at + ANSWER_S, self._last + AGAIN_S))

    def silent(self, now: float) -> bool:
        """Whether the director has said nothing although it was asked again."""
        late = self._asked_at is not None and now >= max(self._asked_at + ANSWER_S, self._last + AGAIN_S)
        return late and self._asked >= ASKED

    def director_clock(self) -> int | None:
        """UTC milliseconds by the director's clock, None until it has answered."""
        offset = self.offset.ms
        return None if offset is None else round(self._clock() + offset)

    def ping(self, now: float) -> Ping:
        """The next one."""
        number = str(next(self._ids))
        if self._asked_at is None:
            self._asked_at, self._asked = now, 1
        elif now >= self._asked_at + ANSWER_S:
            self._asked += 1
        self._last = now
        self._quick -= 1
        self._next = now + self._pause()
        while len(self._out) >= _PINGS_OUT:
            del self._out[next(iter(self._out))]
        self._out[number] = (self._clock(), now * 1000)
        return Ping(number)

    def _pause(self) -> float:
        if self._quick > 0:
            return _QUICK_PING_S
        if self._eager > 0 and (self.offset.error_ms or 0.0) > _POOR_MS:
            self._eager -= 1
            return _EAGER_PING_S
        return PING_S

    def pong(self, pong: Pong, now: float) -> float | None:
        """Take an answer; when it was asked for, in seconds, None if nobody asked."""
        clock, mono = self._out.pop(pong.id, (None, 0.0))
        if clock is None:
            return None
        if self._serves:
            self.offset.add(clock, pong.at, self._clock())
        self.mono.add(mono, pong.mono, now * 1000)
        return mono / 1000
