"""What was missed: a kiosk that was away all evening, and the league that could not be reached all evening.

The evening is one of ninety players. The kiosk's peer takes the same batches over bare paho into a table. The uplink's
peer publishes the records in the batches that they would have left in at once, QoS 1, and nobody takes or looks at
them. Packed as the product packs a backlog, some hundred records to a batch and compressed, a publisher that need not
know what it carries has next to nothing to do: that is told beside it.
"""

from __future__ import annotations

import json
import os
import queue
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import msgspec
from msgspec.structs import replace

from appliance import kinds
from appliance.config import load
from appliance.engine import Engine, Order
from appliance.game.commands import Announce
from appliance.identity import load_or_make, public_hex
from appliance.journal import Journal
from appliance.link import envelope, topics
from appliance.link.batches import cut
from appliance.link.broker import start_broker
from appliance.link.client import Client, Connected, Endpoint, Inbox, Message
from appliance.link.envelope import Ack, Batch
from appliance.record import uuid7
from appliance.workplace import Workplace
from bench.evenings import FIRST_SEED, LARGE, asked_on
from bench.measure import Figure
from bench.venue_programs import ROUND, VENUE, number_of
from bench.venue_town import Town

STREAM = f"round/{ROUND}"
CATCH_UP_S = 2.0
CATCH_UP_LIMIT = 40.0
"""Every record is unpacked, its place in the chain looked at, and folded: some 100 µs, where the peer writes 3 rows."""
ROUNDS = 5
EVENINGS = 8
"""So many evenings wait for the league, so that it takes a while."""


def figures() -> Iterator[Figure]:
    """A kiosk's catching up, then the uplink's."""
    with tempfile.TemporaryDirectory() as name:
        yield from _late_kiosk(Path(name))
    with tempfile.TemporaryDirectory() as name:
        yield _uplink(Path(name))


# -- the kiosk -------------------------------------------------------------------------------------------


def _late_kiosk(folder: Path) -> Iterator[Figure]:
    names = [f"late-{number}" for number in range(ROUNDS)]
    with Town(folder / "venue", "bare", LARGE, *names) as town:
        town.prepare([])
        place = Workplace(load(*town.config("director", "director")))
        with place.journal() as journal:
            upto = write_evening(journal, STREAM, FIRST_SEED)
            payloads = batches(journal, STREAM)
        town.start_director()
        file = folder / "batches"
        file.write_bytes(msgspec.msgpack.encode(payloads))
        host, port = town.broker.endpoint.host, str(town.broker.endpoint.port)
        bare = [sys.executable, "-m", "bench.bare_line"]
        town.children.start("giver", [*town.place_of("director"), *bare, "give", host, port, str(file)])
        time.sleep(1)
        mine, least = [], []
        for name in names:
            late = [sys.executable, "-m", "bench.late_kiosk", str(upto), *map(str, town.config(name, "door"))]
            mine.append(_seconds([*town.place_of(name), *late]))
            file.with_suffix(".db").unlink(missing_ok=True)
            least.append(_seconds([*town.place_of(name), *bare, "take", host, port, str(file)]))
    took, floor = statistics.median(mine), statistics.median(least)
    note = (
        f"{took:.2f} s, bare {floor * 1000:.0f} ms; {upto} records, {sum(map(len, payloads)) / 1e6:.1f} MB in "
        f"{len(payloads)} batches"
    )
    yield Figure("venue: a kiosk that missed an evening has caught up / 2 s", took / CATCH_UP_S, 1.0, False, note, True)
    yield Figure("venue: that kiosk / bare transfer and append", took / floor, CATCH_UP_LIMIT, False, "")


def write_evening(journal: Journal, stream: str, seed: int) -> int:
    """An evening of ninety players, signed as it went; the number of its records."""
    engine = Engine(journal, kinds.KINDS, lambda: 0)
    for number, each in enumerate(asked_on(LARGE, seed)):
        command = replace(each.command, round=stream.partition("/")[2])
        if isinstance(command, Announce):
            command = replace(command, venue=VENUE)
        order = Order(uuid7(seed + number, os.urandom(10)), stream, command, "000007", "table-1")
        engine.as_of(each.at, partial(engine.execute, [order]))
        journal.sign_heads()  # as the director's link does before each batch: people give one command at a time
    newest = journal.newest(stream)
    assert newest is not None
    return newest.seq


def batches(journal: Journal, stream: str, *, live: bool = False) -> list[bytes]:
    """The batches that a backlog leaves in; ``live``: those that it would have left in at once, to each signature."""
    epoch, after, found = journal.epochs(stream)[-1], 0, []
    head = journal.head(stream, epoch)
    while head is not None and (batch := cut(journal, stream, epoch, after, head.seq, smallest=live)) is not None:
        found.append(envelope.encode(batch))
        after = batch.last
    return found


def _seconds(command: list[str]) -> float:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stdout[-500:]} {done.stderr[-3000:]}")
    return float(done.stdout.split()[-1])


# -- the uplink ------------------------------------------------------------------------------------------


def _uplink(folder: Path) -> Figure:
    with (
        Town(folder / "venue", "bare", LARGE, "uplink", "league") as town,
        start_broker("mosquitto", folder / "b") as far,
    ):
        town.prepare([])
        key, environment = make_league(folder / "league", town)
        payloads, live = [], []
        place = Workplace(load(*town.config("director", "director")))
        with place.journal() as journal:
            for number in range(EVENINGS):
                write_evening(journal, f"round/E{number}", FIRST_SEED + number)
            for stream in journal.streams():
                if stream != f"league/{VENUE}":
                    payloads += batches(journal, stream)
                    live += batches(journal, stream, live=True)
        records = sum(len(envelope.decode(Batch, payload).records) for payload in payloads)
        port = far.endpoint.port
        packed_s, least = (_published(folder, far.endpoint, each) for each in (payloads, live))
        watch = Watch(far.endpoint, payloads)
        ingest = [sys.executable, "-m", "appliance", "league", "ingest", "--broker", f"mqtt://127.0.0.1:{port}"]
        town.children.start("ingest", ingest, environment)
        time.sleep(3)
        town.children.start("uplink", _uplink_command(town, key, port))
        took = watch.took()
    note = (
        f"{records / took:.0f} records a second, bare {records / least:.0f} in {len(live)} batches; {records} records, "
        f"{took:.2f} s; packed in {len(payloads)} batches, bare {packed_s * 1000:.0f} ms"
    )
    return Figure("venue: the uplink drains a backlog / bare publisher", least / took, 0.3, True, note)


def _published(folder: Path, to: Endpoint, payloads: list[bytes]) -> float:
    """Seconds of a bare publisher for these, the median of some."""
    file = folder / "batches"
    file.write_bytes(msgspec.msgpack.encode(payloads))
    bare = [sys.executable, "-m", "bench.bare_line", "publish", to.host, str(to.port), str(file)]
    return statistics.median(_seconds(bare) for _ in range(ROUNDS))


def _uplink_command(town: Town, key: str, port: int) -> list[str]:
    site = town.folder / "uplink-site.toml"
    text = (town.folder / "site.toml").read_text()
    own = text.partition('public_key = "')[2].partition('"')[0]
    site.write_text(text.replace(own, key).replace("[devices]", f"[league.broker]\nport = {port}\n[devices]"))
    device = town.config("uplink", "director")[1]
    journal = town.home("director") / "journal"
    return [sys.executable, "-m", "appliance", "uplink", str(site), str(device), "--journal", str(journal)]


class Watch:
    """Hears what the league says it has stored, from the venue's hello on."""

    def __init__(self, endpoint: Endpoint, payloads: list[bytes]) -> None:
        self._inbox: Inbox = queue.SimpleQueue()
        self._missing = {}
        for payload in payloads:
            batch = envelope.decode(Batch, payload)
            self._missing[batch.stream] = batch.last
        topics_of = [(topics.down(VENUE, "ack"), 0), (topics.up(VENUE, "hello"), 1)]
        self._client = Client(endpoint, "watch", self._inbox, subscriptions=topics_of)
        self._client.start()
        assert isinstance(self._inbox.get(timeout=10), Connected)

    def took(self) -> float:
        """Seconds from the hello until all is stored."""
        began = 0.0
        while self._missing:
            event = self._inbox.get(timeout=60)
            if not isinstance(event, Message):
                continue
            if event.topic.endswith("hello"):
                began = time.monotonic()
            elif (ack := envelope.decode(Ack, event.payload)).upto >= self._missing.get(ack.stream, ack.upto + 1):
                del self._missing[ack.stream]
        took = time.monotonic() - began
        self._client.stop()
        return took


def make_league(folder: Path, town: Town) -> tuple[str, Mapping[str, str]]:
    """A league that knows the venue; its public key, and what its programs need."""
    folder.mkdir()
    environment = {"TABLESIDE_LEAGUE_DIR": str(folder), "TABLESIDE_LEAGUE_SECRET_KEY": "bench"}
    key = public_hex(load_or_make(town.home("director") / "device.key"))
    season = {
        "season": {"year": 2027, "name": "2027", "least_card": "uid"},
        "venues": [{"id": VENUE, "name": "Herna", "town": "Měřín"}],
        "devices": [{"venue": VENUE, "name": "director", "role": "director", "public_key": key}],
        "participants": [
            {"number": number_of(player), "first_name": "Hráč", "surname": f"Č. {player}", "home": VENUE,
             "role": "participant", "state": "active", "consents": {"processing": "2027-01-01T08:00:00+01:00"}}
            for player in range(LARGE)
        ],
    }  # fmt: skip
    file = folder / "season.json"
    file.write_text(json.dumps(season))
    done = subprocess.run(
        [sys.executable, "-c", _MAKE_LEAGUE, str(file)],
        env={**os.environ, **environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"the league could not be made:\n{done.stderr[-3000:]}")
    return done.stdout.split()[-1], environment


_MAKE_LEAGUE = """
import os, sys
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
import django
from django.conf import settings
from django.core.management import call_command
from league import home
home.prepare(settings.DATA_DIR)
django.setup()
for command in (["migrate", "-v", "0"], ["import_season", sys.argv[1]]):
    call_command(*command)
call_command("league_key")
"""
