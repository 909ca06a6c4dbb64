"""Straddles, all-ins that stay down, the rabbit (C-6), and a hand that is played from a cash table."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from appliance.game.cash.playing import begin_hand, stacks_after
from appliance.game.hand.cards import parse_cards
from appliance.game.reading import CommandError
from appliance.game.ruleset import CASH_2012, PROFILES

STRANGE = replace(CASH_2012, straddle="none", rabbit_hunting="never", button_buying=False, newcomers_post=False)


@pytest.fixture
def strange(monkeypatch: pytest.MonkeyPatch) -> str:
    """A cash house that has none of what `cash-2012` has."""
    monkeypatch.setitem(PROFILES, "strange", STRANGE)
    return "strange"


def six(session, **changes):
    """Small blind 2 and big blind 3 in the next hand, the button on 1."""
    return session.playing(1, 2, 3, 4, 5, 6, button=6, **changes)


def test_C_6_H_8_a_straddle_is_twice_the_big_blind_and_the_next_twice_the_last(session) -> None:
    six(session).do("next_hand", straddles=["4", "5", "6"])
    assert session.posts() == {
        2: ("small", 1, 0),
        3: ("big", 2, 0),
        4: ("straddle", 4, 0),
        5: ("straddle", 8, 0),
        6: ("straddle", 16, 0),
    }


def test_C_6_H_8_up_to_the_button_and_no_further(session) -> None:
    session.playing(1, 2, 3, 4, button=4).do("next_hand", straddles=["4", "1"])
    assert session.table.button == 1 and session.posts()[1] == ("straddle", 8, 0)
    refusal = session.do("result").refusal("next_hand", straddles=["1", "2", "3"])
    assert refusal.code == "straddle-order" and refusal.detail == {"participant": "3", "next": None}


@pytest.mark.parametrize("straddles", [["5"], ["2"], ["3"], ["1"], ["4", "6"], ["4", "4"], ["9"], ["5", "4"]])
def test_C_6_straddles_follow_each_other_from_the_player_after_the_big_blind(session, straddles) -> None:
    assert six(session).code("next_hand", straddles=straddles) == "straddle-order"


def test_C_6_of_two_nobody_straddles(session) -> None:
    session.playing(1, 2, button=1)
    assert session.code("next_hand", straddles=["2"]) == "straddle-order"
    assert session.code("next_hand", straddles=["1"]) == "straddle-order"


def test_C_6_a_table_may_allow_fewer_straddles(session) -> None:
    six(session, straddles=1).do("next_hand", straddles=["4"])
    assert session.do("result").code("next_hand", straddles=["5", "6"]) == "straddle-limit"


def test_C_6_a_straddle_needs_the_chips_and_the_player(session) -> None:
    six(session).do("stacks", stacks={"4": 3, "1": 197})
    assert session.code("next_hand", straddles=["4"]) == "not-enough-chips"
    session.do("stacks", stacks={"4": 100, "1": 100}).do("absent", participant="4")
    assert session.code("next_hand", straddles=["4"]) == "already-absent"


def test_C_6_a_post_becomes_the_straddle_and_what_is_dead_stays_dead(session) -> None:
    session.playing(1, 2, 3, 4, 5, 6, button=6).do("absent", participant="3").hand().do("present", participant="3")
    session.hands(3).do("enter", participant="3", entry="post")
    assert session.blinds() == (5, 6, 1)
    session.do("next_hand", straddles=["3"])
    assert session.table.bb == 2 and session.posts()[3] == ("straddle", 4, 1)


def test_C_6_the_first_to_act_is_the_player_after_the_last_straddle(session) -> None:
    six(session).do("next_hand", straddles=["4", "5"])
    hand = begin_hand(session.table)
    assert hand.bets == (1, 2, 4, 8, 0, 0)
    for position in range(6):
        hand = hand.deal_hole(position)
    assert session.order()[hand.actor] == 6 and hand.legal().call == 8 and hand.legal().raise_min == 16


def test_C_6_the_last_straddle_has_the_option(session) -> None:
    six(session).do("next_hand", straddles=["4", "5"])
    hand = begin_hand(session.table)
    for position in range(6):
        hand = hand.deal_hole(position)
    for seat in (6, 1, 2, 3, 4):
        assert session.order()[hand.actor] == seat
        hand = hand.check_or_call()
    assert session.order()[hand.actor] == 5 and hand.legal().check and hand.legal().raise_min == 16


def test_C_5_C_6_one_straddles_behind_a_bought_button_too(session) -> None:
    """4 buys it from between button 3 and small blind 5, who may straddle first."""
    session.playing(1, 3, 5, 7, button=7).hand()
    assert session.blinds() == (1, 3, 5)
    session.sit(4, entry="button").do("next_hand", straddles=["5"])
    assert session.posts() == {4: ("button", 2, 1), 5: ("straddle", 4, 0)}
    hand = begin_hand(session.table)
    for position in range(5):
        hand = hand.deal_hole(position)
    assert session.order()[hand.actor] == 7 and hand.legal().call == 4


def test_C_6_a_post_does_not_change_who_acts_first(session) -> None:
    six(session).sit(8, entry="post").do("next_hand")
    hand = begin_hand(session.table)
    assert hand.bets == (1, 2, 0, 0, 0, 2, 0)
    for position in range(7):
        hand = hand.deal_hole(position)
    assert session.order()[hand.actor] == 4


def test_C_4_a_dead_small_blind_lies_in_the_pot_and_is_no_bet(session) -> None:
    six(session).do("absent", participant="3").hand().do("present", participant="3").hands(2)
    session.do("enter", participant="3", entry="post").do("next_hand")
    hand, where = begin_hand(session.table), session.order().index(3)
    assert (hand.stacks[where], hand.bets[where]) == (97, 2)
    assert sum(hand.stacks) + sum(hand.bets) == 599


def all_in(session):
    """Seats 1, 2: both all-in before the flop, the cards known."""
    session.playing(1, 2, button=1).do("next_hand")
    hand = begin_hand(session.table)
    assert hand.bets == (2, 1)
    hand = hand.deal_hole(0, parse_cards("AsAd")).deal_hole(1, parse_cards("KsKd"))
    return hand.bet_or_raise(100).check_or_call()


def test_C_6_H_16_all_in_hands_stay_down_before_the_river(session) -> None:
    hand = all_in(session)
    assert not hand.tabled and hand.shown == ()
    hand = hand.deal_board(parse_cards("2c7d9h")).deal_board(parse_cards("Jc"))
    assert hand.shown == ()
    assert hand.deal_board(parse_cards("4s")).phase == "showdown"


def test_C_6_H_16_in_a_tournament_they_are_shown_at_once(session) -> None:
    session.playing(1, 2, button=1).do("next_hand")
    rules = replace(session.table.rules, all_in_shown="at-once")
    hand = begin_hand(replace(session.table, rules=rules))
    hand = hand.deal_hole(0, parse_cards("AsAd")).deal_hole(1, parse_cards("KsKd"))
    assert hand.bet_or_raise(100).check_or_call().tabled


def test_C_8_a_hand_that_was_played_gives_its_result(session) -> None:
    hand = all_in(session)
    hand = hand.deal_board(parse_cards("2c7d9h")).deal_board(parse_cards("Jc")).deal_board(parse_cards("4s")).settle()
    stacks = stacks_after(session.table, hand)
    assert sorted(stacks.values()) == [0, 200]
    session.do("result", stacks=stacks)
    assert session.table.chips == 200 and session.code("next_hand") == "too-few-to-deal"


def test_a_hand_is_begun_only_while_one_is_in_play(session) -> None:
    six(session)
    with pytest.raises(ValueError, match="no hand"):
        begin_hand(session.table)


def test_C_6_H_17_the_rabbit_is_hunted_if_all_who_are_active_agree(session) -> None:
    six(session).do("next_hand")
    refusal = session.refusal("rabbit", participant="4", active=["4", "5", "6"], consents=["5"], tip=1)
    assert refusal.code == "consent-missing" and refusal.detail == {"missing": ["6"]}
    session.do("rabbit", participant="4", active=["4", "5", "6"], consents=["5", "6"], tip=3)
    assert session.player(4).stack == 97 and session.table.chips == 597
    assert session.table.movements[-1].kind == "tip"


def test_C_6_H_17_without_a_word_everybody_dealt_in_is_active(session) -> None:
    six(session).do("next_hand")
    assert session.code("rabbit", participant="4", consents=["5", "6"], tip=1) == "consent-missing"
    session.do("rabbit", participant="4", consents=["1", "2", "3", "5", "6"], tip=1)


def test_C_6_H_17_only_in_a_hand_and_by_one_of_it(session) -> None:
    six(session).sit(8)
    assert session.code("rabbit", participant="4", consents=[], tip=1) == "no-hand"
    session.do("next_hand")
    assert session.code("rabbit", participant="8", active=["4"], consents=["4"], tip=1) == "not-in-hand"
    assert session.code("rabbit", participant="4", active=["8"], consents=["8"], tip=1) == "not-in-hand"
    assert session.code("rabbit", participant="4", active=["4"], consents=[], tip=101) == "not-enough-chips"


def test_C_6_H_17_somebody_is_active_in_every_betting_round(session) -> None:
    six(session).do("next_hand")
    with pytest.raises(CommandError, match="active"):
        session.ask("rabbit", participant="4", active=[], consents=[], tip=1)


def test_C_6_C_8_a_hand_that_was_played_adds_up_with_the_tip_for_the_rabbit(session) -> None:
    hand = all_in(session)
    tipped = session.do("rabbit", participant="1", active=["1"], consents=[], tip=3)
    assert begin_hand(tipped.table).starting_stacks == (100, 100), "the hand began before the tip"
    hand = hand.deal_board(parse_cards("2c7d9h")).deal_board(parse_cards("Jc")).deal_board(parse_cards("4s")).settle()
    assert stacks_after(session.table, hand) == {"1": 197, "2": 0}
    session.do("result", stacks=stacks_after(session.table, hand))
    assert session.table.chips == 197


def test_C_2_C_5_C_6_a_house_without_them_refuses(session, strange) -> None:
    session.playing(1, 3, 5, 7, button=7, profile=strange)
    assert session.code("next_hand", straddles=["7"]) == "straddle-not-allowed"
    session.sit(2)
    assert session.player(2).standing == "in", "newcomers pay nothing there"
    session.do("absent", participant="5").hands(2).do("present", participant="5")
    assert session.code("enter", participant="5", entry="button") == "button-not-sold"
    session.do("next_hand")
    assert session.code("rabbit", participant="1", active=["1"], consents=[], tip=1) == "rabbit-not-allowed"
