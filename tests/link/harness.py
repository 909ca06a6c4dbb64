"""What the tests with real brokers share: waiting without timing, names nobody else uses, raw publishers."""

from __future__ import annotations

import itertools
import os
import queue
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from appliance.link.broker import BrokerKind
from appliance.link.client import Client, Connected, Endpoint, Event, Inbox, Message
from appliance.link.role import Role, step

KINDS: list[BrokerKind] = ["mosquitto", "nats"]
PATIENCE_S = 30.0
"""How long a test waits for what must come; far beyond what it takes, so that a loaded machine fails nothing."""

_numbers = itertools.count(1)
T = TypeVar("T")


def fresh(prefix: str) -> str:
    """A venue or device id used by no other test of this session: brokers are shared."""
    return f"{prefix}-{os.getpid()}-{next(_numbers)}"


def wait_for(condition: Callable[[], T], what: str = "") -> T:
    """The condition's first true value; fails after a long time."""
    until = time.monotonic() + PATIENCE_S
    while not (value := condition()):
        assert time.monotonic() < until, f"never happened: {what or condition}"
        time.sleep(0.005)
    return value


def next_event(inbox: Inbox, kind: type[T]) -> T:
    """The next event of that kind; others before it are passed over."""
    until = time.monotonic() + PATIENCE_S
    while True:
        event: Event | None = inbox.get(timeout=max(0.001, until - time.monotonic()))
        if isinstance(event, kind):
            return event


def messages(inbox: Inbox, count: int) -> list[Message]:
    """The next ``count`` messages."""
    return [next_event(inbox, Message) for _ in range(count)]


@contextmanager
def running(client: Client, inbox: Inbox) -> Iterator[Client]:
    """A client that is connected inside."""
    client.start()
    try:
        next_event(inbox, Connected)
        yield client
    finally:
        client.stop()


@contextmanager
def connected(endpoint: Endpoint, *subscriptions: tuple[str, int]) -> Iterator[tuple[Client, Inbox]]:
    """A client of its own with an inbox of its own."""
    inbox: Inbox = queue.SimpleQueue()
    with running(Client(endpoint, fresh("t"), inbox, subscriptions=subscriptions), inbox) as client:
        yield client, inbox


@contextmanager
def raw_publisher(endpoint: Endpoint) -> Iterator[paho.Client]:
    """A publisher that has no manners: anything, any size. It does not reconnect."""
    client = paho.Client(CallbackAPIVersion.VERSION2, fresh("rude"), reconnect_on_failure=False)
    client.connect(endpoint.host, endpoint.port)
    client.loop_start()
    wait_for(client.is_connected)
    try:
        yield client
    finally:
        client.disconnect()
        client.loop_stop()


def pump(roles: Sequence[tuple[Role, Inbox]], condition: Callable[[], T], what: str = "") -> T:
    """Drive roles by turns in this thread until the condition holds; fails after a long time."""
    until = time.monotonic() + PATIENCE_S
    while not (value := condition()):
        assert time.monotonic() < until, f"never happened: {what or condition}"
        for role, inbox in roles:
            step(role, inbox, longest_s=0.002)
    return value


def lose(client: Client) -> None:
    """Cut a client's connection, as a network does: its thread learns it from the socket."""
    line = client._paho.socket()
    assert line is not None
    line.shutdown(socket.SHUT_RDWR)
