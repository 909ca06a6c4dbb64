"""A device's voice: taps and views, where and when they may be heard."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from appliance.display.view import Blinds, Board, Face, Status, TableView
from appliance.hw.panel import Signal
from appliance.hw.simulated_sound import SimulatedSound
from appliance.sounds.cue import TAP, Cue
from appliance.sounds.speaker import Speaker

START = datetime(2026, 3, 6, 18, 0, tzinfo=UTC)


class Stand:
    """A speaker in a room whose time is set by hand."""

    def __init__(self, heard: frozenset[Cue] = frozenset(Cue), **hours: str) -> None:
        self.sound = SimulatedSound()
        self.sound.start()
        self.minute = 20 * 60
        self.at_s = 100.0
        self.speaker = Speaker(self.sound, heard, minute=lambda: self.minute, monotonic=lambda: self.at_s, **hours)

    def sees(self, level: int, remaining_s: int, at_s: float, evening_s: float | None = None) -> None:
        self.at_s = 100 + at_s
        now = START + timedelta(seconds=at_s if evening_s is None else evening_s)
        face = Face(level=level, blinds=Blinds(sb=100, bb=200), remaining_s=remaining_s, span_s=60)
        self.speaker.follow(
            TableView(board=Board(phase="running", status=Status(), now=now, venue="", face=face), table=1)
        )


@pytest.mark.parametrize(
    ("signal", "cue"),
    [
        (Signal.ACCEPTED, Cue.ACCEPTED),
        (Signal.WEAK, Cue.WEAK),
        (Signal.REFUSED, Cue.REFUSED),
        (Signal.AGAIN, Cue.AGAIN),
    ],
)
def test_each_answer_to_a_tap_has_its_sound(signal: Signal, cue: Cue) -> None:
    stand = Stand()
    stand.speaker.show(signal)
    assert stand.sound.heard == [cue]


@pytest.mark.parametrize("signal", [Signal.IDLE, Signal.OFFLINE, Signal.TIME_CALL])
def test_what_stands_is_for_lights(signal: Signal) -> None:
    stand = Stand()
    stand.speaker.show(signal)
    assert stand.sound.heard == []


def test_a_device_makes_only_its_own_sounds() -> None:
    stand = Stand(TAP)
    stand.sees(1, 1, 0)
    stand.sees(1, 1, 5)
    stand.sees(2, 60, 6)
    stand.speaker.show(Signal.ACCEPTED)
    assert stand.sound.heard == [Cue.ACCEPTED]


def test_quiet_hours_are_quiet_over_midnight_and_end() -> None:
    stand = Stand(quiet_from="23:00", quiet_to="06:00")
    for stand.minute in (23 * 60, 0, 5 * 60 + 59):
        stand.speaker.show(Signal.REFUSED)
    assert stand.sound.heard == []
    stand.minute = 6 * 60
    stand.speaker.show(Signal.REFUSED)
    assert stand.sound.heard == [Cue.REFUSED]


def test_a_level_that_began_in_quiet_hours_is_not_heard_after_them() -> None:
    stand = Stand(quiet_from="20:00", quiet_to="20:01")
    stand.sees(1, 1, 0)
    stand.sees(1, 1, 5)
    stand.sees(2, 60, 6)
    stand.minute = 20 * 60 + 1
    stand.sees(2, 59, 7)
    assert stand.sound.heard == []


def test_a_rehearsal_s_levels_do_not_pile_up() -> None:
    """Sixty times as fast, levels of a minute: one begins each second, and a minute is left at once."""
    stand = Stand()
    for tick in range(400):
        evening_s = tick * 3
        stand.sees(1 + evening_s // 60, 60 - evening_s % 60, tick * 0.05, evening_s)
    assert 5 <= len(stand.sound.heard) <= 10
