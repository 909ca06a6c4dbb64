"""A director dies, another device takes its place: what was acknowledged stays, and there is never more than one."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterator

import pytest

from appliance import kinds
from appliance.apps.demo_season import FLOOR, VENUE
from appliance.conductor import Conductor
from appliance.engine import Engine, Order
from appliance.fencing import FENCED, fence_of
from appliance.floor.catalogue import BY_ID, GROUPS
from appliance.forks import stranded
from appliance.game.commands import decode_command, encode_command
from appliance.game.refusal import Refusal
from appliance.gathering import SIMPLY, Taking
from appliance.i18n import Translator
from appliance.record import decode, uuid7
from appliance.station import Station
from appliance.workplace import Workplace
from tests.system.houses import House
from tests.system.test_buttons import Kiosk, begun, kiosks
from tests.system.test_floor_menu import choose, open_menu

CS = Translator("cs")
MAIN = f"venue/{VENUE}"


class Venue:
    """A house whose directors and stations run in this process, each with files, key and connection of its own."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.running: list[Conductor | Station] = []

    def director(self, name: str = "director", taking: Taking = SIMPLY) -> Conductor:
        """A director in the folder of a device; of a kiosk in the one below it."""
        conductor = Conductor(self.place(name), taking=taking)
        conductor.start()
        self.running.append(conductor)
        return conductor

    def place(self, name: str) -> Workplace:
        return self.house.workplace(name)

    def station(self, name: str) -> Station:
        station = Station(self.place(name))
        station.start()
        self.running.append(station)
        return station

    def stop(self, worker: Conductor | Station) -> None:
        worker.stop()
        worker.join(10)
        assert worker.failure is None
        self.running.remove(worker)


@pytest.fixture
def venue(open_house: Callable[..., House]) -> Iterator[Venue]:
    venue = Venue(open_house("mosquitto"))
    yield venue
    for worker in venue.running:
        worker.stop()
    for worker in venue.running:
        worker.join(10)


def test_a_director_follows_with_all_that_was_acknowledged_and_the_clock_goes_on(venue: Venue) -> None:
    first = venue.director()
    door = venue.station("door")
    with venue.house.floor() as floor:
        begun(floor)
        floor.must("next_hand", table=1)
        house = venue.house
        house.wait_for("the door's copy", lambda: house.same_round("door", "floor"))
        before = floor.round
        venue.stop(first)
        house.wait_for("it to be gone", lambda: not door.snapshot.director)
        venue.director("table-2", Taking(FLOOR.number, house.data("door") / "journal"))
        house.wait_for("a director", lambda: door.snapshot.director and floor.station.snapshot.director)
        assert floor.round == before
        floor.must("next_hand", table=1)
        [note] = [each for each in house.stream("floor", MAIN) if each["type"] == "takeover/1"]
        assert (note["data"]["by"], note["data"]["device"]) == (FLOOR.number, "table-2")
        assert {"door", "floor"} <= set(note["data"]["from"])
        again = venue.director()
        house.wait_for("the old one to end", lambda: not again.is_alive())
        assert again.finish("director") == FENCED
        assert fence_of(house.data("director")) is not None
        once_more = venue.director()
        once_more.join(10)
        assert once_more.finish("director") == FENCED


def alone(venue: Venue, name: str, do: str, **fields: object) -> str:
    """What a director writes that nobody else hears of any more: its id."""
    place = venue.place(name)
    with place.journal() as journal:
        engine = Engine(journal, kinds.KINDS, place.time.now_ms)
        number = uuid7(place.time.now_ms(), os.urandom(10))
        command = decode_command({"do": do, "round": "R1", **fields})
        order = Order(number, "round/R1", command, FLOOR.number, "door", encode_command(command))
        [told] = engine.execute([order], leaves=True)
        assert told.answer.ok, told.answer
    return number


def lone(venue: Venue, name: str) -> list[str | None]:
    """The commands whose records are stranded in a journal."""
    with venue.house.journal(name) as journal:
        found = []
        for head, upto in stranded(journal, "round/R1"):
            found += [decode(raw).cause for raw, _ in journal.read("round/R1", head.epoch, upto)]
        return found


def test_what_only_the_old_director_had_is_kept_by_the_new_one_and_counts_nowhere(venue: Venue) -> None:
    house, first = venue.house, venue.director()
    door = venue.station("door")
    with house.floor() as floor:
        begun(floor)
        house.wait_for("the door's copy", lambda: house.same_round("door", "floor"))
        venue.stop(first)
        number = alone(venue, "director", "next_hand", table=1)
        house.wait_for("it to be gone", lambda: not door.snapshot.director)
        venue.director("table-2", Taking(FLOOR.number, house.data("door") / "journal"))
        house.wait_for("a director", lambda: door.snapshot.director)
        before = floor.round
        old = venue.director()
        old.join(20)
        assert old.finish("director") == FENCED
        assert lone(venue, "table-2") == [number]
        floor.must("pause")
        assert floor.round is not None and before is not None
        assert floor.round.tables == before.tables
        [found] = house.wait_for("the list", lambda: door.lone.open())
        assert (found.command, found.actor, found.device) == (number, FLOOR.number, "door")


LONE = [("next_hand", {"table": 1}), ("pause", {}), ("resume", {})]
"""What the old director did when nobody heard it any more."""


def decide(house: House, kiosk: Kiosk, entry: str, answer: str) -> None:
    """With the knob: the list, the entry, what is to become of it, and yes."""
    if kiosk.station.snapshot.menu is None:
        open_menu(house, kiosk)
    else:
        choose(house, kiosk, CS.gettext("To the menu"))
    choose(house, kiosk, CS.gettext(GROUPS["lone"]), CS.gettext(entry), CS.gettext(answer), CS.gettext("Yes, do it"))


def test_what_only_the_old_director_had_is_given_anew_or_void_and_asked_about_once(venue: Venue) -> None:
    house, first = venue.house, venue.director()
    with house.floor() as floor, kiosks(house) as start:
        begun(floor)
        door = start("door")
        venue.stop(first)
        numbers = [alone(venue, "director", do, **fields) for do, fields in LONE]
        house.wait_for("it to be gone", lambda: not door.station.snapshot.director)
        venue.director("table-2", Taking(FLOOR.number, house.data("door") / "journal"))
        house.wait_for("a director", lambda: door.station.snapshot.director)
        venue.director().join(20)
        house.wait_for("the list", lambda: door.station.snapshot.lone == 3 == floor.station.snapshot.lone)
        hand = f"{CS.gettext(BY_ID['next_hand'].label)} · {CS.gettext('Table {table}', table='1')}"
        decide(house, door, hand, "Yes: give it anew")
        after = floor.wait("the hand", lambda round: round.tables[1].hand == 1)
        house.wait_for("it to be settled", lambda: floor.station.snapshot.lone == 2)
        decide(house, door, BY_ID["pause"].label, "No: it is void")
        house.wait_for("it to be settled", lambda: floor.station.snapshot.lone == 1)
        decide(house, door, BY_ID["resume"].label, "Yes: give it anew")
        menu = house.wait_for("a refusal", lambda: (m := door.station.snapshot.menu) and m.page.good is False and m)
        assert isinstance(menu.page.hint, Refusal) and menu.page.hint.code == "already-running"
        assert floor.round == after and floor.station.snapshot.lone == 1
        [accepted] = [each for each in house.stream("floor", MAIN) if each["type"] == "stranded-accepted/1"]
        assert (accepted["data"]["command"], accepted["data"]["by"]) == (numbers[0], FLOOR.number)
        [given] = [each for each in house.stream("floor", "round/R1") if each["cause"] == accepted["data"]["anew"]]
        assert given["data"]["actor"] == FLOOR.number


def test_an_old_director_that_still_serves_ends_and_nothing_of_it_is_lost(venue: Venue) -> None:
    house, first = venue.house, venue.director()
    venue.station("door")
    with house.floor() as floor:
        begun(floor)
        stale = house.data("table-2") / "stale"
        shutil.copy(house.data("floor") / "journal", stale)
        floor.must("next_hand", table=1)
        venue.director("table-2", Taking(FLOOR.number, stale))
        house.wait_for("the old one to end", lambda: not first.is_alive())
        assert first.finish("director") == FENCED
        house.wait_for("a director", lambda: floor.station.snapshot.director)
        assert floor.round is not None and floor.round.tables[1].hand == 1
        floor.must("next_hand", table=1)
        assert floor.round.tables[1].hand == 2
        assert lone(venue, "table-2") == []


def test_a_director_whose_disk_is_full_makes_way_all_the_same_and_hands_over(
    venue: Venue, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(folder: object, fenced: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    house, first = venue.house, venue.director()
    venue.station("door")
    with house.floor() as floor:
        begun(floor)
        stale = house.data("table-2") / "stale"
        shutil.copy(house.data("floor") / "journal", stale)
        floor.must("next_hand", table=1)
        monkeypatch.setattr("appliance.fencing.put_fence", full)
        second = venue.director("table-2", Taking(FLOOR.number, stale))
        house.wait_for("the old one to end", lambda: not first.is_alive())
        assert first.finish("director") == FENCED
        house.wait_for("a director", lambda: floor.station.snapshot.director)
        assert second.deposed is None and fence_of(house.data("director")) is None
        again = venue.director()
        house.wait_for("it to end anew", lambda: not again.is_alive())
        assert again.finish("director") == FENCED
        floor.must("next_hand", table=1)


def test_of_two_that_take_over_at_once_one_serves_and_the_other_ends(venue: Venue) -> None:
    house, first = venue.house, venue.director()
    door = venue.station("door")
    with house.floor() as floor:
        begun(floor)
        house.wait_for("the door's copy", lambda: house.same_round("door", "floor"))
        venue.stop(first)
        house.wait_for("it to be gone", lambda: not door.snapshot.director)
        copy = house.data("door") / "journal"
        both = [venue.director(name, Taking(FLOOR.number, copy)) for name in ("table-1", "table-2")]
        house.wait_for("one to end", lambda: [each for each in both if not each.is_alive()])
        [ended] = [each for each in both if not each.is_alive()]
        assert ended.finish("director") == FENCED
        [serves] = [each for each in both if each is not ended]
        house.wait_for("a director", lambda: floor.station.snapshot.director)
        floor.must("next_hand", table=1)
        assert serves.is_alive() and serves.deposed is None


def test_a_director_that_took_over_and_is_started_again_goes_on_in_its_epoch(venue: Venue) -> None:
    house, first = venue.house, venue.director()
    door = venue.station("door")
    with house.floor() as floor:
        begun(floor)
        house.wait_for("the door's copy", lambda: house.same_round("door", "floor"))
        venue.stop(first)
        taking = Taking(FLOOR.number, house.data("door") / "journal", wish="one")
        for _ in range(2):
            house.wait_for("it to be gone", lambda: not door.snapshot.director)
            there = venue.director("table-2", taking)
            house.wait_for("a director", lambda: floor.station.snapshot.director)
            floor.must("next_hand", table=1)
            venue.stop(there)
        with house.journal("table-2") as journal:
            assert len(journal.epochs(MAIN)) == 2
