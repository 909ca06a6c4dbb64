"""A commissioner's PIN while it is typed: from any keys, seen by nobody, with few attempts."""

import pytest

from appliance.cards.pin import Pins, hash_pin
from appliance.display import prompt as show
from appliance.pinwork import LONGEST, PinWork
from appliance.taps import PIN_MS

PIN = "482915"
HASH = hash_pin(PIN)


class Clock:
    ns = 10**12

    def __call__(self):
        return self.ns


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def work(clock):
    work = PinWork(Pins(clock))
    assert work.begin("000001", HASH, 1000) == show.EnterPin("000001")
    return work


def typed(work, *keys):
    for key in keys:
        told = work.press(key, 2000)
    return told


def test_the_pin_is_right_from_the_keyboard_and_from_its_numpad(work):
    assert typed(work, *PIN).say == show.EnterPin("000001", len(PIN))
    assert typed(work, "return").right == "000001" and work.who is None
    work.begin("000001", HASH, 1000)
    assert typed(work, *(f"[{digit}]" for digit in PIN), "enter").right == "000001"


def test_the_pin_is_right_by_the_knob(work):
    for digit in PIN:
        while (turned := work.turn(1).say.turned) != int(digit):
            assert turned is not None
        work.push(False, 2000)
    assert work.push(True, 2000).right == "000001"


def test_a_digit_can_be_taken_back_and_no_more_than_the_longest_are_kept(work):
    assert typed(work, *"99", "backspace", "back", "back").say.typed == 0
    assert typed(work, *"1" * 40).say.typed == LONGEST
    assert typed(work, "f5", "left ctrl").say.typed == LONGEST


def test_an_empty_pin_is_no_attempt(work):
    assert typed(work, "return").say == show.EnterPin("000001")


def test_a_wrong_pin_leaves_fewer_attempts_then_the_door_closes_for_a_while(work, clock):
    for left in (4, 3, 2, 1):
        assert typed(work, *"000000", "return").say == show.EnterPin("000001", left=left)
    locked = typed(work, *"000000", "return")
    assert locked.over and locked.say == show.PinRefused("000001", "locked", 15) and work.who is None
    assert work.begin("000001", HASH, 1000) == show.PinRefused("000001", "locked", 15) and work.who is None
    clock.ns += 60 * 10**9
    assert work.begin("000001", HASH, 1000) == show.PinRefused("000001", "locked", 14), "said at the tap"
    assert work.begin("000002", HASH, 1000) == show.EnterPin("000002"), "nobody else's"
    clock.ns += 15 * 60 * 10**9
    work.begin("000001", HASH, 1000)
    assert typed(work, *PIN, "return").right == "000001"


def test_a_commissioner_without_a_pin_is_not_asked():
    work = PinWork()
    assert work.begin("000001", None, 0) == show.PinRefused("000001", "none") and work.who is None


def test_time_and_escape_end_it(work):
    assert work.until == 1000 + PIN_MS
    assert typed(work, *PIN, "escape").over and work.who is None
    work.begin("000001", HASH, 1000)
    assert typed(work, "return").say == show.EnterPin("000001"), "nothing is left of what was typed before"


def test_nothing_that_is_shown_or_told_has_a_digit_of_the_pin_in_it(work):
    told = typed(work, *PIN)
    assert PIN not in repr(told) + repr(work) + repr(work.prompt) and "482" not in repr(told)


class Kept:
    """What a counter of wrong PINs kept before this program started."""

    def wrong_pins(self, participant):
        return 5

    def keep_wrong_pins(self, participant, wrong):
        pass


def test_a_lock_of_a_run_before_is_said_at_the_tap_and_ends(clock):
    work = PinWork(Pins(clock, Kept()))
    assert work.begin("000001", HASH, 1000) == show.PinRefused("000001", "locked", 15)
    clock.ns += 15 * 60 * 10**9
    work.begin("000001", HASH, 1000)
    assert typed(work, *PIN, "return").right == "000001"
