"""kill -9 at random points: no acknowledged command is lost, none is half written (DESIGN §3)."""

import os
import random
import signal
import time

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import audit
from appliance import record as rec
from appliance.engine import Engine, Order
from appliance.identity import public_hex
from appliance.journal import Journal

KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))
STREAM = "round/R1"
KILLS = int(os.environ.get("TABLESIDE_KILLS", "100"))


class Parts:
    """A kind whose every command takes three records: a third of one would be half a command."""

    def initial(self):
        return 0

    def decide(self, state, command, at, command_id):
        return [("part/1", msgspec.json.encode({"of": command, "n": n})) for n in range(3)]

    def fold(self, state, record):
        return state + (record.type == "part/1")


def opened(path):
    journal = Journal(path, device="director", key=KEY)
    journal.know_writer("director", public_hex(KEY))
    return journal


def work(path, acknowledged):
    """Carry out commands one by one and in groups, and acknowledge each on the pipe once it is durable."""
    engine = Engine(opened(path), {"round": Parts()}, lambda: time.time_ns() // 1_000_000)
    pick = random.Random()
    while True:
        ids = [rec.uuid7(time.time_ns() // 1_000_000, os.urandom(10)) for _ in range(pick.choice((1, 1, 1, 20)))]
        for told in engine.execute([Order(i, STREAM, i) for i in ids]):
            os.write(acknowledged, told.order.id.encode() if told.answer.ok else b"?" * 36)


def run_and_kill(path, after_s):
    """Fork a worker, kill it after a while, and return the ids it acknowledged."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(read)
            work(path, write)
        finally:
            os._exit(1)
    os.close(write)
    time.sleep(after_s)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(read, "rb") as pipe:
        data = pipe.read()
    return [data[i : i + 36].decode() for i in range(0, len(data) - 35, 36)]


def test_kill_9_loses_no_acknowledged_command_and_leaves_none_half_written(tmp_path):
    seed = random.randrange(1 << 30)
    pick = random.Random(seed)
    path = tmp_path / "journal"
    acknowledged = []
    for _ in range(KILLS):
        acknowledged += run_and_kill(path, pick.uniform(0.0, 0.06))
    with opened(path) as journal:
        journal.sign_heads()
        assert [f.fault for f in audit.verify(journal)] == [None], seed
        parts = {}
        for record, _ in audit.every_record(journal):
            if record.type == "part/1":
                parts.setdefault(record.cause, []).append(record.seq)
        assert all(len(seqs) == 3 and seqs[2] - seqs[0] == 2 for seqs in parts.values()), seed
        assert len(acknowledged) > KILLS and "?" * 36 not in acknowledged, seed
        assert set(acknowledged) <= set(parts), seed
        assert len(set(acknowledged)) == len(acknowledged), seed
        engine = Engine(journal, {"round": Parts()}, lambda: 0)
        assert engine.state(STREAM) == 3 * len(parts), seed
        again = engine.execute([Order(command, STREAM, command) for command in acknowledged])
        assert all(told.answer.ok and not told.records for told in again), seed
