"""Each takeover that a commissioner wants is one: it is begun once, from what people have played on by (DESIGN §5)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from appliance import gathering, kinds
from appliance.apps.demo_season import FLOOR, VENUE
from appliance.fencing import FENCED
from appliance.gathering import Taking
from appliance.journal import Journal
from appliance.record import Epoch
from tests.system.houses import House
from tests.system.test_buttons import Kiosk, begun
from tests.system.test_members_follow import KEY, OTHER, knows, noted
from tests.system.test_takeover import MAIN, Venue

WISHES = map("wish-{}".format, itertools.count())


@pytest.fixture
def venue(open_house: Callable[..., House]) -> Iterator[Venue]:
    venue = Venue(open_house("mosquitto"))
    yield venue
    for worker in venue.running:
        worker.stop()
    for worker in venue.running:
        worker.join(10)


def wanted(copy: Path) -> Taking:
    return Taking(FLOOR.number, copy, wish=next(WISHES))


def dies_unheard(venue: Venue, name: str, taking: Taking, sorts: Callable[[str], bool]) -> None:
    """A takeover whose power goes between its commit and its first word. ``sorts``: where its journal's id has to be
    among those of the others, which chance decides."""
    place = venue.place(name)
    assert taking.copy is not None
    for _ in range(500):
        for part in place.data.glob("journal*"):
            part.unlink()
        with place.journal() as journal:
            if sorts(journal.id):
                gathering.take_copy(journal, taking.copy, VENUE)
                note = kinds.Takeover(by=FLOOR.number, device=name, why=gathering.WHY, wish=taking.wish)
                gathering.open_epochs(journal, VENUE, note, place.now_ms(), 0)
                return
    raise AssertionError("no such id")


def newest(house: House, name: str) -> Epoch:
    with Journal(house.data(name) / "journal", read_only=True) as journal:
        head = journal.newest(MAIN)
        assert head is not None
        return Epoch.parse(head.epoch)


def plays_on(house: House, floor: Kiosk, copy: str) -> object:
    """Five hands and a pause, acknowledged by another device's copy."""
    for _ in range(5):
        floor.must("next_hand", table=1)
    floor.must("pause")
    house.wait_for("the copy", lambda: house._newest(copy, "round/R1") == house._newest("floor", "round/R1"))
    return floor.round


@pytest.mark.parametrize("followed", ["by another kiosk", "by nobody: the old director was mended"])
@pytest.mark.parametrize("alone", [True, False], ids=["nobody else answers", "others answer"])
def test_a_takeover_that_nobody_heard_of_takes_nothing_back_when_it_is_wanted_anew(
    venue: Venue, followed: str, alone: bool
) -> None:
    house, first = venue.house, venue.director()
    door = venue.station("door")
    copy = house.data("door") / "journal"
    with house.floor() as floor:
        begun(floor)
        house.wait_for("the door's copy", lambda: house.same_round("door", "floor"))
        venue.stop(first)
        house.wait_for("it to be gone", lambda: not door.snapshot.director)
        dies_unheard(venue, "table-2", wanted(copy), lambda id: id > "c")
        second = venue.director("table-1", wanted(copy)) if followed == "by another kiosk" else venue.director()
        house.wait_for("a director", lambda: floor.station.snapshot.director and door.snapshot.director)
        before = plays_on(house, floor, "door")
        venue.stop(second)
        house.wait_for("it to be gone", lambda: not door.snapshot.director)
        if alone:
            venue.stop(door)
        third = venue.director("table-2", wanted(copy))
        house.wait_for("a director", lambda: floor.station.direction.name == "table-2")
        house.wait_for("the next epoch", lambda: newest(house, "floor").n == 3)
        assert floor.round == before and third.deposed is None
        notes = [each["data"]["device"] for each in house.stream("floor", MAIN) if each["type"] == "takeover/1"]
        assert notes[-1] == "table-2"
        assert floor.station.snapshot.lone == 0
        floor.must("next_hand", table=1)


def test_a_takeover_that_has_come_about_is_gone_on_with_and_another_wish_is_another_one(venue: Venue) -> None:
    house, first = venue.house, venue.director()
    door = venue.station("door")
    copy = house.data("door") / "journal"
    with house.floor() as floor:
        begun(floor)
        house.wait_for("the door's copy", lambda: house.same_round("door", "floor"))
        venue.stop(first)
        taking = wanted(copy)
        for wish, number in ((taking, 2), (taking, 2), (wanted(copy), 3)):
            house.wait_for("it to be gone", lambda: not door.snapshot.director)
            there = venue.director("table-2", wish)
            house.wait_for("a director", lambda: floor.station.snapshot.director)
            floor.must("next_hand", table=1)
            assert newest(house, "floor").n == number
            venue.stop(there)


def test_who_begins_anew_while_another_one_of_its_number_directs_follows_that_one(venue: Venue) -> None:
    """Its kiosk starts it again by the same wish: by then another device has taken over as well."""
    house, first = venue.house, venue.director()
    door = venue.station("door")
    copy = house.data("door") / "journal"
    with house.floor() as floor:
        begun(floor)
        house.wait_for("the door's copy", lambda: house.same_round("door", "floor"))
        venue.stop(first)
        house.wait_for("it to be gone", lambda: not door.snapshot.director)
        taking = wanted(copy)
        dies_unheard(venue, "table-2", taking, lambda id: id > "c")
        other = venue.director("table-1", wanted(copy))
        house.wait_for("a director", lambda: floor.station.snapshot.director and door.snapshot.director)
        before = plays_on(house, floor, "door")
        venue.director("table-2", taking)
        house.wait_for("the other to end", lambda: not other.is_alive())
        assert other.finish("director") == FENCED
        house.wait_for("the next epoch", lambda: newest(house, "floor").n == 3)
        assert floor.round == before


def test_a_device_without_any_copy_begins_above_the_director_that_it_has_never_heard_of(venue: Venue) -> None:
    house = venue.house
    first = venue.director()
    with house.floor() as floor:
        begun(floor)
    venue.stop(first)
    with venue.place("table-2").journal() as empty:
        assert empty.newest(MAIN) is None
    with Journal(house.data("table-1") / "journal", device="table-1"):
        pass
    taker = venue.director("table-2", wanted(house.data("table-1") / "journal"))
    house.wait_for("it to direct", lambda: (house.data("table-2") / "heartbeat.json").exists())
    assert newest(house, "table-2").n == 2
    old = venue.director()
    house.wait_for("the old one to end", lambda: not old.is_alive())
    assert old.finish("director") == FENCED and taker.deposed is None


def test_who_was_let_in_or_dropped_after_a_takeover_that_nobody_heard_of_is_in_or_out_at_the_next_one(
    venue: Venue,
) -> None:
    house = venue.house
    dropped = kinds.DeviceAdopted(device="spare-1", key=KEY, role="table", table=9, by=FLOOR.number)
    noted(house, dropped, "01a22c7c-0000-7000-8000-000000000001")
    first, door = venue.director(), venue.station("door")
    copy = house.data("door") / "journal"
    house.wait_for("the one in", lambda: knows(door._place, "spare-1"))
    venue.stop(first)
    house.wait_for("it to be gone", lambda: not door.snapshot.director)
    dies_unheard(venue, "table-2", wanted(copy), lambda id: id > "c")
    let_in = kinds.DeviceAdopted(device="spare-2", key=OTHER, role="table", table=8, by=FLOOR.number)
    noted(house, let_in, "01a22c7c-0000-7000-8000-000000000002")
    out = kinds.DeviceDropped(device="spare-1", key=KEY, by=FLOOR.number)
    noted(house, out, "01a22c7c-0000-7000-8000-000000000003")
    second = venue.director()
    house.wait_for("its word", lambda: knows(door._place, "spare-2") and not knows(door._place, "spare-1"))
    venue.stop(second)
    house.wait_for("it to be gone", lambda: not door.snapshot.director)
    third = venue.director("table-2", wanted(copy))
    house.wait_for("the next epoch", lambda: newest(house, "door").n == 3)
    house.wait_for("it to serve", lambda: door.direction.name == "table-2")
    assert knows(third._place, "spare-2") and not knows(third._place, "spare-1")
