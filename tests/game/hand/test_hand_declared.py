"""What players say and push, and what it binds them to, with the numbers of the table."""

from __future__ import annotations

from typing import Any

import pytest

from appliance.game.hand.declaration import Declaration
from appliance.game.hand.declared import interpret
from appliance.game.hand.facts import IllegalAction, Problem
from tests.game.hand.by_declaration import ALL, CASINO, LEAGUE, TDA, bound, outcome, table

# H-5: the all-in below the big blind


@pytest.mark.parametrize("profile", ALL)
def test_H_5_all_in_below_the_big_blind_before_the_flop_leaves_the_big_blind_to_call(profile: str) -> None:
    hand = table(profile, stacks=(20_000, 20_000, 250, 20_000))
    short = bound(hand, said="all-in")
    assert (short.action, short.to, short.all_in) == ("call", 250, True)
    after = short.apply(hand)
    assert outcome(bound(after, chips=(500,))) == ("call", 400, 100, "oversized-chip")
    assert bound(after, said="raise", amount=5000).to == 5000


@pytest.mark.parametrize("profile", ALL)
def test_H_5_an_all_in_below_the_big_blind_is_matched_after_the_flop(profile: str) -> None:
    hand = table(profile, "flop", stacks=(650, 20_000, 20_000, 20_000))
    hand = bound(hand, said="all-in").apply(hand)
    assert outcome(bound(hand, chips=(100, 100, 50))) == ("call", 250, 0, "chips-are-the-call")
    assert outcome(bound(hand, chips=(500,))) == ("call", 250, 250, "oversized-chip")


@pytest.mark.parametrize("profile", ALL)
def test_H_5_raise_over_an_all_in_below_the_big_blind(profile: str) -> None:
    hand = table(profile, "flop", stacks=(650, 20_000, 20_000, 20_000))
    hand = bound(hand, said="all-in").apply(hand)
    raised = bound(hand, said="raise")
    assert (raised.action, raised.to) == ("raise", 650)
    assert "H-5" in raised.rules


# H-6: chips without a word


@pytest.mark.parametrize("profile", ALL)
def test_H_6_a_silent_oversized_chip_over_the_blind_is_a_call(profile: str) -> None:
    assert outcome(bound(table(profile), chips=(1000,))) == ("call", 400, 600, "oversized-chip")


@pytest.mark.parametrize("profile", ALL)
def test_H_6_a_silent_oversized_chip_over_a_raise_is_a_call(profile: str) -> None:
    assert outcome(bound(table(profile, "1200"), chips=(5000,))) == ("call", 1200, 3800, "oversized-chip")


@pytest.mark.parametrize("profile", ALL)
def test_H_6_the_small_blind_completes_with_an_oversized_chip(profile: str) -> None:
    assert outcome(bound(table(profile, "f", "f"), chips=(1000,))) == ("call", 400, 800, "oversized-chip")


@pytest.mark.parametrize("profile", ALL)
def test_H_6_the_last_chip_alone_is_a_call_too(profile: str) -> None:
    hand = table(profile, stacks=(20_000, 20_000, 5000, 20_000))
    assert outcome(bound(hand, chips=(5000,))) == ("call", 400, 4600, "oversized-chip")


@pytest.mark.parametrize("profile", ALL)
def test_H_6_chips_of_exactly_the_call_are_a_call(profile: str) -> None:
    assert outcome(bound(table(profile, "1200"), chips=(1000, 100, 100))) == ("call", 1200, 0, "chips-are-the-call")


@pytest.mark.parametrize("profile", ALL)
def test_H_6_raise_said_first_takes_the_whole_chip(profile: str) -> None:
    assert outcome(bound(table(profile), said="raise", chips=(1000,))) == ("raise", 1000, 0, "raise-of-chips")


@pytest.mark.parametrize("profile", ALL)
def test_H_6_raise_said_after_the_chip_is_too_late(profile: str) -> None:
    said_late = bound(table(profile), said="raise", chips=(1000,), chips_first=True)
    assert outcome(said_late) == ("call", 400, 600, "oversized-chip")


@pytest.mark.parametrize("profile", ALL)
def test_H_6_a_silent_chip_opens_for_its_whole_value(profile: str) -> None:
    assert outcome(bound(table(profile, "flop"), chips=(1000,))) == ("bet", 1000, 0, "opening-chips")


@pytest.mark.parametrize("profile", ALL)
def test_H_6_several_silent_chips_open_for_their_whole_value(profile: str) -> None:
    assert outcome(bound(table(profile, "flop"), chips=(500, 500, 100))) == ("bet", 1100, 0, "opening-chips")


@pytest.mark.parametrize("profile", LEAGUE)
def test_H_6_several_silent_chips_are_a_call_in_the_league(profile: str) -> None:
    assert outcome(bound(table(profile), chips=(1000, 1000))) == ("call", 400, 1600, "several-chips")


@pytest.mark.parametrize("profile", LEAGUE)
def test_H_6_a_whole_stack_pushed_in_silence_is_a_call_in_the_league(profile: str) -> None:
    hand = table(profile, stacks=(20_000, 20_000, 2500, 20_000))
    assert outcome(bound(hand, chips=(1000, 1000, 500))) == ("call", 400, 2100, "several-chips")


@pytest.mark.parametrize("profile", LEAGUE)
def test_H_6_several_chips_after_raise_was_said_raise_in_the_league(profile: str) -> None:
    assert outcome(bound(table(profile), said="raise", chips=(1000, 1000))) == ("raise", 2000, 0, "raise-of-chips")


@pytest.mark.parametrize("profile", CASINO)
def test_H_6_several_silent_chips_raise_to_their_value_in_the_casino(profile: str) -> None:
    # TDA's own example, two chips of 1000 over 1200: there a call, here 800 more, the full raise
    assert outcome(bound(table(profile, "1200"), chips=(1000, 1000))) == ("raise", 2000, 0, "several-chips-raise")


@pytest.mark.parametrize("profile", TDA)
def test_H_6_every_chip_needed_is_a_call(profile: str) -> None:
    assert outcome(bound(table(profile, "1200"), chips=(1000, 1000))) == ("call", 1200, 800, "every-chip-needed")


@pytest.mark.parametrize("profile", TDA)
def test_H_6_one_chip_too_many_goes_by_one_half(profile: str) -> None:
    hand = table(profile, "1200")
    assert outcome(bound(hand, chips=(1000, 1000, 100))) == ("raise", 2100, 0, "several-chips-raise")
    assert outcome(bound(hand, chips=(1000, 500, 100))) == ("raise", 2000, 0, "half-or-more")
    assert outcome(bound(hand, chips=(1000, 500))) == ("call", 1200, 300, "every-chip-needed")
    assert outcome(bound(hand, chips=(1000, 200, 200))) == ("call", 1200, 200, "less-than-half")


@pytest.mark.parametrize("profile", TDA)
def test_H_6_the_last_chips_are_all_in_when_not_all_are_needed(profile: str) -> None:
    hand = table(profile, "1200", stacks=(20_000, 20_000, 20_000, 1300))
    binding = bound(hand, chips=(1000, 200, 100))
    assert outcome(binding) == ("raise", 1300, 0, "several-chips-raise")
    assert binding.all_in


@pytest.mark.parametrize("profile", TDA)
def test_H_6_the_last_chips_are_a_call_when_all_are_needed(profile: str) -> None:
    hand = table(profile, "1200", stacks=(20_000, 20_000, 20_000, 1500))
    binding = bound(hand, chips=(1000, 500))
    assert outcome(binding) == ("call", 1200, 300, "every-chip-needed")
    assert not binding.all_in


@pytest.mark.parametrize("profile", ALL)
def test_H_6_a_whole_stack_of_less_than_the_call_is_a_call(profile: str) -> None:
    hand = table(profile, "1200", stacks=(20_000, 20_000, 20_000, 900))
    binding = bound(hand, chips=(500, 200, 200))
    assert outcome(binding) == ("call", 900, 0, "chips-are-the-call")
    assert binding.all_in


@pytest.mark.parametrize("profile", CASINO + TDA)
def test_H_6_the_big_blind_with_nothing_to_call_raises_by_a_silent_chip(profile: str) -> None:
    hand = table(profile, "c", "c", "c")
    assert outcome(bound(hand, chips=(500,))) == ("raise", 900, 0, "opening-chips")


@pytest.mark.parametrize("profile", LEAGUE)
def test_H_6_the_big_blind_with_nothing_to_call_checks_by_silent_chips_in_the_league(profile: str) -> None:
    hand = table(profile, "c", "c", "c")
    assert outcome(bound(hand, chips=(500,))) == ("check", 400, 500, "nothing-to-call")
    assert outcome(bound(hand, said="raise", chips=(500,))) == ("raise", 900, 0, "raise-of-chips")


@pytest.mark.parametrize("profile", ALL)
def test_H_6_words_count_before_the_chips_that_follow(profile: str) -> None:
    assert outcome(bound(table(profile), said="call", chips=(1000, 1000))) == ("call", 400, 1600, "said-call")
    assert outcome(bound(table(profile), said="fold", chips=(1000,))) == ("fold", 0, 1000, "said-fold")
    assert outcome(bound(table(profile, "flop"), said="check", chips=(1000,))) == ("check", 0, 1000, "said-check")


# H-7: less than the minimum raise


@pytest.mark.parametrize("profile", CASINO + TDA)
@pytest.mark.parametrize(
    ("said", "action", "to", "reason"),
    [
        (1599, "call", 1200, "less-than-half"),  # 399 of 800
        (1600, "raise", 2000, "half-or-more"),  # 400 of 800
        (1999, "raise", 2000, "half-or-more"),
        (2000, "raise", 2000, "said-amount"),
        (1200, "call", 1200, "amount-is-the-call"),
    ],
)
def test_H_7_one_half_is_measured_on_the_increment(profile: str, said: int, action: str, to: int, reason: str) -> None:
    assert outcome(bound(table(profile, "1200"), said="amount", amount=said)) == (action, to, 0, reason)


@pytest.mark.parametrize("profile", CASINO)
@pytest.mark.parametrize(
    ("chips", "action", "to", "back", "reason"),
    [
        ((1000, 500), "call", 1200, 300, "less-than-half"),  # a raise by 300 of 800
        ((1000, 500, 100), "raise", 2000, 0, "half-or-more"),  # 400 of 800, and 400 still due
        ((1000, 500, 500), "raise", 2000, 0, "several-chips-raise"),
    ],
)
def test_H_7_pushed_chips_go_by_one_half_in_the_casino(
    profile: str, chips: tuple[int, ...], action: str, to: int, back: int, reason: str
) -> None:
    binding = bound(table(profile, "1200"), chips=chips)
    assert outcome(binding) == (action, to, back, reason)
    assert binding.due == max(0, to - sum(chips))


@pytest.mark.parametrize("profile", LEAGUE)
def test_H_7_a_number_below_the_minimum_raise_is_a_call_in_the_league(profile: str) -> None:
    least = {"cpl-2017": 2400, "cpl": 1600}[profile]
    hand = table(profile, "1200")
    assert outcome(bound(hand, said="amount", amount=least - 1)) == ("call", 1200, 0, "less-than-a-raise")
    assert outcome(bound(hand, said="amount", amount=least)) == ("raise", least, 0, "said-amount")


@pytest.mark.parametrize(
    ("profile", "least"),
    [("cpl-2017", 2400), ("cpl", 1600), ("casino-2012", 2000), ("cash-2012", 2000), ("tda-2024", 2000)],
)
def test_H_7_raise_said_and_too_little_pushed_is_the_minimum_raise(profile: str, least: int) -> None:
    binding = bound(table(profile, "1200"), said="raise", chips=(1000, 200, 100))
    assert outcome(binding) == ("raise", least, 0, "raise-said-too-little")
    assert binding.due == least - 1300


@pytest.mark.parametrize(
    ("profile", "least"),
    [("cpl-2017", 2400), ("cpl", 1600), ("casino-2012", 2000), ("cash-2012", 2000), ("tda-2024", 2000)],
)
def test_H_7_raise_said_with_no_number_and_no_chips_is_the_minimum_raise(profile: str, least: int) -> None:
    assert outcome(bound(table(profile, "1200"), said="raise")) == ("raise", least, 0, "said-raise")


@pytest.mark.parametrize("profile", ALL)
def test_H_7_raise_and_a_number_is_the_total(profile: str) -> None:
    # TDA 43: a bet of 2000, "raise, eight thousand": to 8000
    assert bound(table(profile, "2000"), said="raise", amount=8000).to == 8000


@pytest.mark.parametrize("profile", ALL)
def test_H_7_raise_by_a_number_adds_it_to_the_bet(profile: str) -> None:
    assert bound(table(profile, "2000"), said="raise", amount=8000, by=True).to == 10_000


@pytest.mark.parametrize("profile", ALL)
def test_H_7_the_number_binds_whatever_is_pushed(profile: str) -> None:
    more = bound(table(profile), said="raise", amount=1500, chips=(1000, 1000))
    assert (more.to, more.returned, more.due) == (1500, 500, 0)
    less = bound(table(profile), said="raise", amount=1500, chips=(1000,))
    assert (less.to, less.returned, less.due) == (1500, 0, 500)


@pytest.mark.parametrize("profile", ALL)
def test_H_7_an_opening_bet_is_at_least_the_big_blind(profile: str) -> None:
    hand = table(profile, "flop")
    assert outcome(bound(hand, chips=(100,))) == ("bet", 400, 0, "bet-below-minimum")
    assert outcome(bound(hand, said="bet", amount=300)) == ("bet", 400, 0, "bet-below-minimum")


@pytest.mark.parametrize("profile", CASINO + TDA)
def test_H_7_half_of_the_full_raise_takes_a_shorter_stack_all_in(profile: str) -> None:
    hand = table(profile, "1200", stacks=(20_000, 20_000, 20_000, 1900))
    binding = bound(hand, said="amount", amount=1600)
    assert (binding.action, binding.to, binding.all_in) == ("raise", 1900, True)
    assert bound(hand, said="amount", amount=1590).action == "call"


@pytest.mark.parametrize("profile", ALL)
def test_H_7_more_than_there_is_means_all_in(profile: str) -> None:
    binding = bound(table(profile), said="raise", amount=50_000)
    assert (binding.to, binding.all_in) == (20_000, True)


# All-in, and the limits of the betting


@pytest.mark.parametrize("profile", ALL)
def test_H_4_all_in_said_for_no_more_than_the_bet_is_a_call(profile: str) -> None:
    hand = table(profile, "1200", stacks=(20_000, 20_000, 20_000, 900))
    binding = bound(hand, said="all-in")
    assert (binding.action, binding.to, binding.due, binding.all_in) == ("call", 900, 900, True)
    assert binding.reason == "all-in-is-a-call"


@pytest.mark.parametrize("profile", LEAGUE)
def test_H_4_after_a_short_all_in_a_raise_is_by_exactly_the_big_blind_in_the_league(profile: str) -> None:
    hand = table(profile, "1200", "1500", stacks=(20_000, 20_000, 20_000, 1500))
    assert outcome(bound(hand, said="all-in")) == ("raise", 1900, 0, "raise-capped")
    assert outcome(bound(hand, said="raise", amount=6000)) == ("raise", 1900, 0, "raise-capped")


@pytest.mark.parametrize("profile", CASINO + TDA)
def test_H_4_one_who_acted_may_not_raise_a_short_all_in(profile: str) -> None:
    hand = table(profile, "1200", "1500", "c", "f", stacks=(20_000, 20_000, 20_000, 1500))
    assert outcome(bound(hand, said="raise", amount=6000)) == ("call", 1500, 0, "raise-not-reopened")


@pytest.mark.parametrize("profile", ALL)
def test_H_3_no_raise_when_nobody_else_has_chips(profile: str) -> None:
    hand = table(profile, "5000", "f", stacks=(20_000, 20_000, 5000, 20_000))
    hand = hand.fold()
    assert outcome(bound(hand, said="all-in")) == ("call", 5000, 0, "nobody-has-chips-behind")


@pytest.mark.parametrize("profile", ALL)
def test_H_3_call_said_with_nothing_to_call_is_a_check(profile: str) -> None:
    assert outcome(bound(table(profile, "flop"), said="call")) == ("check", 0, 0, "said-call")


@pytest.mark.parametrize("profile", ALL)
def test_H_3_raise_said_with_no_bet_is_a_bet(profile: str) -> None:
    assert outcome(bound(table(profile, "flop"), said="raise", amount=900)) == ("bet", 900, 0, "said-amount")
    assert outcome(bound(table(profile, "900"), said="bet", amount=5000)) == ("raise", 5000, 0, "said-amount")


# H-8: the string bet


@pytest.mark.parametrize("profile", ALL)
def test_H_8_the_call_and_then_more_is_the_call(profile: str) -> None:
    binding = bound(table(profile), chips=(400,), motions=((1000,),))
    assert outcome(binding) == ("call", 400, 1000, "chips-are-the-call")
    assert binding.string_bet
    assert "H-8" in binding.rules


@pytest.mark.parametrize("profile", ALL)
def test_H_8_only_the_first_motion_opens(profile: str) -> None:
    binding = bound(table(profile, "flop"), chips=(500,), motions=((500,), (1000,)))
    assert outcome(binding) == ("bet", 500, 1500, "opening-chips")
    assert binding.string_bet


@pytest.mark.parametrize("profile", CASINO)
def test_H_8_the_first_motion_of_several_chips_is_the_raise(profile: str) -> None:
    binding = bound(table(profile), chips=(500, 500), motions=((5000,),))
    assert outcome(binding) == ("raise", 1000, 5000, "several-chips-raise")


@pytest.mark.parametrize("profile", ALL)
def test_H_8_call_and_raise_is_a_call(profile: str) -> None:
    # "call … and raise": the first word binds
    assert bound(table(profile), said="call", chips=(400,), motions=((1000,),)).returned == 1000


@pytest.mark.parametrize("profile", ALL)
def test_H_8_raise_said_then_the_call_and_more_in_a_second_motion_is_the_minimum_raise(profile: str) -> None:
    # only the first motion counts, and it was too little for the raise that was said (TDA 42, since 2019)
    binding = bound(table(profile), said="raise", chips=(400,), motions=((600, 500),))
    assert outcome(binding) == ("raise", 800, 700, "raise-said-too-little")
    assert binding.string_bet


@pytest.mark.parametrize("profile", CASINO + TDA)
def test_H_8_raise_said_then_more_than_the_call_counts_the_first_motion(profile: str) -> None:
    binding = bound(table(profile), said="raise", chips=(500,), motions=((1000,),))
    assert outcome(binding) == ("raise", 800, 700, "raise-said-too-little")
    assert binding.string_bet


@pytest.mark.parametrize("profile", ALL)
def test_H_8_after_raise_was_said_too_only_the_first_motion_counts(profile: str) -> None:
    binding = bound(table(profile), said="raise", chips=(1000,), motions=((600,), (5000,)))
    assert (binding.to, binding.returned, binding.string_bet) == (1000, 5600, True)


@pytest.mark.parametrize("profile", ALL)
def test_H_8_a_call_may_be_put_together_in_two_motions(profile: str) -> None:
    binding = bound(table(profile, "1200"), chips=(1000,), motions=((100, 100),))
    assert outcome(binding) == ("call", 1200, 0, "chips-are-the-call")
    assert not binding.string_bet


# What is no declaration


@pytest.mark.parametrize(
    ("what", "code"),
    [
        ({}, "bad-notation"),
        ({"chips": (0,)}, "bad-notation"),
        ({"chips": (-100,)}, "bad-notation"),
        ({"motions": ((100,),)}, "bad-notation"),
        ({"said": "amount"}, "bad-notation"),
        ({"said": "raise", "amount": 0}, "bad-notation"),
        ({"said": "raise", "chips_first": True}, "bad-notation"),
        ({"chips": (25_000,)}, "not-enough-chips"),
        ({"said": "check"}, "cannot-check"),
        ({"said": "call", "position": 3}, "not-your-turn"),
        ({"said": "call", "position": 9}, "not-your-turn"),
    ],
)
def test_H_6_what_cannot_be_is_refused(what: dict[str, Any], code: str) -> None:
    problem = interpret(table("tda-2024"), Declaration(**({"position": 2} | what)))
    assert isinstance(problem, Problem)
    assert problem.code == code


def test_H_6_a_binding_is_only_for_the_player_on_turn() -> None:
    hand = table("tda-2024")
    binding = bound(hand, said="call")
    with pytest.raises(IllegalAction):
        binding.apply(binding.apply(hand))
