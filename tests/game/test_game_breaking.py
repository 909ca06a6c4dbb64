"""Breaking tables: S-4, and absent players then (S-8)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.game.breaking import next_to_break
from appliance.game.events import Announced, Finished
from appliance.game.play_events import TableBroken, TakenOut
from appliance.game.state import Status
from tests.game.conftest import ANNOUNCEMENT

LEAGUE = ["cpl-2017", "cpl"]
CASINO = ["casino-2012", "tda-2024"]
EVERYWHERE = [*LEAGUE, *CASINO]


def broken(evening: Any) -> TableBroken:
    return next(event for event in reversed(evening.events) if isinstance(event, TableBroken))


def sizes(evening: Any) -> dict[int, int]:
    return {number: len(table.seats) for number, table in sorted(evening.round.tables.items()) if table.seats}


@pytest.mark.parametrize("profile", EVERYWHERE)
def test_S_4_players_of_a_broken_table_draw_free_seats_at_the_others(evening, profile: str) -> None:
    evening.seated([1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], profile=profile).do("break_table", table=3)
    event = broken(evening)
    assert set(event.seats) == {"000009", "000010", "000011", "000012"}
    assert all(seat.table in (1, 2) and seat.seat > 4 for seat in event.seats.values())
    assert sizes(evening) == {1: 6, 2: 6}
    assert evening.round.tables[3].seats == {}
    assert all(evening.round.players[who].seat == seat for who, seat in event.seats.items())


@pytest.mark.parametrize("profile", EVERYWHERE)
def test_S_4_the_other_tables_go_on_with_button_and_blinds(evening, profile: str) -> None:
    evening.seated([1, 2, 3, 4], [5, 6, 7, 8], profile=profile, seats_per_table=8)
    evening.do("next_hand", table=1).do("next_hand", table=2)
    before = evening.blinds(1)
    evening.do("break_table", table=2)
    assert evening.blinds(1) == before
    assert evening.do("next_hand", table=1).table(1).hand == 2
    assert evening.table(1).button == 2


def test_S_4_tables_with_the_fewest_are_filled_first(evening) -> None:
    evening.seated([1, 2, 3, 4, 5, 6], [7, 8, 9], [10, 11], [12, 13, 14, 15]).do("break_table", table=4)
    assert sizes(evening) == {1: 6, 2: 5, 3: 4} or sizes(evening) == {1: 6, 2: 4, 3: 5}


def test_S_4_which_of_equal_tables_gets_one_more_is_drawn(new_evening) -> None:
    found = {
        tuple(sizes(new_evening().seated([1, 2], [3, 4], [5], seed=seed).do("break_table", table=3)).items())
        for seed in range(20)
    }
    assert found == {((1, 3), (2, 2)), ((1, 2), (2, 3))}


def test_S_4_every_free_seat_is_drawn_as_often_and_by_everybody(new_evening) -> None:
    """Three players for four free seats, by 300 seeds: chi-square far below what chance exceeds once in a thousand."""
    counts: Counter[tuple[str, int]] = Counter()
    for seed in range(300):
        evening = new_evening().seated([1, 2, 3], [4, 5, 6], seats_per_table=7, seed=seed).do("break_table", table=2)
        counts.update((who, seat.seat) for who, seat in broken(evening).seats.items())
    expected = 300 / 4
    assert set(counts) == {(f"00000{n}", seat) for n in (4, 5, 6) for seat in (4, 5, 6, 7)}
    assert sum((seen - expected) ** 2 / expected for seen in counts.values()) < 27.9  # 9 degrees of freedom


def test_S_4_the_draw_is_the_same_again_and_another_each_time(new_evening) -> None:
    tables = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
    first = broken(new_evening().seated(*tables, seed=3).do("break_table", table=3))
    again = broken(new_evening().seated(*tables, seed=3).do("break_table", table=3))
    assert first == again
    assert first.seats == {"000007": (1, 8), "000008": (1, 5), "000009": (2, 8)}
    later = new_evening().seated(*tables, seed=3).do("break_table", table=3).do("undo").do("break_table", table=3)
    assert broken(later) == first
    assert (first.draw, broken(later.do("break_table", table=2)).draw) == (1, 2)


def test_S_4_locked_seats_stay_free(evening) -> None:
    evening.seated([1, 2, 3], [4, 5, 6], seats_per_table=7)
    evening.do("lock", seat=[1, 5], on=True).do("break_table", table=2)
    assert sorted(seat.seat for seat in broken(evening).seats.values()) == [4, 6, 7]


@pytest.mark.parametrize("profile", EVERYWHERE)
def test_S_4_refused_when_its_players_do_not_fit(evening, profile: str) -> None:
    evening.seated([1, 2, 3, 4], [5, 6, 7], profile=profile, seats_per_table=6)
    refusal = evening.refusal("break_table", table=2)
    assert (refusal.code, refusal.detail) == ("no-free-seat", {"needed": 3, "free": 2})
    evening.bust(7).do("lock", seat=[1, 6], on=True)
    refusal = evening.refusal("break_table", table=2)
    assert (refusal.code, refusal.detail) == ("no-free-seat", {"needed": 2, "free": 1})
    assert sizes(evening.do("lock", seat=[1, 6], on=False).do("break_table", table=2)) == {1: 6}


def test_S_4_refused_for_a_table_that_is_not_in_play_or_the_last_one(evening) -> None:
    assert evening.opened(3).code("break_table", table=1) == "not-running"
    evening.do("start")
    assert evening.refusal("break_table", table=1).code == "last-table"
    assert evening.refusal("break_table", table=2).detail == {"table": 2}
    assert evening.code("break_table", table=2) == "no-such-table"


def test_S_4_a_locked_player_moves_when_the_table_is_broken_and_stays_locked(evening) -> None:
    evening.seated([1, 2, 3], [4, 5]).do("lock", participant="000004", on=True).do("break_table", table=2)
    assert evening.player(4).seat.table == 1
    assert evening.player(4).locked


def test_S_4_a_broken_table_is_undone_whole(evening) -> None:
    evening.seated([1, 2, 3], [4, 5], [6, 7]).do("next_hand", table=1).do("absent", participant="000006")
    before = evening.state_bytes()
    after = evening.do("break_table", table=3).state_bytes()
    assert evening.do("undo").state_bytes() == before
    assert evening.do("redo").state_bytes() == after
    assert evening.replayed().round == evening.round


# In which order


def test_S_4_the_order_of_breaking_is_announced(evening) -> None:
    evening.announce(tables=[4, 7, 5, 9], breaking=[7, 4])
    assert evening.round.breaking == (7, 4, 9, 5)


def test_S_4_without_a_word_the_last_table_is_broken_first(evening) -> None:
    evening.announce(tables=[4, 7, 5])
    assert isinstance(evening.events[0], Announced)
    assert evening.events[0].breaking == (5, 7, 4)


def test_S_4_only_announced_tables_can_be_broken_first(evening) -> None:
    refusal = evening.ask("announce", **{**ANNOUNCEMENT, "tables": [1, 2], "breaking": [2, 3]})
    assert (refusal.code, refusal.detail) == ("no-such-table", {"table": 3})


def test_S_4_the_next_table_is_due_when_its_players_fit_at_the_others(evening) -> None:
    evening.seated([1, 2, 3], [4, 5, 6], [7, 8, 9], seats_per_table=4, breaking=[2])
    assert next_to_break(evening.round) is None
    evening.bust(1)
    assert next_to_break(evening.round) == 2
    evening.do("break_table", table=3)
    assert next_to_break(evening.round) is None
    evening.bust(2).bust(3).bust(4)
    assert next_to_break(evening.round) is None
    evening.bust(5)
    assert next_to_break(evening.round) == 2
    evening.do("break_table", table=2)
    assert next_to_break(evening.round) is None


def test_S_4_nothing_is_due_before_the_start(evening) -> None:
    assert next_to_break(evening.opened(3).round) is None


def test_S_4_the_commissioner_may_break_any_table(evening) -> None:
    evening.seated([1, 2], [3, 4], [5, 6], breaking=[3]).do("break_table", table=1)
    assert sizes(evening) == {2: 3, 3: 3}


# When they are dealt in


@pytest.mark.parametrize("profile", CASINO)
def test_S_5_who_draws_a_seat_that_waits_is_told_so(evening, profile: str) -> None:
    """Only the seat between the small and the big blind of the hand just played is free: it waits for the button."""
    seats = {"000001": [1, 1], "000002": [1, 2], "000003": [1, 4], "000004": [1, 5], "000005": [2, 1]}
    evening.opened(5, profile=profile, seats_per_table=5).do("start", seats=seats, button=1)
    evening.do("next_hand", table=1)
    assert evening.blinds(1) == (1, 2, 4)
    evening.do("break_table", table=2)
    assert broken(evening).seats == {"000005": (1, 3)}
    assert broken(evening).deals_in == {"000005": "after-button"}
    assert evening.round.instructions["000005"].deals_in == "after-button"
    evening.do("next_hand", table=1)
    assert evening.events[-1].waiting == {3: "waits"}
    assert evening.round.instructions == {}


# Absent players


@pytest.mark.parametrize("profile", LEAGUE)
def test_S_8_absent_players_are_out_when_their_table_is_broken(evening, profile: str) -> None:
    evening.seated([1, 2, 3], [4, 5, 6], profile=profile).do("absent", participant="000005")
    chips = evening.round.chips
    evening.do("break_table", table=2)
    gone = [event for event in evening.events if isinstance(event, TakenOut)]
    assert [(event.participant, event.why, event.chips) for event in gone] == [("000005", "absent", 4000)]
    assert evening.player(5).status is Status.OUT
    assert evening.round.chips == chips - 4000
    assert set(broken(evening).seats) == {"000004", "000006"}
    assert evening.places() == [(6, 5)]


@pytest.mark.parametrize("profile", CASINO)
def test_S_8_the_stacks_of_absent_players_are_moved_with_the_table(evening, profile: str) -> None:
    evening.seated([1, 2, 3], [4, 5, 6], profile=profile).do("absent", participant="000005")
    evening.do("break_table", table=2)
    assert evening.player(5).seat.table == 1
    assert evening.player(5).absent
    assert evening.round.chips == 24000


@pytest.mark.parametrize("profile", LEAGUE)
def test_S_8_T_7_absent_players_of_one_table_rank_by_their_stacks(evening, profile: str) -> None:
    evening.seated([1, 2, 3], [4, 5, 6, 7], profile=profile).do("next_hand", table=2)
    stacks = {"000004": 1000, "000005": 5000, "000006": 5000, "000007": 5000}
    evening.do("stacks", table=2, stacks=stacks)
    for n in (4, 5, 6):
        evening.do("absent", participant=f"{n:06d}")
    evening.do("break_table", table=2)
    assert evening.places() == [(5, 5), (5, 6), (7, 4)]


@pytest.mark.parametrize("profile", LEAGUE)
@pytest.mark.parametrize("tracked", [True, False])
def test_S_8_T_7_they_rank_above_whoever_went_out_in_the_last_hand(evening, profile: str, tracked: bool) -> None:
    """The table is broken after that hand, whatever the stacks were, and also where it is told later."""
    evening.seated([1, 2, 3], [4, 5, 6, 7], profile=profile)
    if tracked:
        evening.do("next_hand", table=2)
    evening.do("absent", participant="000004").bust(5, table=2, hand=1, stack=9000)
    evening.do("break_table", table=2)
    assert evening.places() == [(6, 4), (7, 5)]
    evening.bust(6, table=2, hand=1, stack=100)
    assert evening.places() == [(5, 4), (6, 5), (7, 6)]


@pytest.mark.parametrize("profile", LEAGUE)
def test_S_8_only_those_who_are_there_need_a_seat(evening, profile: str) -> None:
    evening.seated([1, 2, 3, 4], [5, 6, 7], profile=profile, seats_per_table=5)
    assert evening.code("break_table", table=2) == "no-free-seat"
    evening.do("absent", participant="000005").do("absent", participant="000007").do("break_table", table=2)
    assert broken(evening).seats == {"000006": (1, 5)}


@pytest.mark.parametrize("profile", LEAGUE)
def test_S_8_T_6_who_is_left_alone_by_it_has_won(evening, profile: str) -> None:
    evening.seated([1], [2, 3], profile=profile)
    evening.do("absent", participant="000002").do("absent", participant="000003").do("break_table", table=2)
    assert isinstance(evening.events[-1], Finished)
    assert evening.report()["state"] == "finished"
    assert evening.events[-1].stacks == {"000001": 4000}
    assert evening.places() == [(1, 1), (2, 2), (2, 3)]
    assert evening.replayed().round == evening.round


# What holds whatever happens


@settings(max_examples=60, deadline=None)
@given(
    profile=st.sampled_from(EVERYWHERE),
    tables=st.lists(st.integers(1, 6), min_size=2, max_size=6),
    seats=st.integers(6, 10),
    seed=st.integers(0, 2**63 - 1),
    hands=st.booleans(),
)
def test_S_4_tables_broken_in_their_order_keep_everybody_seated_once(
    profile: str, tables: list[int], seats: int, seed: int, hands: bool, new_evening
) -> None:
    rows, first = [], 1
    for size in tables:
        rows.append(list(range(first, first + size)))
        first += size
    if first <= 3:
        return
    evening = new_evening().seated(*rows, profile=profile, seats_per_table=seats, seed=seed)
    while (number := next_to_break(evening.round)) is not None:
        if hands:
            for other in sizes(evening):
                evening.do("next_hand", table=other)
        assert number == max(sizes(evening))
        before = sizes(evening)
        evening.do("break_table", table=number)
        after = sizes(evening)
        assert set(after) == set(before) - {number}
        assert sum(after.values()) == first - 1
        grown = {other for other in after if after[other] > before[other]}
        assert max(after[other] for other in grown) - 1 <= min((n for n in after.values() if n < seats), default=seats)
    assert len({player.seat for player in evening.round.players.values()}) == first - 1
    assert all(who == evening.round.tables[p.seat.table].seats[p.seat.seat] for who, p in evening.round.players.items())
