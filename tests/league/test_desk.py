"""What the league takes from a venue, and what stops a stream."""

from __future__ import annotations

import random
import zlib
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Raw

from appliance.link import envelope, topics
from appliance.link.envelope import Ack, Batch, Fetch, Hello
from league.ingest.desk import Desk, Incoming, Outgoing
from league.ingest.models import Alert, Contact, RawRecord, StreamHead
from league.ingest.store import VenueStore
from league.rounds.models import Device, Round, Venue
from tests.league.scribe import Scribe

VENUE = "zabreh"


class Bench:
    """A desk with a clock in hand."""

    def __init__(self) -> None:
        self.time = 0.0
        self.desk = Desk(lambda: self.time)

    def batches(self, *batches: Batch, venue: str = VENUE) -> list[Ack]:
        return self.raw(topics.up(venue, "ev"), *map(envelope.encode, batches))

    def raw(self, topic: str, *payloads: bytes, retained: bool = False) -> list[Ack]:
        outcomes = self.desk.receive([Incoming(topic, payload, retained) for payload in payloads])
        return [envelope.decode(Ack, answer.payload) for answer in outcomes.answers]


@pytest.fixture
def bench(imported: dict[str, Any]) -> Bench:
    return Bench()


@pytest.fixture
def stream(director_key: Ed25519PrivateKey) -> Scribe:
    """A round's stream of forty records, whose types this version need not know."""
    made = Scribe("round/R1", "director", director_key)
    for n in range(39):
        made.write("something-new/7", {"n": n})
    return made


def stored() -> list[bytes]:
    return [bytes(row.raw) for row in RawRecord.objects.order_by("seq")]


def open_alerts() -> set[tuple[str, str, str]]:
    return set(Alert.objects.filter(resolved_at__isnull=True).values_list("venue", "stream", "code"))


def test_a_batch_is_stored_byte_for_byte_and_acknowledged(bench: Bench, stream: Scribe) -> None:
    assert bench.batches(stream.batch(1, 25), stream.batch(26, 40)) == [
        Ack("round/R1", stream.epoch, 25),
        Ack("round/R1", stream.epoch, 40),
    ]
    assert stored() == stream.raws
    assert StreamHead.objects.get().hash == stream.heads[-1].hash
    assert RawRecord.objects.get(seq=25).signature is not None


def test_doubled_reordered_and_overlapping_batches_store_every_record_once(bench: Bench, stream: Scribe) -> None:
    chance = random.Random(7)
    cuts = [(first, min(40, first + chance.randint(0, 9))) for first in range(1, 41)] * 3
    chance.shuffle(cuts)
    for first, last in [*cuts, *sorted(cuts)]:
        bench.batches(stream.batch(first, last))
    assert stored() == stream.raws
    assert bench.batches(stream.batch(3, 9)) == [Ack("round/R1", stream.epoch, 40)]


def test_a_signature_of_another_key_stops_that_stream_only(bench: Bench, stream: Scribe) -> None:
    bench.batches(stream.batch(1, 10))
    good_key, stream.key = stream.key, Ed25519PrivateKey.generate()
    assert bench.batches(stream.batch(11, 20)) == []
    assert open_alerts() == {(VENUE, "round/R1", "bad-signature")}
    venue = Scribe("venue/zabreh", "director", good_key)
    assert bench.batches(venue.batch()) == [Ack("venue/zabreh", venue.epoch, 1)]
    stream.key = good_key
    assert bench.batches(stream.batch(11, 20)) == [Ack("round/R1", stream.epoch, 20)]
    assert open_alerts() == set()
    assert RawRecord.objects.filter(stream="round/R1").count() == 20


def test_a_broken_chain_stops_the_stream_before_the_break(bench: Bench, stream: Scribe) -> None:
    bench.batches(stream.batch(1, 10))
    forged = stream.batch(11, 20)
    records = list(forged.records)
    records[4] = Raw(bytes(records[4]).replace(b'"n":13', b'"n":99'))
    assert bench.batches(Batch(forged.stream, forged.epoch, 11, tuple(records), forged.signature)) == []
    assert len(stored()) == 10
    assert open_alerts() == {(VENUE, "round/R1", "broken-chain")}
    bench.batches(stream.batch(11, 40))
    assert stored() == stream.raws
    assert open_alerts() == set()


def test_a_device_nobody_registered_writes_nothing(bench: Bench) -> None:
    stranger = Scribe("round/R1", "stranger", Ed25519PrivateKey.generate())
    assert bench.batches(stranger.batch()) == []
    assert open_alerts() == {(VENUE, "round/R1", "unknown-writer")}
    assert stored() == []


def test_a_revoked_device_writes_nothing_more(bench: Bench, stream: Scribe) -> None:
    from django.utils import timezone

    bench.batches(stream.batch(1, 10))
    Device.objects.update(revoked_at=timezone.now())
    assert bench.batches(stream.batch(11, 20)) == []
    assert len(stored()) == 10


@pytest.mark.parametrize("name", ["league/zabreh", "venue/brno", "table/zabreh-1", "table/brno-1"])
def test_a_director_writes_only_its_own_streams(bench: Bench, director_key: Ed25519PrivateKey, name: str) -> None:
    assert bench.batches(Scribe(name, "director", director_key).batch()) == []
    assert stored() == []


def test_a_round_announced_elsewhere_cannot_be_written_here(bench: Bench, stream: Scribe) -> None:
    key = Ed25519PrivateKey.generate()
    brno = Venue.objects.create(id="brno", name="Brno")
    public = key.public_key().public_bytes_raw().hex()
    Device.objects.create(venue=brno, name="director", role="director", public_key=public)
    assert bench.batches(Scribe("round/R1", "director", key).batch(), venue="brno") == []
    foreign = Scribe("round/R9", "director", key)
    assert len(bench.batches(foreign.batch(), venue="brno")) == 1
    taken_over = Scribe("round/R9", "director", stream.key, epoch="2-00000000000000aa")
    assert bench.batches(taken_over.batch()) == []
    assert set(StreamHead.objects.values_list("venue", "stream")) == {("brno", "round/R9")}


def test_a_new_epoch_continues_where_it_links_and_leaves_the_rest_stranded(bench: Bench, stream: Scribe) -> None:
    bench.batches(stream.batch())
    second = Scribe("round/R1", "director", stream.key, epoch="2-00000000000000aa", after=stream.heads[29])
    second.write("something-new/7", {"n": 100})
    bench.batches(second.batch())
    assert VenueStore(VENUE).history("round/R1") == [(stream.epoch, 30), (second.epoch, 2)]
    assert RawRecord.objects.count() == 42


def test_hello_is_answered_with_what_is_stored(bench: Bench, stream: Scribe) -> None:
    bench.batches(stream.batch(1, 10))
    other = Scribe("venue/zabreh", "director", stream.key)
    hello = Hello("uplink", (stream.heads[-1], other.heads[-1]), software="tableside 0.1")
    assert bench.raw(topics.up(VENUE, "hello"), envelope.encode(hello)) == [
        Ack(*stream.heads[9]),
        Ack("venue/zabreh", other.epoch, 0),
    ]
    contact = Contact.objects.get()
    assert (contact.venue_id, contact.online, contact.software) == (VENUE, True, "tableside 0.1")
    assert contact.backlog() == stream.heads[-1].seq - 10 + other.heads[-1].seq
    bench.batches(stream.batch(11))
    assert Contact.objects.get().backlog() == other.heads[-1].seq


def test_what_a_hello_says_of_other_venues_streams_is_not_kept(bench: Bench, stream: Scribe) -> None:
    others = Scribe("venue/brno", "director", stream.key)
    bench.raw(topics.up(VENUE, "hello"), envelope.encode(Hello("uplink", (others.heads[-1],), software="")))
    assert Contact.objects.get().heads == {}


@pytest.mark.parametrize(
    "payload",
    [
        b"", b"\x00" * 100, b"{}", b'{"stream":', b"[" * 200_000, b"x" * 10_000_000,
        zlib.compress(b"{" + b" " * 50_000_000),
    ],
    ids=["empty", "zeros", "no fields", "cut", "nested", "10 MB", "bomb"],
)  # fmt: skip
def test_garbage_on_every_topic_is_counted_and_dropped(bench: Bench, stream: Scribe, payload: bytes) -> None:
    for leaf in ("ev", "hello", "state", "ack"):
        assert bench.raw(topics.up(VENUE, leaf), payload) == []
    assert bench.desk.counts["bad-payload"] >= 3
    assert (VENUE, "", "bad-payload") in open_alerts()
    assert len(bench.batches(stream.batch())) == 1


def test_foreign_topics_and_venues_are_counted_and_dropped(bench: Bench, stream: Scribe) -> None:
    payload = envelope.encode(stream.batch())
    for topic in ("x" * 300, "ts/1/zabreh/up/99/ev", topics.up("brno", "ev"), "ts/1/Z!/up/1/ev"):
        assert bench.raw(topic, payload) == []
    assert bench.desk.counts == {"bad-topic": 3, "unknown-venue": 1}
    assert {code for _, _, code in open_alerts()} == {"bad-topic", "unknown-venue"}


def test_a_retained_batch_is_a_ghost(bench: Bench, stream: Scribe) -> None:
    assert bench.raw(topics.up(VENUE, "ev"), envelope.encode(stream.batch()), retained=True) == []
    assert bench.desk.counts["ghost"] == 1


def test_nothing_is_acknowledged_when_the_transaction_fails(bench: Bench, stream: Scribe, monkeypatch: Any) -> None:
    from django.db import DatabaseError, transaction

    def full(_rows: object) -> None:
        raise DatabaseError("disk full")

    with monkeypatch.context() as patched:
        patched.setattr("league.ingest.store.insert", full)
        with pytest.raises(DatabaseError), transaction.atomic():
            bench.batches(stream.batch())
    assert stored() == []
    assert len(bench.batches(stream.batch())) == 1
    assert stored() == stream.raws


def fetches(sent: list[Outgoing]) -> list[Fetch]:
    return [envelope.decode(Fetch, out.payload) for out in sent if out.topic == topics.down(VENUE, "fetch")]


def test_hello_hears_of_streams_that_it_does_not_name(bench: Bench, stream: Scribe) -> None:
    bench.batches(stream.batch())
    assert bench.raw(topics.up(VENUE, "hello"), envelope.encode(Hello("uplink", ()))) == [Ack(*stream.heads[-1])]


def test_a_venue_whose_disk_lost_an_epoch_is_told_of_it(bench: Bench, stream: Scribe) -> None:
    second = Scribe("round/R1", "director", stream.key, epoch="2-00000000000000aa", after=stream.heads[-1])
    bench.batches(stream.batch(), second.batch())
    hello = Hello("uplink", (stream.heads[20],))
    told = bench.raw(topics.up(VENUE, "hello"), envelope.encode(hello))
    assert told == [Ack(*stream.heads[-1]), Ack(*second.heads[-1])]


def test_a_fetch_is_answered_with_signed_batches_of_that_venue_only(bench: Bench, stream: Scribe) -> None:
    bench.batches(stream.batch(1, 25), stream.batch(26, 40))

    def ask(fetch: Fetch, venue: str = VENUE) -> list[Batch]:
        bench.time += 2
        outcomes = bench.desk.receive([Incoming(topics.up(venue, "fetch"), envelope.encode(fetch))])
        assert {(out.topic, out.qos) for out in outcomes.answers} <= {(topics.down(venue, "ev"), 1)}
        return [envelope.decode(Batch, out.payload) for out in outcomes.answers]

    [batch] = ask(Fetch("round/R1", stream.epoch, 7))
    assert (batch.first, batch.last, batch.signature) == (8, 40, stream.batch().signature)
    assert ask(Fetch("round/R1", stream.epoch, 40)) == ask(Fetch("round/R1", "7-00c0ffee00c0ffee", 0)) == []
    Venue.objects.create(id="brno", name="Brno")
    assert ask(Fetch("round/R1", stream.epoch, 7), "brno") == []


def test_stranded_records_are_fetched_and_do_not_count(bench: Bench, stream: Scribe) -> None:
    second = Scribe("round/R1", "director", stream.key, epoch="2-00000000000000aa", after=stream.heads[29])
    bench.batches(stream.batch(1, 30), second.batch())
    hello = Hello("uplink", (stream.heads[-1], second.heads[-1]))
    bench.raw(topics.up(VENUE, "hello"), envelope.encode(hello))
    assert fetches(bench.desk.send()) == [Fetch("round/R1", stream.epoch, 30)]
    bench.batches(stream.batch(31, 40))
    assert VenueStore(VENUE).history("round/R1") == [(stream.epoch, 30), (second.epoch, 1)]
    assert RawRecord.objects.count() == 41
    bench.time += 10
    assert fetches(bench.desk.send()) == []


def test_the_leagues_own_tail_is_fetched_from_who_holds_it(bench: Bench) -> None:
    from league.ingest.outbox import Draft, Pen

    pen = Pen(Ed25519PrivateKey.generate(), lambda: 1_800_000_000_000)
    head = pen.append(VENUE, [Draft("notice/1", msgspec.Raw(b'{"text_cs":"a","text_en":"b"}'))] * 3)
    assert head is not None
    hello = Hello("uplink", (head._replace(seq=9, hash="ab" * 32),))
    bench.raw(topics.up(VENUE, "hello"), envelope.encode(hello))
    assert fetches(bench.desk.send()) == [Fetch(head.stream, head.epoch, 4)]
    for _ in range(10):
        bench.time += 4
        bench.desk.send()
    assert (VENUE, head.stream, "peer-ahead") in open_alerts()


def test_what_the_league_says_goes_down_until_it_is_acknowledged(bench: Bench) -> None:
    from league.ingest.outbox import Draft, Pen

    key = Ed25519PrivateKey.generate()
    pen = Pen(key, lambda: 1_800_000_000_000)
    pen.append(VENUE, [Draft("notice/1", msgspec.Raw(b'{"text_cs":"a","text_en":"b"}'))] * 200)
    bench.raw(topics.up(VENUE, "hello"), envelope.encode(Hello("uplink", ())))

    def down(sent: list[Outgoing]) -> list[tuple[int, int]]:
        assert {(out.topic, out.qos) for out in sent} <= {(topics.down(VENUE, "ev"), 1)}
        decoded = [envelope.decode(Batch, out.payload) for out in sent]
        return [(batch.first, batch.last) for batch in decoded]

    assert down(bench.desk.send()) == [(1, 201)]
    assert bench.desk.send() == []
    bench.time += 3.5
    assert down(bench.desk.send())[0][0] == 1
    epoch = StreamHead.objects.get(stream="league/zabreh").epoch
    bench.raw(topics.up(VENUE, "ack"), envelope.encode(Ack("league/zabreh", epoch, 201)))
    bench.time += 3.5
    assert bench.desk.send() == []
    pen.append(VENUE, [Draft("notice/1", msgspec.Raw(b'{"text_cs":"c","text_en":"d"}'))])
    assert down(bench.desk.send()) == [(202, 202)]


def test_round_of_the_season_is_known_by_its_stream(imported: dict[str, Any]) -> None:
    assert Round.objects.get().stream == "round/R1"


def test_a_gap_is_answered_with_what_is_stored_and_alarms_nobody(bench: Bench, stream: Scribe) -> None:
    bench.batches(stream.batch(1, 10))
    for _ in range(20):
        assert bench.batches(stream.batch(21, 30)) == [Ack(*stream.heads[9])]
    assert len(stored()) == 10
    assert open_alerts() == set()
    bench.batches(stream.batch(11, 20), stream.batch(21, 30))
    assert stored() == stream.raws[:30]


def test_what_another_process_has_stored_meanwhile_is_not_stored_again(bench: Bench, stream: Scribe) -> None:
    other = Bench()
    bench.batches(stream.batch(1, 10))
    other.batches(stream.batch(1, 20))
    assert bench.batches(stream.batch(11, 20)) == [Ack("round/R1", stream.epoch, 20)]
    other.batches(stream.batch(21, 30))
    assert bench.batches(stream.batch(15, 35), stream.batch(36, 40)) == [
        Ack("round/R1", stream.epoch, 35),
        Ack("round/R1", stream.epoch, 40),
    ]
    assert other.batches(stream.batch(31, 33)) == [Ack("round/R1", stream.epoch, 40)]
    assert stored() == stream.raws
    assert open_alerts() == set()


def test_a_stream_goes_on_and_its_alert_is_over_within_one_group(bench: Bench, stream: Scribe) -> None:
    forged = stream.batch(1, 10)
    bench.batches(Batch(forged.stream, forged.epoch, 1, forged.records, bytes(64)), stream.batch(1, 10))
    assert open_alerts() == set()
    bench.batches(stream.batch(11, 20), Batch(forged.stream, forged.epoch, 21, stream.batch(21).records, bytes(64)))
    assert open_alerts() == {(VENUE, "round/R1", "bad-signature")}
