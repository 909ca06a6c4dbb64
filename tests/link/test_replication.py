"""One case a promise of the protocol; the schedules nobody thought of are in test_replication_schedules."""

from __future__ import annotations

import pytest
from msgspec import Raw

from appliance.engine import EPOCH_MS
from appliance.link import envelope
from appliance.link.envelope import Ack, Batch
from appliance.link.replication import (
    Alert,
    BrokenChain,
    Forked,
    Gap,
    Outcome,
    Receiver,
    Sender,
    Unsigned,
)
from tests.link.pairs import STREAM, Pair, batch_of
from tests.link.stores import MemoryStore, Writer


@pytest.fixture
def pair() -> Pair:
    return Pair()


def test_all_records_arrive_and_the_sender_knows(pair: Pair) -> None:
    epoch = pair.writer.open(STREAM)
    for n in range(1, 30):
        pair.writer.write(STREAM, n % 4 + 1)
    pair.run()
    assert pair.there.raws() == pair.here.raws()
    assert pair.sender.settled
    assert pair.sender.acknowledged(STREAM, epoch, len(pair.here.lines[STREAM, epoch]))
    assert not pair.alerts


def test_an_unknown_receiver_is_asked_with_one_record_not_with_the_whole_stream(pair: Pair) -> None:
    pair.writer.open(STREAM)
    for _ in range(100):
        pair.writer.write(STREAM)
    assert [(b.first, b.last) for b in pair.sender.poll(0)] == [(101, 101)]


def test_hello_sends_from_where_the_receiver_is(pair: Pair) -> None:
    pair.writer.open(STREAM)
    pair.writer.write(STREAM, 9)
    pair.run()
    pair.writer.write(STREAM, 5)
    pair.restart()
    pair.sender.hello(pair.there.heads(), 0)
    assert [(b.first, b.last) for b in pair.sender.poll(0)] == [(11, 15)]


def test_hello_without_a_stream_means_the_receiver_has_nothing_of_it(pair: Pair) -> None:
    pair.writer.open(STREAM)
    pair.writer.write(STREAM, 3)
    pair.sender.hello([], 0)
    assert [(b.first, b.last) for b in pair.sender.poll(0)] == [(1, 4)]


def test_the_sender_goes_back_after_three_seconds_without_progress_and_probes_small(pair: Pair) -> None:
    pair.writer.open(STREAM)
    pair.sender.hello([], 0.0)
    for _ in range(5):
        pair.writer.write(STREAM, 2)
        pair.sender.poll(1.0)
    assert pair.sender.poll(3.9) == []
    assert pair.sender.due == 4.0
    assert [(b.first, b.last) for b in pair.sender.poll(4.0)] == [(1, 1)]
    assert pair.sender.poll(6.9) == []
    assert [(b.first, b.last) for b in pair.sender.poll(7.0)] == [(1, 1)]


def test_a_lost_ack_is_repaired_by_the_ack_of_a_duplicate(pair: Pair) -> None:
    pair.writer.open(STREAM)
    pair.sender.hello([], 0)
    (batch,) = pair.sender.poll(0)
    assert pair.receiver.take(batch).outcome is Outcome.STORED
    (again,) = pair.sender.poll(3)
    taken = pair.receiver.take(again)
    assert (taken.outcome, taken.records) == (Outcome.DUPLICATE, ())
    assert taken.ack == Ack(STREAM, batch.epoch, 1)


def test_what_is_beyond_is_ignored_and_the_watermark_told(pair: Pair) -> None:
    epoch = pair.writer.open(STREAM)
    pair.writer.write(STREAM, 9)
    pair.receiver.take(batch_of(pair.here, 1, 1))
    taken = pair.receiver.take(batch_of(pair.here, 3, 10))
    assert (taken.outcome, taken.ack) == (Outcome.BEYOND, Ack(*pair.there.heads()[0]))
    assert len(pair.there.lines[STREAM, epoch]) == 1
    assert not pair.alerts, "one lost batch is nothing"
    for _ in range(20):
        pair.receiver.take(batch_of(pair.here, 3, 10))
    assert pair.kinds() == [Gap]


def test_of_an_overlapping_batch_only_the_new_records_are_taken(pair: Pair) -> None:
    epoch = pair.writer.open(STREAM)
    pair.receiver.take(batch_of(pair.here, 1, 1))
    pair.writer.write(STREAM, 3)
    taken = pair.receiver.take(batch_of(pair.here, 1, 4))
    assert list(taken.records) == pair.here.raws()[STREAM, epoch][1:]
    assert taken.ack == Ack(STREAM, epoch, 4)


def test_of_a_batch_that_overlaps_far_only_the_new_records_are_taken(pair: Pair) -> None:
    epoch = pair.writer.open(STREAM)
    pair.writer.write(STREAM, 5)
    pair.receiver.take(batch_of(pair.here, 1, 6))
    pair.writer.write(STREAM, 2)
    taken = pair.receiver.take(batch_of(pair.here, 2, 8))
    assert list(taken.records) == pair.here.raws()[STREAM, epoch][6:]
    assert pair.there.raws() == pair.here.raws()


def test_a_batch_that_overlaps_with_other_records_is_a_fork(pair: Pair) -> None:
    pair.writer.open(STREAM)
    other = Writer(pair.here.copy())
    pair.writer.write(STREAM, 2)
    pair.receiver.take(batch_of(pair.here, 1, 3))
    other.write(STREAM, 4, size=50)
    assert pair.receiver.take(batch_of(other.store, 1, 5)).outcome is Outcome.REFUSED
    assert pair.kinds() == [Forked]


def test_the_window_bounds_what_is_in_flight(pair: Pair) -> None:
    for n in range(10):
        pair.writer.open(f"round/R{n}")
    pair.sender.hello([], 0)
    flying = 0
    for _ in range(20):
        for n in range(10):
            pair.writer.write(f"round/R{n}")
        flying += len(pair.sender.poll(0))
    assert flying == 16
    one = Sender(pair.here, carries=lambda stream: stream == "round/R3")
    one.hello([], 0)
    flying = 0
    for _ in range(20):
        pair.writer.write("round/R3")
        flying += len(one.poll(0))
    assert flying == 4


def test_a_batch_ends_at_a_signed_record_and_fits_a_payload(pair: Pair) -> None:
    pair.writer.open(STREAM)
    for _ in range(40):
        pair.writer.write(STREAM, 3, size=9_000)
    pair.sender.hello([], 0)
    for batch in pair.sender.poll(0):
        assert (batch.last - 1) % 3 == 0
        assert len(envelope.encode(batch)) <= envelope.MAX_PAYLOAD_BYTES
        assert batch.last - batch.first + 1 > 20
    pair.run()
    assert pair.there.raws() == pair.here.raws()


def test_what_came_in_one_batch_can_be_relayed_with_the_writers_signature(pair: Pair) -> None:
    pair.writer.open(STREAM)
    pair.run()
    for _ in range(150):
        pair.writer.write(STREAM, 1, size=3000)
    pair.run()
    third = MemoryStore()
    relay = Sender(pair.there, pair.alerts.append)
    last = Receiver(third, lambda stream, by: pair.keys.get(by), pair.alerts.append)
    relay.hello([], 0)
    for _ in range(20):
        for batch in relay.poll(0):
            if (ack := last.take(batch).ack) is not None:
                relay.ack(ack, 0)
    assert third.raws() == pair.here.raws()
    assert not pair.alerts


def test_more_unsigned_records_than_a_batch_holds_are_told(pair: Pair) -> None:
    epoch = pair.writer.open(STREAM)
    pair.writer.write(STREAM, 60, size=9_000)
    pair.sender.hello([], 0)
    pair.sender.poll(0)
    assert pair.alerts == [Unsigned(STREAM, epoch, 1, pair.alerts[0].detail)]


def test_a_newest_record_that_is_not_signed_yet_waits_and_the_others_go(pair: Pair) -> None:
    epoch = pair.writer.open(STREAM)
    for _ in range(5):
        pair.writer.write(STREAM)
    line = pair.here.lines[STREAM, epoch]
    raw, signature = line[-1]
    line[-1] = (raw, None)
    pair.run()
    assert len(pair.there.lines[STREAM, epoch]) == 5
    assert not pair.sender.settled
    line[-1] = (raw, signature)
    pair.run()
    assert pair.there.raws() == pair.here.raws()
    assert not pair.alerts


def test_what_a_reader_sees_beyond_its_own_heads_is_not_sent_yet(pair: Pair) -> None:
    """A file that another process writes: rows are there before the reader has looked for new heads."""
    pair.writer.open(STREAM)
    stale = pair.here.heads()
    pair.writer.write(STREAM, 3)
    pair.sender.hello([], 0)
    assert [batch.last for batch in pair.sender.poll(0, stale)] == [1]


def test_several_epochs_go_in_chain_order(pair: Pair) -> None:
    for _ in range(3):
        pair.writer.open(STREAM)
        pair.writer.write(STREAM, 4)
    pair.run()
    assert pair.there.raws() == pair.here.raws()
    assert pair.there.epochs(STREAM) == pair.here.epochs(STREAM)


def test_the_next_epoch_waits_until_the_one_before_is_here(pair: Pair) -> None:
    first = pair.writer.open(STREAM)
    pair.writer.write(STREAM, 4)
    second = pair.writer.open(STREAM)
    opening = Batch(STREAM, second, 1, (Raw(pair.here.raws()[STREAM, second][0]),), bytes(64))
    assert pair.receiver.take(opening).ack == Ack(STREAM, first, 0)
    pair.receiver.take(batch_of(pair.here, 1, 1))
    assert pair.receiver.take(opening).ack == Ack(STREAM, first, 1)
    assert (STREAM, second) not in pair.there.lines


def test_a_batch_from_amid_an_unknown_epoch_is_answered_with_the_newest_one_here(pair: Pair) -> None:
    pair.writer.open(STREAM)
    pair.writer.write(STREAM, 4)
    pair.run()
    second = pair.writer.open(STREAM)
    pair.writer.write(STREAM, 4)
    items = pair.here.lines[STREAM, second]
    amid = Batch(STREAM, second, 3, tuple(Raw(raw) for raw, _ in items[2:]), items[-1][1] or b"")
    assert pair.receiver.take(amid).ack == Ack(*pair.there.heads()[0])


def test_an_epoch_that_continues_a_record_we_have_not_is_a_fork(pair: Pair) -> None:
    pair.writer.open(STREAM)
    other = Writer(pair.here.copy())
    pair.writer.write(STREAM, 2)
    pair.run()
    other.write(STREAM, 2, size=50)
    epoch = other.open(STREAM)
    raw, signature = other.store.lines[STREAM, epoch][0]
    taken = pair.receiver.take(Batch(STREAM, epoch, 1, (Raw(raw),), signature or b""))
    assert taken.outcome is Outcome.REFUSED
    assert pair.kinds() == [Forked]
    assert pair.there.epochs(STREAM) == pair.here.epochs(STREAM)


def test_a_stranded_tail_is_kept_and_the_new_epoch_still_links(pair: Pair) -> None:
    pair.writer.open(STREAM)
    pair.writer.write(STREAM, 2)
    fork = pair.here.head(STREAM, pair.here.epochs(STREAM)[0])
    pair.writer.write(STREAM, 5)
    pair.writer.open(STREAM, after=fork)
    pair.writer.write(STREAM, 2)
    pair.run()
    assert pair.there.raws() == pair.here.raws()
    assert not pair.alerts


@pytest.mark.parametrize("linked", [True, False])
def test_an_epoch_that_leaps_to_the_end_of_the_numbers_is_taken_by_nobody(linked: bool) -> None:
    """A stolen device could sign one before it is known to be stolen; after it no director could open another."""
    here, told = MemoryStore(), list[Alert]()
    writer = Writer(MemoryStore())
    receiver = Receiver(here, lambda stream, by: writer.public, told.append)
    writer.open(STREAM)
    assert receiver.take(batch_of(writer.store, 1, 1)).outcome is Outcome.STORED
    thief = writer if linked else Writer(MemoryStore())
    epoch = thief.open(STREAM, n=999_999_999)
    [(raw, signature)] = thief.store.read(STREAM, epoch, 0, 1)
    batch = Batch(STREAM, epoch, 1, (Raw(raw),), signature or b"")
    assert receiver.take(batch).outcome is Outcome.REFUSED
    assert len(here.epochs(STREAM)) == 1 and [type(alert) for alert in told] == [BrokenChain]
    writer.store.lines.pop((STREAM, "999999999-0000000000000001"), None)
    epoch = writer.open(STREAM, n=1000)
    [(raw, signature)] = writer.store.read(STREAM, epoch, 0, 1)
    assert receiver.take(Batch(STREAM, epoch, 1, (Raw(raw),), signature or b"")).outcome is Outcome.STORED


def test_a_table_s_epochs_are_numbered_by_time_and_leave_room_after_them() -> None:
    """A kiosk that lost its disk begins its table's stream anew, in an epoch of that moment (tens of seconds)."""
    table, now = "table/brno-1", 1_800_000_000_000 // EPOCH_MS
    here, writer = MemoryStore(), Writer(MemoryStore())
    receiver = Receiver(here, lambda stream, by: writer.public)
    for n, outcome in ((now, "stored"), (now + 40_000, "stored"), (999_999_999, "refused"), (now + 9**8, "stored")):
        epoch = writer.open(table, n=n)
        [(raw, signature)] = writer.store.read(table, epoch, 0, 1)
        assert receiver.take(Batch(table, epoch, 1, (Raw(raw),), signature or b"")).outcome == outcome
        if outcome == "refused":
            del writer.store.lines[table, epoch]
