"""Evening out tables: S-3."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.game.balancing import proposal
from appliance.game.play_events import PlayerMoved
from appliance.game.refusal import Refusal

LEAGUE = ["cpl-2017", "cpl"]
CASINO = ["casino-2012", "tda-2024"]
EVERYWHERE = [*LEAGUE, *CASINO]


def last_move(evening: Any) -> tuple[str, tuple[int, int], tuple[int, int]]:
    event = evening.events[-1]
    assert isinstance(event, PlayerMoved)
    assert event.why == "balance"
    return event.participant, tuple(event.source), tuple(event.target)


def sizes(evening: Any) -> list[int]:
    return [len(table.seats) for _, table in sorted(evening.round.tables.items()) if table.seats]


def hand(evening: Any, *tables: int) -> Any:
    for table in tables:
        evening.do("next_hand", table=table)
    return evening


@pytest.mark.parametrize("profile", EVERYWHERE)
def test_S_3_the_next_big_blind_leaves_the_fullest_table(evening, profile: str) -> None:
    hand(evening.seated([1, 2, 3, 4, 5, 6], [7, 8, 9, 10], profile=profile), 1, 2)
    assert evening.blinds(1) == (1, 2, 3)
    evening.do("balance")
    assert last_move(evening)[:2] == ("000004", (1, 4))
    assert evening.player(4).seat.table == 2
    assert evening.player(4).balanced == 1
    assert sizes(evening) == [5, 5]


@pytest.mark.parametrize("profile", EVERYWHERE)
def test_S_3_before_the_first_hand_the_first_big_blind_leaves(evening, profile: str) -> None:
    evening.seated([1, 2, 3, 4, 5, 6], [7, 8, 9, 10], profile=profile).do("balance")
    assert last_move(evening)[:2] == ("000003", (1, 3))


@pytest.mark.parametrize("profile", EVERYWHERE)
def test_S_3_one_who_was_moved_before_stays_and_the_one_after_goes(evening, profile: str) -> None:
    hand(evening.seated([1, 2, 3, 4, 5, 6], [7, 8, 9, 10], profile=profile), 1, 2).do("balance")
    evening.do("move", participant="000004", seat=[1, 4])
    hand(evening, 1, 1, 1, 1, 1, 1, 2)
    assert evening.blinds(1) == (1, 2, 3)
    assert evening.player(4).balanced == 1
    evening.do("balance")
    assert last_move(evening)[:2] == ("000005", (1, 5))


@pytest.mark.parametrize("profile", EVERYWHERE)
def test_S_3_of_two_moved_equally_often_the_next_big_blind_goes(evening, profile: str) -> None:
    evening.seated([1, 2, 3, 4, 5, 6, 7, 8], [9, 10, 11, 12], profile=profile, button=1).do("balance")
    assert last_move(evening)[0] == "000003"
    evening.do("move", participant="000003", seat=[1, 3])
    assert proposal(evening.round).participant == "000004"
    evening.do("balance")
    assert last_move(evening)[0] == "000004"
    evening.do("move", participant="000004", seat=[1, 4])
    assert proposal(evening.round).participant == "000003"


@pytest.mark.parametrize("profile", EVERYWHERE)
def test_S_3_even_tables_are_left_alone(evening, profile: str) -> None:
    evening.seated([1, 2, 3, 4, 5], [6, 7, 8, 9], profile=profile)
    assert evening.refusal("balance") == Refusal("balanced")
    assert evening.report()["balance_needed"] is False
    assert proposal(evening.round) == Refusal("balanced")


def test_S_3_one_table_is_always_even(evening) -> None:
    assert evening.seated([1, 2, 3]).code("balance") == "balanced"


def test_S_3_nothing_is_balanced_before_the_start_or_after_the_end(evening) -> None:
    assert evening.opened(4).code("balance") == "not-running"
    evening.do("start").bust(1).bust(2).bust(3)
    assert evening.code("balance") == "finished"
    assert proposal(evening.round) == Refusal("finished")


@pytest.mark.parametrize("profile", EVERYWHERE)
def test_S_3_of_equal_tables_the_lowest_numbers_are_taken(evening, profile: str) -> None:
    evening.seated([1, 2], [3, 4, 5, 6], [7, 8, 9, 10], [11, 12], profile=profile)
    assert evening.notices()["balance"] == {"from": 2, "to": 1, "gap": 2}
    evening.do("balance")
    _, source, target = last_move(evening)
    assert (source[0], target[0]) == (2, 1)


# Which seat


@pytest.mark.parametrize("profile", LEAGUE)
def test_S_3_to_a_seat_no_sooner_in_the_big_blind_and_none_of_the_next_blinds(evening, profile: str) -> None:
    """The next hand of table 2 has 9 on the small and 10 on the big blind; the seat behind them is the nearest."""
    evening.announce(profile=profile).do("open").register(*range(1, 11))
    seats = {f"{n:06d}": [1, n] for n in range(1, 7)} | {f"{n:06d}": [2, (n - 6) * 2] for n in range(7, 11)}
    hand(evening.do("start", seats=seats, button=2), 1, 2)
    assert evening.blinds(2) == (2, 4, 6)
    evening.do("balance")
    assert last_move(evening)[2] == (2, 9)
    hand(evening, 2)
    assert evening.blinds(2) == (4, 6, 8)


@pytest.mark.parametrize("profile", LEAGUE)
def test_S_3_for_lack_of_seats_the_next_big_blind_is_taken_rather_than_nothing(evening, profile: str) -> None:
    """Only the seat between the blinds is free: the player may have the big blind, or choose to sit out (S-5)."""
    evening.announce(profile=profile, seats_per_table=6).do("open").register(*range(1, 11))
    seats = {f"{n:06d}": [1, n] for n in range(1, 7)}
    seats |= {"000007": [2, 1], "000008": [2, 2], "000009": [2, 3], "000010": [2, 5]}
    hand(evening.do("start", seats=seats, button=1).do("lock", on=True, seat=[2, 6]), 1, 2)
    assert evening.blinds(2) == (1, 2, 3)
    evening.do("balance")
    assert last_move(evening)[2] == (2, 4)


@pytest.mark.parametrize("profile", CASINO)
def test_S_3_to_the_worst_seat_which_is_the_next_big_blind(evening, profile: str) -> None:
    evening.announce(profile=profile).do("open").register(*range(1, 11))
    seats = {f"{n:06d}": [1, n] for n in range(1, 7)} | {f"{n:06d}": [2, (n - 6) * 2] for n in range(7, 11)}
    hand(evening.do("start", seats=seats, button=2), 1, 2)
    evening.do("balance")
    assert last_move(evening)[2] == (2, 7)
    hand(evening, 2)
    assert evening.blinds(2) == (4, 6, 7)


@pytest.mark.parametrize("profile", CASINO)
def test_S_3_the_worst_seat_may_be_a_lone_big_blind(evening, profile: str) -> None:
    """The last big blind is out and the seat after it is taken: who comes to the empty one pays it alone."""
    evening.seated([1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11], profile=profile)
    hand(evening, 1, 2)
    assert evening.blinds(2) == (1, 2, 3)
    evening.bust(9).do("balance")
    assert last_move(evening)[2] == (2, 3)
    assert evening.events[-1].deals_in == "big-blind"
    hand(evening, 2)
    assert (evening.table(2).sb, evening.table(2).bb) == (None, 3)


@pytest.mark.parametrize("profile", CASINO)
def test_S_3_the_worst_seat_is_never_the_small_blind_if_there_is_another(evening, profile: str) -> None:
    """Of the two at the table the one who had the big blind is out: on that seat a newcomer has the small blind."""
    hand(evening.seated([1, 2, 3, 4, 5], [6, 7], profile=profile), 1, 2)
    assert evening.blinds(2) == (1, 1, 2)
    evening.bust(7).do("balance")
    assert last_move(evening)[2] == (2, 3)
    hand(evening, 2)
    assert evening.blinds(2) == (1, 1, 3)


@pytest.mark.parametrize("profile", CASINO)
def test_S_3_the_small_blind_is_taken_where_no_other_seat_is_free(evening, profile: str) -> None:
    hand(evening.seated([1, 2, 3, 4, 5], [6, 7], profile=profile, seats_per_table=5), 1, 2)
    for seat in (3, 4, 5):
        evening.do("lock", on=True, seat=[2, seat])
    evening.bust(7).do("balance")
    assert last_move(evening)[2] == (2, 2)
    hand(evening, 2)
    assert evening.blinds(2) == (2, 2, 1)


# Locks


@pytest.mark.parametrize("profile", EVERYWHERE)
def test_S_3_a_locked_player_is_passed_over(evening, profile: str) -> None:
    hand(evening.seated([1, 2, 3, 4, 5, 6], [7, 8, 9, 10], profile=profile), 1, 2)
    evening.do("lock", participant="000004", on=True).do("balance")
    assert last_move(evening)[0] == "000005"


def test_S_3_a_seat_promised_at_registration_is_given_up_last(evening) -> None:
    evening.opened(0)
    for n in range(1, 7):
        evening.register(n, seat=[1, n])
    evening.register(7, seat=[2, 1]).register(8, 9, 10)
    seats = {"000008": [2, 2], "000009": [2, 3], "000010": [2, 4], "000004": [1, 7]}
    evening.do("start", seats=seats, button=1)
    evening.do("balance")
    assert last_move(evening)[0] == "000004"


def test_S_3_where_all_seats_were_promised_the_next_big_blind_goes_all_the_same(evening) -> None:
    evening.opened(0)
    for n in range(1, 7):
        evening.register(n, seat=[1, n])
    for n in range(7, 11):
        evening.register(n, seat=[2, n - 6])
    evening.do("start", button=1).do("balance")
    assert last_move(evening)[0] == "000003"


@pytest.mark.parametrize("profile", EVERYWHERE)
def test_S_3_with_everybody_locked_the_next_fullest_table_gives_or_nobody(evening, profile: str) -> None:
    evening.seated([1, 2, 3, 4, 5], [6, 7, 8, 9], [10], profile=profile)
    for n in range(1, 6):
        evening.do("lock", participant=f"{n:06d}", on=True)
    evening.do("balance")
    assert last_move(evening)[1][0] == 2
    assert sizes(evening) == [5, 3, 2]
    refusal = evening.refusal("balance")
    assert (refusal.code, refusal.detail) == ("seat-locked", {"table": 1})


def test_S_3_locked_seats_are_not_moved_to(evening) -> None:
    evening.seated([1, 2, 3, 4], [5, 6], seats_per_table=4)
    evening.do("lock", seat=[2, 3], on=True)
    evening.do("balance")
    assert last_move(evening)[2] == (2, 4)


def test_S_3_without_a_seat_that_is_not_locked_nobody_moves(evening) -> None:
    evening.seated([1, 2, 3, 4], [5, 6], seats_per_table=4)
    evening.do("lock", seat=[2, 3], on=True).do("lock", seat=[2, 4], on=True)
    refusal = evening.refusal("balance")
    assert (refusal.code, refusal.detail) == ("no-free-seat", {"needed": 1, "free": 0})


# One move at a time


@pytest.mark.parametrize("profile", EVERYWHERE)
def test_S_3_a_table_plays_a_hand_before_the_next_move(evening, profile: str) -> None:
    hand(evening.seated([1, 2, 3, 4, 5, 6, 7], [8, 9, 10], profile=profile), 1, 2).do("balance")
    refusal = evening.refusal("balance")
    assert (refusal.code, refusal.detail) == ("move-pending", {"table": 1, "hand": 1})
    hand(evening, 1)
    refusal = evening.refusal("balance")
    assert (refusal.code, refusal.detail) == ("move-pending", {"table": 2, "hand": 1})
    hand(evening, 2).do("balance")
    assert sizes(evening) == [5, 5]


def test_S_3_other_tables_as_far_apart_go_on_meanwhile(evening) -> None:
    evening.seated([1, 2, 3, 4], [5, 6, 7, 8], [9, 10], [11, 12])
    hand(evening, 1, 2, 3, 4).do("balance").do("balance")
    assert last_move(evening)[1][0] == 2
    assert sizes(evening) == [3, 3, 3, 3]


def test_S_3_where_hands_are_not_tracked_nothing_is_waited_for(evening) -> None:
    evening.seated([1, 2, 3, 4, 5, 6, 7], [8, 9, 10]).do("balance").do("balance")
    assert sizes(evening) == [5, 5]


def test_S_3_a_move_by_hand_is_believed_at_any_time(evening) -> None:
    hand(evening.seated([1, 2, 3, 4, 5, 6, 7], [8, 9, 10]), 1, 2).do("balance")
    evening.do("lock", participant="000001", on=True).do("lock", seat=[2, 9], on=True)
    evening.do("move", participant="000001", seat=[2, 9])
    assert sizes(evening) == [5, 5]


def test_S_3_a_balance_is_undone_whole(evening) -> None:
    hand(evening.seated([1, 2, 3, 4, 5, 6], [7, 8, 9, 10]), 1, 2)
    before = evening.state_bytes()
    after = evening.do("balance").state_bytes()
    assert evening.do("undo").state_bytes() == before
    assert evening.do("redo").state_bytes() == after
    assert evening.replayed().round == evening.round


# What holds whatever happens


@settings(max_examples=60, deadline=None)
@given(
    profile=st.sampled_from(EVERYWHERE),
    tables=st.lists(st.integers(1, 9), min_size=2, max_size=6),
    hands=st.booleans(),
    locked=st.sets(st.integers(1, 30), max_size=4),
)
def test_S_3_balanced_again_and_again_tables_differ_by_one_at_most(
    profile: str, tables: list[int], hands: bool, locked: set[int], new_evening
) -> None:
    first, rows = 1, []
    for size in tables:
        rows.append(list(range(first, first + size)))
        first += size
    if first <= 3:
        return
    evening = new_evening().seated(*rows, profile=profile)
    for n in locked & set(range(1, first)):
        evening.do("lock", participant=f"{n:06d}", on=True)
    settled = {n: evening.player(n).seat for n in locked & set(range(1, first))}
    for _ in range(200):
        if hands:
            hand(evening, *(number for number, table in evening.round.tables.items() if table.seats))
        answer = evening.ask("balance")
        if isinstance(answer, Refusal):
            break
    assert answer.code in ("balanced", "seat-locked")
    assert {n: evening.player(n).seat for n in settled} == settled
    if answer.code == "balanced":
        assert max(sizes(evening)) - min(sizes(evening)) <= 1
    else:
        fullest = [t for t in evening.round.tables.values() if len(t.seats) == max(sizes(evening))]
        assert all(evening.round.players[who].locked for table in fullest for who in table.seats.values())


@pytest.mark.parametrize(("profile", "halts"), [("tda-2024", True), ("cpl-2017", False), ("casino-2012", False)])
def test_S_3_play_halts_at_a_table_three_short_of_the_fullest(evening, profile: str, halts: bool) -> None:
    evening.seated([1, 2, 3, 4, 5, 6], [7, 8, 9], [10, 11, 12, 13], profile=profile)
    short = [notice["detail"] for notice in evening.report()["notices"] if notice["code"] == "table-short"]
    assert short == ([{"table": 2, "short": 3}] if halts else [])
    evening.do("balance")
    assert "table-short" not in evening.notices()
