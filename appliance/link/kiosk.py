"""A device's side of the venue network. See `appliance.link.lan`."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial

import msgspec

from appliance.forks import stranded_heads
from appliance.link import envelope, topics
from appliance.link.client import Client, Connected, Disconnected, Endpoint, Event, Message, Presence, Sink
from appliance.link.commands import Commands
from appliance.link.envelope import (
    Ack,
    Batch,
    CommandMessage,
    DeviceState,
    DirectorNotice,
    Fetch,
    Hello,
    PadKeys,
    PadShown,
    Phones,
    Ping,
    Pong,
    ReaderSaid,
    Reply,
    Spares,
    State,
)
from appliance.link.fetching import Answerer, Fetcher
from appliance.link.pings import PING_S, Pings
from appliance.link.replication import Alert, Keyring, Outcome, Receiver, Sender, SigningStore
from appliance.link.role import Door, Now, Signer
from appliance.link.standing import Standing
from appliance.link.store import Former, Teller, nobody
from appliance.link.succession import Succession
from appliance.link.topics import Kind
from appliance.record import Epoch, Head

SEEK_S = 2.0
"""Between calls for a director while there is none."""

KEEPALIVE_S = int(PING_S) + 1
"""A ping and its answer keep the connection to the broker, too: another that it asks for would wake a kiosk in vain."""

_DIRECTOR = "director"
_MAX_STRANDED = 256
_MAX_HELD = 64
_HELLO_S = 1.0


class KioskLink:
    """Keeps a full copy of the venue's streams, sends its own, and carries commands to the director.

    ``writes``: the streams this device writes. ``copies`` False: the others' are not wanted (the uplink).
    ``clock``: this device's milliseconds of the kind that the director's records are in (in a rehearsal as fast).
    ``on_records(stream, records)`` follows the storing of others' records. ``on_reply`` brings a command's answer
    once, an accepted one only when its events are in the own copy; refusal ``no-answer``: its life ended first.
    ``on_one_copy`` (default: ``on_reply``) brings it instead when they are still not here after a second: then the
    director's disk is the only one that has them (DESIGN §3).
    ``on_director``: who it is now, None if nobody, or if it answers no ping (`appliance.link.pings`) until it says
    something. ``on_told``: how far the director is with an own stream.
    ``on_spares``: the devices that ask it to be let in; ``on_phones``: the phones that are signed in, or ask to be;
    ``on_keys``: keys that one presses at this table. What it has
    of the own streams and this disk has lost is taken back and told by ``on_records``, too; ``on_forked(head)``: it has
    other records than this disk after ``head``, from which the stream must go on in a new epoch (``on_records``
    follows, with none). The uplink names what is ``beyond`` its store, too, has a fetch that is not answered here
    ``relay``-ed, and hears ``on_state`` how the others stand. ``readers`` and ``power``: how this one does.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        venue: str,
        device: str,
        store: SigningStore,
        keyring: Keyring,
        inbox: Sink,
        *,
        clock: Callable[[], int],
        writes: Collection[str] = (),
        copies: bool = True,
        public_key: str = "",
        role: str = "kiosk",
        software: str = "",
        on_records: Callable[[str, tuple[bytes, ...]], None] = lambda stream, records: None,
        on_reply: Callable[[Reply], None] = lambda reply: None,
        on_one_copy: Callable[[Reply], None] | None = None,
        on_director: Callable[[DirectorNotice | None], None] = lambda notice: None,
        on_told: Callable[[Ack], None] = lambda ack: None,
        on_spares: Callable[[Spares], None] = lambda spares: None,
        on_phones: Callable[[Phones], None] = lambda phones: None,
        on_keys: Callable[[PadKeys], None] = lambda keys: None,
        alert: Callable[[Alert], None] = lambda alert: None,
        former: Former = nobody,
        on_forked: Callable[[Head], object] = lambda head: None,
        relay: Callable[[Fetch], None] = lambda fetch: None,
        beyond: Callable[[], Iterable[Head]] = tuple,
        readers: Callable[[], tuple[ReaderSaid, ...]] = tuple,
        power: Callable[[], str] = str,
        on_state: Callable[[str, State], None] | None = None,
        now: Now = time.monotonic,
    ) -> None:
        self.venue = venue
        self.device = device
        self.director: DirectorNotice | None = None
        self.present: tuple[str, ...] = ()
        """The devices that were there when a director last told."""
        self._pings = Pings(clock)
        self.offset = self._pings.offset
        """From ``clock`` to the director's."""
        self._store = store
        self._writes = frozenset(writes)
        self._copies = copies
        self._hello = Hello(device, (), tuple(sorted(writes)), copies, public_key, software)
        self._signer = Signer(store, alert)
        self._receiver = Receiver(store, keyring, alert, former)
        self._fetcher = Fetcher(
            store, self._receiver, Teller(alert),
            admits=lambda head: head.stream in self._writes,
            writes=lambda stream, epoch: stream in self._writes,
            forked=self._part,
        )  # fmt: skip
        self._sender = Sender(
            store, alert, carries=self._writes.__contains__,
            mends=lambda trouble: self._fetcher.mends(_DIRECTOR, trouble, now()),
        )  # fmt: skip
        self._answerer = Answerer(store)
        self._on_forked = on_forked
        self._relay = relay
        self._beyond = beyond
        self._commands = Commands()
        self._on_records = on_records
        self._on_reply = on_reply
        self._on_one_copy = on_one_copy or on_reply
        self._on_director = on_director
        self._on_told = on_told
        self._on_spares, self._on_phones, self._on_keys = on_spares, on_phones, on_keys
        self._now = now
        self._succession = Succession(venue, keyring, store.epochs(f"venue/{venue}"))
        self._greet_at: float | None = None
        self._greeted_at = -_HELLO_S
        self._seek_at: float | None = None
        self._acks: list[Ack] = []  # sent when everything that waits has been taken: people wait for answers
        self._held: list[Batch] = []
        self._silent: DirectorNotice | None = None
        self._shown = False  # whether the silent one's notice is kept on the broker here
        state = State(device, True, role, software)
        self._clock, self._readers, self._power, self._on_state = clock, readers, power, on_state
        self._standing = Standing(state, lambda: (self._stand(state),), lambda birth: self.client.say_anew(birth), now)
        presence = Presence(
            topics.device(venue, device, "state"),
            self._standing.birth,
            envelope.encode(msgspec.structs.replace(state, online=False)),
        )
        subscriptions = [(topics.director(venue), 1), (topics.reply_filter(venue, device), 1)]
        if copies:
            subscriptions.append((topics.broadcast_filter(venue), 1))
        if on_state is not None:
            subscriptions.append((topics.device_filter(venue, "state"), 1))
        self._connect = partial(
            Client,
            client_id=f"lan-{venue}-{device}",
            inbox=inbox,
            subscriptions=subscriptions,
            presence=presence,
            keepalive_s=KEEPALIVE_S,
        )
        self.client: Client = self._connect(endpoint)
        self._door = Door(venue, self.client)

    def follows(self, notice: DirectorNotice) -> bool:
        """Whether this device would take a director of whom it hears elsewhere."""
        return self._succession.why_not(notice, served=self._served) is None

    def heeds(self, notice: DirectorNotice) -> bool:
        """Whether a director that calls concerns this device, were it genuine: one that it would leave its own for, or
        that gathers, be it in an older epoch: then `doubt` whether the own one is there. For any thread.
        """
        return self._succession.heeds(notice, self.director, served=self._served)

    def doubt(self) -> None:
        """Ask the director at once whether it is there."""
        self._pings.doubt(self._now())

    def move(self, endpoint: Endpoint) -> None:
        """Leave the broker, without waiting for it, and connect to another. What is under way goes on there."""
        self.client.leave()
        self.client = self._door.client = self._connect(endpoint)
        self.client.say_anew(self._standing.birth)
        self._lose()
        self.client.start()

    @property
    def due(self) -> float | None:
        """When `tick` wants to be called even if nothing happens."""
        waits = self._commands.due if self._served else self._commands.deadline
        dues = [waits, self._sender.due, self._fetcher.due, self._greet_at, self._pings.due, self._standing.due]
        if not self._ready:
            dues = [self._commands.deadline, self._seek_at]
        return min((due for due in dues if due is not None), default=None)

    @property
    def settled(self) -> bool:
        """Whether the director has stored everything this device wrote."""
        return self._sender.settled

    def director_clock(self) -> int | None:
        """UTC milliseconds by the director's clock, None until it has answered a ping."""
        return self._pings.director_clock()

    def command(self, message: CommandMessage) -> None:
        """Send a command until it is answered or its ``ttl_ms`` has passed."""
        self._commands.add(message, self._now())
        self.tick()

    def handle(self, event: Event) -> None:
        """Take one event."""
        if event.client is not self.client:
            return
        match event:
            case Message():
                self._message(event)
            case Connected():
                self._seek_at = self._now() + SEEK_S
                self._commands.send_again()
            case Disconnected():
                self._lose()

    def tick(self) -> None:
        """Send what is due; call after every commit."""
        self._door.check_alive()
        now = self._now()
        for reply in self._commands.expire(now):
            self._on_reply(reply)
        for reply in self._commands.overdue(now):
            self._on_one_copy(reply)
        if not self._ready:
            self._seek(now)
            return
        self._standing.tick()
        if self._greet_at is not None and now >= self._greet_at:
            self._say_hello(now)
        if self._pings.silent(now):
            self._miss(now)
            return
        if self._pings.due is not None and now >= self._pings.due:
            self._publish("ping", envelope.encode(self._pings.ping(now)), qos=0)
        if self._held and not self._fetcher.hopes(now):
            held, self._held = self._held, []
            for batch in held:
                self._copy(batch)
        acks, self._acks = self._acks, []
        for ack in acks:
            self._publish("ack", envelope.encode(ack), qos=0)
        if self._writes:
            self._signer.sign()
            for batch in self._sender.poll(now):
                self._publish("ev", envelope.encode(batch))
            for _, fetch in self._fetcher.poll(now):
                self._publish("fetch", envelope.encode(fetch))
        for message in self._commands.poll(now, self._pings.mono.ms) if self._served else ():
            self._publish("cmd", envelope.encode(message), qos=0)

    # -- inside ------------------------------------------------------------------------------------------

    @property
    def _ready(self) -> bool:
        return self.client.connected and self.director is not None

    @property
    def _served(self) -> bool:
        """Whether commands are answered: not by a director that still asks for the longest copy."""
        return self.director is not None and not self.director.gathering

    def _lose(self) -> None:
        """The connection is gone, and what was in flight with it."""
        self._seek_at, self._shown = None, False
        self._sender.reset()
        self._fetcher.reset()
        self._acks.clear()
        self._held.clear()
        self._set_director(None)

    def _miss(self, now: float) -> None:
        """The director says nothing although the connection stands: its cable may be out, or it hangs."""
        silent = self.director
        self._set_director(None)
        self._silent, self._shown, self._seek_at = silent, True, now

    def _hears(self, kind: Kind) -> None:
        """A message of this moment: who was silent is there again."""
        self._pings.heard()
        if self._silent is not None and self._shown and kind is not Kind.DIRECTOR:
            self._set_director(self._silent)

    def _message(self, message: Message) -> None:
        topic = self._door.topic(message)
        if topic is None:
            return
        if topic.kind is Kind.STATE and self._on_state is not None:
            if (state := self._door.read(State, message)) is not None and topic.device != self.device:
                self._on_state(topic.device, state)
            return
        if topic.device and topic.device != self.device:
            self._door.refuse("wrong-device", message)
            return
        if not message.retained:
            self._hears(topic.kind)
        match topic.kind:
            case Kind.DIRECTOR:
                self._notice(message)
            case Kind.BROADCAST:
                self._batch(message, topic.stream)
            case Kind.REPLY_EV:
                self._batch(message, None)
            case Kind.REPLY_ACK:
                if (ack := self._door.read(Ack, message)) is not None:
                    self._sender.ack(ack, self._now())
                    self._on_told(ack)
            case Kind.REPLY:
                if (reply := self._door.read(Reply, message)) is not None:
                    self._commands.answer(reply, self._now())
                    self._tell_answers()
            case Kind.REPLY_FETCH:
                if (fetch := self._door.read(Fetch, message)) is not None:
                    self._give(fetch)
            case Kind.REPLY_SPARES:
                if (spares := self._door.read(Spares, message)) is not None:
                    self._on_spares(spares)
            case Kind.REPLY_PHONES:
                if (phones := self._door.read(Phones, message)) is not None:
                    self._on_phones(phones)
            case Kind.REPLY_KEYS:
                if (keys := self._door.read(PadKeys, message)) is not None:
                    self._on_keys(keys)
            case Kind.REPLY_PONG:
                if (pong := self._door.read(Pong, message)) is not None:
                    self._pong(pong)
            case _:
                self._door.refuse("wrong-topic", message)

    def _notice(self, message: Message) -> None:
        if not message.payload:
            self._silent = None
            self._set_director(None)
            return
        notice = self._door.read(DirectorNotice, message)
        if notice is None:
            return
        if (why_not := self._succession.why_not(notice, served=self._served)) is not None:
            code, detail = why_not
            self._door.refuse(code, message, detail)
        elif message.retained and notice == self._silent:  # the broker is there; whether it is, too, a ping will tell
            self._shown, self._seek_at = True, self._now()
        else:
            self._succession.followed(notice)
            self._set_director(notice)

    def _set_director(self, notice: DirectorNotice | None) -> None:
        changed = notice != self.director
        self.director = notice
        self._greet_at = None
        self._pings.end()
        if notice is not None:  # even the same one anew: it has just come back and knows nobody
            self._silent = None
            self._greet_at = self._now()
            self._pings.begin(notice.device, self._now(), serves=not notice.gathering)
            self._sender.reset()
            self._fetcher.reset()
            self._commands.send_again()
        if changed:
            self._on_director(notice)

    def _batch(self, message: Message, stream: str | None) -> None:
        batch = self._door.read(Batch, message)
        if batch is None:
            return
        if batch.stream in self._writes:  # the own stream comes by, too: the director sends it to all
            if stream is None and self._fetcher.expects(_DIRECTOR, batch.stream):
                self._take_back(batch)
            elif self._is_anothers(batch):
                self.greet()
            return
        if stream not in (None, batch.stream) or not topics.owned_by(self.venue, batch.stream):
            self._door.refuse("wrong-stream", message, batch.stream)
        elif self._fetcher.hopes(self._now()) and len(self._held) < _MAX_HELD:
            self._held.append(batch)  # what is told now may lead to own records, and those come after the lost ones
        else:
            self._copy(batch)

    def _copy(self, batch: Batch) -> None:
        taken = self._receiver.take(batch)
        if taken.outcome is Outcome.STORED:
            self._on_records(batch.stream, taken.records)
            self._tell_answers()
        if taken.ack is not None:
            self._acks.append(taken.ack)

    def _is_anothers(self, batch: Batch) -> bool:
        """Whether another device goes on with an own stream, in an epoch that is not here."""
        held = self._store.epochs(batch.stream)
        return bool(held) and Epoch.parse(batch.epoch) > Epoch.parse(held[-1])

    def _take_back(self, batch: Batch) -> None:
        """Records of an own stream that this disk has lost, or never had."""
        taken = self._receiver.take(batch)
        if taken.outcome is Outcome.STORED:
            self._on_records(batch.stream, taken.records)
        self._fetcher.took(_DIRECTOR, batch, taken, self._now())
        if not self._fetcher.lacks(batch.stream):
            self._sender.resume(batch.stream, self._now())

    def _part(self, agreed: Head, others: Sequence[bytes]) -> None:
        """Our stream goes on from there in a new epoch; what it held after it is stranded."""
        self._on_forked(agreed)
        self._on_records(agreed.stream, ())

    def _give(self, fetch: Fetch) -> None:
        """What the director lacks of what is held here."""
        ours = topics.owned_by(self.venue, fetch.stream)
        if not ours or not self._answerer.may_ask(_DIRECTOR, fetch, self._now()):
            return
        self._signer.sign()
        batches = self._answerer.give(fetch)
        for batch in batches:
            self._publish("ev", envelope.encode(batch))
        if not batches:
            self._relay(fetch)

    def hand_on(self, batch: Batch) -> None:
        """Give the director records that are not kept here."""
        if self._ready:
            self._publish("ev", envelope.encode(batch))

    def show_pad(self, shown: PadShown) -> None:
        """Tell the director what the table's pad shows."""
        if self._ready:
            self._publish("pad", envelope.encode(shown), qos=0)

    def greet(self) -> None:
        """Say hello again: what is to be said of has changed."""
        if self.director is not None and self._greet_at is None:
            self._greet_at = self._now()

    def _tell_answers(self) -> None:
        for reply in self._commands.answered(self._holds):
            self._on_reply(reply)

    def _holds(self, reply: Reply) -> bool:
        """Whether the events of an answer are in the own copy."""
        if not self._copies or reply.stream is None or reply.epoch is None:
            return True
        head = self._store.head(reply.stream, reply.epoch)
        return head is not None and head.seq >= (reply.seq or 0)

    def _seek(self, now: float) -> None:
        """Ask whoever directs to show itself: a notice kept just while we subscribed can be missed (NATS)."""
        if self.client.connected and self._seek_at is not None and now >= self._seek_at:
            self._seek_at = now + SEEK_S
            self._publish("ping", envelope.encode(Ping("seeking", seeking=True)), qos=0)

    def _say_hello(self, now: float) -> None:
        self._greet_at = None
        self._greeted_at = now
        stranded = stranded_heads(self._store)[-_MAX_STRANDED:] if self._copies else []
        heads = [head for head in self._store.heads() if self._copies or head.stream in self._writes]
        clock = self.director_clock() if self._copies else None
        showing = None if clock is None else envelope.moment(clock)
        hello = msgspec.structs.replace(self._hello, heads=(*stranded, *self._beyond(), *heads), showing=showing)
        self._publish("hello", envelope.encode_hello(hello))

    def _pong(self, pong: Pong) -> None:
        asked_at = self._pings.pong(pong, self._now())
        if self._served:  # one that gathers only gets to know them
            self.present = pong.present
        # A ping may overtake the hello it follows (QoS 0 on NATS); one of a second later cannot.
        unknown = not pong.known and (asked_at is None or asked_at - self._greeted_at > _HELLO_S)
        if unknown and self.director is not None and self._greet_at is None:
            self._greet_at = self._greeted_at + _HELLO_S

    def _stand(self, state: State) -> DeviceState:
        """How this device stands now."""
        offset, clock = self.offset.ms, self.director_clock()
        return DeviceState(
            self.device, envelope.moment(self._clock() if clock is None else clock), True, state.role[:24],
            state.software[:64], None if offset is None else round(offset), self._readers(), self._power(),
            self._sender.waiting(),
        )  # fmt: skip

    def _publish(self, leaf: topics.DeviceLeaf, payload: bytes, *, qos: int = 1) -> None:
        self.client.publish(topics.device(self.venue, self.device, leaf), payload, qos=qos)
