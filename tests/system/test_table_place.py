"""A table's Pi dies: a spare one goes on at the same hand, and the dead one, when it is back, writes no more."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from appliance.apps.demo_season import VENUE
from appliance.game.tablestream.state import Moment
from appliance.station import Station
from tests.system.houses import House
from tests.system.test_buttons import begun, kiosks

STREAM = f"table/{VENUE}-1"


@pytest.fixture
def house(open_house: Callable[..., House]) -> House:
    house = open_house("mosquitto", tracked=("table-1", "table-2"))
    house.start("director")
    house.configure("table-2")
    spare = house.data("table-2") / "device.toml"
    spare.write_text(spare.read_text().replace("table = 2", "table = 1"))
    return house


def hand_of(station: Station) -> Moment | None:
    """The hand that a table tracks, as far as it was played."""
    table = station.snapshot.table
    return table.now if table is not None and table.current is not None else None


def opened_by(house: House, device: str) -> list[str]:
    return [each["data"]["by"] for each in house.stream(device, STREAM) if each["type"] == "epoch-opened/1"]


def test_a_spare_device_goes_on_at_the_same_hand_and_the_dead_one_is_told(house: House) -> None:
    with house.floor() as floor, kiosks(house) as start:
        begun(floor)
        table = start("table-1")
        house.wait_for("the table", lambda: table.station.snapshot.keys)
        table.station.press("next")
        house.wait_for("the hand", lambda: hand_of(table.station))
        for _ in range(2):
            before = hand_of(table.station)
            table.station.type("c")
            house.wait_for("the call", lambda before=before: hand_of(table.station) != before)
        played = hand_of(table.station)
        house.wait_for("the copy", lambda: house.same_stream(STREAM, "table-1"))
        table.close()
        spare = start("table-2")
        assert house.wait_for("the same hand", lambda: hand_of(spare.station)) == played
        spare.station.type("c")
        house.wait_for("the next call", lambda: hand_of(spare.station) != played)
        played = hand_of(spare.station)
        house.wait_for("the copy", lambda: house.same_stream(STREAM, "table-2"))
        assert opened_by(house, "director") == ["table-1", "table-2"]
        for _ in range(2):  # also when it is started once more
            dead = start("table-1")
            house.wait_for("it to be told", lambda dead=dead: dead.station.snapshot.elsewhere == "table-2")
            assert hand_of(dead.station) is None
            dead.station.type("c")
            dead.station.press("next")
            floor.must("pause")
            floor.must("resume")
            dead.close()
        assert hand_of(spare.station) == played and spare.station.snapshot.elsewhere == ""
        assert opened_by(house, "director") == opened_by(house, "table-1") == ["table-1", "table-2"]


def test_a_table_that_is_still_there_learns_that_another_device_has_taken_its_place(house: House) -> None:
    with house.floor() as floor, kiosks(house) as start:
        begun(floor)
        table = start("table-1")
        house.wait_for("the table", lambda: table.station.snapshot.keys)
        spare = start("table-2")
        house.wait_for("the spare", lambda: spare.station.snapshot.keys)
        house.wait_for("it to be told", lambda: table.station.snapshot.elsewhere == "table-2")
        assert table.station.snapshot.keys == ()
        spare.station.press("next")
        floor.wait("the hand", lambda round: round.tables[1].hand == 1)


def test_a_table_whose_disk_was_lost_goes_on_with_its_own_stream(house: House) -> None:
    with house.floor() as floor, kiosks(house) as start:
        begun(floor)
        table = start("table-1")
        house.wait_for("the table", lambda: table.station.snapshot.keys)
        table.station.press("next")
        played = house.wait_for("the hand", lambda: hand_of(table.station))
        house.wait_for("the copy", lambda: house.same_stream(STREAM, "table-1"))
        table.close()
        for file in house.data("table-1").glob("journal*"):
            file.unlink()
        again = start("table-1")
        assert house.wait_for("the same hand", lambda: hand_of(again.station)) == played
