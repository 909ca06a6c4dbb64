"""What a phone is told has changed: never less than what its pages are drawn from."""

from __future__ import annotations

import asyncio

from appliance.console import events
from appliance.console.events import VIEWS_OF, Hub, changed
from appliance.console.head import head, round_of
from appliance.console.sight import Sight
from appliance.console.tickets import MOST_A_PHONE, VALID_S, Tickets
from appliance.console.views.sight_pages import PAGES
from tests.game.conftest import Evening


def test_every_field_of_what_is_known_belongs_to_views_and_every_view_to_fields():
    assert set(VIEWS_OF) == set(Sight._fields) - {"n", "venue"}
    assert {*PAGES, "player", "table", "dealer"} == {view for views in VIEWS_OF.values() for view in views}


def test_what_is_the_same_though_made_anew_is_no_change():
    assert changed(Sight(devices=("a",)), Sight(devices=("a",), n=7)) == set()
    assert "devices" in changed(Sight(), Sight(devices=("a",)))


def test_the_head_is_the_clock_of_the_round_in_numbers():
    evening = Evening().seated(range(1, 6))
    sight = Sight(ledgers={"R1": evening.ledger})
    told = head(sight, "R1", evening.at)
    assert told is not None
    assert (told["level"], told["left_in"], told["running"], told["break"]) == (1, 5, True, False)
    assert told["ends_at"] == evening.at + told["left"]
    evening.do("pause")
    stopped = head(sight._replace(ledgers={"R1": evening.ledger}), "R1", evening.at + 60_000)
    assert stopped is not None and stopped["ends_at"] is None and stopped["left"] == told["left"]
    assert head(sight, "R2", evening.at) is head(Sight(), None, 0) is None
    assert head(Sight(ledgers={"R1": Evening().opened(3).ledger}), "R1", 0) == {
        "round": "R1", "phase": "open", "players": 3,
    }  # fmt: skip


def test_a_phone_is_about_the_round_it_names_or_the_one_of_its_table():
    evening = Evening().seated(range(1, 6))
    sight = Sight(ledgers={"R1": evening.ledger})
    assert round_of(sight, "R1", evening.at) == round_of(sight, "R9", evening.at) == "R1"
    assert round_of(Sight(), "R1", 0) is None


def test_a_stream_tells_where_things_stand_and_not_each_step_there(monkeypatch):
    monkeypatch.setattr(events, "HEARTBEAT_S", 0.01)

    async def run() -> list[str]:
        hub = Hub(lambda: 7)
        stream = hub.stream("a", "", lambda: None, lambda: True)
        told = [(await anext(stream)).decode()]
        for n in range(1, 50):
            hub.show(Sight(n=n, devices=(str(n),)))
        told.append((await anext(stream)).decode())
        told.append((await anext(stream)).decode())
        assert hub.listeners == 1
        hub.close()
        assert [each async for each in stream] == [] and hub.listeners == 0
        return told

    first, second, third = asyncio.run(run())
    assert first.startswith("event: change\n") and '"views":["*"]' in first
    assert '"views":["devices","more"]' in second and second.count("event:") == 1
    assert third.startswith("event: now\n")


def test_a_version_that_is_none_of_this_run_means_that_nothing_is_known():
    async def first(since: str) -> str:
        hub = Hub(lambda: 7)
        hub.show(Sight(n=1))
        stream = hub.stream("a", since.replace("START", hub._start), lambda: None, lambda: True)
        told = (await anext(stream)).decode()
        await stream.aclose()
        return told

    for since in ("", "x", "START-", "START-99", "START--1", "START-１", "START-" + "9" * 5000, "00000000-1"):
        assert '"views":["*"]' in asyncio.run(first(since)), since
    assert '"views":[]' in asyncio.run(first("START-1"))


def test_tickets_are_good_once_for_a_while_and_few_at_a_time():
    now = [0.0]
    tickets = Tickets(lambda: now[0])
    one, two = tickets.give("a", "/events"), tickets.give("a", "/events")
    assert tickets.take(one, "/events") == "a" and tickets.take(one, "/events") is None
    assert tickets.take(two, "/print/slip") is None and tickets.take(two, "/events") is None
    late = tickets.give("a", "/events")
    now[0] = VALID_S
    assert tickets.take(late, "/events") is None
    many = [tickets.give("a", "/events") for _ in range(MOST_A_PHONE + 3)]
    other = tickets.give("b", "/events")
    assert [tickets.take(each, "/events") for each in many] == [None] * 3 + ["a"] * MOST_A_PHONE
    assert tickets.take(other, "/events") == "b"


def test_a_phone_that_comes_back_again_and_again_ends_the_streams_it_left_behind():
    async def run() -> None:
        hub = Hub(lambda: 7)
        streams = [hub.stream("a", "", lambda: None, lambda: True) for _ in range(events.MOST_A_PHONE + 1)]
        other = hub.stream("b", "", lambda: None, lambda: True)
        for each in (other, *streams):
            await anext(each)
        assert [each async for each in streams[0]] == []
        assert hub.listeners == events.MOST_A_PHONE + 1
        for each in (other, *streams[1:]):
            await each.aclose()
        assert hub.listeners == 0 and not hub._ears

    asyncio.run(run())
