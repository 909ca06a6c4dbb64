"""Re-entry: once a person, on a late entrant's terms; one player, one place (T-11)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from appliance.game.results import results
from appliance.game.state import Status

KNOWN = ["casino-2012", "tda-2024"]
NO_BREAK = [{"sb": 50, "bb": 100, "minutes": 20}]


def number(n: int) -> str:
    return f"{n:06d}"


def started(evening: Any, players: int = 5, profile: str = "casino-2012", **changes: Any) -> Any:
    return evening.started(players, profile=profile, **{"reentry": True, **changes})


def again(evening: Any, n: int, **fields: Any) -> Any:
    return evening.do("reenter", participant=number(n), **fields)


def why_not(evening: Any, n: int, **fields: Any) -> str:
    return evening.code("reenter", participant=number(n), **fields)


@pytest.mark.parametrize("profile", KNOWN)
def test_T_11_a_full_stack_for_the_announced_deposit_in_a_drawn_seat(evening, profile: str) -> None:
    started(evening, profile=profile).bust(2).after(minutes=30)
    again(evening, 2)
    player = evening.player(2)
    assert (player.status, player.chips, player.deposit, player.reentered) == (Status.IN, 4000, 200, True)
    assert [money.amount for money in player.deposits] == [100, 100]
    assert player.deposits[1].at == evening.at
    assert (evening.round.pool, evening.round.chips, evening.round.left) == (600, 24_000, 5)
    assert evening.table(player.seat.table).seats[player.seat.seat] == number(2)
    assert "chips-differ" not in evening.notices()


def test_T_11_the_seat_is_drawn_from_the_recorded_seed_at_the_table_with_the_fewest(new_evening) -> None:
    seats = set()
    for seed in range(12):
        evening = new_evening().seated([1, 2, 3, 4], [5, 6, 7, 8], profile="tda-2024", reentry=True, seed=seed)
        evening.bust(8).bust(7)
        again(evening, 8)
        assert evening.replayed().round == evening.round
        assert evening.player(8).seat.table == 2
        assert evening.round.draws == 1
        seats.add(evening.player(8).seat.seat)
    assert len(seats) > 3


def test_T_11_the_newcomer_is_an_arrival_at_the_table(evening) -> None:
    """Dealt in by the rules for newcomers, not as if nothing had happened."""
    started(evening).do("next_hand", table=1).bust(2)
    again(evening, 2)
    seat = evening.player(2).seat
    assert evening.table(seat.table).arrivals == {seat.seat: "new"}


@pytest.mark.parametrize("profile", KNOWN)
def test_T_11_one_player_one_place(evening, profile: str) -> None:
    """The earlier elimination is no more, the places of others move, and N counts the person once."""
    started(evening, 10, profile=profile).bust(10).bust(9).bust(8)
    assert evening.places() == [(8, 8), (9, 9), (10, 10)]
    again(evening, 10)
    assert evening.places() == [(9, 8), (10, 9)]
    for n in (7, 10, 6, 5, 4, 3, 2):
        evening.bust(n)
    assert evening.places() == [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 10), (8, 7), (9, 8), (10, 9)]
    assert evening.prizes()[1] == 550
    assert sum(evening.prizes().values()) == evening.round.pool == 1100
    points = {int(result.participant): result.points_half for result in results(evening.round)}
    assert points[1] == 2 * (10 + 90), "ten players: 90 for the winner"


@pytest.mark.parametrize("profile", KNOWN)
def test_T_11_at_most_once_a_person(evening, profile: str) -> None:
    started(evening, profile=profile).bust(2)
    again(evening, 2).bust(2)
    refusal = evening.refusal("reenter", participant=number(2))
    assert (refusal.code, refusal.detail) == ("reentry-used", {"participant": number(2)})


def test_T_11_an_undone_re_entry_was_none(evening) -> None:
    started(evening).bust(2)
    before, places = evening.state_bytes(), evening.places()
    again(evening, 2)
    after = evening.state_bytes()
    evening.do("undo")
    assert (evening.state_bytes(), evening.places()) == (before, places)
    evening.do("redo")
    assert evening.state_bytes() == after
    evening.do("undo")
    again(evening, 2)
    assert evening.player(2).deposit == 200


@pytest.mark.parametrize("profile", ["cpl-2017", "cpl"])
def test_T_11_the_league_has_none(evening, profile: str) -> None:
    started(evening, profile=profile).bust(2)
    assert why_not(evening, 2) == "reentry-not-allowed"


@pytest.mark.parametrize("profile", KNOWN)
def test_T_11_it_must_be_announced(evening, profile: str) -> None:
    started(evening, profile=profile, reentry=False, late_registration=True).bust(2)
    assert why_not(evening, 2) == "reentry-not-allowed"


def test_T_11_only_for_those_who_went_out(evening) -> None:
    started(evening).do("sanction", participant=number(4), kind="exclusion", reason="urážky")
    evening.bust(3).do("void", participant=number(3), reason="cizí průkaz")
    assert why_not(evening, 9) == "not-registered"
    for n, status in ((1, "in"), (3, "void"), (4, "excluded")):
        refusal = evening.refusal("reenter", participant=number(n))
        assert (refusal.code, refusal.detail) == ("not-out", {"participant": number(n), "status": status})


def test_T_11_not_before_the_start_and_not_after_the_end(new_evening) -> None:
    opened = new_evening().opened(4, profile="casino-2012", reentry=True)
    assert why_not(opened, 1) == "not-running"
    assert why_not(started(new_evening(), 3).bust(1).bust(2), 1) == "finished"


@pytest.mark.parametrize("profile", KNOWN)
def test_T_11_through_the_end_of_the_first_break(evening, profile: str) -> None:
    started(evening, profile=profile).bust(2).after(minutes=69, seconds=59, ms=999)
    again(evening, 2).do("undo").after(ms=1)
    assert why_not(evening, 2) == "registration-closed"


@pytest.mark.parametrize("profile", KNOWN)
def test_T_11_where_the_structure_has_no_break_to_the_end(evening, profile: str) -> None:
    started(evening, profile=profile, levels=NO_BREAK).bust(2).after(minutes=600)
    again(evening, 2)


def test_T_11_without_late_registration_all_the_same(evening) -> None:
    started(evening, late_registration=False).bust(2)
    late = {"participant": number(6), "identity_checked": True}
    assert evening.code("register", **late) == "registration-closed"
    again(evening, 2)


def test_T_11_a_full_round_is_not_fuller_by_it(evening) -> None:
    started(evening, capacity=5).bust(2)
    again(evening, 2)
    assert len(evening.round.players) == 5


def test_T_11_there_must_be_a_seat(evening) -> None:
    evening.seated([1, 2, 3, 4], profile="casino-2012", reentry=True, late_registration=True, seats_per_table=4)
    evening.bust(4).register(5)
    assert why_not(evening, 4) == "no-free-seat"


# ---- T-3


@pytest.mark.parametrize("profile", KNOWN)
def test_T_3_T_11_the_new_deposit_counts_with_all_others_of_24_hours(evening, profile: str) -> None:
    started(evening, profile=profile, deposit=200).do("deposit", participant=number(2), amount=101).bust(2)
    refusal = evening.refusal("reenter", participant=number(2))
    assert (refusal.code, refusal.detail) == ("deposit-limit", {"limit": 500, "left": 199})
    evening.bust(3)
    again(evening, 3).do("deposit", participant=number(3), amount=100)
    assert evening.refusal("deposit", participant=number(3), amount=1).detail["left"] == 0


def test_T_3_T_11_what_was_deposited_elsewhere_counts_and_not_twice(evening) -> None:
    """What is said at re-entry is all of the last 24 hours, so it stands for what was said at registration."""
    evening.announce(profile="casino-2012", reentry=True).do("open").register(1, 2, 3)
    evening.register(4, 5, deposits_24h=250)
    evening.after(minutes=60).do("start").bust(4).bust(5)
    assert why_not(evening, 4, deposits_24h=301) == "deposit-limit"
    again(evening, 4, deposits_24h=260)
    assert evening.refusal("deposit", participant=number(4), amount=41).detail["left"] == 40
    again(evening, 5)
    assert evening.refusal("deposit", participant=number(5), amount=51).detail["left"] == 50


def test_T_3_T_11_what_was_told_at_registration_counts_untold_for_its_24_hours(evening) -> None:
    evening.announce(profile="casino-2012", reentry=True, levels=NO_BREAK).do("open").register(1, 2, 3)
    evening.register(4, deposits_24h=301).do("start").bust(4)
    assert evening.refusal("reenter", participant=number(4)).detail["left"] == 99
    evening.after(minutes=24 * 60, ms=-1)
    assert why_not(evening, 4) == "deposit-limit"
    again(evening.after(ms=1), 4)


def test_T_3_T_11_with_times_a_deposit_elsewhere_counts_to_the_millisecond(evening) -> None:
    started(evening, deposit=200).bust(2)
    full = [["2027-01-14T19:00:00.001+01:00", 101]]
    assert why_not(evening, 2, deposits_24h=full) == "deposit-limit"
    again(evening, 2, deposits_24h=[["2027-01-14T19:00:00.000+01:00", 101]])


# ---- T-5


def test_T_5_T_11_no_place_is_final_while_somebody_may_come_back(evening) -> None:
    started(evening, 3).bust(3)
    pay = {"participant": number(3), "amount": 60}
    assert evening.code("pay", **pay) == "prize-not-final"
    evening.after(minutes=70).do("pay", **pay)
    evening.do("previous_level")
    assert why_not(evening, 3) == "registration-closed", "a prize that was paid closes it for good"


def test_T_5_T_11_once_all_have_come_back_places_are_final(evening) -> None:
    started(evening, 3)
    for n in (1, 2, 3):
        evening.bust(n)
        again(evening, n)
    evening.bust(3).do("pay", participant=number(3), amount=120)


def test_T_11_where_no_break_ends_it_a_payment_does(evening) -> None:
    started(evening, 3, levels=NO_BREAK).bust(3).do("pay", participant=number(3), amount=60)
    assert why_not(evening, 3) == "registration-closed"


def test_T_12_T_13_what_a_person_had_once_a_round_comes_with_no_re_entry(evening) -> None:
    """No house has both; the marks stay with the person all the same."""
    started(evening).bust(2)
    round = evening.round
    had = msgspec.structs.replace(round.players[number(2)], chip_up=500, bonus_card=700)
    marked = msgspec.structs.replace(round, players={**round.players, number(2): had})
    evening.ledger = msgspec.structs.replace(evening.ledger, round=marked)
    again(evening, 2)
    assert (evening.player(2).chip_up, evening.player(2).bonus_card, evening.player(2).chips) == (500, 700, 4000)
