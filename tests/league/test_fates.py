"""What became of a venue's records is asked of one place: stored, stranded, put aside, rolled back and healed."""

from __future__ import annotations

from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance.link import envelope, topics
from appliance.link.envelope import Hello
from league.ingest import fates
from league.ingest.models import Quarantine, RolledBack
from league.rounds.models import Venue
from tests.league.scribe import Scribe
from tests.league.test_desk import VENUE, Bench


@pytest.fixture
def bench(imported: dict[str, Any]) -> Bench:
    return Bench()


@pytest.fixture
def stream(director_key: Ed25519PrivateKey) -> Scribe:
    made = Scribe("round/R1", "director", director_key)
    for n in range(39):
        made.write("something-new/7", {"n": n})
    return made


def hello(bench: Bench, *scribes: tuple[Scribe, int]) -> None:
    heads = tuple(scribe.heads[seq - 1] for scribe, seq in scribes)
    bench.raw(topics.up(VENUE, "hello"), envelope.encode(Hello("uplink", heads)))


def test_streams_tell_what_is_stored_stranded_and_still_to_come(bench: Bench, stream: Scribe) -> None:
    second = Scribe("round/R1", "director", stream.key, epoch="2-00000000000000aa", after=stream.heads[29])
    second.write("something-new/7", {"n": 100})
    third = Scribe("venue/zabreh", "director", stream.key)
    bench.batches(stream.batch(), second.batch(1, 1))
    hello(bench, (stream, 40), (second, 2), (third, 1))
    assert fates.streams_of(VENUE) == [
        fates.StreamState(
            "round/R1", (fates.EpochState(stream.epoch, 40, 40, 30), fates.EpochState(second.epoch, 2, 1, 1))
        ),
        fates.StreamState("venue/zabreh", (fates.EpochState(third.epoch, 1, 0, 0),)),
    ]
    round_, venue = fates.streams_of(VENUE)
    assert (round_.stored, round_.stranded, round_.waiting, venue.waiting) == (41, 10, 1, 1)
    assert fates.streams_of("brno") == []


def test_alerts_and_quarantine_are_told_by_venue(bench: Bench, stream: Scribe) -> None:
    Venue.objects.create(id="brno", name="Brno")
    bench.batches(stream.batch(1, 10))
    Quarantine.objects.create(stream="round/R1", epoch=stream.epoch, seq=4, reason="unknown-type")
    Quarantine.objects.create(stream="round/R7", epoch=stream.epoch, seq=4, reason="unknown-type")
    stream.key = Ed25519PrivateKey.generate()
    bench.batches(stream.batch(11))
    bench.raw(topics.up(VENUE, "ev"), b"{")
    bench.raw("ts/1/nobody/up/1/ev", b"{")
    assert {alert.code for alert in fates.open_alerts(VENUE)} == {"bad-signature", "bad-payload"}
    assert {alert.code for alert in fates.open_alerts()} == {"bad-signature", "bad-payload", "bad-topic"}
    assert [(row.stream, row.seq) for row in fates.quarantined(VENUE)] == [("round/R1", 4)]
    assert fates.quarantined("brno").count() == 0 and fates.quarantined().count() == 2
    assert not fates.open_alerts("brno").exists()


def test_a_rolled_back_venue_is_noted_once_until_it_has_its_records_again(bench: Bench, stream: Scribe) -> None:
    bench.batches(stream.batch())
    hello(bench, (stream, 25))
    hello(bench, (stream, 26))
    noted = fates.rollbacks(VENUE).get()
    assert (noted.stream, noted.epoch, noted.named, noted.stored) == ("round/R1", stream.epoch, 25, 40)
    assert noted.healed_at is None
    hello(bench, (stream, 40))
    assert fates.rollbacks(VENUE).get().healed_at is not None
    hello(bench, (stream, 3))
    assert [note.healed_at is None for note in fates.rollbacks()] == [True, False]


def test_a_rolled_back_venue_that_writes_on_is_healed(bench: Bench, stream: Scribe) -> None:
    bench.batches(stream.batch(1, 30))
    hello(bench, (stream, 25))
    bench.batches(stream.batch(31, 40))
    assert RolledBack.objects.get().healed_at is not None


def test_a_venue_with_an_empty_disk_lacks_its_own_stream_and_a_new_one_lacks_nothing(
    bench: Bench, director_key: Ed25519PrivateKey
) -> None:
    hello(bench)
    assert not RolledBack.objects.exists()
    venue = Scribe("venue/zabreh", "director", director_key)
    bench.batches(venue.batch())
    hello(bench)
    assert [(note.stream, note.named, note.stored) for note in fates.rollbacks()] == [("venue/zabreh", 0, 1)]


def test_a_venue_that_is_an_epoch_behind_is_rolled_back_too(bench: Bench, stream: Scribe) -> None:
    second = Scribe("round/R1", "director", stream.key, epoch="2-00000000000000aa", after=stream.heads[-1])
    bench.batches(stream.batch(), second.batch())
    hello(bench, (stream, 40))
    noted = fates.rollbacks().get()
    assert (noted.epoch, noted.named, noted.stored) == (second.epoch, 0, 1)
    hello(bench, (stream, 40), (second, 1))
    assert fates.rollbacks().get().healed_at is not None
