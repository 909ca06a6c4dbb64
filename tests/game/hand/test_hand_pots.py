"""H-11 and H-14: antes, side pots, what comes back, how a pot is split."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.game.hand.facts import Awarded, Posted, Returned
from appliance.game.hand.hand import Hand
from appliance.game.hand.pots import Paid, pots_of, split
from appliance.game.ruleset import PROFILES
from tests.game.hand.at_table import dealt, legal, played, told

DRY = "2c 3d 5h 9s Jc"
"""A board on which pocket pairs and high cards are what they are."""


def pots(hand: Hand) -> list[tuple[int, tuple[int, ...]]]:
    return [(pot.amount, pot.eligible) for pot in hand.pots()]


# H-11


@pytest.mark.parametrize("profile", PROFILES)
def test_H_11_an_all_in_contests_only_what_each_other_matched(profile: str) -> None:
    hand = dealt(profile, [300, 800, 2000, 2000], "AhAd KhKd QhQd 7h6h")
    hand = played(hand, "2000 c c c | | | .", DRY)
    assert pots(hand) == [(1200, (0, 1, 2, 3)), (1500, (1, 2, 3)), (2400, (2, 3))]
    assert hand.stacks == (1200, 1500, 2400, 0)


@pytest.mark.parametrize("profile", PROFILES)
def test_H_11_an_uncalled_bet_goes_back(profile: str) -> None:
    hand = played(dealt(profile, [5000] * 3), "300 f f")
    assert told(hand, Returned) == [Returned(2, 200)]
    assert hand.stacks == (4950, 4900, 5150)
    assert told(hand, Awarded) == [Awarded(250, (2,), ((2, 250),))]


def test_H_11_what_a_shorter_all_in_could_not_match_goes_back() -> None:
    hand = played(dealt("tda-2024", [700, 5000, 5000], "AhAd KhKd 2s3s"), "f 300 5000 c")
    assert told(hand, Returned) == [Returned(1, 4300)]
    assert (hand.stacks, pots(hand)) == ((0, 4300, 5000), [(1400, (0, 1))])


def test_H_11_chips_of_the_folded_stay_where_they_reach() -> None:
    hand = played(dealt("tda-2024", [5000, 300, 700, 5000]), "300 c 600 c c c | k")
    assert pots(hand) == [(1200, (0, 1, 2, 3)), (900, (0, 2, 3))]
    assert pots(played(hand, "100 c f")) == [(1200, (1, 2, 3)), (1100, (2, 3))]


def test_H_11_pots_with_equal_eligibility_are_one() -> None:
    hand = played(dealt("tda-2024", [5000] * 4), "300 c c c | 200 c c f | 400 f f")
    assert pots(hand) == [(1200 + 600, (0,))]
    hand = played(dealt("tda-2024", [5000] * 4), "300 c c c | 200 c c f")
    assert pots(hand) == [(1800, (0, 1, 2))]


def test_H_11_a_dead_hands_chips_stay() -> None:
    hand = played(dealt("tda-2024", [5000] * 4), "300 900")
    hand = hand.kill(3)
    assert hand.bets == (50, 100, 300, 900)
    hand = played(hand, "f f")
    assert pots(hand) == [(1350, (2,))]
    assert sum(hand.stacks) == 20_000


# Antes and posts


def test_H_11_antes_of_all_are_paid_before_the_blinds() -> None:
    hand = dealt("tda-2024", [5000, 60, 5000], antes=25)
    assert (hand.bets, hand.stacks) == ((50, 35, 0), (4925, 0, 4975))
    assert pots(hand) == [(75, (0, 1, 2))]


def test_H_11_who_is_short_of_the_ante_contests_that_much_of_the_others() -> None:
    hand = dealt("tda-2024", [5000, 5000, 10, 5000], "QhQd KhKd AhAd 7h6h", antes=25)
    hand = played(hand, "f c k | k k | k k | k k .", DRY)
    assert pots(hand) == [(40, (0, 1, 2)), (245, (0, 1))]
    assert hand.stacks == (4875, 5120, 40, 4975)


def test_H_11_an_ante_from_the_big_blind_is_paid_after_the_blind_and_matched_by_nobody() -> None:
    hand = dealt("tda-2024", [5000, 120, 30, 5000], "QhQd KhKd AhAd 7h6h", antes=100, ante_by="bb")
    assert told(hand, Posted) == [Posted(0, "blind", 50), Posted(1, "blind", 100), Posted(1, "ante", 20, True)]
    hand = played(hand, "c f f | | | .", DRY)
    assert pots(hand) == [(30 * 3 + 20, (1, 2)), (20 + 20, (1,))]
    assert hand.stacks == (4950, 90, 110, 5000)


def test_H_11_a_dead_post_lies_in_the_pot_and_a_live_one_counts() -> None:
    hand = dealt("cash-2012", [5000] * 4, blinds=[50, 100, 0, -100], dead_posts=[0, 0, 0, 50])
    assert (hand.bets, hand.stacks) == ((50, 100, 0, 100), (4950, 4900, 5000, 4850))
    assert pots(hand) == [(50, (0, 1, 2, 3))]
    hand = played(hand, "c")
    assert (hand.actor, legal(hand).check) == (3, True)


def test_H_8_a_straddle_is_the_bet_and_moves_the_first_action() -> None:
    hand = dealt("cash-2012", [5000] * 5, blinds=[50, 100, 200, 0, 0])
    assert (hand.actor, legal(hand).call, legal(hand).raise_min) == (3, 200, 400)
    assert played(hand, "c c c c").actor == 2
    assert legal(played(hand, "c c c c k |")).raise_min == 100


def test_S_7_a_dead_blind_is_posted_by_nobody() -> None:
    assert dealt("tda-2024", [5000] * 4, dead=[0]).bets == (0, 100, 0, 0)


@pytest.mark.parametrize(
    "wrong", [{"blinds": [50]}, {"antes": [5]}, {"antes": [-5] * 3}, {"unit": 0}, {"dead_posts": [1, 2]}]
)
def test_H_11_numbers_that_make_no_hand_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        dealt("tda-2024", [500] * 3, **wrong)
    with pytest.raises(ValueError):
        dealt("tda-2024", [500])
    with pytest.raises(ValueError):
        dealt("tda-2024", [500, 0])


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 3), st.booleans()), min_size=2, max_size=10),
    st.integers(0, 9),
)
def test_H_11_pots_hold_all_chips_each_against_whoever_reaches_it(
    table: list[tuple[int, int, bool]], dead: int
) -> None:
    bets, antes, live = zip(*table, strict=True)
    mask = sum(1 << position for position, each in enumerate(live) if each) or 1
    paid = Paid(bets, antes, 0, dead)
    made = pots_of(paid, mask)
    assert sum(pot.amount for pot in made) == sum(bets) + sum(antes) + dead
    for wide, narrow in itertools.pairwise(made):
        assert set(narrow.eligible) < set(wide.eligible)


# H-14


@pytest.mark.parametrize("profile", PROFILES)
def test_H_14_odd_chips_one_each_to_the_first_winners_left_of_the_button(profile: str) -> None:
    hand = dealt(profile, [201, 201, 201, 201, 103], "AhKh 2s7d AdKd AcKc 4c4d")
    hand = played(hand, "201 c c c c | | | .", "Ts Js Qd 3h 8h")
    assert [award.shares for award in hand.awards] == [((0, 172), (2, 172), (3, 171)), ((0, 131), (2, 131), (3, 130))]


def test_H_14_in_the_smallest_chip_in_play() -> None:
    assert split(1000, [4, 1, 2], 25) == ((1, 350), (2, 325), (4, 325))
    assert split(1050, [4, 1, 2], 25) == ((1, 350), (2, 350), (4, 350))
    assert split(1070, [1, 2], 25) == ((1, 545), (2, 525))
    assert split(5, [0, 1], 1) == ((0, 3), (1, 2))


@given(st.integers(0, 10_000), st.sets(st.integers(0, 9), min_size=1), st.sampled_from([1, 5, 25, 100]))
def test_H_14_a_split_pot_adds_up_and_nobody_is_a_chip_ahead_out_of_turn(
    amount: int, winners: set[int], unit: int
) -> None:
    shares = split(amount, sorted(winners), unit)
    assert sum(share for _, share in shares) == amount
    amounts = [share for _, share in shares]
    assert amounts == sorted(amounts, reverse=True)
    assert amounts[0] - amounts[-1] <= unit
