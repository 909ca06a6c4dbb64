"""What an old director alone has reaches the one that followed, wherever that moves meanwhile."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from appliance.link.client import Endpoint, Inbox
from appliance.link.ear import Called
from appliance.link.parting import Parting
from appliance.link.roaming import Roaming
from appliance.link.seek import Seen
from tests.link.island import Mosquitto, brokers
from tests.link.stores import MemoryStore, Writer
from tests.link.test_roaming import Searching
from tests.link.test_roaming import Town as Brokers


class Town(Brokers):
    """Two brokers, and an old director that hands over; its epoch is the second."""

    def __init__(self, broker: Callable[..., Mosquitto]) -> None:
        super().__init__(broker)
        self.pen = Writer(MemoryStore(), "d1", seed=1)
        self.pen.journal_id = "00000000000000d1"
        self.keys["d1"] = self.pen.public
        self.pen.open("round/R1")
        self.pen.write("round/R1", 3)
        self.inbox: Inbox = queue.SimpleQueue()
        self.parting = Parting(
            Endpoint("127.0.0.9", 1), self.venue, "d1", "2-00000000000000d1", self.pen.store,
            lambda stream, by: self.keys.get(by), self.inbox,
        )  # fmt: skip
        self.looking = Searching()
        self.way = Roaming(self.parting, self.looking, lambda s: Endpoint(s.host, s.port))
        self.roles = [(self, self.inbox)]

    @property
    def due(self) -> float | None:
        return min((due for due in (self.parting.due, self.way.due) if due is not None), default=None)

    def handle(self, event: Any) -> None:
        if not self.way.takes(event):
            self.parting.handle(event)

    def tick(self) -> None:
        self.parting.tick()
        self.way.tick()

    def close(self) -> None:
        super().close()
        self.parting.client.stop()


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    with brokers(tmp_path) as make:
        one = Town(make)
        yield one
        one.close()


def test_who_is_not_later_is_told_nothing(town: Town) -> None:
    _, at = town.directs(0, 2)
    assert not town.parting.follows(at.notice) and not town.parting.heeds(at.notice)


def test_all_is_handed_over_to_the_one_that_is_seen(town: Town) -> None:
    follower, at = town.directs(0, 3)
    town.until(lambda: town.looking.running)
    town.inbox.put(Seen(at))  # type: ignore[arg-type]
    town.until(lambda: town.parting.done, "all is there")
    assert follower.store.raws() == town.pen.store.raws()
    assert not town.looking.running


def test_a_director_that_moves_on_meanwhile_is_followed(town: Town) -> None:
    first, at = town.directs(0, 3)
    town.roles = town.roles[:1]  # it is there and takes nothing
    town.until(lambda: town.looking.running)
    town.inbox.put(Seen(at))  # type: ignore[arg-type]
    town.until(lambda: town.parting.director, "it is found")
    town.started.remove(first)
    first.link.client.stop()
    town.places[0].kill()
    town.until(lambda: town.looking.running, "it is missed")
    second, at = town.directs(1, 4)
    town.inbox.put(Seen(at))  # type: ignore[arg-type]
    town.until(lambda: town.parting.done, "all is there")
    assert second.store.raws() == town.pen.store.raws()


def test_a_later_one_that_calls_is_gone_to_though_the_first_seems_to_be_there(town: Town) -> None:
    _, at = town.directs(0, 3)
    town.roles = town.roles[:1]
    town.until(lambda: town.looking.running)
    town.inbox.put(Seen(at))  # type: ignore[arg-type]
    town.until(lambda: town.parting.director, "it is found")
    second, at = town.directs(1, 4)
    town.inbox.put(Called(at.notice, at))  # type: ignore[arg-type]
    town.until(lambda: town.parting.done, "all is there")
    assert second.store.raws() == town.pen.store.raws()
