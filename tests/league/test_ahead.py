"""What was found out of batches ahead is never more than what their bytes and signatures say by themselves."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance.link import envelope, topics
from appliance.link.envelope import Ack, BadPayload, Batch
from appliance.link.receiver import check_signature
from appliance.record import Head
from league.ingest import ahead
from league.ingest.ahead import Ahead
from league.ingest.desk import Desk, Incoming
from league.ingest.models import RawRecord
from league.rounds.models import Device
from tests.league.scribe import Scribe
from tests.league.test_desk import VENUE, open_alerts

TOPIC = topics.up(VENUE, "ev")


class Counted:
    """How often a signature was really checked."""

    def __init__(self) -> None:
        self.checked: list[Head] = []

    def __call__(self, key: bytes, head: Head, signature: bytes) -> bool:
        self.checked.append(head)
        return check_signature(key, head, signature)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    made = Counted()
    monkeypatch.setattr(ahead, "check_signature", made)
    return made


@pytest.fixture
def stream(director_key: Ed25519PrivateKey) -> Scribe:
    made = Scribe("round/R1", "director", director_key)
    for n in range(39):
        made.write("something-new/7", {"n": n})
    return made


def comes(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.01)


def message(batch: Batch) -> Incoming:
    return Incoming(TOPIC, envelope.encode(batch))


def take(desk: Desk, *batches: Batch) -> list[Ack]:
    answers = desk.receive([message(batch) for batch in batches]).answers
    return [envelope.decode(Ack, answer.payload) for answer in answers]


class Pair:
    """A desk that is told, while it writes a group, which one comes next."""

    def __init__(self, counted: Counted) -> None:
        self.next: list[Incoming] = []
        self.desk = Desk(lambda: 0.0, next_group=lambda: self.next)
        self._counted = counted

    def take(self, batch: Batch, then: Batch) -> list[Ack]:
        """Take one while the other is looked at, and wait until that is done."""
        self.next = [message(then)]
        before = len(self._counted.checked)
        acks = take(self.desk, batch)
        self.next = []
        comes(lambda: len(self._counted.checked) == before + 2)
        return acks


@pytest.fixture
def pair(imported: dict[str, Any], counted: Counted) -> Pair:
    return Pair(counted)


def test_a_signature_that_was_checked_ahead_is_not_checked_again(pair: Pair, counted: Counted, stream: Scribe) -> None:
    assert [ack.upto for ack in pair.take(stream.batch(1, 10), stream.batch(11, 20))] == [10]
    assert [ack.upto for ack in take(pair.desk, stream.batch(11, 20))] == [20]
    assert [head.seq for head in counted.checked] == [10, 20]
    assert RawRecord.objects.count() == 20


def test_a_wrong_signature_is_refused_though_it_was_looked_at_ahead(pair: Pair, stream: Scribe) -> None:
    first, own = stream.batch(1, 10), stream.key
    stream.key = Ed25519PrivateKey.generate()
    forged = stream.batch(11, 20)
    stream.key = own
    pair.take(first, forged)
    assert take(pair.desk, forged) == []
    assert {code for _, _, code in open_alerts()} == {"bad-signature"}
    assert [ack.upto for ack in take(pair.desk, stream.batch(11, 20))] == [20]


def test_who_is_revoked_between_the_look_and_the_storing_is_not_taken(pair: Pair, stream: Scribe) -> None:
    pair.take(stream.batch(1, 10), stream.batch(11, 20))
    Device.objects.filter(name="director").update(revoked_at="2026-01-01T00:00:00Z")
    assert take(pair.desk, stream.batch(11, 20)) == []
    assert RawRecord.objects.count() == 10
    assert {code for _, _, code in open_alerts()} == {"revoked-writer"}


def test_what_is_no_batch_is_told_when_it_is_taken(counted: Counted) -> None:
    looking = Ahead()
    looking.look_at([(TOPIC, b"{"), (topics.up(VENUE, "hello"), b"{}")])
    with pytest.raises(BadPayload, match="bad-json"):
        looking.batch(b"{")
    assert counted.checked == []


def test_nothing_is_kept_of_more_bytes_than_fit(counted: Counted, stream: Scribe) -> None:
    looking = Ahead()
    key = stream.key.public_key().public_bytes_raw()
    first, second = stream.batch(1, 10), stream.batch(11, 20)
    assert looking.check(key, stream.heads[9], first.signature)
    large = b"x" * ahead.MOST_BYTES
    looking.look_at([(TOPIC, envelope.encode(first)), (TOPIC, large), (TOPIC, envelope.encode(second))])
    comes(lambda: len(counted.checked) == 2)
    assert looking.check(key, stream.heads[9], first.signature)
    assert len(counted.checked) == 2
    assert looking.check(key, stream.heads[19], second.signature)
    assert len(counted.checked) == 3
