"""The engine: decide → append → fold → tell; the only writer of a stream.

It belongs to one thread. Commands that wait together share one transaction (group commit): each is decided on the
state its predecessors leave, and nobody is told anything before the disk has it all. A commit that fails leaves
states and journal as they were.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar, runtime_checkable

import msgspec

from appliance import record as rec
from appliance.game.refusal import Refusal
from appliance.journal import Journal, JournalError, Line, Transaction
from appliance.record import Epoch, Head, Record

STORAGE = "storage"
"""Refusal: the disk would not have it. Nothing is kept of it; the same id may be tried again."""

EPOCH_MS = 10_000
"""Numbers of dated epochs differ after so long; nine digits last until 2286."""

MOVED_ON = "moved-on"
"""Refusal: the stream has gone on since. Nothing is kept of it; the same id may be tried again."""

T = TypeVar("T")


class Kind(Protocol):
    """How one kind of stream is decided and folded. Pure."""

    def initial(self) -> Any:
        """The state before the first record."""

    def decide(self, state: Any, command: Any, at: int, command_id: str) -> Sequence[tuple[str, bytes]] | Refusal:
        """The events (type, data as JSON) that answer a command, or why not."""

    def fold(self, state: Any, record: Record) -> Any:
        """The state after a record; a type it does not know leaves the state alone."""


@runtime_checkable
class FoldsRuns(Protocol):
    """A kind that folds many records at once faster than one by one, to the same end."""

    def fold_run(self, state: Any, records: Sequence[Record]) -> Any:
        """The state after records."""


class Order(msgspec.Struct, frozen=True, gc=False):
    """A command on its way to a stream. The same ``id`` (a UUID) is carried out once.

    ``actor`` and ``device`` say who gave it and where, ``body`` what was asked, as JSON on one line: they stand in the
    data of the command's first record, so that what is stranded can be decided anew. ``first``: what is carried out
    with it or not at all, unless it was before; why it is refused is why this is. ``revision``: the newest seq of the
    stream that whoever gave it knew: with another one it is refused (`MOVED_ON`).
    """

    id: str
    stream: str
    command: Any
    actor: str = ""
    device: str = ""
    body: bytes = b""
    first: Order | None = None
    revision: int | None = None


class Answer(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What became of an order: its last record, or the refusal. Kept until the round ends."""

    ok: bool
    stream: str
    epoch: str = ""
    seq: int = 0
    code: str = ""
    detail: dict[str, Any] = {}


class Told(msgspec.Struct, frozen=True, gc=False):
    """One order's outcome; ``records`` is empty for refusals and for orders answered before."""

    order: Order
    answer: Answer
    records: Sequence[Record]


Desk: TypeAlias = tuple[Kind, Line]
"""How a stream is decided and folded, and where it is written."""

_answers = msgspec.json.Decoder(Answer)


class Engine:
    """Streams of one journal and the states folded from them, own and copied alike."""

    def __init__(
        self, journal: Journal, kinds: Mapping[str, Kind], now: Callable[[], int], only: Sequence[str] = ()
    ) -> None:
        """``kinds`` by the first part of a stream's name; ``now`` in UTC milliseconds; ``only``: these streams."""
        self.journal = journal
        self.states: dict[str, Any] = {}
        self._kinds = kinds
        self._now = now
        self._folded: dict[str, tuple[str, int]] = {}
        self._answered: dict[str, Answer] = {}
        self._recorded: dict[str, tuple[str, str, int]] = {}  # by command, stream, epoch and seq of its last record
        for stream in only or journal.streams():
            self.catch_up(stream)

    def state(self, stream: str) -> Any:
        """The state of a stream; its kind's initial one if nothing is here."""
        found = self.states.get(stream)
        return self._kind(stream).initial() if found is None else found

    def own_epoch(self, stream: str, why: str, *, dated: bool = False) -> str:
        """The epoch this journal writes in; opens one if the newest is not ours.

        ``dated``: others may hold epochs of it that are not here, and a stream begun anew is later than they are.
        """
        head = self.journal.newest(stream)
        if head is not None and head.epoch.endswith(f"-{self.journal.id}"):
            return head.epoch
        with self.journal.begin() as transaction:
            least = self._now() // EPOCH_MS if dated else self._first_number(stream)
            epoch = transaction.open_epoch(stream, why, self._now(), least=max(1, least)).epoch
            transaction.commit()
        self.catch_up(stream)
        return epoch

    def _first_number(self, stream: str) -> int:
        """Of a round that is begun here: who follows a director of whom it has no copy takes none of its numbers."""
        if not stream.startswith("round/"):
            return 1
        directs = (Epoch.parse(head.epoch).n for head in self.journal.heads() if head.stream.startswith("venue/"))
        return max(directs, default=1)

    def go_on_from(self, head: Head, why: str) -> str:
        """Go on from an older record of our own epoch in the next one: of what comes after it others hold other
        records, and may have shown them. What stands after it here is stranded. Returns the epoch that is written now.
        """
        newest = self.journal.newest(head.stream)
        ours = newest is not None and newest.epoch == head.epoch and head.epoch.endswith(f"-{self.journal.id}")
        if ours and _holds(self.journal, head):
            with self.journal.begin() as transaction:
                transaction.open_epoch(head.stream, why, self._now(), after=head)
                transaction.commit()
            self.catch_up(head.stream)
        return self.own_epoch(head.stream, why)

    def execute(self, orders: Sequence[Order], *, leaves: bool = False) -> list[Told]:
        """Carry out orders in one transaction and tell what became of each, in order.

        ``leaves``: their records are sent on at once, and so are signed already.
        Answers are durable when this returns. If the disk refuses, all are answered ``storage`` and nothing is kept:
        the same ids may be tried again.
        """
        before = self.states
        fresh: dict[str, Answer] = {}
        try:
            streams = {each.stream for order in orders for each in (order, order.first) if each is not None}
            epochs = {stream: self.own_epoch(stream, "begin") for stream in streams}
            before = dict(self.states)
            with self.journal.begin() as transaction:
                desks = {s: (self._kind(s), transaction.line(s, epoch)) for s, epoch in epochs.items()}
                told = [self._execute_one(transaction, order, desks, fresh) for order in orders]
                # else a lone command is signed when its batch leaves: signing costs a third of its commit
                transaction.commit(sign=leaves or len(orders) > 1)
        except JournalError as error:
            self.states = before
            refused = {"where": error.code}
            return [Told(o, Answer(False, o.stream, code=STORAGE, detail=refused), ()) for o in orders]
        self._answered.update(fresh)
        for stream, epoch in epochs.items():
            if head := self.journal.head(stream, epoch):
                self._folded[stream] = (epoch, head.seq)
        return told

    def refuse(self, command_id: str, stream: str, refusal: Refusal) -> None:
        """Keep a refusal that somebody else knew: a command under this id is answered so from now on.

        Raises `JournalError` (``disk``): then nobody will remember it.
        """
        epoch = self.own_epoch(stream, "begin")
        with self.journal.begin() as transaction:
            order = Order(command_id, stream, None)
            answer = self._answer_without_records(transaction, order, refusal, epoch)
            transaction.commit()
        self._answered[command_id] = answer

    def answered(self, command_id: str) -> bool:
        """Whether a command was answered for good, by this program or by one that ran earlier."""
        return self._known(command_id) is not None

    def carried_out(self, stream: str, command_id: str) -> bool:
        """Whether records that count in this stream tell of the command; what was undone since counts, too."""
        answered = self._answered.get(command_id)
        if answered is not None:
            return answered.ok and answered.stream == stream
        return self._recorded.get(command_id, ("",))[0] == stream

    def as_of(self, at: int, act: Callable[[], T]) -> T:
        """Act as if it were ``at`` (UTC ms): for what should have been recorded then."""
        now, self._now = self._now, lambda: at
        try:
            return act()
        finally:
            self._now = now

    def catch_up(self, stream: str) -> list[Record]:
        """Fold what has come into the journal since the last look; from the start if history took another road."""
        done, head = self._folded.get(stream), self.journal.newest(stream)
        if done is not None and head is not None and head.epoch == done[0] and head.seq >= done[1]:
            lines = [(head.epoch, head.seq)]  # its history is folded already
        else:
            lines = history(self.journal, stream)
        if done is not None and not any(epoch == done[0] and done[1] <= last for epoch, last in lines):
            self.states.pop(stream, None)
            self._recorded = {number: at for number, at in self._recorded.items() if at[0] != stream}
            self._answered = {number: told for number, told in self._answered.items() if told.stream != stream}
            done = None
        state, kind, fresh = self.state(stream), self._kind(stream), records(self.journal, stream, lines, done)
        if isinstance(kind, FoldsRuns):
            state = kind.fold_run(state, fresh)
        else:
            for record in fresh:
                state = kind.fold(state, record)
        self._recorded.update({r.cause: (stream, r.epoch, r.seq) for r in fresh if r.cause is not None})
        if fresh:
            self._folded[stream] = (fresh[-1].epoch, fresh[-1].seq)
        self.states[stream] = state
        return fresh

    def _execute_one(
        self, transaction: Transaction, order: Order, desks: Mapping[str, Desk], fresh: dict[str, Answer]
    ) -> Told:
        known = fresh.get(order.id) or self._known(order.id)
        if known is not None:
            return Told(order, known, ())
        kind, line = desks[order.stream]
        if order.revision is not None and order.revision != line.seq:
            return Told(order, Answer(False, order.stream, code=MOVED_ON, detail={"newest": line.seq}), ())
        at = line.not_before(self._now())
        decided = kind.decide(self.states[order.stream], order.command, at, order.id)
        if order.first is not None and not isinstance(decided, Refusal):
            decided = self._go_first(transaction, order.first, desks, fresh) or decided
        written = (
            decided if isinstance(decided, Refusal) else self._write(transaction, order, decided, (kind, line), at)
        )
        answer = self._answer_to(transaction, order, written, line)
        fresh[order.id] = answer
        return Told(order, answer, () if isinstance(written, Refusal) else written)

    def _go_first(
        self, transaction: Transaction, first: Order, desks: Mapping[str, Desk], fresh: dict[str, Answer]
    ) -> Refusal | None:
        """Carry out what goes first, unless it was before; why not. Only that it was is kept under its own id: another
        order may ask for it again.
        """
        known = fresh.get(first.id) or self._known(first.id)
        if known is not None and known.ok:
            return None
        kind, line = desk = desks[first.stream]
        at = line.not_before(self._now())
        decided = kind.decide(self.states[first.stream], first.command, at, first.id)
        written = decided if isinstance(decided, Refusal) else self._write(transaction, first, decided, desk, at)
        if isinstance(written, Refusal):
            return written
        fresh[first.id] = self._answer_to(transaction, first, written, line)
        return None

    def _write(
        self, transaction: Transaction, order: Order, events: Sequence[tuple[str, bytes]], desk: Desk, at: int
    ) -> list[Record] | Refusal:
        """Append what was decided, and fold it; a refusal if no record can hold it."""
        kind, line = desk
        try:
            signed_off = _signed_off(events, order)
            written = transaction.add(line, [(name, msgspec.Raw(data), order.id) for name, data in signed_off], at)
        except rec.RecordError as error:
            return Refusal(error.code, {"reason": error.detail})
        state = self.states[order.stream]
        for record in written:
            state = kind.fold(state, record)
        self.states[order.stream] = state
        return written

    def _answer_to(self, transaction: Transaction, order: Order, written: list[Record] | Refusal, line: Line) -> Answer:
        if isinstance(written, Refusal) or not written:
            return self._answer_without_records(transaction, order, written, line.epoch)
        return Answer(True, order.stream, line.epoch, line.seq)

    def _answer_without_records(self, transaction: Transaction, order: Order, decided: object, epoch: str) -> Answer:
        """A refusal, or the acceptance of what changes nothing: no record tells of it, so the answer itself is kept."""
        if isinstance(decided, Refusal):
            answer = Answer(False, order.stream, code=decided.code, detail=dict(decided.detail))
        else:
            answer = Answer(True, order.stream, epoch)
        transaction.keep_answer(order.id, order.stream, epoch, msgspec.json.encode(answer))
        return answer

    def _known(self, command_id: str) -> Answer | None:
        """What was answered to a command before, by this program or by one that ran earlier."""
        if answered := self._answered.get(command_id):
            return answered
        if recorded := self._recorded.get(command_id):
            return Answer(True, *recorded)
        return self._kept(command_id)

    def _kept(self, command_id: str) -> Answer | None:
        """The answer of a command that left no records; those of others are known from the records they caused."""
        kept = self.journal.answer(command_id)
        try:
            return None if kept is None else _answers.decode(kept)
        except msgspec.DecodeError as error:
            raise JournalError("damaged", f"{self.journal.path}: answer to {command_id}: {error}") from None

    def _kind(self, stream: str) -> Kind:
        return self._kinds[stream.partition("/")[0]]


def _signed_off(events: Sequence[tuple[str, bytes]], order: Order) -> Sequence[tuple[str, bytes]]:
    """The events with who gave which command, and where, in the first one's data: folds ignore what they know not."""
    if not order.actor or not events:
        return events
    (name, data), *others = events
    origin = msgspec.json.encode({"actor": order.actor, "device": order.device})
    if order.body:
        origin = origin[:-1] + b',"command":' + order.body + b"}"
    return [(name, origin[:-1] + (b"," if data != b"{}" else b"") + data[1:]), *others]


def history(journal: Journal, stream: str) -> list[tuple[str, int]]:
    """The chain that counts, oldest first: epochs, each with the last sequence number that is not stranded.

    Raises `JournalError` (``damaged``) where an epoch continues a record that is not here, or another one: nobody
    stores an epoch before what it continues.
    """
    head = journal.newest(stream)
    lines: list[tuple[str, int]] = []
    while head is not None:
        lines.insert(0, (head.epoch, head.seq))
        try:
            first, _ = rec.follow(None, journal.read(stream, head.epoch, 0, 1)[0][0])
            if (first.stream, first.epoch) != (stream, head.epoch):
                raise rec.RecordError("broken-chain", f"{stream} {head.epoch} begins with one of {first.stream}")
            after = rec.epoch_opened(first).after
        except rec.RecordError as error:
            raise _damaged(journal, error) from None
        head = Head(stream, after.epoch, after.seq, after.hash) if after else None
        if head is not None and not _holds(journal, head):
            raise _damaged(journal, f"{stream} {first.epoch} continues {head.epoch} {head.seq}, which is not here")
    return lines


def records(
    journal: Journal, stream: str, lines: Sequence[tuple[str, int]], after: tuple[str, int] | None = None
) -> list[Record]:
    """The records of a `history` after a position (epoch, seq) in it; all of them without one.

    An epoch that is read from its beginning must be a chain: raises `JournalError` (``damaged``).
    """
    found: list[Record] = []
    skipping = after is not None
    for epoch, last in lines:
        start = 0
        if after is not None and epoch == after[0]:
            skipping, start = False, after[1]
        if skipping:
            continue
        raws = journal.read_on(stream, epoch, start)[: last - start]
        try:
            if start:  # checked by who stored it, since this program began
                found += [rec.decode(raw) for raw in raws]
            else:
                found += rec.follow_all(None, raws)[0]
        except rec.RecordError as error:
            raise _damaged(journal, error) from None
    return found


def opener(journal: Journal, stream: str) -> str:
    """The device that opened the newest epoch of a stream, "" if nothing of it is here.

    Whoever stored it has checked that it is signed by that device. Raises `JournalError` (``damaged``).
    """
    head = journal.newest(stream)
    if head is None:
        return ""
    try:
        return rec.epoch_opened(rec.decode(journal.read(stream, head.epoch, 0, 1)[0][0])).by
    except rec.RecordError as error:
        raise _damaged(journal, error) from None


def _holds(journal: Journal, head: Head) -> bool:
    """Whether the journal has the very record that ``head`` names."""
    here = journal.head(head.stream, head.epoch)
    if here is None or here.seq < head.seq or head.seq < 1:
        return False
    return here == head or rec.digest(journal.read(head.stream, head.epoch, head.seq - 1, 1)[0][0]) == head.hash


def _damaged(journal: Journal, what: object) -> JournalError:
    return JournalError("damaged", f"{journal.path}: {what}")
