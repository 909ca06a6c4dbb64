"""The bare path of a tap, with nothing on it that it could do without.

Two MQTT hops (paho → mosquitto → paho, QoS 0) there and back between two processes; each of them commits the record's
bytes as one row (SQLite, WAL, ``synchronous=FULL``) before it goes on; at the end the answer's frame is painted from
a draw list made beforehand. No rules, no signatures, no thread is changed: everything happens in paho's callbacks.
"""

from __future__ import annotations

import os
import queue
import socket
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

THERE, BACK = "bench/there", "bench/back"
COMMAND_BYTES, BATCH_BYTES, RECORD_BYTES = 330, 620, 420
"""As a registration's are."""


class Floor(NamedTuple):
    """Nanoseconds of each part of one bare path."""

    hops: int
    commits: int
    draw: int


class BarePath:
    """The kiosk's end; the director's is `echo`, started before."""

    def __init__(self, port: int, folder: Path) -> None:
        self._table = Table(folder / "kiosk.db")
        self._done: queue.SimpleQueue[tuple[int, int, int, bytes]] = queue.SimpleQueue()
        self._draw: Callable[[], object] = lambda: None
        self._client = _client(port, BACK, self._arrived)
        self._client.loop_start()
        deadline = time.monotonic() + 10
        while not self._answers():
            if time.monotonic() > deadline:
                raise TimeoutError("the other end does not answer")

    def measure(self, draw: Callable[[], object]) -> Floor:
        """Go the path once; ``draw`` paints."""
        self._draw = draw
        start = time.monotonic_ns()
        self._client.publish(THERE, bytes(COMMAND_BYTES), 0)
        came, stored, drawn, answer = self._done.get(timeout=10)
        there, sent = (int.from_bytes(answer[n : n + 8], "big") for n in (0, 8))
        return Floor((there - start) + (came - sent), (sent - there) + (stored - came), drawn - stored)

    def close(self) -> None:
        """Hang up."""
        self._client.disconnect()
        self._client.loop_stop()

    def _arrived(self, client: paho.Client, data: object, message: paho.MQTTMessage) -> None:
        came = time.monotonic_ns()
        self._table.commit()
        stored = time.monotonic_ns()
        self._draw()
        self._done.put((came, stored, time.monotonic_ns(), message.payload))

    def _answers(self) -> bool:
        self._client.publish(THERE, bytes(COMMAND_BYTES), 0)
        try:
            self._done.get(timeout=0.2)
        except queue.Empty:
            return False
        return True


class Table:
    """A table of one column."""

    def __init__(self, file: Path) -> None:
        self._db = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("CREATE TABLE row (key INTEGER PRIMARY KEY, raw BLOB)")
        self._raw = os.urandom(RECORD_BYTES)

    def commit(self) -> None:
        """One more row; on the disk when it returns."""
        self._db.execute("INSERT INTO row (raw) VALUES (?)", (self._raw,))


def echo(port: int, file: Path) -> None:
    """The director's end, until killed: commit, then send back when the message came and when it was stored."""
    table = Table(file)

    def arrived(client: paho.Client, data: object, message: paho.MQTTMessage) -> None:
        came = time.monotonic_ns()
        table.commit()
        stamps = b"".join(moment.to_bytes(8, "big") for moment in (came, time.monotonic_ns()))
        client.publish(BACK, stamps.ljust(BATCH_BYTES, b"\0"), 0)

    _client(port, THERE, arrived).loop_forever()


def _client(port: int, subscribed: str, on_message: paho.CallbackOnMessage) -> paho.Client:
    made = paho.Client(CallbackAPIVersion.VERSION2, protocol=paho.MQTTv311)
    made.on_socket_open = lambda _, __, sock: sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    made.on_connect = lambda client, *_: client.subscribe(subscribed, 0)
    made.on_message = on_message
    made.connect("127.0.0.1", port)
    return made


if __name__ == "__main__":
    echo(int(sys.argv[1]), Path(sys.argv[2]))
