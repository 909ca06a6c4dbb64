"""What a hostile client puts on the wire: topics, payloads, and packets that no library would send."""

from __future__ import annotations

import itertools
import json
import os
import queue
import random
import socket
import threading
import zlib
from collections.abc import Iterator

import msgspec

from appliance import record as rec
from appliance.apps.demo_season import VENUE
from appliance.link import envelope, topics
from appliance.link.client import Client, Endpoint, Inbox, Message
from appliance.link.envelope import (
    Ack,
    Batch,
    CommandMessage,
    DirectorNotice,
    Hello,
    Ping,
    Pong,
    Refusal,
    Reply,
    State,
)
from appliance.link.topics import Kind
from appliance.record import EpochOpened, Head, Link, Record

LIES = (
    ("deposit-limit", b"[]"), ("deposit-limit", b'"text"'), ("round-full", b"17"), ("seat-taken", b"null"),
    ("deposit-limit", b'{"limit":[],"left":{"a":1}}'), ("deposit-minimum", b'{"minimum":"a lot","starts_at":"never"}'),
    ("x" * 200, b'{"\\u0000":true}'), ("", b"{}"), ("seat-taken", b'{"\xff\xfe":1}'),
    ("registration-closed", b'{"at":' + b"9" * 400 + b"}"),
)  # fmt: skip
"""Refusals that a kiosk has to put into words."""
DEVICES = ("door", "table-1", "floor", "uplink", "director", "nobody")
_numbers = itertools.count(1)


def every_topic() -> list[str]:
    """All names of DESIGN §5 for this venue and its devices."""
    return [
        *(topics.up(VENUE, leaf) for leaf in ("ev", "hello", "state", "ack", "fetch")),
        topics.down(VENUE, "ack"),
        topics.down(VENUE, "ev"),
        topics.down(VENUE, "fetch"),
        topics.director(VENUE),
        *(topics.broadcast(VENUE, s) for s in ("round/R1", f"table/{VENUE}-1", f"venue/{VENUE}", f"league/{VENUE}")),
        *(topics.reply(VENUE, device, leaf) for device in DEVICES for leaf in ("", "ev", "ack", "pong", "fetch")),
        *(
            topics.device(VENUE, device, leaf)
            for device in DEVICES
            for leaf in ("hello", "state", "ev", "ack", "cmd", "ping", "fetch")
        ),
    ]


def wrong_topics() -> list[bytes]:
    """Names beside those: other venues and shards, names that are none, names that no client may use."""
    shard = topics.shard(VENUE)
    return [
        name.encode() if isinstance(name, str) else name
        for name in (
            f"ts/1/{VENUE}/up/{(shard + 1) % 64}/ev", f"ts/1/{VENUE}/up/x/ev", f"ts/1/{VENUE}/up/{shard}/evil",
            f"ts/1/nowhere/up/{topics.shard('nowhere')}/hello", f"ts/1/ZÁBŘEH/up/{shard}/ev",
            "ts/1/nowhere/lan/t/door/cmd", f"ts/2/{VENUE}/lan/t/door/cmd", f"ts/1/{VENUE}/lan/t/../cmd",
            f"ts/1/{VENUE}/lan/t//cmd", f"ts/1/{VENUE}/lan/t/DOOR/cmd", f"ts/1/{VENUE}/lan/t/{'d' * 33}/cmd",
            f"ts/1/{VENUE}/lan/t/door/cmd/", f"ts/1/{VENUE}/lan/t/{'x' * 4000}/cmd", f"ts/1/{VENUE}/lan/t/+/cmd",
            f"ts/1/{VENUE}/lan/d/#", f"ts/1/{VENUE}/lan/d/ev/round/..", f"ts/1/{VENUE}/lan/d/ev/round/{'x' * 65}",
            f"ts/1/{VENUE}/lan/d/ev/round/a/b", f"ts/1/{VENUE}/lan/d/reply/door/ev/ev", "#", "$SYS/broker", "",
            f"ts/1/{VENUE}/lan/t/do\u0000or/cmd", b"ts/1/zabreh/lan/t/\xff\xfe/cmd", b"ts/1/\xc3/up/1/ev",
            b"\xed\xa0\x80/x",
        )
    ]  # fmt: skip


def garbage(chance: random.Random) -> dict[str, bytes]:
    """Payloads that are no message."""
    return {
        "nothing": b"",
        "zeros": b"\x00" * 100,
        "random": chance.randbytes(5_000),
        "random-zlib": b"\x78\x9c" + chance.randbytes(500),
        "half-json": b'{"device":"door","heads":[[',
        "deep-json": b'{"x":' + b"[" * 60_000,
        "deep-body": b'{"id":"x","device":"door","actor":"1","round":"R1","ttl_ms":9,"body":' + b"[" * 50_000,
        "deep-zlib": zlib.compress(b'{"x":' + b'{"x":' * 200_000, 9),
        "wrong-types": b'{"device":7,"stream":[],"records":{},"id":null,"epoch":1,"upto":"1","online":3,"heads":9}',
        "huge-numbers": b'{"id":"1","at":' + b"9" * 4000 + b',"mono":1e999,"upto":-1,"seq":18446744073709551616}',
        "array": b"[1,2,3]",
        "bad-utf8": b'{"device":"\xff\xfe\xfd"}',
        "half-character": b'{"device":"\\ud800"}',
        "bomb": zlib.compress(b'{"id":"' + b"A" * 50_000_000 + b'"}', 9),
        "cut-zlib": zlib.compress(b'{"id":"1"}' * 100)[:-5],
        "zlib-and-more": zlib.compress(b'{"id":"1"}') + b"more",
        "300-kB": b"x" * 300_000,
        "900-kB": b'{"id":"' + b"y" * 900_000 + b'"}',
    }  # fmt: skip


def forgeries(head: Head, taken: list[bytes]) -> list[bytes]:
    """Messages in perfect form that nobody should believe. ``head``: a genuine one; ``taken``: records before it."""
    epoch = head.epoch
    later = f"7-{os.urandom(8).hex()}"
    after = Link(epoch, head.seq, head.hash)

    def forged(stream: str, of: str, seq: int, kind: str, data: object, prev: str | None) -> msgspec.Raw:
        made = Record(stream, of, seq, rec.uuid7(1, bytes(10)), 1, kind, rec.to_raw(data), None, prev)
        return msgspec.Raw(rec.encode(made))

    def batch(stream: str, of: str, first: int, *records: msgspec.Raw) -> Batch:
        return Batch(stream, of, first, records, bytes(64))

    def opening(stream: str, by: str, follows: Link | None = None, of: str = "") -> msgspec.Raw:
        prev = follows.hash if follows else None
        return forged(of or stream, later, 1, rec.EPOCH_OPENED, EpochOpened(follows, by, "x"), prev)

    own, event = head.stream, {"participant": "000001"}
    batches = [
        batch(own, epoch, head.seq + 1, forged(own, epoch, head.seq + 1, "opened/1", event, head.hash)),
        batch(own, epoch, head.seq + 1, forged(own, epoch, head.seq + 1, "opened/1", event, "0" * 64)),
        batch(own, epoch, head.seq + 900, forged(own, epoch, head.seq + 900, "opened/1", event, head.hash)),
        batch(own, later, 1, opening(own, "director", after)),
        batch(own, later, 1, opening(own, "mallory")),
        batch(own, later, 1, opening(own, "door", of="round/R9")),
        batch(f"league/{VENUE}", later, 1, opening(f"league/{VENUE}", "league")),
        batch(f"table/{VENUE}-9", later, 1, opening(f"table/{VENUE}-9", "table-1")),
        batch("table/nowhere-1", later, 1, opening("table/nowhere-1", "x")),
        batch(own, epoch, 1, msgspec.Raw(taken[0]), msgspec.Raw(b'{"x":' + b"[" * 9000 + b"]" * 9000 + b"}")),
        batch(own, epoch, 1, *(msgspec.Raw(raw) for raw in reversed(taken))),
        batch(own, epoch, 2, *(msgspec.Raw(b"17") for _ in range(4000))),
    ]
    acks = [
        Ack(stream, of, upto)
        for stream in (head.stream, f"league/{VENUE}", f"table/{VENUE}-1", "round/R9")
        for of in (epoch, later)
        for upto in (0, 1, head.seq + 1, 2**53)
    ]
    heads = (Head(head.stream, epoch, head.seq, "f" * 64), Head(f"table/{VENUE}-1", later, 5, "f" * 64))
    many = tuple(Head(f"round/R{n}", epoch, n, "f" * 64) for n in range(1, 3000))
    hellos = [
        hello
        for device in DEVICES
        for hello in (
            Hello(device, ()), Hello(device, heads), Hello(device, many), Hello(device, (), ("round/R1",)),
            Hello(device, (), (f"table/{VENUE}-1", f"table/{VENUE}-2", f"league/{VENUE}"), copies=False),
            Hello(device, heads, key="a" * 64, software="ž" * 200),
        )
    ]  # fmt: skip
    others = [
        *(State(device, online) for device in DEVICES for online in (True, False)),
        *(DirectorNotice("mallory", f"{n}-{'0' * 16}", "a" * 64, VENUE) for n in (1, 999_999_999)),
        DirectorNotice("director", f"999999999-{'f' * 16}", "a" * 64, VENUE, b"s" * 64),
        DirectorNotice("director", f"7-{'f' * 16}", "a" * 64, VENUE, b"s" * 64),
        DirectorNotice("director", later, "", "nowhere"),
        Reply("x", ok=True), Reply("x", ok=True, stream=head.stream, epoch=later, seq=2**53),
        Reply("x", ok=False, refusal=Refusal("ž" * 200, msgspec.Raw(b"[" * 100 + b"]" * 100))),
        Ping("x" * 64),
        *(Pong(str(n), at, mono) for n in range(1, 30) for at, mono in ((2**53, 0), (-(2**53), 2**53), (0, -1))),
    ]  # fmt: skip
    return [envelope.encode(message) for message in (*batches, *acks, *hellos, *others)]


def throw(endpoint: Endpoint, topic: bytes | str, payload: bytes, *, retain: bool = False) -> None:
    """Publish by hand, QoS 0, on a connection of its own; the broker may cut it at any point."""
    topic = topic.encode() if isinstance(topic, str) else topic
    with socket.create_connection((endpoint.host, endpoint.port), 10) as connection:
        connection.sendall(_connect())
        connection.recv(4)
        try:
            connection.sendall(_publish(topic, payload, retain) + b"\xe0\x00")
            while connection.recv(4096):
                pass
        except OSError:
            return  # cut: what it would not have, it did not take


class Pipe:
    """A connection for many packets, faster than one each; opened again when the broker cuts it."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._connection = self._open()

    def throw(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        try:
            self._connection.sendall(_publish(topic.encode(), payload, retain))
        except OSError:
            self._connection.close()
            self._connection = self._open()

    def close(self) -> None:
        self._connection.sendall(b"\xe0\x00")
        self._connection.close()

    def _open(self) -> socket.socket:
        connection = socket.create_connection((self._endpoint.host, self._endpoint.port), 10)
        connection.sendall(_connect())
        connection.recv(4)
        return connection


def _connect() -> bytes:
    name = f"rude-{os.getpid()}-{next(_numbers)}".encode()
    body = b"\x00\x04MQTT\x04\x02\x00\x3c" + len(name).to_bytes(2, "big") + name
    return b"\x10" + _length(len(body)) + body


def _publish(topic: bytes, payload: bytes, retain: bool) -> bytes:
    body = len(topic).to_bytes(2, "big") + topic
    return (b"\x31" if retain else b"\x30") + _length(len(body) + len(payload)) + body + payload


def _length(number: int) -> bytes:
    out = b""
    while True:
        number, digit = divmod(number, 128)
        out += bytes([digit | (0x80 if number else 0)])
        if not number:
            return out


class Spy:
    """Hears everything; when ``lying``, answers others' commands and pings before the director can."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.heard: list[tuple[str, bytes]] = []
        self.lying = threading.Event()
        self.lied_to: dict[str, str] = {}
        self._inbox: Inbox = queue.SimpleQueue()
        self._client = Client(endpoint, f"spy-{os.getpid()}-{next(_numbers)}", self._inbox, subscriptions=[("ts/#", 1)])
        self._client.start()
        self._thread = threading.Thread(target=self._listen, name="spy", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._inbox.put(None)
        self._thread.join()
        self._client.stop()

    def _listen(self) -> None:
        while (event := self._inbox.get()) is not None:
            if not isinstance(event, Message):
                continue
            if not self.lying.is_set():
                self.heard.append((event.topic, event.payload))
                continue
            for topic, payload in self._lies(event):
                self._client.publish(topic, payload, qos=0)

    def _lies(self, message: Message) -> Iterator[tuple[str, bytes]]:
        try:
            topic = topics.parse(message.topic)
            if topic.kind is Kind.CMD:
                asked = envelope.decode(CommandMessage, message.payload)
                code, detail = LIES[len(self.lied_to) % len(LIES)]
                self.lied_to.setdefault(asked.id, code)
                lie = Reply(asked.id, ok=False, refusal=Refusal(code, msgspec.Raw(detail)))
                yield topics.reply(VENUE, topic.device), envelope.encode(lie)
            elif topic.kind is Kind.PING:
                ping = envelope.decode(Ping, message.payload)
                for at, mono in ((2**53, 0), (-(2**53), 2**53), (10**30, -(10**30)), (0, 0)):
                    lie = json.dumps({"id": ping.id, "at": at, "mono": mono, "known": False}).encode()
                    yield topics.reply(VENUE, topic.device, "pong"), lie
        except (topics.BadTopic, envelope.BadPayload):
            return
