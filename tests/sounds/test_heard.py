"""What is heard when one view follows another: what happens now, and nothing else."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from appliance.display.view import Blinds, Board, Call, ClockView, DoorView, Face, FloorView, Status, TableView
from appliance.display.view_floor import MenuView
from appliance.sounds.cue import CALL, CLOCK, HEARD, TAP, Cue, heard_at
from appliance.sounds.listening import SETTLE_S, Ear

START = datetime(2026, 3, 6, 18, 0, tzinfo=UTC)
BLINDS = Blinds(sb=100, bb=200)
MENU = MenuView(title="")


def face(level: int, remaining_s: int, **changes: Any) -> Face:
    return Face(level=level, blinds=BLINDS, remaining_s=remaining_s, span_s=changes.pop("span_s", 1200), **changes)


class Listener:
    """Shows an ear one view after another, a second apart unless told."""

    def __init__(self, kind: type = TableView) -> None:
        self.ear = Ear()
        self.kind = kind
        self.at_s = 0.0
        self.now = START
        self.status = Status()

    def sees(
        self, face: Face | None, *, after_s: float = 1, phase: Any = "running", call: Call | None = None
    ) -> list[Cue]:
        self.at_s += after_s
        self.now += timedelta(seconds=after_s)
        board = Board(phase=phase, status=self.status, now=self.now, venue="U Dvou es", face=face)
        more = {TableView: {"table": 1, "call": call}, FloorView: {"menu": MENU}}.get(self.kind, {})
        view = self.kind(board=board, **more)
        return self.ear.follow(view, self.at_s)

    def settled(self, face: Face | None, phase: Any = "running", call: Call | None = None) -> Listener:
        """Has looked long enough to be heard."""
        self.sees(face, phase=phase, call=call)
        self.at_s += SETTLE_S
        assert self.sees(face, after_s=0, phase=phase, call=call) == []
        return self


@pytest.mark.parametrize("kind", [TableView, ClockView, DoorView])
def test_a_level_that_begins_is_heard_once(kind: type) -> None:
    room = Listener(kind).settled(face(3, 1))
    assert room.sees(face(4, 1200)) == [Cue.LEVEL]
    assert room.sees(face(4, 1199)) == []


def test_the_commissioner_s_next_level_is_heard() -> None:
    assert Listener().settled(face(3, 700)).sees(face(4, 1200)) == [Cue.LEVEL]


def test_the_first_level_is_heard() -> None:
    room = Listener().settled(face(1, 1200, running=False), phase="open")
    assert room.sees(face(1, 1200)) == [Cue.LEVEL]


def test_one_minute_left_is_heard_once_a_level_though_time_is_added() -> None:
    room = Listener().settled(face(3, 61))
    assert room.sees(face(3, 60)) == [Cue.MINUTE]
    assert room.sees(face(3, 59)) == []
    assert room.sees(face(3, 62)) == []
    assert room.sees(face(3, 61)) == []
    assert room.sees(face(3, 60)) == []
    room.sees(face(4, 62), after_s=2)
    room.sees(face(4, 61))
    assert room.sees(face(4, 60)) == [Cue.MINUTE]


def test_one_minute_left_is_heard_of_a_break_too() -> None:
    room = Listener().settled(face(3, 61, on_break=True))
    assert room.sees(face(3, 60, on_break=True)) == [Cue.MINUTE]


def test_a_break_begins_and_is_over() -> None:
    room = Listener().settled(face(3, 1))
    assert room.sees(face(3, 600, span_s=600, on_break=True)) == [Cue.BREAK]
    room.sees(face(3, 1, span_s=600, on_break=True), after_s=60)
    assert room.sees(face(4, 1200)) == [Cue.BREAK_OVER]


def test_a_break_within_a_level_leads_back_into_it() -> None:
    room = Listener().settled(face(3, 300, span_s=600, on_break=True))
    assert room.sees(face(3, 640)) == [Cue.BREAK_OVER]


def test_a_paused_clock_is_silent_and_so_is_its_going_on() -> None:
    room = Listener().settled(face(3, 61, running=False), phase="paused")
    assert room.sees(face(4, 1200, running=False), phase="paused") == []
    assert room.sees(face(4, 1200)) == []


def test_what_was_set_or_taken_back_is_silent() -> None:
    room = Listener().settled(face(4, 1190))
    assert room.sees(face(3, 1)) == []  # the step to level 4 undone
    assert room.sees(face(4, 1100)) == []  # and the other way
    assert room.sees(face(4, 45)) == []  # the time was set
    assert room.sees(face(4, 900)) == []


def test_a_kiosk_that_starts_late_hears_nothing_of_the_evening_before() -> None:
    room = Listener()
    for level in range(1, 11):
        assert room.sees(face(level, 1200), after_s=0.05) == []
    assert room.sees(face(10, 1199)) == []


def test_what_happened_while_nobody_looked_is_silent() -> None:
    room = Listener().settled(face(3, 300))
    assert room.sees(face(4, 1200), after_s=400) == []


def test_what_a_director_that_comes_back_brings_is_silent() -> None:
    room = Listener().settled(face(3, 300))
    room.status = Status(director=False)
    assert room.sees(face(3, 299)) == []
    room.status = Status()
    assert room.sees(face(3, 298)) == []
    assert room.sees(face(4, 1200), after_s=0.1) == []


def test_without_a_director_the_clock_is_heard_all_the_same() -> None:
    room = Listener()
    room.status = Status(director=False)
    assert room.settled(face(3, 1)).sees(face(4, 1200)) == [Cue.LEVEL]


def test_a_clock_that_is_set_back_tells_nothing() -> None:
    room = Listener().settled(face(3, 61))
    assert room.sees(face(3, 60), after_s=-30) == []


def call(phase: Any, remaining_s: int, who: str = "Petr N.") -> Call:
    return Call(who=who, phase=phase, remaining_s=remaining_s, ends="fold")


def test_CK_4_a_time_call_is_heard_its_count_second_by_second_and_its_end() -> None:
    room = Listener().settled(face(3, 800))
    assert room.sees(face(3, 799), call=call("thinking", 60)) == [Cue.TIME_CALL]
    assert room.sees(face(3, 798), call=call("thinking", 59)) == []
    heard = [
        room.sees(face(3, 797 - n), call=call("counting", 10 - n))
        if n < 10
        else room.sees(face(3, 787), call=call("over", 0))
        for n in range(11)
    ]
    assert heard == [[Cue.COUNT]] * 10 + [[Cue.TIME_OVER]]
    assert room.sees(face(3, 786), call=call("over", 0)) == []


def test_CK_4_a_call_that_was_ended_is_silent_and_so_is_taking_that_back() -> None:
    room = Listener().settled(face(3, 800))
    room.sees(face(3, 799), call=call("thinking", 60))
    assert room.sees(face(3, 790), after_s=9) == []
    assert room.sees(face(3, 780), after_s=10, call=call("thinking", 41)) == []
    assert room.sees(face(3, 779), call=call("thinking", 60, "Jana K.")) == [Cue.TIME_CALL]


def test_CK_4_a_call_that_is_started_in_the_floor_menu_is_heard_when_the_menu_has_gone() -> None:
    room = Listener().settled(face(3, 800))
    room.kind = FloorView
    assert room.sees(face(3, 799)) == []
    room.kind = TableView
    assert room.sees(face(3, 795), after_s=4, call=call("thinking", 58)) == [Cue.TIME_CALL]
    room.kind = FloorView
    assert room.sees(face(3, 794)) == []
    room.kind = TableView
    assert room.sees(face(3, 793), call=call("thinking", 56)) == []


def test_the_clock_is_heard_while_the_floor_menu_is_open() -> None:
    room = Listener().settled(face(3, 1))
    room.kind = FloorView
    assert room.sees(face(4, 1200)) == [Cue.LEVEL]


def test_the_same_scene_painted_again_is_silent() -> None:
    room = Listener().settled(face(3, 61))
    room.sees(face(3, 60))
    assert room.ear.seen is not None
    assert room.ear.follow(replace(room.ear.seen), room.at_s) == []


def test_each_kind_of_device_has_its_own_sounds() -> None:
    assert heard_at("door", clock=True) == TAP
    assert heard_at("clock", clock=False) == CLOCK
    assert heard_at("table", clock=True) == TAP | CALL | CLOCK == frozenset(Cue)
    assert heard_at("table", clock=False) == TAP | CALL
    assert set(HEARD) == {"table", "door", "clock"}
