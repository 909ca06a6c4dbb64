"""A venue whose devices have keys and certificates, and a director's broker that knows them."""

from __future__ import annotations

import queue
import socket
import ssl
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import certificates
from appliance.certificates import Authority
from appliance.config import Config, Device, Lan, Venue
from appliance.identity import AUTHORITY, CERTIFICATE
from appliance.link import topics
from appliance.link.client import Backoff, Client, Connected, Endpoint, Inbox, Message
from appliance.link.mosquitto import VenueBroker
from appliance.link.tls import lan_endpoint
from appliance.members import Member, Members
from appliance.workplace import Workplace, director_endpoint
from tests.link.harness import next_event

VENUE = "brno"
ALL = f"{topics.ROOT}/#"


class Society:
    """Devices of venues, enrolled by one league."""

    def __init__(self, folder: Path, **lan: Any) -> None:
        self.folder = folder
        key = Ed25519PrivateKey.generate()
        self.league = Authority(key, certificates.make_authority(key, "Liga"))
        self.lan = Lan(**{"find": "hosts", "hosts": ("127.0.0.1",), "port": free_port(), **lan})

    def place(self, name: str, venue: str = VENUE, *, enrolled: bool = True) -> Workplace:
        """A device; ``enrolled``: the league signed its certificate, else it did so itself."""
        device = Device(name=name, data=str(self.folder / f"{venue}-{name}"))
        place = Workplace(msgspec.structs.replace(Config(), venue=Venue(id=venue), device=device, lan=self.lan))
        if enrolled:
            signed = certificates.issue(self.league, venue, name, place.key.public_key())
            (place.data / CERTIFICATE).write_bytes(certificates.pem(signed))
            (place.data / AUTHORITY).write_bytes(certificates.pem(self.league.certificate))
        else:
            own = certificates.self_signed(place.key, venue, name)
            (place.data / CERTIFICATE).write_bytes(certificates.pem(own))
        return place


def member(place: Workplace) -> Member:
    """What the venue knows of a device."""
    shown = certificates.read(place.data / CERTIFICATE)
    own = certificates.to_text(shown) if certificates.is_self_signed(shown) else ""
    return Member(name=place.config.device.name, key=place.public, role="table", certificate=own)


def meet(*places: Workplace) -> Members:
    """These, and nobody else, belong to the venue; each of them knows."""
    known = Members(map(member, places))
    for place in places:
        place.members = known
    return known


@contextmanager
def serving(director: Workplace) -> Iterator[VenueBroker]:
    """The director's broker, inside."""
    broker = VenueBroker(director)
    broker.start()
    try:
        yield broker
    finally:
        broker.stop()


class Peer:
    """A connection with all that arrives on it."""

    def __init__(self, endpoint: Endpoint, client_id: str, subscribed: Iterable[str] = ()) -> None:
        self.inbox: Inbox = queue.SimpleQueue()
        self.client = Client(endpoint, client_id, self.inbox, subscriptions=[(topic, 1) for topic in subscribed])
        self.client._backoff = Backoff(0.02, 0.1)
        self.client.start()

    def connected(self) -> Peer:
        next_event(self.inbox, Connected)
        return self

    def hears(self, topic: str) -> list[tuple[str, bytes]]:
        """What arrived before the next message on ``topic``, and that."""
        heard = []
        while not heard or heard[-1][0] != topic:
            heard.append(next_event(self.inbox, Message)[1:3])
        return heard


@contextmanager
def peers() -> Iterator[Any]:
    """Makes peers, and stops them."""
    made: list[Peer] = []

    def make(endpoint: Endpoint | Workplace, client_id: str = "", subscribed: Iterable[str] = ()) -> Peer:
        if isinstance(endpoint, Workplace):
            client_id = client_id or f"lan-{VENUE}-{endpoint.config.device.name}"
            endpoint = lan_endpoint(endpoint, "127.0.0.1")
        made.append(Peer(endpoint, client_id, subscribed))
        return made[-1]

    try:
        yield make
    finally:
        for peer in made:
            peer.client.stop()


def admitted(endpoint: Endpoint) -> bool:
    """Whether the broker lets somebody in who shows this. With TLS 1.3 a client learns that only afterwards."""
    assert endpoint.tls is not None
    hello = b"\x10\x0d\x00\x04MQTT\x04\x02\x00\x0a\x00\x01x"  # CONNECT, clean session, client name x
    with (
        socket.create_connection((endpoint.host, endpoint.port), 10) as line,
        endpoint.tls.wrap_socket(line, server_hostname="any") as tls,
    ):
        try:
            tls.sendall(hello)
            return tls.recv(1) == b"\x20"  # CONNACK
        except (ssl.SSLError, ConnectionError):
            return False


def showing(endpoint: Endpoint, venue: str) -> Endpoint:
    """The same, but speaking to a broker of that venue."""
    assert endpoint.tls is not None
    endpoint.tls.server = certificates.server_name(venue)  # type: ignore[attr-defined]
    return endpoint


def own(name: str, leaf: topics.DeviceLeaf = "cmd") -> str:
    return topics.device(VENUE, name, leaf)


class Room:
    """A director with its broker, two tables, and somebody who hears everything."""

    def __init__(self, folder: Path, **lan: object) -> None:
        self.society = Society(folder, **lan)
        self.director = self.society.place("director")
        self.one, self.two = (self.society.place(f"table-{number}") for number in (1, 2))
        self.known = meet(self.director, self.one, self.two)


def inside(director: Workplace) -> Endpoint:
    """The director's own way in."""
    return director_endpoint(director.config, director.data)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
