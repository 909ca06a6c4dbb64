"""Restarts and power cuts: the clock goes on, or stands where it was noted; a screen shows its own copy at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from appliance.apps.demo_season import PLAYERS, VENUE
from appliance.apps.kiosk_screen import Screen
from appliance.display.from_round import Link, Scene, Venue, door_view, table_view
from appliance.display.view import View
from appliance.game import clock
from appliance.game.state import Round
from appliance.station import Station
from tests.system.hands import Hand, command
from tests.system.houses import House
from tests.system.leagues import EVENING

REBOOTED = "00000000-0000-4000-8000-000000000000"


def in_play(house: House, hand: Hand) -> None:
    """Ten players, the clock running."""
    for body in (
        {"do": "open"},
        *({"do": "register", "participant": p.number, "identity_checked": True} for p in PLAYERS[:10]),
        {"do": "start"},
    ):
        reply = hand.ask(command(body))
        assert reply.ok, (body, reply)


def the_round(house: House, device: str = "director") -> Round:
    found = house.ledger(device, "R1").round
    assert found is not None
    return found


def heartbeat(house: House) -> Path:
    return house.data("director") / "heartbeat.json"


@pytest.fixture
def house(open_house: Callable[..., House]) -> House:
    house = open_house(start_ms=round(EVENING.timestamp() * 1000))  # a clock of its own, which no restart may set anew
    house.start("director")
    return house


def test_a_director_killed_in_a_level_goes_on_with_the_same_clock(house: House) -> None:
    hand = Hand(house, "floor")
    in_play(house, hand)
    before, records = hand.ping(), house.records("director")
    left = clock.face(the_round(house), before.at).remaining_ms
    house.kill("director")
    house.start("director")
    assert not hand.ask(command({"do": "open"})).ok  # it is there again
    after = hand.ping()
    hand.close()
    passed = after.mono - before.mono
    assert abs((after.at - before.at) - passed) <= 2
    assert abs(left - clock.face(the_round(house), after.at).remaining_ms - passed) <= 2
    assert house.records("director") == records
    assert the_round(house).clock.running


def test_after_a_reboot_the_clock_stands_where_it_was_last_noted(house: House) -> None:
    hand = Hand(house, "floor")
    in_play(house, hand)
    house.kill("director")
    started = the_round(house)
    noted = house.stream("director", "round/R1")[-1]["at"] + 90_000
    heartbeat(house).write_text(json.dumps({"boot": REBOOTED, "at": noted}))
    house.start("director")
    assert hand.ask(command({"do": "next_hand", "table": 1})).ok
    now = hand.ping().at
    hand.close()
    stands = the_round(house)
    face = clock.face(stands, now)
    assert not face.running
    assert face.remaining_ms == clock.face(started, noted).remaining_ms
    assert clock.face(stands, now + 3_600_000).remaining_ms == face.remaining_ms
    [pause] = [r for r in house.stream("director", "round/R1") if r["type"] == "clock-set/1"]
    assert pause["at"] == noted


def test_CK_3_after_a_reboot_the_clock_stands_where_a_screen_has_counted_it_to(house: House) -> None:
    hand = Hand(house, "floor")
    in_play(house, hand)
    house.start("table-1")
    house.wait_for("the table's copy", lambda: house.is_ready("table-1") and house.same_round("table-1"))
    with house.floor() as floor:
        house.wait_for("its clock", lambda: floor.station.snapshot.offset_ms)
        house.kill("director")
        noted = house.stream("director", "round/R1")[-1]["at"]
        heartbeat(house).write_text(json.dumps({"boot": REBOOTED, "at": noted}))
        before = floor.station.now_ms()
        house.start("director")
        stands = floor.wait("the clock to stand", lambda round: round.clock is not None and not round.clock.running)
        after = floor.station.now_ms()
    hand.close()
    [pause] = [r for r in house.stream("director", "round/R1") if r["type"] == "clock-set/1"]
    assert noted < before - 50 <= pause["at"] <= after + 50
    assert stands.clock is not None and stands.clock.left_ms < clock.face(the_round(house), noted).level_ms


def test_a_note_older_than_the_last_command_does_not_give_time_back(house: House) -> None:
    hand = Hand(house, "floor")
    in_play(house, hand)
    hand.ask(command({"do": "next_level"}))
    house.kill("director")
    last = house.stream("director", "round/R1")[-1]
    heartbeat(house).write_text(json.dumps({"boot": REBOOTED, "at": last["at"] - 8_000}))
    full = clock.face(the_round(house), last["at"]).remaining_ms
    house.start("director")
    assert hand.ask(command({"do": "next_hand", "table": 1})).ok
    face = clock.face(the_round(house), hand.ping().at)
    hand.close()
    assert (face.running, face.level, face.remaining_ms) == (False, 2, full)


def test_a_wall_clock_set_back_by_a_reboot_takes_no_time_away(house: House) -> None:
    hand = Hand(house, "floor")
    in_play(house, hand)
    house.kill("director")
    last = house.stream("director", "round/R1")[-1]
    heartbeat(house).write_text(json.dumps({"boot": REBOOTED, "at": last["at"]}))
    anchor = json.loads((house.data("director") / "anchor.json").read_text())
    (house.data("director") / "anchor.json").write_text(json.dumps({**anchor, "utc_ms": anchor["utc_ms"] - 86_400_000}))
    full = clock.face(the_round(house), last["at"]).remaining_ms
    house.start("director")
    assert hand.ask(command({"do": "set_remaining", "seconds": 300})).ok
    assert hand.ping().at >= last["at"]
    hand.close()
    records = house.stream("director", "round/R1")
    assert [r["at"] for r in records] == sorted(r["at"] for r in records)
    round = the_round(house)
    assert full > 300_000 and clock.face(round, records[-1]["at"]).remaining_ms == 300_000


def test_a_restarted_kiosk_shows_its_own_copy_before_anybody_answers(house: House) -> None:
    hand = Hand(house, "floor")
    house.start("table-1", "door")
    in_play(house, hand)
    assert hand.ask(command({"do": "next_hand", "table": 1})).ok
    assert hand.ask(command({"do": "pause"})).ok
    hand.close()
    house.wait_for("the copies", lambda: house.same_round("table-1", "door"))
    house.kill("director", "venue-broker", "table-1", "door")
    ours, roster = the_round(house), house.roster("director")
    for kiosk in ("table-1", "door"):
        shown, now = first_view(house, kiosk)
        scene = Scene(
            round=ours, roster=roster, link=Link(director=False), venue=Venue("Klub U Žabáka"), at_ms=now, prompt=None
        )
        assert shown == (table_view(scene, 1) if kiosk == "table-1" else door_view(scene))
    house.start("table-1")  # the program, too, has a picture with nobody there
    house.wait_for("the kiosk to be up", lambda: house.reader_is_up("table-1"))
    house.picture("table-1")


def test_a_table_killed_before_it_took_up_a_hand_does_so_when_it_is_back(house: House) -> None:
    hand = Hand(house, "floor")
    house.start("table-1")
    in_play(house, hand)
    house.wait_for("the copy", lambda: house.same_round("table-1"))
    house.kill("table-1")
    assert hand.ask(command({"do": "next_hand", "table": 1})).ok
    hand.close()
    with house.journal("director") as ours, house.workplace("table-1").journal() as copy:
        epoch = ours.newest("round/R1").epoch
        copy.absorb("round/R1", epoch, ours.read("round/R1", epoch, copy.newest("round/R1").seq))
    house.start("table-1")
    house.wait_for("the hand in the table's stream", lambda: hands_taken_up(house) == [1])


def hands_taken_up(house: House) -> list[int]:
    notes = house.stream("director", f"table/{VENUE}-1")
    return [note["data"]["hand"] for note in notes if note["type"] == "hand-opened/1"]


def first_view(house: House, kiosk: str) -> tuple[View, int]:
    """What a kiosk draws from its own files alone, and of what time that is."""
    place = house.workplace(kiosk)
    station = Station(place)
    station.start()
    try:
        house.wait_for("the copy to be folded", lambda: station.snapshot.rounds)
        now = station.now_ms()
        screen = Screen(place.config, None, station, -1)
        return screen.view(screen._set(station.snapshot, now)), now
    finally:
        station.stop()
        station.join(10)
