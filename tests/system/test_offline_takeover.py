"""A table plays on while its director is dead, and tells another one, which took over: all of it, in order, once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from appliance.apps.demo_season import FLOOR
from appliance.game.state import Table
from appliance.gathering import Taking
from appliance.hw.panel import Button, ButtonPressed
from appliance.station import Station
from tests.system.houses import House
from tests.system.test_buttons import begun
from tests.system.test_takeover import Venue


@pytest.fixture
def venue(open_house: Callable[..., House]) -> Iterator[Venue]:
    venue = Venue(open_house("mosquitto"))
    yield venue
    for worker in venue.running:
        worker.stop()
    for worker in venue.running:
        worker.join(10)


def shown(table: Station) -> Table | None:
    """What the table's screen shows of its hand."""
    return next((round.tables[1] for round in table.snapshot.rounds if 1 in round.tables), None)


def at_hand(table: Station, number: int) -> Table | None:
    """The table, once it is at this hand."""
    now = shown(table)
    return now if now is not None and now.hand == number else None


def press(venue: Venue, table: Station, number: int) -> Table:
    """Press the button, and wait for the hand."""
    table.inbox.put(ButtonPressed(Button.NEXT_HAND, time.monotonic_ns()))
    found = venue.house.wait_for(f"hand {number}", lambda: at_hand(table, number))
    assert found is not None
    return found


def test_S_7_hands_played_without_a_director_are_told_to_the_one_that_took_over(venue: Venue) -> None:
    first, table, house = venue.director(), venue.station("table-1"), venue.house
    with house.floor() as floor:
        begun(floor)
        house.wait_for("the table's copy", lambda: house.same_round("table-1"))
        press(venue, table, 1)
        venue.stop(first)
        house.wait_for("it to be gone", lambda: not table.snapshot.director)
        press(venue, table, 2)
        before = press(venue, table, 3)
        assert table.snapshot.kept == (2, 3)
        venue.director("table-2", Taking(FLOOR.number, house.data("table-1") / "journal"))
        round = floor.wait("the hands", lambda round: round.tables[1].hand == 3)
        house.wait_for("nothing to be kept any more", lambda: table.snapshot.kept is None)
        assert shown(table) == before == round.tables[1] and not table.snapshot.refused
        press(venue, table, 4)
        house.wait_for("the floor's copy", lambda: (round := floor.round) is not None and round.tables[1].hand == 4)
        stream = house.stream("floor", "round/R1")
        began = [record["data"]["hand"] for record in stream if record["type"] == "hand-started/1"]
        assert began == [1, 2, 3, 4]
