"""The league's end of the link: messages in, stored records and answers out. No socket and no clock of its own.

A group of messages is one transaction; its answers are given out only after the commit, so that a killed process
has acknowledged nothing it does not have, and whatever it had not acknowledged comes again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from django.db import transaction

from appliance.link import envelope, topics
from appliance.link.envelope import Ack, BadPayload, Batch, Fetch, Hello, State
from appliance.link.fetching import Answerer, Fetcher
from appliance.link.receiver import Check
from appliance.link.replication import Alert, Outcome, Receiver, Sender
from appliance.link.topics import BadTopic, Kind, Topic
from appliance.record import Epoch, Head
from league.fleet.adopting import adopt
from league.ingest import alerts, rollbacks
from league.ingest.ahead import Ahead
from league.ingest.alerts import Notice
from league.ingest.contacts import Contacts
from league.ingest.fairbox import venue_of
from league.ingest.keyring import Known, VenueKeyring
from league.ingest.models import StreamHead
from league.ingest.shelf import Shelf, ShelvedStore
from league.ingest.store import StoreConflict
from league.rounds.models import Venue


class Incoming(NamedTuple):
    """A message as it came from the broker."""

    topic: str
    payload: bytes
    retained: bool = False


class Outgoing(NamedTuple):
    """A message to publish, never retained."""

    topic: str
    payload: bytes
    qos: int


class Outcomes(NamedTuple):
    """What a group of messages led to, all of it committed: answers to send, streams that grew, and of those the ones
    that ask for the time.
    """

    answers: list[Outgoing]
    grown: set[str]
    asking: set[str]


UPLINK = "uplink"
"""Whom a venue's records are fetched from."""

LOOKED_AT = 512
"""So many heads of a hello are looked up, more than an uplink names: the other venues' records wait meanwhile."""

_ABOUT_DEVICES = b'"device-'
"""Stands in the type of each record about devices, and seldom elsewhere."""

_ASKS_THE_TIME = b'"time-asked/'

VENUES_S = 1.0
"""So often it is looked which venues there are."""

NAMED = 64
"""So many of a venue's streams that its hello does not name are named to it: a new director may know of none."""


class _VenueLine:
    """Replication with one venue, both ways; what one side has lost is fetched from the other (DESIGN §5)."""

    def __init__(
        self, venue: str, shelf: Shelf, known: Known, tell: Callable[[Notice], None], now: Callable[[], float],
        check: Check,
    ) -> None:  # fmt: skip
        self.venue = venue
        self.own_stream = f"league/{venue}"
        self.store = store = ShelvedStore(venue, shelf)
        ring = VenueKeyring(venue, known)

        def alert(alert: Alert) -> None:
            tell(alerts.notice(venue, alert, alert.stream in ring.revoked))

        self.receiver = Receiver(store, ring, alert, absorb=store.absorb_followed, check=check)
        self.fetcher = Fetcher(
            store, self.receiver, alert, admits=lambda head: topics.owned_by(venue, head.stream), most=NAMED
        )
        self.answerer = Answerer(store)
        self.sender = Sender(
            store, alert, carries=lambda stream: stream == self.own_stream,
            mends=lambda trouble: self.fetcher.mends(UPLINK, trouble, now()),
        )  # fmt: skip

    @property
    def due(self) -> float | None:
        """When something is to be sent even if nothing happens."""
        return min((due for due in (self.sender.due, self.fetcher.due) if due is not None), default=None)

    def hear(self, hello: Hello, now: float) -> list[Ack]:
        """Take a hello: where this side is with each stream, and what it lacks of the older epochs of the venue's own
        and of the newest of the league's. The newest of its own the venue sends unasked.
        """
        own = [head for head in hello.heads if head.stream == self.own_stream]
        theirs = [head for head in hello.heads if head.stream != self.own_stream]
        newest: dict[str, Epoch] = {}
        for head in theirs:
            newest[head.stream] = max(newest.get(head.stream, Epoch(0, "")), Epoch.parse(head.epoch))
        older = [head for head in theirs if Epoch.parse(head.epoch) < newest[head.stream]]
        self.fetcher.heard(UPLINK, [*own, *older][:LOOKED_AT], now)
        self.sender.hello(own, now)
        unnamed = [head for head in self.store.latest(NAMED) if head.stream not in newest]
        return [*self.receiver.greet(theirs), *(Ack(*head) for head in unnamed if head.stream != self.own_stream)]


class Desk:
    """Receives from venues, and keeps the league's stream of each that it ``owns`` moving.

    ``now`` is monotonic seconds; ``next_group`` is asked for what will come next, once all of a group is taken and
    before it is written: that is worked on meanwhile.
    """

    def __init__(
        self, now: Callable[[], float], owns: Callable[[str], bool] = lambda venue: True,
        next_group: Callable[[], Sequence[Incoming]] = list,
    ) -> None:  # fmt: skip
        self._now = now
        self._owns = owns
        self._next_group = next_group
        self._ahead = Ahead()
        self._venues: list[str] = []
        self._venues_at: float | None = None
        self._shelf, self._known = Shelf(), Known()
        self._contacts = Contacts(now)
        self._stored: set[tuple[str, str]] = set()
        self._lines: dict[str, _VenueLine] = {}
        self._touched: set[str] = set()
        self._sent_heads: dict[str, Head] = {}
        self._notices: list[Notice] = []
        self.counts: Counter[str] = Counter()

    def receive(self, messages: Iterable[Incoming]) -> Outcomes:
        """Take a group of messages in one transaction. Raises `django.db.Error`, then nothing has happened."""
        group = list(messages)
        try:
            return self._receive(group)
        except StoreConflict:  # another process takes the same shard: what it has stored need not be stored again
            return self._receive(group)

    def send(self) -> list[Outgoing]:
        """Batches of the league's streams that are due now: where a venue spoke, the stream grew or time is up."""
        now = self._now()
        heads = self._own_heads(now)
        grown = {venue for venue, head in heads.items() if self._sent_heads.get(venue) != head}
        own = {venue: line for venue, line in self._lines.items() if self._owns(venue)}
        late = {venue for venue, line in own.items() if line.due is not None and line.due <= now}
        batches: list[Outgoing] = []
        for venue in sorted((self._touched & heads.keys()) | grown | late):
            for batch in self._line(venue).sender.poll(now, [heads[venue]] if venue in heads else []):
                batches.append(Outgoing(topics.down(venue, "ev"), envelope.encode(batch), 1))
        for venue, line in own.items():
            for _, fetch in line.fetcher.poll(now):
                batches.append(Outgoing(topics.down(venue, "fetch"), envelope.encode(fetch), 1))
        self._sent_heads = heads
        self._touched.clear()
        if self._notices:
            with transaction.atomic():
                self._write_notices()
        return batches

    def disconnected(self) -> None:
        """The connection is gone: what was in flight is lost."""
        for line in self._lines.values():
            line.sender.reset()
            line.fetcher.reset()
        self._sent_heads.clear()

    def forget(self) -> None:
        """Start from what the database holds; after trouble with it."""
        self._venues_at = None
        self._shelf.forget()
        self._contacts.forget()
        self._stored.clear()
        self._lines.clear()
        self._notices.clear()
        self._touched.clear()
        self._sent_heads.clear()

    def let_go(self) -> None:
        """Leave the venues that are not ours any more to others."""
        self._venues_at = None
        for venue in [venue for venue in self._lines if not self._owns(venue)]:
            del self._lines[venue]

    # -- inside ------------------------------------------------------------------------------------------

    def _receive(self, group: Sequence[Incoming]) -> Outcomes:
        outcomes = Outcomes([], set(), set())
        counts: Counter[str] = Counter()
        try:
            with transaction.atomic():
                self._shelf.begin()
                self._contacts.begin()
                self._known.look(venue for message in group if (venue := venue_of(message.topic)) in self._lines)
                for message in group:
                    self._take(message, outcomes, counts)
                self._ahead.look_at([message[:2] for message in self._next_group()])
                self._shelf.flush()
                self._contacts.flush()
                self._write_notices()
                self._go_on()
        except BaseException:
            self.forget()
            raise
        self.counts.update(counts)
        return outcomes

    def _own_heads(self, now: float) -> dict[str, Head]:
        """How far the league's stream of each venue that we send it to has come. New venues are seen in a second."""
        if self._venues_at is None or now - self._venues_at >= VENUES_S:
            self._venues_at = now
            self._venues = [venue for venue in Venue.objects.values_list("pk", flat=True) if self._owns(venue)]
        asked = {f"league/{venue}" for venue in {*self._venues, *filter(self._owns, self._touched)}}
        rows = StreamHead.objects.filter(stream__in=asked).order_by("epoch_number", "epoch")
        return {row.venue: Head(row.stream, row.epoch, row.seq, row.hash) for row in rows}

    def _line(self, venue: str) -> _VenueLine:
        if venue not in self._lines:
            self._lines[venue] = _VenueLine(
                venue, self._shelf, self._known, self._notices.append, self._now, self._ahead.check
            )
        return self._lines[venue]

    def _write_notices(self) -> None:
        alerts.raise_all(self._notices)
        self._notices.clear()

    def _take(self, message: Incoming, outcomes: Outcomes, counts: Counter[str]) -> None:
        try:
            topic = topics.parse(message.topic)
        except BadTopic as error:
            counts["bad-topic"] += 1
            self._notices.append(Notice("", "", "bad-topic", str(error)))
            return
        if message.retained and topic.kind not in topics.RETAINED:
            counts["ghost"] += 1
            return
        if topic.venue not in self._lines and not Venue.objects.filter(pk=topic.venue).exists():
            counts["unknown-venue"] += 1
            self._notices.append(Notice("", "", "unknown-venue", topic.venue))
            return
        try:
            self._dispatch(topic, message, outcomes, counts)
        except BadPayload as error:
            counts["bad-payload"] += 1
            self._notices.append(Notice(topic.venue, "", "bad-payload", f"{topic.kind}: {error}"))

    def _dispatch(self, topic: Topic, message: Incoming, outcomes: Outcomes, counts: Counter[str]) -> None:
        payload = message.payload
        if topic.kind is not Kind.UP_EV or topic.venue not in self._lines:
            self._touched.add(topic.venue)
        line = self._line(topic.venue)
        match topic.kind:
            case Kind.UP_EV:
                self._batch(line, self._ahead.batch(payload), outcomes, counts)
            case Kind.UP_HELLO:
                self._hello(line, envelope.decode(Hello, payload), outcomes)
            case Kind.UP_ACK:
                line.sender.ack(envelope.decode(Ack, payload), self._now())
            case Kind.UP_FETCH:
                fetch = envelope.decode(Fetch, payload)
                for batch in line.answerer.answer(UPLINK, fetch, self._now()):
                    outcomes.answers.append(Outgoing(topics.down(line.venue, "ev"), envelope.encode(batch), 1))
            case Kind.UP_STATE if payload:
                self._contacts.state(line.venue, envelope.decode(State, payload), message.retained)
                return
            case _:
                counts["ignored"] += 1
                return
        self._contacts.heard(line.venue)

    def _batch(self, line: _VenueLine, batch: Batch, outcomes: Outcomes, counts: Counter[str]) -> None:
        taken = line.receiver.take(batch)
        counts[taken.outcome.value] += 1
        if taken.outcome is Outcome.STORED:
            counts["records"] += len(taken.records)
            outcomes.grown.add(batch.stream)
            self._stored.add((line.venue, batch.stream))
            if batch.stream == f"venue/{line.venue}":
                if any(_ASKS_THE_TIME in raw for raw in taken.records):
                    outcomes.asking.add(batch.stream)
                if any(_ABOUT_DEVICES in raw for raw in taken.records):
                    self._adopt(line, batch, taken.records)
        elif taken.outcome is Outcome.REFUSED:
            self._stored.discard((line.venue, batch.stream))
        if line.fetcher.expects(UPLINK, batch.stream):
            line.fetcher.took(UPLINK, batch, taken, self._now())
            line.sender.resume(batch.stream, self._now())
        if taken.ack is not None:
            outcomes.answers.append(_ack(line.venue, taken.ack))

    def _adopt(self, line: _VenueLine, batch: Batch, records: Sequence[bytes]) -> None:
        """Take over what these records say of devices, if their epoch is the present one."""
        if batch.epoch == line.store.epochs(batch.stream)[-1]:
            self._notices += adopt(line.venue, records)
            self._known.forget()

    def _go_on(self) -> None:
        """These streams go on: what stopped them is over."""
        for table, over in ((alerts.stopped(), alerts.resolve), (rollbacks.open_ones(), rollbacks.healed)):
            for venue, stream in self._stored.intersection(
                table.values_list("venue", "stream") if self._stored else ()
            ):
                over(venue, {stream})
        self._stored.clear()

    def _hello(self, line: _VenueLine, hello: Hello, outcomes: Outcomes) -> None:
        outcomes.answers.extend(_ack(line.venue, ack) for ack in line.hear(hello, self._now()))
        theirs = [head for head in hello.heads if head.stream != line.own_stream]
        rollbacks.note(line.venue, theirs[:LOOKED_AT])
        self._contacts.hello(line.venue, hello, {f"{head.stream} {head.epoch}": head.seq for head in theirs})


def _ack(venue: str, ack: Ack) -> Outgoing:
    return Outgoing(topics.down(venue, "ack"), envelope.encode(ack), 0)
