"""A void participation: no place, no points, the others move up; N stays (LG-10)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.game.events import Finished
from appliance.game.results import results
from appliance.game.state import Phase, Status

PROFILES = ["cpl-2017", "cpl", "casino-2012", "tda-2024"]


def number(n: int) -> str:
    return f"{n:06d}"


def void(evening: Any, n: int, reason: str = "cizí průkaz") -> Any:
    return evening.do("void", participant=number(n), reason=reason)


def played(evening: Any, players: int, **changes: Any) -> Any:
    """Played to the end: 1 wins, 2 is second …"""
    evening.started(players, **changes)
    for n in range(players, 1, -1):
        evening.bust(n)
    return evening


def points(evening: Any) -> dict[int, int]:
    """Whole points of each, those for registering included."""
    return {int(result.participant): result.points_half // 2 for result in results(evening.round)}


def last_finish(evening: Any) -> Finished:
    return [event for event in evening.events if isinstance(event, Finished)][-1]


@pytest.mark.parametrize("profile", PROFILES)
def test_LG_10_after_the_end_the_others_move_up_with_points_of_the_whole_field(evening, profile: str) -> None:
    played(evening, 10, profile=profile)
    assert points(evening)[2] == 10 + 85
    void(evening, 1)
    assert evening.places() == [(place, place + 1) for place in range(1, 10)]
    assert points(evening) == {2: 100, 3: 95, 4: 90, 5: 85, 6: 80, 7: 10, 8: 10, 9: 10, 10: 10}, "N is still ten"
    assert evening.prizes() == {2: 500, 3: 300, 4: 200, **dict.fromkeys(range(5, 11), 0)}
    assert evening.report()["players"]["000001"]["status"] == "void"
    assert evening.replayed().round == evening.round


def test_LG_10_who_never_was_anywhere_has_no_result(evening) -> None:
    void(played(evening, 10), 10)
    assert [place for place, _ in evening.places()] == list(range(1, 10))
    assert 10 not in points(evening)
    assert points(evening)[6] == 10, "the better half of ten are five, whoever is void"
    assert evening.notices().get("below-minimum") is None, "ten were registered"


def test_LG_10_the_newest_end_is_the_revision_of_the_results(evening) -> None:
    played(evening, 4)
    ended = evening.round.finish.at
    evening.after(minutes=90)
    events = evening.ask("void", participant=number(1), reason="cizí průkaz")
    assert [type(event).__name__ for event in events] == ["Voided", "Finished"]
    assert events[-1].results == results(evening.round)
    assert (events[-1].stacks, events[-1].reason) == ({}, None)
    assert evening.round.finish.at == ended, "play ended when it ended"
    assert evening.round.phase is Phase.FINISHED


def test_LG_10_after_an_early_end_the_rest_rank_as_they_did(evening) -> None:
    evening.started(5).bust(5)
    stacks = {number(n): chips for n, chips in {1: 9000, 2: 7000, 3: 2000, 4: 2000}.items()}
    evening.do("end_early", reason="požár", stacks=stacks)
    void(evening, 2)
    assert evening.places() == [(1, 1), (2, 3), (2, 4), (4, 5)]
    assert last_finish(evening).reason == "požár"
    assert last_finish(evening).stacks == {number(1): 9000, number(3): 2000, number(4): 2000}
    assert evening.prizes() == {1: 250, 3: 125, 4: 125, 5: 0}
    assert "chips-differ" not in evening.notices()


@pytest.mark.parametrize("profile", PROFILES)
def test_LG_10_T_4_in_play_they_stand_up_and_the_chips_leave(evening, profile: str) -> None:
    evening.seated([1, 2, 3], [4, 5, 6], profile=profile)
    evening.do("stacks", table=2, stacks={number(4): 6000, number(5): 3000, number(6): 3000})
    void(evening, 4)
    assert (evening.round.chips, evening.round.pool, evening.round.left) == (18_000, 600, 5)
    assert evening.table(2).seats == {2: number(5), 3: number(6)}
    assert (evening.player(4).status, evening.player(4).chips, evening.player(4).seat) == (Status.VOID, 0, None)
    assert "chips-differ" not in evening.notices()
    assert evening.places() == []
    evening.bust(6)
    assert evening.places() == [(5, 6)]


def test_LG_10_a_place_that_was_known_goes_and_those_below_move_up(evening) -> None:
    evening.started(6).bust(6).bust(5).bust(4)
    void(evening, 5)
    assert evening.places() == [(4, 4), (5, 6)]
    assert evening.round.chips == 24_000, "the chips had gone to others"


def test_T_6_LG_10_with_one_left_the_round_is_over(evening) -> None:
    evening.started(3).bust(3)
    events = evening.ask("void", participant=number(1), reason="cizí průkaz")
    assert [type(event).__name__ for event in events] == ["Voided", "Finished"]
    assert evening.places() == [(1, 2), (2, 3)]
    assert evening.prizes() == {2: 188, 3: 112}, "50 to 30, the third place's 20 spread over both"
    assert (evening.player(2).chips, evening.round.chips) == (8000, 8000)
    assert points(evening) == {2: 65, 3: 60}


def test_T_5_LG_10_fewer_places_than_shares_and_the_pool_is_paid_all_the_same(evening) -> None:
    void(played(evening, 3), 2)
    assert evening.prizes() == {1: 188, 3: 112}
    void(evening, 3)
    assert evening.prizes() == {1: 300}


def test_LG_10_all_are_void(evening) -> None:
    played(evening, 3)
    for n in (1, 2, 3):
        void(evening, n)
    assert (evening.places(), evening.round.pool) == ([], 300)
    assert last_finish(evening).results == ()
    assert evening.report()["results"] == []
    assert evening.code("void", participant=number(1), reason="x") == "already-void"


@pytest.mark.parametrize("n", [1, 2, 3])
def test_LG_10_undo_and_redo(evening, n: int) -> None:
    played(evening, 3)
    before = evening.state_bytes()
    void(evening, n)
    after = evening.state_bytes()
    assert evening.do("undo").state_bytes() == before
    assert evening.do("redo").state_bytes() == after


def test_LG_10_undo_of_one_that_ended_the_round(evening) -> None:
    evening.started(3).bust(3)
    before = evening.state_bytes()
    void(evening, 1).do("undo")
    assert evening.state_bytes() == before
    evening.bust(1)


def test_LG_10_who_can_be_void(new_evening) -> None:
    opened = new_evening().opened(3)
    assert opened.code("void", participant=number(1), reason="x") == "not-running"
    running = new_evening().started(4)
    assert running.code("void", participant=number(9), reason="x") == "not-registered"
    void(running, 4)
    refusal = running.refusal("void", participant=number(4), reason="x")
    assert (refusal.code, refusal.detail) == ("already-void", {"participant": number(4)})
    cancelled = new_evening().opened(3).do("cancel")
    assert cancelled.code("void", participant=number(1), reason="x") == "cancelled"


def test_LG_10_who_is_void_does_nothing_more(evening) -> None:
    void(evening.started(5, profile="casino-2012", reentry=True, late_registration=True).bust(5), 5)
    void(evening, 4)
    for do in ("bust", "reenter", "reinstate"):
        assert evening.code(do, participant=number(5)) in ("not-in-play", "not-out")
        assert evening.code(do, participant=number(4)) in ("not-in-play", "not-out")
    assert evening.code("register", participant=number(5), identity_checked=True) == "already-registered"
    assert evening.code("deposit", participant=number(4), amount=1) == "not-in-play"


@pytest.mark.parametrize("profile", PROFILES)
def test_LG_10_an_excluded_player_can_be_void_too(evening, profile: str) -> None:
    evening.started(5, profile=profile).do("sanction", participant=number(5), kind="exclusion", reason="podvod")
    assert (evening.places(), evening.round.chips) == ([(5, 5)], 16_000)
    void(evening, 5)
    assert (evening.places(), evening.round.chips) == ([], 16_000)
    assert evening.player(5).status is Status.VOID


def test_T_9_LG_10_a_guarantee_counts_them(evening) -> None:
    """They were registered at the official start, and N stays."""
    void(played(evening, 10, guarantee=5000), 10)
    assert "guarantee-void" not in evening.notices()
    assert sum(evening.prizes().values()) == 5000


# ---- paid prizes


def test_T_5_LG_10_what_they_were_paid_is_to_be_reclaimed_and_forbids_nothing(evening) -> None:
    played(evening, 4).do("pay", participant=number(1), amount=200)
    void(evening, 1)
    assert evening.report()["players"]["000001"]["paid"] == 200
    assert evening.code("pay", participant=number(1), amount=1) == "no-prize-yet"
    evening.do("pay", participant=number(2), amount=200).do("pay", participant=number(3), amount=120)
    void(evening, 4)


def test_T_5_LG_10_nobody_elses_paid_prize_shrinks(evening) -> None:
    """Shares that rise with the place: one void above moves a paid player up to less."""
    played(evening, 4, shares=["20", "30", "50"]).do("pay", participant=number(3), amount=200)
    refusal = evening.refusal("void", participant=number(1), reason="x")
    assert (refusal.code, refusal.detail) == ("already-paid", {"participant": number(3), "paid": 200, "prize": 120})
    void(evening, 4)


@settings(max_examples=100, deadline=None)
@given(
    players=st.integers(3, 12),
    shares=st.sampled_from([["100"], ["60", "40"], ["50", "30", "20"], ["33.4", "33.3", "33.3"]]),
    guarantee=st.sampled_from([None, 1777]),
    steps=st.lists(st.tuples(st.sampled_from(["bust", "void", "sanction", "deposit"]), st.integers(1, 12))),
    profile=st.sampled_from(PROFILES),
)
def test_T_5_T_14_LG_10_the_pool_is_paid_exactly_whoever_is_void_or_excluded(
    players: int, shares: list[str], guarantee: int | None, steps: list[tuple[str, int]], profile: str, new_evening
) -> None:
    evening = new_evening().started(players, shares=shares, guarantee=guarantee, profile=profile)
    fields = {"void": {"reason": "x"}, "sanction": {"kind": "exclusion", "reason": "x"}, "deposit": {"amount": 7}}
    last = [("bust", n) for n in range(1, players + 1)]
    for do, n in [*steps, *last]:
        evening.ask(do, participant=number(n), **fields.get(do, {}))
    assert evening.round.phase is Phase.FINISHED
    ranked = [int(p.participant) for p in evening.round.players.values() if p.status is not Status.VOID]
    prizes = evening.prizes()
    assert sorted(prizes) == ranked
    pool = max(evening.round.pool, guarantee or 0) if players >= 10 else evening.round.pool
    assert sum(prizes.values()) == (pool if ranked else 0)
    assert evening.round.chips == sum(p.chips for p in evening.round.players.values())
    finishes = [event for event in evening.events if isinstance(event, Finished)]
    assert finishes[-1].results == results(evening.round)
