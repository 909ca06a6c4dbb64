"""Who listens is bounded, and one who does not take what is sent holds nobody up (DESIGN §6)."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Collection
from typing import Any

import pytest
from django.db import DatabaseError
from django.test import override_settings

from league.live import hub, looking, stream
from league.live.asgi import Event
from league.live.hub import Hub
from league.live.looking import Drawn, Seen, Told, Watched

SCOPE: dict[str, Any] = {
    "type": "http", "method": "GET", "path": "/live/rounds/R1", "query_string": b"lang=cs", "headers": [],
}  # fmt: skip


@pytest.fixture(autouse=True)
def _drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Told(1, "aa", b"event: round\n\n")
    monkeypatch.setattr(looking, "current", lambda: 1)
    monkeypatch.setattr(looking, "draw", lambda all_of, *_: Drawn(dict.fromkeys(all_of, told)))


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
        here, first, second, third = Hub(most=1), Client(), Client(), Client()
        listening = asyncio.create_task(first.listen(here))
        await _until_started(first)
        await second.listen(here)
        first.gone.set()
        await listening
        listening = asyncio.create_task(third.listen(here))
        await _until_started(third)
        await here.end()
        await listening
        return [client.got[0]["status"] for client in (first, second, third)]

    assert asyncio.run(run()) == [200, 503, 200]


def test_who_takes_nothing_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "SLOW_S", 0.05)

    async def run() -> bool:
        here, slow = Hub(most=1), Client(takes=1)
        await slow.listen(here)
        full = here.count > 0
        await here.end()
        return full

    assert asyncio.run(run()) is False


def test_a_listener_is_told_the_latest_only() -> None:
    async def run() -> list[Event]:
        here, client = Hub(), Client()
        listening = asyncio.create_task(client.listen(here))
        await _until_started(client)
        watched = looking.Watched("rounds", "R1", "cs")
        channel = await here.join(watched)
        assert channel is not None
        for n in range(2, 9):
            channel.tell(Told(n, f"a{n}", b"event: round\nid: %d\n\n" % n))
        channel.tell(Told(9, "a8", b"the same again"))
        await asyncio.sleep(0.05)
        client.gone.set()
        await listening
        here.leave(watched, channel)
        await here.end()
        return [event for event in client.got if event.get("body")]

    bodies = [event["body"] for event in asyncio.run(run())]
    assert len(bodies) == 2
    assert b"id: 8\n" in bodies[1]


BOARDS = [Watched("rounds", f"R{n}", "cs") for n in range(50)]


@pytest.mark.parametrize("error", [ValueError("out of range"), IndexError(), DatabaseError("gone"), RecursionError()])
def test_a_look_that_fails_is_not_the_last(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    """Whatever a look ends with, there is another one, and its listeners are told what it sees."""
    monkeypatch.setattr(hub, "LOOK_S", 0.01)
    looks: list[int] = []

    def look(seen: int, asked: Collection[str]) -> Seen:
        looks.append(seen)
        if len(looks) < 3:
            raise error
        return Seen(len(looks), True, frozenset(), frozenset())

    def draw(all_of: Collection[Watched], *_: float) -> Drawn:
        return Drawn({each: Told(len(looks), str(len(looks)), b"%d" % len(looks)) for each in all_of})

    monkeypatch.setattr(looking, "look", look)

    async def run() -> None:
        here = Hub()
        channel = await here.join(BOARDS[0])
        assert channel is not None
        monkeypatch.setattr(looking, "draw", draw)
        here.begin()
        await asyncio.wait_for(channel.news.wait(), 10)
        here.leave(BOARDS[0], channel)
        await here.end()

    asyncio.run(run())
    assert "public changes" in caplog.text


def test_LG_7_who_comes_is_never_given_what_was_true_before_they_came(monkeypatch: pytest.MonkeyPatch) -> None:
    now, drawn = [1], []

    def draw(all_of: Collection[Watched], *_: float) -> Drawn:
        drawn.append(now[0])
        return Drawn({each: Told(now[0], f"c{now[0]}", b"") for each in all_of})

    monkeypatch.setattr(looking, "draw", draw)
    monkeypatch.setattr(looking, "current", lambda: now[0])

    async def join(here: Hub) -> str:
        channel = await here.join(BOARDS[0])
        assert channel is not None and channel.told is not None
        return channel.told.content

    async def run() -> list[str]:
        here = Hub()
        told = [await join(here), await join(here)]
        now[0] = 2
        told += await asyncio.gather(*(join(here) for _ in range(20)))
        return told

    assert asyncio.run(run()) == ["c1"] * 2 + ["c2"] * 20
    assert drawn == [1, 2]


def test_many_boards_that_nobody_has_watched_yet_hold_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is drawn after the other, and between two of them there is room for looks and for who joins the others."""
    drawn: list[Watched] = []

    def draw(all_of: list[Watched], *_: float) -> Drawn:
        time.sleep(0.01)
        drawn.append(all_of[0])
        return Drawn({all_of[0]: Told(1, "aa", b"")})

    async def run() -> int:
        here = Hub()
        await here.join(BOARDS[0])
        monkeypatch.setattr(looking, "draw", draw)
        many = [asyncio.create_task(here.join(each)) for each in BOARDS[1:]]
        await asyncio.sleep(0)
        await here.join(BOARDS[0])
        before = len(drawn)
        await asyncio.gather(*many)
        return before

    assert asyncio.run(run()) < 10
    assert len(drawn) == len(BOARDS) - 1


def test_a_process_that_can_see_no_changes_lets_its_listeners_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "BLIND_S", 0.2)
    monkeypatch.setattr(hub, "LOOK_S", 0.01)
    monkeypatch.setattr(stream, "BEAT_S", 0.01)

    def look(seen: int, asked: Collection[str]) -> Seen:
        raise OSError("no database")

    monkeypatch.setattr(looking, "look", look)

    async def run() -> tuple[Event, Event]:
        here, client, late = Hub(), Client(), Client()
        here.begin()
        await client.listen(here)
        await late.listen(here)
        await here.end()
        return client.got[-1], late.got[0]

    last, refused = asyncio.run(run())
    assert last == {"type": "http.response.body", "body": b""}
    assert refused["status"] == 503


@pytest.mark.parametrize("what", ["failed", "gone"])
def test_a_board_that_cannot_be_drawn_keeps_no_other_one(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    """Its listeners are let go, and who comes for it is asked to come later (or told that there is none)."""
    monkeypatch.setattr(hub, "LOOK_S", 0.01)
    number = itertools.count(1)
    changed = frozenset(each.key for each in BOARDS)
    monkeypatch.setattr(looking, "look", lambda *_: Seen(next(number), False, changed, frozenset()))

    def draw(all_of: Collection[Watched], *_: float) -> Drawn:
        bad = {each for each in all_of if each.key == "R1"}
        told = {each: Told(2, "bb", b"event: round\ndata: new\n\n") for each in all_of if each not in bad}
        return Drawn(told, frozenset(bad if what == "gone" else ()), frozenset(bad if what == "failed" else ()))

    async def run() -> tuple[Event, Event]:
        here, client, late = Hub(), Client(), Client()
        other = await here.join(BOARDS[2])
        assert other is not None
        listening = asyncio.create_task(client.listen(here))
        await _until_started(client)
        monkeypatch.setattr(looking, "draw", draw)
        here.begin()
        await asyncio.wait_for(other.news.wait(), 10)
        await listening
        await late.listen(here)
        here.leave(BOARDS[2], other)
        await here.end()
        assert here.count == 0
        return client.got[-1], late.got[0]

    last, refused = asyncio.run(run())
    assert last == {"type": "http.response.body", "body": b""}
    assert refused["status"] == (503 if what == "failed" else 404)


def test_one_address_takes_no_more_than_a_house_needs() -> None:
    async def run() -> None:
        here = Hub()
        joined = [(each, await here.join(each, "a")) for each in BOARDS[: hub.MOST_BOARDS_OF_ONE]]
        assert not here.has_room(BOARDS[-1], "a")
        assert here.has_room(BOARDS[0], "a")
        assert here.has_room(BOARDS[-1], "b")
        assert here.has_room(BOARDS[-1])
        for _ in range(hub.MOST_OF_ONE - hub.MOST_BOARDS_OF_ONE):
            joined.append((BOARDS[0], await here.join(BOARDS[0], "a")))
        assert not here.has_room(BOARDS[0], "a")
        assert here.has_room(BOARDS[0], "b")
        for each, channel in joined:
            assert channel is not None
            here.leave(each, channel, "a")
        assert here.has_room(BOARDS[-1], "a")
        assert (here.count, here._of, here._channels) == (0, {}, {})

    asyncio.run(run())


def test_what_changed_is_told_before_what_is_only_drawn_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """And boards are told as they are drawn; a round nothing goes on at is not drawn each time (DESIGN §6)."""
    monkeypatch.setattr(hub, "LOOK_S", 0.01)
    drawn: list[Watched] = []
    moving = frozenset(each.key for each in BOARDS[20:])
    seen = iter([Seen(1, False, frozenset({"R49"}), moving)])
    monkeypatch.setattr(looking, "look", lambda *_: next(seen, Seen(1, False, frozenset(), frozenset())))

    def draw(all_of: list[Watched], *_: float) -> Drawn:
        drawn.append(all_of[0])
        return Drawn({all_of[0]: Told(2, "bb", b"")})

    async def run() -> None:
        here = Hub()
        for each in BOARDS:
            channel = await here.join(each)
            assert channel is not None
            channel.again_at = 0.0
        monkeypatch.setattr(looking, "draw", draw)
        here.begin()
        async with asyncio.timeout(10):
            while len(drawn) < 30:
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        await here.end()

    asyncio.run(run())
    assert drawn[0] == BOARDS[49]
    assert sorted(drawn) == sorted(BOARDS[20:])


@pytest.mark.parametrize(
    ("address", "told", "proxies", "who"),
    [
        ("203.0.113.7", "", 0, "203.0.113.7"),
        ("203.0.113.7", "198.51.100.1", 0, "203.0.113.7"),
        ("127.0.0.1", "1.1.1.1, 198.51.100.1", 1, "198.51.100.1"),
        ("127.0.0.1", "", 1, ""),
        ("::1", "", 0, ""),
        ("2001:db8::1:2:3:4", "", 0, "2001:db8::/64"),
        ("", "", 0, ""),
    ],
)
def test_a_listener_counts_for_the_house_it_comes_from(address: str, told: str, proxies: int, who: str) -> None:
    with override_settings(PROXIES=proxies):
        scope = SCOPE | {"client": (address, 1), "headers": [(b"x-forwarded-for", told.encode())] if told else []}
        assert stream._who(scope) == who
