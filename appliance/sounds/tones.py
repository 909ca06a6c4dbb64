"""The waves of each cue: 16-bit mono samples, made of a few sines with soft edges. Pure.

Taps are two short notes, up for yes and low for no, so that nobody needs to see the screen; the clock strikes like a
bell, long and never loud; a count ticks. No note is higher than 1,100 Hz: above that small speakers shriek.
"""

from __future__ import annotations

import math
from array import array
from typing import NamedTuple

from appliance.sounds.cue import Cue

RATE = 22_050
"""Samples a second."""
FULL = 14_000
"""The loudest sample, of 32,767: two cues at once still fit."""
SOFT_MS = 8
"""How long a note swells and dies away at its ends, at least: an edge would click."""

_PURE = ((1.0, 1.0, 1.0),)
_WARM = ((1.0, 1.0, 1.0), (2.0, 0.25, 0.7))
_BELL = ((1.0, 1.0, 1.0), (2.0, 0.5, 0.6), (2.76, 0.3, 0.45), (5.4, 0.08, 0.2))
"""Partials: multiple of the pitch, strength, and how long it rings as a share of the whole."""


class Note(NamedTuple):
    """A tone from ``at`` on, in milliseconds; ``rings``: it dies away from its beginning, else it is held."""

    at: int
    ms: int
    hz: float
    strength: float = 1.0
    rings: bool = False
    partials: tuple[tuple[float, float, float], ...] = _WARM


_C5, _E5, _G5, _C6 = 523.25, 659.26, 783.99, 1046.5
_A4, _F4, _A3, _E3 = 440.0, 349.23, 220.0, 164.81

SCORE: dict[Cue, tuple[Note, ...]] = {
    Cue.LEVEL: (
        Note(0, 1900, _A3, 1.0, True, _BELL),
        Note(350, 1900, _E5 / 2, 0.9, True, _BELL),
    ),
    Cue.MINUTE: (
        Note(0, 500, _E5, 0.7, True, _BELL),
        Note(300, 700, _E5, 0.7, True, _BELL),
    ),
    Cue.BREAK: (
        Note(0, 900, _G5, 0.7, True, _BELL),
        Note(280, 900, _E5, 0.7, True, _BELL),
        Note(560, 1300, _C5, 0.8, True, _BELL),
    ),
    Cue.BREAK_OVER: (
        Note(0, 900, _C5, 0.7, True, _BELL),
        Note(280, 900, _E5, 0.7, True, _BELL),
        Note(560, 1300, _G5, 0.8, True, _BELL),
    ),
    Cue.TIME_CALL: (
        Note(0, 160, _A4, 0.8),
        Note(240, 160, _A4, 0.8),
        Note(480, 320, _C5, 0.8),
    ),
    Cue.COUNT: (Note(0, 70, _A4, 0.8, True),),
    Cue.TIME_OVER: (Note(0, 900, _F4, 0.9), Note(0, 900, _F4 / 2, 0.5)),
    Cue.ACCEPTED: (Note(0, 90, _G5, 0.7), Note(100, 160, _C6, 0.7, True)),
    Cue.WEAK: (Note(0, 90, _G5, 0.7), Note(130, 160, _G5, 0.7, True)),
    Cue.REFUSED: (Note(0, 420, _A3, 1.0), Note(0, 420, _E3, 0.6)),
    Cue.AGAIN: (
        Note(0, 80, _A4, 0.7),
        Note(170, 80, _A4, 0.7),
        Note(340, 80, _A4, 0.7),
    ),
}
"""What each cue is made of."""


def samples(cue: Cue) -> array[int]:
    """The waves of a cue, its loudest sample at `FULL`; made anew with each call."""
    notes = SCORE[cue]
    mixed = [0.0] * _samples(max(note.at + note.ms for note in notes))
    for note in notes:
        _add(mixed, note)
    loudest = max(map(abs, mixed))
    return array("h", [round(value * FULL / loudest * _strength(notes)) for value in mixed])


def scaled(wave: array[int], per_cent: int) -> array[int]:
    """The same at a volume: half of it sounds half as loud, which takes a smaller share of the wave."""
    share = per_cent * per_cent
    return array("h", [value * share // 10_000 for value in wave])


def mixed(one: array[int], other: array[int]) -> array[int]:
    """Both at once, as long as the longer one."""
    longer, shorter = (one, other) if len(one) >= len(other) else (other, one)
    both = array("h", longer)
    for n, value in enumerate(shorter):
        both[n] = min(max(both[n] + value, -32_768), 32_767)
    return both


def _samples(ms: int) -> int:
    return RATE * ms // 1000


def _strength(notes: tuple[Note, ...]) -> float:
    return max(note.strength for note in notes)


def _add(mixed: list[float], note: Note) -> None:
    count, start, soft = _samples(note.ms), _samples(note.at), _samples(SOFT_MS)
    for multiple, strength, rings in note.partials:
        step = 2 * math.pi * note.hz * multiple / RATE
        ring = count * rings if note.rings else 0.0
        for n in range(count):
            level = note.strength * strength * min(1.0, n / soft, (count - n) / soft)
            if ring:
                level *= math.exp(-4.0 * n / ring)
            mixed[start + n] += level * math.sin(step * n)
