"""A league of one file: what `topics`, `envelope`, `replication` and `client` are enough for.

As a program it keeps its records in a journal: python -m tests.link.mini_league HOST PORT VENUE FILE KEYS
"""

from __future__ import annotations

import json
import queue
import sys
import time
from pathlib import Path

from appliance.journal import Journal
from appliance.link import envelope, topics
from appliance.link.client import Backoff, Client, Connected, Disconnected, Endpoint, Event, Inbox, Message
from appliance.link.envelope import Ack, Batch, Fetch, Hello
from appliance.link.fetching import Answerer, Fetcher
from appliance.link.replication import Alert, Keyring, Receiver, Sender, Store
from appliance.link.role import step
from appliance.link.topics import Kind


class MiniLeague:
    def __init__(self, endpoint: Endpoint, venue: str, store: Store, keyring: Keyring) -> None:
        self.venue = venue
        self.alerts: list[Alert] = []
        self.hellos: list[Hello] = []
        self.states: list[bytes] = []
        self.inbox: Inbox = queue.SimpleQueue()
        self.receiver = Receiver(store, keyring, self.alerts.append)
        self.fetcher = Fetcher(store, self.receiver, self.alerts.append)
        self.answerer = Answerer(store)
        self.sender = Sender(
            store, self.alerts.append, carries=lambda stream: stream == f"league/{venue}",
            mends=lambda trouble: self.fetcher.mends("uplink", trouble, time.monotonic()),
        )  # fmt: skip
        self.store = store
        subscriptions = [(topics.up_filter("ev"), 1), (topics.up_filter("hello"), 1), (topics.up_filter("ack"), 0)]
        subscriptions += [(topics.up(venue, "state"), 1), (topics.up_filter("fetch"), 1)]
        self.client = Client(
            endpoint, f"ingest-{venue}", self.inbox, subscriptions=subscriptions, backoff=Backoff(0.02, 0.1)
        )

    @property
    def due(self) -> float | None:
        return min((due for due in (self.sender.due, self.fetcher.due) if due is not None), default=None)

    def handle(self, event: Event) -> None:
        match event:
            case Connected() | Disconnected():
                self.sender.reset()
            case Message(_, name, payload):
                topic = topics.parse(name)
                if topic.venue == self.venue:
                    self._take(topic.kind, payload)

    def tick(self) -> None:
        if self.client.connected:
            for batch in self.sender.poll(time.monotonic()):
                self.client.publish(topics.down(self.venue, "ev"), envelope.encode(batch))
            for _, fetch in self.fetcher.poll(time.monotonic()):
                self.client.publish(topics.down(self.venue, "fetch"), envelope.encode(fetch))

    def _take(self, kind: Kind, payload: bytes) -> None:
        acks: list[Ack] = []
        match kind:
            case Kind.UP_EV:
                batch = envelope.decode(Batch, payload)
                taken = self.receiver.take(batch)
                acks += [taken.ack] if taken.ack else []
                self.fetcher.took("uplink", batch, taken, time.monotonic())
                self.sender.resume(batch.stream, time.monotonic())
            case Kind.UP_HELLO:
                hello = envelope.decode(Hello, payload)
                self.hellos.append(hello)
                newest = {head.stream: head for head in hello.heads}  # it comes last, and unasked
                older = [head for head in hello.heads if head != newest[head.stream]]
                self.fetcher.heard("uplink", older, time.monotonic())
                self.sender.hello(hello.heads, time.monotonic())
                named = {h.stream for h in hello.heads}
                acks += self.receiver.greet(h for h in hello.heads if not h.stream.startswith("league/"))
                acks += [Ack(*head) for head in self.store.heads() if head.stream not in named]
            case Kind.UP_ACK:
                self.sender.ack(envelope.decode(Ack, payload), time.monotonic())
            case Kind.UP_FETCH:
                for batch in self.answerer.answer("uplink", envelope.decode(Fetch, payload), time.monotonic()):
                    self.client.publish(topics.down(self.venue, "ev"), envelope.encode(batch))
            case Kind.UP_STATE:
                self.states.append(payload)
        for ack in acks:
            self.client.publish(topics.down(self.venue, "ack"), envelope.encode(ack), qos=0)


def main(host: str, port: str, venue: str, file: str, keys: str) -> None:
    known = {device: bytes.fromhex(key) for device, key in json.loads(keys).items()}
    league = MiniLeague(Endpoint(host, int(port)), venue, Journal(Path(file)), lambda stream, by: known.get(by))
    league.client.start()
    while True:
        step(league, league.inbox)


if __name__ == "__main__":
    main(*sys.argv[1:])
