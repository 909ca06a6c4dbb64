"""The sending half of replication: windows, go-back and probing. See `appliance.link.replication`."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct, field

from appliance.link.batches import BATCH_BYTES, cut
from appliance.link.envelope import MAX_BATCH_RECORDS, Ack, Batch
from appliance.link.store import (
    START,
    Alert,
    Forked,
    PeerAhead,
    Position,
    Store,
    Teller,
    Unsigned,
    hash_at,
    position_of,
    say_nothing,
)
from appliance.record import Head, parse_epoch

STALL_S = 3.0
HALT_S = 30.0
"""How long a stream rests whose receiver has what we have not; then it is asked again."""

WINDOW = 4
TOTAL_WINDOW = 16


class _Course(Struct):
    """How far one stream has got with one receiver."""

    moved: float
    heard: Position | None = None  # what the receiver last said, even if that was less than before
    acked: Position = START
    sent: Position = START
    flying: deque[Position] = field(default_factory=deque)  # ends of the batches not yet acknowledged
    probing: bool = False
    halted: bool = False

    @property
    def asking(self) -> bool:
        """Whether one batch is out only to hear where the receiver is."""
        return self.probing or self.heard is None

    def go_back(self, to: Position | None, now: float, *, probing: bool) -> None:
        self.heard = to
        self.acked = self.sent = to or START
        self.flying.clear()
        self.moved = now
        self.probing = probing
        self.halted = False

    def halt(self, now: float) -> None:
        self.go_back(None, now, probing=False)
        self.halted = True


class Sender:
    """Sends the streams of a store that ``carries`` admits to one receiver, whose word is acks and hellos.

    Until a stream's receiver has said where it is, only the newest record is sent: the answer tells. After a
    stall only the smallest signed batch goes out every ``stall_s`` seconds, until something moves. A stream whose
    receiver has what is not here rests until `resume`, with an alert unless ``mends`` sees to it.
    """

    def __init__(
        self,
        store: Store,
        alert: Callable[[Alert], None] = say_nothing,
        *,
        carries: Callable[[str], bool] = lambda stream: True,
        window: int = WINDOW,
        total_window: int = TOTAL_WINDOW,
        batch_bytes: int = BATCH_BYTES,
        stall_s: float = STALL_S,
        mends: Callable[[PeerAhead | Forked], bool] = lambda alert: False,
    ) -> None:
        self._store = store
        self._alert = Teller(alert)
        self._carries = carries
        self._window = window
        self._total_window = total_window
        self._batch_bytes = batch_bytes
        self._stall_s = stall_s
        self._mends = mends
        self._courses: dict[str, _Course] = {}
        self._greeted = False

    def hello(self, heads: Iterable[Head], now: float) -> None:
        """The receiver has exactly these heads; of a stream not named it has nothing."""
        told: dict[str, Head] = {}
        for head in heads:
            if self._carries(head.stream):
                other = told.get(head.stream)
                if other is None or parse_epoch(head.epoch) > parse_epoch(other.epoch):
                    told[head.stream] = head
        self._greeted = True
        self._courses = {stream: self._new_course(now) for stream in self._courses.keys() - told.keys()}
        for stream, head in told.items():
            course = self._courses[stream] = self._new_course(now)
            position = self._place_of(stream, head.epoch, head.seq, head.hash)
            if position is None:
                course.halt(now)
            else:
                course.go_back(position, now, probing=False)

    def ack(self, ack: Ack, now: float) -> None:
        """The receiver has stored everything up to there."""
        if not self._carries(ack.stream):
            return
        course = self._courses.get(ack.stream) or self._new_course(now)
        self._courses[ack.stream] = course
        position = self._place_of(ack.stream, ack.epoch, ack.upto, ack.hash)
        if position is None:
            course.halt(now)
            return
        if course.heard is None or course.halted:
            course.go_back(position, now, probing=False)
            return
        course.heard = position
        if position > course.acked:
            course.acked = position
            course.sent = max(course.sent, position)
            course.moved = now
            course.probing = False
            while course.flying and course.flying[0] <= position:
                course.flying.popleft()

    def resume(self, stream: str, now: float) -> None:
        """What was missing here has come: where the receiver of that stream is can be heard again."""
        course = self._courses.get(stream)
        if course is not None and course.halted:
            course.go_back(None, now, probing=False)

    def reset(self) -> None:
        """The connection is gone: nothing is in flight, and where the receiver is must be heard again."""
        self._courses.clear()
        self._greeted = False

    def poll(self, now: float, heads: Sequence[Head] | None = None) -> list[Batch]:
        """The batches to send now. ``heads``: the store's, from who has just asked for them."""
        heads = [head for head in (self._store.heads() if heads is None else heads) if self._carries(head.stream)]
        for head in heads:
            course = self._courses.get(head.stream)
            if course is None:
                self._courses[head.stream] = self._new_course(now)
            elif (due := self._due(course)) is not None and now >= due:
                course.go_back(course.heard, now, probing=True)
        batches: list[Batch] = []
        eager = heads
        while eager:  # one batch a stream and turn, so that a long one does not hold up the others
            again = []
            for head in eager:
                batch = self._next(head, self._courses[head.stream], now)
                if batch is not None:
                    batches.append(batch)
                    again.append(head)
            eager = again
        return batches

    @property
    def due(self) -> float | None:
        """When `poll` wants to be called even if nothing happens."""
        return min((due for course in self._courses.values() if (due := self._due(course)) is not None), default=None)

    @property
    def settled(self) -> bool:
        """Whether the receiver has acknowledged everything held now."""
        return not self.behind()

    def waiting(self) -> int:
        """How many records of the newest epochs the receiver has not acknowledged."""
        return sum(self._waiting(head) for head in self._store.heads() if self._carries(head.stream))

    def behind(self) -> list[str]:
        """The streams whose newest record the receiver has not acknowledged."""
        return [
            head.stream
            for head in self._store.heads()
            if self._carries(head.stream) and not self.acknowledged(head.stream, head.epoch, head.seq)
        ]

    def acknowledged(self, stream: str, epoch: str, seq: int) -> bool:
        """Whether the receiver has said that it stored that record."""
        course = self._courses.get(stream)
        return course is not None and course.heard is not None and course.acked >= position_of(epoch, seq)

    # -- inside ------------------------------------------------------------------------------------------

    def _waiting(self, head: Head) -> int:
        course = self._courses.get(head.stream)
        if course is None or course.heard is None:
            return head.seq
        place = position_of(head.epoch, head.seq)
        if course.acked.epoch > place.epoch:
            return 0
        return max(0, place.seq - (course.acked.seq if course.acked.epoch == place.epoch else 0))

    def _due(self, course: _Course) -> float | None:
        if course.halted:
            return course.moved + HALT_S
        return course.moved + self._stall_s if course.flying else None

    def _new_course(self, now: float) -> _Course:
        course = _Course(moved=now)
        if self._greeted:
            course.heard = START
        return course

    def _next(self, head: Head, course: _Course, now: float) -> Batch | None:
        if course.heard is None:
            if course.halted or course.flying:
                return None
            # A newest record that its writer has not signed yet cannot ask; the epoch's first one can.
            batch = self._cut(head, head.epoch, head.seq - 1) or self._cut(head, head.epoch, 0, smallest=True)
        else:
            place = self._place_after(head, course.sent)
            if place is None or len(course.flying) >= self._room(course):
                return None
            batch = self._cut(head, *place, smallest=course.probing)
        if batch is None:
            return None
        if not course.flying:
            course.moved = now
        course.sent = position_of(batch.epoch, batch.last)
        course.flying.append(course.sent)
        return batch

    def _room(self, course: _Course) -> int:
        """How many batches may be in flight. A stalled stream has one, beside what the others share."""
        if course.probing:
            return 1
        out = sum(len(other.flying) for other in self._courses.values() if not other.asking)
        return self._window if out < self._total_window else 0

    def _place_after(self, head: Head, sent: Position) -> tuple[str, int] | None:
        """The epoch and seq after which the next record stands, None if all has been sent."""
        if sent == position_of(head.epoch, head.seq):
            return None
        for epoch in self._store.epochs(head.stream):
            parsed = parse_epoch(epoch)
            if parsed > sent.epoch:
                return epoch, 0
            here = self._store.head(head.stream, epoch) if parsed == sent.epoch else None
            if here is not None and here.seq > sent.seq:
                return epoch, sent.seq
        return None

    def _cut(self, head: Head, epoch: str, after: int, *, smallest: bool = False) -> Batch | None:
        here = head if epoch == head.epoch else self._store.head(head.stream, epoch)
        upto = here.seq if here else 0
        batch = cut(self._store, head.stream, epoch, after, upto, most=self._batch_bytes, smallest=smallest)
        if batch is None:
            fitting = min(MAX_BATCH_RECORDS, len(self._store.read(head.stream, epoch, after, self._batch_bytes)))
            if epoch != head.epoch or after + fitting < upto:
                self._alert(Unsigned(head.stream, epoch, after, f"{fitting} records, none of them signed"))
        return batch  # at the end of the stream the signature is merely not made yet

    def _place_of(self, stream: str, epoch: str, seq: int, their_hash: str) -> Position | None:
        """Where a receiver is that says it has this record; None if we have not what it has, with an alert.

        Of an epoch that is not our newest it may have more than we, or other records: what is beyond the fork is
        stranded there, and it takes the newer epoch if that links.
        """
        here = self._store.head(stream, epoch)
        past = any(parse_epoch(ours) > parse_epoch(epoch) for ours in self._store.epochs(stream))
        if seq == 0 or (past and (here is None or seq > here.seq)):
            return position_of(epoch, seq)
        trouble: PeerAhead | Forked
        if here is None:
            trouble = PeerAhead(stream, epoch, seq, "the receiver has an epoch that is not here")
        elif seq > here.seq:
            trouble = PeerAhead(stream, epoch, seq, f"here the epoch ends at {here.seq}")
        elif their_hash and their_hash != hash_at(self._store, here, seq):
            if past:
                return position_of(epoch, here.seq)
            trouble = Forked(stream, epoch, seq, "the receiver has another record there")
        else:
            return position_of(epoch, seq)
        if not self._mends(trouble):
            self._alert(trouble)
        return None
