"""Signals to lamps and buzzer: rhythms that differ, the last one wins, nothing to show wakes nobody."""

from __future__ import annotations

import itertools
import threading
import time

import pytest

from appliance.hw import buzzer as buzzing
from appliance.hw import light as lighting
from appliance.hw.alarms import AlarmThread
from appliance.hw.buzzer import buzzer, quiet
from appliance.hw.light import Colour, Lamps, light
from appliance.hw.panel import STANDING, Signal
from appliance.hw.pattern import Player
from tests.hw.panelhands import HandAlarms, until


class Seen:
    """What the lamps have shown, and since when, in milliseconds."""

    def __init__(self) -> None:
        self.alarms = HandAlarms()
        self.shown: list[tuple[int, object]] = []

    def apply(self, what: object) -> None:
        self.shown.append((self.alarms.now // 1_000_000, what))

    def light(self) -> Player[Colour]:
        player = light(self.alarms, self.apply)
        player.begin()
        self.alarms.run(0)
        self.shown.clear()
        return player

    def buzzer(self, **hours: object) -> Player[bool]:
        player = buzzer(self.alarms, self.apply, **hours)  # type: ignore[arg-type]
        player.begin()
        self.alarms.run(0)
        self.shown.clear()
        return player


@pytest.fixture
def seen() -> Seen:
    return Seen()


def test_accepted_is_green_for_a_while_and_then_dark(seen: Seen) -> None:
    seen.light().show(Signal.ACCEPTED)
    seen.alarms.run(10_000)
    assert seen.shown == [(0, Colour.GREEN), (1500, Colour.DARK)]
    assert seen.alarms.set == {}


@pytest.mark.parametrize(
    ("signal", "colour"), [(Signal.WEAK, Colour.AMBER), (Signal.REFUSED, Colour.RED), (Signal.OFFLINE, Colour.RED)]
)
def test_signal_begins_with_its_colour(seen: Seen, signal: Signal, colour: Colour) -> None:
    seen.light().show(signal)
    seen.alarms.run(0)
    assert seen.shown == [(0, colour)]


def test_no_two_signals_have_the_same_rhythm() -> None:
    """Never the colour alone: who sees no red or green can tell them apart by their times."""
    for patterns, off in ((lighting.PATTERNS, Colour.DARK), (buzzing.PATTERNS, False)):
        rhythms = [(tuple((shown != off, ms) for shown, ms in p.steps), p.repeat) for p in patterns.values()]
        assert all(one != other for one, other in itertools.combinations(rhythms, 2))


def test_nothing_flashes_more_than_three_times_a_second() -> None:
    for pattern in lighting.PATTERNS.values():
        steps = pattern.steps * 2 if pattern.repeat else pattern.steps
        pairs = zip(steps[::2], steps[1::2], strict=False)
        assert all(on_ms + off_ms > 333 for (_, on_ms), (_, off_ms) in pairs)


def test_last_signal_wins(seen: Seen) -> None:
    player = seen.light()
    player.show(Signal.REFUSED)
    seen.alarms.run(300)
    player.show(Signal.ACCEPTED)
    seen.alarms.run(10_000)
    assert seen.shown == [(0, Colour.RED), (200, Colour.DARK), (300, Colour.GREEN), (1800, Colour.DARK)]


def test_last_signal_wins_even_while_a_lamp_is_being_set(seen: Seen) -> None:
    player = seen.light()

    def interrupted(colour: object) -> None:
        seen.shown.append((seen.alarms.now // 1_000_000, colour))
        if colour is Colour.RED:
            player.show(Signal.ACCEPTED)

    player._apply = interrupted
    player.show(Signal.REFUSED)
    seen.alarms.run(10_000)
    assert seen.shown == [(0, Colour.RED), (0, Colour.GREEN), (1500, Colour.DARK)]


def test_signal_that_passes_gives_way_to_what_stood_before(seen: Seen) -> None:
    player = seen.light()
    player.show(Signal.OFFLINE)
    seen.alarms.run(1000)
    player.show(Signal.ACCEPTED)
    seen.alarms.run(1600)
    assert seen.shown[-2:] == [(1000, Colour.GREEN), (2500, Colour.RED)]
    player.show(Signal.IDLE)
    seen.alarms.run(60_000)
    assert seen.shown[-1][1] is Colour.DARK
    assert seen.alarms.set == {}


def test_standing_signal_that_is_repeated_does_not_cut_what_is_shown(seen: Seen) -> None:
    player = seen.light()
    player.show(Signal.ACCEPTED)
    seen.alarms.run(100)
    player.show(Signal.IDLE)
    seen.alarms.run(10_000)
    assert seen.shown == [(0, Colour.GREEN), (1500, Colour.DARK)]


def test_offline_blinks_slowly_for_as_long_as_it_stands(seen: Seen) -> None:
    seen.light().show(Signal.OFFLINE)
    seen.alarms.run(6001)
    assert [ms for ms, _ in seen.shown] == [0, 300, 3000, 3300, 6000]


def test_time_call_sounds_once_though_it_stands(seen: Seen) -> None:
    player = seen.buzzer()
    player.show(Signal.TIME_CALL)
    seen.alarms.run(5000)
    assert [on for _, on in seen.shown] == [True, False, True, False, True, False]
    seen.shown.clear()
    player.show(Signal.ACCEPTED)
    seen.alarms.run(5000)
    assert seen.shown == [(5000, True), (5080, False)]


def test_accepted_is_a_short_beep_and_refused_a_long_one(seen: Seen) -> None:
    player = seen.buzzer()
    player.show(Signal.ACCEPTED)
    seen.alarms.run(1000)
    player.show(Signal.REFUSED)
    seen.alarms.run(1000)
    assert seen.shown == [(0, True), (80, False), (1000, True), (1700, False)]


@pytest.mark.parametrize("signal", [Signal.IDLE, Signal.OFFLINE])
def test_buzzer_has_nothing_to_say_about_idle_and_offline(seen: Seen, signal: Signal) -> None:
    seen.buzzer().show(signal)
    seen.alarms.run(10_000)
    assert all(on is False for _, on in seen.shown)


def test_quiet_hours_silence_the_buzzer_and_end(seen: Seen) -> None:
    minute = [23 * 60]
    player = seen.buzzer(quiet_from="22:00", quiet_to="06:30", minute=lambda: minute[0])
    player.show(Signal.REFUSED)
    seen.alarms.run(5000)
    assert all(on is False for _, on in seen.shown)
    minute[0] = 6 * 60 + 30
    player.show(Signal.REFUSED)
    seen.alarms.run(0)
    assert seen.shown[-1][1] is True


@pytest.mark.parametrize(
    ("since", "until_", "clock", "expected"),
    [
        ("22:00", "06:00", "21:59", False),
        ("22:00", "06:00", "22:00", True),
        ("22:00", "06:00", "05:59", True),
        ("22:00", "06:00", "06:00", False),
        ("09:00", "12:00", "10:00", True),
        ("09:00", "12:00", "12:00", False),
        ("09:00", "09:00", "09:00", False),
        ("", "", "03:00", False),
    ],
)
def test_quiet_hours_may_go_over_midnight(since: str, until_: str, clock: str, expected: bool) -> None:
    hours, minutes = map(int, clock.split(":"))
    assert quiet(since, until_, hours * 60 + minutes) is expected


class Lamp:
    value = False


@pytest.mark.parametrize(
    ("there", "colour", "lit"),
    [
        ("red amber green", Colour.AMBER, "amber"),
        ("red green", Colour.AMBER, "red green"),
        ("red green", Colour.RED, "red"),
        ("red green", Colour.GREEN, "green"),
        ("red amber green", Colour.DARK, ""),
        ("green", Colour.RED, "green"),
        ("red", Colour.AMBER, "red"),
        ("", Colour.GREEN, ""),
    ],
)
def test_colours_are_made_of_the_lamps_that_are_there(there: str, colour: Colour, lit: str) -> None:
    lamps = {name: Lamp() for name in there.split()}
    shown = Lamps(**lamps)
    for lamp in lamps.values():
        lamp.value = True
    shown.show(colour)
    assert {name for name, lamp in lamps.items() if lamp.value} == set(lit.split())


def test_show_never_waits_for_the_lamps() -> None:
    """Lamps that hang in their driver hold up nobody but themselves."""
    stuck, alarms = threading.Event(), AlarmThread("test")
    player = light(alarms, lambda _: stuck.wait(30) and None)
    player.begin()
    for _ in range(100):
        for signal in Signal:
            player.show(signal)
    assert not stuck.is_set()
    stuck.set()
    alarms.close()


def test_idle_light_wakes_nobody() -> None:
    shown: list[Colour] = []
    alarms = AlarmThread("test")
    player = light(alarms, shown.append)
    player.begin()
    player.show(Signal.OFFLINE)
    player.show(Signal.IDLE)
    until(lambda: shown[-1:] == [Colour.DARK] and not alarms._set)
    woken = alarms.woken
    time.sleep(0.3)
    assert alarms.woken <= woken + 1
    alarms.close()


def test_standing_signals_are_the_ones_that_go_on() -> None:
    assert {signal for signal, pattern in lighting.PATTERNS.items() if pattern.repeat} | {Signal.IDLE} == STANDING
