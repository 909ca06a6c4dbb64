"""Entry and money in: T-1 to T-4, LG-2, LG-3."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.game.commands import (
    Open,
)
from appliance.game.round import Refusal, decide

HOUR = 3_600_000
NO_BREAK = [{"sb": 50, "bb": 100, "minutes": 20}]


def test_LG_2_a_round_is_announced_once(evening) -> None:
    evening.announce()
    before = evening.state_bytes()
    assert evening.code("announce", **_announcement(evening)) == "already-announced"
    assert evening.state_bytes() == before


def _announcement(evening: Any) -> dict[str, Any]:
    round = evening.round
    return {
        "venue": "praha",
        "starts_at": "2028-01-15T19:00:00+01:00",
        "profile": round.profile,
        "deposit": 200,
        "shares": ["100"],
        "seats_per_table": 6,
        "levels": NO_BREAK,
    }


def test_LG_2_nothing_goes_before_the_announcement(evening) -> None:
    assert evening.code("open") == "not-announced"
    assert evening.code("undo") == "not-announced"
    assert evening.report()["state"] is None


def test_a_command_for_another_round_is_refused(evening) -> None:
    evening.announce()
    answer = decide(evening.ledger, Open(round="R2"), evening.at, "x")
    assert answer == Refusal("wrong-round", {"round": "R2", "here": "R1"})


def test_LG_2_states_from_announced_to_running(evening) -> None:
    evening.announce()
    assert evening.report()["state"] == "announced"
    assert evening.do("open").report()["state"] == "open"
    assert evening.code("open") == "already-open"
    evening.register(1, 2, 3).do("start")
    assert evening.report()["state"] == "running"
    assert evening.code("open") == "already-running"
    assert evening.code("cancel") == "already-running"
    assert evening.code("reschedule", starts_at="2027-02-01T19:00:00+01:00") == "already-running"


def test_LG_2_a_cancelled_round_returns_deposits_and_gives_no_points(evening) -> None:
    evening.opened(5).do("cancel", reason="porucha proudu")
    found = evening.report()
    assert (found["state"], found["pool"], found["chips_in_play"], found["results"]) == ("cancelled", 0, 0, [])
    assert {player["deposit"] for player in found["players"].values()} == {0}
    assert evening.events[-1].returned == {f"00000{n}": 100 for n in range(1, 6)}
    for do, fields in {
        "open": {},
        "cancel": {},
        "start": {},
        "register": {"participant": "000009", "identity_checked": True},
        "unregister": {"participant": "000001"},
        "deposit": {"participant": "000001", "amount": 10},
        "pay": {"participant": "000001", "amount": 10},
    }.items():
        assert evening.code(do, **fields) == "cancelled"


def test_LG_2_a_moved_round_keeps_registrations_and_opens_again(evening) -> None:
    evening.opened(4).do("reschedule", starts_at="2027-01-22T19:00:00+01:00")
    assert evening.report()["state"] == "moved"
    assert evening.round.starts_at - 7 * 24 * HOUR == 1_800_036_000_000
    assert evening.code("register", participant="000009", identity_checked=True) == "not-open"
    assert evening.code("start") == "not-open"
    assert evening.do("open").report()["pool"] == 400


def test_LG_3_fewer_than_ten_is_a_notice_not_a_refusal(evening) -> None:
    evening.announce()
    assert "below-minimum" not in evening.notices()
    evening.do("open").register(*range(1, 9))
    assert evening.notices()["below-minimum"] == {"registered": 8, "minimum": 10}
    evening.do("start")
    assert evening.notices()["below-minimum"] == {"registered": 8, "minimum": 10}


def test_LG_3_ten_are_enough(evening) -> None:
    assert "below-minimum" not in evening.opened(10).notices()


def test_T_1_the_91st_is_refused(evening) -> None:
    evening.opened(90)
    refusal = evening.refusal("register", participant="000091", identity_checked=True)
    assert (refusal.code, refusal.detail) == ("round-full", {"capacity": 90})


def test_T_1_an_announced_capacity_never_exceeds_the_law(evening) -> None:
    assert evening.announce(capacity=200, seats_per_table=8).round.capacity == 90


def test_T_1_capacity_as_announced_and_no_more_than_the_seats_of_the_announced_tables(evening, new_evening) -> None:
    evening.opened(12, capacity=12)
    assert evening.code("register", participant="000013", identity_checked=True) == "round-full"
    assert new_evening().announce(tables=[3, 4], seats_per_table=6).round.capacity == 12
    assert new_evening().code("announce", **{**_fields(), "capacity": 2}) == "too-few"


def _fields() -> dict[str, Any]:
    return {
        "venue": "brno",
        "starts_at": "2027-01-15T19:00:00+01:00",
        "profile": "cpl-2017",
        "deposit": 100,
        "shares": ["100"],
        "seats_per_table": 9,
        "levels": NO_BREAK,
    }


def test_T_1_with_fewer_than_three_it_cannot_start(evening) -> None:
    evening.opened(2)
    refusal = evening.refusal("start")
    assert (refusal.code, refusal.detail) == ("too-few", {"registered": 2, "minimum": 3})
    evening.register(3).do("start")


def test_T_2_registers_only_while_open(evening) -> None:
    evening.announce()
    assert evening.code("register", participant="000001", identity_checked=True) == "not-open"
    evening.do("open").register(1, 2, 3).do("start")
    assert evening.code("register", participant="000004", identity_checked=True) == "registration-closed"
    evening.bust(1).bust(2)
    assert evening.code("register", participant="000004", identity_checked=True) == "registration-closed"


def test_T_2_identity_must_be_checked_and_once_is_enough(evening) -> None:
    evening.announce().do("open")
    assert evening.code("register", participant="000001", identity_checked=False) == "identity-not-checked"
    evening.register(1)
    assert evening.code("register", participant="000001", identity_checked=True) == "already-registered"


@pytest.mark.parametrize("profile", ["casino-2012", "tda-2024"])
def test_T_2_late_registration_through_the_end_of_the_first_break(evening, profile: str) -> None:
    evening.started(4, profile=profile, late_registration=True)
    evening.after(minutes=69, seconds=59).register(5)
    assert evening.player(5).status == "in"
    assert evening.player(5).chips == 4000
    assert evening.round.left == 5
    seat = evening.player(5).seat
    assert evening.table(seat.table).seats[seat.seat] == "000005"
    evening.after(seconds=1)
    assert evening.code("register", participant="000006", identity_checked=True) == "registration-closed"


@pytest.mark.parametrize("profile", ["cpl-2017", "cpl"])
def test_T_2_the_league_knows_no_late_registration(evening, profile: str) -> None:
    evening.started(4, profile=profile, late_registration=True)
    assert evening.code("register", participant="000005", identity_checked=True) == "registration-closed"


def test_T_2_late_registration_must_be_announced_and_without_a_break_lasts_to_the_end(new_evening) -> None:
    late = {"participant": "000005", "identity_checked": True}
    assert new_evening().started(4, profile="casino-2012").code("register", **late) == "registration-closed"
    endless = new_evening().started(4, profile="casino-2012", late_registration=True, levels=NO_BREAK)
    endless.after(minutes=600).bust(1).bust(2).do("register", **late).bust(3).bust(4)
    assert endless.code("register", **{**late, "participant": "000006"}) == "registration-closed"


def test_T_2_a_late_entrant_sits_at_the_table_with_the_fewest(evening) -> None:
    evening.seated([1, 2, 3, 4], [5, 6, 7], profile="casino-2012", late_registration=True)
    assert evening.register(8).player(8).seat.table == 2
    given = {"participant": "000009", "identity_checked": True, "seat": [1, 1]}
    assert evening.code("register", **given) == "seat-taken"
    assert evening.do("register", **{**given, "seat": [1, 9]}).player(9).seat == (1, 9)


def test_T_2_without_a_free_seat_a_late_entrant_waits(evening) -> None:
    evening.started(4, profile="casino-2012", late_registration=True, seats_per_table=4)
    late = {"participant": "000005", "identity_checked": True}
    assert evening.code("register", **late) == "no-free-seat"
    assert evening.do("register", **late, seat=[2, 1]).player(5).seat == (2, 1)


def test_T_3_the_announced_deposit_is_at_least_50_and_at_most_500(new_evening) -> None:
    low = new_evening().refusal("announce", **{**_fields(), "deposit": 49})
    assert (low.code, low.detail) == ("deposit-minimum", {"minimum": 50})
    high = new_evening().refusal("announce", **{**_fields(), "deposit": 501})
    assert (high.code, high.detail) == ("deposit-limit", {"limit": 500, "left": 500})
    for deposit in (50, 500):
        new_evening().announce(deposit=deposit)


def test_T_3_500_in_24_hours_over_all_tournaments(evening) -> None:
    evening.announce(deposit=375).do("open")
    fields = {"participant": "000001", "identity_checked": True}
    refusal = evening.refusal("register", **fields, deposits_24h=126)
    assert (refusal.code, refusal.detail) == ("deposit-limit", {"limit": 500, "left": 374})
    evening.do("register", **fields, deposits_24h=125)


def test_T_3_left_says_what_may_still_be_deposited(evening) -> None:
    evening.started(3)
    evening.do("deposit", participant="000001", amount=340)
    refusal = evening.refusal("deposit", participant="000001", amount=61)
    assert (refusal.code, refusal.detail) == ("deposit-limit", {"limit": 500, "left": 60})
    evening.do("deposit", participant="000001", amount=60)
    assert evening.refusal("deposit", participant="000001", amount=1).detail["left"] == 0


def test_T_3_a_deposit_counts_until_exactly_24_hours_later(evening) -> None:
    evening.announce(deposit=100).do("open")
    evening.do(
        "register",
        participant="000001",
        identity_checked=True,
        deposits_24h=[["2027-01-14T19:30:00.500+01:00", 300], ["2027-01-14T21:00:00+01:00", 100]],
    )
    evening.register(2, 3).do("start")
    evening.at = 1_800_037_800_499
    assert evening.refusal("deposit", participant="000001", amount=1).detail == {"limit": 500, "left": 0}
    evening.after(ms=1).do("deposit", participant="000001", amount=300)


def test_T_3_the_24_hours_are_real_ones_when_the_clocks_change(evening) -> None:
    evening.announce(deposit=400, starts_at="2027-03-28T12:00:00+02:00").do("open")
    fields = {"participant": "000001", "identity_checked": True}
    early = [["2027-03-27T11:30:00+01:00", 200]]
    evening.at = 1_806_229_799_999  # 2027-03-28 12:29:59.999 summer time: one millisecond short of 24 hours
    assert evening.code("register", **fields, deposits_24h=early) == "deposit-limit"
    evening.after(ms=1).do("register", **fields, deposits_24h=early)


def test_T_3_a_returned_deposit_does_not_count(evening) -> None:
    evening.announce(deposit=300).do("open").register(1)
    evening.do("unregister", participant="000001")
    assert evening.report()["pool"] == 0
    assert evening.events[-1].returned == 300
    evening.register(1, 2, 3).do("start").do("deposit", participant="000001", amount=200)


def test_T_3_an_undone_deposit_does_not_count(evening) -> None:
    evening.started(3).do("deposit", participant="000001", amount=400)
    assert evening.code("deposit", participant="000001", amount=1) == "deposit-limit"
    evening.do("undo").do("deposit", participant="000001", amount=400)


def test_T_3_deposits_are_raised_only_during_play_and_only_while_in(evening) -> None:
    evening.opened(3)
    assert evening.code("deposit", participant="000001", amount=10) == "not-running"
    evening.do("start")
    assert evening.code("deposit", participant="000009", amount=10) == "not-registered"
    evening.bust(1)
    assert evening.code("deposit", participant="000001", amount=10) == "not-in-play"
    evening.bust(2)
    assert evening.code("deposit", participant="000003", amount=10) == "finished"


def test_T_3_a_registration_is_taken_back_only_before_the_start(evening) -> None:
    evening.opened(4).do("unregister", participant="000002")
    assert evening.code("unregister", participant="000002") == "not-registered"
    assert "000002" not in evening.report()["players"]
    evening.do("start")
    assert evening.code("unregister", participant="000001") == "registration-closed"


def test_T_4_forty_chips_a_crown(evening) -> None:
    evening.started(3, deposit=75)
    assert [player["chips"] for player in evening.report()["players"].values()] == [3000, 3000, 3000]
    evening.do("deposit", participant="000001", amount=7)
    assert evening.player(1).chips == 3280
    assert evening.report()["chips_in_play"] == 40 * evening.report()["pool"] == 9280


def test_T_4_a_count_that_differs_is_a_notice(evening) -> None:
    evening.seated([1, 2, 3], [4, 5, 6])
    evening.do("stacks", table=1, stacks={"000001": 6000, "000002": 3000, "000003": 3000})
    assert "chips-differ" not in evening.notices()
    evening.do("stacks", table=2, stacks={"000004": 4000, "000005": 4000, "000006": 3900})
    assert evening.notices()["chips-differ"] == {"counted": 23_900, "expected": 24_000}
    assert evening.player(6).chips == 3900
    assert evening.report()["chips_in_play"] == 24_000


def test_T_4_the_notice_of_a_count_goes_when_one_corrected_stack_makes_it_right(evening) -> None:
    evening.seated([1, 2, 3], [4, 5, 6])
    evening.do("stacks", table=1, stacks={"000001": 6000, "000002": 3000, "000003": 3000})
    evening.do("stacks", table=2, stacks={"000004": 4000, "000005": 4000, "000006": 3900})
    evening.do("stacks", table=2, stacks={"000006": 3950})
    assert evening.notices()["chips-differ"] == {"counted": 23_900, "expected": 24_000}
    evening.do("stacks", table=2, stacks={"000006": 4000})
    assert "chips-differ" not in evening.notices()


def test_T_4_one_stack_counted_later_makes_no_total_wrong(evening) -> None:
    evening.seated([1, 2, 3])
    evening.do("stacks", table=1, stacks={"000001": 6000, "000002": 3000, "000003": 3000})
    evening.do("stacks", table=1, stacks={"000001": 9000})
    assert "chips-differ" not in evening.notices()


def test_T_4_a_bust_leaves_the_chips_at_the_table(evening) -> None:
    evening.seated([1, 2, 3]).bust(2)
    assert evening.player(2).chips == 0
    assert "chips-differ" not in evening.notices()
    evening.do("stacks", table=1, stacks={"000001": 8000, "000003": 4000})
    assert "chips-differ" not in evening.notices()


def test_T_4_a_move_blurs_what_is_known_until_both_tables_are_counted(evening) -> None:
    evening.seated([1, 2, 3], [4, 5, 6]).do("move", participant="000001", seat=[2, 9])
    evening.do("stacks", table=1, stacks={"000002": 1, "000003": 1})
    assert "chips-differ" not in evening.notices()
    evening.do("stacks", table=2, stacks={f"00000{n}": 1000 for n in (1, 4, 5, 6)})
    assert evening.notices()["chips-differ"] == {"counted": 4002, "expected": 24_000}


def test_T_4_a_move_blurs_the_table_it_left_as_well(evening) -> None:
    evening.seated([1, 2, 3], [4, 5, 6]).do("move", participant="000001", seat=[2, 9])
    evening.do("stacks", table=2, stacks={f"00000{n}": 1000 for n in (1, 4, 5, 6)})
    assert "chips-differ" not in evening.notices()


def test_T_4_a_move_within_a_table_blurs_nothing(evening) -> None:
    evening.seated([1, 2, 3]).do("stacks", table=1, stacks={f"00000{n}": 1 for n in (1, 2, 3)})
    assert evening.do("move", participant="000001", seat=[1, 9]).notices()["chips-differ"]["counted"] == 3


def test_T_4_chips_of_an_emptied_table_went_nobody_knows_where(evening) -> None:
    evening.seated([1, 2, 3], [4]).bust(4)
    assert "chips-differ" not in evening.notices()


def test_T_4_a_count_of_some_players_is_no_count_of_the_table(evening) -> None:
    evening.seated([1, 2, 3]).do("stacks", table=1, stacks={"000001": 1})
    assert evening.player(1).chips == 1
    assert "chips-differ" not in evening.notices()


def test_stacks_of_somebody_who_does_not_sit_there_are_refused(evening) -> None:
    evening.seated([1, 2, 3], [4, 5, 6]).bust(2)
    assert evening.code("stacks", table=1, stacks={"000004": 1}) == "not-at-table"
    assert evening.code("stacks", table=1, stacks={"000002": 1}) == "not-in-play"
    assert evening.code("stacks", table=1, stacks={"000009": 1}) == "not-registered"
    assert evening.code("stacks", table=3, stacks={"000004": 1}) == "no-such-table"


@settings(max_examples=60, deadline=None)
@given(amounts=st.lists(st.integers(1, 200), max_size=8), gaps=st.lists(st.integers(0, 20), max_size=8))
def test_T_3_no_24_hours_ever_hold_more_than_500(amounts: list[int], gaps: list[int], new_evening) -> None:
    evening = new_evening().started(3)
    for amount, hours in zip(amounts, gaps, strict=False):
        evening.at += hours * HOUR
        evening.ask("deposit", participant="000001", amount=amount)
    deposits = evening.player(1).deposits
    for last in deposits:
        window = [money.amount for money in deposits if last.at - 24 * HOUR < money.at <= last.at]
        assert sum(window) <= 500
    assert evening.round.chips == 40 * evening.round.pool
