"""Mistakes in the deal, each row under each house: what becomes of the hand, and whose rule says so."""

from __future__ import annotations

import pytest

from appliance.game.ruleset import PROFILES
from appliance.game.rulings.evaluate import Open, read_facts, rule
from tests.game.rulings.by_ruling import CASINO, LEAGUE, ROW, SILENT, TDA, each, follows, steps


@pytest.mark.parametrize(
    ROW,
    [
        *each(LEAGUE, ("acted=0", "misdeal", "A TDA"), ("acted=1", "misdeal", "A TDA"), ("acted=2", "deal-on", "A")),
        *each(CASINO, ("substantial=no", "misdeal", "C TDA"), ("substantial=yes", "deal-on", "TDA")),
        *each(TDA, ("substantial=no", "misdeal", "TDA"), ("substantial=yes", "deal-on", "TDA")),
    ],
)
def test_I_1_the_first_or_second_card_turned_up(profile: str, facts: str, code: str, documents: str) -> None:
    assert follows(profile, "I-1", facts) == (code, documents)


@pytest.mark.parametrize(
    ROW,
    [
        *each(LEAGUE, ("acted=1", "replace-card", "A"), ("acted=2", "deal-on", "A")),
        *each(CASINO, ("card=3 substantial=no", "misdeal", "C TDA"), ("card=4", "skip-card", "C")),
        *each(TDA, ("", "replace-card", "TDA")),
    ],
)
def test_I_2_a_later_card_turned_up(profile: str, facts: str, code: str, documents: str) -> None:
    assert follows(profile, "I-2", facts) == (code, documents)


@pytest.mark.parametrize("profile", LEAGUE)
def test_I_2_the_card_is_replaced_by_the_top_card_after_the_deal_and_burned(profile: str) -> None:
    told = steps(profile, "I-2", "acted=0")
    assert "finishes the deal" in told and "may not keep" in told
    assert "After the deal the player gets the top card" in told and "first burn card" in told


@pytest.mark.parametrize(
    ROW,
    [
        *each(LEAGUE, ("acted=1", "misdeal", "A TDA"), ("acted=10", "deal-on", "A")),
        *each(SILENT, ("substantial=no", "misdeal", "TDA"), ("substantial=yes", "deal-on", "TDA")),
    ],
)
def test_I_3_more_than_one_card_turned_up(profile: str, facts: str, code: str, documents: str) -> None:
    assert follows(profile, "I-3", facts) == (code, documents)


@pytest.mark.parametrize(
    ROW,
    [
        *each(
            LEAGUE,
            ("extra=1 acted=1", "burn-extra-card", "A"),
            ("extra=2 acted=0", "misdeal", "A TDA"),
            ("extra=10 acted=1", "misdeal", "A TDA"),
            ("extra=1 acted=2", "dead-hand", "A TDA"),
            ("extra=2 acted=2", "dead-hand", "A TDA"),
        ),
        *each(SILENT, ("substantial=no", "misdeal", "TDA"), ("substantial=yes", "dead-hand", "TDA")),
    ],
)
def test_I_4_an_extra_card_to_the_first_player(profile: str, facts: str, code: str, documents: str) -> None:
    assert follows(profile, "I-4", facts) == (code, documents)


@pytest.mark.parametrize(
    ROW,
    [
        *each(LEAGUE, ("", "next-card", "A")),
        *each(
            SILENT,
            ("boxed=1", "next-card", "TDA"),
            ("boxed=2 during=deal substantial=no", "misdeal", "TDA"),
            ("boxed=2 during=deal substantial=yes", "deal-on", "TDA"),
            ("boxed=10 during=later", "next-card", "TDA"),
        ),
    ],
)
def test_I_8_a_card_face_up_in_the_deck(profile: str, facts: str, code: str, documents: str) -> None:
    assert follows(profile, "I-8", facts) == (code, documents)


@pytest.mark.parametrize(
    ROW,
    [
        *each(
            LEAGUE, ("acted=0", "correct-error", "A"), ("acted=1", "correct-error", "A"), ("acted=2", "deal-on", "A")
        ),
        *each(
            SILENT,
            ("actions=0", "correct-error", "TDA"),
            ("actions=1", "correct-error", "TDA"),
            ("actions=2 chips=no", "correct-error", "TDA"),
            ("actions=2 chips=yes", "deal-on", "TDA"),
            ("actions=3", "deal-on", "TDA"),
        ),
    ],
)
def test_I_9_the_hand_plays_on_once_players_have_acted(profile: str, facts: str, code: str, documents: str) -> None:
    assert follows(profile, "I-9", facts) == (code, documents)


@pytest.mark.parametrize("profile", [*LEAGUE, *SILENT])
def test_I_10_a_damaged_card_is_changed_in_front_of_all(profile: str) -> None:
    assert follows(profile, "I-10", "") == ("change-card", "A" if profile in LEAGUE else "TDA")
    assert "in front of all" in steps(profile, "I-10", "")


@pytest.mark.parametrize(
    ROW,
    [
        *each(
            LEAGUE,
            ("card=2 acted=1", "misdeal", "A TDA"),
            ("card=3 acted=1", "replace-card", "A"),
            ("card=2 acted=2", "deal-on", "A"),
        ),
        *each(
            CASINO,
            ("card=1 substantial=no", "misdeal", "C TDA"),
            ("card=3 substantial=no", "misdeal", "C TDA"),
            ("card=3 substantial=yes", "deal-on", "TDA"),
            ("card=4", "skip-card", "C"),
            ("card=20", "skip-card", "C"),
        ),
        *each(
            TDA,
            ("card=2 substantial=no", "misdeal", "TDA"),
            ("card=2 substantial=yes", "deal-on", "TDA"),
            ("card=3", "replace-card", "TDA"),
        ),
    ],
)
def test_I_11_one_card_turned_up_in_the_deal(profile: str, facts: str, code: str, documents: str) -> None:
    assert follows(profile, "I-11", facts) == (code, documents)


@pytest.mark.parametrize("profile", CASINO)
def test_I_11_the_player_is_skipped_and_gets_a_card_last(profile: str) -> None:
    told = steps(profile, "I-11", "card=4")
    assert "The deal stands" in told and "skipped for this round" in told and "last of all" in told


@pytest.mark.parametrize(
    ROW,
    [
        *each(
            TDA,
            ("what=exposed-card card=1 substantial=no", "misdeal", "TDA"),
            ("what=exposed-card card=3", "replace-card", "TDA"),
            ("what=exposed-cards substantial=no", "misdeal", "TDA"),
            ("what=irregular-flop error=too-many cards=4", "scramble-flop", "TDA"),
            ("what=irregular-flop error=no-burn any_action=no", "complete-flop", "TDA"),
            ("what=premature-card street=turn", "reshuffle-turn", "TDA"),
            ("what=action-since actions=2 chips=yes", "deal-on", "TDA"),
        ),
        *each(
            CASINO,
            ("what=exposed-card card=4", "skip-card", "C"),
            ("what=irregular-flop error=no-burn any_action=no", "complete-flop", "TDA"),
            ("what=premature-card separable=no", "split-pot", "C"),
            ("what=action-since actions=3", "deal-on", "TDA"),
        ),
        *each(
            LEAGUE,
            ("what=exposed-card card=3 acted=0", "replace-card", "A"),
            ("what=exposed-cards acted=0", "misdeal", "A TDA"),
            ("what=irregular-flop error=no-burn acted=0", "reshuffle-flop", "A"),
            ("what=premature-card street=turn acted=0", "turn-set-aside", "A"),
            ("what=action-since acted=2", "deal-on", "A"),
        ),
    ],
)
def test_I_17_a_dealers_mistake_leads_to_the_houses_own_row(
    profile: str, facts: str, code: str, documents: str
) -> None:
    assert follows(profile, "I-17", facts) == (code, documents)


def test_I_17_a_misdeal_is_an_exact_replay() -> None:
    told = steps("tda-2024", "I-17", "what=exposed-card card=2 substantial=no")
    assert "button, blinds and players" in told and "nobody new sits down" in told
    assert "It is one hand" in told


@pytest.mark.parametrize(
    ("profile", "ruling", "known", "asks"),
    [
        ("cpl-2017", "I-4", "", "extra"),
        ("cpl-2017", "I-4", "extra=1", "acted"),
        ("cpl-2017", "I-4", "acted=0", "extra"),
        ("casino-2012", "I-11", "", "card"),
        ("casino-2012", "I-11", "card=3", "substantial"),
        ("tda-2024", "I-9", "", "actions"),
        ("tda-2024", "I-9", "actions=2", "chips"),
        ("tda-2024", "I-17", "", "what"),
        ("tda-2024", "I-17", "what=irregular-flop", "error"),
        ("tda-2024", "I-17", "what=irregular-flop error=no-burn", "any_action"),
    ],
)
def test_facts_are_asked_for_one_at_a_time_and_only_what_still_matters(
    profile: str, ruling: str, known: str, asks: str
) -> None:
    found = rule(ruling, read_facts(known.split()), PROFILES[profile])
    assert isinstance(found, Open)
    assert found.fact == asks
