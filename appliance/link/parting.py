"""The last words of a director that another one followed: it hands over what it alone has, then it may end.

As a device it says hello to the new director and names all it holds. The director fetches what it lacks (see
`appliance.link.fetching`), and acknowledges each head once it is there.
"""

from __future__ import annotations

import time
from functools import partial

from appliance.forks import stranded_heads
from appliance.link import envelope, topics
from appliance.link.client import Client, Connected, Disconnected, Endpoint, Event, Message, Presence, Sink
from appliance.link.envelope import Ack, DirectorNotice, Fetch, Hello, State
from appliance.link.fetching import Answerer
from appliance.link.notices import is_genuine
from appliance.link.role import Door, Now
from appliance.link.store import Keyring, Store
from appliance.link.topics import Kind
from appliance.record import Epoch

AGAIN_S = 2.0
"""Between two hellos, as long as something is not there yet."""


class Parting:
    """Hands over what is in a store. ``epoch``: the one in which the venue's stream was written here."""

    def __init__(
        self,
        endpoint: Endpoint,
        venue: str,
        device: str,
        epoch: str,
        store: Store,
        keyring: Keyring,
        inbox: Sink,
        now: Now = time.monotonic,
    ) -> None:
        self.venue, self.device = venue, device
        self._epoch = Epoch.parse(epoch)
        self._store = store
        self._keyring = keyring
        self._now = now
        self._answerer = Answerer(store)
        self._heads = [*store.heads(), *stranded_heads(store)]
        self._missing = {(head.stream, head.epoch): head.seq for head in self._heads}
        self._hello_at: float | None = None
        self.director: DirectorNotice | None = None
        here, gone = (envelope.encode(State(device, online, "director")) for online in (True, False))
        self._connect = partial(
            Client, client_id=f"lan-{venue}-{device}", inbox=inbox,
            subscriptions=[(topics.director(venue), 1), (topics.reply_filter(venue, device), 1)],
            presence=Presence(topics.device(venue, device, "state"), here, gone),
        )  # fmt: skip
        self.client: Client = self._connect(endpoint)
        self._door = Door(venue, self.client)

    @property
    def done(self) -> bool:
        """Whether the new director has all of it."""
        return not self._missing

    @property
    def due(self) -> float | None:
        """When `tick` wants to be called even if nothing happens."""
        return self._hello_at

    def follows(self, notice: DirectorNotice) -> bool:
        """Whether a director of whom it hears elsewhere is one that followed."""
        return self._followed(notice) and is_genuine(notice, self._keyring)

    def heeds(self, notice: DirectorNotice) -> bool:
        """Whether it would leave the director that it has for one that calls, were it genuine. For any thread."""
        director = self.director
        later = director is None or Epoch.parse(notice.epoch) > Epoch.parse(director.epoch)
        return later and self._followed(notice)

    def doubt(self) -> None:
        """The next hello will tell."""

    def move(self, endpoint: Endpoint) -> None:
        """Leave the broker, without waiting for it, and connect to another."""
        self.client.leave()
        self.client = self._door.client = self._connect(endpoint)
        self._hello_at = self.director = None
        self.client.start()

    def handle(self, event: Event) -> None:
        """Take one event."""
        if event.client is not self.client:
            return
        match event:
            case Message():
                self._message(event)
            case Connected() | Disconnected():
                self._hello_at = self.director = None

    def tick(self) -> None:
        """Say hello when it is due."""
        self._door.check_alive()
        now = self._now()
        if self._hello_at is not None and now >= self._hello_at and self.client.connected:
            self._hello_at = now + AGAIN_S
            hello = Hello(self.device, tuple(self._heads), copies=False, parting=True)
            self.client.publish(topics.device(self.venue, self.device, "hello"), envelope.encode_hello(hello))

    def _message(self, message: Message) -> None:
        topic = self._door.topic(message)
        if topic is None:
            return
        match topic.kind:
            case Kind.DIRECTOR:
                self._notice(message)
            case Kind.REPLY_FETCH:
                if (fetch := self._door.read(Fetch, message)) is not None:
                    for batch in self._answerer.answer("director", fetch, self._now()):
                        self.client.publish(topics.device(self.venue, self.device, "ev"), envelope.encode(batch))
            case Kind.REPLY_ACK:
                if (ack := self._door.read(Ack, message)) is not None:
                    self._acknowledged(ack)

    def _notice(self, message: Message) -> None:
        """A director of a later epoch is there; of its own, which a broker may have kept, nobody is meant."""
        notice = self._door.read(DirectorNotice, message) if message.payload else None
        self.director = notice if notice is not None and self.follows(notice) else None
        self._hello_at = None if self.director is None else self._now()

    def _followed(self, notice: DirectorNotice) -> bool:
        return notice.venue == self.venue and Epoch.parse(notice.epoch) > self._epoch

    def _acknowledged(self, ack: Ack) -> None:
        if ack.upto >= self._missing.get((ack.stream, ack.epoch), ack.upto + 1):
            del self._missing[ack.stream, ack.epoch]
