"""Disputes that come to the floor: who is right under which house (H-2, H-12)."""

from __future__ import annotations

import pytest

from appliance.game.ruleset import PROFILES
from tests.game.hand.at_table import LEAGUE, dealt, played
from tests.game.hand.test_hand_phh import done, phh
from tests.game.hand.test_hand_phh import played as played_again

CHECKED = "c c k | k k k | k k k | "
"""Three players to the river, no bet yet on it."""


@pytest.mark.parametrize("profile", PROFILES)
def test_H_12_the_first_bettor_folded_to_a_raise_and_the_raiser_shows_before_the_caller(profile: str) -> None:
    hand = played(dealt(profile, [5000] * 3), CHECKED + "100 c 300 f c")
    assert hand.show_order == (2, 1)


@pytest.mark.parametrize("profile", LEAGUE)
def test_H_12_of_two_raisers_still_in_the_league_asks_the_first(profile: str) -> None:
    hand = played(dealt(profile, [5000] * 4), "c c c k | k k k k | k k k k | 100 c 300 900 f c c")
    assert hand.show_order == (2, 3, 1)


@pytest.mark.parametrize("profile", ["casino-2012", "cash-2012"])
def test_H_12_the_last_bettor_folded_a_free_check_and_the_casino_asks_the_one_who_bet_before(profile: str) -> None:
    hand = played(dealt(profile, [5000] * 4), "c c c 300 c c c | k k 100 c c c | k k f k | k k k")
    assert hand.show_order == (1, 3, 0)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("option", [(), ("p2 cc",)])
def test_H_2_a_record_may_leave_out_the_check_of_a_big_blind_nobody_could_follow(
    profile: str, option: tuple[str, ...]
) -> None:
    hand = done(phh("p3 cc", "p1 f", *option, "d db 2c3d7h", stacks=(5000, 5000, 100)), profile)
    assert (hand.street, hand.pots()[0].amount, hand.stacks) == (1, 250, (4950, 4900, 0))


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("option", [(), ("p1 cc",)])
def test_H_2_a_record_may_tell_the_check_of_a_big_blind_who_was_not_asked(
    profile: str, option: tuple[str, ...]
) -> None:
    hand = done(phh("p2 cc", *option, "d db 2c3d7h", stacks=(1000, 100)), profile)
    assert (hand.street, hand.pots()[0].amount, hand.stacks) == (1, 200, (900, 0))


@pytest.mark.parametrize(
    ("actions", "stacks"),
    [
        (("p2 cc", "p2 cc"), (1000, 100)),
        (("p2 cc", "p1 cc", "d db 2c3d7h", "p1 cc"), (1000, 100)),
        (("p2 cbr 1000", "p1 cc", "p1 cc"), (2000, 1000)),
        (("p2 cc", "d db 2c3d7h"), (1000, 1000)),
    ],
)
def test_H_2_nothing_else_is_told_twice_or_left_out(actions: tuple[str, ...], stacks: tuple[int, ...]) -> None:
    result = played_again(phh(*actions, stacks=stacks))
    assert (result.problem and result.problem.code, result.action) == ("not-your-turn", len(actions))
