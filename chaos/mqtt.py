"""MQTT 3.1.1 packets on the wire, and what a bad network makes of them. Pure.

What comes out is what a correct peer may see: a PUBLISH of QoS 0 may be lost, any PUBLISH may come twice or late, a
PUBACK may take its time. Everything else stays as it was, in its order.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

CONNECT, CONNACK, PUBLISH, PUBACK = 1, 2, 3, 4
_DUP = 0x08
_MOST_LENGTH_BYTES = 4


class NotMqtt(ValueError):
    """These bytes begin no packet."""


class Packets:
    """Cuts a stream of bytes into packets."""

    def __init__(self, first: int) -> None:
        """``first``: the type that its first packet must have (3.1.1, 3.1.0-1 and 3.2.0-1)."""
        self._rest = b""
        self._first: int | None = first

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The packets that these bytes complete. Raises `NotMqtt`."""
        self._rest += data
        if self._first is not None and data:
            if data[0] != self._first << 4:
                raise NotMqtt(f"no connection begins with {data[0]:#04x}")
            self._first = None
        while (size := _size(self._rest)) is not None and len(self._rest) >= size:
            packet, self._rest = self._rest[:size], self._rest[size:]
            yield packet

    @property
    def rest(self) -> bytes:
        """The beginning of a packet that is not complete."""
        return self._rest


def _size(data: bytes) -> int | None:
    """The length of the packet that these bytes begin, None while it cannot be told (3.1.1, 2.2.3)."""
    length = 0
    for place in range(_MOST_LENGTH_BYTES):
        if len(data) < place + 2:
            return None
        byte = data[place + 1]
        length |= (byte & 0x7F) << (7 * place)
        if not byte & 0x80:
            return place + 2 + length
    raise NotMqtt("a length of more than four bytes")


def kind(packet: bytes) -> int:
    """The packet's type."""
    return packet[0] >> 4


def qos(packet: bytes) -> int:
    """The quality of service of a PUBLISH."""
    return packet[0] >> 1 & 3


def again(packet: bytes) -> bytes:
    """A PUBLISH as it is sent a second time: marked so above QoS 0 (3.3.1.1)."""
    return bytes([packet[0] | _DUP]) + packet[1:] if qos(packet) else packet


class Weather(NamedTuple):
    """What a route is like. Chances are per packet, times in seconds."""

    delay: float = 0.0
    jitter: float = 0.0
    lose: float = 0.0
    double: float = 0.0
    late: float = 0.0
    late_s: float = 0.3
    hold_acks_s: float = 0.0
    up: bool = True
    """Whether anything goes from the device to the broker; ``down``: and back."""
    down: bool = True


FAIR = Weather()


def pass_on(packet: bytes, weather: Weather, chance: random.Random) -> list[tuple[float, bytes]]:
    """What becomes of a packet: what goes on, each with the seconds by which it falls out of its order."""
    if kind(packet) == PUBACK and weather.hold_acks_s:
        return [(chance.random() * weather.hold_acks_s, packet)]
    if kind(packet) != PUBLISH:
        return [(0.0, packet)]
    if qos(packet) == 0 and chance.random() < weather.lose:
        return []
    wait = chance.random() * weather.late_s if chance.random() < weather.late else 0.0
    out = [(wait, packet)]
    if chance.random() < weather.double:
        out.append((wait + chance.random() * weather.late_s, again(packet)))
    return out
