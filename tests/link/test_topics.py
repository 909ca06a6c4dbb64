from __future__ import annotations

import pytest

from appliance.link import topics
from appliance.link.topics import BadTopic, Kind, Topic


def built() -> list[tuple[str, Topic]]:
    shard = topics.shard("brno")
    pairs = [
        (topics.director("brno"), Topic(Kind.DIRECTOR, "brno")),
        (topics.broadcast("brno", "round/R1.a"), Topic(Kind.BROADCAST, "brno", stream="round/R1.a")),
        (topics.reply("brno", "k1"), Topic(Kind.REPLY, "brno", "k1")),
        (topics.reply("brno", "k1", "ev"), Topic(Kind.REPLY_EV, "brno", "k1")),
        (topics.reply("brno", "k1", "ack"), Topic(Kind.REPLY_ACK, "brno", "k1")),
        (topics.reply("brno", "k1", "pong"), Topic(Kind.REPLY_PONG, "brno", "k1")),
        (topics.reply("brno", "k1", "fetch"), Topic(Kind.REPLY_FETCH, "brno", "k1")),
        (topics.reply("brno", "k1", "spares"), Topic(Kind.REPLY_SPARES, "brno", "k1")),
        (topics.reply("brno", "k1", "phones"), Topic(Kind.REPLY_PHONES, "brno", "k1")),
        (topics.reply("brno", "k1", "keys"), Topic(Kind.REPLY_KEYS, "brno", "k1")),
        (topics.down("brno", "ack"), Topic(Kind.DN_ACK, "brno")),
        (topics.down("brno", "ev"), Topic(Kind.DN_EV, "brno")),
        (topics.down("brno", "fetch"), Topic(Kind.DN_FETCH, "brno")),
        (topics.newcomer("brno", "n1", "ask"), Topic(Kind.NEW_ASK, "brno", "n1")),
        (topics.newcomer("brno", "n1", "told"), Topic(Kind.NEW_TOLD, "brno", "n1")),
        (f"ts/1/brno/up/{shard}/ev", Topic(Kind.UP_EV, "brno")),
    ]
    pairs += [
        (topics.up("brno", leaf), Topic(Kind(f"up/{leaf}"), "brno"))
        for leaf in ("ev", "hello", "state", "ack", "fetch")
    ]
    pairs += [
        (topics.device("brno", "k1", leaf), Topic(Kind(f"lan/t/{leaf}"), "brno", "k1"))
        for leaf in ("hello", "state", "ev", "ack", "cmd", "ping", "fetch", "pad")
    ]
    return pairs


@pytest.mark.parametrize(("text", "topic"), built())
def test_what_is_built_is_read_back(text: str, topic: Topic) -> None:
    assert topics.parse(text) == topic


def test_every_kind_can_be_built() -> None:
    assert {topic.kind for _, topic in built()} == set(Kind)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "bad-topic"),
        ("ts/2/brno/dn/ev", "bad-topic"),
        ("ts/1/brno/dn/ev/x", "bad-topic"),
        ("ts/1/brno/lan/t/k1/exec", "bad-topic"),
        ("ts/1/BRNO/dn/ev", "bad-id"),
        ("ts/1/br#no/dn/ev", "bad-id"),
        ("ts/1//dn/ev", "bad-id"),
        ("ts/1/" + "b" * 33 + "/dn/ev", "bad-id"),
        ("ts/1/brno/lan/t/" + "k." + "/cmd", "bad-id"),
        ("ts/1/brno/up/63/ev", "wrong-shard"),
        ("ts/1/brno/up/0x1/ev", "wrong-shard"),
        ("ts/1/brno/lan/d/ev/rounds/R1", "bad-stream"),
        ("ts/1/brno/lan/d/ev/round/..", "bad-stream"),
        ("x" * 100_000, "bad-topic"),
    ],
)
def test_foreign_topics_are_refused_with_a_code(text: str, code: str) -> None:
    with pytest.raises(BadTopic) as caught:
        topics.parse(text)
    assert caught.value.code == code


def test_ids_with_wildcards_are_never_built_into_a_topic() -> None:
    for name in ("+", "#", "a/b", "", "brno\n", "Brno", "žďár"):
        with pytest.raises(BadTopic):
            topics.down(name, "ev")
        with pytest.raises(BadTopic):
            topics.device("brno", name, "cmd")


def test_the_shard_is_crc32_of_the_venue_modulo_64() -> None:
    # Recomputed bit by bit (CRC-32/ISO-HDLC), independently of zlib.
    def crc32(data: bytes) -> int:
        value = 0xFFFFFFFF
        for byte in data:
            value ^= byte
            for _ in range(8):
                value = value >> 1 ^ (0xEDB88320 if value & 1 else 0)
        return value ^ 0xFFFFFFFF

    for venue in ("brno", "praha", "ostrava-1"):
        assert topics.shard(venue) == crc32(venue.encode()) % 64


@pytest.mark.parametrize(
    ("venue", "stream", "ours"),
    [
        ("brno", "round/R1", True),
        ("brno", "table/brno-1", True),
        ("brno", "table/brno-1-2", False),
        ("brno-1", "table/brno-1-2", True),
        ("brno", "table/praha-1", False),
        ("brno", "venue/brno", True),
        ("brno", "venue/praha", False),
        ("brno", "league/brno", True),
        ("brno", "league/praha", False),
    ],
)
def test_a_venue_carries_only_its_own_streams(venue: str, stream: str, ours: bool) -> None:
    assert topics.owned_by(venue, stream) is ours
