"""What only an old director had, decided of at two kiosks at once, and where nobody directs: on real connections."""

from __future__ import annotations

from typing import Any

from appliance.apps.demo_season import FLOOR
from appliance.gathering import Taking
from appliance.station import Station
from tests.system.houses import House
from tests.system.test_buttons import begun
from tests.system.test_takeover import MAIN, Venue, alone, venue

__all__ = ["venue"]


def settle(station: Station, command: str, accept: bool) -> list[str | None]:
    """Say what is to become of an entry; the answer, once there is one."""
    told: list[str | None] = []
    station.lone.settle(command, FLOOR.number, accept, lambda refusal: told.append(refusal and refusal.code))
    return told


def settled(house: House) -> list[dict[str, Any]]:
    """What the venue's stream says of entries that were decided of, as the floor's device has it."""
    notes = house.stream("floor", MAIN)
    return [each for each in notes if each["type"].startswith(("stranded-accepted", "stranded-dropped"))]


def test_the_director_hears_two_commissioners_one_after_the_other_and_nobody_is_told_before_it_did(
    venue: Venue,
) -> None:
    house, first = venue.house, venue.director()
    door, table = venue.station("door"), venue.station("table-1")
    with house.floor() as floor:
        begun(floor)
        house.wait_for("the copies", lambda: house.same_round("door", "floor", "table-1"))
        venue.stop(first)
        command = alone(venue, "director", "next_hand", table=1)
        house.wait_for("it to be gone", lambda: not door.snapshot.director)
        taking = Taking(FLOOR.number, house.data("door") / "journal")
        second = venue.director("table-2", taking)
        house.wait_for("a director", lambda: door.snapshot.director)
        venue.director().join(20)
        house.wait_for("the list", lambda: len(door.lone.open()) == 1 == len(table.lone.open()))
        venue.stop(second)
        house.wait_for("it to be gone", lambda: not door.snapshot.director)
        unheard = settle(door, command, False)
        house.wait_for("that nobody answers", lambda: unheard)
        assert unheard == ["no-answer"] and len(door.lone.open()) == 1
        venue.director("table-2", taking)
        house.wait_for("a director", lambda: door.snapshot.director and table.snapshot.director)
        told = settle(table, command, True), settle(door, command, False)
        house.wait_for("both answers", lambda: all(told))
        assert sorted(map(str, told)) == ["['stale']", "[None]"]
        house.wait_for("the entry to be gone", lambda: door.lone.open() == () == table.lone.open())
        [note] = house.wait_for("the note", lambda: settled(house))
        accepted = note["type"] == "stranded-accepted/1"
        assert accepted is (told[0] == [None])
        floor.wait("the hand", lambda round: round.tables[1].hand == accepted)
