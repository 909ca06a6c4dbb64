"""What ribbons ask a commissioner for is the first thing in the menu, and has a digit."""

from __future__ import annotations

from typing import Any

import pytest

from appliance.floor.catalogue import GROUPS
from appliance.floor.forms import Lone, Option
from appliance.floor.said import say
from appliance.game.righttime import Spell, Times
from tests.floor.conftest import ENGLISH, Desk
from tests.game.conftest import Evening

DOUBTED = Times((Spell(0, 0, True),))
LONE = (Lone("c1", "Bust", "20:15"),)
SPARE = (Option("ab" * 32, "spare-1a2b3c"),)


def lines(desk: Desk) -> list[tuple[str, str]]:
    return [(say(line.text, ENGLISH), line.digit) for line in desk.shown.lines]


def at(place: str, **known: Any) -> Desk:
    table = {"table": 1} if place == "table" else {"place": "door", "table": None}
    return Desk(Evening().seated([1, 2, 3]), **table, **known).begin()


@pytest.mark.parametrize("place", ["table", "door"])
@pytest.mark.parametrize(
    ("known", "label", "digit"),
    [
        ({"director": False, "can_take_over": True}, "takeover", "9"),
        ({"lone": LONE}, "lone", "0"),
        ({"times": DOUBTED}, "time", "0"),
        ({"spares": SPARE}, "devices", "0"),
    ],
)
def test_what_is_asked_for_comes_first_and_has_a_digit(
    place: str, known: dict[str, Any], label: str, digit: str
) -> None:
    usual = lines(at(place))
    desk = at(place, **known)
    assert lines(desk)[0] == (GROUPS[label], digit)  # type: ignore[index]
    assert [line for line in lines(desk) if line in usual] == usual, "the others keep their order and digits"
    by_digit, by_enter = at(place, **known).press(digit).open, desk.press("enter").open
    assert by_digit == by_enter and by_enter.page != "groups"


def test_of_several_the_first_has_the_digit_and_all_come_before_the_rest() -> None:
    desk = at("table", lone=LONE, times=DOUBTED, spares=SPARE)
    asked = [GROUPS[group] for group in ("lone", "time", "devices")]
    assert lines(desk)[:4] == [(asked[0], "0"), (asked[1], ""), (asked[2], ""), (GROUPS["players"], "1")]
