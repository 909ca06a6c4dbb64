"""What a device signed before it was revoked can still be copied: as far as the league vouches for it, and no more."""

from __future__ import annotations

import pytest

from appliance.link.replication import Receiver, UnknownWriter
from appliance.link.store import Signed
from tests.link.pairs import STREAM, Pair, batch_of
from tests.link.stores import MemoryStore, Writer


@pytest.fixture
def pair() -> Pair:
    """A device wrote ten records, was revoked, and another one went on: a copy that has nothing yet."""
    pair = Pair()
    pair.writer.open(STREAM)
    for _ in range(9):
        pair.writer.write(STREAM)
    heir = Writer(pair.here, "d2", seed=2)
    heir.open(STREAM)
    heir.write(STREAM, 3)
    pair.keys = {"d2": heir.public}
    return pair


def vouched(pair: Pair, seq: int = 10, key: bytes = b"") -> None:
    head = pair.here.head(STREAM, pair.here.epochs(STREAM)[0])
    assert head is not None
    told = {(STREAM, head.epoch): Signed(key or pair.writer.public, seq, head.hash)}
    pair.receiver = Receiver(
        pair.there, lambda stream, by: pair.keys.get(by), pair.alerts.append, lambda *of: told.get(of)
    )


def test_without_the_leagues_word_a_revoked_device_stops_the_stream_for_who_lacks_it(pair: Pair) -> None:
    for _ in range(9):
        pair.turn()
    assert pair.there.raws() == {} and set(pair.kinds()) == {UnknownWriter}


def test_a_new_copy_takes_what_was_signed_before_the_revocation_and_goes_on_with_the_heirs(pair: Pair) -> None:
    vouched(pair)
    pair.run()
    assert pair.there.raws() == pair.here.raws()
    assert not pair.alerts


def test_nothing_beyond_what_the_league_vouches_for_is_taken(pair: Pair) -> None:
    vouched(pair, seq=7)
    assert pair.receiver.take(batch_of(pair.here, 1, 7)).ack is None, "the seventh record has another hash there"
    assert pair.receiver.take(batch_of(pair.here, 1, 6)).ack is not None
    assert pair.receiver.take(batch_of(pair.here, 7, 10)).ack is None
    assert [len(raws) for raws in pair.there.raws().values()] == [6]


def test_another_history_under_the_same_epoch_is_not_taken(pair: Pair) -> None:
    forged, stranger = MemoryStore(), Writer(MemoryStore(), "d1", seed=3)
    thief = Writer(forged)
    thief.open(STREAM)
    thief.write(STREAM, 9, size=11)
    vouched(pair)
    assert pair.receiver.take(batch_of(forged, 1, 10)).ack is None
    vouched(pair, key=stranger.public)
    assert pair.receiver.take(batch_of(pair.here, 1, 10)).ack is None
