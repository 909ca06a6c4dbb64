"""Locks of players and seats: S-1, S-3."""

from __future__ import annotations

from typing import Any

import pytest

from appliance.game.refusal import Refusal

EVERYWHERE = ["cpl-2017", "cpl", "casino-2012", "tda-2024"]


def seats_taken(evening: Any) -> set[tuple[int, int]]:
    return {tuple(player.seat) for player in evening.round.players.values() if player.seat}


def test_S_3_a_locked_player_shows_in_the_report(evening) -> None:
    evening.started(4).do("lock", participant="000002", on=True, reason="wheelchair")
    assert evening.report()["players"]["000002"]["locked"] is True
    assert "locked" not in evening.report()["players"]["000001"]
    evening.do("lock", participant="000002", on=False)
    assert "locked" not in evening.report()["players"]["000002"]


def test_S_3_a_lock_is_possible_from_the_open_door_to_the_end(evening) -> None:
    player = {"participant": "000001", "on": True}
    assert evening.announce().code("lock", **player) == "not-open"
    assert evening.do("open").code("lock", **player) == "not-registered"
    evening.register(1, 2, 3).do("lock", **player)
    assert evening.do("start").player(1).locked
    evening.do("lock", participant="000002", on=True).bust(1).bust(2)
    assert evening.code("lock", participant="000003", on=True) == "finished"


def test_S_3_nothing_is_locked_in_a_round_that_does_not_take_place(new_evening) -> None:
    seat = {"seat": [1, 1], "on": True}
    assert new_evening().opened(3).do("cancel").code("lock", **seat) == "cancelled"
    moved = new_evening().opened(3).do("reschedule", starts_at="2027-01-22T19:00:00+01:00")
    assert moved.code("lock", **seat) == "not-open"


def test_S_3_one_who_is_out_has_no_lock(evening) -> None:
    evening.started(4).bust(1)
    assert evening.code("lock", participant="000001", on=True) == "not-in-play"
    assert evening.code("lock", participant="000009", on=True) == "not-registered"


def test_S_3_a_lock_that_is_there_already_or_not_at_all_is_refused(evening) -> None:
    evening.started(4).do("lock", participant="000001", on=True).do("lock", seat=[1, 9], on=True)
    assert evening.refusal("lock", participant="000001", on=True) == Refusal(
        "already-locked", {"participant": "000001"}
    )
    assert evening.refusal("lock", participant="000002", on=False) == Refusal("not-locked", {"participant": "000002"})
    assert evening.refusal("lock", seat=[1, 9], on=True) == Refusal("already-locked", {"table": 1, "seat": 9})
    assert evening.refusal("lock", seat=[2, 1], on=False) == Refusal("not-locked", {"table": 2, "seat": 1})


@pytest.mark.parametrize("on", [True, False])
def test_S_1_only_seats_that_exist_are_locked(evening, on: bool) -> None:
    evening.started(4)
    assert evening.code("lock", seat=[1, 10], on=on) == "no-such-seat"
    assert evening.code("lock", seat=[99, 1], on=on) == "no-such-table"


def test_S_1_an_occupied_seat_is_not_locked(new_evening) -> None:
    evening = new_evening().seated([1, 2, 3])
    assert evening.refusal("lock", seat=[1, 2], on=True).detail == {"table": 1, "seat": 2, "by": "000002"}
    kept = new_evening().opened(3).register(4, seat=[1, 5])
    assert kept.code("lock", seat=[1, 5], on=True) == "seat-taken"


@pytest.mark.parametrize("profile", EVERYWHERE)
def test_S_1_locked_seats_are_not_drawn_at_the_start(profile: str, new_evening) -> None:
    locked = [[1, 1], [1, 4], [2, 9]]
    for seed in range(40):
        evening = new_evening().opened(15, profile=profile, seed=seed)
        for seat in locked:
            evening.do("lock", seat=seat, on=True)
        evening.do("start")
        assert not seats_taken(evening) & {tuple(seat) for seat in locked}
        assert sorted(len(table.seats) for table in evening.round.tables.values()) == [7, 8]


def test_S_1_a_person_may_give_a_locked_seat(evening) -> None:
    evening.opened(3).do("lock", seat=[1, 5], on=True).register(4, seat=[1, 5]).do("start")
    assert evening.player(4).seat == (1, 5)
    evening.do("lock", seat=[1, 9], on=True).do("move", participant="000004", seat=[1, 9])
    assert evening.player(4).seat == (1, 9)


def test_S_1_locks_open_another_table_where_they_leave_too_few_seats(evening) -> None:
    evening.opened(4, seats_per_table=4).do("lock", seat=[1, 1], on=True).do("start")
    assert sorted(len(table.seats) for table in evening.round.tables.values()) == [2, 2]


def test_S_9_a_table_with_a_single_open_seat_is_the_last_to_be_used(evening) -> None:
    evening.opened(3, seats_per_table=4)
    for seat in (1, 2, 3):
        evening.do("lock", seat=[1, seat], on=True)
    assert set(evening.do("start").round.tables) == {2}


def test_S_1_a_start_is_refused_where_locks_leave_too_few_seats(evening) -> None:
    evening.opened(4, seats_per_table=4, tables=[1])
    evening.do("lock", seat=[1, 2], on=True)
    assert evening.refusal("start") == Refusal("no-free-seat", {"needed": 4, "free": 3})
    fixed = {"seats": {"000001": [1, 2]}}
    assert evening.do("start", **fixed).player(1).seat == (1, 2)


def test_S_1_late_entrants_are_not_drawn_to_locked_seats(evening) -> None:
    evening.started(4, profile="tda-2024", late_registration=True, seats_per_table=6)
    free = [seat for seat in range(1, 7) if seat not in evening.table(1).seats]
    evening.do("lock", seat=[1, free[0]], on=True).register(5)
    assert evening.player(5).seat == (1, free[1])
    assert evening.code("register", participant="000006", identity_checked=True) == "no-free-seat"


def test_S_1_a_player_who_is_back_is_not_sat_on_a_locked_seat(evening) -> None:
    evening.seated([1, 2, 3, 4]).bust(2).do("lock", seat=[1, 2], on=True)
    assert evening.do("reinstate", participant="000002").player(2).seat.seat > 4


@pytest.mark.parametrize("profile", EVERYWHERE)
def test_S_6_the_final_table_leaves_locked_seats_free(evening, profile: str) -> None:
    evening.seated([1, 2, 3], [4, 5, 6], profile=profile)
    for seat in (5, 7, 9):
        evening.do("lock", seat=[1, seat], on=True)
    evening.do("final_table")
    assert set(evening.table(1).seats) == {1, 2, 3, 4, 6, 8}


@pytest.mark.parametrize("profile", EVERYWHERE)
def test_S_6_no_final_table_where_locks_leave_too_few_seats(evening, profile: str) -> None:
    evening.seated([1, 2, 3], [4, 5, 6], profile=profile, seats_per_table=6).do("lock", seat=[1, 5], on=True)
    assert evening.refusal("final_table") == Refusal("no-free-seat", {"needed": 6, "free": 5})


@pytest.mark.parametrize("profile", EVERYWHERE)
def test_S_6_locks_and_absence_outlast_the_final_draw(evening, profile: str) -> None:
    evening.seated([1, 2, 3], [4, 5, 6], profile=profile)
    evening.do("lock", participant="000001", on=True).do("lock", seat=[1, 9], on=True)
    evening.do("absent", participant="000004").do("final_table")
    assert evening.player(1).locked
    assert evening.player(4).absent
    assert evening.round.locked_seats == ((1, 9),)


def test_S_3_a_lock_is_undone_and_given_again(evening) -> None:
    evening.started(4)
    before = evening.state_bytes()
    after = evening.do("lock", seat=[1, 9], on=True).do("lock", participant="000001", on=True).state_bytes()
    assert evening.do("undo", n=2).state_bytes() == before
    assert evening.do("redo", n=2).state_bytes() == after
    assert evening.replayed().round == evening.round
