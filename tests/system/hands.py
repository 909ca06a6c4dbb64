"""A device of which every byte is the test's, and the commands it sends."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import time
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from appliance.apps.demo_season import FLOOR, VENUE
from appliance.link import envelope, topics
from appliance.link.client import Client, Inbox, Message
from appliance.link.envelope import CommandMessage, Ping, Pong, Reply
from appliance.link.topics import Kind
from appliance.record import uuid7
from tests.system.houses import PATIENCE_S, House, NeverHappened

T = TypeVar("T")


class Hand:
    """A device of which every byte is the test's: sends what it likes, keeps every reply it gets."""

    def __init__(self, house: House, device: str, *more: tuple[str, int]) -> None:
        self.device = device
        self.replies: list[Reply] = []
        self.pongs: list[Pong] = []
        self.heard: list[Message] = []
        self._inbox: Inbox = queue.SimpleQueue()
        subscriptions = [(topics.reply_filter(VENUE, device), 1), *more]
        self._client = Client(
            house.brokers["venue"].endpoint, f"hand-{device}", self._inbox, subscriptions=subscriptions
        )
        self._client.start()
        self._until(lambda: self._client.connected)

    def close(self) -> None:
        self._client.stop()

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Anything, anywhere."""
        assert self._client.publish(topic, payload, retain=retain)

    def send(self, message: CommandMessage) -> None:
        """Send a command once."""
        self.publish(topics.device(VENUE, self.device, "cmd"), envelope.encode(message))

    def ask(self, message: CommandMessage) -> Reply:
        """Send a command until its next answer is here: the answer that the director gives now.

        The ping before it brings out every reply still on its way, a stopped director's too, and finds the new one.
        """
        self.ping()
        known = len(self.replies)
        return self._again_until(
            lambda: self.send(message), lambda: next((r for r in self.replies[known:] if r.id == message.id), None)
        )

    def ping(self) -> Pong:
        """The director's clocks."""
        ping = Ping(fresh_id())
        return self._again_until(
            lambda: self.publish(topics.device(VENUE, self.device, "ping"), envelope.encode(ping)),
            lambda: next((pong for pong in self.pongs if pong.id == ping.id), None),
        )

    def _again_until(self, ask: Callable[[], None], answer: Callable[[], T | None]) -> T:
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            ask()
            with contextlib.suppress(NeverHappened):
                self._until(lambda: answer() is not None, 0.5)
            if (found := answer()) is not None:
                return found
        raise NeverHappened(f"{self.device}: no answer in {PATIENCE_S:.0f} s")

    def _until(self, true: Callable[[], bool], seconds: float = PATIENCE_S) -> None:
        deadline = time.monotonic() + seconds
        while not true():
            if time.monotonic() > deadline:
                raise NeverHappened(f"{self.device}: {seconds:.0f} s")
            with contextlib.suppress(queue.Empty):
                event = self._inbox.get(timeout=0.05)
                if isinstance(event, Message):
                    self._hear(event)

    def _hear(self, message: Message) -> None:
        self.heard.append(message)
        match topics.parse(message.topic).kind:
            case Kind.REPLY:
                self.replies.append(envelope.decode(Reply, message.payload))
            case Kind.REPLY_PONG:
                self.pongs.append(envelope.decode(Pong, message.payload))


def command(body: Any, *, device: str = "floor", actor: str = FLOOR.number, **fields: Any) -> CommandMessage:
    """A command message with a fresh id; ``body`` as bytes, or as an object to which the round is added."""
    raw = body if isinstance(body, bytes) else json.dumps({"round": "R1", **body}).encode()
    fields = {"id": fresh_id(), "round": "R1", "ttl_ms": 60_000, **fields}
    return CommandMessage(device=device, actor=actor, body=msgspec.Raw(raw), **fields)


def fresh_id() -> str:
    """A command id."""
    return uuid7(time.time_ns() // 1_000_000, os.urandom(10))
