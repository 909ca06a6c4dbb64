"""The league's ingest: batches of twenty records, chain and signature checked, acknowledged after the commit.

Against a bare paho loop on the same messages that decodes them and throws them away, and against the same ingest where
every record comes in a message and a transaction of its own. On SQLite and on PostgreSQL, each with durable commits.
The worker is the product's own, all of it, in a process of its own; its broker holds the messages before it may read.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

import paho.mqtt.client as paho
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from paho.mqtt.enums import CallbackAPIVersion

from appliance.link import envelope, topics
from appliance.link.broker import find_program
from appliance.link.client import Client, Connected, Endpoint, Inbox, Message
from appliance.link.envelope import Ack, Batch
from bench.measure import Figure
from tests.league import postgres
from tests.league.scribe import Scribe
from tests.link.society import free_port

BATCH = 20
VENUES = 40
BATCHES = 160
"""A venue's."""

SINGLES = 10
"""Records of each venue that come one by one."""

WAIT_S = 120.0

REST_S = 4.0
"""Longer than a worker waits between two looks at what it has to tell."""

_RECORDS = VENUES * BATCH * BATCHES
_CONF = """listener {port} 127.0.0.1
allow_anonymous true
persistence false
max_queued_messages 0
max_inflight_messages 20
"""

Messages = Sequence[tuple[str, bytes]]


def figures() -> Iterator[Figure]:
    """Both ratios on either database."""
    with tempfile.TemporaryDirectory(prefix="bench-ingest-") as made:
        folder = Path(made)
        keys = {f"venue-{n}": Ed25519PrivateKey.generate() for n in range(VENUES)}
        scribes = [_scribe(venue, key) for venue, key in keys.items()]
        batches = [
            _message(scribe, first, first + BATCH - 1)
            for first in range(1, BATCH * BATCHES, BATCH)
            for scribe in scribes
        ]
        singles = [_message(scribe, seq, seq) for seq in range(1, SINGLES + 1) for scribe in scribes]
        with _broker(folder) as port:
            bare = _RECORDS / _bare(port, batches)
            for name, database in (("SQLite", _sqlite), ("PostgreSQL", _postgresql)):
                with database(folder) as environment:
                    ours = _RECORDS / _ingested(port, folder / name, environment, keys, batches)
                    single = len(singles) / _ingested(port, folder / f"{name}-1", environment, keys, singles, group=1)
                note = f"{ours:.0f} records/s against {bare:.0f}/s"
                yield Figure(f"ingest on {name} / bare paho loop that decodes", ours / bare, 0.3, True, note)
                note = f"{ours:.0f} records/s against {single:.0f}/s"
                yield Figure(f"ingest on {name} / one commit a record", ours / single, 15.0, True, note)


def _scribe(venue: str, key: Ed25519PrivateKey) -> Scribe:
    made = Scribe(f"table/{venue}-1", "table-1", key)
    for hand in range(1, BATCH * BATCHES):
        made.write(
            "hand-opened/1", {"hand": hand, "button": hand % 9 + 1, "stacks": [hand * seat for seat in range(1, 10)]}
        )
    return made


def _message(scribe: Scribe, first: int, last: int) -> tuple[str, bytes]:
    venue = scribe.stream.removeprefix("table/").removesuffix("-1")
    return topics.up(venue, "ev"), envelope.encode(scribe.batch(first, last))


# -- runs --------------------------------------------------------------------------------------------------


def _bare(port: int, messages: Messages) -> float:
    """Seconds from the first message to the last one in a loop that does nothing else."""
    code = f"from bench.ingest import bare_loop; bare_loop({port}, {len(messages)})"
    return sorted(_run_bare(port, messages, code) for _ in range(3))[1]


def _run_bare(port: int, messages: Messages, code: str) -> float:
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        child.send_signal(signal.SIGSTOP)
        _publish(port, messages)
        child.send_signal(signal.SIGCONT)
        return float(child.stdout.readline())


def bare_loop(port: int, count: int) -> None:
    """Receive so many batches, decode them and their records, throw them away; prints how long it took."""
    from appliance import record

    left, began = count, 0.0

    def arrived(client: paho.Client, data: object, message: paho.MQTTMessage) -> None:
        nonlocal left, began
        began = began or time.perf_counter()
        for raw in envelope.decode(Batch, bytes(message.payload)).records:
            record.decode(bytes(raw))
        left -= 1

    client = paho.Client(CallbackAPIVersion.VERSION2, "bare", protocol=paho.MQTTv311)
    client.on_connect = lambda client, *_: client.subscribe(topics.up_filter("ev"), 1)
    client.on_subscribe = lambda *_: print("ready", flush=True)
    client.on_message = arrived
    client.connect("127.0.0.1", port)
    while left:
        client.loop()
    print(time.perf_counter() - began, flush=True)


def _ingested(
    port: int, folder: Path, environment: dict[str, str], keys: dict[str, Ed25519PrivateKey], messages: Messages,
    group: int = 0,
) -> float:  # fmt: skip
    """Seconds until the last message of each venue was acknowledged, from when the ingest may read."""
    folder.mkdir()
    env = os.environ | environment | {"TABLESIDE_LEAGUE_DIR": str(folder), "TABLESIDE_LEAGUE_SECRET_KEY": "bench"}
    if environment:
        postgres.create(f"bench_{group}")
        postgres.create(f"bench_{group}_keys")
        env |= {
            "DATABASE_URL": postgres.url(f"bench_{group}"),
            "TABLESIDE_KEYS_DATABASE_URL": postgres.url(f"bench_{group}_keys"),
        }
    season = folder / "season.json"
    season.write_text(json.dumps(_season(keys)))
    for words in (["migrate", "-v0"], ["import_season", str(season)]):
        subprocess.run([sys.executable, "-m", "league", *words], env=env, check=True, stdout=subprocess.DEVNULL)
    code = f"from bench.ingest import work; work({port}, {group})"
    inbox: Inbox = queue.SimpleQueue()
    endpoint = Endpoint("127.0.0.1", port)
    hearer = Client(endpoint, f"bench-{os.getpid()}", inbox, subscriptions=[("ts/1/+/dn/ack", 0)])
    hearer.start()
    assert isinstance(inbox.get(timeout=WAIT_S), Connected)
    with subprocess.Popen([sys.executable, "-c", code], env=env, stdout=subprocess.PIPE, text=True) as child:
        try:
            assert child.stdout is not None
            _await_rest(child.stdout)
            child.send_signal(signal.SIGSTOP)
            _publish(port, messages)
            began = time.perf_counter()
            child.send_signal(signal.SIGCONT)
            _await(inbox, {envelope_head(payload) for _, payload in messages})
            return time.perf_counter() - began
        finally:
            hearer.stop()
            child.terminate()


def work(port: int, group: int) -> None:
    """The product's worker, all of it; ``group``: how many messages share a transaction, 0 for as many as it takes.

    Nothing here sends again what an inbox that is full has dropped, as an uplink would.
    """
    from appliance.link import client as link
    from league import home

    link.INBOX_LIMIT = 1_000_000
    os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"
    import django
    from django.conf import settings

    home.prepare(settings.DATA_DIR)
    django.setup()
    from league.ingest import fairbox, worker
    from league.ingest.own_pen import own_pen

    fairbox.SHARE = link.INBOX_LIMIT
    worker.GROUP = group or worker.GROUP
    made = worker.Worker(Endpoint("127.0.0.1", port), "ingest", lambda line: print(line, flush=True), own_pen())
    signal.signal(signal.SIGTERM, lambda *_: made.stop())
    made.run()


def _await_rest(said: IO[str]) -> None:
    """Until a worker is connected and has told what a new league tells its venues: that is not what is measured."""
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=lambda: deque(map(lines.put, said), maxlen=0), daemon=True).start()
    while "connected" not in lines.get(timeout=WAIT_S):
        pass
    with contextlib.suppress(queue.Empty):
        while lines.get(timeout=REST_S):
            pass


def envelope_head(payload: bytes) -> tuple[str, int]:
    """The stream of a batch and its last record."""
    batch = envelope.decode(Batch, payload)
    return batch.stream, batch.last


def _await(inbox: Inbox, ends: set[tuple[str, int]]) -> None:
    wanted: dict[str, int] = {}
    for stream, last in ends:
        wanted[stream] = max(last, wanted.get(stream, 0))
    until = time.monotonic() + WAIT_S
    while wanted:
        event = inbox.get(timeout=max(0.0, until - time.monotonic()))
        if isinstance(event, Message):
            ack = envelope.decode(Ack, event.payload)
            if wanted.get(ack.stream) == ack.upto:
                del wanted[ack.stream]


def _publish(port: int, messages: Messages) -> None:
    """Have the broker take all messages."""
    client = paho.Client(CallbackAPIVersion.VERSION2, "venues", protocol=paho.MQTTv311)
    client.max_inflight_messages_set(1000)
    client.max_queued_messages_set(0)
    client.connect("127.0.0.1", port)
    client.loop_start()
    for sent in [client.publish(topic, payload, 1) for topic, payload in messages]:
        sent.wait_for_publish(WAIT_S)
    client.disconnect()
    client.loop_stop()


# -- what they need ----------------------------------------------------------------------------------------


def _season(keys: dict[str, Ed25519PrivateKey]) -> dict[str, object]:
    return {
        "season": {"year": 2027, "name": "2027"},
        "venues": [{"id": venue, "name": venue, "town": "Brno"} for venue in keys],
        "devices": [
            {
                "venue": venue, "name": "table-1", "role": "table", "table": 1,
                "public_key": key.public_key().public_bytes_raw().hex(),
            }
            for venue, key in keys.items()
        ],
        "participants": [], "rounds": [],
    }  # fmt: skip


@contextlib.contextmanager
def _broker(folder: Path) -> Iterator[int]:
    port, conf = free_port(), folder / "mosquitto.conf"
    conf.write_text(_CONF.format(port=port))
    program = find_program("mosquitto")
    assert program is not None
    with subprocess.Popen([program, "-c", conf], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as broker:
        try:
            time.sleep(0.5)
            yield port
        finally:
            broker.terminate()


@contextlib.contextmanager
def _sqlite(_folder: Path) -> Iterator[dict[str, str]]:
    yield {}


@contextlib.contextmanager
def _postgresql(_folder: Path) -> Iterator[dict[str, str]]:
    with postgres.server(durable=True) as place:
        os.environ[postgres.SERVER] = str(place)
        try:
            yield {postgres.SERVER: str(place)}
        finally:
            del os.environ[postgres.SERVER]
