"""Prizes and points: T-5, T-9, LG-8, P."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.game.points import decode_key, points_half, points_table, points_text
from appliance.game.pointskey import CPL_2017, PointsKey
from appliance.game.prizes import crowns, split, tied_table
from appliance.game.reading import CommandError


def test_T_5_left_over_crowns_go_to_the_largest_remainders() -> None:
    assert crowns(1000, ["50", "30", "20"], 9) == [500, 300, 200]
    assert crowns(101, ["50", "30", "20"], 9) == [51, 30, 20]
    assert crowns(107, ["50", "30", "20"], 9) == [54, 32, 21]
    assert crowns(109, ["50", "30", "20"], 9) == [54, 33, 22]


def test_T_5_ties_go_to_the_better_place() -> None:
    assert crowns(101, ["50", "50"], 9) == [51, 50]
    assert crowns(10, ["33.333333", "33.333333", "33.333334"], 9) == [3, 3, 4]


def test_T_5_with_fewer_players_than_paid_places_the_rest_is_spread_in_proportion() -> None:
    assert crowns(900, ["40", "30", "20", "10"], 3) == [400, 300, 200]
    assert crowns(100, ["40", "30", "20", "10"], 3) == [45, 33, 22]


def test_T_5_shares_must_total_100(new_evening) -> None:
    fields = {"venue": "brno", "starts_at": "2027-01-15T19:00:00+01:00", "profile": "cpl-2017", "deposit": 100}
    fields |= {"seats_per_table": 9, "levels": [{"sb": 1, "bb": 2, "minutes": 9}]}
    for shares, total in ((["50", "49.5"], "99.5"), (["50", "50", "0.000001"], "100.000001"), ([], "0")):
        refusal = new_evening().refusal("announce", **fields, shares=shares)
        assert (refusal.code, refusal.detail) == ("shares-sum", {"total": total})
    new_evening().announce(shares=["33.33", "33.33", "33.34"])


@settings(max_examples=200, deadline=None)
@given(
    pool=st.integers(0, 10**7),
    weights=st.lists(st.integers(1, 1000), min_size=1, max_size=12),
    players=st.integers(3, 90),
)
def test_T_5_the_pool_is_paid_exactly_and_nobody_is_a_crown_off(pool: int, weights: list[int], players: int) -> None:
    thousandths = [weight * 100_000 // sum(weights) for weight in weights]
    thousandths[0] += 100_000 - sum(thousandths)
    shares = [f"{share // 1000}.{share % 1000:03d}" for share in thousandths]
    found = crowns(pool, shares, players)
    assert sum(found) == pool
    assert len(found) == min(len(shares), players)
    whole = sum(Fraction(share) for share in shares[:players])
    for amount, share in zip(found, shares, strict=False):
        assert abs(amount - pool * Fraction(share) / whole) < 1


def test_T_7_tied_places_split_equally_left_over_crowns_by_registration_number() -> None:
    assert split(101, ["000010", "9", "11"]) == {"9": 34, "000010": 34, "11": 33}
    assert tied_table(1000, ["50", "30", "20"], (2, 3)) == [500, 250, 250]
    assert tied_table(1001, ["50", "30", "20"], (2, 3)) == [501, 250, 250]
    assert tied_table(1000, ["50", "30", "20"], (3, 5)) == [500, 300, 67, 67, 66]
    assert tied_table(1000, ["50", "30", "20"]) == [500, 300, 200]


def test_T_5_prizes_grow_with_the_pool_while_the_round_runs(evening) -> None:
    evening.started(4).bust(1).bust(2)
    assert evening.prizes()[2] == 80
    evening.do("deposit", participant="000003", amount=100)
    assert evening.prizes()[2] == 100


def test_T_9_a_guarantee_holds_with_ten_at_the_official_start(evening) -> None:
    evening.opened(9, guarantee=5000, profile="casino-2012")
    evening.at = evening.round.starts_at
    evening.register(10).after(minutes=5).do("unregister", participant="000001").do("start")
    for n in range(2, 10):
        evening.bust(n)
    assert evening.report()["pool"] == 900
    assert sum(evening.prizes().values()) == 5000
    assert "guarantee-void" not in evening.notices()


def test_T_9_who_leaves_at_the_very_start_is_not_there(evening) -> None:
    evening.opened(10, guarantee=5000, profile="casino-2012")
    evening.at = evening.round.starts_at
    evening.do("unregister", participant="000001")
    assert "guarantee-void" in evening.notices()


def test_T_9_with_fewer_it_is_void(evening) -> None:
    evening.opened(9, guarantee=5000, profile="casino-2012").after(minutes=59)
    assert "guarantee-void" not in evening.notices()
    evening.after(minutes=1, ms=1).register(10).do("start")
    assert evening.notices()["guarantee-void"] == {"guarantee": 5000, "minimum": 10}
    for n in range(1, 10):
        evening.bust(n)
    assert sum(evening.prizes().values()) == 1000


@pytest.mark.parametrize(("ms", "holds"), [(0, True), (1, False)])
def test_T_9_the_tenth_may_come_in_the_very_millisecond_of_the_start(evening, ms: int, holds: bool) -> None:
    evening.opened(9, guarantee=5000)
    evening.at = evening.round.starts_at + ms
    evening.register(10).do("start")
    assert ("guarantee-void" in evening.notices()) is not holds
    for n in range(1, 10):
        evening.bust(n)
    assert sum(evening.prizes().values()) == (5000 if holds else 1000)


@pytest.mark.parametrize(("ms", "holds"), [(-1, False), (1, True)])
def test_T_9_a_moved_round_counts_at_its_new_start(evening, ms: int, holds: bool) -> None:
    """Ten were there at the old start; one goes just before or just after the new one, a week later."""
    evening.opened(10, guarantee=5000).after(minutes=90)
    evening.do("reschedule", starts_at="2027-01-22T20:00:00+01:00").do("open")
    evening.at = evening.round.starts_at + ms
    evening.do("unregister", participant="000010").after(ms=1)
    assert ("guarantee-void" in evening.notices()) is not holds
    evening.do("start")
    for n in range(1, 9):
        evening.bust(n)
    assert (evening.round.pool, sum(evening.prizes().values())) == (900, 5000 if holds else 900)


def test_T_9_who_leaves_and_comes_back_is_one(evening) -> None:
    evening.opened(9, guarantee=5000)
    for n in ("000001", "000002"):
        evening.do("unregister", participant=n)
    evening.register(1, 2)
    evening.at = evening.round.starts_at
    assert "guarantee-void" in evening.notices()
    evening.register(10)
    assert "guarantee-void" not in evening.notices()


def test_T_9_T_11_a_re_entry_is_nobody_new(evening) -> None:
    evening.started(9, profile="tda-2024", guarantee=5000, reentry=True, starts_at="2027-01-15T20:00:00+01:00")
    evening.bust(9).do("reenter", participant="000009").after(minutes=60)
    assert "guarantee-void" in evening.notices()


def test_T_9_a_pool_above_the_guarantee_is_paid_out(evening) -> None:
    evening.started(10, guarantee=500)
    for n in range(1, 10):
        evening.bust(n)
    assert sum(evening.prizes().values()) == 1000


def test_LG_8_ten_points_for_registering(evening) -> None:
    evening.started(4).bust(1)
    assert evening.report()["results"][0]["points"] == "10"


@pytest.mark.parametrize(
    ("players", "winner"), [(3, 65), (9, 95), (14, 120), (15, 125), (16, 130), (18, 130), (90, 130)]
)
def test_P_the_winner_gets_five_less_for_each_player_under_sixteen(players: int, winner: int) -> None:
    assert points_table(CPL_2017, players)[0] == (1, str(winner))


def test_P_each_lower_place_five_less_and_the_better_half_scores_rounded_up() -> None:
    table = dict(points_table(CPL_2017, 9))
    assert [table[place] for place in range(1, 10)] == ["95", "90", "85", "80", "75", "10", "10", "10", "10"]
    assert dict(points_table(CPL_2017, 18))[9] == "90"
    assert dict(points_table(CPL_2017, 18))[10] == "10"
    assert dict(points_table(CPL_2017, 90))[24] == "15"
    assert dict(points_table(CPL_2017, 90))[45] == "10"


def test_P_equal_places_get_the_mean_rounded_up_to_the_next_half_point() -> None:
    assert points_text(points_half(CPL_2017, 18, 1, 2)) == "127.5"
    assert points_text(points_half(CPL_2017, 18, 9, 2)) == "50"
    assert points_text(points_half(CPL_2017, 18, 8, 3)) == "65"  # (85 + 80 + 0) / 3 = 55
    assert points_text(points_half(CPL_2017, 18, 9, 3)) == "37"  # 80 / 3 = 26.67 → 27
    assert points_text(points_half(CPL_2017, 18, 9, 7)) == "21.5"  # 80 / 7 = 11.43 → 11.5


def test_P_the_key_is_data(evening) -> None:
    key = {
        "name": "jaro",
        "winner": {"3": 50, "10": 100},
        "registering": 1,
        "step": 20,
        "scoring": 3,
        "ties": "best",
    }
    evening.started(4, points_key=key).bust(1).bust(2)
    evening.bust(3)
    assert [result["points"] for result in evening.report()["results"]] == ["51", "31", "11", "1"]
    assert "key-unconfirmed" not in evening.notices()


def test_P_the_default_key_is_unconfirmed_where_points_are_shown(evening) -> None:
    evening.started(3)
    assert "key-unconfirmed" not in evening.notices()
    assert evening.bust(1).notices()["key-unconfirmed"] == {"key": "cpl-2017"}


def test_P_scoring_may_be_all_or_half_rounded_down_and_points_never_fall_below_nothing() -> None:
    everybody = PointsKey(name="a", winner={1: 10}, step=4, scoring="all", registering=0)
    assert [points for _, points in points_table(everybody, 5)] == ["10", "6", "2", "0", "0"]
    down = PointsKey(name="b", winner={5: 10}, scoring="half", half="down", registering=0)
    assert [points for _, points in points_table(down, 3)] == ["10", "0", "0"]


@pytest.mark.parametrize(
    ("text", "field"),
    [
        (b'{"name":"x"}', "winner"),
        (b'{"name":"x","winner":{"a":1}}', "winner"),
        (b'{"name":"x","winner":{"3":-1}}', "winner[...]"),
        (b'{"name":"x","winner":{"3":1.5}}', "3"),
        (b'{"name":"x","winner":{"3":1},"steps":5}', "steps"),
        (b'{"name":"x","winner":{"3":1},"scoring":"third"}', "scoring"),
        (b"[]", ""),
        (b"\xff", ""),
    ],
)
def test_P_a_bad_key_names_its_field(text: bytes, field: str) -> None:
    with pytest.raises(CommandError) as error:
        decode_key(text)
    assert error.value.field == field
