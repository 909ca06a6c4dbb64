"""An evening without the league: it arrives complete, once, in the morning; the uplink says how it stands meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from appliance.apps.demo_season import PLAYERS, VENUE
from appliance.config import load
from appliance.health import uplink
from appliance.uplinkstate import FILE, UplinkState, read
from tests.system.hands import Hand, command
from tests.system.houses import House


def state(house: House) -> UplinkState:
    found = read(house.data("uplink") / FILE)
    return found or UplinkState(at=0, connected=False, since=0)


def health(house: House) -> list[str]:
    config = load(*map(Path, house.files("uplink")))
    return [finding.code for finding in uplink.check(config, time.time_ns() // 1_000_000)]


def told(house: House) -> dict[tuple[str, str], list[bytes]]:
    records = house.records("director")
    return {line: raws for line, raws in records.items() if line[0] != f"league/{VENUE}"}


def test_an_evening_offline_arrives_complete_and_once_in_the_morning(
    open_house: Callable[..., House], season: Path
) -> None:
    house = open_house(league=season)
    house.start("ingest", "director", "uplink")
    hand = Hand(house, "floor")
    hand.ping()
    house.wait_for("the roster", lambda: PLAYERS[0].number in house.roster("director").entries)
    house.wait_for("the uplink's word", lambda: health(house) == ["works"])
    house.kill("ingest", "league-broker")
    house.wait_for("the league to be missed", lambda: health(house) == ["no-league"])
    assert hand.ask(command({"do": "open"})).ok
    for person in PLAYERS[:6]:
        assert hand.ask(command({"do": "register", "participant": person.number, "identity_checked": True})).ok
    assert hand.ask(command({"do": "start"})).ok
    for _ in range(5):
        assert hand.ask(command({"do": "next_hand", "table": 1})).ok
    hand.close()
    house.wait_for("what waits to be told", lambda: state(house).backlog >= 13)
    house.revive("league-broker", "ingest")
    house.wait_for("the evening at the league", lambda: house.league_records().items() >= told(house).items())
    [(rows, places)] = house.league_rows(
        "SELECT COUNT(*), COUNT(DISTINCT stream || epoch || seq) FROM ingest_rawrecord"
    )
    assert rows == places
    house.wait_for("nothing to wait", lambda: state(house).backlog == 0 and health(house) == ["works"])
