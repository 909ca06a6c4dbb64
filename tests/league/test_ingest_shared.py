"""Two ingest processes share the venues; one is killed, and nothing is lost, doubled or left lying."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance.link import envelope, topics
from appliance.link.broker import Broker, start_broker
from appliance.link.envelope import Ack, Hello
from tests.league.processes import VENUE, WAIT_S, League, Uplink, eventually
from tests.league.scribe import Scribe, evening

SHARD = topics.shard(VENUE)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    with start_broker("mosquitto", tmp_path / "broker") as broker:
        yield broker


def ingest(league: League, broker: Broker) -> subprocess.Popen[str]:
    url = f"mqtt://{broker.endpoint.host}:{broker.endpoint.port}"
    return league.start("ingest", "--broker", url, until="ingest: connected")[0]


def shares(league: League) -> list[Any]:
    """How many shards each process has, the one with our venue first."""
    rows = league.rows("SELECT owner, shard FROM ingest_shardlease WHERE shard < 64 AND owner <> ''")
    owner = next((owner for owner, shard in rows if shard == SHARD), "")
    owners = sorted({owner for owner, _ in rows}, key=lambda name: name != owner)
    return [sum(name == owner for name, _ in rows) for owner in owners]


def owner_of(league: League, shard: int) -> int:
    [(owner,)] = league.rows("SELECT owner FROM ingest_shardlease WHERE shard = %s", shard)
    return int(owner.split(":")[2])


def test_a_killed_process_loses_nothing_and_the_other_takes_over(
    league: League, broker: Broker, director_key: Ed25519PrivateKey
) -> None:
    both = [ingest(league, broker), ingest(league, broker)]
    eventually(lambda: shares(league), [32, 32])
    stream = evening(director_key)
    uplink = Uplink(broker)
    sent = 0

    def kill_who_has_it() -> None:
        nonlocal sent
        sent += 1
        if sent == 5:
            owner = owner_of(league, SHARD)
            [victim] = [each for each in both if each.pid == owner]
            victim.send_signal(signal.SIGKILL)
            victim.wait()

    uplink.deliver(stream, 5, kill_who_has_it)
    assert sent > 5
    eventually(lambda: shares(league), [64])
    league.run("publish_roster")
    uplink.client.publish(topics.up(VENUE, "hello"), envelope.encode(Hello("uplink", ())))
    until = time.monotonic() + WAIT_S
    while not any(batch.stream == f"league/{VENUE}" for batch in uplink.batches) and time.monotonic() < until:
        uplink.listen(0.5)
    assert uplink.batches  # the league's stream is sent by who has the venue now
    uplink.client.stop()
    rows = league.rows("SELECT raw FROM ingest_rawrecord WHERE stream = 'round/R1' ORDER BY epoch, seq")
    assert [bytes(row[0]) for row in rows] == stream.raws
    eventually(lambda: league.rows("SELECT state FROM standings_roundreport"), [("finished",)])
    assert league.rows("SELECT * FROM ingest_quarantine") == league.rows("SELECT * FROM ingest_alert") == []


def test_a_process_that_is_stopped_leaves_its_shards_to_the_other(
    league: League, broker: Broker, director_key: Ed25519PrivateKey
) -> None:
    both = {child.pid: child for child in (ingest(league, broker), ingest(league, broker))}
    eventually(lambda: shares(league), [32, 32])
    first = both[owner_of(league, SHARD)]
    first.terminate()
    assert first.wait(WAIT_S) == 0
    eventually(lambda: shares(league), [64])
    venue = Scribe("venue/zabreh", "director", director_key)
    uplink = Uplink(broker)
    uplink.deliver(venue, 5)
    uplink.send(venue.batch())
    uplink.listen(WAIT_S)
    uplink.client.stop()
    assert league.rows("SELECT count(*) FROM ingest_rawrecord WHERE stream = 'venue/zabreh'") == [(1,)]


def test_two_who_take_the_same_batches_store_them_once(
    league: League, broker: Broker, director_key: Ed25519PrivateKey
) -> None:
    """As in the moments in which a shard changes hands: both hear it."""
    both = [ingest(league, broker), ingest(league, broker)]
    stream = evening(director_key)
    uplink = Uplink(broker)  # the second one hears its half by now or soon, and the first one still all
    uplink.deliver(stream, 2)
    uplink.client.stop()
    assert all(each.poll() is None for each in both)
    rows = league.rows("SELECT raw FROM ingest_rawrecord WHERE stream = 'round/R1' ORDER BY epoch, seq")
    assert [bytes(row[0]) for row in rows] == stream.raws
    assert league.rows("SELECT code FROM ingest_alert") == []
    assert Ack("round/R1", stream.epoch, len(stream.raws)).upto == uplink.upto
