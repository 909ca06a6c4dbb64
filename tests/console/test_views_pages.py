"""Every page in both languages: nothing missing, nothing unescaped, every action of the catalogue to be found."""

from __future__ import annotations

import asyncio
from typing import Literal

import pytest

from appliance.console.views import render
from appliance.console.views.looking import here_of
from appliance.console.views.page import Page
from appliance.console.views.parts import drawn
from appliance.console.views.sight_pages import GROUP_PAGES, NOT_HERE, PAGES
from appliance.floor.catalogue import ACTIONS, BY_ID, GROUPS
from appliance.floor.offering import offers
from tests.console.viewing import Desk, buttons, dealer, roster, said
from tests.game.conftest import Evening, number

NINE = tuple(range(1, 10))
NAMES = [*PAGES, "player/000001", "table/1"]


@pytest.mark.parametrize("lang", ["cs", "en"])
@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_drawn_before_during_and_after_a_round(name: str, lang: Literal["cs", "en"]) -> None:
    evenings = [Evening(), Evening().announce(), Evening().opened(5), Evening().seated(NINE, range(10, 19))]
    evenings.append(Evening().seated([1, 2, 3]).bust(1).bust(2))
    for evening in evenings:
        html = render(name, Desk(evening, lang=lang).asked())
        assert html is None or ("{" not in said(html) and "None" not in said(html))
    assert render(name, Desk(evenings[3], lang=lang).asked())


@pytest.mark.parametrize(
    "name", ["", "nothing", "clock/1", "player/999999", "player/x", "player/١", "table/77", "table/-1", "dealer"]
)
def test_there_are_no_other_pages(name: str) -> None:
    assert render(name, Desk(Evening().seated(NINE)).asked()) is None


def test_each_group_of_the_catalogue_has_its_page() -> None:
    assert set(GROUPS) <= set(GROUP_PAGES)
    assert set(GROUP_PAGES.values()) <= set(PAGES)
    assert all(reason for reason in NOT_HERE.values())


def test_what_makes_sense_now_is_on_a_page() -> None:
    evening = Evening().seated(NINE, range(10, 19), reentry=True, bonus_card=1000, chip_up=500)
    seen: set[str] = set()
    for desk in (
        Desk(Evening().announce()),
        Desk(Evening().opened(5)),
        Desk(evening),
        Desk(evening.bust(3).do("absent", participant=number(2))),
    ):
        offered = {offer.action.id for offer in offers(here_of(desk.asked())) if offer.refusal is None}
        pages = [
            render(name, desk.asked()) for name in (*PAGES, *(f"player/{number(n)}" for n in range(1, 19)), "table/1")
        ]
        found = {url.removeprefix("/form/").partition("?")[0] for html in pages if html for _, url, _ in buttons(html)}
        assert offered <= found, offered - found
        seen |= offered
    assert len(seen) > 25


def test_every_action_has_a_form() -> None:
    desk = Desk(Evening().seated(NINE))
    for action in ACTIONS:
        html = asyncio.run(desk.form(action.id))
        assert (f'data-form="{action.id}"' in html) is (
            action.id not in NOT_HERE and action.request != "choose-round"
        ), action.id


def test_names_are_escaped() -> None:
    nasty = "<img src=x onerror=alert(1)> \"&'"
    desk = Desk(Evening().seated(NINE), roster=roster(*[nasty] * 9))
    pages = [desk.view(name) for name in ("players", "player/000001", "tables", "table/1", "door", "history")]
    pages.append(asyncio.run(desk.form("bust", participant=nasty)))
    pages.append(asyncio.run(desk.form("sanction", **{"participant": number(1), "reason.typed": nasty})))
    assert all("<img" not in html for html in pages)


def test_a_dealer_sees_their_table_and_nothing_else() -> None:
    desk = Desk(Evening().seated(NINE, range(10, 19)), phone=dealer(1))
    assert all(render(name, desk.asked()) is None for name in NAMES)
    assert "Hráč1 N." in desk.view("dealer") and "Hráč12" not in desk.view("dealer")


def test_what_many_phones_ask_for_at_once_is_drawn_once_and_never_for_the_wrong_one() -> None:
    desk = Desk(Evening().seated(NINE, range(10, 19)))
    asked = desk.asked()
    first = render("clock", asked)
    assert render("clock", asked) is first
    czech = render("clock", asked._replace(lang="cs"))
    assert czech is not None and first is not None and "Stop the clock" in first and "Stop the clock" not in czech
    assert render("dealer", asked) is None and render("clock", asked._replace(phone=dealer(1))) is None
    assert render("dealer", asked._replace(phone=dealer(1))) != render("dealer", asked._replace(phone=dealer(2)))
    desk.elsewhere("pause")
    assert "Stop the clock" not in desk.view("clock")


def test_what_a_ruling_asks_next_hangs_on_what_was_answered() -> None:
    page = Page(Desk(Evening().seated(NINE)).asked())
    found = [field for field in drawn(page, BY_ID["ruling"], {"ruling": "I-6"}) if field.name.startswith("fact-")]
    assert found and all(field.leads_on for field in found)
