"""Opening, seats and the waiting list (C-1, C-7)."""

from __future__ import annotations

import pytest

from appliance.game.draw import Draw, deal_one_each, highest


def test_C_1_the_button_is_drawn_by_high_card_among_those_seated(session) -> None:
    session.seated(2, 5, 8).do("next_hand")
    cards = deal_one_each(Draw(5, "cash/1"), [2, 5, 8])
    assert session.table.button == highest(cards)
    assert session.events[-1].cards == cards


def test_C_1_a_draw_is_the_same_for_the_same_seed_and_another_for_another(new_session) -> None:
    buttons = [new_session().seated(1, 2, 3, 4, 5, 6, 7, seed=seed).hand().table.button for seed in (1, 1, 2, 3)]
    assert buttons[0] == buttons[1] and len(set(buttons)) > 1


def test_C_1_nobody_owes_anything_in_the_first_hand(session) -> None:
    session.playing(1, 2, 3, 4, button=2)
    assert session.posts() == {3: ("small", 1, 0), 4: ("big", 2, 0)}
    assert session.order() == (3, 4, 1, 2)


def test_C_1_the_button_of_two_has_the_small_blind(session) -> None:
    session.playing(4, 7, button=4)
    assert session.blinds() == (4, 4, 7) and session.order() == (7, 4)
    assert session.hand().blinds() == (7, 7, 4)


def test_C_1_the_button_is_placed_by_hand_only_where_it_would_be_drawn(session) -> None:
    session.playing(1, 2, 3, button=3)
    assert session.code("next_hand", button=1) == "button-placed"


def test_C_1_a_button_beyond_the_table_is_refused(session) -> None:
    assert session.seated(1, 2, 3, seats=6).code("next_hand", button=7) == "no-such-seat"


def test_C_1_seats_are_taken_by_choice(session) -> None:
    session.seated(4)
    assert session.code("sit", participant="9", seat=4, chips=100) == "seat-taken"
    assert session.code("sit", participant="9", seat=10, chips=100) == "no-such-seat"
    assert session.code("sit", participant="4", seat=5, chips=100) == "already-seated"
    assert session.sit(9, 2).table.seated()[2].participant == "9"


def test_C_1_on_another_seat_one_is_a_newcomer(session) -> None:
    session.playing(1, 2, 3, 4, button=4).do("move", participant="3", seat=7)
    assert session.player(3).standing == "new"
    assert session.hand().order() == (2, 4, 1), "the big blind went to the next, seat 7 waits for it"


def test_C_1_nobody_changes_seats_with_cards_or_to_a_taken_seat(session) -> None:
    session.seated(1, 2, 3)
    assert session.code("move", participant="1", seat=2) == "seat-taken"
    assert session.code("move", participant="1", seat=1) == "already-there"
    assert session.code("move", participant="8", seat=4) == "not-seated"
    assert session.do("next_hand").code("move", participant="1", seat=7) == "holding-cards"


def test_C_1_one_alone_is_not_dealt(session) -> None:
    refusal = session.seated(1).refusal("next_hand")
    assert refusal.code == "too-few-to-deal" and refusal.detail == {"there": 1, "minimum": 2}


def test_C_1_a_game_whose_players_left_begins_anew_with_a_new_draw(session) -> None:
    session.playing(1, 2, 3, button=3).do("leave", participant="1").do("leave", participant="2")
    session.do("leave", participant="3").sit(5).sit(6).sit(7).do("next_hand")
    assert session.table.draws == 2 and set(session.order()) == {5, 6, 7}
    assert sorted(kind for kind, *_ in session.posts().values()) == ["big", "small"]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"profile": "nobody"}, "unknown-profile"),
        ({"profile": "tda-2024"}, "not-a-cash-game"),
        ({"small_blind": 3}, "small-blind"),
        ({"buy_in_minimum": 300}, "buy-in-bounds"),
        ({"buy_in_minimum": 1}, "buy-in-bounds"),
    ],
)
def test_C_8_stakes_that_make_no_game_are_refused(session, changes, code) -> None:
    assert session.code("open", **{**STAKES, **changes}) == code


STAKES = {"small_blind": 1, "big_blind": 2, "seats": 9, "buy_in_minimum": 40, "buy_in_maximum": 200}


def test_a_table_is_opened_once_and_first(session) -> None:
    assert session.code("join", participant="1") == "not-opened"
    assert session.opened().code("open", **STAKES) == "already-opened"
    assert session.code("join", session="C2", participant="1") == "wrong-session"


def full(session) -> object:
    return session.seated(1, 2, 3, seats=3)


def test_C_7_the_list_is_called_in_its_order_as_seats_are_free(session) -> None:
    full(session).do("join", participant="8").do("join", participant="9")
    assert session.code("call") == "table-full"
    session.do("leave", participant="2").do("call")
    assert [(w.participant, w.called is not None) for w in session.table.waiting] == [("8", True), ("9", False)]
    assert session.code("call") == "table-full", "the one free seat is held for 8"
    assert session.sit(8, 2).table.waiting[0].participant == "9"


def test_C_7_who_declines_is_off_the_list_and_the_next_is_called(session) -> None:
    full(session).do("join", participant="8").do("join", participant="9").do("leave", participant="1").do("call")
    assert session.code("decline", participant="9") == "not-called"
    assert session.code("decline", participant="7") == "not-waiting"
    session.do("decline", participant="8").do("call")
    assert [w.participant for w in session.table.waiting] == ["9"] and session.table.waiting[0].called
    assert session.do("join", participant="8").table.waiting[-1].participant == "8"


def test_C_7_who_leaves_the_list_waits_no_more(session) -> None:
    full(session).do("join", participant="8").do("unjoin", participant="8")
    assert session.table.waiting == ()
    assert session.code("unjoin", participant="8") == "not-waiting"
    assert session.do("leave", participant="3").code("call") == "nobody-waits"


def test_C_7_nobody_waits_twice_or_while_sitting(session) -> None:
    full(session).do("join", participant="8")
    assert session.code("join", participant="8") == "already-waiting"
    assert session.code("join", participant="1") == "already-seated"


def test_C_7_nobody_sits_down_past_those_who_wait(session) -> None:
    full(session).do("join", participant="8").do("join", participant="9").do("leave", participant="2")
    refusal = session.refusal("sit", participant="7", seat=2, chips=100)
    assert refusal.code == "waiting-list" and refusal.detail["first"] == "8"
    assert session.code("sit", participant="9", seat=2, chips=100) == "waiting-list"
    session.do("leave", participant="3").sit(9, 3)
    assert [w.participant for w in session.table.waiting] == ["8"], "a seat is left for 8"


def test_C_7_who_waits_may_sit_down_uncalled_where_nobody_is_before_them(session) -> None:
    full(session).do("join", participant="8").do("leave", participant="2").sit(8, 2)
    assert session.table.waiting == ()
