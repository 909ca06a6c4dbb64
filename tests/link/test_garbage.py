"""Garbage, bombs and ten megabytes on every topic there is, kept and not kept: counted, and the evening goes on."""

from __future__ import annotations

import zlib

import pytest

from appliance.link import topics
from appliance.link.broker import Broker
from tests.link.harness import raw_publisher
from tests.link.test_uplink import ROUND, Season

GARBAGE = {
    "nothing": b"",
    "zeros": b"\x00" * 100,
    "half-json": b'{"device":"door","heads":[[',
    "deep-json": b'{"x":' + b"[" * 60_000,
    "wrong-types": b'{"device":7,"stream":[],"records":{},"id":null,"epoch":1,"upto":"1","online":3}',
    "bad-utf8": b'{"device":"\xff\xfe\xfd"}',
    "bomb": zlib.compress(b'{"id":"' + b"A" * 50_000_000 + b'"}', 9),
    "cut-zlib": zlib.compress(b'{"id":"1"}' * 100)[:-5],
    "300-kB": b"x" * 300_000,
    "10-MB": b"x" * 10_000_000,
}


def every_topic(venue: str) -> list[str]:
    return [
        topics.director(venue),
        topics.broadcast(venue, ROUND),
        *(topics.reply(venue, who, leaf) for who in ("door", "uplink") for leaf in ("", "ev", "ack", "pong", "fetch")),
        *(topics.device(venue, "door", leaf) for leaf in ("hello", "state", "ev", "ack", "cmd", "ping", "fetch")),
        topics.up(venue, "state"),
        topics.down(venue, "ack"),
        topics.down(venue, "ev"),
        topics.down(venue, "fetch"),
        f"ts/1/{venue}/lan/t/../cmd",
        f"ts/1/{venue}/lan/d/ev/round/..",
        f"ts/1/{venue}/lan/d/reply/door/ev/ev",
    ]


@pytest.mark.parametrize("retain", [False, True], ids=["live", "retained"])
def test_garbage_on_every_topic_changes_nothing(broker: Broker, retain: bool) -> None:
    season = Season(broker)
    evening = season.evening
    try:
        kiosk = evening.kiosk("door")
        evening.director.writer.open(ROUND)
        evening.until(season.same)
        evening.equal(kiosk)
        for payload in GARBAGE.values():
            with raw_publisher(broker.endpoint) as rude:
                for topic in every_topic(evening.venue):
                    rude.publish(topic, payload, qos=0 if len(payload) > 1_000_000 else 1, retain=retain)
                evening.work(5)
        evening.director.writer.write(ROUND, 5)
        season.pen.open(f"league/{season.venue}")
        restarted = evening.kiosk("late")
        evening.until(season.same)
        evening.equal(kiosk, restarted)
        codes = {"bad-json", "bad-zlib", "bomb", "too-large", "bad-id", "bad-stream"}
        evening.until(
            lambda: codes <= evening.director.link.client.drops.counts.keys() | kiosk.link.client.drops.counts
        )
        assert not evening.director.commands
        assert not evening.director.alerts + kiosk.alerts + restarted.alerts
    finally:
        with raw_publisher(broker.endpoint) as rude:
            for topic in every_topic(evening.venue):
                rude.publish(topic, b"", qos=1, retain=True).wait_for_publish(10)
        season.close()
