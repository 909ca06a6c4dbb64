"""The menu's pages that let a device in, and drop one again."""

from __future__ import annotations

from appliance.floor.devices import let_in
from appliance.floor.forms import Option
from appliance.floor.menu import answered
from appliance.floor.said import say
from appliance.game.refusal import Refusal
from tests.floor.conftest import ENGLISH, Desk
from tests.game.conftest import Evening

SPARE, OTHER = Option("ab" * 32, "spare-1a2b3c", "2.0"), Option("cd" * 32, "spare-4d5e6f")
IN = Option("spare-778899", "spare-778899", "Table 2")


def desk(**place: object) -> Desk:
    return Desk(Evening().seated([1, 2, 3]), **place)


def coded(there: Desk, *pairs: int) -> Desk:
    for pair in pairs:
        there.press(*str(pair), "enter")
    return there


def test_devices_are_there_only_where_one_asks_or_was_let_in() -> None:
    assert not {"adopt_device", "drop_device"} & set(desk().offered())
    assert desk(spares=(SPARE,)).offered()["adopt_device"] is None
    assert desk(spares=(SPARE,), director=False).offered()["adopt_device"] == "no-answer"
    assert "drop_device" not in desk(spares=(SPARE,)).offered() and desk(adopted=(IN,)).offered()["drop_device"] is None


def test_a_device_is_chosen_by_its_name_then_what_it_becomes_then_its_code() -> None:
    there = desk(spares=(SPARE, OTHER), taken=(1,)).choose("adopt_device")
    assert [say(line.text, ENGLISH) for line in there.shown.lines[:2]] == [SPARE.label, OTHER.label]
    there.take(OTHER.value)
    offered = [say(line.text, ENGLISH) for line in there.shown.lines]
    assert "Table 1" not in offered and offered[0] == "Table 2", "its own device is there"
    coded(there.take("table-2"), 47, 12, 93, 55)
    assert "spare-4d5e6f" in say(there.shown.question, ENGLISH) and "Table 2" in say(there.shown.question, ENGLISH)
    assert there.press("enter").requests == ["adopt-device"] and there.open.page == "waiting"
    assert let_in(there.open.answers) == (OTHER.value, "47129355", "table", 2)


def test_after_a_wrong_code_it_is_asked_for_again_and_nothing_else() -> None:
    there = coded(desk(spares=(SPARE,)).choose("adopt_device").take(SPARE.value, "table-2"), 47, 12, 93, 54)
    there.press("enter")
    there.menu = answered(there.open, Refusal("wrong-code", {"left": 2}))
    there.turn_to("form")
    assert there.open.page == "field" and there.open.field == "pair1" and "pair1" not in there.open.answers
    coded(there, 10, 20, 30, 40)
    assert there.open.page == "confirm"
    assert let_in(there.open.answers) == (SPARE.value, "10203040", "table", 2)


def test_after_a_taken_table_what_the_device_becomes_is_asked_again() -> None:
    there = coded(desk(spares=(SPARE,)).choose("adopt_device").take(SPARE.value, "table-2"), 47, 12, 93, 54)
    there.press("enter")
    there.menu = answered(there.open, Refusal("table-taken", {"table": 2, "device": "spare-1"}))
    there.turn_to("form")
    assert there.open.field == "becomes"
    assert let_in(there.take("table-3").open.answers) == (SPARE.value, "47129354", "table", 3)


def test_door_and_clock_have_no_table() -> None:
    there = coded(desk(spares=(SPARE,)).choose("adopt_device").take(SPARE.value, "door"), 10, 11, 12, 99)
    assert let_in(there.open.answers) == (SPARE.value, "10111299", "door", None)


def test_the_knob_alone_reaches_every_code() -> None:
    there = desk(spares=(SPARE,)).choose("adopt_device").take(SPARE.value, "clock")
    there.press("up", "enter", "enter")
    assert there.open.answers["pair1"] == 11
    assert "99" in say(there.press("1", "0", "0", "enter").shown.hint, ENGLISH), "more than two digits are none"


def test_what_is_dropped_is_asked_for_twice() -> None:
    there = desk(adopted=(IN,)).choose("drop_device").take(IN.value)
    assert there.keys()[there.open.cursor] == "back" and IN.value in say(there.shown.question, ENGLISH)
    assert there.yes().requests == ["drop-device"]
