"""Entry, money and the end under every profile: LG-3, T-1 to T-9, where they differ and where they must not."""

from __future__ import annotations

from typing import Any

import pytest

from appliance.game.values import parse_time

EVERY = ["cpl-2017", "cpl", "casino-2012", "tda-2024"]
LEAGUE = ["cpl-2017", "cpl"]
ELSEWHERE = ["casino-2012", "tda-2024"]

LEVEL = {"sb": 50, "bb": 100, "minutes": 20}
NO_BREAK = [LEVEL, LEVEL]
HOUR = 3_600_000


def door(evening: Any, n: int = 99) -> str | None:
    """The code with which registering n is refused now, None if it would not be; nobody is registered."""
    answer = evening.ask("register", participant=f"{n:06d}", identity_checked=True)
    if not isinstance(answer, tuple):
        return answer.code
    evening.do("undo")
    return None


@pytest.mark.parametrize("profile", EVERY)
def test_LG_3_fewer_than_ten_are_told_in_every_house(evening, profile: str) -> None:
    evening.opened(9, profile=profile)
    assert evening.notices()["below-minimum"] == {"registered": 9, "minimum": 10}
    assert "below-minimum" not in evening.register(10).notices()


@pytest.mark.parametrize("profile", EVERY)
def test_T_1_three_to_ninety_in_every_house(new_evening, profile: str) -> None:
    few = new_evening().opened(2, profile=profile)
    assert few.refusal("start").detail == {"registered": 2, "minimum": 3}
    few.register(3).do("start")
    assert few.report()["state"] == "running"
    many = new_evening().opened(90, profile=profile, capacity=1000)
    assert many.refusal("register", participant="000091", identity_checked=True).detail == {"capacity": 90}
    many.do("unregister", participant="000007").register(91).do("start")
    assert many.round.left == 90


@pytest.mark.parametrize("profile", ELSEWHERE)
def test_T_1_late_entries_stop_at_ninety_too(evening, profile: str) -> None:
    evening.started(90, profile=profile, late_registration=True).bust(1)
    assert evening.code("register", participant="000091", identity_checked=True) == "round-full"


@pytest.mark.parametrize("profile", LEAGUE)
def test_T_2_in_the_league_the_door_closes_with_the_start_whatever_was_announced(evening, profile: str) -> None:
    evening.opened(4, profile=profile, late_registration=True)
    assert evening.round.late_registration is False
    evening.after(minutes=90)  # the official start has passed; the door closes with the start itself
    assert door(evening) is None
    evening.do("start")
    assert door(evening) == "registration-closed"


@pytest.mark.parametrize("profile", ELSEWHERE)
def test_T_2_late_entries_end_the_very_millisecond_the_first_break_does(evening, profile: str) -> None:
    evening.started(4, profile=profile, late_registration=True)  # levels of 20 minutes, a break after the third
    assert door(evening.after(minutes=70, ms=-1)) is None
    assert door(evening.after(ms=1)) == "registration-closed"


@pytest.mark.parametrize("profile", ELSEWHERE)
def test_T_2_the_first_break_ends_when_the_commissioner_ends_it(evening, profile: str) -> None:
    evening.started(4, profile=profile, late_registration=True).after(minutes=61)
    assert door(evening) is None
    assert door(evening.do("end_break")) == "registration-closed"


@pytest.mark.parametrize("profile", ELSEWHERE)
def test_T_2_a_first_break_that_is_drawn_out_lets_people_in_for_longer(evening, profile: str) -> None:
    evening.started(4, profile=profile, late_registration=True).after(minutes=61)
    evening.do("set_remaining", seconds=1800).after(minutes=29, seconds=59)
    assert door(evening) is None
    evening.do("pause").after(minutes=300)
    assert door(evening) is None
    evening.do("resume").after(seconds=1)
    assert door(evening) == "registration-closed"


@pytest.mark.parametrize("profile", ELSEWHERE)
def test_T_2_a_break_that_the_commissioner_adds_is_not_the_first_break_of_the_structure(evening, profile: str) -> None:
    evening.started(4, profile=profile, late_registration=True).after(minutes=5)
    evening.do("begin_break", minutes=10).after(minutes=11)
    assert door(evening) is None


@pytest.mark.parametrize("profile", ELSEWHERE)
def test_T_2_a_first_break_that_ends_the_structure_ends_late_entries(new_evening, profile: str) -> None:
    fields: dict[str, Any] = {"profile": profile, "late_registration": True, "levels": [LEVEL, {"break": 5}]}
    evening = new_evening().started(4, **fields).after(minutes=25, ms=-1)
    assert door(evening) is None
    assert door(evening.after(ms=1)) == "registration-closed"
    evening.do("begin_break", minutes=10)  # another break, long after the first one
    assert door(evening) == "registration-closed"
    ended = new_evening().started(4, **fields).after(minutes=21).do("end_break")
    assert door(ended) == "registration-closed"


@pytest.mark.parametrize("profile", ELSEWHERE)
def test_T_2_late_entries_are_announced_and_without_a_break_last_until_a_prize_is_paid(
    new_evening, profile: str
) -> None:
    assert door(new_evening().started(4, profile=profile)) == "registration-closed"
    endless = new_evening().started(4, profile=profile, late_registration=True, levels=NO_BREAK)
    assert door(endless.after(minutes=600).bust(1).bust(2)) is None
    assert door(endless.do("pay", participant="000002", amount=80)) == "registration-closed"


@pytest.mark.parametrize("profile", ELSEWHERE)
def test_T_2_a_late_entrant_has_the_same_chips_and_counts_for_pool_and_places(evening, profile: str) -> None:
    evening.started(4, profile=profile, late_registration=True).after(minutes=50).register(5)
    assert evening.player(5).chips == 4000
    assert (evening.round.pool, evening.round.chips) == (500, 20_000)
    for n in (1, 2, 3, 4):
        evening.bust(n)
    assert evening.places() == [(1, 5), (2, 4), (3, 3), (4, 2), (5, 1)]


DEPOSIT_AND_DAY_LATER = {
    "an ordinary night": ("2027-01-14T19:30:00.250+01:00", "2027-01-15T19:30:00.250+01:00"),
    "the night clocks go forward": ("2027-03-27T19:30:00.250+01:00", "2027-03-28T20:30:00.250+02:00"),
    "the night clocks go back": ("2027-10-30T19:30:00.250+02:00", "2027-10-31T18:30:00.250+01:00"),
    "into the hour that is skipped": ("2027-03-27T02:30:00+01:00", "2027-03-28T03:30:00+02:00"),
    "out of the hour that comes twice": ("2027-10-31T02:30:00+02:00", "2027-11-01T01:30:00+01:00"),
    "out of its second time": ("2027-10-31T02:30:00+01:00", "2027-11-01T02:30:00+01:00"),
}
"""When somebody deposits, and the moment exactly 24 hours later, as clocks in Prague tell them."""


@pytest.mark.parametrize("profile", EVERY)
@pytest.mark.parametrize(("deposited", "day_later"), DEPOSIT_AND_DAY_LATER.values(), ids=DEPOSIT_AND_DAY_LATER)
def test_T_3_a_deposit_counts_to_the_millisecond_whatever_wall_clocks_do(
    evening, deposited: str, day_later: str, profile: str
) -> None:
    evening.announce(profile=profile, deposit=300, starts_at=day_later).do("open")
    evening.at = parse_time(day_later) - 1
    fields = {"participant": "000001", "identity_checked": True, "deposits_24h": [[deposited, 201]]}
    refusal = evening.refusal("register", **fields)
    assert (refusal.code, refusal.detail) == ("deposit-limit", {"limit": 500, "left": 299})
    evening.after(ms=1).do("register", **fields)


@pytest.mark.parametrize("profile", EVERY)
@pytest.mark.parametrize(("deposited", "day_later"), DEPOSIT_AND_DAY_LATER.values(), ids=DEPOSIT_AND_DAY_LATER)
def test_T_3_a_top_up_counts_the_rounds_own_deposits_for_exactly_a_day(
    evening, deposited: str, day_later: str, profile: str
) -> None:
    evening.announce(profile=profile, deposit=100, starts_at=deposited).do("open")
    evening.at = parse_time(deposited)
    evening.register(1, 2, 3).do("start").after(ms=1).do("deposit", participant="000001", amount=400)
    evening.at = parse_time(day_later) - 1
    assert evening.refusal("deposit", participant="000001", amount=1).detail == {"limit": 500, "left": 0}
    evening.after(ms=1)  # the first deposit is a day old
    assert evening.refusal("deposit", participant="000001", amount=101).detail == {"limit": 500, "left": 100}
    evening.after(ms=1)  # the second one too
    evening.do("deposit", participant="000001", amount=500)
    assert evening.player(1).deposit == 1000
    assert evening.round.chips == 40 * evening.round.pool


@pytest.mark.parametrize("profile", EVERY)
def test_T_3_from_50_to_500_and_top_ups_of_any_crown(new_evening, profile: str) -> None:
    for deposit, code in ((49, "deposit-minimum"), (501, "deposit-limit")):
        answer = new_evening().ask("announce", **announcement(profile, deposit=deposit))
        assert answer.code == code
    evening = new_evening().started(3, profile=profile, deposit=50).do("deposit", participant="000002", amount=1)
    assert evening.player(2).deposit == 51
    assert evening.code("deposit", participant="000002", amount=450) == "deposit-limit"
    evening.do("deposit", participant="000002", amount=449)


def announcement(profile: str, **changes: Any) -> dict[str, Any]:
    return {
        "venue": "brno",
        "starts_at": "2027-01-15T19:00:00+01:00",
        "profile": profile,
        "deposit": 100,
        "shares": ["100"],
        "seats_per_table": 9,
        "levels": NO_BREAK,
        **changes,
    }


@pytest.mark.parametrize("profile", EVERY)
def test_T_3_what_was_returned_or_undone_does_not_count(evening, profile: str) -> None:
    evening.announce(profile=profile, deposit=300).do("open").register(1)
    evening.do("unregister", participant="000001").register(1, 2, 3).do("start")
    evening.do("deposit", participant="000001", amount=200).do("undo").do("deposit", participant="000001", amount=200)
    assert evening.refusal("deposit", participant="000001", amount=1).detail["left"] == 0


@pytest.mark.parametrize("profile", EVERY)
def test_T_4_chips_follow_the_crowns_and_a_wrong_count_is_believed_with_a_notice(evening, profile: str) -> None:
    evening.seated([1, 2, 3], profile=profile, deposit=75).do("deposit", participant="000003", amount=7)
    assert evening.round.chips == 40 * 232
    evening.do("stacks", table=1, stacks={"000001": 9280, "000002": 1, "000003": 0})
    assert evening.notices()["chips-differ"] == {"counted": 9281, "expected": 9280}
    assert evening.player(1).chips == 9280


@pytest.mark.parametrize("profile", EVERY)
def test_T_5_T_6_T_7_an_evening_is_paid_by_places_in_every_house(evening, profile: str) -> None:
    evening.seated([1, 2, 3, 4, 5], profile=profile, deposit=101).bust(5)
    evening.bust(4, table=1, hand=2, stack=100).bust(3, table=1, hand=2, stack=9000)
    evening.bust(2)
    assert evening.places() == [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)]
    assert evening.prizes() == {1: 253, 2: 151, 3: 101, 4: 0, 5: 0}  # of 505: 252.5, 151.5, 101


@pytest.mark.parametrize("profile", EVERY)
def test_T_7_equal_stacks_of_one_hand_share_in_every_house(evening, profile: str) -> None:
    evening.seated([1, 2, 3, 4, 5], profile=profile, deposit=101).bust(5)
    evening.bust(4, table=1, hand=2, stack=100).bust(3, table=1, hand=2, stack=100).bust(2)
    assert evening.places()[2:] == [(3, 3), (3, 4), (5, 5)]
    assert (evening.prizes()[3], evening.prizes()[4]) == (51, 50)


@pytest.mark.parametrize("profile", EVERY)
def test_T_8_an_early_end_ranks_by_chips_in_every_house(evening, profile: str) -> None:
    evening.started(5, profile=profile).bust(5)
    stacks = {"000001": 5000, "000002": 9000, "000003": 3000, "000004": 3000}
    evening.do("end_early", reason="požár", stacks=stacks)
    assert evening.places() == [(1, 2), (2, 1), (3, 3), (3, 4), (5, 5)]


@pytest.mark.parametrize("profile", EVERY)
@pytest.mark.parametrize(("players", "paid"), [(9, 900), (10, 5000)])
def test_T_9_a_guarantee_needs_ten_in_every_house(evening, players: int, paid: int, profile: str) -> None:
    evening.started(players, profile=profile, guarantee=5000)
    assert ("guarantee-void" in evening.notices()) == (paid < 5000)
    for n in range(1, players):
        evening.bust(n)
    assert (evening.round.pool, sum(evening.prizes().values())) == (100 * players, paid)
