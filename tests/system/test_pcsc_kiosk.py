"""A whole kiosk with a real PC/SC reader: cards held against a virtual one through pcscd."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from appliance.apps.demo_season import BLOCKED, FLOOR, FORGED_UID, PLAYERS, VENUE
from tests.contract.virtualcard import Pcscd, ReaderConfig, vpcd
from tests.system import pcsc_hands
from tests.system.hands import Hand, command
from tests.system.houses import House

POLL_S = 0.5
"""The stock virtual reader looks every 0.4 s: a card changed for another in between would be the same one to it."""


@pytest.fixture
def reader() -> ReaderConfig:
    return vpcd()


@pytest.fixture
def pcscd(reader: ReaderConfig) -> Iterator[Pcscd]:
    with Pcscd(reader) as running:
        yield running


@pytest.fixture
def house(pcscd: Pcscd, open_house: Callable[..., House]) -> House:
    house = open_house()
    house.configure("door", 'driver = "pcsc"\nmatch = "Virtual PCD"')
    house.start("director", "door")
    hand = Hand(house, "floor")
    assert hand.ask(command({"do": "open"})).ok
    hand.close()
    house.wait_for("the door's copy", lambda: house.same_round("door"))
    return house


@pytest.fixture
def hold(house: House, reader: ReaderConfig) -> Callable[[str], None]:
    """Holds a card to the reader until it has been read."""

    def hold_card(uid: str) -> None:
        pcsc_hands.hold(house, reader.address, uid)
        time.sleep(POLL_S)

    return hold_card


def registered(house: House) -> list[str]:
    records = house.stream("director", "round/R1")
    return [record["data"]["participant"] for record in records if record["type"] == "registered/1"]


def refused(house: House) -> list[tuple[str, str]]:
    notes = [r["data"] for r in house.stream("director", f"venue/{VENUE}") if r["type"] == "card-refused/1"]
    return [(note["reason"], note["uid"]) for note in notes]


def test_cards_at_the_door_reach_the_director_also_after_pcscd_was_killed(
    house: House, pcscd: Pcscd, hold: Callable[[str], None]
) -> None:
    hold(PLAYERS[0].uid)
    hold(FLOOR.uid)
    house.wait_for("the first to be registered", lambda: registered(house) == [PLAYERS[0].number])
    hold(FORGED_UID)
    house.wait_for("the note of a stranger's card", lambda: refused(house) == [("unknown", FORGED_UID)])
    hold(BLOCKED.uid)
    house.wait_for("the note of a blocked card", lambda: refused(house)[1:] == [("blocked", BLOCKED.uid)])

    pcscd.kill()
    house.check()
    pcscd.start()
    hold(PLAYERS[1].uid)
    hold(FLOOR.uid)
    house.wait_for("the next tap to count", lambda: registered(house) == [PLAYERS[0].number, PLAYERS[1].number])
    house.check()
