"""Whoever comes and goes at a table, in every house: S-5, S-7, S-8, the promises about the big blind above all.

One table is played; three others lend it players and take them back. Hands are compared with what they were dealt
to, not with the rules that led to them.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from appliance.game.dealing import deals_in, hands_until_big_blind
from appliance.game.events import HandStarted
from appliance.game.play import Arrival
from appliance.game.play_events import PlayerMoved
from appliance.game.round import Refusal, fold
from appliance.game.values import Seat
from tests.game.conftest import Evening

HOUSES = ["cpl-2017", "cpl", "casino-2012", "tda-2024"]


def arc(start: int, end: int) -> list[int]:
    """Seats of ten strictly between two, clockwise; none where the two are one."""
    seats, seat = [], start % 10 + 1
    while start != end and seat != end:
        seats.append(seat)
        seat = seat % 10 + 1
    return seats


class OneTable(RuleBasedStateMachine):
    """Table 1 of a round. ``settled`` counts the hands each player was dealt on their seat without a break."""

    profile = ""

    def __init__(self) -> None:
        super().__init__()
        self.evening = Evening()
        self.last: HandStarted | None = None
        self.dealt: dict[int, str] = {}
        self.poster: str | None = None
        self.settled: dict[str, int] = {}
        self.paid: list[str | None] = []
        self.waited: dict[str, int] = {}
        self.told: dict[str, str] = {}
        self.foretold: list[str] = []

    @initialize(players=st.integers(2, 10), button=st.integers(1, 10))
    def begin(self, players: int, button: int) -> None:
        self.evening.announce(profile=self.profile, seats_per_table=10, capacity=40).do("open")
        self.evening.register(*range(1, 39))
        seats = {f"{n:06d}": [1, n] for n in range(1, players + 1)}
        others = [[table, seat] for table in (2, 3, 4, 5) for seat in range(1, 11)]
        seats.update({f"{n:06d}": others.pop(0) for n in range(players + 1, 39)})
        self.evening.at += 3_600_000
        self.evening.do("start", seats=seats, button=button)

    @property
    def table(self) -> Any:
        return self.evening.table(1)

    def free(self, table: int) -> list[int]:
        found = self.evening.round.tables.get(table)
        return [seat for seat in range(1, 11) if found is None or seat not in found.seats]

    @rule(pick=st.integers(0, 99), seat=st.integers(0, 99), why=st.sampled_from(["asked", "balance"]))
    def come(self, pick: int, seat: int, why: Any) -> None:
        """A player comes from another table; what they are told then holds if the next hand follows."""
        others = [p for p in self.evening.round.players.values() if p.seat is not None and p.seat.table != 1]
        free = self.free(1)
        if not others or not free:
            return
        player, to = others[pick % len(others)], free[seat % len(free)]
        if player.participant in (self.table.last_bb, self.table.dealer):
            return  # who comes back is known there: what they did counts, and cannot be foretold of a seat
        told = deals_in(self.evening.round, 1, to, why)
        until = hands_until_big_blind(self.evening.round, 1, to, arriving=True, why=why)
        self.seat(player.participant, Seat(1, to), why)
        self.told, self.foretold = {player.participant: told}, []
        assert until == hands_until_big_blind(self.evening.round, 1, to, arriving=False)

    def seat(self, who: str, to: Seat, why: Any) -> None:
        event = PlayerMoved(participant=who, source=self.evening.round.players[who].seat, target=to, why=why)
        self.evening.count += 1
        self.evening.ledger = fold(self.evening.ledger, event, self.evening.at, f"c{self.evening.count}")
        self.told, self.foretold = {}, []
        self.settled.pop(who, None)
        self.waited.pop(who, None)

    @rule(pick=st.integers(0, 99), how=st.sampled_from(["away", "away", "bust"]))
    def go(self, pick: int, how: str) -> None:
        """A player leaves, or is out."""
        seats = list(self.table.seats.values())
        if len(seats) < 2 or self.evening.round.left < 4:
            return
        who = seats[pick % len(seats)]
        if how == "bust":
            self.evening.do("bust", participant=who)
            self.told, self.foretold = {}, []
            self.settled.pop(who, None)
        else:
            number = next(t for t in (2, 3, 4, 5) if self.free(t))
            self.seat(who, Seat(number, self.free(number)[0]), "asked")

    @rule(pick=st.integers(0, 99), seat=st.integers(0, 99))
    def change_seats(self, pick: int, seat: int) -> None:
        free, seats = self.free(1), list(self.table.seats.values())
        if free and seats:
            self.seat(seats[pick % len(seats)], Seat(1, free[seat % len(free)]), "asked")

    @rule(pick=st.integers(0, 99), do=st.sampled_from(["absent", "present", "sit_out", "sit_out", "sit_out"]))
    def say(self, pick: int, do: str) -> None:
        new = [seat for seat, how in self.table.arrivals.items() if how is Arrival.NEW]
        seats = new if do == "sit_out" and new else list(self.table.seats)
        answer = self.evening.ask(do, participant=self.table.seats[seats[pick % len(seats)]])
        if not isinstance(answer, Refusal) and do != "absent":
            self.told, self.foretold = {}, []

    @rule(back=st.integers(1, 3))
    def undo_and_redo(self, back: int) -> None:
        before = self.evening.state_bytes()
        if self.evening.ledger.undoable >= back and not isinstance(self.evening.ask("undo", n=back), Refusal):
            self.evening.do("redo", n=back)
            assert self.evening.state_bytes() == before

    @precondition(lambda self: self.table.seats)
    @rule()
    def next_hand(self) -> None:
        before = self.table
        (event,) = self.evening.ask("next_hand", table=1)
        assert isinstance(event, HandStarted)
        live = {seat: who for seat, who in before.seats.items() if seat not in event.waiting}
        self.check_positions(event, live, len(before.seats))
        self.check_newcomers(event, live, before)
        self.check_big_blind(event, live, before.arrivals)
        self.check_waiting(event, before)
        self.last, self.dealt = event, live
        self.poster = before.seats[event.bb] if event.bb else None
        self.foretell()

    @rule(hands=st.integers(2, 12))
    def several_hands(self, hands: int) -> None:
        for _ in range(hands if self.table.seats else 0):
            self.next_hand()

    def check_positions(self, event: HandStarted, live: dict[int, str], seated: int) -> None:
        """S-7: who is dealt in posts; the button lies behind the blinds, with nobody between them."""
        if seated < 2:
            assert (event.sb, event.bb, event.waiting) == (None, None, {})
            return
        assert len(live) >= 2
        assert event.bb in live and event.bb == event.bb_seat
        assert event.sb is None or (event.sb in live and event.sb == event.sb_seat)
        assert event.sb != event.bb
        if len(live) == 2:
            assert event.button == event.sb
            return
        assert event.sb_seat is not None and event.bb_seat is not None
        assert event.bb_seat not in (event.button, event.sb_seat)
        around = [event.button, *arc(event.button, event.bb_seat)]
        assert event.sb_seat in around
        assert not live.keys() & set(arc(event.button, event.sb_seat) + arc(event.sb_seat, event.bb_seat))
        assert (event.sb is None) == (event.sb_seat not in live or event.sb_seat == event.button)

    def check_newcomers(self, event: HandStarted, live: dict[int, str], before: Any) -> None:
        """S-5: what a newcomer was told is what they get; settled players never wait."""
        for who, told in self.told.items():
            seat = self.evening.round.players[who].seat
            assert seat is not None
            lone = event.bb == seat.seat and event.sb is None and len(live) > 1
            assert told == ("after-button" if seat.seat in event.waiting else "big-blind" if lone else "next-hand")
        self.told = {}
        assert all(seat in before.arrivals for seat in event.waiting)
        lone = event.sb is None and event.button == event.sb_seat
        if lone and event.bb:
            assert before.arrivals.get(event.bb) is not None
            assert self.profile in ("casino-2012", "tda-2024")
        new = before.arrivals.get(event.button) is Arrival.NEW and event.button in live
        settled = len(before.seats.keys() - before.arrivals.keys())
        if self.profile == "casino-2012" and len(live) > 2 and new and settled > 1 and before.dealer:
            ahead = max((seat for seat in live if seat != event.button), key=lambda s: (s - event.button) % 10)
            assert live[ahead] == before.dealer

    def check_big_blind(self, event: HandStarted, live: dict[int, str], new: Any) -> None:
        """S-7: not twice running; nobody settled is passed; between two of one player's all others have one."""
        poster = live[event.bb] if event.bb else None
        assert poster is None or poster != self.poster
        lone = event.sb is None and event.button == event.sb_seat
        if self.last is not None and self.last.bb_seat and event.bb_seat and poster and not lone:
            passed = arc(self.last.bb_seat, event.bb_seat)
            assert not [seat for seat in passed if live.get(seat, 0) == self.dealt.get(seat) and seat not in new]
        here = set(live.values())
        self.settled = {who: self.settled.get(who, 0) + 1 for who in here}
        self.paid.append(poster)
        if poster is not None and poster in self.paid[-self.settled[poster] : -1]:
            hands = self.paid[::-1].index(poster, 1)
            between = self.paid[-hands:-1]
            for who, dealt in self.settled.items():
                if dealt > hands and who != poster and poster:
                    assert between.count(who) == 1, (who, between)

    def check_waiting(self, event: HandStarted, before: Any) -> None:
        """S-5: nobody waits for longer than the button takes to pass."""
        waiting = {before.seats[seat]: how for seat, how in event.waiting.items()}
        self.waited = {who: self.waited.get(who, 0) + 1 for who in waiting}
        for who, hands in self.waited.items():
            assert hands <= (11 if waiting[who] is Arrival.SITS_OUT else 3), who

    def foretell(self) -> None:
        """S-3: whose turn for the big blind is when, as far as nobody comes or goes."""
        who = self.table.seats.get(self.table.bb)
        if self.foretold:
            assert who == self.foretold.pop(0)
        order = {hands_until_big_blind(self.evening.round, 1, seat, arriving=False): seat for seat in self.table.seats}
        if len(self.table.seats) > 1:
            assert sorted(order) == list(range(len(order))) and len(order) == len(self.table.seats)
            self.foretold = [self.table.seats[order[hands]] for hands in sorted(order)]


@pytest.mark.parametrize("profile", HOUSES)
def test_S_5_S_7_whoever_comes_and_goes_the_big_blind_comes_to_everybody_in_turn(profile: str) -> None:
    machine = type("OneTableOf", (OneTable,), {"profile": profile})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=60, stateful_step_count=60, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
