"""H-2 to H-5: whose turn it is, and what may be bet, under every profile."""

from __future__ import annotations

import pytest

from appliance.game.hand.hand import Hand
from appliance.game.ruleset import PROFILES
from tests.game.hand.at_table import CUMULATIVE, LEAGUE, actor, dealt, legal, played, raises, refused


def order(hand: Hand, passing: str = "c") -> list[int]:
    """Who acts one after the other while everybody checks or calls."""
    acted = []
    street = hand.street
    while hand.phase == "betting" and hand.street == street:
        acted.append(actor(hand))
        hand = hand.check_or_call()
    return acted


# H-2


@pytest.mark.parametrize("profile", PROFILES)
def test_H_2_left_of_the_big_blind_begins_and_the_big_blind_has_the_option(profile: str) -> None:
    hand = dealt(profile, [5000] * 6)
    assert order(hand) == [2, 3, 4, 5, 0, 1]
    option = played(hand, "c c c c c")
    assert legal(option).check and legal(option).call is None
    assert raises(option) == (200, 5000)


def test_H_2_after_the_flop_the_first_still_in_left_of_the_button_begins() -> None:
    hand = dealt("tda-2024", [5000] * 6)
    assert order(played(hand, "c c c c f k |")) == [1, 2, 3, 4, 5]


def test_H_2_heads_up_the_button_has_the_small_blind_and_acts_first_only_before_the_flop() -> None:
    hand = dealt("tda-2024", [5000, 4000])
    assert hand.bets == (100, 50)
    assert order(hand) == [1, 0]
    assert order(played(hand, "c k |")) == [0, 1]


def test_H_2_an_empty_small_blind_leaves_the_first_position_the_big_blind() -> None:
    hand = dealt("cpl-2017", [5000] * 4, small=None)
    assert hand.bets == (100, 0, 0, 0)
    assert order(hand) == [1, 2, 3, 0]


def test_H_2_a_raise_asks_everybody_again_but_the_raiser() -> None:
    assert order(played(dealt("cpl", [5000] * 4), "c 300")) == [0, 1, 2]


# H-3


@pytest.mark.parametrize(
    ("profile", "least"),
    [("cpl-2017", 600), ("cpl", 400), ("casino-2012", 500), ("tda-2024", 500), ("cash-2012", 500)],
)
def test_H_3_the_minimum_raise_over_a_raise_to_300(profile: str, least: int) -> None:
    hand = played(dealt(profile, [5000] * 4), "300")
    assert raises(hand) == (least, 5000)
    assert refused(hand, str(least - 1)) == "raise-too-small"


@pytest.mark.parametrize(
    ("profile", "least"),
    [("cpl-2017", 1600), ("cpl", 900), ("casino-2012", 1200), ("tda-2024", 1200), ("cash-2012", 1200)],
)
def test_H_3_the_largest_raise_of_the_street_counts_only_where_the_profile_says_so(profile: str, least: int) -> None:
    # raises by 300 and by 400
    assert raises(played(dealt(profile, [5000] * 5), "400 800")) == (least, 5000)


@pytest.mark.parametrize("profile", PROFILES)
def test_H_3_the_minimum_bet_is_the_big_blind(profile: str) -> None:
    hand = played(dealt(profile, [5000] * 3), "c c k |")
    assert raises(hand) == (100, 4900)
    assert refused(hand, "99") == "raise-too-small"
    assert refused(hand, "4901") == "not-enough-chips"


@pytest.mark.parametrize("profile", PROFILES)
def test_H_3_an_all_in_may_always_be_smaller(profile: str) -> None:
    hand = played(dealt(profile, [5000, 5000, 5000, 350]), "300")
    assert raises(hand) == (350, 350)
    assert played(hand, "350").stacks[3] == 0


@pytest.mark.parametrize("profile", PROFILES)
def test_H_3_no_raise_where_no_other_has_chips_behind(profile: str) -> None:
    hand = played(dealt(profile, [400, 400, 5000]), "f a")
    assert legal(hand).call == 300
    assert raises(hand) is None
    hand = played(dealt(profile, [1000, 5000, 300]), "a f")
    assert (actor(hand), legal(hand).call, raises(hand)) == (1, 200, None)
    assert refused(hand, "600") == "raise-not-reopened"


def test_H_3_nor_where_the_others_chips_do_not_reach_beyond_the_bet() -> None:
    # position 2 has 68 behind, too few for the bet of 928: nobody could follow a raise
    hand = played(dealt("tda-2024", [267, 5825, 690, 928, 135]), "622 928 c c")
    assert (actor(hand), raises(hand)) == (1, None)


# H-4


@pytest.mark.parametrize("profile", LEAGUE)
def test_H_4_after_a_short_all_in_only_a_call_or_a_raise_by_one_big_blind(profile: str) -> None:
    # bet 300, all-in for 350: nobody may do more than make it 450, those who have acted included
    hand = played(dealt(profile, [5000, 5000, 5000, 350, 5000]), "300 a")
    assert (actor(hand), legal(hand).call, raises(hand)) == (4, 350, (450, 450))
    for amount in ("400", "449", "451", "700", "5000"):
        assert refused(hand, amount) == "raise-capped"
    acted = played(hand, "c f f")
    assert (actor(acted), legal(acted).call, raises(acted)) == (2, 50, (450, 450))


@pytest.mark.parametrize(("profile", "least"), [("cpl-2017", 900), ("cpl", 550)])
def test_H_4_after_that_raise_normal_rules_hold_again(profile: str, least: int) -> None:
    hand = played(dealt(profile, [5000, 5000, 5000, 350, 5000]), "300 a 450")
    assert raises(hand) == (least, 5000)
    assert raises(played(hand, "c c")) == (least, 5000)


@pytest.mark.parametrize("profile", LEAGUE)
def test_H_4_a_stack_too_short_for_the_capped_raise_goes_all_in(profile: str) -> None:
    hand = played(dealt(profile, [5000, 5000, 5000, 350, 400]), "300 a")
    assert raises(hand) == (400, 400)
    assert raises(played(hand, "a")) == (500, 500)


@pytest.mark.parametrize("profile", LEAGUE)
def test_H_4_a_full_all_in_caps_nothing(profile: str) -> None:
    hand = played(dealt(profile, [5000, 5000, 5000, 700, 5000]), "300 a")
    assert raises(hand) == ({"cpl-2017": 1400, "cpl": 800}[profile], 5000)


@pytest.mark.parametrize("profile", LEAGUE)
def test_H_4_as_first_bet_an_all_in_of_a_big_blind_or_more_is_a_full_bet(profile: str) -> None:
    hand = played(dealt(profile, [250, 5000, 5000]), "c c k | a")
    assert raises(hand) == ({"cpl-2017": 300, "cpl": 250}[profile], 4900)


@pytest.mark.parametrize("profile", PROFILES)
def test_H_4_an_all_in_at_or_below_the_bet_is_a_call(profile: str) -> None:
    hand = played(dealt(profile, [5000, 5000, 5000, 250, 5000]), "300 c")
    assert hand.stacks[3] == 0
    assert raises(hand) == raises(played(dealt(profile, [5000] * 5), "300 f"))


@pytest.mark.parametrize("profile", CUMULATIVE)
def test_H_4_a_short_all_in_does_not_reopen_for_those_who_have_acted(profile: str) -> None:
    hand = played(dealt(profile, [5000, 5000, 5000, 5000, 350, 5000]), "300 c a")
    assert raises(hand) == (550, 5000)  # has not acted yet: by the largest full raise, 200
    back = played(hand, "c f f")
    assert (actor(back), legal(back).call, raises(back)) == (2, 50, None)
    assert refused(back, "1000") == "raise-not-reopened"


# TDA rule 47 and its addendum


@pytest.mark.parametrize("profile", CUMULATIVE)
def test_H_4_addendum_example_1_short_all_ins_that_add_up_to_a_full_raise_reopen(profile: str) -> None:
    # after the flop: A bets 100, B all-in 125, C calls, D all-in 200, E calls: A faces 100 more
    hand = played(dealt(profile, [5000, 225, 5000, 300, 5000]), "c c c c k | 100 a c a c")
    assert (actor(hand), legal(hand).call, raises(hand)) == (0, 100, (300, 4900))


@pytest.mark.parametrize("profile", CUMULATIVE)
def test_H_4_addendum_example_1a_who_faces_less_than_a_full_raise_may_only_call_or_fold(profile: str) -> None:
    hand = played(dealt(profile, [5000, 225, 5000, 300, 5000]), "c c c c k | 100 a c a c c")
    assert (actor(hand), legal(hand).call, raises(hand)) == (2, 75, None)


@pytest.mark.parametrize("profile", CUMULATIVE)
def test_H_4_addendum_example_2_a_short_all_in_over_the_opening_raise(profile: str) -> None:
    # 2000-4000: A makes it 8000, C all-in for 10500; the big blind may do anything
    hand = dealt(profile, [50_000, 50_000, 50_000, 50_000, 10_500, 50_000], small=2000, big=4000)
    blind = played(hand, "8000 f a f f")
    assert (actor(blind), legal(blind).call, raises(blind)) == (1, 6500, (14_500, 50_000))
    assert raises(played(blind, "c")) is None  # A faces 2500
    assert raises(played(blind, "14500")) == (18_500, 50_000)  # A faces 6500: a full raise


@pytest.mark.parametrize("profile", CUMULATIVE)
def test_H_4_addendum_example_3_a_limper_faces_a_short_all_in(profile: str) -> None:
    # 2000-4000: A calls, C all-in for 7500, the small blind folds
    hand = dealt(profile, [50_000, 50_000, 50_000, 50_000, 7500, 50_000], small=2000, big=4000)
    blind = played(hand, "c f a f f")
    assert (actor(blind), legal(blind).call, raises(blind)) == (1, 3500, (11_500, 50_000))
    assert raises(played(blind, "11500")) == (15_500, 50_000)


@pytest.mark.parametrize("profile", CUMULATIVE)
def test_H_4_addendum_example_3a_the_limper_may_not_raise_when_the_big_blind_just_calls(profile: str) -> None:
    hand = dealt(profile, [50_000, 50_000, 50_000, 50_000, 7500, 50_000], small=2000, big=4000)
    limper = played(hand, "c f a f f c")
    assert (actor(limper), legal(limper).call, raises(limper)) == (2, 3500, None)


# H-5


@pytest.mark.parametrize("profile", PROFILES)
def test_H_5_before_the_flop_the_bet_to_call_stays_the_big_blind(profile: str) -> None:
    hand = dealt(profile, [5000, 60, 5000, 5000])
    assert hand.bets == (50, 60, 0, 0)
    assert legal(hand).call == 100
    assert raises(hand) == (200, 5000)
    assert raises(played(dealt(profile, [5000, 5000, 60, 5000]), "c")) == (200, 5000)


@pytest.mark.parametrize("profile", PROFILES)
def test_H_5_after_the_flop_calling_matches_the_all_in_and_a_raise_is_one_big_blind_over_it(profile: str) -> None:
    hand = played(dealt(profile, [160, 5000, 5000]), "c c k | a")
    assert (legal(hand).call, raises(hand)) == (60, (160, 4900))
    assert refused(hand, "159") == "raise-too-small"


@pytest.mark.parametrize("profile", LEAGUE)
def test_H_5_the_league_lets_those_who_checked_raise_over_it(profile: str) -> None:
    hand = played(dealt(profile, [5000, 5000, 160]), "c c k | k k a")
    assert (actor(hand), raises(hand)) == (0, (160, 4900))


@pytest.mark.parametrize("profile", CUMULATIVE)
def test_H_5_elsewhere_it_is_no_full_bet_for_those_who_checked(profile: str) -> None:
    hand = played(dealt(profile, [5000, 5000, 160]), "c c k | k k a")
    assert (actor(hand), legal(hand).call, raises(hand)) == (0, 60, None)


@pytest.mark.parametrize("profile", LEAGUE)
def test_H_5_a_small_all_in_caps_nothing(profile: str) -> None:
    hand = played(dealt(profile, [160, 190, 5000, 5000]), "c c c k | a a")
    assert raises(hand) == (190, 4900)


# Turns and refusals


def test_H_2_out_of_turn_and_impossible_actions_are_refused_and_change_nothing() -> None:
    hand = played(dealt("tda-2024", [5000] * 4), "300")
    assert hand.verify_fold(by=0) is not None
    assert refused(hand, "k") == "cannot-check"
    assert refused(played(hand, "f f c |"), "c") == "nothing-to-call"
    assert refused(hand, "|") == "not-your-turn"
    for code, problem in [
        ("not-your-turn", hand.verify_check_or_call(by=0)),
        ("not-your-turn", hand.verify_bet_or_raise(900, by=2)),
        ("not-your-turn", hand.verify_show(2)),
        ("bad-notation", dealt_none().verify_deal_hole(9)),
    ]:
        assert problem is not None and problem.code == code
    over = played(hand, "f f f")
    assert over.over
    for word in ("f", "k", "c", "500", "|"):
        assert refused(over, word) == "hand-over"


def dealt_none() -> Hand:
    return Hand.begin(PROFILES["cpl"], [500, 500], small_blind=50, big_blind=100)
