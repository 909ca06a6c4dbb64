"""The director's Pi dies for good: a commissioner takes over at a kiosk, and the evening goes on."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable

import pytest

from appliance import kinds
from appliance.apps.demo_season import FLOOR, VENUE
from appliance.engine import Engine, Order
from appliance.floor.catalogue import GROUPS
from appliance.floorglance import DEAD_S
from appliance.game.commands import decode_command, encode_command
from appliance.i18n import Translator
from appliance.journal import Journal
from appliance.record import uuid7
from tests.system.houses import House
from tests.system.test_buttons import Kiosk, begun, kiosks
from tests.system.test_floor_menu import choose, open_menu

MAIN = f"venue/{VENUE}"
CS = Translator("cs")


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


def by_keys(house: House, kiosk: str) -> None:
    """With the card and the keyboard: the menu, its line for a takeover, and yes."""
    house.tap(kiosk, FLOOR.uid)
    time.sleep(2)
    press_in_turn(house, kiosk, "9", "up", "return")
    house.wait_for("the new director", lambda: directs(house, kiosk))


def take_over(house: House, name: str, kiosk: Kiosk, *, instead: bool = False) -> None:
    """The same with the knob; ``instead``: of a director that answers."""
    open_menu(house, kiosk)
    sure = ["Take over all the same"] if instead else []
    choose(house, kiosk, *map(CS.gettext, (GROUPS["takeover"], *sure, "Yes, do it")))
    house.wait_for("the new director", lambda: directs(house, name))


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
        by_keys(house, "table-1")
        house.wait_for("a director", lambda: floor.station.snapshot.director)
        floor.must("next_hand", table=1)
        assert floor.round is not None and floor.round.tables[1].hand == 2
        house.kill("table-1")
        floor.must("next_hand", table=1)
        house.start("table-1")
        house.wait_for("the table's reader", lambda: house.reader_is_up("table-1"))
        house.start("director")
        house.wait_for("the old one to end", lambda: house.programs["director"].ended == 3)


def alone(house: House, kiosk: str) -> str:
    """What a kiosk's director writes that nobody else hears of any more: its id."""
    place = house.workplace(kiosk)
    with Journal(place.data / "director" / "journal", device=kiosk, key=place.key) as journal:
        engine = Engine(journal, kinds.KINDS, place.time.now_ms)
        number = uuid7(place.time.now_ms(), os.urandom(10))
        command = decode_command({"do": "next_hand", "round": "R1", "table": 1})
        order = Order(number, "round/R1", command, FLOOR.number, kiosk, encode_command(command))
        [told] = engine.execute([order], leaves=True)
        assert told.answer.ok, told.answer
    return number


def test_the_second_takeover_ends_the_first_one_and_lists_what_it_alone_had(house: House) -> None:
    with house.floor() as floor, kiosks(house) as start:
        begun(floor)
        table, door = start("table-1"), start("door")
        house.kill("director")
        house.wait_for("it to be missed", lambda: not floor.station.snapshot.director)
        take_over(house, "table-1", table)
        house.wait_for("a director", lambda: floor.station.snapshot.director)
        floor.must("next_hand", table=1)
        table.close()
        house.kill_director_of("table-1")
        number = alone(house, "table-1")
        house.wait_for("it to be missed", lambda: not door.station.snapshot.director)
        take_over(house, "door", door)
        house.wait_for("a director", lambda: floor.station.snapshot.director)
        assert floor.round is not None and floor.round.tables[1].hand == 1
        table = Kiosk(house, "table-1")
        house.wait_for("the list", lambda: [each.command for each in floor.station.lone.open()] == [number])
        house.wait_for("it to direct no more", lambda: not (house.data("table-1") / "directing.json").exists())
        floor.must("next_hand", table=1)
        house.wait_for("the table's copy", lambda: table.station.rounds == floor.station.rounds)
        take_over(house, "table-1", table, instead=True)
        house.wait_for("the door to be told", lambda: not (house.data("door") / "directing.json").exists())
        floor.must("next_hand", table=1)
        assert floor.round.tables[1].hand == 3 and [each.command for each in floor.station.lone.open()] == [number]
        table.close()
