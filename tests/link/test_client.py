from __future__ import annotations

import queue
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.link import client as client_module
from appliance.link.broker import Broker, BrokerKind
from appliance.link.client import Backoff, Client, Connected, Disconnected, Drops, Endpoint, Inbox, Message, Presence
from tests.link.harness import connected, fresh, messages, next_event, raw_publisher, running, wait_for

Start = Callable[..., Broker]


def test_messages_arrive_raw_and_only_where_subscribed(broker: Broker) -> None:
    root = fresh("x")
    with connected(broker.endpoint, (f"{root}/a/+/b", 1), (f"{root}/c/#", 0)) as (client, inbox):
        client.publish(f"{root}/elsewhere", b"no")
        client.publish(f"{root}/a/1.5/b", b"\x00\xff")
        client.publish(f"{root}/a/2/b", b"", qos=0)
        client.publish(f"{root}/c", b"at the parent itself")
        got = {message[1:] for message in messages(inbox, 3)}
    assert got == {  # in no order: on NATS QoS 0 overtakes QoS 1
        (f"{root}/a/1.5/b", b"\x00\xff", False),
        (f"{root}/a/2/b", b"", False),
        (f"{root}/c", b"at the parent itself", False),
    }


def test_a_kept_message_is_marked_retained_and_an_empty_one_clears_it(broker: Broker) -> None:
    topic = f"{fresh('x')}/state"
    with connected(broker.endpoint, (topic, 1)) as (first, inbox):
        first.publish(topic, b"kept", retain=True)
        assert messages(inbox, 1)[0].retained is False
        with connected(broker.endpoint, (topic, 1)) as (_, later):
            assert messages(later, 1)[0][1:] == (topic, b"kept", True)
        first.publish(topic, b"", retain=True)
        messages(inbox, 1)
        with connected(broker.endpoint, (topic, 1)) as (_, later):
            first.publish(topic, b"now")
            assert messages(later, 1)[0][1:] == (topic, b"now", False)


def test_birth_and_farewell_are_retained_on_the_same_topic(broker: Broker) -> None:
    topic = f"{fresh('x')}/state"
    inbox: Inbox = queue.SimpleQueue()
    with connected(broker.endpoint, (topic, 1)) as (_, seen):
        with running(Client(broker.endpoint, fresh("t"), inbox, presence=Presence(topic, b"on", b"off")), inbox):
            assert messages(seen, 1)[0].payload == b"on"
        assert messages(seen, 1)[0].payload == b"off"
        with connected(broker.endpoint, (topic, 1)) as (_, later):
            assert messages(later, 1)[0][2:] == (b"off", True)


def test_the_birth_is_put_back_when_an_old_will_comes_late(broker: Broker) -> None:
    topic = f"{fresh('x')}/state"
    inbox: Inbox = queue.SimpleQueue()
    with (
        connected(broker.endpoint, (topic, 1)) as (_, seen),
        running(Client(broker.endpoint, fresh("t"), inbox, presence=Presence(topic, b"on", b"off")), inbox),
        raw_publisher(broker.endpoint) as rude,
    ):
        assert messages(seen, 1)[0].payload == b"on"
        rude.publish(topic, b"off", qos=1, retain=True)
        assert [message.payload for message in messages(seen, 2)] == [b"off", b"on"]
        with connected(broker.endpoint, (topic, 1)) as (_, later):
            assert messages(later, 1)[0][2:] == (b"on", True)
        assert inbox.empty(), "it is not the program's business"


class Late(threading.Event):
    """Set a while after it was asked to be, as where another thread has the processor just then."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = threading.Event()

    def set(self) -> None:
        self.asked.set()
        time.sleep(0.3)
        super().set()


def test_who_stops_while_the_birth_goes_out_does_not_stay_there_for_ever(broker: Broker) -> None:
    topic = f"{fresh('x')}/state"
    client = Client(broker.endpoint, fresh("t"), queue.SimpleQueue(), presence=Presence(topic, b"on", b"off"))
    client._up = late = Late()
    with connected(broker.endpoint, (topic, 1)) as (_, seen):
        client.start()
        assert late.asked.wait(10)
        client.stop()
        assert [message.payload for message in messages(seen, 2)] == [b"on", b"off"]


KILLED = """
import queue, sys, time
from appliance.link.client import Client, Endpoint, Presence
client = Client(Endpoint(sys.argv[1], int(sys.argv[2])), sys.argv[3], queue.SimpleQueue(),
                presence=Presence(sys.argv[4], b"on", sys.argv[5].encode()))
client.start()
time.sleep(60)
"""


@pytest.mark.parametrize("will", ["off", ""])
def test_the_will_speaks_for_a_killed_program(broker: Broker, will: str) -> None:
    topic = f"{fresh('x')}/state"
    arguments = [broker.endpoint.host, str(broker.endpoint.port), fresh("t"), topic, will]
    with connected(broker.endpoint, (topic, 1)) as (_, seen):
        program = subprocess.Popen([sys.executable, "-c", KILLED, *arguments])
        assert messages(seen, 1)[0].payload == b"on"
        program.send_signal(signal.SIGKILL)
        program.wait()
        assert messages(seen, 1)[0].payload == will.encode()
    with connected(broker.endpoint, (topic, 1)) as (client, later):
        client.publish(topic, b"now")
        first = messages(later, 1)[0]
        assert (first.payload, first.retained) == ((b"off", True) if will else (b"now", False))


def test_a_broker_that_comes_later_is_found(kind: BrokerKind, start: Start) -> None:
    first = start(kind)
    first.kill()
    inbox: Inbox = queue.SimpleQueue()
    client = Client(first.endpoint, fresh("t"), inbox, backoff=Backoff(0.05, 0.1))
    client.start()
    try:
        assert not client.publish("x", b"")
        assert client.drops.counts["offline"] == 1
        start(kind, first.endpoint.port)
        next_event(inbox, Connected)
        assert client.publish("x", b"")
    finally:
        client.stop()


def test_after_kill_9_of_the_broker_subscriptions_are_back(kind: BrokerKind, start: Start) -> None:
    first = start(kind)
    inbox: Inbox = queue.SimpleQueue()
    client = Client(first.endpoint, fresh("t"), inbox, subscriptions=[("a/b", 1)], backoff=Backoff(0.05, 0.1))
    with running(client, inbox):
        first.kill()
        next_event(inbox, Disconnected)
        assert not client.publish("a/b", b"lost")
        start(kind, first.endpoint.port)
        next_event(inbox, Connected)
        client.publish("a/b", b"here")
        assert messages(inbox, 1)[0].payload == b"here"


def test_other_subscriptions_take_the_place_of_those_before_and_are_back_with_the_broker(
    kind: BrokerKind, start: Start
) -> None:
    first = start(kind)
    inbox: Inbox = queue.SimpleQueue()
    client = Client(first.endpoint, fresh("t"), inbox, subscriptions=[("a/1/#", 1), ("a/2/#", 1)])

    def heard() -> set[str]:
        """What arrives of one message each; the last one always does."""
        got: set[str] = set()
        for topic in ("a/1/x", "a/2/x", "a/3/x", "a/2/end"):
            client.publish(topic, b"")
        while "a/2/end" not in got:
            got.add(messages(inbox, 1)[0].topic)
        return got - {"a/2/end"}

    with running(client, inbox):
        client.listen_to([("a/2/#", 1), ("a/3/#", 1)])
        wait_for(lambda: heard() == {"a/2/x", "a/3/x"})
        first.kill()
        next_event(inbox, Disconnected)
        client.listen_to([("a/2/#", 1), ("a/1/#", 1)])
        start(kind, first.endpoint.port)
        next_event(inbox, Connected)
        wait_for(lambda: heard() == {"a/1/x", "a/2/x"})


def test_two_with_one_name_pause_ever_longer_and_say_what_may_be(
    broker: Broker, caplog: pytest.LogCaptureFixture
) -> None:
    name, inbox = fresh("t"), queue.SimpleQueue()
    pair = [Client(broker.endpoint, name, inbox, backoff=Backoff(0.05, 60, lambda: 0.0)) for _ in range(2)]
    for client in pair:
        client.start()
    try:
        wait_for(lambda: "does another device have this name" in caplog.text, 20)
        time.sleep(2)
        while not inbox.empty():
            inbox.get()
        time.sleep(2)
        assert inbox.qsize() <= 8, "they throw each other out as fast as ever"
    finally:
        for client in pair:
            client.stop()
    assert name in caplog.text


def test_a_connection_that_held_makes_the_next_pause_short_again() -> None:
    backoff = Backoff(1.0, 64.0, lambda: 0.0)
    client = Client(Endpoint("127.0.0.1", 1), fresh("t"), queue.SimpleQueue(), backoff=backoff)
    for _ in range(6):
        client._ready()
        client._on_disconnect(None, None, None, None, None)
    assert backoff.next() > 4
    client._ready()
    client._up_since -= 3600
    client._on_disconnect(None, None, None, None, None)
    assert backoff.next() == 2


def test_a_connection_that_held_for_the_others_pause_does_not_make_ours_short() -> None:
    """Two uplinks of one venue, a former director's and its successor's: else they would begin anew for ever."""
    backoff = Backoff(0.5, 30.0, lambda: 0.0)
    client = Client(Endpoint("127.0.0.1", 1), fresh("t"), queue.SimpleQueue(), backoff=backoff)
    for _ in range(8):
        client._ready()
        client._up_since -= 29.0  # the other one was away so long
        client._on_disconnect(None, None, None, None, None)
    assert backoff.next() == 30.0


def test_many_venues_do_not_come_back_at_the_same_instant() -> None:
    """After an outage of the league: in no second of the first half minute more than a few of a thousand."""
    seconds: Counter[int] = Counter()
    for seed in range(1000):
        backoff = Backoff(0.5, 30.0, random.Random(seed).random)
        at = 0.0
        while at < 120.0:  # how long the league was away
            at += backoff.next()
        seconds[int(at - 120.0)] += 1
    assert max(seconds.values()) < 120
    assert len(seconds) > 20


def test_a_host_that_takes_the_connection_and_falls_silent_is_no_broker_that_turned_us_away() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = Client(
            Endpoint("127.0.0.1", listener.getsockname()[1]), fresh("t"), queue.SimpleQueue(), keepalive_s=1
        )
        client.start()
        try:
            wait_for(lambda: client.drops.counts)
        finally:
            client.stop()
    assert set(client.drops.counts) == {"no-broker"}


def test_ten_megabytes_from_anybody_reach_nobody(broker: Broker) -> None:
    root = fresh("x")
    with connected(broker.endpoint, (f"{root}/#", 1)) as (client, inbox):
        for _ in range(3):
            with raw_publisher(broker.endpoint) as rude:
                rude.publish(f"{root}/a", b"x" * 10_000_000, qos=0)
        with raw_publisher(broker.endpoint) as rude:
            rude.publish(f"{root}/a", b"x" * 600_000, qos=1)
            rude.publish(f"{root}/b", b"small", qos=1)
            assert messages(inbox, 1)[0].payload == b"small"
        assert client.drops.counts == {"too-large": 1}
        assert not client.died


def test_a_flood_is_dropped_and_counted_not_piled_up(broker: Broker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "INBOX_LIMIT", 50)
    topic = fresh("x")
    with connected(broker.endpoint, (topic, 1)) as (client, inbox), raw_publisher(broker.endpoint) as rude:
        for _ in range(200):
            rude.publish(topic, b"flood", qos=1)
        wait_for(lambda: client.drops.counts["inbox-full"] + inbox.qsize() == 200)
        assert inbox.qsize() == 50
        messages(inbox, 50)
        rude.publish(topic, b"after", qos=1)
        assert messages(inbox, 1)[0].payload == b"after"


def test_we_never_publish_what_a_broker_would_cut_us_for(broker: Broker) -> None:
    topic = fresh("x")
    with connected(broker.endpoint, (topic, 1)) as (client, inbox):
        assert not client.publish(topic, b"x" * 300_000)
        assert client.publish(topic, b"fine")
        assert messages(inbox, 1)[0].payload == b"fine"
        assert client.drops.counts == {"too-large": 1}


def test_clients_with_one_inbox_are_told_apart(broker: Broker) -> None:
    inbox: Inbox = queue.SimpleQueue()
    left = Client(broker.endpoint, fresh("t"), inbox, subscriptions=[("left", 1)])
    right = Client(broker.endpoint, fresh("t"), inbox, subscriptions=[("right", 1)])
    with running(left, inbox), running(right, inbox):
        right.publish("left", b"to the left")
        assert next_event(inbox, Message) == Message(left, "left", b"to the left")


def test_a_client_id_with_a_dot_is_refused_before_a_broker_does() -> None:
    with pytest.raises(ValueError, match="dot"):
        Client(Endpoint("127.0.0.1", 1), "brno.k1", queue.SimpleQueue())


@given(failures=st.integers(1, 200), chance=st.floats(0, 1, exclude_max=True))
def test_waits_double_up_to_a_limit_and_are_shortened_by_at_most_half(failures: int, chance: float) -> None:
    backoff = Backoff(0.25, 8.0, lambda: chance)
    waits = [backoff.next() for _ in range(failures)]
    for n, wait in enumerate(waits):
        full = min(0.25 * 2**n, 8.0)
        assert full / 2 <= wait <= full
    backoff.reset()
    assert backoff.next() <= 0.25


def test_drops_are_all_counted_but_logged_ever_more_rarely(caplog: pytest.LogCaptureFixture) -> None:
    drops = Drops()
    for _ in range(1234):
        drops("too-large", "a/b" * 1000, "x" * 10_000)
    drops("offline")
    assert drops.counts == {"too-large": 1234, "offline": 1}
    assert len(caplog.records) == 5
    assert all(len(record.getMessage()) < 400 for record in caplog.records)


def test_a_connection_on_which_nothing_comes_any_more_ends_once() -> None:
    """paho says so twice: the second time would be a failure more, and a longer pause."""
    inbox: Inbox = queue.SimpleQueue()
    with socket.create_server(("127.0.0.1", 0)) as broker:
        endpoint = Endpoint("127.0.0.1", broker.getsockname()[1])
        client = Client(endpoint, fresh("t"), inbox, keepalive_s=1, backoff=Backoff(0.02, 0.1))
        client.start()
        try:
            line, _ = broker.accept()
            line.recv(1000)
            line.sendall(b"\x20\x02\x00\x00")  # CONNACK, and not a word more
            next_event(inbox, Connected)
            next_event(inbox, Disconnected)
            again, _ = broker.accept()
            assert not client.drops.counts and client._backoff._failures == 1
            line.close()
            again.close()
        finally:
            client.stop()


def test_who_speaks_and_hears_often_enough_asks_nobody_whether_the_line_holds(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    topic, inbox = fresh("x"), queue.SimpleQueue[Any]()
    client = Client(broker.endpoint, fresh("t"), inbox, subscriptions=[(topic, 0)], keepalive_s=1)
    monkeypatch.setattr(client._paho, "_send_pingreq", lambda: asked.append(client))
    with running(client, inbox):
        for _ in range(6):
            time.sleep(0.5)
            assert client.publish(topic, b"ping", qos=0)
            messages(inbox, 1)
        assert asked == []
        wait_for(lambda: asked)
