"""The director's side of the venue network. See `appliance.link.lan`."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence

from msgspec import Struct

from appliance.link import envelope, topics
from appliance.link.catching import Catching
from appliance.link.client import Client, Connected, Disconnected, Endpoint, Event, Message, Presence, Sink
from appliance.link.envelope import (
    Ack,
    Batch,
    CommandMessage,
    DirectorNotice,
    Fetch,
    Hello,
    PadKeys,
    PadShown,
    Phones,
    Ping,
    Reply,
    Spares,
    State,
)
from appliance.link.fetching import Answerer
from appliance.link.notices import is_genuine
from appliance.link.pulse import NUDGE_S, Pulse
from appliance.link.replication import Alert, Keyring, Outcome, Receiver, Sender, SigningStore
from appliance.link.rights import may_write
from appliance.link.role import Door, Now, Signer
from appliance.link.store import Former, Teller, nobody
from appliance.link.topics import Kind
from appliance.record import Epoch, Head

MAX_DEVICES = 200
MAX_WRITTEN = 64
"""So many streams that a device says it writes are heeded: a kiosk writes its table's."""

NO_EPOCH = "1-0000000000000000"
"""Named where a stream has no epoch yet."""
_SUBSCRIBED: tuple[tuple[topics.DeviceLeaf, int], ...] = (
    ("hello", 1),
    ("state", 1),
    ("ev", 1),
    ("ack", 0),
    ("cmd", 0),
    ("ping", 0),
    ("fetch", 1),
    ("pad", 0),
)


class _Device(Struct):
    hello: Hello
    sender: Sender | None


class DirectorLink:
    """Sends every stream of the store to every device, takes theirs, and hands commands on.

    ``on_command`` must lead to a `reply` with the same id, at once or later; the same command may come again.
    ``on_records(stream, records)`` follows the storing of other writers' records. ``on_copied(device, ack)`` tells
    that a device has stored so far. ``on_fenced(notice)``: a director of a later epoch is there; this one falls
    silent; ``on_later(head)``: a device has proved that there was one, with this head of the venue's stream; silent
    too. ``on_forked(head)``: devices have other records of ours after this one: the stream must go on from it in a new
    epoch; ``on_lost(records)`` has those others, which cannot be stored here. ``on_caught_up(device)``: all that it has
    and we lacked is here. ``on_pad(device, shown)``: what a table's pad shows. ``clock``: UTC milliseconds, as
    in records. With a notice that says ``gathering`` it only listens and fetches, until `serve`.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        notice: DirectorNotice,
        store: SigningStore,
        keyring: Keyring,
        inbox: Sink,
        *,
        clock: Callable[[], int],
        on_command: Callable[[CommandMessage], None],
        on_records: Callable[[str, tuple[bytes, ...]], None] = lambda stream, records: None,
        on_hello: Callable[[Hello], None] = lambda hello: None,
        on_gone: Callable[[str], None] = lambda device: None,
        on_copied: Callable[[str, Ack], None] = lambda device, ack: None,
        on_fenced: Callable[[DirectorNotice], None] = lambda notice: None,
        on_later: Callable[[Head], None] = lambda head: None,
        on_forked: Callable[[Head], None] = lambda head: None,
        on_lost: Callable[[Sequence[bytes]], None] = lambda records: None,
        on_caught_up: Callable[[str], None] = lambda device: None,
        on_pad: Callable[[str, PadShown], None] = lambda device, shown: None,
        alert: Callable[[Alert], None] = lambda alert: None,
        former: Former = nobody,
        now: Now = time.monotonic,
    ) -> None:
        self.venue = notice.venue
        self.fenced = False
        self.listening = False
        """Whether commands wait, though this director serves: it is about to hear what devices have of its streams."""
        self._own_notice = notice
        self._store = store
        self._signer = Signer(store, alert)
        self._receiver = Receiver(store, keyring, alert, former)
        self._keyring = keyring
        self._clock = clock
        self._on_command = on_command
        self._on_records = on_records
        self._on_hello = on_hello
        self._on_gone = on_gone
        self._on_copied = on_copied
        self._on_fenced = on_fenced
        self._on_later = on_later
        self._on_forked = on_forked
        self._on_lost = on_lost
        self._on_caught_up = on_caught_up
        self._on_pad = on_pad
        self._alert = alert
        self._now = now
        self._devices: dict[str, _Device] = {}
        self._announce_at: float | None = None
        self._announced_at = -NUDGE_S
        # The will is the empty message: a notice that is no longer true is cleared.
        presence = Presence(topics.director(self.venue), envelope.encode(notice), b"", kept=False)
        subscriptions = [(topics.device_filter(self.venue, leaf), qos) for leaf, qos in _SUBSCRIBED]
        subscriptions.append((topics.director(self.venue), 1))
        self.client = Client(
            endpoint, f"director-{self.venue}-{notice.device}", inbox, subscriptions=subscriptions, presence=presence
        )
        self._door = Door(self.venue, self.client)
        self._pulse = Pulse(self.venue, self.client, clock, now, known=self._devices)
        self._answerer = Answerer(store)
        self._catching = Catching(
            lambda: self._own_notice, store, self._receiver, Teller(alert), self._forked, self._caught_up
        )
        self._fetcher = self._catching.fetcher

    @property
    def devices(self) -> list[str]:
        """The devices that are there now."""
        return sorted(self._devices)

    @property
    def due(self) -> float | None:
        """When `tick` wants to be called even if nothing happens."""
        dues = [line.sender.due for line in self._devices.values() if line.sender]
        dues += [self._announce_at, self._fetcher.due]
        return min((due for due in dues if due is not None), default=None)

    def holders(self, stream: str, epoch: str, seq: int) -> list[str]:
        """The devices that have said they stored that record, and are there now."""
        return [d for d in self.devices if (s := self._devices[d].sender) and s.acknowledged(stream, epoch, seq)]

    @property
    def lacking(self) -> dict[str, list[Head]]:
        """By device, the heads it has said it has that are not here yet."""
        return self._fetcher.lacking

    @property
    def gathering(self) -> bool:
        """Whether commands wait, because this director still asks for the longest copy."""
        return self._own_notice.gathering

    @property
    def ready(self) -> bool:
        """Whether commands are carried out now, and do not wait for what devices may have of our streams."""
        return not (self.gathering or self.listening or self.fenced or self._fetcher.hopes(self._now()))

    def serve(self, notice: DirectorNotice) -> None:
        """All is gathered: tell who directs from now on, and take commands."""
        self._own_notice = notice
        self.client.say_anew(envelope.encode(notice))

    def reply(self, device: str, reply: Reply) -> None:
        """Answer a command. A lost answer is asked for again by the same command."""
        self.client.publish(topics.reply(self.venue, device), envelope.encode(reply))

    def show_spares(self, device: str, spares: Spares) -> None:
        """Tell a device which others ask to be let in."""
        self.client.publish(topics.reply(self.venue, device, "spares"), envelope.encode(spares))

    def show_phones(self, device: str, phones: Phones) -> None:
        """Tell a device which phones are signed in, and which wait for a person's word."""
        self.client.publish(topics.reply(self.venue, device, "phones"), envelope.encode(phones))

    def press_keys(self, device: str, keys: PadKeys) -> None:
        """Have a table's device take keys that a phone presses. A lost answer is asked for again by the same keys."""
        self.client.publish(topics.reply(self.venue, device, "keys"), envelope.encode(keys), qos=0)

    def handle(self, event: Event) -> None:
        """Take one event."""
        if event.client is not self.client:
            return
        match event:
            case Message():
                self._message(event)
            case Connected() | Disconnected():  # what was in flight is lost, and all will say hello again
                self._devices.clear()
                self._fetcher.reset()

    def tick(self) -> None:
        """Send what is new; call after every commit."""
        self._door.check_alive()
        self._signer.sign()
        if not self.client.connected or self.fenced:
            return
        now, heads = self._now(), self._store.heads()
        if self._announce_at is not None and now >= self._announce_at:
            self._announce_at, self._announced_at = None, now
            self.client.publish(topics.director(self.venue), envelope.encode(self._own_notice), retain=True)
        wanted: dict[tuple[str, str, int, int], tuple[Batch, list[str]]] = {}
        lines = {} if self.gathering else self._devices  # what is here may not be what it will go on from
        senders = {name: line.sender for name, line in lines.items() if line.sender}
        for name, sender in senders.items():
            for batch in sender.poll(now, heads):
                key = (batch.stream, batch.epoch, batch.first, batch.last)
                wanted.setdefault(key, (batch, []))[1].append(name)
        for batch, names in wanted.values():
            self._send(batch, names, among=len(senders))
        for device, fetch in self._fetcher.poll(now):
            self.client.publish(topics.reply(self.venue, device, "fetch"), envelope.encode(fetch))

    # -- inside ------------------------------------------------------------------------------------------

    def _send(self, batch: Batch, names: list[str], among: int) -> None:
        """What at least half of the devices want is sent to all at once, what a straggler missed to it alone."""
        payload = envelope.encode(batch)
        if 2 * len(names) >= among:
            self.client.publish(topics.broadcast(self.venue, batch.stream), payload)
        else:
            for name in names:
                self.client.publish(topics.reply(self.venue, name, "ev"), payload)

    def _message(self, message: Message) -> None:
        topic = self._door.topic(message)
        if topic is None or self.fenced:
            return
        match topic.kind:
            case Kind.DIRECTOR:
                self._notice(message)
            case Kind.HELLO:
                self._hello(topic.device, message)
            case Kind.STATE:
                self._state(topic.device, message)
            case Kind.EV:
                self._batch(topic.device, message)
            case Kind.ACK:
                self._ack(topic.device, message)
            case Kind.CMD:
                self._command(topic.device, message)
            case Kind.PING:
                self._ping(topic.device, message)
            case Kind.FETCH:
                self._fetch(topic.device, message)
            case Kind.PAD:
                self._pad(topic.device, message)
            case _:
                self._door.refuse("wrong-topic", message)

    def _notice(self, message: Message) -> None:
        """Keep the own notice on its topic: the will of a dead predecessor, or garbage, may have replaced it."""
        if message.payload == envelope.encode(self._own_notice):
            return
        other = self._door.read(DirectorNotice, message) if message.payload else None
        own, epoch = self._own_notice.epoch, Epoch.parse(other.epoch) if other is not None else None
        later = epoch is not None and epoch > Epoch.parse(own) and not epoch.leaps(own)
        if other and later and other.venue == self.venue and is_genuine(other, self._keyring):
            self._fall_silent()
            self._on_fenced(other)
        else:
            self._announce()

    def _fall_silent(self) -> None:
        self.fenced = True
        self._devices.clear()
        self._fetcher.reset()

    def _announce(self) -> None:
        """Publish the notice again, at most once a second."""
        if self._announce_at is None:
            self._announce_at = max(self._now(), self._announced_at + NUDGE_S)

    def _hello(self, device: str, message: Message) -> None:
        hello = self._door.read(Hello, message)
        if hello is None:
            return
        if hello.device != device:
            self._door.refuse("wrong-device", message, hello.device)
            return
        if device not in self._devices and len(self._devices) >= MAX_DEVICES:
            self._door.refuse("too-many-devices", message)
            return
        own = frozenset([s for s in hello.writes if may_write(self.venue, device, s)][:MAX_WRITTEN])
        self._catching.heard(hello, own, self._now())
        sender = None
        if hello.copies:
            sender = Sender(
                self._store, self._alert, carries=lambda stream: stream not in own,
                mends=lambda alert: self._fetcher.mends(device, alert, self._now()),
            )  # fmt: skip
            sender.hello(hello.heads, self._now())
        self._devices[device] = _Device(hello, sender)
        for ack in self._receiver.greet(head for head in hello.heads if head.stream in own):
            self._send_ack(device, ack)
        self._tell_newcomer(device, own - {head.stream for head in hello.heads})
        self._let_part(device)
        self._on_hello(hello)

    def _tell_newcomer(self, device: str, streams: Collection[str]) -> None:
        """A device that holds nothing of a stream it is to write goes on from what is here."""
        for stream in streams:
            epochs = self._store.epochs(stream)
            head = self._store.head(stream, epochs[-1]) if epochs else None
            self._send_ack(device, Ack(*head) if head else Ack(stream, NO_EPOCH, 0))

    def _let_part(self, device: str) -> None:
        """A director that was followed ends when all it has is here."""
        line = self._devices.get(device)
        if line is None or not line.hello.parting:
            return
        held = ((head, self._store.head(head.stream, head.epoch)) for head in line.hello.heads)
        for theirs, here in held:
            if here is not None and here.seq >= theirs.seq:
                self._send_ack(device, Ack(theirs.stream, theirs.epoch, theirs.seq))

    def _caught_up(self, device: str) -> None:
        self._let_part(device)
        self._on_caught_up(device)

    def _state(self, device: str, message: Message) -> None:
        if not message.payload:
            return
        state = self._door.read(State, message)
        if state is None:
            return
        if state.device != device:
            self._door.refuse("wrong-device", message, state.device)
        elif not state.online and self._devices.pop(device, None) is not None:
            self._fetcher.gone(device)
            self._on_gone(device)
            self._pulse.nudge(device)  # it may be the will of its last connection that comes late

    def _batch(self, device: str, message: Message) -> None:
        batch = self._door.read(Batch, message)
        if batch is None:
            return
        asked = self._fetcher.expects(device, batch.stream)
        if not asked and not may_write(self.venue, device, batch.stream):
            self._door.refuse("wrong-stream", message, batch.stream)
        elif self._catching.is_anothers(batch):
            if self._catching.is_proof(batch):
                self._fall_silent()
                self._on_later(Head(batch.stream, batch.epoch, batch.last, ""))
        else:
            taken = self._receiver.take(batch)
            if taken.ack is not None and may_write(self.venue, device, batch.stream):
                self._send_ack(device, taken.ack)
            if taken.outcome is Outcome.STORED:
                self._on_records(batch.stream, taken.records)
                if batch.first == 1:
                    self._tell_others(device, batch)
            if asked:
                self._fetcher.took(device, batch, taken, self._now())
                if not self._fetcher.lacks(batch.stream):
                    self._resume(batch.stream)

    def _tell_others(self, device: str, batch: Batch) -> None:
        """Another device goes on with a stream: whoever has written it so far hears of it, and fetches it."""
        for name, line in self._devices.items():
            if name != device and batch.stream in line.hello.writes:
                self._send_ack(name, Ack(batch.stream, batch.epoch, batch.last))

    def _forked(self, agreed: Head, others: Sequence[bytes]) -> None:
        self._on_forked(agreed)
        self._on_lost(others)

    def _resume(self, stream: str) -> None:
        """Senders that rested, because somebody had more of this stream, look again."""
        for line in self._devices.values():
            if line.sender is not None:
                line.sender.resume(stream, self._now())

    def _fetch(self, device: str, message: Message) -> None:
        fetch = self._door.read(Fetch, message)
        if fetch is None:
            return
        for batch in self._answerer.answer(device, fetch, self._now()):
            self.client.publish(topics.reply(self.venue, device, "ev"), envelope.encode(batch))

    def _ack(self, device: str, message: Message) -> None:
        ack = self._door.read(Ack, message)
        if ack is None:
            return
        line = self._devices.get(device)
        if line is None or line.sender is None:
            self._pulse.nudge(device)
            return
        line.sender.ack(ack, self._now())
        self._on_copied(device, ack)

    def _command(self, device: str, message: Message) -> None:
        command = self._door.read(CommandMessage, message)
        if command is None:
            return
        if not self.ready:  # no answer: it comes again
            return
        if command.device != device:
            self._door.refuse("wrong-device", message, command.device)
        elif command.ttl_ms == 0 or (command.expires_ms is not None and command.expires_ms < self._pulse.mono_ms):
            self._door.refuse("expired", message, command.id)  # no answer: an earlier copy of it may have been taken
        else:
            self._on_command(command)

    def _pad(self, device: str, message: Message) -> None:
        shown = self._door.read(PadShown, message)
        if shown is not None:
            self._on_pad(device, shown)

    def _ping(self, device: str, message: Message) -> None:
        ping = self._door.read(Ping, message)
        if ping is None:
            return
        self._pulse.pong(device, ping.id)
        if ping.seeking:
            self._announce()

    def _send_ack(self, device: str, ack: Ack) -> None:
        self.client.publish(topics.reply(self.venue, device, "ack"), envelope.encode(ack), qos=0)
