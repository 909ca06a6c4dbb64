"""Keys of a table's pad that phones press: whose they may be, and who hears what became of them."""

from __future__ import annotations

import time

import pytest

from appliance.console import desk as console
from appliance.console.asked import Answered
from appliance.link.envelope import PadKeys, PadShown
from tests.console.test_console_desk import Director, director, later, make, refusal

__all__ = ["director", "make"]


def test_keys_go_to_the_kiosk_of_the_table_and_its_answer_to_the_phone(director: Director) -> None:
    phone = director.paired("dealer", 1)
    number, told = director.presses(phone, 1, seen="a1")
    assert director.pressed == [("table-1", PadKeys(number, 1, phone.device, "fold", "a1"))] and told == []
    director.desk.pad("table-1", PadShown(1, "b2", id=number))
    assert told == [], "who hears it is to see it"
    director.desk.tick()
    assert told == [Answered(True)]
    assert director.way is not None and director.way.sight.pads[1].stamp == "b2"


def test_keys_that_fit_into_no_message_are_refused_and_the_next_ones_go_out(director: Director) -> None:
    phone = director.paired("dealer", 1)
    assert refusal(director.presses(phone, 1, seen="x" * 2000)[1]) == "bad-command"
    director.presses(phone, 1, seen="a1")
    assert [keys.seen for _, keys in director.pressed] == ["a1"]


def test_keys_of_a_page_that_has_changed_are_told_so(director: Director) -> None:
    phone = director.paired("dealer", 1)
    number, told = director.presses(phone, 1, seen="a1")
    director.desk.pad("table-1", PadShown(1, "b2", id=number, taken=False))
    director.desk.tick()
    assert refusal(told) == "moved-on"


def test_a_kiosk_speaks_for_its_own_table_alone(director: Director) -> None:
    phone = director.paired("dealer", 1)
    number, told = director.presses(phone, 1)
    director.desk.pad("door", PadShown(1, "b2", id=number))
    director.desk.pad("table-1", PadShown(2, "b2", id=number))
    director.desk.tick()
    assert told == [] and director.way is not None and director.way.sight.pads == {}


def test_before_its_first_hand_a_table_is_the_device_that_says_so_as_long_as_it_is_there(director: Director) -> None:
    phone = director.paired("dealer", 5)
    assert refusal(director.presses(phone, 5)[1]) == "table-away"
    director.desk.pad("door", PadShown(5, "a1"))
    director.desk.pad("floor", PadShown(5, "b2"))
    director.presses(phone, 5)
    assert [device for device, _ in director.pressed] == ["door"]
    director.places[5] = "table-5"
    director.presses(phone, 5)
    assert director.pressed[-1][0] == "table-5", "what streams tell counts more"
    del director.places[5]
    director.there = []
    assert refusal(director.presses(phone, 5)[1]) == "table-away"


def test_a_dealer_presses_no_other_tables_keys_and_a_commissioner_any(director: Director) -> None:
    director.places[2] = "door"
    dealer, commissioner = director.paired("dealer", 1), director.paired()
    assert refusal(director.presses(dealer, 2)[1]) == "not-authorised"
    director.presses(commissioner, 2)
    assert [device for device, _ in director.pressed] == ["door"]


def test_a_table_without_a_device_or_that_is_silent_is_told(
    director: Director, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = director.paired()
    assert refusal(director.presses(phone, 7)[1]) == "table-away"
    _, told = director.presses(phone, 1)
    assert told == [] and director.desk.due is not None
    later(monkeypatch, 3)
    director.desk.tick()
    assert refusal(told) == "table-away"


def test_the_pad_of_a_table_that_is_away_is_shown_no_more(director: Director) -> None:
    director.desk.pad("table-1", PadShown(1, "b2"))
    time.sleep(console.SIGHT_S)
    director.desk.tick()
    assert director.way is not None and set(director.way.sight.pads) == {1}
    del director.places[1]
    director.desk.tick()
    time.sleep(console.SIGHT_S)
    director.desk.tick()
    assert director.way.sight.pads == {}


# -- notes -------------------------------------------------------------------------------------------------
