"""The loop that a program's link lives in, and the door before it."""

from __future__ import annotations

import queue

import pytest

from appliance.link import envelope, topics
from appliance.link.client import Client, Endpoint, Event, Inbox, Message
from appliance.link.envelope import Ack, Ping
from appliance.link.role import AT_ONCE, ClientDied, Door, Signer, step, waiting
from appliance.link.store import Alert, StoreTrouble
from tests.link.harness import wait_for
from tests.link.stores import MemoryStore


@pytest.fixture
def client() -> Client:
    return Client(Endpoint("127.0.0.1", 1), "t", queue.SimpleQueue())


class Counting:
    """A role that counts what it is given."""

    def __init__(self, due: float | None = None) -> None:
        self.due = due
        self.taken: list[Event] = []
        self.ticks = 0

    def handle(self, event: Event) -> None:
        self.taken.append(event)

    def tick(self) -> None:
        self.ticks += 1


def test_a_flood_is_taken_in_turns_and_nothing_of_it_falls_between_them(client: Client) -> None:
    inbox: Inbox = queue.SimpleQueue()
    role = Counting()
    flood = [Message(client, str(number), b"") for number in range(2 * AT_ONCE + 5)]
    for event in flood:
        inbox.put(event)
    step(role, inbox, longest_s=0)
    assert (len(role.taken), role.ticks) == (AT_ONCE, 1)
    for _ in range(2):
        step(role, inbox, longest_s=0)
    assert role.taken == flood
    assert role.ticks == 3


def test_none_wakes_the_loop_and_says_nothing() -> None:
    inbox: Inbox = queue.SimpleQueue()
    role = Counting()
    inbox.put(None)
    step(role, inbox)
    assert (role.taken, role.ticks) == ([], 1)


def test_an_empty_queue_is_waited_for_no_longer_than_said() -> None:
    role = Counting()
    step(role, queue.SimpleQueue(), longest_s=0.001)
    assert role.ticks == 1


def test_what_is_due_is_not_waited_for() -> None:
    role = Counting(due=5.0)
    step(role, queue.SimpleQueue(), longest_s=3600, now=lambda: 6.0)
    assert role.ticks == 1


def test_what_is_not_asked_for_stays_in_the_queue() -> None:
    inbox: queue.SimpleQueue[int] = queue.SimpleQueue()
    inbox.put(1)
    inbox.put(2)
    assert next(waiting(inbox, None)) == 1
    assert list(waiting(inbox, -1.0)) == [2]
    assert list(waiting(inbox, 0)) == []


def test_a_message_of_another_venue_is_not_let_in(client: Client) -> None:
    door = Door("brno", client)
    assert door.topic(Message(client, topics.down("praha", "ack"), b"")) is None
    assert door.topic(Message(client, topics.down("brno", "ack"), b""))
    assert client.drops.counts == {"wrong-venue": 1}


def test_what_was_kept_is_let_in_only_where_something_may_be_kept(client: Client) -> None:
    door = Door("brno", client)
    assert door.topic(Message(client, topics.device("brno", "k1", "cmd"), b"", retained=True)) is None
    assert door.topic(Message(client, topics.director("brno"), b"", retained=True))
    assert door.topic(Message(client, topics.device("brno", "k1", "state"), b"", retained=True))
    assert client.drops.counts == {"retained": 1}


def test_a_payload_of_another_kind_is_counted(client: Client) -> None:
    door = Door("brno", client)
    message = Message(client, "x", envelope.encode(Ping("1")))
    assert door.read(Ping, message) == Ping("1")
    assert door.read(Ack, message) is None
    assert client.drops.counts == {"bad-json": 1}


def test_a_program_whose_network_thread_ended_unasked_ends(client: Client) -> None:
    door = Door("brno", client)
    door.check_alive()  # not started yet is not dead
    client.start()
    door.check_alive()
    client._paho.disconnect()
    wait_for(lambda: client.died)
    with pytest.raises(ClientDied):
        door.check_alive()
    client.stop()
    door.check_alive()


def test_a_disk_that_refuses_signatures_is_told_once() -> None:
    class Full(MemoryStore):
        def sign_heads(self) -> None:
            raise OSError("no space left on device")

    alerts: list[Alert] = []
    signer = Signer(Full(), alerts.append)
    for _ in range(3):
        signer.sign()
    assert [type(alert) for alert in alerts] == [StoreTrouble]
