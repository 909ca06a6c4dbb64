"""The dead button: S-7."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.game.button import Positions, clockwise, first_hand, nearest, next_hand


def after(occupied: set[int], before: Positions) -> Positions:
    assert before.sb_seat is not None
    assert before.bb_seat is not None
    return next_hand(occupied, before.button, before.sb_seat, before.bb_seat)


def test_S_7_the_first_blinds_are_the_two_players_after_the_button() -> None:
    assert first_hand({1, 3, 6, 9}, 3)[:3] == (3, 6, 9)
    assert first_hand({1, 3, 6, 9}, 9)[:3] == (9, 1, 3)


def test_S_7_everything_moves_on_by_one() -> None:
    hand = first_hand({1, 2, 3, 4, 5}, 1)
    assert hand[:3] == (1, 2, 3)
    assert after({1, 2, 3, 4, 5}, hand)[:3] == (2, 3, 4)


def test_S_7_next_small_blind_out_only_the_big_blind_is_posted() -> None:
    hand = first_hand({1, 2, 3, 4, 5}, 1)
    assert after({1, 2, 4, 5}, hand)[:3] == (2, None, 4)


def test_S_7_next_big_blind_out_the_player_after_posts_it() -> None:
    hand = first_hand({1, 2, 3, 4, 5}, 1)
    assert after({1, 2, 3, 5}, hand)[:3] == (2, 3, 5)


def test_S_7_next_dealer_out_the_button_stays_on_the_empty_seat() -> None:
    hand = first_hand({1, 2, 3, 4, 5}, 1)
    assert after({1, 3, 4, 5}, hand)[:3] == (2, 3, 4)


def test_S_7_both_blinds_out_the_button_is_dead_a_hand_later() -> None:
    hand = after({1, 4, 5, 6}, first_hand({1, 2, 3, 4, 5, 6}, 1))
    assert hand[:3] == (2, None, 4)
    assert after({1, 4, 5, 6}, hand)[:3] == (3, 4, 5)


def test_S_7_of_two_the_button_has_the_small_blind() -> None:
    assert first_hand({2, 7}, 2)[:3] == (2, 2, 7)
    assert first_hand({2, 7}, 7)[:3] == (7, 7, 2)
    assert first_hand({2, 7}, 5)[:3] == (7, 7, 2)
    hand = first_hand({2, 7}, 2)
    assert after({2, 7}, hand)[:3] == (7, 7, 2)


def test_S_7_when_three_become_two_nobody_pays_the_big_blind_twice_running() -> None:
    hand = first_hand({1, 2, 3}, 1)
    assert hand[:3] == (1, 2, 3)
    assert after({2, 3}, hand)[:3] == (3, 3, 2)
    assert after({1, 3}, hand)[:3] == (3, 3, 1)
    assert after({1, 2}, hand)[:3] == (2, 2, 1)


def test_S_7_when_two_become_three_the_button_stays_behind_the_blinds() -> None:
    hand = first_hand({1, 5}, 1)
    assert after({1, 5, 7}, hand)[:3] == (1, 5, 7)
    assert after({1, 3, 5}, hand)[:3] == (3, 5, 1)


def test_S_7_newcomers_alone_between_the_blinds_do_not_get_the_button_between_theirs() -> None:
    hand = first_hand({1, 2, 6}, 1)
    assert hand[:3] == (1, 2, 6)
    assert after({3, 4, 6}, hand)[:3] == (4, 6, 3)


def test_S_7_a_lone_player_posts_nothing_and_is_not_passed_over_later() -> None:
    hand = after({3}, first_hand({1, 2, 3}, 1))
    assert hand[:3] == (1, None, None)
    assert after({3, 8}, hand)[:3] == (3, 3, 8)
    assert first_hand({4}, 4)[:3] == (4, None, None)


def test_S_2_nearest_occupied_seat_clockwise() -> None:
    assert nearest({2, 5}, 5) == 5
    assert nearest({2, 5}, 6) == 2
    assert clockwise({2, 5, 9}, 5) == [9, 2, 5]


SEATS = st.sets(st.integers(1, 10), min_size=3)


@settings(max_examples=300, deadline=None)
@given(start=SEATS, button=st.integers(1, 10), leaving=st.lists(st.integers(0, 9), max_size=30))
def test_S_7_nobody_pays_twice_running_and_nobody_is_skipped(start: set[int], button: int, leaving: list[int]) -> None:
    """Players leave between hands, none joins: between two of a player's big blinds each other one pays once."""
    occupied = set(start)
    hand = first_hand(occupied, nearest(occupied, button))
    paid: list[int] = []
    for turn in range(60):
        assert hand.bb in occupied
        assert hand.bb not in paid[-1:]
        assert hand.sb is None or hand.sb in occupied
        assert hand.sb != hand.bb
        if hand.bb in paid:
            since = paid[len(paid) - paid[::-1].index(hand.bb) :]
            assert occupied - {hand.bb} <= set(since)
        paid.append(hand.bb or 0)
        if turn < len(leaving) and leaving[turn] and len(occupied) > 2:
            occupied.discard(sorted(occupied)[leaving[turn] % len(occupied)])
        hand = after(occupied, hand)


@settings(max_examples=300, deadline=None)
@given(start=SEATS, changes=st.lists(st.integers(1, 10), max_size=40))
def test_S_7_the_button_lies_behind_the_blinds_whoever_comes_and_goes(start: set[int], changes: list[int]) -> None:
    occupied = set(start)
    hand = first_hand(occupied, nearest(occupied, 1))
    for seat in changes:
        previous = hand.bb
        occupied ^= {seat}
        if not occupied:
            occupied = {seat}
        hand = after(occupied, hand) if hand.bb_seat else first_hand(occupied, hand.button)
        if len(occupied) < 2:
            assert (hand.sb, hand.bb) == (None, None)
            continue
        assert hand.bb in occupied
        assert hand.bb != previous
        if len(occupied) == 2:
            assert hand.button == hand.sb
        else:
            assert hand.bb_seat is not None and hand.sb_seat is not None
            assert hand.button not in (hand.sb_seat, hand.bb_seat)
            ring = clockwise({hand.button, hand.sb_seat, hand.bb_seat}, hand.button)
            assert ring == [hand.sb_seat, hand.bb_seat, hand.button]


def test_S_7_at_a_table_blinds_that_are_dead_are_null(evening) -> None:
    evening.seated([1, 2, 3, 4, 5]).do("next_hand", table=1)
    assert evening.blinds() == (1, 2, 3)
    evening.bust(3)
    assert evening.blinds() == (1, 2, 3), "the hand in play keeps its blinds"
    evening.do("next_hand", table=1)
    assert evening.blinds() == (2, None, 4)
    assert evening.report()["tables"]["1"]["sb"] is None


def test_S_7_next_hand_counts_from_one_and_needs_a_table_in_play(evening) -> None:
    evening.opened(5)
    assert evening.code("next_hand", table=1) == "not-running"
    evening.do("start", button=1).do("next_hand", table=1)
    assert evening.table(1).hand == 1
    assert evening.do("next_hand", table=1).table(1).hand == 2
    assert evening.code("next_hand", table=2) == "no-such-table"


def test_S_7_a_lone_player_at_a_table_is_no_refusal(evening) -> None:
    evening.seated([1, 2, 3], [4]).do("next_hand", table=2)
    assert evening.blinds(2) == (1, None, None)
    evening.do("move", participant="000001", seat=[2, 5]).do("next_hand", table=2)
    assert evening.blinds(2) == (1, 1, 5)
