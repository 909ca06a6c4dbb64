"""The league's commands as processes, and a venue that talks to them over a broker."""

from __future__ import annotations

import json
import os
import queue
import secrets
import shutil
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from appliance.link import envelope, topics
from appliance.link.broker import Broker
from appliance.link.client import Client, Connected, Inbox, Message
from appliance.link.envelope import Ack, Batch
from tests.league import postgres
from tests.league.scribe import Scribe

VENUE = "zabreh"
WAIT_S = 30.0


class League:
    """A league in a directory of its own, and in databases of its own where the tests have PostgreSQL."""

    def __init__(self, directory: Path, like: League | None = None) -> None:
        self.directory = directory
        self.env = os.environ | {
            "TABLESIDE_LEAGUE_DIR": str(directory), "TABLESIDE_LEAGUE_SECRET_KEY": "test", "PYTHONUNBUFFERED": "1",
        }  # fmt: skip
        self.children: list[subprocess.Popen[str]] = []
        self.databases: list[str] = []
        if like is not None:
            shutil.copytree(like.directory, directory)
        if postgres.folder():
            name = f"league_{secrets.token_hex(6)}"
            self.databases = [name, f"{name}_keys"]
            for made, template in zip(self.databases, like.databases if like else ("template1",) * 2, strict=True):
                postgres.create(made, template)
            urls = map(postgres.url, self.databases)
            self.env |= zip(("DATABASE_URL", "TABLESIDE_KEYS_DATABASE_URL"), urls, strict=True)

    def run(self, *arguments: str) -> str:
        done = subprocess.run(self.command(*arguments), env=self.env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start(self, *arguments: str, until: str) -> tuple[subprocess.Popen[str], str]:
        """Start a command that stays; returns it with the line that says it is ready."""
        child = subprocess.Popen(self.command(*arguments), env=self.env, stdout=subprocess.PIPE, text=True)
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

        for name in self.databases:
            postgres.drop(name)
        self.databases = []

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """What its database answers to a query with ``%s`` for each value; JSON as text."""
        if self.databases:
            with postgres.connect(self.databases[0]) as postgresql:
                return postgresql.execute(query, values or None).fetchall()
        with closing(sqlite3.connect(f"file:{self.directory}/league.sqlite3?mode=ro", uri=True)) as database:
            return database.execute(query.replace("%s", "?"), values).fetchall()

    def change(self, statement: str, *values: Any) -> None:
        """Change something behind its back."""
        if self.databases:
            with postgres.connect(self.databases[0]) as postgresql:
                postgresql.execute(statement, values)
            return
        with closing(sqlite3.connect(self.directory / "league.sqlite3")) as database, database:
            database.execute(statement.replace("%s", "?"), values)

    @contextmanager
    def holding(self, statement: str, *values: Any) -> Iterator[None]:
        """A transaction of somebody else's: it has changed something and has not committed; at the end it does.

        With PostgreSQL not before another one waits for it; SQLite's all wait from their beginning.
        """
        if not self.databases:
            database = sqlite3.connect(self.directory / "league.sqlite3", isolation_level="IMMEDIATE")
            with closing(database), database:
                database.execute(statement.replace("%s", "?"), values)
                yield
            return
        waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s AND wait_event_type = 'Lock'"
        with postgres.connect(self.databases[0]) as other, other.transaction():
            other.execute(statement, values)
            yield
            with postgres.connect("postgres") as looking:
                eventually(lambda: looking.execute(waiting, self.databases[:1]).fetchall(), [(1,)])

    def command(self, *arguments: str) -> list[str]:
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

    def deliver(self, scribe: Scribe, size: int, between: Callable[[], None] = lambda: None) -> None:
        """Send until all is acknowledged, going back when nothing moves."""
        until = time.monotonic() + WAIT_S
        last = len(scribe.raws)
        while self.upto < last:
            assert time.monotonic() < until, f"{self.upto} of {last} acknowledged"
            before = self.upto
            self.send(scribe.batch(before + 1, min(last, before + size)))
            between()
            self.listen(0.5)


def fetch(address: str) -> Any:
    with urllib.request.urlopen(address, timeout=10) as answer:
        return json.load(answer)


def eventually(told: Callable[[], Any], wanted: Any) -> None:
    until = time.monotonic() + WAIT_S
    while (now := told()) != wanted:
        assert time.monotonic() < until, f"{now!r} instead of {wanted!r}"
        time.sleep(0.05)
