"""Raises that were not seen, undercalls, cards that were seen: what they cost, house by house."""

from __future__ import annotations

from typing import Any

import pytest

from appliance.game.hand.exposed import Exposure, exposed
from appliance.game.hand.facts import Forfeited, Problem
from appliance.game.hand.reasons import sentence
from tests.game.hand.by_declaration import CASINO, LEAGUE, TDA, adds_up, bound, outcome, table

# H-10: the raise not seen


@pytest.mark.parametrize("profile", CASINO)
@pytest.mark.parametrize("said", ["call", None])
def test_H_10_who_called_without_seeing_the_raise_calls_or_folds_and_loses_it(profile: str, said: Any) -> None:
    hand = table(profile, "1200")
    binding = bound(hand, said=said, chips=(400,))
    assert outcome(binding) == ("call", 1200, 0, "raise-not-seen")
    assert (binding.decides, binding.options, binding.due) == ("player", ("call", "fold"), 800)
    called = binding.choose("call")
    assert (called.action, called.to, called.decides) == ("call", 1200, None)
    folded = binding.choose("fold")
    assert (folded.action, folded.to, folded.forfeits) == ("fold", 400, 400)
    after = folded.apply(hand)
    adds_up(hand, folded)
    assert after.stacks[3] == 19_600
    assert after.facts[-2] == Forfeited(3, 400)
    assert 3 not in after.live


@pytest.mark.parametrize("profile", CASINO)
@pytest.mark.parametrize("said", ["call", None])
def test_H_10_without_a_raise_there_was_none_to_miss(profile: str, said: Any) -> None:
    for hand in (table(profile), table(profile, "flop", "400")):
        binding = bound(hand, said=said, chips=(300,))
        assert (binding.action, binding.to, binding.due, binding.decides) == ("call", 400, 100, None)
        missed = bound(hand, said=said, chips=(300,), unseen=True)
        assert (missed.decides, missed.options) == ("player", ("call", "fold"))


@pytest.mark.parametrize("profile", CASINO)
def test_H_10_again_or_on_purpose_the_floor_decides(profile: str) -> None:
    binding = bound(table(profile, "1200"), said="call", chips=(400,), repeated=True)
    assert (binding.decides, binding.options) == ("floor", ("call", "fold", "penalty"))
    assert (binding.penalty, binding.reason) == ("floor", "raise-not-seen-again")


@pytest.mark.parametrize("profile", CASINO)
def test_H_10_a_word_alone_can_miss_the_raise(profile: str) -> None:
    assert bound(table(profile, "1200"), said="call").decides is None
    assert bound(table(profile, "1200"), said="call", unseen=True).decides == "player"
    in_full = bound(table(profile, "1200"), said="call", unseen=True, chips=(1000, 500))
    assert (in_full.decides, in_full.to, in_full.returned) == (None, 1200, 300)


@pytest.mark.parametrize("profile", CASINO)
def test_H_10_the_forfeited_chips_are_in_the_pot(profile: str) -> None:
    hand = table(profile, "1200")
    hand = bound(hand, said="call", chips=(400,)).choose("fold").apply(hand)
    hand = hand.fold().fold()
    assert hand.over
    assert hand.stacks == (19_800, 19_600, 21_000, 19_600)


@pytest.mark.parametrize("profile", LEAGUE + TDA)
def test_H_10_call_said_is_the_full_call_under_tda(profile: str) -> None:
    binding = bound(table(profile, "1200"), said="call", chips=(400,), unseen=True)
    assert (binding.action, binding.to, binding.due, binding.decides) == ("call", 1200, 800, None)


@pytest.mark.parametrize("profile", LEAGUE + TDA)
def test_H_10_an_undercall_of_the_opening_bet_is_a_full_call(profile: str) -> None:
    before = bound(table(profile), chips=(300,))  # the blind is the opening bet
    assert (before.action, before.to, before.due, before.decides) == ("call", 400, 100, None)
    after = bound(table(profile, "flop", "2000"), chips=(1000,))
    assert (after.to, after.due, after.decides, after.reason) == (2000, 1000, None, "undercall")


@pytest.mark.parametrize("profile", LEAGUE + TDA)
def test_H_10_an_undercall_heads_up_is_a_full_call(profile: str) -> None:
    hand = table(profile, "f", "f", "1200")
    binding = bound(hand, chips=(500,))
    assert (binding.to, binding.due, binding.decides) == (1200, 300, None)


@pytest.mark.parametrize("profile", LEAGUE + TDA)
def test_H_10_an_undercall_of_a_raise_among_several_is_for_the_floor(profile: str) -> None:
    hand = table(profile, "flop", "2000", "6000")
    binding = bound(hand, chips=(2000,))
    assert (binding.action, binding.to, binding.decides) == ("call", 6000, "floor")
    assert (binding.options, binding.reason) == (("call", "fold"), "undercall-of-a-raise")
    assert binding.choose("fold").forfeits == 2000
    before_the_flop = bound(table(profile, "1200"), chips=(1000,))
    assert (before_the_flop.to, before_the_flop.decides) == (1200, "floor")


@pytest.mark.parametrize("profile", LEAGUE + TDA)
def test_H_10_a_number_below_the_call_is_an_undercall(profile: str) -> None:
    binding = bound(table(profile), said="amount", amount=200)
    assert (binding.action, binding.to, binding.reason) == ("call", 400, "undercall")
    in_full = bound(table(profile), said="amount", amount=200, chips=(500,))
    assert outcome(in_full) == ("call", 400, 100, "amount-is-the-call")


def test_H_10_a_choice_not_given_is_refused() -> None:
    with pytest.raises(ValueError, match="not an option"):
        bound(table("tda-2024"), chips=(300,)).choose("fold")


# H-16: shown cards


@pytest.mark.parametrize("profile", CASINO)
def test_H_16_who_showed_cards_may_not_raise_any_more_in_the_casino(profile: str) -> None:
    hand = table(profile)
    shown = exposed(hand, 3)
    assert isinstance(shown, Exposure)
    assert (shown.consequence, shown.penalty) == ("passive-only", "warning")
    hand = shown.apply(hand).bet_or_raise(1200)
    assert outcome(bound(hand, said="raise", amount=4000, chips=(5000,))) == ("call", 1200, 3800, "cards-shown")
    hand = hand.check_or_call().fold().fold().deal_board((0, 5, 10)).check_or_call()
    assert outcome(bound(hand, chips=(1000,))) == ("check", 0, 1000, "cards-shown")


@pytest.mark.parametrize("profile", CASINO)
def test_H_16_again_or_on_purpose_the_hand_is_dead_in_the_casino(profile: str) -> None:
    hand = table(profile)
    shown = exposed(hand, 0, repeated=True)
    assert isinstance(shown, Exposure)
    assert (shown.consequence, shown.reason, shown.penalty) == ("fold", "cards-shown-again", "floor")
    assert sentence(shown.reason, {}, "cs") == "Hráč opět nebo úmyslně ukázal karty, dokud se hrálo."
    assert 0 not in shown.apply(hand).live


@pytest.mark.parametrize("profile", LEAGUE + TDA)
def test_H_16_elsewhere_shown_cards_cost_a_warning(profile: str) -> None:
    hand = table(profile)
    shown = exposed(hand, 2)
    assert isinstance(shown, Exposure)
    assert (shown.consequence, shown.penalty) == ("none", "warning")
    assert bound(shown.apply(hand), said="raise", amount=4000).action == "raise"
    again = exposed(hand, 2, repeated=True)
    assert isinstance(again, Exposure)
    assert (again.consequence, again.penalty) == ("none", "floor")


def test_H_16_a_dead_hand_shows_nothing() -> None:
    assert exposed(table("cpl", "f"), 2) == Problem("not-your-turn", {"position": 2})
