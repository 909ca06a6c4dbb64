"""One case a promise of the protocol; the schedules nobody thought of are in test_replication_schedules."""

from __future__ import annotations

import msgspec
import pytest
from msgspec import Raw

from appliance.link import envelope
from appliance.link.envelope import Ack, Batch
from appliance.link.replication import (
    Alert,
    BadSignature,
    BrokenChain,
    Forked,
    Gap,
    Outcome,
    PeerAhead,
    Receiver,
    Sender,
    StoreTrouble,
    UnknownWriter,
    Unsigned,
)
from appliance.record import Head
from tests.link.stores import MemoryStore, Writer

STREAM = "round/R1"


class Pair:
    """A sender's and a receiver's store with both machines over them."""

    def __init__(self) -> None:
        self.alerts: list[Alert] = []
        self.here, self.there = MemoryStore(), MemoryStore()
        self.writer = Writer(self.here)
        self.keys = {"d1": self.writer.public}
        self.now = 0.0
        self.restart()

    def restart(self) -> None:
        self.sender = Sender(self.here, self.alerts.append)
        self.receiver = Receiver(self.there, lambda stream, by: self.keys.get(by), self.alerts.append)

    def turn(self) -> int:
        """One exchange without loss; how many batches went."""
        batches = self.sender.poll(self.now)
        for batch in batches:
            taken = self.receiver.take(envelope.decode(Batch, envelope.encode(batch)))
            if taken.ack:
                self.sender.ack(taken.ack, self.now)
        return len(batches)

    def run(self, turns: int = 40) -> None:
        """Exchange until nothing is sent; time passes only when nothing moves."""
        for _ in range(turns):
            if not self.turn():
                if self.sender.due is None:
                    return
                self.now = self.sender.due
        raise AssertionError("it never came to rest")

    def kinds(self) -> list[type[Alert]]:
        return [type(alert) for alert in self.alerts]


@pytest.fixture
def pair() -> Pair:
    return Pair()


def batch_of(store: MemoryStore, first: int, last: int, stream: str = STREAM) -> Batch:
    epoch = store.epochs(stream)[0]
    items = store.read(stream, epoch, first - 1, 1 << 30)[: last - first + 1]
    return Batch(stream, epoch, first, tuple(Raw(raw) for raw, _ in items), items[-1][1] or bytes(64))


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
    assert (taken.outcome, taken.ack) == (Outcome.BEYOND, Ack(STREAM, epoch, 1))
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
    first = pair.writer.open(STREAM)
    pair.writer.write(STREAM, 4)
    pair.run()
    second = pair.writer.open(STREAM)
    pair.writer.write(STREAM, 4)
    items = pair.here.lines[STREAM, second]
    amid = Batch(STREAM, second, 3, tuple(Raw(raw) for raw, _ in items[2:]), items[-1][1] or b"")
    assert pair.receiver.take(amid).ack == Ack(STREAM, first, 5)


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


def test_a_receiver_that_is_ahead_is_an_alert_and_loses_nothing(pair: Pair) -> None:
    epoch = pair.writer.open(STREAM)
    for _ in range(9):
        pair.writer.write(STREAM)
    pair.writer.open("round/R2")
    pair.run()
    tail = pair.here.lines[STREAM, epoch][4:]
    pair.here.cut(STREAM, epoch, 4)
    pair.restart()
    pair.writer.write("round/R2")
    for _ in range(50):
        pair.turn()
        pair.now += 1
    assert pair.alerts == [PeerAhead(STREAM, epoch, 10, "here the epoch ends at 4")]
    assert len(pair.there.lines[STREAM, epoch]) == 10
    assert pair.sender.behind() == [STREAM]
    assert pair.there.raws()["round/R2", epoch] == pair.here.raws()["round/R2", epoch]
    pair.here.lines[STREAM, epoch] += tail  # the tail has been fetched back
    pair.writer.write(STREAM)
    pair.run()
    assert pair.there.raws() == pair.here.raws()


def test_a_receiver_that_is_ahead_by_one_is_noticed(pair: Pair) -> None:
    epoch = pair.writer.open(STREAM)
    pair.run()
    pair.sender.ack(Ack(STREAM, epoch, 2), 0)
    assert pair.kinds() == [PeerAhead]


def test_a_rolled_back_writer_that_goes_on_writing_is_caught(pair: Pair) -> None:
    epoch = pair.writer.open(STREAM)
    for _ in range(9):
        pair.writer.write(STREAM)
    pair.run()
    kept = pair.there.raws()
    pair.here.cut(STREAM, epoch, 4)
    pair.writer.write(STREAM, 7, size=11)
    pair.restart()
    pair.sender.hello(pair.there.heads(), 0)
    pair.turn()
    assert pair.kinds() == [Forked]
    pair.restart()
    for _ in range(5):
        pair.turn()
        pair.now += 3
    assert BrokenChain in pair.kinds()
    assert pair.there.raws() == kept


def test_a_receiver_that_lost_its_tail_gets_it_again_without_a_hello(pair: Pair) -> None:
    epoch = pair.writer.open(STREAM)
    pair.writer.write(STREAM, 9)
    pair.run()
    pair.there.cut(STREAM, epoch, 3)
    pair.writer.write(STREAM)
    pair.run()
    assert pair.there.raws() == pair.here.raws()


@pytest.mark.parametrize(("place", "kind"), [(1, BrokenChain), (3, BrokenChain), (5, BadSignature)])
def test_a_changed_record_stops_its_stream_before_it_and_no_other(pair: Pair, place: int, kind: type[Alert]) -> None:
    epoch = pair.writer.open(STREAM)
    pair.writer.write(STREAM, 5)
    pair.writer.open("round/R2")
    raw, signature = pair.here.lines[STREAM, epoch][place]
    pair.here.lines[STREAM, epoch][place] = (raw.replace(b'"at":18', b'"at":19'), signature)
    pair.sender.hello([], 0)
    for _ in range(5):
        pair.turn()
        pair.now += 3
    assert pair.there.raws() == {
        (STREAM, epoch): pair.here.raws()[STREAM, epoch][:1],
        ("round/R2", epoch): pair.here.raws()["round/R2", epoch],
    }
    assert kind in pair.kinds()


def test_a_stopped_stream_goes_on_when_the_right_bytes_come(pair: Pair) -> None:
    epoch = pair.writer.open(STREAM)
    good = batch_of(pair.here, 1, 1)
    bad = msgspec.structs.replace(good, signature=bytes(64))
    assert pair.receiver.take(bad).outcome is Outcome.REFUSED
    assert pair.receiver.take(bad) == pair.receiver.take(bad)
    assert pair.kinds() == [BadSignature], "told once"
    assert pair.receiver.take(good).ack == Ack(STREAM, epoch, 1)


def test_a_record_of_another_stream_is_no_part_of_this_one(pair: Pair) -> None:
    pair.writer.open("round/R2")
    foreign = batch_of(pair.here, 1, 1, "round/R2")
    taken = pair.receiver.take(msgspec.structs.replace(foreign, stream=STREAM))
    assert taken.outcome is Outcome.REFUSED
    assert pair.kinds() == [BrokenChain]
    assert not pair.there.lines


def test_another_writers_signature_is_none(pair: Pair) -> None:
    pair.writer.open(STREAM)
    pair.keys["d1"] = Writer(MemoryStore(), seed=2).public
    assert pair.receiver.take(batch_of(pair.here, 1, 1)).outcome is Outcome.REFUSED
    assert pair.kinds() == [BadSignature]


def test_an_unknown_writer_waits_until_its_key_is_known(pair: Pair) -> None:
    pair.writer.open(STREAM)
    key = pair.keys.pop("d1")
    pair.turn()
    assert pair.kinds() == [UnknownWriter]
    pair.keys["d1"] = key
    pair.now = 3
    pair.run()
    assert pair.there.raws() == pair.here.raws()


def test_the_right_writer_is_still_asked_for_after_a_restart(pair: Pair) -> None:
    pair.writer.open(STREAM)
    pair.run()
    pair.restart()
    pair.writer.write(STREAM)
    pair.run()
    assert pair.there.raws() == pair.here.raws()


def test_a_full_disk_is_not_acknowledged_and_all_is_stored_when_there_is_room(pair: Pair) -> None:
    pair.writer.open(STREAM)
    pair.there.broken = "no space left on device"
    pair.turn()
    assert pair.kinds() == [StoreTrouble]
    assert not pair.sender.settled
    pair.there.broken = None
    pair.now = 3
    pair.run()
    assert pair.there.raws() == pair.here.raws()


def test_an_epoch_that_begins_the_stream_anew_is_stored_and_told(pair: Pair) -> None:
    pair.writer.open(STREAM)
    pair.run()
    lost = Writer(MemoryStore(), seed=2)
    pair.keys["d1"] = lost.public
    lost.open(STREAM)
    assert pair.receiver.take(batch_of(lost.store, 1, 1)).outcome is Outcome.STORED
    assert pair.kinds() == [Forked]
    assert len(pair.there.epochs(STREAM)) == 2


def test_greeting_tells_the_sender_where_every_stream_is(pair: Pair) -> None:
    epoch = pair.writer.open(STREAM)
    pair.writer.write(STREAM, 4)
    pair.run()
    pair.writer.write(STREAM)
    pair.writer.open("round/R2")
    acks = pair.receiver.greet(pair.here.heads())
    assert acks == [Ack(STREAM, epoch, 5), Ack("round/R2", epoch, 0)]
    pair.restart()
    for ack in acks:
        pair.sender.ack(ack, 0)
    assert sorted((b.stream, b.first) for b in pair.sender.poll(0)) == [(STREAM, 6), ("round/R2", 1)]


def test_greeting_a_sender_with_another_record_alerts(pair: Pair) -> None:
    epoch = pair.writer.open(STREAM)
    pair.run()
    pair.receiver.greet([Head(STREAM, epoch, 1, "0" * 64)])
    assert pair.kinds() == [Forked]


def test_a_stalled_stream_does_not_hold_up_the_others(pair: Pair) -> None:
    for n in range(20):
        pair.writer.open(f"round/X{n}")
    pair.sender.hello([], 0)
    pair.sender.poll(0)  # sixteen batches that nobody answers fill the window
    pair.writer.open(STREAM)
    pair.now = 3.0
    sent = {batch.stream for batch in pair.sender.poll(pair.now)}
    assert STREAM in sent


def test_streams_that_only_ask_do_not_fill_the_window_of_the_others(pair: Pair) -> None:
    for n in range(40):
        pair.writer.open(f"round/X{n}")
    assert len(pair.sender.poll(0)) == 40
    epoch = pair.writer.open(STREAM)
    pair.sender.ack(Ack(STREAM, epoch, 0), 0)
    assert [batch.stream for batch in pair.sender.poll(0)] == [STREAM]
