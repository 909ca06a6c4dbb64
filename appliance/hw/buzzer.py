"""The buzzer: one that makes its own tone and is only switched on and off. It is silent in its quiet hours."""

from __future__ import annotations

import time
from collections.abc import Callable

from appliance.hw.alarms import Alarms
from appliance.hw.panel import Signal
from appliance.hw.pattern import Pattern, Player

PATTERNS: dict[Signal, Pattern[bool]] = {
    Signal.ACCEPTED: Pattern(((True, 80),)),
    Signal.WEAK: Pattern(((True, 80), (False, 120), (True, 80))),
    Signal.REFUSED: Pattern(((True, 700),)),
    Signal.AGAIN: Pattern(((True, 80), (False, 120)) * 3),
    Signal.TIME_CALL: Pattern(((True, 250), (False, 250), (True, 250), (False, 250), (True, 250))),
}


def minute_of_day() -> int:
    """Minutes since midnight where the device stands."""
    now = time.localtime()
    return now.tm_hour * 60 + now.tm_min


def quiet(since: str, until: str, minute: int) -> bool:
    """Whether this minute of the day lies in the quiet hours, HH:MM each, over midnight or not; "" has none."""
    if not since or not until:
        return False
    first, last = _minutes(since), _minutes(until)
    return first <= minute < last if first <= last else minute >= first or minute < last


def buzzer(
    alarms: Alarms,
    apply: Callable[[bool], None],
    *,
    quiet_from: str = "",
    quiet_to: str = "",
    minute: Callable[[], int] = minute_of_day,
) -> Player[bool]:
    """The `Indicator` that plays on ``apply``, except in the quiet hours."""
    return Player(
        "buzzer", PATTERNS, False, alarms=alarms, apply=apply, silent=lambda: quiet(quiet_from, quiet_to, minute())
    )


def _minutes(clock: str) -> int:
    hours, minutes = clock.split(":")
    return int(hours) * 60 + int(minutes)
