"""What the bad network of the chaos evening does to MQTT is no more than a network and a broker may do."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaos.mqtt import CONNECT, PUBACK, PUBLISH, NotMqtt, Packets, Weather, again, kind, pass_on, qos

CONNECT_PACKET = bytes.fromhex("100c00044d5154540402000a0000")


def packet(first: int, body: bytes) -> bytes:
    length, size = [], len(body)
    while True:
        size, digit = divmod(size, 128)
        length.append(digit | (0x80 if size else 0))
        if not size:
            return bytes([first, *length]) + body


def publish(body: bytes, of_qos: int) -> bytes:
    return packet(PUBLISH << 4 | of_qos << 1, body)


packets = st.builds(packet, st.sampled_from([0x30, 0x32, 0x3B, 0x40, 0x82, 0x90, 0xC0, 0xD0]), st.binary(max_size=300))


@given(st.lists(packets), st.randoms(use_true_random=False))
def test_packets_are_found_however_the_stream_is_cut(sent: list[bytes], chance: random.Random) -> None:
    stream, found, cutter = CONNECT_PACKET + b"".join(sent), [], Packets(CONNECT)
    while stream:
        size = chance.randint(1, 200)
        found += cutter.feed(stream[:size])
        stream = stream[size:]
    assert found == [CONNECT_PACKET, *sent] and cutter.rest == b""


@given(st.lists(packets), st.integers())
def test_every_weather_keeps_what_must_not_be_lost_and_makes_up_nothing(sent: list[bytes], seed: int) -> None:
    weather = Weather(lose=0.3, double=0.4, late=0.4, hold_acks_s=0.5)
    chance = random.Random(seed)
    for each in sent:
        became = pass_on(each, weather, chance)
        assert {told for _, told in became} <= {each, again(each)}
        assert became or (kind(each) == PUBLISH and qos(each) == 0)
        if kind(each) not in (PUBLISH, PUBACK):
            assert became == [(0.0, each)]


def test_a_second_copy_is_marked_above_qos_0() -> None:
    assert again(publish(b"x", 1))[0] & 0x08
    assert again(publish(b"x", 0)) == publish(b"x", 0)


def test_fair_weather_changes_nothing() -> None:
    chance = random.Random(1)
    assert all(pass_on(publish(b"x", q), Weather(), chance) == [(0.0, publish(b"x", q))] for q in (0, 1))


@pytest.mark.parametrize("first", [b"\x16\x03\x01", b"GET /"])
def test_what_begins_otherwise_is_not_taken_apart(first: bytes) -> None:
    with pytest.raises(NotMqtt):
        list(Packets(CONNECT).feed(first))
