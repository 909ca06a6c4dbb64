"""A card that is put back as it was hours ago: the device gets back what the others have, and nothing is told twice."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from appliance.apps.demo_season import PLAYERS, VENUE
from tests.system.hands import Hand, command
from tests.system.houses import House
from tests.system.leagues import EVENING
from tests.system.test_restarts import REBOOTED

TABLE = f"table/{VENUE}-1"
ROUND = "round/R1"


@pytest.fixture
def house(open_house: Callable[..., House]) -> House:
    house = open_house(start_ms=round(EVENING.timestamp() * 1000))
    house.start("director", "door")
    return house


def keep(house: House, name: str) -> Path:
    """What a stopped device's card holds now."""
    kept = house.folder / f"kept-{name}"
    shutil.copytree(house.data(name), kept)
    return kept


def put_back(house: House, name: str, kept: Path) -> None:
    shutil.rmtree(house.data(name))
    shutil.copytree(kept, house.folder / name)


def accepted(hand: Hand, *bodies: dict[str, object]) -> None:
    for body in bodies:
        reply = hand.ask(command(body))
        assert reply.ok, (body, reply)


def register(number: str) -> dict[str, object]:
    return {"do": "register", "participant": number, "identity_checked": True}


def test_a_directors_card_put_back_gets_the_evening_from_the_kiosks(house: House) -> None:
    hand = Hand(house, "floor")
    accepted(hand, {"do": "open"}, register(PLAYERS[0].number))
    house.wait_for("the door's copy", lambda: house.same_round("door"))
    house.stop("director")
    kept = keep(house, "director")
    house.start("director")
    accepted(hand, *(register(player.number) for player in PLAYERS[1:9]))
    house.wait_for("the door's copy", lambda: house.same_round("door"))
    before = house.records("door")
    house.stop("director")
    put_back(house, "director", kept)
    assert house.records("director") != before
    house.start("director")
    house.wait_for("the tail", lambda: house.records("director") == before)
    again = hand.ask(command(register(PLAYERS[1].number)))
    assert not again.ok and again.refusal is not None and again.refusal.code == "already-registered"
    accepted(hand, register(PLAYERS[9].number))
    house.wait_for("the door's copy", lambda: house.same_round("door"))
    assert len([epoch for stream, epoch in house.records("director") if stream == ROUND]) == 1
    hand.close()


def test_a_card_put_back_in_a_machine_that_was_off_is_written_on_only_after_its_tail(house: House) -> None:
    """The running clock is paused as after any power cut, but at the end of the evening so far and not within it."""
    hand = Hand(house, "floor")
    accepted(hand, {"do": "open"}, *(register(player.number) for player in PLAYERS[:10]), {"do": "start"})
    house.wait_for("the door's copy", lambda: house.same_round("door"))
    house.stop("director")
    kept = keep(house, "director")
    house.start("director")
    for _ in range(3):
        accepted(hand, {"do": "next_hand", "table": 1})
    house.wait_for("the door's copy", lambda: house.same_round("door"))
    before = house.stream("door", ROUND)
    house.stop("director")
    put_back(house, "director", kept)
    beat = json.loads((kept / "heartbeat.json").read_bytes())
    (house.folder / "director" / "heartbeat.json").write_text(json.dumps({**beat, "boot": REBOOTED}))
    house.start("director")
    house.wait_for("the pause", lambda: len(house.stream("door", ROUND)) > len(before))
    house.wait_for("the door's copy", lambda: house.same_round("door"))
    after = house.stream("door", ROUND)
    assert after[: len(before)] == before and house.stream("director", ROUND) == after
    assert [record["type"] for record in after[len(before) :]] == ["clock-set/1"]
    assert {record["epoch"] for record in after} == {before[0]["epoch"]}
    hand.close()


def test_a_tables_card_put_back_goes_on_in_its_stream(house: House) -> None:
    hand = Hand(house, "floor")
    accepted(hand, {"do": "open"}, *(register(player.number) for player in PLAYERS[:10]), {"do": "start"})
    house.start("table-1")
    house.wait_for("the table's stream", lambda: house.stream("director", TABLE))
    house.stop("table-1")
    kept = keep(house, "table-1")
    house.start("table-1")
    for _ in range(3):
        known = len(house.stream("director", TABLE))
        accepted(hand, {"do": "next_hand", "table": 1})
        house.wait_for("the hand", lambda known=known: len(house.stream("director", TABLE)) > known)
    house.wait_for("the table's stream", lambda: house.same_stream(TABLE, "table-1"))
    before = house.stream("director", TABLE)
    house.stop("table-1")
    put_back(house, "table-1", kept)
    house.start("table-1")
    house.wait_for("the tail", lambda: house.same_stream(TABLE, "table-1"))
    accepted(hand, {"do": "next_hand", "table": 1})
    house.wait_for("one hand more", lambda: len(house.stream("director", TABLE)) > len(before))
    house.wait_for("the table's stream", lambda: house.same_stream(TABLE, "table-1"))
    assert house.stream("table-1", TABLE) == house.stream("director", TABLE)
    assert house.stream("table-1", TABLE)[: len(before)] == before
    assert len([epoch for stream, epoch in house.records("director") if stream == TABLE]) == 1
    hand.close()
