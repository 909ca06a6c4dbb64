"""Devices that are not known yet: they may ask, are told, and harm nobody who belongs to the venue."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path

import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from appliance.link import topics
from appliance.link.client import Disconnected, Endpoint, Message
from appliance.link.mosquitto_files import MOST_NEWCOMERS_MEMORY
from appliance.workplace import Workplace
from tests.link.harness import next_event
from tests.link.society import ALL, VENUE, Peer, Room, free_port, inside, own, peers, serving


@pytest.fixture
def connect() -> Iterator[Callable[..., Peer]]:
    with peers() as make:
        yield make


@pytest.fixture
def open_room(tmp_path: Path) -> Iterator[Room]:
    """A room that lets newcomers ask."""
    room = Room(tmp_path, newcomers=free_port())
    with serving(room.director):
        yield room


def newcomer(room: Room, *, plain: bool = False) -> Endpoint:
    """What somebody has who knows nothing of the venue."""
    anybody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    anybody.check_hostname, anybody.verify_mode = False, ssl.CERT_NONE
    return Endpoint("127.0.0.1", room.society.lan.newcomers, tls=None if plain else anybody)


def test_a_newcomer_asks_and_is_told_under_its_own_name_only_and_reads_who_directs(
    open_room: Room, connect: Callable[..., Peer]
) -> None:
    room = open_room
    ear = connect(newcomers(room.director), "director-brno", [ALL]).connected()
    told = topics.newcomer(VENUE, "n1", "told")
    new = connect(newcomer(room), "n1", [told, topics.newcomers_filter(VENUE, "told"), ALL]).connected()
    for other in (
        topics.newcomer(VENUE, "n2", "ask"),
        topics.newcomer(VENUE, "n1", "told"),
        topics.newcomer("praha", "n1", "ask"),
        topics.director(VENUE),
        own("table-1"),
    ):
        new.client.publish(other, b"no")
    ask = topics.newcomer(VENUE, "n1", "ask")
    new.client.publish(ask, b"let me in")
    assert ear.hears(ask) == [(ask, b"let me in")]
    ear.client.publish(topics.newcomer(VENUE, "n2", "told"), b"not yours")
    ear.client.publish(topics.reply(VENUE, "table-1"), b"not yours")
    ear.client.publish(topics.director(VENUE), b"who directs")
    ear.client.publish(told, b"wait")
    assert set(new.hears(told)) == {(topics.director(VENUE), b"who directs"), (told, b"wait")}


@pytest.mark.parametrize("name", ["+", "#", "n/1", "n1/ask/#"])
def test_a_newcomers_name_opens_nothing(open_room: Room, connect: Callable[..., Peer], name: str) -> None:
    room = open_room
    ear = connect(newcomers(room.director), "director-brno", [ALL]).connected()
    sly = connect(newcomer(room), name, [ALL])
    honest = connect(newcomer(room), "n1").connected()
    for topic in (topics.newcomer(VENUE, "n2", "ask"), f"{topics.ROOT}/{VENUE}/lan/n/{name.strip('#+/')}/ask"):
        sly.client._paho.publish(topic, b"no")
    ear.client.publish(topics.newcomer(VENUE, "n1", "told"), b"theirs")
    ask = topics.newcomer(VENUE, "n1", "ask")
    honest.client.publish(ask, b"yes")
    assert ear.hears(ask)[-1] == (ask, b"yes")
    assert not [event for event in drain(sly) if isinstance(event, Message)]


def drain(peer: Peer) -> list[object]:
    found = []
    while not peer.inbox.empty():
        found.append(peer.inbox.get())
    return found


def test_a_newcomer_sends_little(open_room: Room, connect: Callable[..., Peer]) -> None:
    room = open_room
    ear = connect(newcomers(room.director), "secret", [ALL]).connected()
    new = connect(newcomer(room), "n1").connected()
    ask = topics.newcomer(VENUE, "n1", "ask")
    new.client.publish(ask, b"x" * 15_000)
    assert ear.hears(ask)
    new.client.publish(ask, b"x" * 17_000)
    next_event(new.inbox, Disconnected)
    assert ear.inbox.empty()


def left_behind(port: int, name: str) -> bool:
    """A message that the broker is to keep for ever, from a client that goes at once; whether it took it."""
    word = [
        len(text).to_bytes(2) + text for text in (b"MQTT", name.encode(), topics.newcomer(VENUE, name, "ask").encode())
    ]
    content = word[2] + b"\0\1" + name.encode() * 1500
    with socket.create_connection(("127.0.0.1", port), timeout=5) as line:
        line.sendall(bytes([0x10, 10 + len(word[1])]) + word[0] + b"\4\2\0\x3c" + word[1])
        line.recv(4)
        try:
            line.sendall(bytes([0x33, len(content) % 128 | 128, len(content) // 128]) + content)
            return line.recv(4)[:1] == b"@"
        except OSError:
            return False


def test_what_newcomers_leave_behind_cannot_use_up_the_directors_memory(
    tmp_path: Path, connect: Callable[..., Peer]
) -> None:
    """Anybody on the venue's network may come as often as he likes, under one new name after the other."""
    room = Room(tmp_path, newcomers=free_port(), secure=False)
    with serving(room.director) as broker:
        connect(newcomers(room.director), "secret").connected()
        taken = [left_behind(room.society.lan.newcomers, f"n{n:07}") for n in range(MOST_NEWCOMERS_MEMORY // 10_000)]
        assert any(taken) and not all(taken[-20:])
        assert broker.pid
        ear, table = connect(inside(room.director), "director-brno", [ALL]).connected(), connect(room.one).connected()
        table.client.publish(own("table-1"), b"the evening goes on")
        assert ear.hears(own("table-1"))


def test_a_newcomer_takes_the_name_of_nobody_inside(open_room: Room, connect: Callable[..., Peer]) -> None:
    room = open_room
    director = connect(inside(room.director), "director-brno", [ALL]).connected()
    table = connect(room.one).connected()
    for name in ("director-brno", f"{VENUE}.table-1", f"lan-{VENUE}-table-1"):
        bare = paho.Client(CallbackAPIVersion.VERSION2, name, reconnect_on_failure=False)
        bare.tls_set_context(newcomer(room).tls)
        bare.connect("127.0.0.1", room.society.lan.newcomers)
        while not bare.is_connected():
            bare.loop(0.1)
    table.client.publish(own("table-1"), b"still here")
    assert director.hears(own("table-1")) and director.inbox.empty() and table.inbox.empty()


def test_in_a_rehearsal_a_newcomer_asks_without_secrets(tmp_path: Path, connect: Callable[..., Peer]) -> None:
    room = Room(tmp_path, newcomers=free_port(), secure=False)
    with serving(room.director):
        ear = connect(newcomers(room.director), "secret", [ALL]).connected()
        new = connect(newcomer(room, plain=True), "n1").connected()
        new.client.publish(topics.newcomer(VENUE, "n2", "ask"), b"no")
        new.client.publish(topics.newcomer(VENUE, "n1", "ask"), b"yes")
        assert ear.hears(topics.newcomer(VENUE, "n1", "ask"))[0][1] == b"yes"
        connect(room.one).connected()


def newcomers(director: Workplace) -> Endpoint:
    return Endpoint.unix(director.data / "broker" / "newcomers")
