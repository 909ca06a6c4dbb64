"""Presses out of edges: bounces, spikes, holds, stuck buttons, edges that arrive late or not at all."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.hw.buttons import PanelButton, Press
from appliance.hw.panel import Button, ButtonPressed
from tests.hw.panelhands import MS, HandAlarms

DEBOUNCE, HOLD, STUCK = 20, 1000, 60_000
DOWN, UP = True, False


@dataclass
class Finger:
    """A button with a test's finger on it; times in milliseconds. Ticks come when they are due."""

    hold: int = HOLD
    pressed: bool = False
    contact: bool = field(init=False)
    told: list[ButtonPressed] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.contact = self.pressed
        self.press = Press(
            Button.TIME,
            debounce_ns=DEBOUNCE * MS,
            hold_ns=self.hold * MS,
            stuck_ns=STUCK * MS,
            pressed=self.pressed,
            at_ns=0,
        )
        self.now = 0

    def pass_to(self, ms: float) -> None:
        while (due := self.press.due_ns(self.now)) is not None and due <= ms * MS:
            self.now = max(self.now, due)
            self.told += self.press.tick(self.now, self.contact)
        self.now = int(ms * MS)

    def edge(self, down: bool, ms: float) -> None:
        self.pass_to(ms)
        self.contact = down
        self.told += self.press.edge(down, int(ms * MS))

    def late_edge(self, down: bool, ms: float) -> None:
        """An edge that is told after its time."""
        self.told += self.press.edge(down, int(ms * MS))


def times(finger: Finger) -> list[tuple[int, bool]]:
    return [(press.at_ns // MS, press.held) for press in finger.told]


def test_press_is_told_once_when_the_finger_lifts_with_the_time_it_came_down() -> None:
    finger = Finger()
    finger.edge(DOWN, 100)
    finger.pass_to(300)
    assert finger.told == []
    finger.edge(UP, 300)
    finger.pass_to(5000)
    assert times(finger) == [(100, False)]


def test_without_holds_a_press_is_told_as_soon_as_it_is_sure() -> None:
    finger = Finger(hold=0)
    finger.edge(DOWN, 100)
    finger.pass_to(119)
    assert finger.told == []
    finger.pass_to(120)
    assert times(finger) == [(100, False)]
    finger.edge(UP, 300)
    finger.pass_to(5000)
    assert times(finger) == [(100, False)]


def test_hold_fires_once_when_its_time_is_full_and_the_release_tells_nothing() -> None:
    finger = Finger()
    finger.edge(DOWN, 100)
    finger.pass_to(1099)
    assert finger.told == []
    finger.pass_to(1100)
    assert times(finger) == [(1100, True)]
    finger.pass_to(9000)
    finger.edge(UP, 9000)
    finger.pass_to(20000)
    assert times(finger) == [(1100, True)]


def test_finger_that_lifts_while_the_hold_fills_up_made_a_press() -> None:
    finger = Finger()
    finger.edge(DOWN, 0)
    finger.edge(UP, 990)
    finger.pass_to(5000)
    assert times(finger) == [(0, False)]


def test_contact_that_bounces_during_a_hold_holds_on() -> None:
    finger = Finger()
    finger.edge(DOWN, 0)
    finger.edge(UP, 995)
    finger.edge(DOWN, 1003)
    finger.pass_to(1100)
    assert [press.held for press in finger.told] == [True]


def test_finger_that_has_lifted_does_not_hold_on_because_of_a_missing_edge() -> None:
    finger = Finger()
    finger.edge(DOWN, 0)
    finger.edge(UP, 995)
    finger.edge(UP, 1003)
    finger.pass_to(5000)
    assert times(finger) == [(0, False)]


class HastyPin:
    """A pin that moves at the very moment somebody begins to listen, and tells nobody."""

    edges = "none"
    state = 1

    @property
    def when_changed(self) -> None: ...

    @when_changed.setter
    def when_changed(self, _: object) -> None:
        self.state = 0


def test_edge_before_anybody_listens_is_seen_on_the_pin() -> None:
    alarms, told = HandAlarms(), list[ButtonPressed]()
    PanelButton(
        lambda pressed, at_ns: Press(
            Button.FLOOR, debounce_ns=MS, hold_ns=0, stuck_ns=STUCK * MS, pressed=pressed, at_ns=at_ns
        ),
        SimpleNamespace(pin=HastyPin()),
        low_is_pressed=True,
        alarms=alarms,
        tell=told.append,
        noticed=lambda: None,
        guard=lambda action: action(),
    )
    alarms.run(100)
    assert [press.name for press in told] == [Button.FLOOR]


@pytest.mark.parametrize("hold", [0, HOLD])
def test_bouncing_contact_makes_one_press(hold: int) -> None:
    finger = Finger(hold=hold)
    for ms, down in ((0, DOWN), (1, UP), (2, DOWN), (5, UP), (7, DOWN)):
        finger.edge(down, ms)
    for ms, down in ((200, UP), (201, DOWN), (203, UP), (204, DOWN), (206, UP)):
        finger.edge(down, ms)
    finger.pass_to(5000)
    assert times(finger) == [(7, False)]


def test_spike_on_the_wire_is_no_press_and_no_release() -> None:
    finger = Finger()
    finger.edge(DOWN, 0)
    finger.edge(UP, 19)
    finger.pass_to(100)
    assert finger.told == []
    finger.edge(DOWN, 100)
    finger.edge(UP, 300)
    finger.edge(DOWN, 310)
    finger.edge(UP, 400)
    finger.pass_to(5000)
    assert times(finger) == [(100, False)]


def test_stuck_button_is_told_of_and_free_again_once_it_lifts() -> None:
    finger = Finger()
    finger.edge(DOWN, 0)
    finger.pass_to(STUCK - 1)
    assert not finger.press.stuck
    finger.pass_to(STUCK)
    assert finger.press.stuck
    assert finger.press.due_ns(finger.now) is None
    finger.edge(UP, STUCK + 500)
    finger.pass_to(STUCK + 600)
    assert not finger.press.stuck
    assert len(finger.told) == 1


def test_button_that_is_down_at_first_was_not_pressed_but_may_be_stuck() -> None:
    finger = Finger(pressed=True)
    finger.pass_to(STUCK)
    assert finger.press.stuck
    finger.edge(UP, STUCK + 1)
    finger.pass_to(STUCK + 100)
    assert finger.told == []
    assert not finger.press.stuck
    finger.edge(DOWN, STUCK + 200)
    finger.edge(UP, STUCK + 300)
    finger.pass_to(STUCK + 400)
    assert times(finger) == [(STUCK + 200, False)]


def test_edge_older_than_the_last_one_changes_nothing() -> None:
    finger = Finger()
    finger.edge(DOWN, 100)
    finger.late_edge(UP, 90)
    finger.pass_to(200)
    finger.edge(UP, 300)
    finger.pass_to(1000)
    assert times(finger) == [(100, False)]


def test_late_release_of_a_spike_does_not_make_it_a_press() -> None:
    """The chip's thread is late: the tick comes first, sees the pin up, and leaves the word to the edge's own time."""
    finger = Finger(hold=0)
    finger.edge(DOWN, 0)
    finger.contact = UP
    finger.pass_to(20)
    finger.late_edge(UP, 5)
    finger.pass_to(1000)
    assert finger.told == []


def test_late_release_of_a_press_does_not_lose_it() -> None:
    finger = Finger()
    finger.edge(DOWN, 0)
    finger.contact = UP
    finger.pass_to(35)
    finger.late_edge(UP, 25)
    finger.pass_to(1000)
    assert times(finger) == [(0, False)]


def test_release_whose_edge_never_comes_is_seen_on_the_pin_and_makes_no_hold() -> None:
    finger = Finger()
    finger.edge(DOWN, 0)
    finger.pass_to(30)
    finger.contact = UP
    finger.pass_to(5000)
    assert times(finger) == [(0, False)]
    assert finger.press.due_ns(finger.now) is None


@given(
    gaps=st.lists(st.integers(1, DEBOUNCE * 1000 - 1), min_size=1, max_size=30),
    hold=st.sampled_from([0, HOLD]),
)
def test_any_bounce_shorter_than_the_debounce_makes_at_most_one_press(gaps: list[int], hold: int) -> None:
    finger, us, down = Finger(hold=hold), 0, False
    for gap in gaps:
        us += gap
        down = not down
        finger.edge(down, us / 1000)
        if us >= DEBOUNCE * 1000:
            break
    finger.pass_to(us / 1000 + HOLD - 10)
    if down:
        finger.edge(UP, us / 1000 + HOLD - 10)
    finger.pass_to(us / 1000 + 10 * HOLD)
    assert len(finger.told) == (1 if down else 0)


@given(
    before=st.lists(st.integers(1, DEBOUNCE - 1), max_size=10),
    after=st.lists(st.integers(1, DEBOUNCE - 1), max_size=10),
    length=st.integers(DEBOUNCE, 3 * HOLD),
    hold=st.sampled_from([0, 300, HOLD]),
)
def test_press_longer_than_the_debounce_always_makes_exactly_one(
    before: list[int], after: list[int], length: int, hold: int
) -> None:
    """Whatever bounces before and after it."""
    finger = Finger(hold=hold)
    ms = 0
    for gap in before:
        for down in (DOWN, UP):
            ms += gap
            finger.edge(down, ms)
    ms += DEBOUNCE
    finger.edge(DOWN, ms)
    down_at = ms
    ms += length
    finger.edge(UP, ms)
    for gap in after:
        for down in (DOWN, UP):
            ms += gap
            finger.edge(down, ms)
    finger.pass_to(ms + 10 * HOLD)
    assert len(finger.told) == 1
    if not finger.told[0].held:
        assert finger.told[0].at_ns == down_at * MS


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 3000)), max_size=40), st.sampled_from([0, HOLD]))
def test_edges_alone_and_edges_with_ticks_tell_the_same(train: list[tuple[bool, int]], hold: int) -> None:
    """How late this process looks changes nothing of what was pressed."""
    punctual, late, ms = Finger(hold=hold), Finger(hold=hold), 0
    for down, gap in train:
        ms += gap
        punctual.edge(down, ms)
        late.contact = down
        late.late_edge(down, ms)
    late.now = ms * MS
    for finger in (punctual, late):
        finger.pass_to(ms + 10 * HOLD)
    assert times(punctual) == times(late)
