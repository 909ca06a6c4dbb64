"""The director's Pi dies for good: a commissioner takes over at a kiosk, and the evening goes on."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest

from appliance.apps.demo_season import FLOOR, VENUE
from appliance.floorglance import DEAD_S
from tests.system.houses import House
from tests.system.test_buttons import begun

MAIN = f"venue/{VENUE}"


@pytest.fixture
def house(open_house: Callable[..., House]) -> House:
    house = open_house("mosquitto")
    house.start("director")
    return house


def press_in_turn(house: House, kiosk: str, *keys: str) -> None:
    """Keys of a kiosk's keyboard, each when what the one before it led to has been seen."""
    for key in keys:
        time.sleep(2.5 * DEAD_S)
        house.press(kiosk, key)


def take_over(house: House, kiosk: str) -> None:
    """With the card and the keyboard: the menu, its line for a takeover, and yes."""
    house.tap(kiosk, FLOOR.uid)
    time.sleep(0.5)
    press_in_turn(house, kiosk, "9", "up", "return")


def directs(house: House, kiosk: str) -> bool:
    """Whether a kiosk's Pi directs, and has begun to."""
    note = house.data(kiosk) / "directing.json"
    return note.exists() and bool(json.loads(note.read_bytes())["taken"])


def test_the_evening_goes_on_from_a_kiosk_and_nothing_acknowledged_is_lost(house: House) -> None:
    with house.floor() as floor:
        begun(floor)
        floor.must("next_hand", table=1)
        house.start("table-1")
        house.wait_for("the table's reader", lambda: house.reader_is_up("table-1"))
        house.wait_for("its copy", lambda: house.same_round("table-1") and house.same_stream(MAIN, "table-1"))
        house.kill("director")
        house.wait_for("it to be missed", lambda: not floor.station.snapshot.director)
        take_over(house, "table-1")
        began = time.monotonic()
        house.wait_for("a director", lambda: floor.station.snapshot.director)
        assert time.monotonic() - began < 30
        house.wait_for("the note", lambda: directs(house, "table-1"))
        floor.must("next_hand", table=1)
        assert floor.round is not None and floor.round.tables[1].hand == 2
        house.kill("table-1")
        floor.must("next_hand", table=1)
        house.start("table-1")
        house.wait_for("the table's reader", lambda: house.reader_is_up("table-1"))
        house.start("director")
        house.wait_for("the old one to end", lambda: house.programs["director"].ended == 3)
