"""The venue's own broker, as devices find it: who may do what, and who gets in at all."""

from __future__ import annotations

import logging
import shutil
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from appliance import certificates
from appliance.identity import AUTHORITY, CERTIFICATE
from appliance.link import topics
from appliance.link.client import Connected, Disconnected, Endpoint
from appliance.link.mosquitto import VenueBroker
from appliance.link.tls import lan_endpoint
from appliance.members import Members
from appliance.workplace import Workplace
from tests.link.harness import next_event, wait_for
from tests.link.society import ALL, VENUE, Peer, Room, Society, admitted, inside, meet, own, peers, serving, showing


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


@pytest.fixture
def connect() -> Iterator[Callable[..., Peer]]:
    with peers() as make:
        yield make


@pytest.fixture
def broker(room: Room) -> Iterator[VenueBroker]:
    with serving(room.director) as running:
        yield running


@pytest.fixture
def let_in(broker: VenueBroker, caplog: pytest.LogCaptureFixture) -> Callable[[Members], None]:
    """Changes who belongs to the venue; returns once the broker says that it has read it."""
    caplog.set_level(logging.DEBUG, "appliance.link.child")

    def change(members: Members) -> None:
        before = caplog.text.count("Reloading config")
        broker.update(members)
        wait_for(lambda: caplog.text.count("Reloading config") > before)

    return change


def test_a_device_writes_its_own_topics_only(room: Room, broker: VenueBroker, connect: Callable[..., Peer]) -> None:
    ear = connect(inside(room.director), "director-brno", [ALL]).connected()
    table = connect(room.one).connected()
    for elsewhere in (
        own("table-2"),
        topics.director(VENUE),
        topics.broadcast(VENUE, "round/R1"),
        topics.reply(VENUE, "table-1"),
        topics.up(VENUE, "ev"),
        own("table-1").replace(VENUE, "praha"),
        topics.newcomer(VENUE, "table-1", "ask"),
    ):
        assert table.client.publish(elsewhere, b"no")
        assert table.client.publish(elsewhere, b"no", retain=True)
    table.client.publish(own("table-1"), b"yes")
    assert ear.hears(own("table-1")) == [(own("table-1"), b"yes")]
    assert table.client.connected and table.inbox.empty(), "a denied publish is acknowledged like any other"


def test_a_device_hears_the_director_and_nobody_else(
    room: Room, broker: VenueBroker, connect: Callable[..., Peer]
) -> None:
    director = connect(inside(room.director), "director-brno").connected()
    other = connect(room.two).connected()
    table = connect(room.one, subscribed=[ALL, "#", topics.reply_filter(VENUE, "table-2")]).connected()
    other.client.publish(own("table-2"), b"theirs")
    director.client.publish(topics.reply(VENUE, "table-2", "ev"), b"theirs")
    told = [
        topics.director(VENUE),
        topics.broadcast(VENUE, "round/R1"),
        topics.reply(VENUE, "table-1"),
        topics.reply(VENUE, "table-1", "ev"),
    ]
    for topic in told:
        director.client.publish(topic, b"ours")
    assert {topic for topic, _ in table.hears(told[-1])} == set(told)


def test_a_device_sees_its_own_state_come_by(room: Room, broker: VenueBroker, connect: Callable[..., Peer]) -> None:
    table = connect(room.one, subscribed=[own("table-1", "state")]).connected()
    table.client.publish(own("table-1", "state"), b"there", retain=True)
    assert table.hears(own("table-1", "state"))


def test_nobody_gets_in_without_a_certificate_that_counts(room: Room, broker: VenueBroker, tmp_path: Path) -> None:
    strangers = Society(tmp_path / "strangers", port=room.society.lan.port)
    stranger, alone = strangers.place("table-1"), room.society.place("table-2", enrolled=False)
    for place in (stranger, alone):
        place.members = room.known
        shutil.copy(room.director.data / AUTHORITY, place.data)  # whom it believes
    trusting = lan_endpoint(alone, "127.0.0.1")
    assert trusting.tls is not None
    trusting.tls.load_cert_chain(stranger.data / CERTIFICATE, stranger.data / "device.key")
    assert not admitted(trusting), "signed by another league"
    assert not admitted(lan_endpoint(alone, "127.0.0.1")), "signed by itself, and no member"
    nothing = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    nothing.check_hostname, nothing.verify_mode = False, ssl.CERT_NONE
    assert not admitted(Endpoint("127.0.0.1", room.society.lan.port, tls=nothing)), "none"
    assert admitted(lan_endpoint(room.one, "127.0.0.1"))


def test_a_certificate_alone_gives_no_rights(
    room: Room, broker: VenueBroker, connect: Callable[..., Peer], tmp_path: Path
) -> None:
    """Of another venue of the league, or of a device that was never a member: it may sit there, deaf and dumb."""
    ear = connect(inside(room.director), "director-brno", [ALL]).connected()
    for place in (room.society.place("table-1", "praha"), room.society.place("table-9")):
        place.members = room.known
        name = place.config.device.name
        endpoint = showing(lan_endpoint(place, "127.0.0.1"), VENUE)
        guest = connect(endpoint, f"lan-{VENUE}-{name}", [ALL]).connected()
        guest.client.publish(own(name), b"no")
        guest.client.publish(own("table-1"), b"no")
        guest.client.publish(topics.director(VENUE), b"no")
        table = connect(room.one).connected()
        table.client.publish(own("table-1"), b"yes")
        assert ear.hears(own("table-1")) == [(own("table-1"), b"yes")]
        ear.client.publish(topics.broadcast(VENUE, "round/R1"), b"for members")
        assert ear.hears(topics.broadcast(VENUE, "round/R1"))
        assert guest.inbox.empty()


def test_a_name_on_the_connection_cannot_be_stolen(
    room: Room, broker: VenueBroker, connect: Callable[..., Peer]
) -> None:
    director = connect(inside(room.director), "director-brno").connected()
    one = connect(room.one, subscribed=[topics.director(VENUE)]).connected()
    thief = connect(room.two, "lan-brno-table-1").connected()
    again = connect(room.two, "director-brno").connected()
    director.client.publish(topics.director(VENUE), b"there")
    assert one.hears(topics.director(VENUE)) and director.client.connected
    assert isinstance(next_event(thief.inbox, Disconnected), Disconnected) and again.client.client_id, "its own name"


def test_members_change_without_cutting_anybody_off(
    room: Room, broker: VenueBroker, let_in: Callable[[Members], None], connect: Callable[..., Peer]
) -> None:
    ear = connect(inside(room.director), "director-brno", [ALL]).connected()
    one, two = connect(room.one).connected(), connect(room.two, subscribed=[topics.broadcast_filter(VENUE)]).connected()
    three = room.society.place("table-3")
    before = broker.pid
    let_in(meet(room.director, room.one, three))
    connect(three).connected().client.publish(own("table-3"), b"new")
    assert ear.hears(own("table-3"))
    assert deaf_and_dumb(ear, two, one), "revoked"
    assert two.client.connected and one.inbox.empty() and broker.pid == before


def test_a_device_with_a_certificate_of_its_own_comes_in_while_it_is_a_member(
    room: Room, broker: VenueBroker, let_in: Callable[[Members], None], connect: Callable[..., Peer]
) -> None:
    ear = connect(inside(room.director), "director-brno", [ALL]).connected()
    spare = room.society.place("spare", enrolled=False)
    shutil.copy(room.director.data / AUTHORITY, spare.data)  # whom it believes
    known = meet(room.director, room.one, spare)
    waiting = connect(spare)
    wait_for(lambda: waiting.client.drops.counts["turned-away"])
    let_in(known)
    before = broker.pid
    inside_now = waiting.connected()
    inside_now.client.publish(own("spare"), b"in")
    assert ear.hears(own("spare"))

    let_in(meet(room.director, room.one))
    assert deaf_and_dumb(ear, inside_now, connect(room.one).connected()) and broker.pid == before


def test_another_authority_of_the_league_counts_once_the_broker_is_started_anew(
    room: Room, broker: VenueBroker, connect: Callable[..., Peer], tmp_path: Path
) -> None:
    """mosquitto reads ``cafile`` at its start alone: what it was told on the way it would not take."""
    table = connect(room.one).connected()
    next_league = Society(tmp_path / "next", port=room.society.lan.port)
    three = next_league.place("table-3")
    old, new = (certificates.pem(of.league.certificate) for of in (room.society, next_league))
    (room.director.data / AUTHORITY).write_bytes(old + new)
    (three.data / AUTHORITY).write_bytes(new + old)  # its own first
    before = broker.pid
    broker.update(meet(room.director, room.one, three))
    connect(three).connected()
    next_event(table.inbox, Disconnected)
    next_event(table.inbox, Connected)
    assert broker.pid != before


def test_a_stolen_device_has_no_rights_once_another_has_its_name(
    room: Room, let_in: Callable[[Members], None], connect: Callable[..., Peer]
) -> None:
    ear = connect(inside(room.director), "director-brno", [ALL]).connected()
    (room.one.data).rename(room.society.folder / "stolen")
    fresh = room.society.place("table-1")
    stolen = Workplace(
        msgspec.structs.replace(
            room.one.config,
            device=msgspec.structs.replace(room.one.config.device, data=str(room.society.folder / "stolen")),
        )
    )
    assert stolen.public != fresh.public
    stolen.members = meet(room.director, fresh, room.two)
    let_in(stolen.members)
    rightful, thief = connect(fresh).connected(), connect(stolen, subscribed=[ALL]).connected()
    assert deaf_and_dumb(ear, thief, rightful), "its certificate is the league's, with the same name"
    assert rightful.client.connected and rightful.inbox.empty()


def deaf_and_dumb(ear: Peer, one: Peer, member: Peer) -> bool:
    """Whether what somebody says under the names here is lost, and what the director says does not reach them."""
    for name in ("table-1", "table-2", "spare"):
        one.client.publish(own(name), b"no")
    member.client.publish(own("table-1"), b"yes")
    said = ear.hears(own("table-1"))
    ear.client.publish(topics.broadcast(VENUE, "round/R1"), b"for members")
    ear.hears(topics.broadcast(VENUE, "round/R1"))
    return said == [(own("table-1"), b"yes")] and one.inbox.empty()


def test_a_member_with_a_certificate_of_its_own_vouches_for_nobody(
    room: Room, let_in: Callable[[Members], None]
) -> None:
    spare, liar = room.society.place("spare", enrolled=False), room.society.place("liar")
    let_in(meet(room.director, room.one, spare, liar))
    endpoint = lan_endpoint(liar, "127.0.0.1")
    assert admitted(endpoint)
    signer = certificates.Authority(spare.key, certificates.read(spare.data / CERTIFICATE))
    false = certificates.issue(signer, VENUE, "table-1", liar.key.public_key())
    (liar.data / CERTIFICATE).write_bytes(certificates.pem(false))
    assert endpoint.tls is not None
    endpoint.tls.load_cert_chain(liar.data / CERTIFICATE, liar.data / "device.key")
    assert not admitted(endpoint)
