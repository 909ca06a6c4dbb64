"""Fetching what others have and we lack, and answering who fetches: two pure state machines, no I/O and no clock.

Whoever hears of a record that it lacks, in a hello or an acknowledgement, asks for it (DESIGN §5): a later epoch, one
that is not known, the tail that a rolled-back disk has lost, and what stranded in an older one. What is said of heads
is a hint and no more: records are believed by chain and signature, as ever, and who names what it cannot give is asked
a few times and then left alone for a while.

    fetcher = Fetcher(store, receiver, tell)        answerer = Answerer(store)
    fetcher.heard(device, hello.heads, now)         for batch in answerer.answer(device, fetch, now): send(batch)
    for device, fetch in fetcher.poll(now): send(fetch)
    if fetcher.expects(device, batch.stream):
        taken = receiver.take(batch)
        fetcher.took(device, batch, taken, now)     # then poll again: the next piece
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct, field

from appliance import record
from appliance.link.batches import BATCH_BYTES, cut
from appliance.link.envelope import Batch, Fetch
from appliance.link.receiver import Outcome, Receiver, Taken
from appliance.link.store import Alert, Forked, PeerAhead, Store, hash_at
from appliance.record import Head, RecordError, parse_epoch

ANSWER_BATCHES = 4
"""So many batches answer a fetch; then it is asked again from where it is."""

STALL_S = 3.0
TRIES = 4
"""A fetch that led to nothing is asked again after the one and given up after the other."""

ELSE_S = 0.75
"""Who has not answered by then is passed over for now, if another peer has more of that stream, too."""

HOPE_AGAIN_S = 600.0
"""Whose word of our own records came to nothing is not waited for again so soon: commands wait meanwhile."""

REST_S = 30.0
"""How long who could not give what it named is not asked for it again, whatever it says."""

MAX_STREAMS = 1000
MAX_EPOCHS = 64
"""So many streams of a peer, and epochs of each, are kept in mind: a hello may name anybody's inventions."""

OPEN_FETCHES = 16
ANSWERS_A_SECOND = 32

Goal = tuple[str, int]
"""An epoch, and the record of it that is wanted."""


class _Want(Struct):
    """What one peer has of one stream and we lack."""

    targets: list[Head]
    links: list[Goal] = field(default_factory=list)  # what an epoch continues and is not here: comes before it
    alert: Alert | None = None
    asked_at: float | None = None
    left: int = 0  # batches still expected of the answer
    tries: int = 0
    hope_until: float = 0.0  # so long it is worth to wait for records of our own
    back: int | None = None  # looking for where a fork is: ask after this, whatever is here
    agreed: int | None = None  # the last record before the fork that was found
    others: list[bytes] = field(default_factory=list)  # what the peer has after it

    def progress(self, now: float) -> None:
        """Something new was stored."""
        self.tries = 0
        if self.hope_until:
            self.hope_until = now + STALL_S
        self.back = None
        self.left -= 1
        if self.left <= 0:
            self.asked_at = None


class Fetcher:
    """Asks for what is lacking: one fetch a stream at a time, of who has most of it.

    ``admits``: heads that may be fetched; ``most``: from so many streams of a peer at once. ``writes(stream, epoch)``:
    whether that is written here; of these a peer may have other records than we (a rolled-back disk that was written
    on), and ``forked`` hears the last one that both have, and what the peer has after it: the stream must go on from
    there in a new epoch. ``caught_up`` hears of a peer that has nothing more for us.
    """

    def __init__(
        self,
        store: Store,
        receiver: Receiver,
        alert: Callable[[Alert], None],
        *,
        admits: Callable[[Head], bool] = lambda head: True,
        writes: Callable[[str, str], bool] = lambda stream, epoch: False,
        forked: Callable[[Head, Sequence[bytes]], None] = lambda head, others: None,
        caught_up: Callable[[str], None] = lambda peer: None,
        most: int = MAX_STREAMS,
    ) -> None:
        self._store = store
        self._receiver = receiver
        self._alert = alert
        self._admits = admits
        self._writes = writes
        self._forked = forked
        self._caught_up = caught_up
        self._most = most
        self._wants: dict[str, dict[str, _Want]] = {}
        self._resting: dict[tuple[str, Head], float] = {}
        self._hoped: dict[str, float] = {}  # since when each peer's word of our own records has led to nothing

    def heard(self, peer: str, heads: Iterable[Head], now: float) -> None:
        """The peer says that it has these. What it said before does not count any more."""
        before = self._wants.get(peer, {})
        wants = self._wants[peer] = {}
        for head in heads:
            self._want(wants, peer, head, now)
        for stream in wants.keys() & before.keys():  # a hello gives nothing: others come first
            tries = before[stream].tries + (before[stream].asked_at is not None)
            wants[stream].tries = min(tries, TRIES - 1)
        if not wants:
            del self._wants[peer]
            self._caught_up(peer)

    def mends(self, peer: str, alert: PeerAhead | Forked, now: float) -> bool:
        """Look into what a sender would alert of: the peer has what is not here. False if that leads nowhere."""
        wants = self._wants.setdefault(peer, {})
        head = Head(alert.stream, alert.epoch, alert.seq, "")
        if isinstance(alert, Forked):
            if not self._writes(alert.stream, alert.epoch) or self._rests(peer, head, now):
                return False
            want = wants.setdefault(alert.stream, _Want([head]))
            want.back = want.back if want.back is not None else max(0, alert.seq - 1)
        else:
            want_ = self._want(wants, peer, head, now)
            if want_ is None:
                return False
            want = want_
        want.alert = alert
        return True

    def expects(self, peer: str, stream: str) -> bool:
        """Whether a batch of this stream from this peer answers a fetch."""
        want = self._wants.get(peer, {}).get(stream)
        return want is not None and want.asked_at is not None

    def took(self, peer: str, batch: Batch, taken: Taken, now: float) -> None:
        """The receiver has dealt with an answer."""
        want = self._wants.get(peer, {}).get(batch.stream)
        if want is None or want.asked_at is None:
            return
        if taken.outcome is Outcome.STORED:
            want.asked_at = now
            want.progress(now)
            if self._writes(batch.stream, batch.epoch):
                self._hoped.pop(peer, None)
            if (self._goal(batch.stream, want) or ("",))[0] != batch.epoch:
                want.asked_at = None
        elif taken.outcome is Outcome.BEYOND:
            self._go_deeper(want, batch)
        elif want.back is not None or taken.outcome is Outcome.REFUSED:
            self._refused(peer, want, batch, now)

    def poll(self, now: float) -> list[tuple[str, Fetch]]:
        """What to ask now, and whom."""
        self._tidy(now)
        busy = {stream for _, stream, want in self._all() if want.asked_at is not None}
        fetches: list[tuple[str, Fetch]] = []
        for peer, stream, want in sorted(self._all(), key=self._eagerness):
            if stream in busy or len(busy) >= OPEN_FETCHES:
                continue
            epoch, _ = self._goal(stream, want) or ("", 0)
            here = self._store.head(stream, epoch)
            after = want.back if want.back is not None else here.seq if here else 0
            want.asked_at, want.left = now, ANSWER_BATCHES
            busy.add(stream)
            fetches.append((peer, Fetch(stream, epoch, after)))
        return fetches

    def gone(self, peer: str) -> None:
        """The peer is not there any more."""
        self._wants.pop(peer, None)

    def reset(self) -> None:
        """The connection is gone."""
        self._wants.clear()
        self._hoped.clear()

    @property
    def due(self) -> float | None:
        """When `poll` wants to be called even if nothing happens."""
        dues = [
            0.0 if want.asked_at is None else want.asked_at + self._patience(peer, stream, want)
            for peer, stream, want in self._all()
        ]
        if any(want.asked_at is not None for _, _, want in self._all()):
            dues = [due for due in dues if due]  # the others wait for their turn
        return min(dues, default=None)

    @property
    def lacking(self) -> dict[str, list[Head]]:
        """By peer, the heads it named that are not here yet."""
        found = {
            peer: [head for want in wants.values() for head in want.targets if self._lacks(head)]
            for peer, wants in self._wants.items()
        }
        return {peer: heads for peer, heads in found.items() if heads}

    def lacks(self, stream: str) -> bool:
        """Whether a peer has more of this stream."""
        return any(
            self._lacks(head) for wants in self._wants.values() if (want := wants.get(stream)) for head in want.targets
        )

    def hopes(self, now: float) -> bool:
        """Whether records that a peer has of epochs written here are still to be expected."""
        wants = [want for _, _, want in self._all() if now < want.hope_until]
        return any(self._lacks(head) and self._writes(head.stream, head.epoch) for w in wants for head in w.targets)

    # -- inside ------------------------------------------------------------------------------------------

    def _all(self) -> list[tuple[str, str, _Want]]:
        return [(peer, stream, want) for peer, wants in self._wants.items() for stream, want in wants.items()]

    def _want(self, wants: dict[str, _Want], peer: str, head: Head, now: float) -> _Want | None:
        """Take a head into account; None if it is here, or not to be had."""
        want = wants.get(head.stream)
        if want is None and len(wants) >= self._most:  # before the store is asked, which may be a database
            return None
        if not self._admits(head) or not self._lacks(head) or self._rests(peer, head, now):
            return None
        if want is None:
            want = wants[head.stream] = _Want([])
        if want.hope_until == 0.0 and self._writes(head.stream, head.epoch):
            want.hope_until = self._hope_until(peer, now)
        if not any(known[:3] == head[:3] for known in want.targets) and len(want.targets) < MAX_EPOCHS:
            want.targets.append(head)
            want.targets.sort(key=lambda head: parse_epoch(head.epoch))
        return want

    def _hope_until(self, peer: str, now: float) -> float:
        """How long what a peer says that it has of our own records is waited for."""
        since = self._hoped.get(peer)
        if since is None or now >= since + HOPE_AGAIN_S:
            if len(self._hoped) >= MAX_STREAMS:
                self._hoped.clear()
            since = self._hoped[peer] = now
        return since + STALL_S

    def _patience(self, peer: str, stream: str, want: _Want) -> float:
        """How long an answer may take: the first one not long if somebody else could be asked."""
        others = any(stream in wants for other, wants in self._wants.items() if other != peer)
        return ELSE_S if others and want.tries == 0 else STALL_S

    def _lacks(self, head: Head) -> bool:
        here = self._store.head(head.stream, head.epoch)
        return head.seq > (here.seq if here else 0)

    def _rests(self, peer: str, head: Head, now: float) -> bool:
        until = self._resting.get((peer, head._replace(hash="")))
        return until is not None and now < until

    def _goal(self, stream: str, want: _Want) -> Goal | None:
        """What must come next: the newest link that is missing, else the oldest epoch that is."""
        while want.links and not self._lacks(Head(stream, *want.links[-1], "")):
            want.links.pop()
        if want.links:
            return want.links[-1]
        if want.back is None:
            want.targets = [head for head in want.targets if self._lacks(head)]
        return (want.targets[0].epoch, want.targets[0].seq) if want.targets else None

    def _eagerness(self, each: tuple[str, str, _Want]) -> tuple[int, tuple[int, ...]]:
        """Who has failed least comes first, of those who has most."""
        _, _, want = each
        newest = want.targets[-1] if want.targets else None
        return want.tries, (-parse_epoch(newest.epoch).n, -newest.seq) if newest else (0, 0)

    def _tidy(self, now: float) -> None:
        """Let go of what has come, of what led nowhere, and of peers that have nothing more."""
        for peer, stream, want in self._all():
            if self._goal(stream, want) is None:
                self._done(peer, stream)
            elif want.asked_at is not None and now >= want.asked_at + self._patience(peer, stream, want):
                want.asked_at = None
                want.tries += 1
                if want.agreed is not None and (here := self._store.head(stream, want.targets[0].epoch)):
                    self._part(peer, here, want, now)
            if want.tries >= TRIES:
                self._give_up(peer, stream, want, now)

    def _done(self, peer: str, stream: str) -> None:
        wants = self._wants[peer]
        del wants[stream]
        if not wants:
            del self._wants[peer]
            self._caught_up(peer)

    def _give_up(self, peer: str, stream: str, want: _Want, now: float) -> None:
        """Nothing comes of it: now a person should know."""
        if stream not in self._wants.get(peer, {}):
            return
        if len(self._resting) >= MAX_STREAMS:
            self._resting = {key: until for key, until in self._resting.items() if until > now}
        if len(self._resting) >= 4 * MAX_STREAMS:
            self._resting.clear()
        for head in want.targets:
            self._resting[peer, head._replace(hash="")] = now + REST_S
        if want.targets:
            head = want.targets[-1]
            alone = PeerAhead(stream, head.epoch, head.seq, f"{peer} named it and did not give it")
            self._alert(want.alert or alone)
        self._done(peer, stream)

    def _go_deeper(self, want: _Want, batch: Batch) -> None:
        """An epoch came whose beginning is not here: first what it continues."""
        if batch.first != 1:
            return  # a piece of the answer was lost; it is asked for again
        try:
            after = record.epoch_opened(record.decode(bytes(batch.records[0]))).after
        except RecordError:
            after = None
        if after is None or len(want.links) >= MAX_EPOCHS:
            want.tries += 1
            return
        want.links.append((after.epoch, after.seq))
        want.asked_at = None

    def _refused(self, peer: str, want: _Want, batch: Batch, now: float) -> None:
        here = self._store.head(batch.stream, batch.epoch)
        if here is None or not self._writes(batch.stream, batch.epoch) or not self._receiver.is_genuine(batch):
            want.asked_at = None
            want.tries += 1
            return
        if want.agreed is None:
            agreed = self._agreed(here, batch)
            if agreed is None:
                want.back = max(0, batch.first - 1 - max(8, 2 * (here.seq - batch.first + 1)))
                want.asked_at = None
                return
            if agreed >= min(batch.last, here.seq):  # what we have, told again: that proves nothing
                self._go_on(want, batch)
                return
            want.agreed = agreed
            self._alert(Forked(batch.stream, batch.epoch, want.agreed + 1, f"{peer} has other records of ours there"))
        known = want.agreed + len(want.others) + 1 - batch.first
        want.others += [bytes(raw) for raw in batch.records[known:]] if known >= 0 else []
        want.left -= 1
        if want.left <= 0 or batch.last >= max(head.seq for head in want.targets):
            self._part(peer, here, want, now)

    def _go_on(self, want: _Want, batch: Batch) -> None:
        """Look for other records of the peer's after what was just told; not for ever, if it has none."""
        want.back = batch.last
        want.left -= 1
        if want.left <= 0:
            want.tries += 1
            want.asked_at = None

    def _part(self, peer: str, here: Head, want: _Want, now: float) -> None:
        """Where the stream parts is known, and what the peer has after it, as far as one answer tells."""
        for head in want.targets:
            self._resting[peer, head._replace(hash="")] = now + REST_S
        self._done(peer, here.stream)
        if want.agreed:
            agreed = here._replace(seq=want.agreed, hash=hash_at(self._store, here, want.agreed))
            self._forked(agreed, want.others)

    def _agreed(self, here: Head, batch: Batch) -> int | None:
        """The last record of ours that the batch has, too; 0 if not even the first; None if before it."""
        ours = [raw for raw, _ in self._store.read(here.stream, here.epoch, batch.first - 1, 1 << 60)]
        same = 0
        for raw, other in zip(ours, batch.records, strict=False):
            if raw != bytes(other):
                break
            same += 1
        if same or batch.first == 1:
            return batch.first - 1 + same
        before = hash_at(self._store, here, batch.first - 1) if batch.first - 1 <= here.seq else ""
        return batch.first - 1 if record.decode(bytes(batch.records[0])).prev == before else None


class _Asked(NamedTuple):
    second: int
    times: int
    last: Fetch
    at: float


class Answerer:
    """Gives what is fetched from a store, a few batches at a time, and no more often than is of use."""

    def __init__(self, store: Store, *, batch_bytes: int = BATCH_BYTES) -> None:
        self._store = store
        self._batch_bytes = batch_bytes
        self._asked: dict[str, _Asked] = {}

    def answer(self, peer: str, fetch: Fetch, now: float) -> list[Batch]:
        """The next batches after what the peer has; none where nothing is held, or it asks too often."""
        return self.give(fetch) if self.may_ask(peer, fetch, now) else []

    def give(self, fetch: Fetch) -> list[Batch]:
        """The same, whoever asks."""
        here = self._store.head(fetch.stream, fetch.epoch)
        batches: list[Batch] = []
        after = fetch.after
        while here is not None and after < here.seq and len(batches) < ANSWER_BATCHES:
            batch = cut(self._store, fetch.stream, fetch.epoch, after, here.seq, most=self._batch_bytes)
            if batch is None:
                break
            batches.append(batch)
            after = batch.last
        return batches

    def may_ask(self, peer: str, fetch: Fetch, now: float) -> bool:
        """Whether it is time to answer that: what is on its way need not go out again."""
        asked = self._asked.get(peer)
        times = asked.times + 1 if asked and asked.second == int(now) else 1
        again = asked is not None and asked.last == fetch and now - asked.at < STALL_S / 2
        if again or times > ANSWERS_A_SECOND:
            return False
        if len(self._asked) >= MAX_STREAMS:
            self._asked.clear()
        self._asked[peer] = _Asked(int(now), times, fetch, now)
        return True
