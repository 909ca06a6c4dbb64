"""Mistakes with the board, bets and cards of players, each row under each house."""

from __future__ import annotations

import pytest

from appliance.game.ruleset import PROFILES
from appliance.game.rulings.book import is_borrowed
from tests.game.rulings.by_ruling import CASINO, LEAGUE, ROW, SILENT, TDA, each, follows, ruled, steps


@pytest.mark.parametrize(
    ROW,
    [
        *each(
            LEAGUE,
            ("error=too-many acted=1", "reshuffle-flop", "A TDA"),
            ("error=too-many acted=2", "commissioner-decides", "A"),
            ("error=too-soon acted=0", "reshuffle-flop", "A TDA"),
            ("error=too-soon acted=2", "deal-on", "A"),
            ("error=no-burn acted=1", "reshuffle-flop", "A"),
            ("error=no-burn acted=2", "deal-on", "A"),
            ("error=more-burns acted=1", "reshuffle-flop", "A"),
            ("error=more-burns acted=2", "deal-on", "A"),
        ),
        *each(
            CASINO,
            ("error=too-soon separable=yes", "reshuffle-board", "C TDA"),
            ("error=too-soon separable=no", "split-pot", "C"),
        ),
        *each(TDA, ("error=too-soon", "reshuffle-flop", "TDA")),
        *each(
            SILENT,
            ("error=too-many cards=4", "scramble-flop", "TDA"),
            ("error=too-many cards=5", "commissioner-decides", "TDA"),
            ("error=no-burn any_action=no", "complete-flop", "TDA"),
            ("error=no-burn any_action=yes", "deal-on", "TDA"),
            ("error=more-burns", "commissioner-decides", "TDA"),
        ),
    ],
)
def test_I_5_a_flop_that_is_not_as_it_should_be(profile: str, facts: str, code: str, documents: str) -> None:
    assert follows(profile, "I-5", facts) == (code, documents)


@pytest.mark.parametrize("profile", LEAGUE)
def test_I_5_a_new_flop_has_one_burn_card_before_it_whatever_went_wrong(profile: str) -> None:
    assert "without another burn" in steps(profile, "I-5", "error=too-many acted=0")
    assert "without another burn" in steps(profile, "I-5", "error=too-soon acted=0")
    assert "burns one card" in steps(profile, "I-5", "error=no-burn acted=0")
    assert "any burn cards go back" in steps(profile, "I-5", "error=more-burns acted=0")


@pytest.mark.parametrize(
    ROW,
    [
        *each(LEAGUE, ("acted=1", "turn-set-aside", "A"), ("acted=2", "deal-on", "A")),
        *each(CASINO, ("separable=yes", "reshuffle-board", "C TDA"), ("separable=no", "split-pot", "C")),
        *each(TDA, ("", "reshuffle-turn", "TDA")),
    ],
)
def test_I_6_the_turn_dealt_too_soon(profile: str, facts: str, code: str, documents: str) -> None:
    assert follows(profile, "I-6", facts) == (code, documents)


@pytest.mark.parametrize("profile", LEAGUE)
def test_I_6_the_river_becomes_the_turn_and_a_new_river_comes_without_a_burn(profile: str) -> None:
    found = [step.en for step in ruled(profile, "I-6", "acted=0").steps]
    assert ["set aside" in found[0], "finished" in found[1], "was to be the river" in found[2]] == [True] * 3
    assert "shuffled into the deck" in found[3] and "without a burn" in found[4]


@pytest.mark.parametrize(
    ROW,
    [
        *each(LEAGUE, ("acted=1", "reshuffle-river", "A TDA"), ("acted=2", "deal-on", "A")),
        *each(CASINO, ("separable=yes", "reshuffle-board", "C TDA"), ("separable=no", "split-pot", "C")),
        *each(TDA, ("", "reshuffle-river", "TDA")),
    ],
)
def test_I_7_the_river_dealt_too_soon(profile: str, facts: str, code: str, documents: str) -> None:
    assert follows(profile, "I-7", facts) == (code, documents)


@pytest.mark.parametrize(
    ROW,
    [
        *each(
            LEAGUE,
            ("street=flop acted=0", "reshuffle-flop", "A TDA"),
            ("street=turn acted=0", "turn-set-aside", "A"),
            ("street=river acted=0", "reshuffle-river", "A TDA"),
            ("street=river acted=2", "deal-on", "A"),
        ),
        *each(CASINO, ("separable=yes", "reshuffle-board", "C TDA"), ("separable=no", "split-pot", "C")),
        *each(
            TDA,
            ("street=flop", "reshuffle-flop", "TDA"),
            ("street=turn", "reshuffle-turn", "TDA"),
            ("street=river", "reshuffle-river", "TDA"),
        ),
    ],
)
def test_I_12_board_cards_dealt_before_the_betting_had_ended(
    profile: str, facts: str, code: str, documents: str
) -> None:
    assert follows(profile, "I-12", facts) == (code, documents)


@pytest.mark.parametrize("profile", CASINO)
def test_I_12_burns_and_mucked_cards_stay_out_of_the_shuffle(profile: str) -> None:
    assert "without burns and mucked cards" in steps(profile, "I-12", "separable=yes")


@pytest.mark.parametrize("street", ["flop", "turn", "river"])
def test_I_12_I_17_the_burn_stays_and_there_is_no_second_one_in_tda_2024(street: str) -> None:
    told = steps("tda-2024", "I-12", f"street={street}")
    assert "the burn card stays burned" in told and "without another burn" in told


@pytest.mark.parametrize(
    ("profile", "documents"),
    [("cpl-2017", "A B"), ("cpl", "A B"), ("casino-2012", "C"), ("cash-2012", "C"), ("tda-2024", "TDA")],
)
def test_I_13_anything_else_is_for_the_commissioner_who_says_why(profile: str, documents: str) -> None:
    assert follows(profile, "I-13", "") == ("commissioner-decides", documents)
    assert ruled(profile, "I-13", "").decides
    assert "record" in steps(profile, "I-13", "") and "reason" in steps(profile, "I-13", "")


@pytest.mark.parametrize(
    ROW,
    [
        *each(LEAGUE, ("clear=yes", "commissioner-decides", "A B"), ("clear=no", "bet-forfeited", "A B")),
        *each(SILENT, ("", "commissioner-decides", "TDA")),
    ],
)
def test_I_14_a_bet_that_cannot_be_counted(profile: str, facts: str, code: str, documents: str) -> None:
    assert follows(profile, "I-14", facts) == (code, documents)
    assert ruled(profile, "I-14", facts).decides


@pytest.mark.parametrize(
    ROW,
    [
        *each(LEAGUE, ("", "stays-folded", "A")),
        *each(
            SILENT,
            ("moment=betting thought_won=no", "stays-folded", "TDA"),
            ("moment=betting thought_won=yes identifiable=yes", "hand-live", "TDA"),
            ("moment=betting thought_won=yes identifiable=no", "dead-hand", "TDA"),
            ("moment=showdown identifiable=yes", "hand-live", "TDA"),
            ("moment=showdown identifiable=no", "dead-hand", "TDA"),
        ),
    ],
)
def test_I_15_cards_laid_down_by_mistake(profile: str, facts: str, code: str, documents: str) -> None:
    assert follows(profile, "I-15", facts) == (code, documents)


@pytest.mark.parametrize(
    ROW,
    [
        *each(LEAGUE, ("", "penalty", "TDA")),
        *each(CASINO, ("asked=yes", "show-to-all", "C"), ("asked=no", "nothing-to-show", "C")),
        *each(TDA, ("", "penalty", "TDA")),
    ],
)
def test_I_16_cards_shown_to_a_player_out_of_the_hand(profile: str, facts: str, code: str, documents: str) -> None:
    assert follows(profile, "I-16", facts) == (code, documents)


@pytest.mark.parametrize(
    ("profile", "ruling", "facts", "borrowed"),
    [
        ("casino-2012", "I-3", "substantial=no", True),
        ("cash-2012", "I-5", "error=no-burn any_action=no", True),
        ("casino-2012", "I-5", "error=too-soon separable=yes", False),
        ("cpl", "I-16", "", True),
        ("cpl", "I-4", "extra=1 acted=2", False),
        ("tda-2024", "I-3", "substantial=no", False),
    ],
)
def test_where_a_house_is_silent_the_ruling_says_that_it_is_the_associations(
    profile: str, ruling: str, facts: str, borrowed: bool
) -> None:
    assert is_borrowed(ruled(profile, ruling, facts), PROFILES[profile]) is borrowed
