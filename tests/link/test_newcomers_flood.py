"""A stranger who floods the newcomers' broker keeps nobody out for longer than that lasts."""

from __future__ import annotations

import queue
import time
from collections.abc import Iterator
from typing import Any

import paho.mqtt.client as paho
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from paho.mqtt.enums import CallbackAPIVersion

from appliance.adoption_desk import Known
from appliance.adoption_spare import Spare
from appliance.link import topics
from appliance.link.notices import signed_notice
from appliance.newcomers import _Window
from appliance.patience import AT_ONCE, EACH_S, Patience
from tests.link.society import VENUE, Peer, Room, peers
from tests.link.test_mosquitto_newcomers import newcomer, newcomers, open_room

__all__ = ["open_room"]

FLOOD_S = 2.0


@pytest.fixture
def window(open_room: Room) -> Iterator[_Window]:
    place = open_room.director
    found = _Window(place, newcomers(place), queue.SimpleQueue())
    found.open(signed_notice(VENUE, "director", "1-" + "ab" * 8, place.key))
    found.inbox.put(Known(place.members))
    yield found
    found.close()


def flood(room: Room, seconds: float) -> None:
    """One who asks as often as it can, with as much as a device would say."""
    evil = paho.Client(CallbackAPIVersion.VERSION2, "evil")
    context = newcomer(room).tls
    if context is not None:
        evil.tls_set_context(context)
    evil.connect("127.0.0.1", room.society.lan.newcomers)
    evil.loop_start()
    said, until = Spare(Ed25519PrivateKey.generate(), X25519PrivateKey.generate()), time.monotonic() + seconds
    said.tick(0.0)
    [ask] = said.ask(VENUE)
    while time.monotonic() < until:
        for _ in range(50):
            evil.publish(topics.newcomer(VENUE, "evil", "ask"), ask, qos=0)
        time.sleep(0.002)
    evil.disconnect()
    evil.loop_stop()


def test_who_asks_after_a_flood_is_heard_and_answered(open_room: Room, window: Any) -> None:
    flood(open_room, FLOOD_S)
    spare = Spare(Ed25519PrivateKey.generate(), X25519PrivateKey.generate())
    spare.tick(0.0)
    with peers() as make:
        told = topics.newcomer(VENUE, "n1", "told")
        honest: Peer = make(newcomer(open_room), "n1", [told]).connected()
        answers: list[bytes] = []
        until = time.monotonic() + 20
        while not spare.lines or not spare.lines[0].seen:
            assert time.monotonic() < until, "nobody answers"
            for ask in spare.ask(VENUE):
                honest.client.publish(topics.newcomer(VENUE, "n1", "ask"), ask, qos=0)
            answers += [payload for topic, payload in honest.hears(told) if topic == told]
            for answer in answers:
                spare.heard(VENUE, answer, 0.0)


def test_nothing_waits_for_what_a_broker_full_of_strangers_forgets(
    open_room: Room,
    window: Any,
) -> None:
    """An acknowledgement that never comes would hold up all that follows it."""
    assert {qos for _, qos in window._client._subscriptions} == {0}
    sent: list[int] = []
    window._client.publish = lambda topic, payload, qos=1, retain=False: sent.append(qos)
    window._send([("n1", b"seen")])
    assert sent == [0]


def test_a_client_that_speaks_too_often_is_listened_to_now_and_again_and_others_all_the_same() -> None:
    patience = Patience()
    assert sum(patience.has("evil", 100.0) for _ in range(1000)) == AT_ONCE
    assert patience.has("honest", 100.0)
    assert sum(patience.has("evil", 100.0 + each * EACH_S / 10) for each in range(1, 101)) == 10
    for each in range(5000):
        patience.has(f"evil-{each}", 200.0)
    assert len(patience._free_at) <= 1000
