"""The sending half of replication: windows, go-back and probing. See `appliance.link.replication`."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from msgspec import Raw

from appliance.link.envelope import MAX_BATCH_RECORDS, MAX_PAYLOAD_BYTES, Ack, Batch
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
    parse_epoch,
    position_of,
    say_nothing,
)
from appliance.record import Head

BATCH_BYTES = MAX_PAYLOAD_BYTES - MAX_BATCH_RECORDS - 1024
"""Records in a batch, together: what is left of a payload beside commas, names and the signature. The same for
every sender, so that what came in one batch can be relayed in one: its signature is at its end only."""

STALL_S = 3.0
HALT_S = 30.0
"""How long a stream rests whose receiver has what we have not; then it is asked again."""

WINDOW = 4
TOTAL_WINDOW = 16


@dataclass(slots=True)
class _Course:
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
    stall only the smallest signed batch goes out every ``stall_s`` seconds, until something moves.
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
    ) -> None:
        self._store = store
        self._alert = Teller(alert)
        self._carries = carries
        self._window = window
        self._total_window = total_window
        self._batch_bytes = batch_bytes
        self._stall_s = stall_s
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
            if self._agrees(stream, head.epoch, head.seq, head.hash):
                course.go_back(position_of(head.epoch, head.seq), now, probing=False)
            else:
                course.halt(now)

    def ack(self, ack: Ack, now: float) -> None:
        """The receiver has stored everything up to there."""
        if not self._carries(ack.stream):
            return
        course = self._courses.get(ack.stream) or self._new_course(now)
        self._courses[ack.stream] = course
        if not self._agrees(ack.stream, ack.epoch, ack.upto, None):
            course.halt(now)
            return
        position = position_of(ack.epoch, ack.upto)
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
        # A reader of another process's file may read on past the heads it knows; an ack of that would surprise it.
        here = head if epoch == head.epoch else self._store.head(head.stream, epoch)
        known = max(0, here.seq - after) if here else 0
        rows = self._store.read(head.stream, epoch, after, self._batch_bytes)[: min(known, MAX_BATCH_RECORDS)]
        signed = [n for n, (_, signature) in enumerate(rows) if signature is not None]
        if not signed:
            if epoch != head.epoch or after + len(rows) < head.seq:
                self._alert(Unsigned(head.stream, epoch, after, f"{len(rows)} records, none of them signed"))
            return None  # at the end of the stream the signature is merely not made yet
        end = signed[0] if smallest else signed[-1]
        raws = tuple(Raw(raw) for raw, _ in rows[: end + 1])
        return Batch(head.stream, epoch, after + 1, raws, rows[end][1] or b"")

    def _agrees(self, stream: str, epoch: str, seq: int, their_hash: str | None) -> bool:
        """Whether what the receiver says it has is something we have too; alerts if not."""
        if seq == 0:
            return True
        here = self._store.head(stream, epoch)
        if here is None:
            if any(parse_epoch(ours) > parse_epoch(epoch) for ours in self._store.epochs(stream)):
                return True  # its epoch is not in our history; it takes the newer one if that links
            self._alert(PeerAhead(stream, epoch, seq, "the receiver has an epoch that is not here"))
            return False
        if seq > here.seq:
            self._alert(PeerAhead(stream, epoch, seq, f"here the epoch ends at {here.seq}"))
            return False
        if their_hash is not None and their_hash != hash_at(self._store, here, seq):
            self._alert(Forked(stream, epoch, seq, "the receiver has another record there"))
            return False
        return True
