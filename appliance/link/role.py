"""What the roles on the link share: they take events, look at topic and size before anything else, and tick.

A role has no thread. It belongs to the thread that owns its store: that thread hands it every event of its clients
and calls `tick` afterwards, after each commit of its own, and at `due`. A program that does nothing else says

    while not stopping:
        step(role, inbox)
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator
from typing import Any, Protocol, TypeVar

from appliance.link import envelope, topics
from appliance.link.client import Client, Event, Inbox, Message
from appliance.link.envelope import BadPayload, M
from appliance.link.store import Alert, SigningStore, StoreTrouble, Teller
from appliance.link.topics import BadTopic, Topic

Now = Callable[[], float]
"""Monotonic seconds."""

AT_ONCE = 200
"""Events handled before the next tick, so that a flood cannot keep acks and commands from leaving."""

T = TypeVar("T")


class Role(Protocol):
    """A director, kiosk or uplink on the link."""

    def handle(self, event: Event) -> None:
        """Take one event of the own clients; others are ignored."""

    def tick(self) -> None:
        """Send what is due."""

    @property
    def due(self) -> float | None:
        """When, in monotonic seconds, `tick` wants to be called even if nothing happens."""


def step(
    role: Role, inbox: Inbox, longest_s: float = 1.0, now: Now = time.monotonic,
    takes: Callable[[Any], bool] = lambda item: False,
) -> None:  # fmt: skip
    """Wait for events (at most ``longest_s``, or until something is due), handle them, tick once. ``takes``: whether it
    is no event of a link, and taken care of.
    """
    due = role.due
    for event in waiting(inbox, longest_s if due is None else min(longest_s, due - now())):
        if event is not None and not takes(event):
            role.handle(event)
    role.tick()


def waiting(inbox: queue.SimpleQueue[T], wait_s: float | None) -> Iterator[T]:
    """What is in a queue, waiting so long (None: for ever) for the first; what is too much at once stays there."""
    try:
        yield inbox.get(timeout=None if wait_s is None else max(0.0, wait_s))
        for _ in range(AT_ONCE - 1):
            yield inbox.get_nowait()
    except queue.Empty:
        return


class Signer:
    """Signs the own heads before batches leave; a disk that refuses is told once and costs nothing else."""

    def __init__(self, store: SigningStore, alert: Callable[[Alert], None]) -> None:
        self._store = store
        self._alert = Teller(alert)

    def sign(self) -> None:
        """Sign what is not signed yet. What stays unsigned waits."""
        try:
            self._store.sign_heads()
        except OSError as error:
            self._alert(StoreTrouble("", "", 0, str(error)))


class ClientDied(RuntimeError):
    """A client's background thread is gone: the program must end and be started again."""


class Door:
    """Lets in only messages of one venue, on topics we know, that decode; counts the others by code."""

    def __init__(self, venue: str, client: Client) -> None:
        self.venue = topics.check_id(venue)
        self.client = client

    def topic(self, message: Message) -> Topic | None:
        """The topic of a message that may be looked at."""
        try:
            topic = topics.parse(message.topic)
        except BadTopic as error:
            self.client.drops(error.code, message.topic)
            return None
        if topic.venue != self.venue:
            self.client.drops("wrong-venue", message.topic)
        elif message.retained and topic.kind not in topics.RETAINED:
            self.client.drops("retained", message.topic)
        else:
            return topic
        return None

    def read(self, kind: type[M], message: Message) -> M | None:
        """The message's payload, if it is one."""
        try:
            return envelope.decode(kind, message.payload)
        except BadPayload as error:
            self.client.drops(error.code, message.topic, error.detail)
            return None

    def refuse(self, code: str, message: Message, detail: str = "") -> None:
        """Count a message that reads well and is still not for us."""
        self.client.drops(code, message.topic, detail)

    def check_alive(self) -> None:
        """Raises `ClientDied`."""
        if self.client.died:
            raise ClientDied(self.client.client_id)
