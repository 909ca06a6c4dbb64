"""Offset: how far another machine's clock is from ours, from pings there and back. Pure.

An answer took its stamp somewhere between our sending and receiving, so the true offset lies within half the
round trip of the middle: the shortest round trip knows it best, the longer ago the less (as in NTP's clock filter,
RFC 5905 §10).
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

SAMPLES = 30
"""So many are remembered. One each ten seconds: five minutes."""

DRIFT = 1e-4
"""How much faster one clock may run than the other: 50 ppm each. A sample is worse by that the older it is, so a good
one outlasts minutes in which the machines are busy, where screens may differ by 50 ms (CK-1)."""

_SLACK_MS = 2.0  # stamps are whole milliseconds


class _Sample(NamedTuple):
    offset: float
    error: float
    at: float

    def error_by(self, now: float) -> float:
        """How far it may be off by now."""
        return self.error + DRIFT * (now - self.at)


class Offset:
    """Milliseconds to add to our clock to get theirs, with the most it can be wrong."""

    def __init__(self) -> None:
        self._samples: deque[_Sample] = deque(maxlen=SAMPLES)

    def add(self, sent: float, theirs: float, received: float) -> None:
        """One ping: our clock when it left, theirs when it was there, ours when the answer came (all ms)."""
        if received < sent:
            return
        error = (received - sent) / 2
        new = _Sample(theirs - sent - error, error, received)
        best = self._best(received)
        if best is not None and abs(new.offset - best.offset) > new.error + best.error_by(received) + _SLACK_MS:
            self._samples.clear()  # both cannot be right: a clock has been set, and the newer one knows
        self._samples.append(new)

    def reset(self) -> None:
        """It is another machine now."""
        self._samples.clear()

    @property
    def ms(self) -> float | None:
        """The best estimate, None before the first answer."""
        best = self._best()
        return best.offset if best else None

    @property
    def error_ms(self) -> float | None:
        """How far the estimate may have been off at the last answer."""
        best = self._best()
        return best.error_by(self._samples[-1].at) if best else None

    def _best(self, now: float | None = None) -> _Sample | None:
        if not self._samples:
            return None
        at = self._samples[-1].at if now is None else now
        return min(self._samples, key=lambda sample: sample.error_by(at))
