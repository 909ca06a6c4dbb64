"""An evening over a real broker, through real processes: stored once, folded right, on the public pages."""

from __future__ import annotations

import itertools
import json
import random
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.management import CommandError, call_command

from appliance.link import envelope, topics
from appliance.link.broker import Broker, find_program, start_broker
from appliance.link.envelope import Ack, Hello
from tests.league.processes import VENUE, WAIT_S, League, Uplink, eventually, fetch
from tests.league.scribe import DATA, Scribe, evening


@pytest.fixture(params=["mosquitto", "nats"])
def broker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Broker]:
    assert find_program(request.param), f"{request.param} is not installed"
    with start_broker(request.param, tmp_path / "broker") as broker:
        yield broker


def ingest(league: League, broker: Broker) -> subprocess.Popen[str]:
    url = f"mqtt://{broker.endpoint.host}:{broker.endpoint.port}"
    return league.start("ingest", "--broker", url, until="ingest: connected")[0]


def test_an_evening_reaches_the_standings_once_whatever_is_killed(
    league: League, broker: Broker, director_key: Ed25519PrivateKey
) -> None:
    expected = json.loads((DATA / "evening-18.expected.json").read_text(encoding="utf-8"))["results"]
    stream = evening(director_key)
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
    assert not any(row.pop("provisional") for row in results)
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
    league: League, broker: Broker, director_key: Ed25519PrivateKey
) -> None:
    ingest(league, broker)
    uplink = Uplink(broker)
    for leaf in ("ev", "hello", "state", "ack"):
        for payload in (b"", b"\xff" * 1000, b"[" * 100_000, b"x" * 900_000):
            uplink.client.publish(topics.up(VENUE, leaf), payload)
    forged = evening(Ed25519PrivateKey.generate())
    uplink.send(forged.batch(1, 10))
    venue = Scribe("venue/zabreh", "director", director_key)
    uplink.deliver(venue, 5)
    eventually(
        lambda: set(league.rows("SELECT stream, code FROM ingest_alert")),
        {("", "bad-payload"), ("round/R1", "bad-signature")},
    )
    came = league.rows("SELECT DISTINCT stream FROM ingest_rawrecord WHERE stream NOT LIKE 'league/%'")
    assert came == [("venue/zabreh",)]
    uplink.upto = 0
    genuine = evening(director_key)
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
    assert kinds == {"epoch-opened/1", "device/1", "roster-entry/1", "round-offered/1"}
    uplink.client.stop()


@pytest.mark.parametrize(
    ("url", "reason"),
    [("http://x", "must be mqtt://"), ("mqtt://x:99999", "Port out of range"), ("mqtt:///x", "must be mqtt://")],
)
def test_a_wrong_broker_address_is_named(db: None, url: str, reason: str) -> None:
    with pytest.raises(CommandError, match=f"--broker: .*{reason}"):
        call_command("ingest", "--broker", url)
