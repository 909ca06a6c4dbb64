"""The worked examples of the Association's rules of 2024, in numbers of their own hands (H-4, H-6, H-7, H-9, H-10)."""

from __future__ import annotations

from typing import Any

import pytest

from appliance.game.hand.binding import Binding
from appliance.game.hand.declaration import Declaration
from appliance.game.hand.declared import interpret
from appliance.game.hand.facts import Forfeited, Problem
from appliance.game.hand.hand import Hand
from tests.game.hand.at_table import CUMULATIVE, actor, dealt, legal, played, raises
from tests.game.hand.by_declaration import adds_up
from tests.game.hand.table_stream import Stream

TDA = "tda-2024"
LIVE_BINDING = pytest.mark.parametrize("profile", CUMULATIVE)


def read(hand: Hand, **what: Any) -> Binding:
    binding = interpret(hand, Declaration(position=actor(hand), **what))
    assert isinstance(binding, Binding), binding
    return binding


def silent(hand: Hand, *chips: int) -> tuple[str, int, int]:
    """What these chips without a word come to, and what comes back."""
    binding = read(hand, chips=chips)
    return binding.action, binding.to, binding.returned


# Rule 43


def test_H_7_rule_43_fourteen_hundred_over_a_thousand_is_a_call_said_or_pushed() -> None:
    hand = played(dealt(TDA, [20_000] * 3), "c c k | 1000")
    assert read(hand, said="amount", amount=1400).action == "call"
    assert silent(hand, 1000, 100, 100, 100, 100) == ("call", 1000, 400)
    assert read(hand, said="raise", amount=1400).to == 2000


# Rule 45


def opened(stacks: list[int]) -> Hand:
    """250-500, the first to act has raised by 600 to 1100."""
    return played(dealt(TDA, stacks, small=250, big=500), "1100")


def test_H_6_rule_45_examples_1_to_3() -> None:
    hand = opened([20_000] * 6)
    assert silent(hand, 500, 1000) == ("call", 1100, 400)
    assert read(hand, chips=(1000, *[100] * 5)).to == 1700
    assert read(hand, chips=(1000, *[100] * 4)).to == 1700  # half of 600, exactly
    assert silent(hand, 1000, 100, 100, 100) == ("call", 1100, 200)


@pytest.mark.parametrize(("chips", "behind", "expected"), [
    ((1000, 500, 500, 500), 10_000, ("raise", 2800, False)),
    ((1000, 500, 500), 10_000, ("call", 1400, False)),
    ((1000, 500, 500, 500), 0, ("raise", 2500, True)),
    ((1000, 500, 500), 0, ("raise", 2000, True)),
])  # fmt: skip
def test_H_6_rule_45_example_4_the_last_chips(
    chips: tuple[int, ...], behind: int, expected: tuple[str, int, bool]
) -> None:
    hand = played(dealt(TDA, [20_000, sum(chips) + behind + 100, 20_000]), "c c k | 1400")
    binding = read(hand, chips=chips)
    assert (binding.action, binding.to, binding.all_in) == expected


def test_H_6_rule_45_two_thousand_over_1050_are_a_call_with_the_last_chips_too() -> None:
    hand = played(dealt(TDA, [20_000, 2050, 20_000], small=25, big=50), "c c k | 1050")
    assert silent(hand, 1000, 1000) == ("call", 1050, 950)


def test_H_6_rule_61_chips_expecting_change_count_in_full() -> None:
    hand = played(dealt(TDA, [20_000] * 3), "c c k | 325")
    assert read(hand, chips=(500, 25)).to == 650


# Rule 46: the blind of two chips of 25 lies in front, and is left alone


def test_H_6_rule_46_situation_1_chips_are_added_to_a_blind_that_does_not_cover_the_call() -> None:
    hand = played(dealt(TDA, [20_000] * 3, small=25, big=50), "600 f")
    assert actor(hand) == 1
    assert silent(hand, 1000) == ("call", 600, 450)
    assert silent(hand, 500, 500) == ("call", 600, 450)
    assert silent(hand, 100, 500) == ("call", 600, 50)
    assert read(hand, chips=(1000, 500)).to == 1550


def facing(raised: str, *blind: int) -> Hand:
    """A big blind, posted with these chips, who faces a raise to this much."""
    big = {25: 50, 1000: 100}[blind[0]]
    return played(dealt(TDA, [20_000] * 3, small=big // 2, big=big), f"{raised} f")


def moved(hand: Hand, lying: tuple[int, ...], *chips: int) -> tuple[str, int]:
    """What comes of it: what still lies in front, and the new chips."""
    binding = read(hand, lying=lying, chips=chips)
    adds_up(hand, binding)
    return binding.action, binding.to


def test_H_6_rule_46_situation_2_all_chips_of_the_blind_are_pulled_back() -> None:
    hand = facing("600", 25)
    assert moved(hand, (), 1000) == ("call", 600)
    assert moved(hand, (), 500, 500) == ("call", 600)
    assert moved(hand, (), 1000, 500) == ("raise", 1500)
    assert moved(hand, (), 500, 100, 100) == ("call", 600)  # less than half of 550


def test_H_6_rule_46_situation_3_one_of_them_is_pulled_back() -> None:
    hand = facing("600", 25)
    assert moved(hand, (25,), 1000) == ("raise", 1150)  # half or more, with the one that lies there
    assert moved(hand, (25,), 500) == ("call", 600)
    assert moved(hand, (25,), 600) == ("call", 600)


def test_H_6_rule_46_situation_4_the_chip_of_the_blind_covers_the_raise() -> None:
    hand = facing("700", 1000)
    assert moved(hand, (1000,), 100) == ("raise", 1300)
    assert moved(hand, (1000,)) == ("call", 700)


def test_H_6_rule_46_who_pulled_chips_back_may_not_fold() -> None:
    hand = facing("600", 25)
    assert moved(hand, ()) == ("call", 600)
    binding = read(hand, lying=(25,), said="fold")
    assert (binding.action, binding.reason, binding.due) == ("call", "chips-pulled-back", 550)
    assert read(hand, lying=(25, 25), said="fold").action == "fold"
    assert read(hand, lying=(), said="raise", amount=1500).to == 1500


@pytest.mark.parametrize("what", [{"lying": (0,)}, {"lying": (25_000,)}, {"lying": (25,), "chips": (20_000,)}])
def test_H_6_rule_46_chips_that_cannot_lie_there(what: dict[str, Any]) -> None:
    hand = facing("600", 25)
    problem = interpret(hand, Declaration(position=1, **what))
    assert isinstance(problem, Problem)
    opener = played(dealt(TDA, [20_000] * 3), "c c k |")
    problem = interpret(opener, Declaration(position=0, said="check", lying=()))
    assert problem == Problem("bad-notation", {"reason": "no-raise-over-an-earlier-bet"})


# Rule 47


@LIVE_BINDING
def test_H_4_addendum_example_1b_a_minimum_raise_over_them_reopens_for_the_caller(profile: str) -> None:
    hand = played(dealt(profile, [5000, 225, 5000, 300, 5000]), "c c c c k | 100 a c a c 300")
    assert actor(hand) == 2
    assert (legal(hand).call, raises(hand)) == (175, (400, 4900))


@LIVE_BINDING
def test_H_4_addendum_example_2_the_opening_bet_sets_the_minimum_over_several_short_all_ins(profile: str) -> None:
    hand = played(dealt(profile, [9000, 600, 750, 900, 9000, 9000]), "c c c c c k | 300 a a a c")
    assert (actor(hand), legal(hand).call, raises(hand)) == (5, 800, (1100, 8900))


# Rule 51


def test_H_10_rule_51_example_1_the_floor_may_let_an_undercall_be_forfeited() -> None:
    hand = played(dealt(TDA, [90_000] * 4, small=1000, big=2000), "c c c k | 2000 8000")
    binding = read(hand, chips=(2000,))
    assert (binding.to, binding.decides) == (8000, "floor")
    assert binding.choose("fold").forfeits == 2000


def test_H_10_rule_51_example_2_an_undercall_of_the_opening_bet_is_a_full_call() -> None:
    hand = played(dealt(TDA, [90_000] * 4, small=1000, big=2000), "c c c k | 8000")
    binding = read(hand, chips=(2000,))
    assert (binding.to, binding.due, binding.decides) == (8000, 6000, None)


def test_H_10_rule_51_example_3_call_said_is_the_full_bet() -> None:
    hand = played(dealt(TDA, [90_000] * 4, small=1000, big=2000), "c c c k | 2000 8000")
    assert read(hand, said="call", chips=(2000,)).to == 8000


def test_H_10_rule_51_example_4_of_an_overchip_only_the_call_that_was_meant_is_forfeited() -> None:
    hand = played(dealt(TDA, [20_000] * 5, small=200, big=400), "c 1200")
    folded = read(hand, chips=(500,)).choose("fold")
    assert (folded.forfeits, folded.returned) == (400, 100)
    after = folded.apply(hand)
    assert after.facts[-2] == Forfeited(4, 400)
    assert after.stacks[4] == 19_600


def test_H_10_what_was_meant_of_several_chips_is_all_of_them() -> None:
    hand = played(dealt(TDA, [20_000] * 5, small=200, big=400), "c 1200")
    assert read(hand, chips=(500, 100)).choose("fold").forfeits == 600


# Rule 53


@LIVE_BINDING
def test_H_9_rule_53_a_example_1_a_raise_out_of_turn(profile: str) -> None:
    # after the flop seat 3 opens for 300, seat 4 folds, seat 5 is on turn when seat 6 says: raise to 800
    stream = flop(profile).act(0, "raise", 300).act(1, "fold")
    stream.do("declare", position=3, said="raise", amount=800, out_of_turn=True)
    stream.act(2, "raise", 600)
    assert stream.refused("act", position=3, action="raise", to=899) == "raise-too-small"
    stream.act(3, "raise", 900).do("undo_action").act(3, "fold").do("undo_action").do("undo_action")
    for action in ("call", "fold"):
        stream.act(2, action)
        assert stream.refused("act", position=3, action="fold") == "bound-by-earlier"
        stream.act(3, "raise", 800).do("undo_action").do("undo_action")


@LIVE_BINDING
def test_H_9_rule_53_a_example_2_a_check_out_of_turn(profile: str) -> None:
    stream = flop(profile).act(0, "check").act(1, "check")
    stream.do("declare", position=3, said="check", out_of_turn=True)
    stream.act(2, "check")
    assert stream.refused("act", position=3, action="raise", to=300) == "bound-by-earlier"
    stream.do("undo_action").act(2, "raise", 300).act(3, "raise", 600)


@LIVE_BINDING
def test_H_9_rule_53_b_example_1_a_call_and_a_fold_out_of_turn_are_substantial(profile: str) -> None:
    stream = Stream(profile).begin(*[10_000] * 6).act(2, "raise", 600)
    stream.do("declare", position=4, said="call", out_of_turn=True)
    assert not stream.state.now.early[-1].skipped
    stream.do("declare", position=5, said="fold", out_of_turn=True)
    assert stream.state.now.early[-1].skipped == (3,)
    assert stream.refused("act", position=3, action="raise", to=1800) == "call-or-fold"
    stream.do("kill", position=3)
    assert stream.refused("act", position=4, action="fold") == "bound-by-earlier"


@LIVE_BINDING
def test_H_9_rule_53_b_example_2_a_check_and_a_bet_out_of_turn_are_substantial(profile: str) -> None:
    stream = flop(profile)
    stream.do("declare", position=1, said="check", out_of_turn=True)
    stream.do("declare", position=2, said="bet", amount=600, out_of_turn=True)
    assert stream.state.now.early[-1].skipped == (0,)


def flop(profile: str) -> Stream:
    """Four players, 50 and 100, called and checked to the flop."""
    stream = Stream(profile).begin(*[10_000] * 4)
    return stream.act(2, "call").act(3, "call").act(0, "call").act(1, "check").do("deal_board")
