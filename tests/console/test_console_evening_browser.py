"""Two commissioners' phones and a dealer's play the whole published evening by taps, at a director that runs.

What the script of that evening asks for is asked by a thumb here, by one phone or the other; what the script's round
refuses, the form refuses before it is sent. Seats are drawn, as nobody can name them at a start on the floor: with this
seed those who leave the round in one hand sit together, as in the script.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import expect

from appliance.game.report import report
from appliance.game.state import Phase, Round, Status
from tests.console.stage import SECOND, Phone, Stage, folded_results, script, staged

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(os.geteuid() != 0, reason="networks of their own are made by root"),
]


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with staged(tmp_path) as stage:
        yield stage


def _stands(stands: bool, round: Round) -> bool:
    return round.clock is not None and round.clock.running is not stands


def _is_paid(number: str, round: Round) -> bool:
    return round.players[number].paid > 0


class Hands:
    """Who holds which phone, and the evening in parts."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.czech = stage.paired(stage.phone("cs", 412, 915))
        self.english = stage.paired(stage.phone("en", 320, 640), person=SECOND)
        self.dealer = stage.paired(stage.phone("cs", 320, 640), table=1)
        self._turn = 0

    @property
    def next(self) -> Phone:
        """The one phone, then the other."""
        self._turn += 1
        return self.czech if self._turn % 2 else self.english

    def has(self, what: str, holds: Callable[[Round], bool]) -> Round:
        """All screens' copies come from what the director wrote: wait for it there."""
        found = self.stage.wait(what, lambda round: round if holds(round) else None)
        assert found is not None
        return found

    @property
    def now(self) -> Round:
        """The round as the door's screen has it."""
        return self.has("the round", lambda round: True)

    # -- before the start --------------------------------------------------------------------------------

    def door(self) -> None:
        self.czech.view("clock")
        self.czech.does("open")
        for line in script():
            if line["do"] == "register" and line["identity_checked"]:
                self._register(self.next, line["participant"], line.get("deposits_24h"))
        round = self.has("all", lambda round: len(round.players) == 18)
        assert sum(player.deposit for player in round.players.values()) == 18 * 375

    def _register(self, phone: Phone, number: str, elsewhere: int | None) -> None:
        phone.view("door")
        phone.tap("register")
        more = {} if elsewhere is None else {"deposits_24h": elsewhere}
        phone.fill("register", participant=number, **more)
        is_in = number in self.now.players
        if is_in or elsewhere == 150:  # twice, and above the limit of 24 hours
            phone.send(done=False)
            expect(phone.sheet("register").locator(".why")).to_be_visible()
            phone.page.locator("#sheet [data-close]").tap()
            return
        phone.send()
        self.has(number, lambda round: number in round.players)

    def start(self) -> None:
        self.english.view("clock")
        self.english.does("start")
        self.has("the start", lambda round: round.phase is Phase.RUNNING)
        for phone in (self.czech, self.english):
            phone.view("clock")
            expect(phone.page.locator("#head-left")).to_have_text(re.compile("18"))

    # -- hands -------------------------------------------------------------------------------------------

    def next_hand(self, table: int) -> None:
        """The dealer's phone begins it at table 1, a commissioner's at the other."""
        hand = self.now.tables[table].hand + 1
        if table == 1:
            self.dealer.key("next")
        else:
            phone = self.next
            phone.view(f"table/{table}")
            phone.does("next_hand")
        self.has(f"hand {hand} at table {table}", lambda round: round.tables[table].hand == hand)

    # -- the round ---------------------------------------------------------------------------------------

    def deposits(self) -> None:
        phone = self.english
        phone.view("door")
        phone.page.locator("#find-door").fill("105")
        phone.does("deposit", {"participant": "000105"}, amount=100)
        self.has("the deposit", lambda round: round.players["000105"].deposit == 475)
        phone.tap("deposit", participant="000105")
        phone.fill("deposit", amount=50)
        phone.send(done=False)
        expect(phone.sheet("deposit").locator(".why")).to_be_visible()
        phone.page.locator("#sheet [data-close]").tap()

    def clock(self) -> None:
        for phone, action, stands in ((self.czech, "pause", True), (self.english, "resume", False)):
            phone.view("clock")
            phone.does(action)
            self.has(action, partial(_stands, stands))
        for action in ("begin_break", "end_break"):
            phone = self.next
            phone.view("clock")
            phone.does(action)

    def bust(self, number: str) -> None:
        """In a hand of its own, by two taps: the player, and who it was."""
        seat = self.now.players[number].seat
        assert seat is not None
        self.next_hand(seat.table)
        phone = self.next
        phone.view("players")
        phone.page.locator("#find").fill(number)
        phone.page.locator(f"#people a[href='#/player/{number}']").tap()
        by = phone.find("bust", participant=number)
        phone.page.evaluate("document.getElementById('toast').hidden = true")
        (by.first if number in ("000101", "000110") else by.last).tap()
        phone.done()
        self.has(f"{number} to be out", lambda round: round.players[number].status is Status.OUT)

    def bust_by_the_dealer(self, number: str) -> None:
        """A dealer may put out who sits at the own table."""
        self.next_hand(1)
        self.dealer.page.locator("#busts summary").tap()
        self.dealer.does("bust", {"participant": number})
        self.has(f"{number} to be out", lambda round: round.players[number].status is Status.OUT)

    def busts(self, phone: Phone, table: int, *stacks: tuple[str, int]) -> None:
        """Several in one hand."""
        self.next_hand(table)
        phone.view(f"player/{stacks[0][0]}")
        phone.does("busts", **{f"players:{number}": stack for number, stack in stacks})
        self.has("both out", lambda round: all(round.players[n].status is Status.OUT for n, _ in stacks))

    def history(self, *actions: str) -> None:
        """Undo and redo on the list of what happened, by one phone and the other."""
        for action in actions:
            phone = self.next
            phone.view("history")
            before = phone.page.locator("#page .events").all_inner_texts()
            phone.does(action)
            expect(phone.page.locator("#page .events").first).not_to_have_text(before[0])


def test_two_commissioners_and_a_dealer_play_the_whole_evening_by_phone(stage: Stage) -> None:
    hands = Hands(stage)
    hands.door()
    hands.start()
    hands.deposits()
    hands.clock()
    for number in ("000101", "000110", "000102", "000111"):
        hands.bust(number)
    stale_form(hands)
    moved_by_two_taps(hands)

    hands.busts(hands.english, 2, ("000113", 5200), ("000112", 9100))
    balanced_and_taken_back(hands)
    hands.busts(hands.czech, 1, ("000104", 7000), ("000106", 7000))
    hands.czech.view("tables")
    hands.czech.does("final_table")
    hands.has("one table", lambda round: len({p.seat.table for p in round.players.values() if p.seat}) == 1)

    for number in ("000115", "000114", "000107", "000108"):
        hands.bust(number)
    hands.history("undo", "redo", "undo")
    hands.has("108 to be back", lambda round: round.players["000108"].status is Status.IN)
    hands.bust_by_the_dealer("000116")
    for number in ("000108", "000109", "000117", "000105"):
        hands.bust(number)
    hands.has("the end", lambda round: round.phase is Phase.FINISHED)
    paid(hands)
    same_results(stage)
    for phone in stage.phones:
        assert not phone.complaints and not phone.outside


def stale_form(hands: Hands) -> None:
    """Of two who saw the same one is told that the state has moved on; and nothing of theirs was done."""
    for table in (1, 2):
        hands.next_hand(table)
    hands.english.view("player/000103")
    hands.english.tap("sanction", participant="000103")
    hands.english.fill("sanction", kind="warning")
    hands.czech.view("player/000103")
    hands.czech.find("bust", participant="000103").last.tap()
    hands.has("103 to be out", lambda round: round.players["000103"].status is Status.OUT)
    hands.english.page.locator("#sheet button[name=do]").tap()
    expect(hands.english.page.locator("#sheet [role=alert]").first).to_be_visible()
    hands.english.page.locator("#sheet [data-close]").first.tap()
    assert not hands.now.players["000103"].penalties
    hands.english.view("player/000103")
    expect(hands.english.find("bust")).to_have_count(0)


def moved_by_two_taps(hands: Hands) -> None:
    """A player and a free seat, on the felt; then it is taken back."""
    phone = hands.czech
    round = hands.now
    who = next(number for _, number in sorted(round.tables[2].seats.items()))
    seat = round.players[who].seat
    phone.view("tables")
    phone.page.locator(f"[data-move*='{who}']").tap()
    free = phone.page.locator("[data-onto^='seat=2.']").first
    onto = (free.get_attribute("data-onto") or "").removeprefix("seat=")
    free.tap()
    assert phone.page.locator("#sheet [name=seat]").input_value() == onto
    phone.send()
    hands.has("the move", lambda round: f"{round.players[who].seat.table}.{round.players[who].seat.seat}" == onto)  # type: ignore[union-attr]
    hands.history("undo")
    hands.has("the seat again", lambda round: round.players[who].seat == seat)


def balanced_and_taken_back(hands: Hands) -> None:
    """What the rules propose is accepted; the script's evening has none of it."""
    before = hands.now
    phone = hands.english
    phone.view("tables")
    proposal = phone.page.locator(".proposal")
    expect(proposal.first).to_be_visible()
    phone.does("balance")
    seats = {number: player.seat for number, player in before.players.items()}
    hands.has("a move", lambda round: {n: p.seat for n, p in round.players.items()} != seats)
    hands.history("undo")
    hands.has("the seats again", lambda round: {n: p.seat for n, p in round.players.items()} == seats)


def paid(hands: Hands) -> None:
    """The prizes are handed over, and the results taken home."""
    for number in ("000118", "000105", "000117"):
        phone = hands.next
        phone.view("money")
        phone.does("pay", {"participant": number})
        hands.has("the payment", partial(_is_paid, number))
    hands.czech.view("results")
    with hands.czech.page.expect_download() as kept:
        hands.czech.page.locator("[data-ticket='/export/results.csv']").tap()
    assert "3425" in Path(kept.value.path()).read_text("utf-8-sig").replace("\xa0", "").replace(" ", "")


def same_results(stage: Stage) -> None:
    """The director's own journal tells what the script tells."""
    ledger = stage.house.ledger("director", "R1")
    told = report(ledger, 0)
    assert told["results"] == folded_results()
    assert told["pool"] == 6850 and told["chips_in_play"] == 274_000
    assert ledger.round is not None and ledger.round.paid == 6850
    given = stage.house.stream("director", "round/R1")
    assert {record["data"].get("actor") for record in given} >= {"000001", "000002", "dealer"}
