"""A sender's and a receiver's store with both machines over them, for the cases of the protocol."""

from __future__ import annotations

from msgspec import Raw

from appliance.link import envelope
from appliance.link.envelope import Batch
from appliance.link.replication import Alert, Receiver, Sender
from tests.link.stores import MemoryStore, Writer

STREAM = "round/R1"


class Pair:
    """A sender's and a receiver's store with both machines over them."""

    def __init__(self) -> None:
        self.alerts: list[Alert] = []
        self.here, self.there = MemoryStore(), MemoryStore()
        self.writer = Writer(self.here)
        self.keys = {"d1": self.writer.public}
        self.now = 0.0
        self.restart()

    def restart(self) -> None:
        self.sender = Sender(self.here, self.alerts.append)
        self.receiver = Receiver(self.there, lambda stream, by: self.keys.get(by), self.alerts.append)

    def turn(self) -> int:
        """One exchange without loss; how many batches went."""
        batches = self.sender.poll(self.now)
        for batch in batches:
            taken = self.receiver.take(envelope.decode(Batch, envelope.encode(batch)))
            if taken.ack:
                self.sender.ack(taken.ack, self.now)
        return len(batches)

    def run(self, turns: int = 40) -> None:
        """Exchange until nothing is sent; time passes only when nothing moves."""
        for _ in range(turns):
            if not self.turn():
                if self.sender.due is None:
                    return
                self.now = self.sender.due
        raise AssertionError("it never came to rest")

    def kinds(self) -> list[type[Alert]]:
        return [type(alert) for alert in self.alerts]


def batch_of(store: MemoryStore, first: int, last: int, stream: str = STREAM) -> Batch:
    epoch = store.epochs(stream)[0]
    items = store.read(stream, epoch, first - 1, 1 << 30)[: last - first + 1]
    return Batch(stream, epoch, first, tuple(Raw(raw) for raw, _ in items), items[-1][1] or bytes(64))
