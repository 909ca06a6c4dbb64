"""An evening over a real broker, through real processes: stored once, folded right, on the public pages."""

from __future__ import annotations

import itertools
import json
import os
import queue
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance.game import events, script
from appliance.game import round as rules
from appliance.link import envelope, topics
from appliance.link.broker import Broker, find_program, start_broker
from appliance.link.client import Client, Connected, Inbox, Message
from appliance.link.envelope import Ack, Batch, Hello

VENUE = "zabreh"
DATA = Path(__file__).parents[1] / "data"
WAIT_S = 30.0


class League:
    """A league in a directory of its own, run by its commands."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.env = os.environ | {
            "TABLESIDE_LEAGUE_DIR": str(directory), "TABLESIDE_LEAGUE_SECRET_KEY": "test", "PYTHONUNBUFFERED": "1",
        }  # fmt: skip
        self.children: list[subprocess.Popen[str]] = []

    def run(self, *arguments: str) -> str:
        done = subprocess.run(self._command(*arguments), env=self.env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start(self, *arguments: str, until: str) -> tuple[subprocess.Popen[str], str]:
        """Start a command that stays; returns it with the line that says it is ready."""
        child = subprocess.Popen(self._command(*arguments), env=self.env, stdout=subprocess.PIPE, text=True)
        self.children.append(child)
        assert child.stdout is not None
        for line in child.stdout:
            if until in line:
                return child, line
        raise AssertionError(f"{arguments} ended with {child.wait()}")

    def stop(self) -> None:
        for child in self.children:
            if child.poll() is None:
                child.terminate()
                child.wait(10)
            if child.stdout:
                child.stdout.close()

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with sqlite3.connect(f"file:{self.directory}/league.sqlite3?mode=ro", uri=True) as database:
            return database.execute(query).fetchall()

    def _command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "league", *arguments]


class Uplink:
    """A venue's end of the link, as simple as the protocol allows: it sends what is not yet acknowledged."""

    def __init__(self, broker: Broker) -> None:
        self.inbox: Inbox = queue.SimpleQueue()
        self.client = Client(
            broker.endpoint, f"uplink-{os.getpid()}-{id(self)}", self.inbox,
            subscriptions=[(topics.down(VENUE, "ack"), 0), (topics.down(VENUE, "ev"), 1)],
        )  # fmt: skip
        self.upto = 0
        self.batches: list[Batch] = []
        self.client.start()
        assert isinstance(self.inbox.get(timeout=WAIT_S), Connected)

    def listen(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            try:
                event = self.inbox.get(timeout=left)
            except queue.Empty:
                return
            if isinstance(event, Message) and event.topic.endswith("/dn/ack"):
                self.upto = max(self.upto, envelope.decode(Ack, event.payload).upto)
                return
            if isinstance(event, Message):
                self.batches.append(envelope.decode(Batch, event.payload))
                return

    def send(self, batch: Batch) -> None:
        self.client.publish(topics.up(VENUE, "ev"), envelope.encode(batch))

    def deliver(self, scribe: Any, size: int, between: Callable[[], None] = lambda: None) -> None:
        """Send until all is acknowledged, going back when nothing moves."""
        until = time.monotonic() + WAIT_S
        last = len(scribe.raws)
        while self.upto < last:
            assert time.monotonic() < until, f"{self.upto} of {last} acknowledged"
            before = self.upto
            self.send(scribe.batch(before + 1, min(last, before + size)))
            between()
            self.listen(0.5)


def evening(scribe: Any, key: Ed25519PrivateKey) -> Any:
    """The evening of the test data, played by the rules into a signed stream."""
    stream = scribe("round/R1", "director", key)
    ledger = rules.INITIAL
    with (DATA / "evening-18.jsonl").open(encoding="utf-8") as lines:
        for line in script.parse_script(lines):
            command_id = f"0198f0a0-0000-7000-8000-{line.line_no:012}"
            outcome = rules.decide(ledger, line.command, line.at_ms, command_id)
            if isinstance(outcome, rules.Refusal):
                continue
            for event in outcome:
                kind, data = events.encode_event(event)
                ledger = rules.fold(ledger, event, line.at_ms, command_id)
                stream.write(kind, data, line.at_ms, command_id)
    return stream


@pytest.fixture
def league(tmp_path: Path, write_season: Callable[[dict[str, Any]], Path]) -> Iterator[League]:
    league = League(tmp_path / "league")
    league.run("migrate", "-v0")
    league.run("import_season", str(write_season({})))
    yield league
    league.stop()


@pytest.fixture(params=["mosquitto", "nats"])
def broker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Broker]:
    assert find_program(request.param), f"{request.param} is not installed"
    with start_broker(request.param, tmp_path / "broker") as broker:
        yield broker


def ingest(league: League, broker: Broker) -> subprocess.Popen[str]:
    url = f"mqtt://{broker.endpoint.host}:{broker.endpoint.port}"
    return league.start("ingest", "--broker", url, until="ingest: connected")[0]


def fetch(address: str) -> Any:
    with urllib.request.urlopen(address, timeout=10) as answer:
        return json.load(answer)


def eventually(told: Callable[[], Any], wanted: Any) -> None:
    until = time.monotonic() + WAIT_S
    while (now := told()) != wanted:
        assert time.monotonic() < until, f"{now!r} instead of {wanted!r}"
        time.sleep(0.05)


def test_an_evening_reaches_the_standings_once_whatever_is_killed(
    league: League, broker: Broker, scribe: Any, director_key: Ed25519PrivateKey
) -> None:
    expected = json.loads((DATA / "evening-18.expected.json").read_text(encoding="utf-8"))["results"]
    stream = evening(scribe, director_key)
    chance = random.Random(3)
    running = [ingest(league, broker)]
    sent = itertools.count(1)

    def now_and_then_kill() -> None:
        if next(sent) in (3, 7, 12):
            time.sleep(chance.random() * 0.02)
            running[-1].send_signal(signal.SIGKILL)
            running[-1].wait()
            running.append(ingest(league, broker))

    uplink = Uplink(broker)
    uplink.deliver(stream, 3, now_and_then_kill)
    assert len(running) == 4
    for first in range(1, len(stream.raws), 5):  # all of it a second time
        uplink.send(stream.batch(first, min(len(stream.raws), first + 4)))
    uplink.listen(1.0)
    uplink.client.stop()
    rows = league.rows("SELECT raw FROM ingest_rawrecord WHERE stream = 'round/R1' ORDER BY seq")
    assert [bytes(row[0]) for row in rows] == stream.raws

    _, line = league.start("serve", "--port", "0", until="serving")
    base = re.findall(r"http://\S+", line)[0]
    eventually(lambda: fetch(f"{base}api/1/rounds/R1.json")["state"], "finished")
    results = fetch(f"{base}api/1/rounds/R1.json")["results"]
    assert [{k: v for k, v in row.items() if k != "name"} for row in results] == expected
    table = fetch(f"{base}api/1/standings.json")
    points = {row["participant"]: row["points"] for row in table["standings"]}
    assert points == {row["participant"]: row["points"] for row in expected}
    assert (table["provisional"], table["key_unconfirmed"]) == (False, True)
    assert league.rows("SELECT * FROM ingest_quarantine") == league.rows("SELECT * FROM ingest_alert") == []
    before = league.rows("SELECT number, place, prize, half_points FROM standings_result ORDER BY id")
    assert "18 results" in league.run("reingest")
    assert league.rows("SELECT number, place, prize, half_points FROM standings_result ORDER BY id") == before


def test_garbage_and_a_forged_batch_stop_only_what_they_touch(
    league: League, broker: Broker, scribe: Any, director_key: Ed25519PrivateKey
) -> None:
    ingest(league, broker)
    uplink = Uplink(broker)
    for leaf in ("ev", "hello", "state", "ack"):
        for payload in (b"", b"\xff" * 1000, b"[" * 100_000, b"x" * 900_000):
            uplink.client.publish(topics.up(VENUE, leaf), payload)  # type: ignore[arg-type]
    forged = evening(scribe, Ed25519PrivateKey.generate())
    uplink.send(forged.batch(1, 10))
    venue = scribe("venue/zabreh", "director", director_key)
    uplink.deliver(venue, 5)
    eventually(
        lambda: set(league.rows("SELECT stream, code FROM ingest_alert")),
        {("", "bad-payload"), ("round/R1", "bad-signature")},
    )
    assert league.rows("SELECT DISTINCT stream FROM ingest_rawrecord") == [("venue/zabreh",)]
    uplink.upto = 0
    genuine = evening(scribe, director_key)
    uplink.deliver(genuine, 200)
    assert league.rows("SELECT code FROM ingest_alert WHERE stream = 'round/R1' AND resolved_at IS NULL") == []
    uplink.client.stop()


def test_roster_and_offer_go_down_the_same_road(league: League, broker: Broker) -> None:
    ingest(league, broker)
    uplink = Uplink(broker)
    uplink.client.publish(topics.up(VENUE, "hello"), envelope.encode(Hello("uplink", ())))
    league.run("publish_roster")
    league.run("offer_round", "--all")
    kinds: set[str] = set()
    until = time.monotonic() + WAIT_S
    while "round-offered/1" not in kinds and time.monotonic() < until:
        uplink.listen(0.5)
        for batch in uplink.batches:
            kinds |= {json.loads(bytes(raw))["type"] for raw in batch.records}
            ack = Ack(batch.stream, batch.epoch, batch.last)
            uplink.client.publish(topics.up(VENUE, "ack"), envelope.encode(ack), qos=0)
        uplink.batches.clear()
    assert kinds == {"epoch-opened/1", "roster-entry/1", "round-offered/1"}
    uplink.client.stop()


def test_a_database_that_is_not_migrated_and_a_wrong_broker_are_named(tmp_path: Path) -> None:
    league = League(tmp_path / "league")
    for arguments, reason in (
        (["ingest"], "run the migrate command first"),
        (["ingest", "--broker", "http://x"], "--broker: must be mqtt://"),
        (["ingest", "--broker", "mqtt://x:99999"], "--broker: Port out of range"),
    ):
        done = subprocess.run(league._command(*arguments), env=league.env, capture_output=True, text=True, check=False)
        assert done.returncode != 0
        assert reason in done.stderr
        assert "Traceback" not in done.stderr
