"""Who listens is bounded, and one who does not take what is sent holds nobody up (DESIGN §6)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from league.live import looking, stream
from league.live.asgi import Event
from league.live.hub import Hub
from league.live.looking import Told

SCOPE: dict[str, Any] = {
    "type": "http", "method": "GET", "path": "/live/rounds/R1", "query_string": b"lang=cs", "headers": [],
}  # fmt: skip


@pytest.fixture(autouse=True)
def _drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "draw", lambda all_of: {each: Told(1, "aa", b"event: round\n\n") for each in all_of})


class Client:
    """What a listener got; ``takes``: how many messages it takes before it takes none."""

    def __init__(self, takes: int = 1000) -> None:
        self.got: list[Event] = []
        self._takes = takes
        self.gone = asyncio.Event()

    async def send(self, event: Event) -> None:
        if len(self.got) >= self._takes:
            await asyncio.Event().wait()
        self.got.append(event)

    async def receive(self) -> Event:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def listen(self, hub: Hub) -> None:
        await asyncio.wait_for(stream.Stream(hub)(SCOPE, self.receive, self.send), 10)


async def _until_started(client: Client) -> None:
    while not client.got:
        await asyncio.sleep(0.01)


def test_one_too_many_is_asked_to_come_later_and_finds_room_when_somebody_left() -> None:
    async def run() -> list[int]:
        hub, first, second, third = Hub(most=1), Client(), Client(), Client()
        listening = asyncio.create_task(first.listen(hub))
        await _until_started(first)
        await second.listen(hub)
        first.gone.set()
        await listening
        listening = asyncio.create_task(third.listen(hub))
        await _until_started(third)
        await hub.end()
        await listening
        return [client.got[0]["status"] for client in (first, second, third)]

    assert asyncio.run(run()) == [200, 503, 200]


def test_who_takes_nothing_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "SLOW_S", 0.05)

    async def run() -> bool:
        hub, slow = Hub(most=1), Client(takes=1)
        await slow.listen(hub)
        full = hub.is_full
        await hub.end()
        return full

    assert asyncio.run(run()) is False


def test_a_listener_is_told_the_latest_only() -> None:
    async def run() -> list[Event]:
        hub, client = Hub(), Client()
        listening = asyncio.create_task(client.listen(hub))
        await _until_started(client)
        watched = looking.Watched("rounds", "R1", "cs")
        channel = await hub.join(watched)
        assert channel is not None
        for n in range(2, 9):
            channel.tell(Told(n, f"a{n}", b"event: round\nid: %d\n\n" % n))
        channel.tell(Told(9, "a8", b"the same again"))
        await asyncio.sleep(0.05)
        client.gone.set()
        await listening
        hub.leave(watched, channel)
        await hub.end()
        return [event for event in client.got if event.get("body")]

    bodies = [event["body"] for event in asyncio.run(run())]
    assert len(bodies) == 2
    assert b"id: 8\n" in bodies[1]
