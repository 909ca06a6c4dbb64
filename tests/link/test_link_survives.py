"""kill -9 of the broker and of the receivers in the middle of 2,000 records: all arrive, each once."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance.journal import Draft, Journal
from appliance.link.broker import Broker, BrokerKind
from appliance.link.client import Inbox
from appliance.link.lan import DirectorLink
from appliance.link.notices import signed_notice
from appliance.link.role import step
from appliance.link.uplink import UplinkLink
from appliance.record import to_raw
from tests.link.harness import PATIENCE_S, pump
from tests.link.venue import EPOCH, hurry, impatient

STREAM = "round/R1"
COMMITS, EACH = 250, 8
KEY = Ed25519PrivateKey.from_private_bytes(b"\x07" * 32)
PUBLIC = KEY.public_key().public_bytes_raw()
KEYS = json.dumps({"d1": PUBLIC.hex()})


class Program:
    """A receiver as a process, killed and started again over the same file."""

    def __init__(self, module: str, *arguments: str) -> None:
        self._command = [sys.executable, "-m", module, *arguments]
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, cwd=Path(__file__).parents[2])

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


@pytest.fixture
def programs() -> Iterator[list[Program]]:
    started: list[Program] = []
    yield started
    for program in started:
        program.kill()


def empty_journal(path: Path) -> Path:
    Journal(path).close()
    return path


def lines(path: Path, stream: str = STREAM) -> list[bytes]:
    """The records in a journal that another process writes."""
    with Journal(path, read_only=True) as journal:
        return [raw for epoch in journal.epochs(stream) for raw, _ in journal.read(stream, epoch)]


class Writing:
    """Commits records as an engine does, a few at a time, between turns of the link."""

    def __init__(self, path: Path) -> None:
        self.journal = Journal(path, device="d1", key=KEY)
        with self.journal.begin() as transaction:
            self.epoch = transaction.open_epoch(STREAM, "begin", 1).epoch
            transaction.commit()
        self.commits = 0

    def commit(self) -> None:
        if self.commits < COMMITS:
            with self.journal.begin() as transaction:
                drafts = [Draft("thing/1", to_raw({"n": self.commits * EACH + n})) for n in range(EACH)]
                transaction.append(STREAM, self.epoch, drafts, 1)
                transaction.commit(sign=self.commits % 3 == 0)
            self.commits += 1

    def records(self) -> list[bytes]:
        return [raw for raw, _ in self.journal.read(STREAM, self.epoch)]


def test_lan_kill_9_of_broker_and_kiosk_amid_2000_records(
    kind: BrokerKind, start: Callable[..., Broker], programs: list[Program], tmp_path: Path
) -> None:
    broker = start(kind)
    writing = Writing(tmp_path / "director.db")
    inbox: Inbox = queue.SimpleQueue()
    link = DirectorLink(
        broker.endpoint, signed_notice("brno", "d1", EPOCH, KEY), writing.journal,
        lambda stream, by: PUBLIC if by == "d1" else None, inbox, clock=lambda: 0, on_command=lambda command: None,
    )  # fmt: skip
    hurry(link.client)
    link.client.start()
    copy = empty_journal(tmp_path / "kiosk.db")
    host, port = broker.endpoint.host, str(broker.endpoint.port)
    programs.append(Program("tests.link.kiosk_program", host, port, "brno", "k1", str(copy), KEYS))

    def so_many(count: int) -> Callable[[], bool]:
        def condition() -> bool:
            writing.commit()
            head = writing.journal.head(STREAM, writing.epoch)
            assert head is not None
            return head.seq >= count and bool(link.holders(STREAM, writing.epoch, count - 200))

        return condition

    try:
        pump([(link, inbox)], so_many(500))
        broker.kill()
        broker = start(kind, int(port))
        pump([(link, inbox)], so_many(900))
        programs[0].kill()
        programs[0].start()
        pump([(link, inbox)], so_many(1400))
        broker.kill()
        programs[0].kill()
        broker = start(kind, int(port))
        programs[0].start()
        total = 1 + COMMITS * EACH
        pump([(link, inbox)], lambda: so_many(total)() and link.holders(STREAM, writing.epoch, total))
    finally:
        link.client.stop()
    assert lines(copy) == writing.records()
    assert len(lines(copy)) == total


def test_uplink_kill_9_of_broker_and_ingest_amid_2000_records(
    kind: BrokerKind, start: Callable[..., Broker], programs: list[Program], tmp_path: Path
) -> None:
    broker = start(kind)
    writing = Writing(tmp_path / "director.db")
    reader = Journal(tmp_path / "director.db", read_only=True)
    inbox: Inbox = queue.SimpleQueue()

    def new_uplink() -> UplinkLink:
        uplink = UplinkLink(
            broker.endpoint, broker.endpoint, "brno", reader, Journal(tmp_path / "own.db"), lambda stream, by: None,
            inbox, refresh=reader.refresh, clock=lambda: 0,
        )  # fmt: skip
        hurry(uplink.client)
        hurry(uplink.lan.client)
        impatient(uplink._sender)
        uplink.start()
        return uplink

    uplink = new_uplink()
    copy = empty_journal(tmp_path / "league.db")
    host, port = broker.endpoint.host, str(broker.endpoint.port)
    programs.append(Program("tests.link.mini_league", host, port, "brno", str(copy), KEYS))

    def work(condition: Callable[[], bool]) -> None:
        until = time.monotonic() + 2 * PATIENCE_S
        while not condition():
            assert time.monotonic() < until
            writing.commit()
            writing.journal.sign_heads()
            step(uplink, inbox, longest_s=0.005)

    try:
        work(lambda: len(lines(copy)) > 300)
        broker.kill()
        broker = start(kind, int(port))
        work(lambda: len(lines(copy)) > 900)
        programs[0].kill()
        programs[0].start()
        work(lambda: writing.commits == COMMITS)
        uplink.stop()
        uplink = new_uplink()  # the uplink itself, knowing nothing of before
        work(lambda: uplink.settled and len(lines(copy)) == 1 + COMMITS * EACH)
    finally:
        uplink.stop()
    assert lines(copy) == writing.records()
