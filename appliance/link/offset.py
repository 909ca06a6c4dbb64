"""Offset: how far another machine's clock is from ours, from pings there and back. Pure.

An answer took its stamp somewhere between our sending and receiving, so the true offset lies within half the
round trip of the middle: the shortest round trip knows it best (as in NTP's clock filter, RFC 5905 §10).
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

SAMPLES = 5
"""The shortest of the last so many counts: older ones would know nothing of the clocks' drift. One each ten
seconds: clocks that drift by 50 ppm are 3 ms apart after all of them, where screens may differ by 50 (CK-2)."""

_SLACK_MS = 2.0  # stamps are whole milliseconds


class _Sample(NamedTuple):
    offset: float
    error: float


class Offset:
    """Milliseconds to add to our clock to get theirs, with the most it can be wrong."""

    def __init__(self) -> None:
        self._samples: deque[_Sample] = deque(maxlen=SAMPLES)

    def add(self, sent: float, theirs: float, received: float) -> None:
        """One ping: our clock when it left, theirs when it was there, ours when the answer came (all ms)."""
        if received < sent:
            return
        error = (received - sent) / 2
        new = _Sample(theirs - sent - error, error)
        best = self._best()
        if best is not None and abs(new.offset - best.offset) > new.error + best.error + _SLACK_MS:
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
        """How far the estimate may be off."""
        best = self._best()
        return best.error if best else None

    def _best(self) -> _Sample | None:
        return min(self._samples, key=lambda sample: sample.error, default=None)
