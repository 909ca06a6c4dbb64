"""Chips accounted for at every moment of any evening, from the events alone (T-4)."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.game.event import Event
from appliance.game.events import (
    CommandsRedone,
    CommandsUndone,
    Deposited,
    Registered,
    Reinstated,
    Started,
    Unregistered,
)
from appliance.game.play_events import BonusCardUsed, ChipUpGiven, ColouredUp, Reentered, TakenOut, Voided
from appliance.game.results import results
from appliance.game.state import Phase, Status

PROFILES = ["cpl-2017", "cpl", "casino-2012", "tda-2024"]

Steps = list[tuple[str, int, int, int]]


def number(n: int) -> str:
    return f"{n:06d}"


class Books:
    """Kept beside the engine from the events of each command, so that an undo strikes out what it takes back.

    Chips of an absent player that were taken out come back with a reinstatement.
    """

    def __init__(self) -> None:
        self.pages: list[tuple[Event, ...]] = []
        self.struck: list[tuple[Event, ...]] = []

    def enter(self, events: tuple[Event, ...]) -> None:
        match events:
            case (CommandsUndone(n=n),):
                self.struck += [self.pages.pop() for _ in range(n)]
            case (CommandsRedone(n=n),):
                self.pages += [self.struck.pop() for _ in range(n)]
            case _:
                self.pages.append(events)
                self.struck.clear()

    @property
    def crowns(self) -> int:
        """All deposits, CZK."""
        total = 0
        for event in itertools.chain(*self.pages):
            match event:
                case Registered(deposit=crowns) | Reentered(deposit=crowns) | Deposited(amount=crowns):
                    total += crowns
                case Unregistered(returned=crowns):
                    total -= crowns
        return total

    @property
    def chips(self) -> int:
        """40 × deposits + chip-ups + bonus cards + or − colour-ups − chips taken out."""
        total = 40 * self.crowns
        for event in itertools.chain(*self.pages):
            match event:
                case ChipUpGiven(chips=given):
                    total += sum(given.values())
                case BonusCardUsed(chips=chips):
                    total += chips
                case ColouredUp(changes=changes):
                    total += sum(changes.values())
                case TakenOut(chips=chips) | Voided(chips=chips):
                    total -= chips
                case Reinstated(returned=chips):
                    total += chips
        return total


KINDS = (
    ["bust", "deposit", "bonus_card", "void", "sanction", "reenter", "register", "unregister", "undo", "redo"] * 3
    + ["chip_up", "reinstate", "absent", "move", "stacks", "begin_break", "next_level", "previous_level", "break_table"]
    + ["pause", "resume", "end_break", "set_remaining", "final_table", "balance", "next_hand", "deal", "colour_up"]
    + ["end_early"]
)


def fields_of(evening: Any, kind: str, a: int, b: int) -> dict[str, Any]:
    participant = number(a % (len(evening.round.players) + 2) + 1)
    gone = [p.participant for p in evening.round.players.values() if p.status is Status.OUT]
    if kind in ("reenter", "reinstate") and gone and b % 4:
        participant = gone[a % len(gone)]
    left = [p.participant for p in evening.round.players.values() if p.status is Status.IN]
    table = b % 3 + 1
    at_table = evening.round.tables.get(table)
    sitting = list(at_table.seats.values()) if at_table else []
    who = {"participant": participant}
    some: dict[str, dict[str, Any]] = {
        "deposit": {**who, "amount": b % 90 + 1},
        "register": {**who, "identity_checked": True},
        "void": {**who, "reason": "x"},
        "sanction": {**who, "reason": "x", "kind": ["exclusion", "warning", "dead-hand"][b % 3]},
        "undo": {"n": a % 3 + 1},
        "redo": {"n": a % 3 + 1},
        "move": {**who, "seat": [table, a % 9 + 1]},
        "stacks": {"table": table, "stacks": dict.fromkeys(sitting, a * 100 + 100) or {participant: 1}},
        "begin_break": {"minutes": 5},
        "set_remaining": {"seconds": a},
        "break_table": {"table": table},
        "next_hand": {"table": table},
        "deal": {"kind": "chop", "consents": left, "stacks": dict.fromkeys(left, 4000)},
        "end_early": {"reason": "x", "stacks": dict.fromkeys(left, 100) or {participant: 1}},
        "colour_up": {
            "table": table,
            "denomination": 25,
            "to": 100,
            "holdings": {player: {"25": (a + place) % 7} for place, player in enumerate(sitting)},
        },
    }
    bare = ("pause", "resume", "next_level", "previous_level", "end_break", "final_table", "balance")
    if kind == "chip_up":
        return {} if b % 3 else who
    return some.get(kind, {} if kind in bare else who)


@settings(max_examples=150, deadline=None)
@given(
    players=st.integers(3, 20),
    profile=st.sampled_from(PROFILES),
    before=st.lists(st.tuples(st.sampled_from(["register", "unregister", "undo"]), st.integers(0, 99)), max_size=6),
    steps=st.lists(
        st.tuples(st.sampled_from(KINDS), st.integers(0, 99), st.integers(0, 99), st.integers(0, 9)), max_size=50
    ),
)
def test_T_4_T_5_chips_in_play_are_what_the_events_add_up_to(
    players: int, profile: str, before: list[tuple[str, int]], steps: Steps, new_evening
) -> None:
    evening = new_evening().announce(
        profile=profile, late_registration=True, reentry=True, chip_up=1500, bonus_card=700, seats_per_table=7
    )
    evening.do("open")
    books, running = Books(), False
    opening = [("register", n, 0, 0) for n in range(players)] + [(do, n, 0, 0) for do, n in before]
    opening += [("register", n, 0, 0) for n in range(3)] + [("start", 0, 0, 0)]
    for do, a, b, minutes in [*opening, *steps]:
        fields = {} if do == "start" else fields_of(evening, do, a, b)
        running = running or do == "start"
        if do == "undo" and evening.ledger.undoable - fields["n"] < (2 * players if running else 1):
            continue  # the door stays open, and mostly the round started
        if do == "register" and evening.round.phase is Phase.OPEN:
            fields["participant"] = number(a + 1)
        evening.after(minutes=minutes)
        answer = evening.ask(do, **fields)
        if isinstance(answer, tuple):
            books.enter(answer)
        shown = evening.report()
        assert evening.round.chips == books.chips
        assert shown["pool"] == books.crowns
        due = shown["chips_in_play"] - evening.round.chips
        assert due % 1500 == 0 and (due == 0 or profile == "cpl")
        if evening.round.phase is Phase.FINISHED:
            won = sum(result.prize for result in results(evening.round))
            assert won == (evening.round.pool if results(evening.round) else 0)
    assert isinstance(evening.ledger.round, type(evening.round))
    assert evening.replayed().round == evening.round


@pytest.mark.parametrize("profile", ["cpl-2017", "cpl"])
def test_T_4_every_kind_of_chips_in_one_evening(evening, profile: str) -> None:
    evening.seated([1, 2, 3], [4, 5, 6], profile=profile, chip_up=1500, bonus_card=700)
    assert evening.round.chips == 40 * 600
    evening.do("deposit", participant=number(2), amount=73)
    assert evening.round.chips == 40 * 673
    evening.do("bonus_card", participant=number(2)).after(minutes=60)
    if profile == "cpl-2017":
        evening.do("chip_up")
    assert evening.report()["chips_in_play"] == 40 * 673 + 700 + 6 * 1500
    evening.do("sanction", participant=number(2), kind="exclusion", reason="x")
    evening.do("void", participant=number(4), reason="x").bust(6)
    stacks = 40 * 673 + 700 + 6 * 1500 - (40 * 173 + 700 + 1500) - 5500
    assert evening.round.chips == stacks == 4 * 5500
    assert "chips-differ" not in evening.notices()


@pytest.mark.parametrize("profile", ["cpl-2017", "cpl"])
def test_T_4_S_8_an_absent_stack_leaves_with_its_table_and_comes_back_with_its_player(evening, profile: str) -> None:
    evening.seated([1, 2, 3], [4, 5, 6], [7, 8, 9], profile=profile).do("absent", participant=number(9))
    evening.do("stacks", table=3, stacks={number(7): 1000, number(8): 6000, number(9): 5000})
    evening.do("break_table", table=3)
    assert (evening.player(9).status, evening.round.chips) == (Status.OUT, 31_000)
    evening.do("reinstate", participant=number(9))
    assert (evening.player(9).chips, evening.round.chips) == (5000, 36_000)


@pytest.mark.parametrize("do", ["void", "sanction"])
def test_T_4_no_more_chips_leave_play_than_there_are(evening, do: str) -> None:
    """A count with a nought too many is believed, for that stack; not that there were so many chips."""
    evening.seated([1, 2, 3]).do("stacks", table=1, stacks={number(1): 40_000})
    evening.do(do, participant=number(1), reason="x", **({"kind": "exclusion"} if do == "sanction" else {}))
    assert (evening.round.chips, evening.events[-1].chips) == (0, 12_000)


@pytest.mark.parametrize("profile", PROFILES)
def test_T_4_a_wrong_count_is_told_right_after_it(evening, profile: str) -> None:
    evening.seated([1, 2, 3], [4, 5, 6], profile=profile)
    evening.do("stacks", table=1, stacks={number(1): 5000, number(2): 4000, number(3): 3000})
    assert "chips-differ" not in evening.notices()
    evening.do("stacks", table=2, stacks={number(4): 5000, number(5): 4000, number(6): 3025})
    assert evening.notices()["chips-differ"] == {"counted": 24_025, "expected": 24_000}
    evening.do("undo")
    assert "chips-differ" not in evening.notices()


def test_T_4_who_starts_is_nobodys_chips(evening) -> None:
    """The start lends nothing: chips were lent at registration."""
    evening.opened(4)
    before = evening.round.chips
    assert isinstance(evening.ask("start")[0], Started)
    assert evening.round.chips == before == 16_000
