"""The dead button: S-7."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.game.button import Positions, clockwise, first_hand, nearest, next_hand
from appliance.game.draw import strength


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


EVERY = ["cpl-2017", "cpl", "casino-2012", "tda-2024"]
LEAGUE_AND_TDA = ["cpl-2017", "cpl", "tda-2024"]


def with_newcomer(evening: Any, seat: int, out: tuple[int, ...], profile: str) -> tuple[Any, ...]:
    """Button, small and big blind, and who waits, once somebody came to ``seat``.

    Players sit on the odd seats of nine; button 1, small blind 3 and big blind 5 have been; ``out`` went.
    """
    evening.announce(profile=profile).do("open").register(1, 3, 5, 7, 9, 10, 11, 12)
    seats = {f"{seat:06d}": [1, seat] for seat in (1, 3, 5, 7, 9)}
    seats.update({f"{n:06d}": [2, n - 9] for n in (10, 11, 12)})
    evening.do("start", seats=seats, button=1).do("next_hand", table=1)
    for n in out:
        evening.bust(n)
    evening.do("move", participant="000012", seat=[1, seat]).do("next_hand", table=1)
    return (*evening.blinds(), {seat: how.value for seat, how in evening.table(1).arrivals.items()})


@pytest.mark.parametrize("profile", EVERY)
@pytest.mark.parametrize(
    ("seat", "expected"),
    [(2, (3, 5, 7, {})), (4, (3, 5, 7, {4: "waits"})), (6, (3, 5, 6, {})), (8, (3, 5, 7, {}))],
)
def test_S_5_newcomers_at_every_free_seat(evening, seat: int, expected: tuple[Any, ...], profile: str) -> None:
    assert with_newcomer(evening, seat, (), profile) == expected


@pytest.mark.parametrize("profile", LEAGUE_AND_TDA)
@pytest.mark.parametrize(
    ("seat", "expected"),
    [
        (2, (3, None, 7, {})),
        (4, (3, None, 7, {4: "waits"})),
        (5, (3, 5, 7, {})),
        (6, (3, None, 6, {})),
        (8, (3, None, 7, {})),
    ],
)
def test_S_5_newcomers_with_a_dead_small_blind(evening, seat: int, expected: tuple[Any, ...], profile: str) -> None:
    assert with_newcomer(evening, seat, (5,), profile) == expected


@pytest.mark.parametrize(
    ("seat", "expected", "then"),
    [
        (2, (3, None, 7, {}), (5, 7, 9)),
        (4, (3, None, 4, {}), (3, 4, 7)),
        (5, (3, None, 5, {}), (3, 5, 7)),
        (6, (3, None, 6, {}), (5, 6, 7)),
        (8, (3, None, 7, {}), (5, 7, 8)),
    ],
)
def test_S_5_a_dead_small_blind_is_a_lone_big_blind_for_casino_2012_newcomers(
    evening, seat: int, expected: tuple[Any, ...], then: tuple[int, ...]
) -> None:
    """From the button's next seat to the dead small blind's; they post the small blind next, the button waits."""
    assert with_newcomer(evening, seat, (5,), "casino-2012") == expected
    assert evening.do("next_hand", table=1).blinds() == then


@pytest.mark.parametrize("profile", EVERY)
@pytest.mark.parametrize("out", [(3,), (1, 3), (3, 7), (1, 3, 7, 9)])
def test_S_5_newcomers_on_the_button_s_next_seat(evening, out: tuple[int, ...], profile: str) -> None:
    """C: only if the one before has had the button; of a table that went, the newcomer is simply one of two."""
    button, sb, bb, waiting = with_newcomer(evening, 3, out, profile)
    if len(out) == 4:
        assert (button, sb, bb, waiting) == (5, 5, 3, {})
        return
    waits = profile == "casino-2012" and 1 in out
    assert (button, sb, bb, waiting) == (3, 5, 9 if 7 in out else 7, {3: "waits"} if waits else {})
    assert not evening.do("next_hand", table=1).table(1).arrivals


@pytest.mark.parametrize("profile", EVERY)
def test_S_5_a_late_entrant_or_one_who_came_back_is_a_newcomer_too(evening, profile: str) -> None:
    """Back before the next hand nothing was missed; after it the old seat is one like any other."""
    evening.seated([1, 2, 3, 4, 5], profile=profile).do("next_hand", table=1).bust(4)
    evening.do("reinstate", participant="000004").do("next_hand", table=1)
    assert evening.blinds() == (2, 3, 4)
    evening.bust(3).do("next_hand", table=1)
    assert evening.blinds() == (3, 4, 5)
    evening.do("reinstate", participant="000003").do("next_hand", table=1)
    assert evening.blinds() == (4, 5, 1)
    assert not evening.table(1).arrivals


def test_S_2_a_table_opened_later_draws_its_own_button(evening) -> None:
    """One card for each who sits there, the highest, by suit where ranks are equal, has it; everybody plays."""
    evening.seated([1, 2, 3], [4, 5, 6])
    for n, seat in ((1, 2), (4, 5), (5, 7)):
        evening.do("move", participant=f"{n:06d}", seat=[3, seat])
    evening.do("next_hand", table=3)
    hand = evening.events[-1]
    assert set(hand.cards) == {2, 5, 7}
    assert hand.button == max(hand.cards, key=lambda seat: strength(hand.cards[seat]))
    order = clockwise({2, 5, 7}, hand.button)
    assert evening.blinds(3) == (hand.button, order[0], order[1])
    assert not evening.table(3).arrivals


def test_S_2_a_button_placed_on_a_seat_that_emptied_before_the_first_hand_is_dead(evening) -> None:
    evening.seated([1, 2, 3, 4], [5, 6, 7, 8], button=2).bust(2).do("next_hand", table=1)
    assert evening.blinds() == (2, 3, 4)


def test_S_7_who_changes_seats_keeps_the_turn_and_nobody_has_the_big_blind_twice(evening) -> None:
    evening.seated([1, 2, 3, 4]).do("next_hand", table=1)
    assert evening.blinds() == (1, 2, 3)
    evening.do("move", participant="000004", seat=[1, 6]).do("move", participant="000003", seat=[1, 5])
    assert evening.do("next_hand", table=1).blinds() == (2, 5, 6)


def test_S_7_alone_at_the_table_a_change_of_seats_changes_nothing(evening) -> None:
    evening.seated([1, 2], [3, 4]).do("next_hand", table=1)
    evening.do("move", participant="000001", seat=[2, 9]).do("move", participant="000002", seat=[1, 5])
    assert evening.table(1).bb_seat == 2
    evening.do("move", participant="000003", seat=[1, 1]).do("next_hand", table=1)
    assert evening.blinds() == (5, 5, 1), "the one who had the big blind has not got it again"


def one_seat_back(evening: Any, seats: list[int], newcomer: int) -> Any:
    """The last big blind, the second or third of ``seats``, moves to seat 3, and somebody comes behind them."""
    evening.announce(profile="tda-2024").do("open").register(*seats, 10, 11, 12)
    places = {f"{seat:06d}": [1, seat] for seat in seats} | {f"{n:06d}": [2, n - 9] for n in (10, 11, 12)}
    evening.do("start", seats=places, button=1).do("next_hand", table=1)
    evening.do("move", participant=evening.table(1).last_bb, seat=[1, 3])
    return evening.do("move", participant="000010", seat=[1, newcomer])


@pytest.mark.parametrize("newcomer", [4, 5])
def test_S_7_who_moves_a_seat_back_lets_nobody_in_before_the_one_who_is_due(evening, newcomer: int) -> None:
    one_seat_back(evening, [1, 2, 5, 6, 7], newcomer)
    hands = [evening.do("next_hand", table=1).blinds() for _ in range(3)]
    assert hands == [(2, 3, 6), (3, 6, 7), (6, 7, 1)]
    assert newcomer in evening.table(1).seats and not evening.table(1).arrivals


@pytest.mark.parametrize("newcomer", [4, 5])
def test_S_7_nor_of_two(evening, newcomer: int) -> None:
    """The other of the two is due; one on the button's side of the small blind would have the button."""
    assert one_seat_back(evening, [1, 5], newcomer).do("next_hand", table=1).blinds() == (3, 3, 1)
    assert set(evening.table(1).arrivals) == {newcomer}


def test_S_7_of_two_a_newcomer_before_the_moved_small_blind_has_the_button(evening) -> None:
    one_seat_back(evening, [1, 5], 4).do("move", participant="000011", seat=[1, 2]).do("next_hand", table=1)
    assert evening.blinds() == (2, 3, 1)
    assert set(evening.table(1).arrivals) == {4}
