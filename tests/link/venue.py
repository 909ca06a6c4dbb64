"""A venue in one thread: a director and devices over a real broker, each with a store and an inbox of its own."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from typing import Any, TypeVar

from appliance.link.client import Backoff, Client, Endpoint, Inbox
from appliance.link.envelope import Ack, CommandMessage, DirectorNotice, Hello, Reply
from appliance.link.lan import DirectorLink, KioskLink
from appliance.link.notices import signed_notice
from appliance.link.replication import Alert, Sender
from appliance.link.role import Role, step
from appliance.record import Epoch
from tests.link.harness import pump
from tests.link.stores import MemoryStore, Writer

T = TypeVar("T")
EPOCH = "1-00000000000000d1"


def hurry(client: Client) -> None:
    """Tests do not wait seconds for a broker to come back."""
    client._backoff = Backoff(0.02, 0.1)


def impatient(sender: Sender | None) -> None:
    """Nor three seconds for what a sender repairs by itself."""
    assert sender is not None
    sender._stall_s = 0.3


class Director:
    def __init__(
        self, endpoint: Endpoint, venue: str, keys: dict[str, bytes], notice: DirectorNotice | None = None
    ) -> None:
        self.store = MemoryStore()
        self.writer = Writer(self.store, "d1", seed=1)
        self.writer.journal_id = Epoch.parse(EPOCH).journal
        keys["d1"] = self.writer.public
        self.alerts: list[Alert] = []
        self.commands: list[CommandMessage] = []
        self.hellos: list[Hello] = []
        self.gone: list[str] = []
        self.copied: list[tuple[str, Ack]] = []
        self.received: list[tuple[str, int]] = []
        self.fenced: list[DirectorNotice] = []
        self.lost: list[bytes] = []
        self.inbox: Inbox = queue.SimpleQueue()
        self.clock_ms = 1_800_000_000_000
        self.link = DirectorLink(
            endpoint, notice or signed_notice(venue, "d1", EPOCH, self.writer.key), self.store,
            lambda stream, by: keys.get(by), self.inbox,
            clock=lambda: self.clock_ms + time.monotonic_ns() // 1_000_000,
            on_command=self.on_command, on_hello=self.hellos.append, on_gone=self.gone.append,
            on_records=lambda stream, records: self.received.append((stream, len(records))),
            on_copied=lambda device, ack: self.copied.append((device, ack)),
            on_fenced=self.fenced.append, on_lost=self.lost.extend, alert=self.alerts.append,
        )  # fmt: skip
        hurry(self.link.client)
        self.answer: Callable[[CommandMessage], Reply | None] = lambda command: None

    def on_command(self, command: CommandMessage) -> None:
        self.commands.append(command)
        if (reply := self.answer(command)) is not None:
            self.link.reply(command.device, reply)


class Kiosk:
    def __init__(
        self, endpoint: Endpoint, venue: str, device: str, keys: dict[str, bytes], store: MemoryStore, **options: Any
    ) -> None:
        self.device = device
        self.store = store
        self.alerts: list[Alert] = []
        self.replies: list[Reply] = []
        self.directors: list[DirectorNotice | None] = []
        self.received: list[tuple[str, int]] = []
        self.inbox: Inbox = queue.SimpleQueue()
        self.link = KioskLink(
            endpoint, venue, device, store, lambda stream, by: keys.get(by), self.inbox,
            clock=lambda: time.monotonic_ns() // 1_000_000,
            on_records=lambda stream, records: self.received.append((stream, len(records))),
            on_reply=self.replies.append, on_director=self.directors.append, alert=self.alerts.append, **options,
        )  # fmt: skip
        hurry(self.link.client)


class Evening:
    """Everybody of one venue; `until` lets them work."""

    def __init__(self, endpoint: Endpoint, venue: str) -> None:
        self.endpoint = endpoint
        self.venue = venue
        self.keys: dict[str, bytes] = {}
        self.roles: list[tuple[Role, Inbox]] = []
        self.director = Director(endpoint, venue, self.keys)
        self.start(self.director)

    def start(self, member: Director | Kiosk) -> None:
        member.link.client.start()
        self.roles.append((member.link, member.inbox))

    def stop(self, member: Director | Kiosk) -> None:
        self.roles.remove((member.link, member.inbox))
        member.link.client.stop()

    def kiosk(self, device: str, store: MemoryStore | None = None, **options: Any) -> Kiosk:
        kiosk = Kiosk(
            self.endpoint, self.venue, device, self.keys, MemoryStore() if store is None else store, **options
        )
        self.start(kiosk)
        return kiosk

    def table(self, number: int) -> tuple[Kiosk, Writer]:
        """A table's kiosk and its pen."""
        store = MemoryStore()
        writer = Writer(store, f"k{number}", seed=10 + number)
        self.keys[writer.device] = writer.public
        stream = f"table/{self.venue}-{number}"
        writer.open(stream)
        return self.kiosk(writer.device, store, writes={stream}), writer

    def restart_director(self) -> Director:
        """A new process over the same store."""
        self.stop(self.director)
        return self.restart_director_after_stop()

    def restart_director_after_stop(self) -> Director:
        """The new process, when the old one is gone already."""
        old = self.director
        self.director = Director(self.endpoint, self.venue, self.keys)
        self.director.store.lines = old.store.lines
        self.start(self.director)
        return self.director

    def gather(self, notice: DirectorNotice) -> Director:
        """A director with that notice over the same store."""
        old = self.director
        self.director = Director(self.endpoint, self.venue, self.keys, notice=notice)
        self.director.store.lines = old.store.lines
        self.start(self.director)
        return self.director

    def until(self, condition: Callable[[], T], what: str = "") -> T:
        return pump(self.roles, condition, what)

    def work(self, turns: int = 50) -> None:
        """Let everybody do what there is to do."""
        for _ in range(turns):
            for role, inbox in self.roles:
                step(role, inbox, longest_s=0.002)

    def equal(self, *kiosks: Kiosk) -> None:
        """Work until all copies are the director's, and everybody knows."""
        ours = self.director.store
        self.until(
            lambda: (
                all(k.store.raws() == ours.raws() for k in kiosks)
                and all(
                    {k.device for k in kiosks} - set(self.director.link.holders(*head[:3]))
                    <= {owner(kiosks, head.stream)}
                    for head in ours.heads()
                )
            ),
            "equal copies, all acknowledged",
        )

    def close(self) -> None:
        for link, _ in self.roles:
            assert isinstance(link, DirectorLink | KioskLink)
            link.client.stop()


def owner(kiosks: tuple[Kiosk, ...], stream: str) -> str:
    """The device that writes a stream: it is never asked to acknowledge it."""
    return next((k.device for k in kiosks if stream in k.link._writes), "")
