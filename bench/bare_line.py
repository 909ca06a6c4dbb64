"""What carries batches at the least: paho, and a row a batch where it is to be kept.

``python -m bench.bare_line give|take|publish HOST PORT FILE``; the file is a list of batches (MessagePack).
"""

from __future__ import annotations

import queue
import socket
import sqlite3
import sys
import time
from pathlib import Path

import msgspec
import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

_ASK, _BATCH, _NOWHERE = "bench/ask", "bench/batch", "bench/nowhere"
IN_FLIGHT = 20
"""As many as brokers grant, and the product's client takes."""


def give(host: str, port: int, payloads: list[bytes]) -> None:
    """Whoever asks gets all batches, until killed."""

    def asked(client: paho.Client, data: object, message: paho.MQTTMessage) -> None:
        for payload in payloads:
            client.publish(_BATCH, payload, 1)

    _client(host, port, _ASK, asked).loop_forever()


def take(host: str, port: int, payloads: list[bytes], file: Path) -> float:
    """Seconds from connecting until all batches are rows, a commit each; as many as ``payloads``."""
    database = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    for line in ("journal_mode = WAL", "synchronous = FULL"):
        database.execute(f"PRAGMA {line}")
    database.execute("CREATE TABLE batch (key INTEGER PRIMARY KEY, raw BLOB)")
    kept: queue.SimpleQueue[None] = queue.SimpleQueue()

    def came(client: paho.Client, data: object, message: paho.MQTTMessage) -> None:
        database.execute("INSERT INTO batch (raw) VALUES (?)", (message.payload,))
        kept.put(None)

    began = time.monotonic()
    client = _client(host, port, _BATCH, came)
    client.on_subscribe = lambda client, *_: client.publish(_ASK, b"", 0)
    client.loop_start()
    for _ in payloads:
        kept.get(timeout=30)
    took = time.monotonic() - began
    client.disconnect()
    client.loop_stop()
    return took


def publish(host: str, port: int, payloads: list[bytes]) -> float:
    """Seconds from the first publish until the broker has acknowledged all."""
    client = _client(host, port, _NOWHERE, lambda *_: None)
    client.loop_start()
    while not client.is_connected():
        time.sleep(0.001)
    began = time.monotonic()
    for told in [client.publish(_BATCH, payload, 1) for payload in payloads]:
        told.wait_for_publish(30)
    took = time.monotonic() - began
    client.disconnect()
    client.loop_stop()
    return took


def _client(host: str, port: int, subscribed: str, on_message: paho.CallbackOnMessage) -> paho.Client:
    made = paho.Client(CallbackAPIVersion.VERSION2, protocol=paho.MQTTv311)
    made.max_inflight_messages_set(IN_FLIGHT)
    made.on_socket_open = lambda _, __, sock: sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    made.on_connect = lambda client, *_: client.subscribe(subscribed, 1)
    made.on_message = on_message
    made.connect(host, port)
    return made


def main(what: str, host: str, port: str, file: str) -> None:
    """One of the three; what was measured is printed."""
    payloads = msgspec.msgpack.decode(Path(file).read_bytes(), type=list[bytes])
    match what:
        case "give":
            give(host, int(port), payloads)
        case "take":
            print(take(host, int(port), payloads, Path(file).with_suffix(".db")))
        case _:
            print(publish(host, int(port), payloads))


if __name__ == "__main__":
    main(*sys.argv[1:])
