"""Newcomers, those who come back, and those who were away on the big blind (C-2 to C-4)."""

from __future__ import annotations

import pytest


def test_C_2_a_newcomer_waits_for_the_big_blind(session) -> None:
    session.playing(1, 2, 3, 4, button=4).sit(7)
    assert session.hand().order() == (2, 3, 4, 1) and session.hand().order() == (3, 4, 1, 2)
    session.hand()
    assert session.posts() == {4: ("small", 1, 0), 7: ("big", 2, 0)}, "the big blind has come: nothing more"
    assert session.player(7).standing == "in"


def test_C_2_a_newcomer_may_post_a_live_big_blind(session) -> None:
    session.playing(1, 2, 3, 4, button=4).sit(7, entry="post").do("next_hand")
    assert session.order() == (2, 3, 4, 7, 1)
    assert session.posts() == {2: ("small", 1, 0), 3: ("big", 2, 0), 7: ("post", 2, 0)}
    assert session.do("result").hand().posts() == {3: ("small", 1, 0), 4: ("big", 2, 0)}, "once"


def test_C_2_the_choice_may_be_made_later_and_taken_back(session) -> None:
    session.playing(1, 2, 3, 4, button=4).sit(7).do("enter", participant="7", entry="post")
    session.do("enter", participant="7", entry="big-blind")
    assert 7 not in session.hand().order()
    assert 7 in session.do("enter", participant="7", entry="post").hand().order()
    assert session.code("enter", participant="7", entry="post") == "already-in"
    assert session.code("enter", participant="8", entry="post") == "not-seated"


def test_C_2_whom_the_big_blind_reaches_posts_once(session) -> None:
    session.playing(1, 2, 4, button=4).sit(3, entry="post").do("next_hand")
    assert session.posts() == {2: ("small", 1, 0), 3: ("big", 2, 0)}


def test_C_2_between_button_and_small_blind_a_post_waits_until_the_button_has_passed(session) -> None:
    session.playing(1, 3, 5, 7, button=7).sit(2, entry="post")
    assert 2 not in session.hand().order(), "button 1, small blind 3"
    session.do("next_hand")
    assert session.order() == (5, 7, 1, 2, 3) and session.posts()[2] == ("post", 2, 0)


def test_C_2_a_newcomer_on_the_empty_small_blind_seat_posts_a_big_blind_there(session) -> None:
    session.playing(1, 2, 3, 4, button=4).do("leave", participant="2").sit(9, 2, entry="post").do("next_hand")
    assert session.order() == (2, 3, 4, 1)
    assert session.posts() == {2: ("post", 2, 0), 3: ("big", 2, 0)}


def test_C_2_a_newcomer_between_the_blinds_of_two_posts_on_the_button(session) -> None:
    """The next big blind is 1's, the small one 3's: on 2 one has neither, and sits behind both."""
    session.playing(1, 3, button=1).sit(2, entry="post").do("next_hand")
    assert session.blinds() == (2, 3, 1) and session.order() == (3, 1, 2)
    assert session.posts() == {3: ("small", 1, 0), 1: ("big", 2, 0), 2: ("post", 2, 0)}


def test_C_2_newcomers_come_in_free_where_fewer_than_two_would_be_dealt_in(session) -> None:
    session.playing(1, 2, 3, button=3).do("leave", participant="2").do("leave", participant="3")
    session.sit(5).sit(6).do("next_hand")
    assert set(session.order()) >= {1, 5} and all(kind in ("small", "big") for kind, *_ in session.posts().values())


def test_C_2_a_post_that_the_stack_does_not_reach_is_refused(session) -> None:
    session.playing(1, 2, 3, 4, button=4, big_blind=50, buy_in_minimum=50).sit(7, chips=60)
    session.do("stacks", stacks={"7": 40, "1": 120})
    refusal = session.refusal("enter", participant="7", entry="post")
    assert refusal.code == "not-enough-chips" and refusal.detail == {"needed": 50, "stack": 40}


def test_C_3_who_missed_the_big_blind_while_gone_is_a_newcomer(session) -> None:
    session.playing(1, 2, 3, 4, button=4).do("leave", participant="3").hand().sit(3)
    assert session.player(3).standing == "new"
    assert 3 not in session.hand().order()
    session.do("enter", participant="3", entry="post").do("next_hand")
    assert session.posts()[3] == ("post", 2, 0), "no dead small blind: a newcomer"


def test_C_3_who_missed_only_the_small_blind_pays_it_dead_and_plays(session) -> None:
    session.playing(1, 2, 3, 4, button=4)  # big blind 2
    session.do("leave", participant="2").hand()
    assert session.blinds() == (1, None, 3)
    session.sit(2)
    assert session.player(2).standing == "owes-small"
    session.do("next_hand")
    assert session.order() == (3, 4, 1, 2)
    assert session.posts() == {3: ("small", 1, 0), 4: ("big", 2, 0), 2: ("dead", 0, 1)}
    assert session.do("result").hand().posts() == {4: ("small", 1, 0), 1: ("big", 2, 0)}, "once"


def test_C_3_who_missed_no_blind_goes_on(session) -> None:
    session.playing(1, 2, 3, 4, 5, button=5).do("leave", participant="5").hand().sit(5)
    assert session.player(5).standing == "in"
    assert session.hand().order() == (3, 4, 5, 1, 2)


def test_C_3_on_another_seat_who_left_is_a_newcomer(session) -> None:
    session.playing(1, 2, 3, 4, 5, button=5).do("leave", participant="5").hand().sit(5, 8)
    assert session.player(5).standing == "new"


def test_C_3_the_big_blind_after_the_small_one_makes_a_newcomer(session) -> None:
    session.playing(1, 2, 3, 4, button=4).do("leave", participant="2").hands(4)
    assert session.player(2).standing == "new"


def away_on_the_big_blind(session):
    """Six players, big blind 2; 3 goes away, and the big blind passes to 4."""
    session.playing(1, 2, 3, 4, 5, 6, button=6)
    return session.do("absent", participant="3").hand()


def test_C_4_who_is_away_is_dealt_in_until_the_big_blind(session) -> None:
    session.playing(1, 2, 3, 4, button=4).do("absent", participant="4")
    assert 4 in session.hand().order() and session.table.bb == 3
    session.hand()
    assert 4 not in session.order() and session.table.bb == 1
    assert session.player(4).standing == "missed-blind"
    assert 4 not in session.hands(3).order()


def test_C_4_who_is_away_on_the_small_blind_posts_it(session) -> None:
    session.playing(1, 2, 3, 4, button=4).do("absent", participant="2").do("next_hand")
    assert session.posts() == {2: ("small", 1, 0), 3: ("big", 2, 0)}


def test_C_4_a_missed_blind_is_paid_by_a_dead_small_and_a_live_big_one(session) -> None:
    away_on_the_big_blind(session).do("present", participant="3")
    assert session.blinds() == (1, 2, 4) and session.player(3).standing == "missed-blind"
    session.hands(2).do("enter", participant="3", entry="post").do("next_hand")
    assert session.posts()[3] == ("post", 2, 1)
    assert session.player(3).standing == "in"
    session.do("result").do("next_hand")
    assert 3 in session.order() and session.posts() == {1: ("small", 1, 0), 2: ("big", 2, 0)}, "once"


def test_C_4_or_waits_for_the_big_blind_and_owes_nothing_there(session) -> None:
    away_on_the_big_blind(session).do("present", participant="3")
    for _ in range(4):
        assert 3 not in session.hand().order()
    session.hand()
    assert session.posts() == {2: ("small", 1, 0), 3: ("big", 2, 0)}


def test_C_4_away_with_the_marker_nobody_posts(session) -> None:
    away_on_the_big_blind(session).do("present", participant="3").hand().do("enter", participant="3", entry="post")
    session.do("absent", participant="3")
    assert 3 not in session.hand().order()
    session.do("present", participant="3")
    assert session.player(3).entry == "big-blind", "a choice does not outlast the player's presence"


def test_C_4_a_marker_is_kept_by_who_leaves_with_it(session) -> None:
    away_on_the_big_blind(session).do("leave", participant="3").sit(3)
    assert session.player(3).standing == "missed-blind"


def test_C_4_a_marker_goes_along_to_another_seat(session) -> None:
    away_on_the_big_blind(session).do("present", participant="3").do("move", participant="3", seat=8)
    assert session.player(3).standing == "missed-blind"
    session.do("leave", participant="3").sit(3, 9, entry="post")
    assert session.player(3).standing == "missed-blind"
    session.do("next_hand")
    assert session.posts()[9] == ("post", 2, 1)


def test_C_4_who_had_no_chips_on_the_big_blind_missed_it(session) -> None:
    session.playing(1, 2, 3, 4, 5, button=5).do("stacks", stacks={"3": 0, "4": 200}).hand()
    assert session.table.bb == 4 and session.player(3).standing == "missed-blind"


def test_C_4_who_had_no_chips_on_the_small_blind_only_pays_that_dead(session) -> None:
    session.playing(1, 2, 3, 4, 5, button=5).do("stacks", stacks={"2": 0, "4": 200}).hand()
    assert session.blinds() == (1, None, 3)
    session.do("add_on", participant="2", chips=100).do("next_hand")
    assert session.posts()[2] == ("dead", 0, 1)


def test_C_4_two_away_in_a_row_are_both_passed(session) -> None:
    session.playing(1, 2, 3, 4, 5, button=5).do("absent", participant="3").do("absent", participant="4").hand()
    assert session.blinds() == (1, 2, 5) and session.order() == (2, 5, 1)
    assert session.player(3).standing == session.player(4).standing == "missed-blind"


def test_C_4_a_refused_hand_makes_nobody_miss_a_blind(session) -> None:
    session.playing(1, 2, button=1).do("absent", participant="1")
    assert session.code("next_hand") == "too-few-to-deal"
    assert session.player(1).standing == "in"


@pytest.mark.parametrize("command", ["absent", "present"])
def test_C_4_nobody_goes_or_comes_twice(session, command) -> None:
    session.seated(1, 2)
    if command == "absent":
        session.do("absent", participant="1")
    expected = {"absent": "already-absent", "present": "not-absent"}[command]
    assert session.code(command, participant="1") == expected
    assert session.code(command, participant="7") == "not-seated"


def one_owes_a_small_blind(session):
    """5 came back to a missed small blind; the others have left, and 2 and 7 sit down: the game begins anew."""
    session.playing(1, 3, 5, button=5).hand()
    session.do("leave", participant="5").hand().sit(5)
    assert session.player(5).standing == "owes-small"
    return session.do("leave", participant="1").do("leave", participant="3").sit(2)


def test_C_3_a_missed_small_blind_is_owed_in_a_game_that_begins_anew(session) -> None:
    one_owes_a_small_blind(session).sit(7).do("next_hand", button=5)
    assert session.order() == (7, 2, 5) and session.posts()[5] == ("dead", 0, 1)


def test_C_3_on_the_small_blind_of_a_new_game_the_missed_one_is_paid_as_well(session) -> None:
    one_owes_a_small_blind(session).do("next_hand", button=5)
    assert session.posts() == {2: ("big", 2, 0), 5: ("small", 1, 1)}


def test_C_3_on_the_big_blind_of_a_new_game_nothing_more_is_owed(session) -> None:
    one_owes_a_small_blind(session).do("next_hand", button=2)
    assert session.posts() == {2: ("small", 1, 0), 5: ("big", 2, 0)}


def test_C_4_who_waits_with_the_marker_is_not_counted_among_those_who_can_be_dealt_in(session) -> None:
    """1 missed the big blind and waits for it; 5 alone cannot play: the refusal says one, and who could pay."""
    session.playing(1, 3, 5, button=1).do("absent", participant="1").hand().do("present", participant="1")
    refusal = session.do("leave", participant="3").refusal("next_hand")
    assert refusal.code == "too-few-to-deal" and refusal.detail == {"there": 1, "minimum": 2, "owing": ["1"]}
    session.do("enter", participant="1", entry="post").do("next_hand", button=1)
    assert session.posts() == {5: ("big", 2, 0), 1: ("post", 2, 1)}
