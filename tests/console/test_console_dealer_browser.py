"""A dealer's phone at a table where every action is keyed in: each is ruled at once, to the last side pot."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from appliance.apps.demo_season import PLAYERS
from tests.console.stage import Phone, Stage, staged

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(os.geteuid() != 0, reason="networks of their own are made by root"),
]
WHO = [person.number for person in PLAYERS[:4]]
STACKS = dict(zip(WHO, (1000, 2000, 3000, 6000), strict=True))
BARTOLOMEJ, ZOFIE, REHOR, ANEZKA = "Bartoloměj P.", "Žofie Ď.", "Řehoř Š.", "Anežka K."


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """Four at the table, the button at 4."""
    with staged(tmp_path, tracked=("table-1",)) as stage:
        stage.floor.must("open")
        for number in WHO:
            stage.floor.must("register", participant=number, identity_checked=True)
        stage.floor.must("start", seats={number: [1, seat] for seat, number in enumerate(WHO, 1)}, button=4)
        stage.floor.must("stacks", table=1, stacks=STACKS)
        yield stage


def cards(phone: Phone, text: str) -> None:
    phone.key("cards")
    for card in text.split():
        phone.key(card[0])
        phone.key(card[1])
    phone.key("done")


def test_a_hand_is_declared_ruled_and_shown_down_on_a_dealers_phone(stage: Stage) -> None:
    phone = stage.paired(stage.phone("en", 320, 640), table=1)
    phone.key("next")
    phone.key("raise", "75")
    expect(phone.page.locator(".want[role=alert]")).to_contain_text("100 at least")
    phone.key("raise", "400")
    phone.key("push", "500+25")  # chips without a word, and too few of them for a raise
    expect(phone.page.locator(".reading")).to_contain_text(f"{ANEZKA}: call 400")
    phone.key("undo")
    phone.key("undo")
    for _ in range(4):
        phone.key("all-in")
    expect(phone.page.locator(".reading")).to_contain_text(f"{ZOFIE}: call 1,950")
    expect(phone.page.locator(".pots")).to_have_text("Pot 4,000Side 1 3,000Side 2 2,000")
    expect(phone.page.locator(".order")).to_have_text(f"Shows first: {REHOR} → {ANEZKA} → {BARTOLOMEJ} → {ZOFIE}")

    for street in ("Ah Kd 7s", "7c", "2d"):
        cards(phone, street)
    for seat, hand in ((3, "As Qs"), (4, "Kh Kc"), (1, "7h 7d"), (2, "3h 4h")):
        phone.key(f"seat-{seat}")
        cards(phone, hand)
    won = phone.page.locator(".won")
    expect(won).to_have_count(3)
    assert [text.replace("\xa0", " ") for text in won.all_inner_texts()] == [
        f"Pot: 4,000 → {BARTOLOMEJ} (four of a kind, sevens)",
        f"Side 1: 3,000 → {ANEZKA} (full house, kings over sevens)",
        f"Side 2: 2,000 → {ANEZKA} (full house, kings over sevens)",
    ]
    round = stage.wait("both to be out", lambda round: round if len(round.eliminations) == 2 else None)
    assert round is not None
    assert {number: round.players[number].chips for number in WHO} == dict(zip(WHO, (4000, 0, 0, 8000), strict=True))
    assert not phone.complaints and not phone.outside


def test_of_two_phones_at_one_table_a_key_counts_once(stage: Stage) -> None:
    """What is on the other phone has moved on, and says so; it takes nobody's turn."""
    dealer = stage.paired(stage.phone("en", 320, 640), table=1)
    other = stage.paired(stage.phone("en", 320, 640), table=1)
    dealer.key("next")
    for phone in (dealer, other):
        expect(phone.page.locator("p.turn")).to_contain_text(REHOR)
    taps = [phone.page.locator('#page button[hx-vals*=\'"keys":"fold"\']') for phone in (dealer, other)]
    for tap in taps:
        tap.evaluate("(each) => setTimeout(() => each.click(), 200)")
    for phone in (dealer, other):
        expect(phone.page.locator("p.turn")).to_contain_text(ANEZKA)
    dealer.page.wait_for_timeout(500)
    expect(other.page.locator("p.turn")).to_contain_text(ANEZKA)
