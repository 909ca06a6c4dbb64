"""The light of three colours. What it says can be told without the colours: every signal has a rhythm of its own.

No rhythm flashes more than three times a second, which some people cannot bear.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

from appliance.hw.alarms import Alarms
from appliance.hw.panel import Signal
from appliance.hw.pattern import Pattern, Player


class Colour(Enum):
    """What the lamps show together."""

    DARK = "dark"
    GREEN = "green"
    AMBER = "amber"
    RED = "red"


_DARK, _GREEN, _AMBER, _RED = Colour.DARK, Colour.GREEN, Colour.AMBER, Colour.RED

PATTERNS: dict[Signal, Pattern[Colour]] = {
    Signal.ACCEPTED: Pattern(((_GREEN, 1500),)),
    Signal.WEAK: Pattern(((_AMBER, 600), (_DARK, 300), (_AMBER, 600))),
    Signal.REFUSED: Pattern(((_RED, 200), (_DARK, 200)) * 5),
    Signal.AGAIN: Pattern(((_AMBER, 200), (_DARK, 200)) * 3),
    Signal.OFFLINE: Pattern(((_RED, 300), (_DARK, 2700)), repeat=True),
    Signal.TIME_CALL: Pattern(((_AMBER, 500), (_DARK, 500)), repeat=True),
}


class Lamps:
    """The lamps by their colour, as gpiozero OutputDevices; those that are not there are None.

    Without an amber lamp red and green together make amber, as in an LED of two colours; where one of them is missing,
    what is there stands in, since the rhythm tells.
    """

    def __init__(self, *, red: Any = None, amber: Any = None, green: Any = None) -> None:
        self._all = [lamp for lamp in (red, amber, green) if lamp is not None]
        mixed = [lamp for lamp in (red, green) if lamp is not None]
        self._lit = {
            Colour.DARK: [],
            Colour.RED: [red] if red is not None else self._all[:1],
            Colour.GREEN: [green] if green is not None else self._all[-1:],
            Colour.AMBER: [amber] if amber is not None else mixed,
        }

    def show(self, colour: Colour) -> None:
        """Light this colour and no other; OSError when the chip is gone."""
        lit = self._lit[colour]
        for lamp in self._all:
            lamp.value = lamp in lit


def light(alarms: Alarms, apply: Callable[[Colour], None]) -> Player[Colour]:
    """The `Indicator` that plays the rhythms on ``apply``."""
    return Player("light", PATTERNS, Colour.DARK, alarms=alarms, apply=apply)
