"""Deals: binding, of everybody in play, in whole crowns that add up; play goes on (T-10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.game.icm import chop, icm
from appliance.game.results import results
from appliance.game.state import Phase

KNOWN = ["casino-2012", "tda-2024"]
STACKS = {1: 20_000, 2: 12_000, 3: 8_000}


def number(n: int) -> str:
    return f"{n:06d}"


def numbers(of: Mapping[int, Any]) -> dict[str, Any]:
    return {number(n): value for n, value in of.items()}


def three_left(evening: Any, profile: str = "casino-2012", **changes: Any) -> Any:
    """Ten players, 1,000 CZK for 500, 300 and 200; 1, 2 and 3 are in."""
    evening.started(10, profile=profile, **changes)
    for n in range(10, 3, -1):
        evening.bust(n)
    return evening


def a_deal(kind: str = "icm", stacks: Mapping[int, int] = STACKS, **fields: Any) -> dict[str, Any]:
    consents = fields.pop("consents", list(stacks))
    if "amounts" in fields:
        fields["amounts"] = numbers(fields["amounts"])
    return {"kind": kind, "consents": [number(n) for n in consents], "stacks": numbers(stacks), **fields}


MANUAL = {1: 400, 2: 320, 3: 280}


# ---- what a deal gives


@pytest.mark.parametrize("profile", KNOWN)
@pytest.mark.parametrize("kind", ["icm", "chop"])
def test_T_10_the_amounts_are_the_models(evening, profile: str, kind: str) -> None:
    three_left(evening, profile).do("deal", **a_deal(kind))
    expected = {"icm": icm, "chop": chop}[kind](numbers(STACKS), [500, 300, 200])
    assert evening.round.deal.amounts == expected
    assert sum(expected.values()) == 1000
    assert evening.round.deal.kind == kind
    assert evening.replayed().round == evening.round


@pytest.mark.parametrize("profile", KNOWN)
def test_T_10_by_hand_as_agreed(evening, profile: str) -> None:
    three_left(evening, profile).do("deal", **a_deal("manual", amounts=MANUAL))
    for n in (1, 2):
        evening.bust(n)
    assert evening.places()[:3] == [(1, 3), (2, 2), (3, 1)]
    assert evening.prizes() == {1: 400, 2: 320, 3: 280, **dict.fromkeys(range(4, 11), 0)}


def test_T_10_points_are_played_for_to_the_end(evening) -> None:
    three_left(evening).do("deal", **a_deal("manual", amounts=MANUAL))
    assert evening.round.phase is Phase.RUNNING
    evening.do("next_hand", table=evening.player(1).seat.table).bust(1)
    assert next((r.place, r.participant, r.prize) for r in results(evening.round)) == (3, number(1), 400)
    evening.bust(2)
    points = {int(r.participant): r.points_half for r in results(evening.round)}
    assert (points[3], points[2], points[1]) == (200, 190, 180)
    assert evening.round.phase is Phase.FINISHED


def test_T_10_those_who_went_out_before_keep_what_their_place_pays(evening) -> None:
    three_left(evening, shares=["40", "25", "15", "12", "8"]).do("deal", **a_deal("chop"))
    evening.bust(3).bust(2)
    prizes = evening.prizes()
    assert (prizes[4], prizes[5], prizes[6]) == (120, 80, 0)
    assert prizes[1] + prizes[2] + prizes[3] == 800
    assert sum(prizes.values()) == 1000


def test_T_10_a_place_that_is_not_paid_has_nothing_to_give(evening) -> None:
    """Four remain, three are paid: the fourth's stack is worth something all the same."""
    evening.started(4, profile="casino-2012").do("deal", **a_deal("icm", dict.fromkeys((1, 2, 3, 4), 4000)))
    assert evening.round.deal.amounts == numbers(dict.fromkeys((1, 2, 3, 4), 100))


def test_T_10_a_deal_with_a_guarantee_shares_the_guarantee(evening) -> None:
    three_left(evening, guarantee=5000).do("deal", **a_deal("icm"))
    assert sum(evening.round.deal.amounts.values()) == 5000


def test_T_10_stacks_are_a_count(evening) -> None:
    three_left(evening).do("deal", **a_deal("icm"))
    assert [evening.player(n).chips for n in (1, 2, 3)] == [20_000, 12_000, 8_000]
    assert "chips-differ" not in evening.notices()
    evening.do("undo").do("deal", **a_deal("icm", {**STACKS, 3: 9000}))
    assert evening.notices()["chips-differ"] == {"counted": 41_000, "expected": 40_000}


def test_T_10_an_early_end_changes_places_but_not_what_was_dealt(evening) -> None:
    three_left(evening).do("deal", **a_deal("manual", amounts=MANUAL))
    evening.do("end_early", reason="požár", stacks=numbers({1: 1, 2: 2, 3: 2}))
    assert evening.places()[:3] == [(1, 2), (1, 3), (3, 1)]
    assert {n: evening.prizes()[n] for n in (1, 2, 3)} == MANUAL


def test_T_10_a_dealer_who_is_excluded_keeps_it(evening) -> None:
    three_left(evening).do("deal", **a_deal("manual", amounts=MANUAL))
    evening.do("sanction", participant=number(1), kind="exclusion", reason="urážky").bust(2)
    assert {n: evening.prizes()[n] for n in (1, 2, 3)} == MANUAL


def test_T_10_a_dealer_told_out_in_an_earlier_hand_leaves_everybody_what_is_theirs(evening) -> None:
    """4 went out in hand 9 before the deal; only after it is 1 told out in hand 8 of that table, below 4."""
    evening.seated([1, 2, 3, 4], profile="casino-2012", shares=["50", "30", "20"])
    evening.bust(4, table=1, hand=9, stack=100).do("deal", **a_deal("manual", amounts={1: 150, 2: 150, 3: 100}))
    evening.bust(1, table=1, hand=8, stack=100).bust(2)
    assert evening.places() == [(1, 3), (2, 2), (3, 4), (4, 1)]
    assert evening.prizes() == {4: 80, 1: 120, 2: 120, 3: 80}


# ---- who may not deal


@pytest.mark.parametrize("profile", ["cpl-2017", "cpl"])
@pytest.mark.parametrize("kind", ["icm", "chop", "manual"])
def test_T_10_in_the_league_prizes_follow_the_announcement(evening, profile: str, kind: str) -> None:
    refusal = three_left(evening, profile).refusal("deal", **a_deal(kind))
    assert (refusal.code, refusal.detail) == ("deal-not-allowed", {"kind": kind, "allowed": []})


@pytest.mark.parametrize("kind", ["icm", "chop", "manual"])
def test_T_10_everybody_in_play_consents(evening, kind: str) -> None:
    three_left(evening)
    refusal = evening.refusal("deal", **a_deal(kind, consents=[2], amounts=MANUAL))
    assert (refusal.code, refusal.detail) == ("deal-not-unanimous", {"missing": [number(1), number(3)]})


def test_T_10_nobody_else_consents_and_nobody_elses_stack_counts(evening) -> None:
    three_left(evening)
    refusal = evening.refusal("deal", **a_deal(consents=[1, 2, 3, 4]))
    assert (refusal.code, refusal.detail["participant"]) == ("not-in-play", number(4))
    assert evening.code("deal", **a_deal(consents=[1, 2, 3, 99])) == "not-registered"
    assert evening.code("deal", **a_deal(stacks={**STACKS, 4: 1}, consents=[1, 2, 3])) == "not-in-play"
    refusal = evening.refusal("deal", **a_deal(stacks={1: 1}, consents=[1, 2, 3]))
    assert (refusal.code, refusal.detail) == ("stacks-missing", {"participants": [number(2), number(3)]})


def test_T_10_amounts_are_everybodys_and_add_up(evening) -> None:
    three_left(evening)
    refusal = evening.refusal("deal", **a_deal("manual", amounts={1: 400, 2: 320, 3: 279}))
    assert (refusal.code, refusal.detail) == ("deal-sum", {"sum": 999, "expected": 1000})
    refusal = evening.refusal("deal", **a_deal("manual", amounts={1: 1000}))
    assert (refusal.code, refusal.detail) == ("amounts-missing", {"participants": [number(2), number(3)]})
    assert evening.code("deal", **a_deal("manual")) == "amounts-missing"
    assert evening.code("deal", **a_deal("manual", amounts={**MANUAL, 4: 0})) == "not-in-play"
    evening.do("deal", **a_deal("manual", amounts={1: 1000, 2: 0, 3: 0}))


def test_T_10_icm_is_offered_to_ten_at_most(evening) -> None:
    evening.started(11, profile="tda-2024")
    eleven = dict.fromkeys(range(1, 12), 4000)
    refusal = evening.refusal("deal", **a_deal("icm", eleven))
    assert (refusal.code, refusal.detail) == ("too-many", {"left": 11, "most": 10})
    evening.do("deal", **a_deal("chop", eleven)).do("undo")
    evening.bust(11).do("deal", **a_deal("icm", dict.fromkeys(range(1, 11), 4400)))
    assert evening.round.deal.amounts == numbers(dict.fromkeys(range(1, 11), 110))


def test_T_10_only_in_play(new_evening) -> None:
    assert new_evening().opened(3, profile="casino-2012").code("deal", **a_deal()) == "not-running"
    over = new_evening().started(3, profile="casino-2012").bust(1).bust(2)
    assert over.code("deal", **a_deal()) == "finished"


@pytest.mark.parametrize("promise", ["late_registration", "reentry"])
def test_T_2_T_10_T_11_not_while_others_were_promised_they_may_come(evening, promise: str) -> None:
    three_left(evening, **{promise: True})
    assert evening.code("deal", **a_deal()) == "prize-not-final"
    evening.after(minutes=70).do("deal", **a_deal())


@pytest.mark.parametrize("promise", ["late_registration", "reentry"])
def test_T_2_T_10_T_11_where_no_break_ends_it_a_deal_does(evening, promise: str) -> None:
    three_left(evening, levels=[{"sb": 50, "bb": 100, "minutes": 20}], **{promise: True}).do("deal", **a_deal())
    late = {"participant": number(11), "identity_checked": True}
    do, fields = {"late_registration": ("register", late), "reentry": ("reenter", {"participant": number(9)})}[promise]
    assert evening.code(do, **fields) == "deal-made"


# ---- binding


def test_T_10_after_a_deal_nothing_comes_to_the_pool(evening) -> None:
    three_left(evening, late_registration=True, reentry=True).after(minutes=70).do("deal", **a_deal())
    assert evening.code("deposit", participant=number(1), amount=1) == "deal-made"
    evening.do("previous_level")
    assert evening.code("register", participant=number(11), identity_checked=True) == "deal-made"
    assert evening.code("reenter", participant=number(9)) == "deal-made"


def test_T_10_nobody_joins_who_was_not_asked(evening) -> None:
    three_left(evening).do("deal", **a_deal())
    assert evening.code("reinstate", participant=number(4)) == "deal-made"
    evening.bust(3).do("reinstate", participant=number(3))


def test_T_10_there_is_one_deal(evening) -> None:
    three_left(evening).do("deal", **a_deal())
    assert evening.code("deal", **a_deal("chop")) == "already-dealt"
    evening.do("undo").do("deal", **a_deal("chop"))


def test_T_10_an_undone_deal_was_none(evening) -> None:
    three_left(evening)
    before = evening.state_bytes()
    evening.do("deal", **a_deal())
    after = evening.state_bytes()
    assert evening.do("undo").state_bytes() == before
    assert evening.do("redo").state_bytes() == after
    evening.do("undo").bust(3).bust(2)
    assert (evening.prizes()[1], evening.prizes()[2], evening.prizes()[3]) == (500, 300, 200)


def test_T_5_T_10_what_was_dealt_is_paid_at_once_also_to_those_who_play_on(evening) -> None:
    three_left(evening)
    assert evening.code("pay", participant=number(2), amount=1) == "no-prize-yet"
    evening.do("deal", **a_deal("manual", amounts=MANUAL)).do("pay", participant=number(2), amount=320)
    refusal = evening.refusal("pay", participant=number(1), amount=401)
    assert (refusal.code, refusal.detail) == ("prize-exceeded", {"prize": 400, "paid": 0, "left": 400})
    evening.bust(2).bust(1).do("pay", participant=number(3), amount=280)
    assert evening.code("pay", participant=number(2), amount=1) == "prize-exceeded"


# ---- void participations after a deal (LG-10)


def test_T_10_LG_10_a_void_dealers_place_is_everybodys_and_the_rest_share_what_is_theirs(evening) -> None:
    """1 would have won: 2 and 3 are first and second, 4 moves up to 200. 800 in proportion to 320 and 280."""
    three_left(evening).do("deal", **a_deal("manual", amounts=MANUAL)).bust(3).bust(2)
    evening.do("void", participant=number(1), reason="cizí průkaz")
    assert evening.places()[:3] == [(1, 2), (2, 3), (3, 4)]
    assert evening.prizes() == {2: 427, 3: 373, 4: 200, **dict.fromkeys(range(5, 11), 0)}


def test_T_10_LG_10_one_void_below_those_who_are_paid_changes_nothing(evening) -> None:
    three_left(evening).do("deal", **a_deal("manual", amounts=MANUAL)).do(
        "void", participant=number(9), reason="cizí průkaz"
    )
    evening.bust(3).bust(2)
    assert {n: evening.prizes()[n] for n in (1, 2, 3)} == MANUAL


def test_T_10_LG_10_all_who_dealt_are_void(evening) -> None:
    three_left(evening).do("deal", **a_deal("manual", amounts=MANUAL)).bust(3).bust(2)
    for n in (1, 2, 3):
        evening.do("void", participant=number(n), reason="x")
    assert evening.prizes() == {4: 500, 5: 300, 6: 200, **dict.fromkeys(range(7, 11), 0)}


def test_T_10_LG_10_those_who_left_it_all_to_a_void_one_share_alike(evening) -> None:
    three_left(evening).do("deal", **a_deal("manual", amounts={1: 1000, 2: 0, 3: 0})).bust(3).bust(2)
    evening.do("void", participant=number(1), reason="x")
    assert {n: evening.prizes()[n] for n in (2, 3, 4)} == {2: 400, 3: 400, 4: 200}


@pytest.mark.parametrize(
    ("deposit", "dealt", "left"),
    [(54, {1: 42, 2: 30, 3: 90}, {2: 40, 3: 122}), (51, {1: 53, 3: 50, 2: 50}, {2: 77, 3: 76})],
)
def test_T_5_T_10_LG_10_left_over_crowns_of_equal_remainders_go_to_the_larger_part_then_to_the_lower_number(
    evening, deposit: int, dealt: dict[int, int], left: dict[int, int]
) -> None:
    """162 CZK by 30 and 90 are 40.50 and 121.50; 153 by halves are 76.50 each."""
    evening.started(3, profile="casino-2012", deposit=deposit).do("deal", **a_deal("manual", amounts=dealt))
    evening.bust(3).do("void", participant=number(1), reason="x")
    assert evening.prizes() == left


@settings(max_examples=150, deadline=None)
@given(
    players=st.integers(3, 12),
    left=st.integers(2, 12),
    shares=st.sampled_from([["100"], ["60", "40"], ["50", "30", "20"], ["40", "25.5", "14.5", "12", "8"]]),
    deposit=st.integers(50, 153),
    kind=st.sampled_from(["icm", "chop", "manual"]),
    stacks=st.lists(st.integers(0, 9), min_size=12, max_size=12),
    voids=st.lists(st.integers(1, 12), max_size=6),
)
def test_T_5_T_10_LG_10_the_pool_is_paid_exactly_after_any_deal(
    players: int,
    left: int,
    shares: Sequence[str],
    deposit: int,
    kind: str,
    stacks: Sequence[int],
    voids: Sequence[int],
    new_evening,
) -> None:
    evening = new_evening().started(players, profile="tda-2024", shares=shares, deposit=deposit)
    left = min(left, players, 10)
    for n in range(players, left, -1):
        evening.bust(n)
    paid = sum(prize for n, prize in evening.prizes().items() if n > left)
    amounts = dict.fromkeys(range(1, left + 1), 0) | {1: evening.round.pool - paid}
    evening.do("deal", **a_deal(kind, {n: stacks[n - 1] for n in range(1, left + 1)}, amounts=amounts))
    gone: set[int] = set()
    for n in voids:
        if n <= players and n not in gone:
            evening.do("void", participant=number(n), reason="x")
            gone.add(n)
    for n in range(1, left + 1):
        if evening.round.phase is Phase.RUNNING and n not in gone:
            evening.bust(n)
    assert evening.round.phase is Phase.FINISHED
    assert set(evening.prizes()) == set(range(1, players + 1)) - gone
    assert sum(evening.prizes().values()) == (evening.round.pool if len(gone) < players else 0)
    assert min(evening.prizes().values(), default=0) >= 0
    assert [r.place for r in results(evening.round)] == list(range(1, players - len(gone) + 1))
