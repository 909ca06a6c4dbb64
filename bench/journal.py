"""The journal against the disk: single commands, group commits, bytes written."""

from __future__ import annotations

import itertools
import os
import random
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import record as rec
from appliance.engine import Engine, Order
from appliance.journal import Journal
from bench.measure import Figure, paired_rates

STREAM = "round/R1"
ID = rec.uuid7(0, bytes(10))
CHANCE = random.Random(1)
EVENTS = [
    {
        "participant": f"{CHANCE.randrange(100_000, 1_000_000)}",
        "table": CHANCE.randrange(1, 10),
        "hand": CHANCE.randrange(10, 100),
        "stack": CHANCE.randrange(40, 400) * 25,
        "place": CHANCE.randrange(10, 90),
        "prize": 0,
    }
    for _ in range(997)
]
"""What is recorded, in turn: no two records of a group say the same, as in life."""
CLIENTS = 50
PREALLOCATED = 64 << 20


class OneEvent:
    """The smallest rules there are, so that the journal is what is measured."""

    def __init__(self) -> None:
        self._events = itertools.cycle(EVENTS)

    def initial(self) -> int:
        """Nothing counted yet."""
        return 0

    def decide(self, state: int, command: Any, at: int, command_id: str) -> list[tuple[str, bytes]]:
        """One event a command."""
        return [("busted/1", msgspec.json.encode(next(self._events)))]

    def fold(self, state: int, record: rec.Record) -> int:
        """Count."""
        return state + 1


class Product:
    """The engine on a journal of its own."""

    def __init__(self, folder: Path) -> None:
        self.journal = Journal(folder / "product", device="director", key=Ed25519PrivateKey.generate())
        self.engine = Engine(self.journal, {"round": OneEvent()}, lambda: time.time_ns() // 1_000_000)
        self._ids = _command_ids()

    def commands(self, count: int) -> None:
        """Carry out ``count`` commands in one transaction, each with an answer of its own."""
        told = self.engine.execute([Order(next(self._ids), STREAM, None) for _ in range(count)])
        assert told[-1].answer.ok


def _command_ids() -> Iterator[str]:
    """Ids as clients make them; the cheapest there are, for their making is not the journal's."""
    return (f"01970000-0000-7000-8000-{number:012x}" for number in itertools.count())


class Floor:
    """Write and fdatasync of the same bytes into a preallocated file: nothing durable can be cheaper."""

    def __init__(self, folder: Path, record_bytes: int) -> None:
        self._file = os.open(folder / "floor", os.O_RDWR | os.O_CREAT)
        os.pwrite(self._file, bytes(PREALLOCATED), 0)
        os.fsync(self._file)
        self._record = os.urandom(record_bytes)
        self._at = 0

    def commands(self, count: int) -> None:
        """Write ``count`` records, one sync for all."""
        data = self._record * count
        if self._at + len(data) > PREALLOCATED:
            self._at = 0
        os.pwrite(self._file, data, self._at)
        os.fdatasync(self._file)
        self._at += len(data)


class BareLoop:
    """A bare loop of 50-row transactions: encode, chain, insert. No clients, no rules, no answers."""

    def __init__(self, folder: Path) -> None:
        self._db = sqlite3.connect(folder / "rows", isolation_level=None)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("CREATE TABLE record (key INTEGER PRIMARY KEY, raw BLOB)")
        self._events = itertools.cycle(EVENTS)
        self._seq = 0
        self._prev: str | None = None

    def commands(self, count: int) -> None:
        """One transaction of ``count`` rows."""
        self._db.execute("BEGIN IMMEDIATE")
        for _ in range(count):
            self._seq += 1
            data = msgspec.Raw(msgspec.json.encode(next(self._events)))
            made = rec.Record(STREAM, "1-0011223344556677", self._seq, ID, 1, "busted/1", data, ID, self._prev)
            raw = rec.encode(made)
            self._prev = rec.digest(raw)
            self._db.execute("INSERT INTO record VALUES (?, ?)", (self._seq, raw))
        self._db.execute("COMMIT")


def figures() -> Iterator[Figure]:
    """Append, group commit, and the bytes that reach the disk."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        product = Product(folder)
        product.commands(CLIENTS)
        size = len(product.journal.read(STREAM, product.journal.epochs(STREAM)[0], 10, 1)[0][0])
        ratio, ours, theirs = paired_rates(product.commands, Floor(folder, size).commands)
        yield Figure(
            "journal append / write+fdatasync", ratio, 0.6, True, f"{ours:.0f}/s against {theirs:.0f}/s, {size} B"
        )
        rows = BareLoop(folder)
        ratio, ours, theirs = paired_rates(product.commands, rows.commands, step=CLIENTS)
        yield Figure("group commit of 50 / bare 50-row loop", ratio, 0.5, True, f"{ours:.0f}/s against {theirs:.0f}/s")
        yield written(product, size)


def written(product: Product, size: int, commands: int = 10_000) -> Figure:
    """Bytes this process sent to the disk (``write_bytes`` of proc(5)) for each byte of record, groups of 50."""
    before = _write_bytes()
    for _ in range(commands // CLIENTS):
        product.commands(CLIENTS)
    ratio = (_write_bytes() - before) / (commands * size)
    return Figure("disk bytes / record bytes, groups of 50", ratio, 2.5, False, f"{commands} records of {size} B")


def _write_bytes() -> int:
    lines = Path("/proc/self/io").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("write_bytes")))
