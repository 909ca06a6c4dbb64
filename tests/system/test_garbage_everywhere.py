"""Garbage, forgeries and ten megabytes on every topic of a running venue: counted, dropped, and the evening goes on."""

from __future__ import annotations

import os
import random
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from appliance import audit
from appliance.apps.demo_season import FLOOR, PLAYERS, VENUE, Person
from appliance.game.state import Phase
from appliance.link import envelope, topics
from tests.system.hands import command
from tests.system.hostile import LIES, Pipe, Spy, every_topic, forgeries, garbage, throw, wrong_topics
from tests.system.houses import Floor, House

PROGRAMS = ("ingest", "director", "uplink", "door", "table-1")

COUNTED = {
    "director": {"bad-json", "bad-zlib", "bomb", "too-large", "bad-id", "bad-topic", "wrong-device", "wrong-stream"},
    "door": {
        "bad-json",
        "bad-zlib",
        "bomb",
        "too-large",
        "bad-stream",
        "wrong-stream",
        "wrong-venue",
        "forged-director",
        "leaping-director",
    },
    "uplink": {"bad-json", "bad-zlib", "bomb", "too-large", "wrong-stream"},
}
"""What each program must have thrown away, by code."""


class Venue:
    """A small venue in play, with its floor and a log of what the floor gave."""

    def __init__(self, house: House, floor: Floor) -> None:
        self.house = house
        self.floor = floor
        self.given: list[str] = []
        self.late = list(PLAYERS[2:])

    def start(self) -> None:
        self.floor.wait("the announcement", lambda r: True)
        self.must("open")
        self.house.wait_for("the door", lambda: self.house.is_ready("door"))

    def must(self, do: str, **fields: object) -> None:
        self.given.append(self.floor.must(do, **fields).id)

    def goes_on(self) -> None:
        """Commands are carried out, and somebody is let in at the door."""
        self.house.check()
        self.must("register", participant=PLAYERS[0].number, identity_checked=True)
        self.must("unregister", participant=PLAYERS[0].number)
        self.let_in(self.late.pop())

    def let_in(self, person: Person) -> None:
        """Somebody taps, and again after a while without an answer, as people do."""
        patience = iter(range(100_000))

        def is_in() -> bool:
            if next(patience) % 100 == 0:
                self.house.tap("door", person.uid)
                self.house.tap("door", FLOOR.uid)
            return person.number in self.registered()

        self.house.wait_for(f"{person.number} to be let in", is_in)

    def registered(self) -> list[str]:
        round = self.house.ledger("director", "R1").round
        return list(round.players) if round else []


@pytest.fixture
def venue(kind: str, season: Path, open_house: Callable[..., House]):
    house = open_house(kind, league=season, one_broker=True)
    house.start(*PROGRAMS)
    with house.floor() as floor:
        venue = Venue(house, floor)
        venue.start()
        yield venue


@pytest.mark.xdist_group("evening-survives")
@pytest.mark.parametrize("kind", ["mosquitto", "nats"])
def test_garbage_on_every_topic_is_counted_and_nothing_comes_of_it(venue: Venue) -> None:
    house = venue.house
    endpoint = house.brokers["venue"].endpoint
    seed = int(os.environ.get("TABLESIDE_SEED") or random.randrange(1 << 32))
    print(f"TABLESIDE_SEED={seed}")
    spy = Spy(endpoint)
    venue.goes_on()
    house.kill("door", "uplink")
    house.start("door", "uplink")
    house.wait_for("the door", lambda: house.is_ready("door"))
    venue.goes_on()
    genuine = [message for message in spy.heard if message[1]]

    pipe = Pipe(endpoint)
    for payload in garbage(random.Random(seed)).values():
        for topic in every_topic():
            pipe.throw(topic, payload)
    venue.goes_on()
    for name in wrong_topics():
        for payload in (b"{}", genuine[-1][1]):
            throw(endpoint, name, payload)
    for topic in every_topic():
        throw(endpoint, topic, b"x" * 10_000_000)
    venue.goes_on()

    with house.journal("director") as journal:
        head = journal.newest("round/R1")
        taken = [raw for raw, _ in journal.read("round/R1", head.epoch, 0)]
    for payload in forgeries(head, taken):
        for topic in every_topic():
            pipe.throw(topic, payload)
    venue.goes_on()
    batches = {payload for topic, payload in genuine if topic.endswith("/ev") or "/lan/d/ev/" in topic}
    for topic in every_topic():
        for payload in batches:
            pipe.throw(topic, payload)
    for topic, payload in genuine:
        if not topic.endswith("/director"):
            pipe.throw(topic, payload)
    venue.goes_on()

    spy.lying.set()
    house.kill("table-1", "uplink")
    house.start("table-1", "uplink")
    house.programs["director"].signal(signal.SIGSTOP)  # now the spy is always first
    person = venue.late.pop()
    for told in range(1, len(LIES) + 1):
        house.tap("door", person.uid)
        house.tap("door", FLOOR.uid)
        house.wait_for("a lie", lambda told=told: len(spy.lied_to) >= told)
        time.sleep(0.1)  # it is on its way
        house.picture("door")
    house.programs["director"].signal(signal.SIGCONT)
    spy.lying.clear()
    venue.goes_on()
    pipe.close()
    spy.close()
    nothing_came_of_it(venue)
    for program, codes in COUNTED.items():
        assert codes <= dropped(house, program), program
    assert {"bad-payload", "bad-topic", "unknown-venue"} <= told_at_the_league(house)


@pytest.mark.xdist_group("evening-survives")
@pytest.mark.parametrize("kind", ["mosquitto", "nats"])
def test_what_is_kept_on_every_topic_misleads_nobody_who_starts_later(venue: Venue) -> None:
    house = venue.house
    endpoint = house.brokers["venue"].endpoint
    house.kill("director")
    pipe = Pipe(endpoint)
    ghosts = [command({"do": "cancel"}), command({"do": "start"})]
    for topic in every_topic():
        pipe.throw(topic, b'{"device":"door","heads":[[', retain=True)
    for ghost in ghosts:
        pipe.throw(topics.device(VENUE, "floor", "cmd"), envelope.encode(ghost), retain=True)
    pipe.close()
    house.kill("door", "table-1", "uplink", "ingest")
    house.start(*PROGRAMS)
    house.wait_for("the door", lambda: house.is_ready("door"))
    venue.goes_on()
    assert "dropped retained" in house.programs["director"].said()
    assert venue.floor.round.phase is Phase.OPEN
    nothing_came_of_it(venue)


def nothing_came_of_it(venue: Venue) -> None:
    """The files hold what was given and nothing else, everywhere the same."""
    house = venue.house
    while len(venue.registered()) < 10:
        venue.let_in(venue.late.pop())
    venue.must("start")
    venue.must("next_hand", table=1)
    house.wait_for("everything at the league", lambda: house.league_records() == house.records("director"))
    house.wait_for("equal copies", lambda: same(house, "door") and same(house, "table-1"))
    ours = house.records("director")
    assert {stream for stream, _ in ours} == {
        "round/R1", f"venue/{VENUE}", f"league/{VENUE}", f"table/{VENUE}-1",
    }  # fmt: skip
    assert len(ours) == 4
    with house.journal("director") as journal:
        assert [finding for finding in audit.verify(journal) if finding.fault] == []
    causes = {record["cause"] for record in house.stream("director", "round/R1")[2:]}
    assert set(venue.given) <= causes
    house.check()


def same(house: House, kiosk: str) -> bool:
    return house.records(kiosk) == house.records("director")


def dropped(house: House, program: str) -> set[str]:
    """The codes under which a program has counted what it threw away."""
    return set(re.findall(r"dropped ([a-z0-9-]+) \(", house.programs[program].said()))


def told_at_the_league(house: House) -> set[str]:
    """The codes under which the league has something for its staff to look at."""
    return {code for (code,) in house.league_rows("SELECT code FROM ingest_alert")}
