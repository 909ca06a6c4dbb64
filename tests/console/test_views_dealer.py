"""A dealer's phone: its own table's hand as the pad has it, and keys that reach the pad as they were meant."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from appliance import pad
from appliance.game.state import Ledger
from appliance.link.envelope import PadShown
from tests.console.viewing import Desk, buttons, dealer, roster, said
from tests.game.conftest import Evening
from tests.test_pad import Dealer

NAMES = [f"Hráč{n} Novák" for n in range(1, 10)]


def phone(*keys: str, lang: Any = "en", **more: Any) -> tuple[Desk, Dealer]:
    """A phone at table 1, after these keys of its pad."""
    table = Dealer(**more)
    for key in keys:
        table.press(key)
    evening = Evening()
    evening.ledger = Ledger(round=table.round)
    shown = PadShown(1, "s1", table.keys, msgspec.Raw(msgspec.json.encode(table.pad)))
    return Desk(
        evening, phone=dealer(1), lang=lang, roster=roster(*NAMES), tables={1: table.hands}, pads={1: shown}
    ), table


def keys_of(html: str) -> dict[str, str]:
    return {vals["keys"]: text for text, url, vals in buttons(html) if url == "/form/keys"}


def test_whose_turn_it_is_and_what_it_costs() -> None:
    html = phone()[0].view("dealer")
    assert "To act: Hráč5\u00a0N." in html and "call 50" in said(html)
    assert {"fold", "check-call", "raise", "all-in"} <= set(keys_of(html))
    assert keys_of(html)["check-call"] == "Call 50"


@pytest.mark.parametrize(("lang", "text"), [("en", "is to 300 at least"), ("cs", "nejméně na 300")])
def test_a_raise_that_is_too_small_is_told_at_once(lang: str, text: str) -> None:
    html = phone("1", "5", "0", "raise", "2", "0", "0", "raise", lang=lang)[0].view("dealer")
    assert text in said(html) and 'value="200"' in html


def test_how_the_house_reads_a_push_is_said() -> None:
    html = phone("2", "0", "0", "raise", "2", "2", "5", "push")[0].view("dealer")
    assert 'class="reading"' in html and "Hráč9" in said(html)


def test_an_amount_takes_the_place_of_what_was_typed() -> None:
    desk, table = phone("1", "5", "0", "raise", "2", "0", "0", "raise")
    asyncio.run(desk.form("keys", send=True, keys="raise", amount="400", seen="s1"))
    ((number, keys, seen),) = desk.pressed
    assert (number, seen) == (1, "s1") and table.press(*keys.split()).pad.problem is None
    assert table.hand.bets[3] == 400


def test_side_pots_and_who_shows_first() -> None:
    html = phone("all-in", "all-in", "all-in", "all-in", "next", "next", "next", stacks=(300, 500, 1000, 1000))[0].view(
        "dealer"
    )
    assert "Side 1" in said(html) and "Shows first: " in said(html)


def test_who_wins_what_is_told_once_it_is_known() -> None:
    assert "Pot: 50 →" in said(phone("fold", "fold", "fold")[0].view("dealer")).replace("\u00a0", " ")


def test_cards_are_a_rank_and_a_suit() -> None:
    html = phone(*["check-call"] * 4, "cards")[0].view("dealer")
    assert {"A", "T", "9", "2", "s", "h", "d", "c", "done"} <= set(keys_of(html)) and "Cards: rank" in said(html)
    assert {keys_of(html)[key] for key in ("T", "s")} == {"10", "♠"}


@pytest.mark.parametrize("lang", ["cs", "en"])
@pytest.mark.parametrize(
    "keys", [(), ("menu",), ("fold",) * 3, ("check-call",) * 4, ("seat", "5"), ("fold",) * 3 + ("done",)]
)
def test_every_state_of_a_pad_is_drawn(keys: tuple[str, ...], lang: str) -> None:
    html = phone(*keys, lang=lang)[0].view("dealer")
    assert "{" not in said(html) and "None" not in said(html)


def test_another_tables_pad_is_pressed_by_nobody_here() -> None:
    desk, _ = phone()
    asyncio.run(desk.form("keys", send=True, keys="fold", table="2", seen="s1"))
    assert [table for table, _, _ in desk.pressed] == [1]


def test_a_pad_that_cannot_be_read_is_an_empty_one() -> None:
    desk, table = phone()
    desk.more["pads"] = {1: PadShown(1, "s1", table.keys, msgspec.Raw(b'{"mode": 5}'))}
    assert "To act" in desk.view("dealer") and pad.Pad().typed == ""


def test_without_a_pad_the_next_hand_is_the_rounds() -> None:
    desk = Desk(Evening().seated([1, 2, 3]), phone=dealer(1))
    assert any(url == "/form/next_hand" for _, url, _ in buttons(desk.view("dealer")))
