"""Buying the button (C-5)."""

from __future__ import annotations

from appliance.game.cash.playing import begin_hand
from appliance.game.hand.cards import parse_cards as cards_of


def behind_the_button(session):
    """Seats 1, 3, 5, 7; the next button is on 1, the blinds on 3 and 5; one sits down on 2."""
    return session.playing(1, 3, 5, 7, button=7)


def test_C_5_the_buyer_posts_and_those_who_were_due_post_nothing(session) -> None:
    behind_the_button(session).sit(2, entry="button").do("next_hand")
    assert session.posts() == {2: ("button", 2, 1)}
    assert session.order() == (2, 3, 5, 7, 1), "dealt first"
    assert session.blinds() == (1, None, 2)


def test_C_5_next_hand_the_buyer_has_the_button_and_those_who_were_due_post(session) -> None:
    behind_the_button(session).sit(2, entry="button").hand().do("next_hand")
    assert session.blinds() == (2, 3, 5)
    assert session.posts() == {3: ("small", 1, 0), 5: ("big", 2, 0)}
    assert session.do("result").hand().blinds() == (3, 5, 7), "and on as ever"


def test_C_5_the_buyer_acts_last_before_the_flop_and_first_after_it(session) -> None:
    behind_the_button(session).sit(2, entry="button").do("next_hand")
    hand = begin_hand(session.table)
    assert hand.stacks[0] == 97 and hand.bets == (2, 0, 0, 0, 0)
    for position in range(5):
        hand = hand.deal_hole(position)
    acted = []
    while hand.phase == "betting":
        acted.append(session.order()[hand.actor])
        hand = hand.check_or_call()
    assert acted == [3, 5, 7, 1, 2]
    hand = hand.deal_board(cards_of("2c3c4c"))
    assert session.order()[hand.actor] == 2 and hand.pots()[0].amount == 11


def test_C_5_the_seat_must_lie_between_button_and_small_blind(session) -> None:
    behind_the_button(session)
    for seat in (4, 6, 8):
        fields = {"participant": "9", "seat": seat, "chips": 100, "entry": "button"}
        assert session.code("sit", **fields) == "button-out-of-reach"
    session.sit(2).do("enter", participant="2", entry="button")


def test_C_5_one_buys_it_a_hand(session) -> None:
    session.playing(1, 4, 6, 8, button=8).sit(2, entry="button")
    refusal = session.refusal("sit", participant="3", seat=3, chips=100, entry="button")
    assert refusal.code == "button-bought" and refusal.detail == {"participant": "2"}
    session.sit(3).hand()
    assert session.order() == (2, 4, 6, 8, 1)
    session.do("enter", participant="3", entry="button").hand()
    assert session.posts() == {3: ("button", 2, 1)} and session.order() == (3, 4, 6, 8, 1, 2)
    assert session.hand().blinds() == (3, 4, 6)


def test_C_5_a_missed_blind_is_paid_with_the_button(session) -> None:
    session.playing(1, 3, 5, 7, button=7).do("absent", participant="5").hand()  # big blind 7
    session.do("present", participant="5").do("enter", participant="5", entry="button").do("next_hand")
    assert session.posts() == {5: ("button", 2, 1)}
    assert session.order() == (5, 7, 1, 3) and session.player(5).standing == "in"


def test_C_5_the_bought_hand_passes_nobody_by(session) -> None:
    """Who waits for the big blind waits on, and who is away where it would be misses it a hand later."""
    behind_the_button(session).sit(4).do("absent", participant="5").sit(2, entry="button").hand()
    assert session.player(4).standing == "new" and session.player(5).standing == "in"
    session.hand()
    assert session.blinds() == (2, 3, 4) and session.player(5).standing == "in"
    session.hand()
    assert session.blinds() == (3, 4, 7) and session.player(5).standing == "missed-blind"


def test_C_5_a_post_is_taken_in_the_same_hand(session) -> None:
    behind_the_button(session).sit(2, entry="button").sit(8, entry="post").do("next_hand")
    assert session.posts() == {2: ("button", 2, 1), 8: ("post", 2, 0)}
    assert session.order() == (2, 3, 5, 7, 8, 1)


def test_C_5_with_a_dead_small_blind_it_may_be_bought_too(session) -> None:
    behind_the_button(session).do("leave", participant="3").sit(2, entry="button").do("next_hand")
    assert session.order() == (2, 5, 7, 1) and session.posts() == {2: ("button", 2, 1)}
    assert session.do("result").hand().blinds() == (2, None, 5)


def test_C_5_a_buyer_who_goes_away_buys_nothing(session) -> None:
    behind_the_button(session).sit(2, entry="button").do("absent", participant="2").do("next_hand")
    assert session.blinds() == (1, 3, 5) and 2 not in session.order()


def test_C_5_a_stack_that_does_not_reach_buys_nothing(session) -> None:
    session.playing(1, 3, 5, 7, button=7, small_blind=20, big_blind=40)
    refusal = session.refusal("sit", participant="2", seat=2, chips=50, entry="button")
    assert refusal.code == "not-enough-chips" and refusal.detail == {"needed": 60, "stack": 50}


def test_C_5_of_two_nobody_buys_the_button(session) -> None:
    session.playing(1, 3, button=3)  # small blind and button 3, big blind 1: next 3 and 1 change
    assert session.code("sit", participant="2", seat=2, chips=100, entry="button") == "button-out-of-reach"
