"""A director calls its devices: who hears it, and what of all that anybody may send costs nothing."""

from __future__ import annotations

import queue
import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest

from appliance.link.call import Caller
from appliance.link.ear import AT_ONCE, EACH_S, MOST_BYTES, Called, Ear
from appliance.link.envelope import DirectorNotice
from appliance.link.interfaces import broadcast_addresses
from appliance.link.notices import is_genuine, signed_notice
from appliance.link.sighting import Sighting, to_line
from appliance.record import Epoch
from tests.link.harness import wait_for
from tests.link.island import VENUE, key_of, public_of

KNOWN = 3
"""The epoch that the device knows; only later ones concern it."""


def notice(n: int = 4, device: str = "d1", *, by: str = "", venue: str = VENUE, gathering: bool = True) -> Any:
    return signed_notice(venue, device, f"{n}-00000000000000d1", key_of(by or device), gathering=gathering)


def line(told: DirectorNotice, at: int = 1884) -> bytes:
    return to_line(Sighting("d1", at, told))


def free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Device:
    """Listens, and counts what it had to look at."""

    def __init__(self, port: int, **options: Any) -> None:
        self.port = port
        self.inbox: queue.SimpleQueue[Called] = queue.SimpleQueue()
        self.asked = self.verified = 0
        self.ear = Ear(port, self.inbox, heeds=self.heeds, genuine=self.genuine, **options)
        self.ear.start()

    def heeds(self, told: DirectorNotice) -> bool:
        self.asked += 1
        return told.venue == VENUE and Epoch.parse(told.epoch).n > KNOWN

    def genuine(self, told: DirectorNotice) -> bool:
        self.verified += 1
        return is_genuine(told, lambda stream, by: bytes.fromhex(public_of(by)) if by == "d1" else None)

    def gets(self, *said: bytes, host: str = "127.0.0.1") -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            for each in said:
                sender.sendto(each, (host, self.port))

    def hears(self) -> Called:
        return self.inbox.get(timeout=20)


@pytest.fixture
def device() -> Iterator[Device]:
    one = Device(free_port())
    yield one
    one.ear.stop()


def test_a_director_that_calls_is_heard_where_it_is_and_not_where_it_says(device: Device) -> None:
    device.gets(line(notice()))
    assert device.hears() == Called(notice(), Sighting("127.0.0.1", 1884, notice()))


@pytest.mark.parametrize(
    "said",
    [
        b"", b"{}", b"null", b"\xff" * 100, b"[" * 1000, line(notice()) + b" " * MOST_BYTES, line(notice())[:-1],
        line(notice()).replace(b"1884", b"0"), line(notice()).replace(b"4-00", b"4-0x"), b'{"looking":true}',
    ],
)  # fmt: skip
def test_garbage_is_thrown_away_unread(device: Device, said: bytes) -> None:
    device.gets(said, line(notice()))
    assert device.hears().notice == notice() and device.asked == device.verified == 1


def test_who_is_no_later_director_or_another_venues_is_not_even_verified(device: Device) -> None:
    device.gets(line(notice(KNOWN)), line(notice(KNOWN - 1)), line(notice(9, venue="praha")), line(notice()))
    assert device.hears().notice == notice() and device.verified == 1


def test_a_forged_call_is_not_heard(device: Device) -> None:
    device.gets(line(notice(7, by="thief")), line(notice(8, "d9", by="d9")), line(notice()))
    assert device.hears().notice == notice() and device.verified == 3 and device.inbox.empty()


def test_that_a_call_gathers_is_signed(device: Device) -> None:
    lie = line(notice(5)).replace(b'"gathering":true', b'"gathering":false')
    device.gets(lie, line(notice()))
    assert device.hears().notice == notice()


def test_a_flood_costs_next_to_nothing_and_once_it_is_over_calls_are_heard(device: Device) -> None:
    begun = time.monotonic()
    for _ in range(200):
        device.gets(*[line(notice(7, by="thief"))] * 50)
    wait_for(lambda: device.verified >= AT_ONCE)
    most = AT_ONCE + 1 + (time.monotonic() - begun) / EACH_S
    assert device.verified <= most, "each of them was verified"
    wait_for(lambda: device.gets(line(notice())) or not device.inbox.empty(), "a call is heard")


def test_where_hosts_are_named_nobody_is_gone_to_elsewhere() -> None:
    port = free_port()
    device = Device(port, hosts=("localhost", "no.such.host.invalid"), at=1999)
    other = Device(free_port(), hosts=("127.0.0.2",), at=1999)
    device.gets(line(notice()))
    other.gets(line(notice()))
    try:
        assert device.hears().place == Sighting("localhost", 1999, notice())
        assert other.hears() == Called(notice(), None)
    finally:
        device.ear.stop()
        other.ear.stop()


def test_all_devices_of_one_machine_hear_a_director_of_the_same() -> None:
    port = free_port()
    devices = [Device(port) for _ in range(3)]
    caller = Caller(port, 1884, networks=lambda: ["127.255.255.255"])
    caller.start()
    caller.call(notice())
    try:
        assert [device.hears().notice for device in devices] == [notice()] * 3
    finally:
        caller.stop()
        for device in devices:
            device.ear.stop()


def test_named_hosts_are_called_whatever_networks_there_are(device: Device) -> None:
    caller = Caller(device.port, 1884, ["no.such.host.invalid", "127.0.0.1", "::1"], networks=tuple)
    caller.start()
    caller.call(notice())
    try:
        assert {device.hears().place.host for _ in range(2)} == {"127.0.0.1", "::1"}  # type: ignore[union-attr]
    finally:
        caller.stop()


def test_who_gathers_calls_until_it_is_over(device: Device) -> None:
    caller = Caller(device.port, 1884, ["127.0.0.1"], networks=tuple)
    caller.start()
    caller.call(notice())
    try:
        assert [device.hears().notice for _ in range(3)] == [notice()] * 3
        caller.call(notice(5, gathering=False))
        wait_for(lambda: device.hears().notice == notice(5, gathering=False))
    finally:
        caller.stop()
    assert not caller.is_alive()


def test_a_port_that_another_holds_leaves_the_device_to_look_for_its_director() -> None:
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as taken:
        taken.bind(("", 0))
        device = Device(taken.getsockname()[1])
        assert not device.ear.is_alive()
        device.ear.stop()


def test_an_ear_that_is_stopped_ends_though_nobody_calls(device: Device) -> None:
    device.ear.stop()
    device.ear.join(20)
    assert not device.ear.is_alive()


def test_networks_of_a_machine_include_itself() -> None:
    assert "127.255.255.255" in broadcast_addresses()
