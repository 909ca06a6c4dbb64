"""The venue's uplink: the director's journal to the league, the league's stream back to the director.

It reads the director's file and writes none of it: the league's stream goes into a file of its own, and from there
over the venue network to the director by the same replication, as device ``uplink``. Where the league has more of the
venue's streams than the director's file, it names that to the director and carries what is fetched, keeping nothing.

    link = UplinkLink(league_broker, venue_broker, "brno", director_file, own_file, keyring, inbox,
                      refresh=director_file.refresh, clock=timebase.now_ms)
    link.start()
    while running:
        step(link, inbox)
    link.stop()
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal

from appliance.forks import stranded_heads
from appliance.link import envelope, topics
from appliance.link.client import Backoff, Client, Connected, Disconnected, Endpoint, Event, Message, Presence, Sink
from appliance.link.envelope import Ack, Batch, DeviceState, Fetch, Hello, State
from appliance.link.fetching import Answerer
from appliance.link.lan import UPLINK, KioskLink
from appliance.link.replication import (
    Alert,
    Forked,
    Keyring,
    PeerAhead,
    Receiver,
    Sender,
    SigningStore,
    Store,
)
from appliance.link.role import Door, Now
from appliance.link.standing import Collected, Standing
from appliance.link.topics import Kind
from appliance.record import Head

LOOK_S = 0.5
"""How often the director's file is looked at for new records; also what lets them gather into batches."""

AGAIN_S = 60
"""So often at the least the league hears how the venue stands, and what time it is there."""

_KEEPALIVE_S = 30
_MAX_STRANDED = 256
_MAX_BEYOND = 256
_SUBSCRIBED: tuple[tuple[Literal["ack", "ev", "fetch"], int], ...] = (("ack", 0), ("ev", 1), ("fetch", 1))


class UplinkLink:
    """Both ways between a venue and the league.

    ``journal``: the director's file, for reading; ``refresh`` looks whether it has grown. ``own``: where the
    league's stream is kept. ``on_stored`` hears how far the league has stored. ``keyring`` must know the league's
    pinned key for ``league/<venue>``. ``director``: by its name, how the director stands, on whose machine this runs.
    ``clock`` goes ``pace`` times as fast as the world's.
    """

    def __init__(
        self,
        league: Endpoint,
        lan: Endpoint,
        venue: str,
        journal: Store,
        own: SigningStore,
        keyring: Keyring,
        inbox: Sink,
        *,
        refresh: Callable[[], object],
        clock: Callable[[], int],
        software: str = "",
        alert: Callable[[Alert], None] = lambda alert: None,
        on_stored: Callable[[Ack], None] = lambda ack: None,
        director: Callable[[str], DeviceState] = DeviceState,
        pace: int = 1,
        now: Now = time.monotonic,
    ) -> None:
        self.venue = venue
        self._on_stored = on_stored
        self._stream = f"league/{venue}"
        self._journal = journal
        self._own = own
        self._refresh = refresh
        self._software = software
        self._now = now
        self._look_at = now()
        self._receiver = Receiver(own, keyring, alert)
        self._sender = Sender(journal, alert, carries=self._carries, mends=self._league_has_more)
        self._answerer = Answerer(journal), Answerer(own)
        self._beyond: dict[str, Head] = {}
        self._heard: Ack | None = None
        self.lan = KioskLink(
            lan, venue, UPLINK, own, keyring, inbox,
            clock=clock, writes={self._stream}, copies=False, role="uplink", software=software, alert=alert, now=now,
            beyond=self._beyond.values, relay=self._ask_league, on_state=self._device_said,
        )  # fmt: skip
        self._director = director
        self._directs = ""
        state = State(UPLINK, True, "uplink", software, pace=pace, again_s=AGAIN_S)
        self._standing = Standing(
            state, self._stand, lambda said: self.client.say_anew(said, self._standing.birth), now,
            self.lan.director_clock,
        )  # fmt: skip
        self._devices = Collected(self._standing.hurry)
        gone = envelope.encode(State(UPLINK, False, "uplink", software))
        self.client = Client(
            league, f"up-{venue}", inbox,
            subscriptions=[(topics.down(venue, leaf), qos) for leaf, qos in _SUBSCRIBED],
            presence=Presence(topics.up(venue, "state"), self._standing.birth, gone),
            backoff=Backoff(0.5, 30.0),
            keepalive_s=_KEEPALIVE_S,
        )  # fmt: skip
        self._door = Door(venue, self.client)

    @property
    def settled(self) -> bool:
        """Whether the league has stored all that was in the director's file at the last look."""
        return self._sender.settled

    @property
    def fetching(self) -> tuple[str, ...]:
        """Streams of which the league has records that the director has not, or others: they are on their way back."""
        return tuple(sorted(self._beyond))

    @property
    def due(self) -> float | None:
        """When `tick` wants to be called even if nothing happens."""
        dues = (self._look_at, self._sender.due if self.client.connected else None, self.lan.due)
        return min(due for due in dues if due is not None)

    def start(self) -> None:
        """Begin to connect to both brokers."""
        self.client.start()
        self.lan.client.start()

    def stop(self) -> None:
        """Say goodbye to both."""
        self.lan.client.stop()
        self.client.stop()

    def handle(self, event: Event) -> None:
        """Take one event of either connection."""
        if event.client is not self.client:
            self.lan.handle(event)
            return
        match event:
            case Message():
                self._message(event)
            case Connected():
                self._refresh()
                kept = [*stranded_heads(self._journal)[-_MAX_STRANDED:], *self._journal.heads()]
                heads = [*filter(lambda head: self._carries(head.stream), kept), *self._own.heads()]
                self._publish("hello", envelope.encode_hello(Hello(UPLINK, tuple(heads), software=self._software)))
                self._standing.say_time()
            case Disconnected():
                self._sender.reset()

    def tick(self) -> None:
        """Look at the file when it is time, send what is due."""
        self._door.check_alive()
        now = self._now()
        self._standing.tick()
        if now >= self._look_at:
            self._look_at = now + LOOK_S
            self._refresh()
            self._look_what_came(now)
            self._send(now)
        elif (due := self._sender.due) is not None and now >= due:
            self._send(now)
        self.lan.tick()

    # -- inside ------------------------------------------------------------------------------------------

    def _device_said(self, device: str, state: State) -> None:
        if device != UPLINK:
            self._devices.heard(device, state)

    def _stand(self) -> list[DeviceState]:
        """How the venue's devices stand; the director, who says no state of its own, once it is known who that is."""
        if self.lan.director is not None:
            self._directs = self.lan.director.device
        others = [device for device in self._devices.all() if device.device != self._directs]
        return [self._director(self._directs), *others] if self._directs else others

    def _carries(self, stream: str) -> bool:
        return stream != self._stream and topics.owned_by(self.venue, stream)

    def _send(self, now: float) -> None:
        if self.client.connected:
            for batch in self._sender.poll(now):
                self._publish("ev", envelope.encode(batch))

    def _message(self, message: Message) -> None:
        topic = self._door.topic(message)
        if topic is None:
            return
        match topic.kind:
            case Kind.DN_ACK:
                if (ack := self._door.read(Ack, message)) is not None:
                    self._heard = ack
                    self._sender.ack(ack, self._now())
                    self._on_stored(ack)
                    self._send(self._now())
            case Kind.DN_EV:
                self._batch(message)
            case Kind.DN_FETCH:
                if (fetch := self._door.read(Fetch, message)) is not None:
                    self._give(fetch)
            case _:
                self._door.refuse("wrong-topic", message)

    def _batch(self, message: Message) -> None:
        batch = self._door.read(Batch, message)
        if batch is None:
            return
        if batch.stream != self._stream:
            if self._carries(batch.stream):
                self.lan.hand_on(batch)
            else:
                self._door.refuse("wrong-stream", message, batch.stream)
            return
        taken = self._receiver.take(batch)
        if taken.ack is not None:
            self._publish("ack", envelope.encode(taken.ack), qos=0)

    # -- where one side has more than the other -----------------------------------------------------------

    def _league_has_more(self, trouble: PeerAhead | Forked) -> bool:
        """Name to the director what the league has and it has not, or has otherwise."""
        ack = self._heard
        if ack is None or len(self._beyond) >= _MAX_BEYOND:
            return False
        self._beyond[trouble.stream] = Head(ack.stream, ack.epoch, ack.upto, ack.hash)
        self.lan.greet()
        return True

    def _look_what_came(self, now: float) -> None:
        """The file has grown: what is no longer beyond it can be carried on."""
        for stream, head in list(self._beyond.items()):
            here, newest = self._journal.head(stream, head.epoch), self._journal.epochs(stream)[-1:]
            if newest and (newest[0] != head.epoch or (here is not None and here.seq >= head.seq)):
                del self._beyond[stream]
                self._sender.resume(stream, now)

    def _ask_league(self, fetch: Fetch) -> None:
        if self.client.connected and self._carries(fetch.stream):
            self._publish("fetch", envelope.encode(fetch))

    def _give(self, fetch: Fetch) -> None:
        """What the league lacks: its own stream's tail after its database was restored, or what is stranded here."""
        journal, own = self._answerer
        answerer = own if fetch.stream == self._stream else journal
        if topics.owned_by(self.venue, fetch.stream):
            for batch in answerer.answer("league", fetch, self._now()):
                self._publish("ev", envelope.encode(batch))

    def _publish(self, leaf: topics.UpLeaf, payload: bytes, *, qos: int = 1) -> None:
        self.client.publish(topics.up(self.venue, leaf), payload, qos=qos)
