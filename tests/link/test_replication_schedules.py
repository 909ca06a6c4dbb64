"""Any loss, doubling, reordering, tampering and restart ends with equal copies, and acks never promise too much."""

from __future__ import annotations

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from msgspec import Raw

from appliance.link.envelope import Ack, Batch
from appliance.link.replication import Receiver, Sender
from appliance.record import Head
from tests.link.stores import Item, MemoryStore, Writer

STREAMS = st.sampled_from(["round/R1", "venue/brno", "table/brno-1"])
PICK = st.integers(min_value=0, max_value=10_000)


class Schedule(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.here, self.there = MemoryStore(), MemoryStore()
        self.writer = Writer(self.here)
        self.now = 0.0
        self.batches: list[Batch] = []
        self.acks: list[Ack] = []
        self.hellos: list[list[Head]] = []
        self.lost_tail = False
        self.unsigned: list[tuple[list[Item], int, Item]] = []
        self.restart_sender()
        self.restart_receiver()

    # -- the writer ----------------------------------------------------------------------------------------

    @rule(stream=STREAMS, count=st.integers(1, 6))
    def write(self, stream: str, count: int) -> None:
        if not self.here.epochs(stream):
            self.writer.open(stream)
        self.writer.write(stream, count)

    @rule(stream=STREAMS)
    def write_without_signing(self, stream: str) -> None:
        """As an engine does between two batches: the signature is made when one leaves."""
        if self.here.epochs(stream):
            self.writer.write(stream)
            line = self.here.lines[stream, self.here.epochs(stream)[-1]]
            self.unsigned.append((line, len(line) - 1, line[-1]))
            line[-1] = (line[-1][0], None)

    @rule()
    def sign(self) -> None:
        for line, place, item in self.unsigned:
            line[place] = item
        self.unsigned.clear()

    @rule(stream=STREAMS, back=st.integers(0, 3))
    def open_epoch(self, stream: str, back: int) -> None:
        epochs = self.here.epochs(stream)
        after = self.here.head(stream, epochs[-1]) if epochs else None
        if after is not None and back < after.seq:
            shorter = self.here.copy()
            shorter.cut(stream, after.epoch, after.seq - back)
            after = shorter.head(stream, after.epoch)
        self.writer.open(stream, after=after)

    # -- the two sides -------------------------------------------------------------------------------------

    @rule()
    def restart_sender(self) -> None:
        self.sender = Sender(self.here, window=3, total_window=5, batch_bytes=4000)

    @rule()
    def restart_receiver(self) -> None:
        self.receiver = Receiver(self.there, lambda stream, by: self.writer.public)

    @rule(seconds=st.sampled_from([0.0, 0.5, 3.0, 10.0]))
    def poll(self, seconds: float) -> None:
        self.now += seconds
        self.batches += self.sender.poll(self.now)

    @rule()
    def say_hello(self) -> None:
        self.hellos.append(self.there.heads())

    @rule(pick=PICK, lost=st.integers(1, 4))
    @precondition(lambda self: self.there.lines)
    def receiver_loses_its_tail(self, pick: int, lost: int) -> None:
        stream = sorted({stream for stream, _ in self.there.lines})[pick % len({s for s, _ in self.there.lines})]
        epoch = self.there.epochs(stream)[-1]
        self.there.cut(stream, epoch, max(0, len(self.there.lines[stream, epoch]) - lost))
        self.acks = [ack for ack in self.acks if ack.stream != stream]
        self.lost_tail = True

    @rule(broken=st.booleans())
    def disk(self, broken: bool) -> None:
        self.there.broken = "no space left" if broken else None

    # -- the network ---------------------------------------------------------------------------------------

    @rule(pick=PICK, keep=st.booleans())
    @precondition(lambda self: self.batches)
    def deliver_batch(self, pick: int, keep: bool) -> None:
        place = pick % len(self.batches)
        self.take(self.batches[place] if keep else self.batches.pop(place))

    @rule(count=st.integers(1, 8))
    @precondition(lambda self: self.batches)
    def deliver_in_order(self, count: int) -> None:
        for batch in self.batches[:count]:
            self.take(batch)
        del self.batches[:count]

    @rule(pick=PICK, place=PICK, flip=st.integers(1, 255))
    @precondition(lambda self: self.batches)
    def deliver_tampered(self, pick: int, place: int, flip: int) -> None:
        batch = self.batches[pick % len(self.batches)]
        raws = [bytearray(raw) for raw in batch.records]
        raws[place % len(raws)][place % len(raws[place % len(raws)])] ^= flip
        before = self.there.raws()
        self.take(msgspec.structs.replace(batch, records=tuple(Raw(bytes(raw)) for raw in raws)))
        assert self.there.raws() == before or self.is_prefix()

    @rule(pick=PICK, keep=st.booleans())
    @precondition(lambda self: self.acks)
    def deliver_ack(self, pick: int, keep: bool) -> None:
        place = pick % len(self.acks)
        self.sender.ack(self.acks[place] if keep else self.acks.pop(place), self.now)

    @rule(pick=PICK)
    @precondition(lambda self: self.hellos)
    def deliver_hello(self, pick: int) -> None:
        self.sender.hello(self.hellos.pop(pick % len(self.hellos)), self.now)

    @rule()
    def lose_everything_in_flight(self) -> None:
        self.batches, self.acks, self.hellos = [], [], []

    @rule()
    def reconnect(self) -> None:
        self.sender.reset()

    # -- what always holds ---------------------------------------------------------------------------------

    def take(self, batch: Batch) -> None:
        taken = self.receiver.take(batch)
        if taken.ack is not None:
            head = self.there.head(taken.ack.stream, taken.ack.epoch)
            assert taken.ack.upto == (head.seq if head else 0), "an ack is exactly what is stored"
            self.acks.append(taken.ack)

    def is_prefix(self) -> bool:
        ours = self.here.raws()
        return all(ours[line][: len(raws)] == raws for line, raws in self.there.raws().items())

    @invariant()
    def the_copy_is_a_prefix_of_every_line(self) -> None:
        assert self.is_prefix()

    def teardown(self) -> None:
        """From here on the network is kind: it must come to equal copies by itself."""
        self.sign()
        self.there.broken = None
        self.batches, self.acks = [], []
        if self.lost_tail:
            self.sender.hello(self.there.heads(), self.now)
        for _ in range(400):
            for batch in self.sender.poll(self.now):
                self.take(batch)
            for ack in self.acks:
                self.sender.ack(ack, self.now)
            self.acks = []
            if self.sender.settled:
                break
            self.now += 1.0
        assert self.sender.settled
        assert self.there.raws() == self.here.raws()


TestSchedule = Schedule.TestCase
TestSchedule.settings = settings(max_examples=120, stateful_step_count=40, deadline=None)
