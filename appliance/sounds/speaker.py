"""A device's voice: what its screen and its reader lead to, made heard where and when it may be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from appliance.hw.buzzer import quiet
from appliance.hw.panel import Signal
from appliance.sounds.cue import CLOCK, Cue
from appliance.sounds.listening import Ear, RoundView

BREATH_S = 2.0
"""The clock says at most one thing in so long: a rehearsal's minutes pass in a second."""
COUNT_S = 0.7
"""And a count is one of seconds."""

_TAPS = {
    Signal.ACCEPTED: Cue.ACCEPTED,
    Signal.WEAK: Cue.WEAK,
    Signal.REFUSED: Cue.REFUSED,
    Signal.AGAIN: Cue.AGAIN,
}


class Sounder(Protocol):
    """What makes a cue heard."""

    def play(self, cue: Cue) -> None:
        """Make it heard now or not at all; returns at once, from any thread."""


class Speaker:
    """Plays ``heard`` cues on ``sounder``; ``minute`` is the minute of the venue's day, ``monotonic`` in seconds.

    An `Indicator` for taps, from any thread; views are followed by one.
    """

    def __init__(
        self,
        sounder: Sounder,
        heard: frozenset[Cue],
        *,
        minute: Callable[[], int],
        monotonic: Callable[[], float],
        quiet_from: str = "",
        quiet_to: str = "",
    ) -> None:
        self._sounder, self._heard = sounder, heard
        self._minute, self._monotonic = minute, monotonic
        self._quiet = quiet_from, quiet_to
        self._ear = Ear()
        self._played: dict[bool | Cue, float] = {}

    def show(self, signal: Signal) -> None:
        """A tap was answered."""
        if (cue := _TAPS.get(signal)) is not None:
            self._say(cue)

    def follow(self, view: RoundView) -> None:
        """The screen shows this now."""
        now = self._monotonic()
        for cue in self._ear.follow(view, now):
            kind, breath = (True, BREATH_S) if cue in CLOCK else (cue, COUNT_S)
            if now - self._played.get(kind, -BREATH_S) >= breath:
                self._played[kind] = now
                self._say(cue)

    def _say(self, cue: Cue) -> None:
        if cue in self._heard and not quiet(*self._quiet, self._minute()):
            self._sounder.play(cue)
