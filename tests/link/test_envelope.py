from __future__ import annotations

import contextlib
import hashlib
import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from appliance.link import envelope
from appliance.link.envelope import (
    Ack,
    BadPayload,
    Batch,
    CommandMessage,
    DirectorNotice,
    Fetch,
    Hello,
    Message,
    Ping,
    Pong,
    Refusal,
    Reply,
    State,
)
from appliance.record import Head

EPOCH = "1-00c0ffee00c0ffee"
KINDS = (Batch, Ack, Fetch, Hello, State, DirectorNotice, CommandMessage, Reply, Ping, Pong)

SAMPLES: list[Message] = [
    Batch("round/R1", EPOCH, 7, (Raw(b'{"name":"\xc5\xbdofie"}'), Raw(b"[1,2]")), bytes(64)),
    Ack("table/brno-1", EPOCH, 0),
    Fetch("venue/brno", EPOCH, 17),
    Hello("k1", (Head("round/R1", EPOCH, 3, "ab" * 32),), ("table/brno-1",), True, "cd" * 32, "tableside 0.1"),
    State("k1", True, "kiosk", "tableside 0.1"),
    DirectorNotice("d1", EPOCH, "ef" * 32, "brno", gathering=True),
    CommandMessage("0190-1", "k1", "000101", "R1", 5000, Raw(b'{"do":"start","round":"R1"}'), 12, 99),
    Reply("0190-1", False, refusal=Refusal("round-full", Raw(b'{"capacity":90}'))),
    Reply("0190-1", True, "round/R1", EPOCH, 9),
    Ping("1"),
    Pong("1", 1_800_000_000_000, 4711, False),
]


def plain(message: Message) -> object:
    """As JSON values: Raw compares by identity."""
    return json.loads(envelope._encoder.encode(message))


@pytest.mark.parametrize("message", SAMPLES, ids=lambda message: type(message).__name__)
def test_what_is_sent_is_what_is_read(message: Message) -> None:
    again = envelope.decode(type(message), envelope.encode(message))
    assert plain(again) == plain(message)


def test_a_record_crosses_byte_for_byte() -> None:
    odd = b'{ "a" :1.50e+1, "b":"\\u017e\xc5\xbe" }'
    batch = Batch("round/R1", EPOCH, 1, (Raw(odd),) * 30, bytes(64))
    payload = envelope.encode(batch)
    assert payload[:1] != b"{", "thirty equal records are worth deflating"
    assert [bytes(raw) for raw in envelope.decode(Batch, payload).records] == [odd] * 30


def test_unknown_fields_of_a_newer_sender_are_ignored() -> None:
    assert envelope.decode(Ping, b'{"id":"1","later":{"x":[]}}') == Ping("1")


LINE = b'"stream":"round/R1","epoch":"1-00c0ffee00c0ffee"'

BAD: list[tuple[type, bytes, str]] = [
    (Batch, b"\x00" * (10 * 1024 * 1024), "too-large"),
    (Ack, b"{" + b" " * 2000 + b"}", "too-large"),
    (Batch, zlib.compress(b"[" * 50_000_000, 9)[:200_000], "bomb"),
    (Batch, zlib.compress(b'{"stream":"' + b"A" * 100_000_000 + b'"}', 9), "bomb"),
    (Batch, b"", "bad-zlib"),
    (Batch, b"\xff\xfe\x00garbage", "bad-zlib"),
    (Ping, zlib.compress(b'{"id":"1"}')[:-3], "bad-zlib"),
    (Ping, zlib.compress(b'{"id":"1"}') + b"tail", "bad-zlib"),
    (Batch, b'{"stream":' + b"[" * 200_000, "bad-json"),
    (Batch, b'{"x":' + b"[" * 200_000, "bad-json"),
    (Ping, b'{"id":"\xff\xfe"}', "bad-json"),
    (Ping, b"{}", "bad-json"),
    (Ping, b'{"id":7}', "bad-json"),
    (Ack, b'{' + LINE + b',"upto":-1}', "bad-json"),
    (Ack, b'{' + LINE + b',"upto":1e99}', "bad-json"),
    (Ack, b'{' + LINE + b',"upto":99999999999999999999}', "bad-json"),
    (Ack, b'{"stream":"../etc","epoch":"1-00c0ffee00c0ffee","upto":1}', "bad-stream"),
    (Ack, b'{"stream":"round/R1","epoch":"0-x","upto":1}', "bad-epoch"),
    (Batch, b'{' + LINE + b',"first":1,"records":[],"signature":""}', "bad-json"),
    (Batch, b'{' + LINE + b',"first":1,"records":[1],"signature":"AAAA"}', "bad-batch"),
    (State, b'{"device":"K 1","online":true}', "bad-json"),
    (DirectorNotice, b'{"device":"d1","epoch":"1-00c0ffee00c0ffee","key":"zz","venue":"brno"}', "bad-json"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "payload", "code"), BAD, ids=[f"{i}-{code}" for i, (_, _, code) in enumerate(BAD)])
def test_bad_bytes_are_refused_with_a_code(kind: type, payload: bytes, code: str) -> None:
    with pytest.raises(BadPayload) as caught:
        envelope.decode(kind, payload)
    assert caught.value.code == code
    assert len(caught.value.detail) < 300


def test_a_record_larger_than_any_may_be_is_refused() -> None:
    large = b'"' + b"x" * (64 * 1024) + b'"'
    payload = envelope._encoder.encode(Batch("round/R1", EPOCH, 1, (Raw(large),), bytes(64)))
    with pytest.raises(BadPayload) as caught:
        envelope.decode(Batch, payload)
    assert caught.value.code == "bad-batch"


def test_a_hello_names_thousands_of_streams() -> None:
    heads = tuple(Head(f"round/R{n}", EPOCH, n + 1, f"{n * 2654435761 % 2**256:064x}"[::-1]) for n in range(4000))
    assert envelope.decode(Hello, envelope.encode(Hello("k1", heads))).heads == heads


def test_what_no_receiver_would_take_is_not_encoded() -> None:
    with pytest.raises(BadPayload) as caught:
        envelope.encode(Batch("round/R1", EPOCH, 1, (Raw(b'"' + b"x" * 60_000 + b'"'),) * 5, bytes(64)))
    assert caught.value.code == "too-large"


@given(kind=st.sampled_from(KINDS), payload=st.binary(max_size=300))
def test_any_bytes_give_a_message_or_bad_payload(kind: type, payload: bytes) -> None:
    with contextlib.suppress(BadPayload):
        envelope.decode(kind, payload)


@given(
    kind=st.sampled_from(KINDS),
    value=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(st.sampled_from(["id", "stream", "epoch", "upto", "device", "records", "key"]), inner)
        ),
        max_leaves=12,
    ),
)
def test_any_json_gives_a_message_or_bad_payload(kind: type, value: object) -> None:
    with contextlib.suppress(BadPayload):
        envelope.decode(kind, json.dumps(value).encode())


@pytest.mark.parametrize("area", ["round/R", "table/brno-"])
def test_a_hello_names_as_much_as_fits_the_venues_own_streams_first(area: str) -> None:
    """Whoever belongs to a venue can sign streams that nobody needs; no device may end of their number."""
    epoch, digest = "1-00c0ffee00c0ffee", (hashlib.sha256(b"%d" % n).hexdigest() for n in range(10**6))
    inventions = [Head(f"{area}{n}", epoch, 1, next(digest)) for n in range(1, 9_999)]
    needed = [Head(f"{kept}/brno", epoch, 7, next(digest)) for kept in ("league", "venue")]
    hello = Hello("door", (*inventions[:5000], *needed, *inventions[5000:]))
    read = envelope.decode(Hello, envelope.encode_hello(hello))
    assert set(needed) < set(read.heads) < set(hello.heads) and len(read.heads) > 3000
    assert inventions[-1] in read.heads and inventions[0] not in read.heads
    fits = Hello("door", (*inventions[:50], *needed), writes=("table/brno-1",))
    assert envelope.decode(Hello, envelope.encode_hello(fits)) == fits


@pytest.mark.parametrize("clock", [-1, 7_258_118_400_000, 1 << 60])
def test_a_clock_that_stands_in_another_century_tells_what_can_be_read(clock: int) -> None:
    pong = Pong("1", envelope.moment(clock), 5)
    assert envelope.decode(Pong, envelope.encode(pong)) == pong
    assert envelope.moment(1_800_000_000_000) == 1_800_000_000_000
