"""Phones over generated evenings: pages are drawn whole, buttons lead somewhere, nothing is sent that is refused."""

from __future__ import annotations

import asyncio
import random
from typing import Any, Literal

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from appliance.console.views import render
from appliance.console.views.looking import here_of
from appliance.console.views.sight_pages import NOT_HERE, PAGES
from appliance.floor.catalogue import ACTIONS, BY_ID
from appliance.floor.offering import offers
from appliance.game.righttime import Spell, Times
from appliance.game.round import verify
from appliance.game.state import Phase
from appliance.kinds import DeviceAdopted, OfflineRefused, StrandedFound
from appliance.link.envelope import Spare
from bench.simulation import programme
from bench.simulation.incidents import INCIDENTS
from bench.simulation.manager import Manager
from bench.simulation.whole import WatchedBook
from tests.console.viewing import COMMISSIONER, Desk, attributes, buttons, dealer, fields, options, roster, said
from tests.game.conftest import Evening, number

NINE = tuple(range(1, 10))
LANGUAGES: tuple[Literal["cs", "en"], ...] = ("cs", "en")


def an_evening(seed: int, players: int, profile: str, hands: int) -> Any:
    """A round after so many hands, with what comes between them; before its start for none."""
    book = WatchedBook(programme.SEVEN_PM - 3_600_000, seed, every=1000)
    manager = Manager(random.Random(seed), book)
    manager.gather(players, profile)
    if hands:
        manager.start()
    for _ in range(hands):
        if book.round.phase is Phase.RUNNING:
            manager.play_a_hand()
            manager.chance.choice(list(INCIDENTS))(manager)
    return book


def desk_of(book: Any, lang: Literal["cs", "en"], **more: Any) -> Desk:
    names = roster()
    return Desk(book, lang=lang, roster=names, **more)


def names_of(desk: Desk) -> list[str]:
    """The names of all pages that there may be now."""
    round = desk.evening.ledger.round
    people = [f"player/{who}" for who in round.players] if round else []
    tables = [f"table/{n}" for n in round.tables] if round else []
    return [*PAGES, *people, *tables]


def pages_of(desk: Desk) -> dict[str, str]:
    """All pages that there are now."""
    drawn = {name: render(name, desk.asked()) for name in names_of(desk)}
    return {name: html for name, html in drawn.items() if html is not None}


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    seed=st.integers(0, 2**32), players=st.integers(3, 24), profile=st.sampled_from(programme.PROFILES),
    hands=st.integers(0, 25), lang=st.sampled_from(LANGUAGES),
)  # fmt: skip
def test_every_page_of_any_evening_is_drawn_whole_and_has_what_makes_sense(
    seed: int, players: int, profile: str, hands: int, lang: Literal["cs", "en"]
) -> None:
    desk = desk_of(an_evening(seed, players, profile, hands), lang)
    drawn = pages_of(desk)
    for name, html in drawn.items():
        assert "{" not in said(html) and "None" not in said(html), name
    offered = {offer.action.id for offer in offers(here_of(desk.asked())) if offer.refusal is None}
    found = {url.removeprefix("/form/").partition("?")[0] for html in drawn.values() for _, url, _ in buttons(html)}
    assert offered - {"choose_round"} <= found, offered - found
    for number_ in desk.evening.ledger.round.tables:
        asked = desk.asked()._replace(phone=dealer(number_))
        html = render("dealer", asked)
        assert html is not None and "{" not in said(html)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    seed=st.integers(0, 2**32), players=st.integers(3, 20), hands=st.integers(0, 15), lang=st.sampled_from(LANGUAGES)
)
def test_fingers_that_tap_anything_are_answered_and_send_only_what_the_rules_take(
    seed: int, players: int, hands: int, lang: Literal["cs", "en"]
) -> None:
    desk, chance = desk_of(an_evening(seed, players, "cpl-2017", hands), lang), random.Random(seed)
    for _ in range(25):
        html = render(chance.choice(names_of(desk)), desk.asked()) or ""
        sent = len(desk.sent)
        before = desk.evening.ledger
        if not (able := [each for each in buttons(html) if each[1].startswith("/form/")]):
            continue
        _, url, vals = chance.choice(able)
        action, _, query = url.removeprefix("/form/").partition("?")
        answers = {name: value for name, value in vals.items() if name != "do"}
        answers |= dict(part.split("=", 1) for part in query.split("&") if "=" in part)
        answer = asyncio.run(desk.form(action, send=vals.get("do") == "send", **answers))
        for _ in range(4):
            assert "{" not in said(answer)
            if "data-form=" not in answer:
                break
            filled = fill(answer, chance)
            answer = asyncio.run(desk.form(action, send=chance.random() < 0.7, **filled))
        for _, command in desk.sent[sent:][:1]:
            assert verify(before, command, desk.evening.at) is None, command


def fill(html: str, chance: random.Random) -> dict[str, str]:
    """Somebody fills a form in, most of it sensibly."""
    filled = fields(html)
    filled.pop("id", None)
    for name, values in options(html).items():
        if chance.random() < 0.8:
            filled[name] = chance.choice(values)
    for name in filled:
        if ":" in name and chance.random() < 0.3:
            filled[name] = str(chance.randint(0, 5000))
    return filled


def test_every_action_of_the_catalogue_is_on_a_page_when_it_makes_sense() -> None:
    seen: set[str] = set()
    for desk in _evenings():
        offered = {offer.action.id for offer in offers(here_of(desk.asked())) if offer.refusal is None}
        drawn = "".join(pages_of(desk).values())
        found = {url.removeprefix("/form/").partition("?")[0] for _, url, _ in buttons(drawn)}
        found |= {"choose_round"} if "data-round=" in drawn else set()
        assert offered <= found, offered - found
        seen |= offered
    assert {action.id for action in ACTIONS} - seen == set(NOT_HERE) & set(BY_ID)


def _evenings() -> list[Desk]:
    """Evenings at which, taken together, everything makes sense."""
    plays = {"reentry": True, "bonus_card": 1000, "chip_up": 500}
    busy = Evening().seated(NINE, range(10, 19), **plays).bust(3).do("absent", participant=number(2))
    busy.do("lock", on=True, participant=number(4)).do("lock", on=True, seat=[1, 3]).do("pause")
    timed = Evening().seated([1, 2, 3, 4], [5, 6, 7]).do("next_hand", table=1)
    timed.do("time_call", table=1, participant=number(1))
    out_of_time = (
        Evening().seated([1, 2, 3, 4]).do("next_hand", table=1).do("time_call", table=1, participant=number(1))
    )
    moved = Evening().seated([1, 2, 3, 4, 5, 6], [7, 8, 9, 10]).do("next_hand", table=1)
    moved.do("move", participant=number(4), seat=[2, 9]).do("move", participant=moved.table(1).seats[3], seat=[2, 8])
    venue = {
        "times": Times((Spell(1, 0, True),)),
        "spares": (Spare("spare-1", "a" * 64),),
        "notes": {
            "a": DeviceAdopted(device="door-2", key="b" * 64, role="door", by=COMMISSIONER.who),
            "b": OfflineRefused(device="t", table=1, round="R1", hand=3, last=4, code="stale", id="x", at=1),
            "c": StrandedFound(command="c", round="R1", at=1, actor=number(90), device="t", first="busted/1"),
        },
    }
    many = Evening().seated(*([n, n + 1, n + 2] for n in range(1, 19, 3))).do("absent", participant=number(2))
    two = Desk(Evening().seated(NINE))
    other = Evening().announce()
    two.others = {"R2": _renamed(other)}
    return [
        Desk(Evening().announce()), Desk(Evening().opened(5)),
        Desk(Evening().seated(NINE, range(10, 19), **plays)), Desk(busy), Desk(timed),
        Desk(out_of_time.after(minutes=5)),
        Desk(Evening().seated([1, 2, 3, 4], [5, 6, 7]).do("begin_break", minutes=5)),
        Desk(Evening().seated([1, 2, 3, 4], [5, 6, 7]).do("hand_for_hand", on=True)),
        Desk(Evening().seated([1, 2, 3]).bust(1).bust(2).do("undo")),
        Desk(Evening().seated([1, 2, 3], profile="tda-2024")), Desk(Evening().seated([1, 2, 3]).bust(1).bust(2)),
        Desk(Evening().seated([1, 2, 3, 4, 5], [6, 7])),
        Desk(Evening().seated(NINE, range(10, 19)).do("absent", participant=number(2))),
        Desk(Evening().seated([1, 2, 3, 4], [5, 6, 7, 8], profile="tda-2024", reentry=True).bust(3)),
        Desk(moved.do("move", participant=number(9), seat=[1, 3])), Desk(Evening().seated(NINE), **venue), two,
        Desk(many),
    ]  # fmt: skip


def _renamed(evening: Evening) -> Any:
    from msgspec.structs import replace

    return replace(evening.ledger, round=replace(evening.round, id="R2"))


def test_attributes_are_read_as_a_browser_reads_them() -> None:
    assert attributes('<button hx-vals="{&#34;a&#34;: 1}" disabled>') == {
        "button": "",
        "hx-vals": '{"a": 1}',
        "disabled": "",
    }
