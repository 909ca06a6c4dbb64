"""A director that another one followed directs again when a commissioner says so, at its own machine (DESIGN §5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from appliance import fencing
from appliance.apps.demo_season import FLOOR
from appliance.fencing import FENCED, Fenced, fence_of, former_fence
from appliance.gathering import Taking
from appliance.record import Epoch, Head
from tests.system.houses import House
from tests.system.test_buttons import begun
from tests.system.test_takeover import MAIN, Venue

BY_HAND = Taking(FLOOR.number)
"""``tableside director FILES --take-over NUMBER``: nobody gives it a copy."""


@pytest.fixture
def venue(open_house: Callable[..., House]) -> Iterator[Venue]:
    venue = Venue(open_house("mosquitto"))
    yield venue
    for worker in venue.running:
        worker.stop()
    for worker in venue.running:
        worker.join(10)


@pytest.mark.parametrize("noted", [True, False], ids=["it was started meanwhile", "it was off all the time"])
@pytest.mark.parametrize("alive", [True, False], ids=["the other directs", "the other is off"])
def test_a_director_that_is_mended_directs_again_with_all_that_was_done_meanwhile(
    venue: Venue, alive: bool, noted: bool
) -> None:
    house, first = venue.house, venue.director()
    door = venue.station("door")
    with house.floor() as floor:
        begun(floor)
        house.wait_for("the door's copy", lambda: house.same_round("door", "floor"))
        venue.stop(first)
        house.wait_for("it to be gone", lambda: not door.snapshot.director)
        other = venue.director("table-2", Taking(FLOOR.number, house.data("door") / "journal"))
        house.wait_for("a director", lambda: floor.station.snapshot.director and door.snapshot.director)
        floor.must("next_hand", table=1)
        house.wait_for("the door's copy", lambda: heads(house, "door") == heads(house, "floor"))
        if noted:
            old = venue.director()
            old.join(20)
            assert old.finish("director") == FENCED and fence_of(house.data("director")) is not None
        if not alive:
            venue.stop(other)
            house.wait_for("it to be gone", lambda: not door.snapshot.director)
        again = venue.director("director", BY_HAND)
        house.wait_for("it to direct", lambda: newest(house, "floor").n == 3)
        house.wait_for("a director", lambda: floor.station.snapshot.director and door.snapshot.director)
        floor.must("next_hand", table=1)
        assert floor.round is not None and floor.round.tables[1].hand == 2, "the hand of meanwhile is there"
        assert again.is_alive() and again.deposed is None and fence_of(house.data("director")) is None
        assert former_fence(house.data("director")) is None
        if alive:
            house.wait_for("the other to end", lambda: not other.is_alive())
            assert other.finish("director") == FENCED
        venue.stop(again)
        house.wait_for("it to be gone", lambda: not door.snapshot.director)
        venue.director()
        house.wait_for("a director", lambda: floor.station.snapshot.director)
        assert newest(house, "floor").n == 3, "from now on it simply goes on"


def no_power(*_: object) -> list[str]:
    raise OSError("the power is gone")


def heads(house: House, name: str) -> list[Head]:
    """How far a device's copy is."""
    with house.journal(name) as journal:
        return journal.heads()


def newest(house: House, name: str) -> Epoch:
    """The epoch of the venue's stream in a device's copy."""
    with house.journal(name) as journal:
        head = journal.newest(MAIN)
        assert head is not None
        return Epoch.parse(head.epoch)


def test_a_takeover_that_was_cut_short_begins_above_the_director_that_had_followed(
    venue: Venue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who followed stays noted until there is an epoch above: a power cut in between leads back to no older one."""
    house = venue.house
    first = venue.director()
    with house.floor() as floor:
        begun(floor)
        venue.stop(first)
        fencing.put_fence(house.data("director"), Fenced("7-00000000000000aa", "table-2"))
        with monkeypatch.context() as cut:
            cut.setattr("appliance.gathering.open_epochs", no_power)
            broken = venue.director("director", BY_HAND)
            broken.join(20)
            assert broken.failure is not None
            venue.running.remove(broken)
        venue.director("director", BY_HAND)
        house.wait_for("it to direct", lambda: newest(house, "floor").n == 8)
        house.wait_for("a director", lambda: floor.station.snapshot.director)
