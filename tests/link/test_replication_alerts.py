"""What a person is told of a copy that cannot go on by itself, and that others do."""

from __future__ import annotations

import msgspec
import pytest

from appliance.link.envelope import Ack
from appliance.link.replication import (
    Alert,
    BadSignature,
    BrokenChain,
    Forked,
    Gap,
    Outcome,
    PeerAhead,
    StoreTrouble,
    UnknownWriter,
    Unsigned,
)
from appliance.record import Head
from appliance.worker import tell
from tests.link.pairs import STREAM, Pair, batch_of
from tests.link.stores import MemoryStore, Writer


@pytest.fixture
def pair() -> Pair:
    return Pair()


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
    assert acks == [Ack(*pair.there.heads()[0]), Ack("round/R2", epoch, 0)]
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


@pytest.mark.parametrize("kind", [Gap, PeerAhead, UnknownWriter])
def test_what_an_evening_has_that_goes_well_is_no_error_in_the_log(
    kind: type[Alert], caplog: pytest.LogCaptureFixture
) -> None:
    tell(kind("round/R1", "5-00000000000000aa", 2, "no key of 'table-1'"))
    (said,) = caplog.records
    assert said.levelname == "WARNING"
    assert said.getMessage() == (
        f"{kind.__name__}: round/R1 5-00000000000000aa 2: no key of 'table-1' "
        "(heals by itself; look into it only if it stays)"
    )


@pytest.mark.parametrize("kind", [BadSignature, BrokenChain, Forked, StoreTrouble, Unsigned])
def test_what_somebody_has_to_see_to_is_an_error_in_the_log(
    kind: type[Alert], caplog: pytest.LogCaptureFixture
) -> None:
    tell(kind("round/R1", "5-00000000000000aa", 2, "what it is"))
    assert [(said.levelname, said.getMessage()) for said in caplog.records] == [
        ("ERROR", f"{kind.__name__}: round/R1 5-00000000000000aa 2: what it is")
    ]
