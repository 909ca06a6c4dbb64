"""Disputes that come to the floor: who is right under which house (H-12)."""

from __future__ import annotations

import pytest

from appliance.game.ruleset import PROFILES
from tests.game.hand.at_table import LEAGUE, dealt, played

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
