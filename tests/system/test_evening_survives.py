"""kill -9 of brokers, director, uplink, ingest and kiosks all evening: everything answered is at the league once."""

from __future__ import annotations

import contextlib
import json
import os
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from appliance import audit
from appliance.apps.demo_season import FLOOR, FORGED_UID, PLAYERS, VENUE
from appliance.game.report import report
from appliance.game.state import Phase, Round, Status
from appliance.link.envelope import Reply
from tests.system.houses import Floor, House
from tests.system.leagues import EVENING

KIOSKS = ("door", "table-1", "table-2")
TAPPING = PLAYERS[::2]
"""They come through the door; the others are registered by the floor."""

VICTIMS = (
    ("director",), ("venue-broker",), ("ingest",), ("league-broker",), ("uplink",), ("door",), ("table-1",),
    ("director", "venue-broker"), ("director", "uplink"), ("ingest", "league-broker"), ("table-1", "table-2", "door"),
    ("venue-broker", "league-broker", "director", "uplink", "ingest"),
)  # fmt: skip


class Evening(threading.Thread):
    """The floor's evening: one command after another, the next chosen from what the own copy shows."""

    def __init__(self, floor: Floor, chance: random.Random) -> None:
        super().__init__(name="floor")
        self.answered: list[Reply] = []
        self.registration_may_end = threading.Event()
        self.may_end = threading.Event()
        self.failure: BaseException | None = None
        self._floor = floor
        self._chance = chance

    def run(self) -> None:
        try:
            while (round := self._floor.round) is None or round.phase is not Phase.FINISHED:
                if (wanted := self._next(round)) is not None:
                    do, fields = wanted
                    self.answered.append(self._floor.command(do, **fields))
                time.sleep(self._chance.random() * 0.06)
        except BaseException as error:
            self.failure = error
            raise

    @property
    def accepted(self) -> list[Reply]:
        return [reply for reply in list(self.answered) if reply.ok]

    def _next(self, round: Round | None) -> tuple[str, dict[str, Any]] | None:
        if round is None:
            return None
        if round.phase is Phase.ANNOUNCED:
            return "open", {}
        if round.phase is Phase.OPEN:
            return self._before_the_start(round)
        return self._bust(round) if self.may_end.is_set() else self._in_play(round)

    def _before_the_start(self, round: Round) -> tuple[str, dict[str, Any]]:
        missing = [p.number for p in PLAYERS if p not in TAPPING and p.number not in round.players]
        if self.registration_may_end.is_set():
            if missing:
                return "register", {"participant": missing[0], "identity_checked": True}
            if len(round.players) == len(PLAYERS):
                return "start", {}
        if missing and self._chance.random() < 0.1:
            return "register", {"participant": missing[0], "identity_checked": True}
        here = [p for p in PLAYERS if p not in TAPPING and p.number in round.players]
        if here and self._chance.random() < 0.2:
            return "unregister", {"participant": self._chance.choice(here).number}
        return "register", {"participant": self._chance.choice(PLAYERS[1::2]).number, "identity_checked": True}

    def _in_play(self, round: Round) -> tuple[str, dict[str, Any]]:
        what = self._chance.random()
        if what < 0.6:
            return "next_hand", {"table": self._chance.choice([1, 2])}
        if what < 0.7:
            return "set_remaining", {"seconds": self._chance.randrange(60, 600)}
        if what < 0.8:
            return self._chance.choice(["pause", "resume"]), {}
        if what < 0.9:
            return "undo", {}
        number = self._chance.choice(PLAYERS).number
        return "sanction", {"participant": number, "kind": "warning", "reason": "mluví do cizí hry"}

    def _bust(self, round: Round) -> tuple[str, dict[str, Any]]:
        left = sorted(number for number, player in round.players.items() if player.status is Status.IN)
        return "bust", {"participant": self._chance.choice(left)}


class Crowd(threading.Thread):
    """People at the door: a card that brings no answer is tapped again, as people do."""

    def __init__(self, house: House, floor: Floor, chance: random.Random) -> None:
        super().__init__(name="crowd")
        self._house = house
        self._floor = floor
        self._chance = chance
        self.at_the_door = threading.Event()
        self.leave = threading.Event()

    def run(self) -> None:
        for person in TAPPING:
            while not self.leave.is_set() and not self._is_in(person.number):
                with contextlib.suppress(OSError):  # the kiosk is being killed under their hands
                    if self._chance.random() < 0.2:
                        self._house.tap("door", FORGED_UID)
                    self._house.tap("door", person.uid)
                    self._house.tap("door", FLOOR.uid)
                self._patience(person.number)
            self.at_the_door.wait(1.0 + self._chance.random())

    def _patience(self, number: str) -> None:
        for _ in range(100):
            if self._is_in(number) or self.leave.wait(0.02):
                return

    def _is_in(self, number: str) -> bool:
        round = self._floor.round
        return round is not None and number in round.players


@contextlib.contextmanager
def at_work(*threads: Crowd | Evening) -> Iterator[None]:
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for thread in threads:
            if isinstance(thread, Crowd):
                thread.at_the_door.set()
                thread.leave.set()
            else:
                thread.registration_may_end.set()
                thread.may_end.set()
        for thread in threads:
            thread.join(60)


def the_number_grows(evening: Evening) -> Callable[[], bool]:
    before = len(evening.accepted)
    return lambda: len(evening.accepted) > before + 1 or evening.failure is not None


def kill_and_revive(house: House, evening: Evening, chance: random.Random, victims: tuple[str, ...]) -> None:
    """Kill programs under load, start them in any order, and see that the evening goes on."""
    house.wait_for("the evening to go on", the_number_grows(evening))
    time.sleep(chance.random() * 0.2)
    house.kill(*victims)
    time.sleep(chance.random() * 0.3)
    house.revive(*chance.sample(victims, len(victims)))


@pytest.mark.xdist_group("evening-survives")
@pytest.mark.parametrize("kind", ["mosquitto", "nats"])
def test_kill_9_of_anything_all_evening_and_the_league_has_every_event_once(
    kind: str, season: Any, open_house: Callable[..., House]
) -> None:
    seed = int(os.environ.get("TABLESIDE_SEED") or random.randrange(1 << 32))
    print(f"TABLESIDE_SEED={seed}")
    chance = random.Random(seed)
    house = open_house(kind, speed=60, start_ms=round((EVENING.timestamp() - 900) * 1000), league=season)
    house.start("ingest", "director", "uplink", *KIOSKS)
    with house.floor() as floor:
        evening = Evening(floor, random.Random(seed + 1))
        crowd = Crowd(house, floor, random.Random(seed + 2))
        floor.wait("the announcement to come down from the league", lambda r: True)
        with at_work(evening, crowd):
            acts = [victims for _ in range(2) for victims in chance.sample(VICTIMS, len(VICTIMS))]
            for victims in acts[:8]:
                kill_and_revive(house, evening, chance, victims)
            crowd.at_the_door.set()
            evening.registration_may_end.set()
            floor.wait("the start", lambda r: r.phase is Phase.RUNNING)
            for victims in acts[8:]:
                kill_and_revive(house, evening, chance, victims)
            evening.may_end.set()
            floor.wait("the end", lambda r: r.phase is Phase.FINISHED)
        assert evening.failure is None
        house.wait_for("equal copies", lambda: all_hold_the_same(house))
        house.wait_for("the results at the league", lambda: league_results(house) == own_results(house))
        house.wait_for("the season's table at the venue", lambda: table_at_the_venue(house) == points(house))
        house.wait_for("everything at the league", lambda: league_holds_all(house))
    house.check()
    examine(house, evening)


def examine(house: House, evening: Evening) -> None:
    """What must hold in the end, from the files alone."""
    ours = house.records("director")
    for name in ("director", "floor", *KIOSKS):
        with house.journal(name) as journal:
            assert [finding for finding in audit.verify(journal) if finding.fault] == []
    for (stream, epoch), raws in house.league_records().items():
        assert raws == ours[stream, epoch], stream
    assert {stream for stream, _ in ours} == {
        "round/R1", f"venue/{VENUE}", f"league/{VENUE}", f"table/{VENUE}-1", f"table/{VENUE}-2",
    }  # fmt: skip
    for number in (1, 2):
        own = [raws for (of, _), raws in house.records(f"table-{number}").items() if of == f"table/{VENUE}-{number}"]
        assert len(own) == 1 and len(own[0]) > 2
    records = [json.loads(raw) for raw in ours[next(line for line in ours if line[0] == "round/R1")]]
    by_cause = Counter(record["cause"] for record in records)
    ended = {record["cause"]: record["seq"] for record in records}
    for reply in evening.answered:
        if reply.ok:
            assert ended.get(reply.id) == reply.seq, reply
        elif reply.refusal.code != "no-answer":
            assert reply.id not in by_cause, reply
    assert len(evening.accepted) > 60
    places = [record["seq"] for record in records]
    assert places == list(range(1, len(places) + 1))
    notes = house.stream("director", f"venue/{VENUE}")
    assert {record["data"].get("reason") for record in notes if record["type"] == "card-refused/1"} <= {"unknown"}
    assert house.league_rows("SELECT * FROM ingest_quarantine") == []
    assert house.league_rows("SELECT venue, stream, code, detail FROM ingest_alert") == []


def all_hold_the_same(house: House) -> bool:
    ours = heads(house, "director")
    return all(heads(house, name) == ours for name in ("floor", *KIOSKS))


def heads(house: House, name: str) -> list[Any]:
    with house.journal(name) as journal:
        return [head for head in journal.heads() if not head.stream.startswith("league/")] + [
            journal.newest(f"league/{VENUE}")
        ]


def league_holds_all(house: House) -> bool:
    ours = house.records("director")
    return house.league_records() == ours


def league_results(house: House) -> list[tuple[Any, ...]]:
    return house.league_rows("SELECT place, number, prize, half_points FROM standings_result ORDER BY place, number")


def table_at_the_venue(house: House) -> dict[str, int]:
    """The season's points in half points, as the league told them last: it tells once more after the last result."""
    told = [record for record in house.stream("director", f"league/{VENUE}") if record["type"] == "standings/1"]
    return {row["participant"]: row["points_half"] for row in told[-1]["data"]["rows"]} if told else {}


def points(house: House) -> dict[str, int]:
    return {number: half for _, number, _, half in own_results(house)}


def own_results(house: House) -> list[tuple[Any, ...]]:
    rows = report(house.ledger("director", "R1"), 0)["results"]
    return sorted((r["place"], r["participant"], r["prize"], round(float(r["points"]) * 2)) for r in rows)
