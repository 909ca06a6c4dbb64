"""Between the console's loop and the engine thread: answers, silence, and what is newer."""

from __future__ import annotations

import asyncio
import queue
import threading
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw

from appliance.console import way as ways
from appliance.console.asked import Answered, Asked
from appliance.console.sight import Sight
from appliance.console.way import Claimed, Pressed, Served, Wanted, Way, turned_away
from appliance.game.commands import decode_command
from appliance.link.envelope import CommandMessage, PadKeys, Refusal
from appliance.phone import Phone

NOW = 1_800_000_000_000
ID = "018fd0a0-0000-7000-8000-000000000001"
PHONE = Phone(session="a1" * 8, role="commissioner", who="000001", by="door", until_ms=NOW + 1000)
DEALERS = Phone(session="b2" * 8, role="dealer", table=1, who="000001", by="door", until_ms=NOW + 1000)
PAUSE = decode_command({"do": "pause", "round": "R1"})


class Engine(threading.Thread):
    """Answers what it is asked, from a thread of its own."""

    def __init__(self, way: Way) -> None:
        super().__init__(daemon=True)
        self.inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.heard: list[Any] = []
        way.open(self.inbox)
        self.start()

    def run(self) -> None:
        while (item := self.inbox.get()) is not None:
            self.heard.append(item)
            match item:
                case Claimed():
                    item.tell("0815")
                case Wanted() | Pressed():
                    item.tell(Answered(True))
                    item.tell(Answered(False))  # nobody waits any more


@pytest.fixture
def way(tmp_path: Path) -> Way:
    return Way(tmp_path, lambda: NOW)


def test_what_is_asked_is_answered_from_the_engine_thread(way: Way) -> None:
    engine = Engine(way)

    async def ask() -> list[Any]:
        return [
            await way.command(PHONE, ID, PAUSE, 7),
            await way.note(DEALERS, ID, b"{}"),
            await way.keys(DEALERS, ID, 1, "fold", "a1"),
            await way.claim(PHONE.session, bytes(16), "Pixel"),
        ]

    assert asyncio.run(ask()) == [Answered(True), Answered(True), Answered(True), "0815"]
    command, note, keys, _ = engine.heard
    assert (command.message.device, command.message.actor, command.message.round) == (PHONE.device, "000001", "R1")
    assert command.message.revision == 7 and decode_command(bytes(command.message.body)) == PAUSE
    assert (note.message.actor, note.message.round) == ("dealer", "venue")
    assert (keys.keys.table, keys.keys.phone, keys.keys.seen) == (1, DEALERS.device, "a1")
    engine.inbox.put(None)


def test_an_engine_that_is_silent_or_has_ended_is_no_answer(way: Way, monkeypatch: pytest.MonkeyPatch) -> None:
    silence = Answered(False, Refusal("no-answer"), copied=False)
    assert asyncio.run(way.command(PHONE, ID, PAUSE, None)) == silence, "there is none yet"
    way.open(queue.SimpleQueue())
    monkeypatch.setattr(ways, "WAIT_S", 0.01)
    assert asyncio.run(way.command(PHONE, ID, PAUSE, None)) == silence
    assert asyncio.run(way.claim(PHONE.session, bytes(16), "")) is None
    way.close()
    assert asyncio.run(way.keys(PHONE, ID, 1, "fold", "")) == silence


def test_an_answer_for_somebody_who_has_gone_hurts_nobody(way: Way) -> None:
    inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
    way.open(inbox)

    async def ask() -> None:
        asking = asyncio.create_task(way.command(PHONE, ID, PAUSE, None))
        await asyncio.sleep(0)
        asking.cancel()

    asyncio.run(ask())
    inbox.get_nowait().tell(Answered(True))


def asked(sight: Sight, phone: Phone = PHONE) -> Asked:
    return Asked(sight, phone, "en", {}, 0, "R1")


def test_who_asks_anew_gets_what_is_newer_as_soon_as_it_is_there(way: Way) -> None:
    async def ask() -> Asked:
        waiting = asyncio.create_task(way.newer(asked(Sight(n=3))))
        for n in (2, 3, 4):
            await asyncio.sleep(0)
            threading.Thread(target=way.show, args=(Sight(n=n),)).start()
        return await waiting

    newer = asyncio.run(ask())
    assert newer.sight.n == 4 and newer.now_ms == NOW and newer.phone == PHONE


def test_what_is_newer_already_is_not_waited_for(way: Way) -> None:
    way.show(Sight(n=5))
    dealer = asked(Sight(n=3), DEALERS)
    way.admit({DEALERS.session: DEALERS}, {})
    assert asyncio.run(way.newer(dealer)) == dealer._replace(sight=Sight(n=5), now_ms=NOW)


def test_nobody_waits_for_ever_for_something_newer(way: Way, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ways, "NEWER_S", 0.01)
    assert asyncio.run(way.newer(asked(Sight(n=3)))).sight == way.sight


def test_a_phone_is_one_until_the_evening_is_over(tmp_path: Path) -> None:
    now = [NOW]
    way = Way(tmp_path, lambda: now[0])
    way.admit({PHONE.session: PHONE}, {PHONE.session: "confirmed"})
    assert way.phone(PHONE.session) == PHONE and way.standing(PHONE.session) == "confirmed"
    assert way.phone(DEALERS.session) is None and way.standing(DEALERS.session) == "unknown"
    now[0] = PHONE.until_ms
    assert way.phone(PHONE.session) is None
    now[0] = NOW
    way.admit({}, {PHONE.session: "cut-off"})
    assert way.phone(PHONE.session) is None and way.standing(PHONE.session) == "cut-off"


def test_the_engine_hears_where_the_pages_are(way: Way) -> None:
    way.served(8090, False)
    inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
    way.open(inbox)
    way.served(8090, True)
    assert inbox.get_nowait() == Served(8090, secure=True) and inbox.empty()


def test_when_a_phone_was_heard_of_last_is_known_by_its_counts(way: Way) -> None:
    way.kept.hold(PHONE.session, bytes(32))
    assert not way.take(PHONE.session, 0) and way.seen == {}
    assert way.take(PHONE.session, 1) and way.seen == {PHONE.session: NOW} and way.high(PHONE.session) == 1


def test_a_director_that_has_been_followed_turns_phones_away_and_takes_nothing_else():
    told: list[object] = []
    message = CommandMessage("a", "phone-1", "000001", "R1", 1000, Raw(b"{}"))
    for event in (
        Wanted("s", message, told.append), Pressed("s", PadKeys("b", 1, "phone-1", "fold"), told.append),
        Claimed("s", b"", "", told.append), Served(8090, False),
    ):  # fmt: skip
        assert turned_away(event)
    assert told == [Answered(False, Refusal("not-directing"))] * 2 + [None]
    assert not turned_away(None)
