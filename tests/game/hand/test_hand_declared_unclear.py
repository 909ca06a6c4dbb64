"""How much was bet is not clear: words without a number, numbers with several meanings, chips nobody can count."""

from __future__ import annotations

from typing import Any

import pytest

from appliance.game.hand.binding import Binding
from appliance.game.hand.declaration import Declaration
from appliance.game.hand.declared import interpret
from appliance.game.hand.facts import Problem
from appliance.game.hand.hand import Hand
from appliance.game.hand.out_of_turn import out_of_turn
from tests.game.hand.by_declaration import ALL, CASINO, LEAGUE, TDA, adds_up, bound, outcome, table
from tests.game.hand.table_stream import Stream


def problem(hand: Hand, **what: Any) -> Problem:
    assert hand.actor is not None
    found = interpret(hand, Declaration(position=hand.actor, **what))
    assert isinstance(found, Problem), found
    return found


# A word without a number


@pytest.mark.parametrize("profile", ALL)
def test_H_7_bet_said_with_no_number_and_no_chips_is_the_minimum_bet(profile: str) -> None:
    assert outcome(bound(table(profile, "flop"), said="bet")) == ("bet", 400, 0, "said-bet")
    assert outcome(bound(table(profile, "flop"), said="raise")) == ("bet", 400, 0, "said-bet")


@pytest.mark.parametrize(("profile", "least"), [("cpl-2017", 2400), ("cpl", 1600), ("tda-2024", 2000)])
def test_H_7_bet_said_against_a_bet_is_the_minimum_raise(profile: str, least: int) -> None:
    assert outcome(bound(table(profile, "1200"), said="bet")) == ("raise", least, 0, "said-raise")


# A number with several meanings: "I bet five"


@pytest.mark.parametrize("profile", TDA)
@pytest.mark.parametrize(("before", "to", "reason"), [
    ((), 500, "highest-within-pot"),  # a pot of 1600
    (("1000", "c", "c", "c"), 5000, "highest-within-pot"),  # 1600 and 4000 more, by the turn
])  # fmt: skip
def test_H_7_an_unclear_bet_is_the_highest_meaning_up_to_the_pot(
    profile: str, before: tuple[str, ...], to: int, reason: str
) -> None:
    hand = table(profile, "flop", *before)
    if before:
        hand = hand.deal_board((20,))
    assert outcome(bound(hand, said="bet", meanings=(500, 5000))) == ("bet", to, 0, reason)


@pytest.mark.parametrize("profile", TDA)
def test_H_7_bets_in_front_of_the_players_are_in_that_pot(profile: str) -> None:
    hand = table(profile, "flop", "1000", "2400")  # 1600 and 3400
    assert bound(hand, said="raise", meanings=(500, 5000)).to == 5000
    assert bound(hand, said="amount", meanings=(5001, 4000)).to == 4000


@pytest.mark.parametrize("profile", TDA)
def test_H_7_a_meaning_that_could_not_be_bet_is_none(profile: str) -> None:
    # before the flop the pot is 600: five can be no raise to five or fifty
    hand = table(profile)
    binding = bound(hand, said="raise", meanings=(5, 5000, 50_000))
    assert outcome(binding) == ("raise", 5000, 0, "lowest-over-pot")
    assert binding.detail == {"amount": 5000, "pot": 600}
    assert "TDA 57" in binding.rules


@pytest.mark.parametrize("profile", TDA)
def test_H_7_raise_by_an_unclear_number_is_measured_on_what_is_added(profile: str) -> None:
    hand = table(profile, "flop", "1000")  # 1600 and 1000
    assert bound(hand, said="raise", by=True, meanings=(200, 2000)).to == 3000


@pytest.mark.parametrize("profile", ALL)
def test_H_7_chips_that_come_to_one_of_the_meanings_say_which(profile: str) -> None:
    binding = bound(table(profile, "flop"), said="bet", meanings=(500, 5000), chips=(5000,))
    assert outcome(binding) == ("bet", 5000, 0, "chips-say-which")


@pytest.mark.parametrize("profile", LEAGUE + CASINO)
def test_I_13_elsewhere_the_floor_says_what_the_number_means(profile: str) -> None:
    found = problem(table(profile, "flop"), said="bet", meanings=(5000, 500))
    assert found == Problem("unclear-amount", {"meanings": [500, 5000], "ruling": "I-13"})


@pytest.mark.parametrize("profile", ALL)
def test_H_6_chips_that_moved_first_count_whatever_the_number_means(profile: str) -> None:
    binding = bound(table(profile, "flop"), said="bet", meanings=(500, 5000), chips=(1000,), chips_first=True)
    assert outcome(binding) == ("bet", 1000, 0, "opening-chips")


@pytest.mark.parametrize(
    "what",
    [
        {"said": "bet", "meanings": (500,)},
        {"said": "bet", "meanings": (500, 500)},
        {"said": "bet", "meanings": (0, 500)},
        {"said": "bet", "meanings": (500, 5000), "amount": 500},
        {"said": "call", "meanings": (500, 5000)},
        {"chips": (500,), "meanings": (500, 5000)},
    ],
)
def test_H_7_what_is_no_unclear_number(what: dict[str, Any]) -> None:
    assert problem(table("tda-2024", "flop"), **what).code == "bad-notation"


# Chips that nobody can count


@pytest.mark.parametrize("profile", ALL)
@pytest.mark.parametrize("what", [{}, {"said": "bet"}, {"said": "raise"}])
def test_I_14_a_bet_that_cannot_be_counted_is_for_the_commissioner(profile: str, what: dict[str, Any]) -> None:
    found = problem(table(profile, "flop"), uncounted=True, **what)
    assert found == Problem("uncounted-bet", {"ruling": "I-14"})


@pytest.mark.parametrize("profile", LEAGUE)
def test_I_14_in_the_league_it_is_a_call_or_forfeited_by_what_is_missing_from_the_stack(profile: str) -> None:
    hand = table(profile, "1200")
    binding = bound(hand, uncounted=True, chips=(1000, 900))
    assert outcome(binding) == ("call", 1200, 700, "uncounted-bet")
    assert (binding.decides, binding.options) == ("floor", ("call", "fold"))
    forfeited = binding.choose("fold")
    adds_up(hand, forfeited)
    assert forfeited.forfeits == 1900
    assert forfeited.apply(hand).stacks[3] == 18_100


@pytest.mark.parametrize("profile", CASINO + TDA)
def test_I_14_elsewhere_nothing_is_forfeited(profile: str) -> None:
    assert problem(table(profile, "1200"), uncounted=True, chips=(1900,)).code == "uncounted-bet"


@pytest.mark.parametrize("profile", ALL)
def test_I_14_words_that_say_how_much_need_no_counting(profile: str) -> None:
    hand = table(profile, "1200")
    assert bound(hand, uncounted=True, said="call").to == 1200
    assert bound(hand, uncounted=True, said="raise", amount=5000).to == 5000
    assert bound(hand, uncounted=True, said="all-in").all_in
    assert bound(hand, uncounted=True, said="fold").action == "fold"


@pytest.mark.parametrize("profile", ALL)
def test_H_9_an_unclear_bet_out_of_turn_is_as_unclear(profile: str) -> None:
    hand = table(profile)
    found = out_of_turn(hand, Declaration(position=3, said="raise", uncounted=True))
    assert isinstance(found, Problem)
    assert found.code == "uncounted-bet"


@pytest.mark.parametrize("profile", ALL)
def test_I_14_the_stream_refuses_what_is_unclear_and_takes_the_ruling(profile: str) -> None:
    stream = Stream(profile).begin(1000, 1000, 1000)
    assert stream.refused("declare", position=2, uncounted=True) == "uncounted-bet"
    if profile not in TDA:
        assert stream.refused("declare", position=2, said="raise", meanings=[300, 900]) == "unclear-amount"
    stream.do("declare", position=2, said="raise", amount=300)
    assert stream.state.hand is not None and stream.state.hand.bets[2] == 300


def test_H_7_an_unclear_number_is_bound_even_where_no_raise_is_possible() -> None:
    hand = table("tda-2024", "5000", "f", "f", stacks=(20_000, 20_000, 5000, 20_000))
    binding = interpret(hand, Declaration(position=1, said="raise", meanings=(6000, 60_000)))
    assert isinstance(binding, Binding)
    assert (binding.action, binding.to) == ("call", 5000)
