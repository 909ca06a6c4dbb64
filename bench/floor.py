"""What nothing can be faster than: bare MQTT hops, bare commits, a bare draw."""

from __future__ import annotations

import os
import queue
import socket
import sqlite3
import sys
import time
from pathlib import Path

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

THERE, BACK = "bench/there", "bench/back"
READY = b"ready"


def client(port: int, subscribed: str, on_message: paho.CallbackOnMessage) -> paho.Client:
    """A bare paho client, subscribed; its callback runs in paho's thread."""
    made = paho.Client(CallbackAPIVersion.VERSION2, protocol=paho.MQTTv311)
    made.on_socket_open = lambda _, __, sock: sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    made.on_connect = lambda *_: made.subscribe(subscribed, 0)
    made.on_message = on_message
    made.connect("127.0.0.1", port)
    made.loop_start()
    return made


class Hops:
    """Two hops, paho → mosquitto → paho, there to an echo in another process and back; QoS 0."""

    def __init__(self, port: int, there: bytes) -> None:
        self._there = there
        self._back: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._client = client(port, BACK, lambda *_: self._back.put(time.monotonic_ns()))
        deadline = time.monotonic() + 10
        while self._back.empty():  # until both ends are subscribed
            if time.monotonic() > deadline:
                raise TimeoutError("the echo does not answer")
            self._client.publish(THERE, READY, 0)
            time.sleep(0.05)
        time.sleep(0.2)
        while not self._back.empty():
            self._back.get()

    def measure(self) -> int:
        """Nanoseconds from publishing to the echo's arrival in paho's thread."""
        start = time.monotonic_ns()
        self._client.publish(THERE, self._there, 0)
        return self._back.get(timeout=10) - start

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


class Commits:
    """Two commits, one after the other, each of a record's bytes as one row: SQLite, WAL, ``synchronous=FULL``."""

    def __init__(self, folder: Path, record_bytes: int) -> None:
        self._dbs = [self._open(folder / name) for name in ("one.db", "two.db")]
        self._raw = os.urandom(record_bytes)

    def _open(self, file: Path) -> sqlite3.Connection:
        db = sqlite3.connect(file, isolation_level=None)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("CREATE TABLE row (key INTEGER PRIMARY KEY, raw BLOB)")
        return db

    def measure(self) -> int:
        """Nanoseconds for both."""
        start = time.monotonic_ns()
        for db in self._dbs:
            db.execute("INSERT INTO row (raw) VALUES (?)", (self._raw,))
        return time.monotonic_ns() - start

    def close(self) -> None:
        for db in self._dbs:
            db.close()


def echo(port: int, answer_bytes: int) -> None:
    """Send something back for whatever comes, until killed."""
    answer = os.urandom(answer_bytes)
    back = client(port, THERE, lambda c, *_: c.publish(BACK, answer, 0))
    back._thread.join()


if __name__ == "__main__":
    echo(int(sys.argv[1]), int(sys.argv[2]))
