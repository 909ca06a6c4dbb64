"""Exclusion and the other sanctions, and the log of them (T-14, T-15)."""

from __future__ import annotations

from typing import Any

import pytest

from appliance.game.events import Finished
from appliance.game.play_events import Sanctioned, TakenOut
from appliance.game.sanctions import next_step
from appliance.game.state import Phase, Status

PROFILES = ["cpl-2017", "cpl", "casino-2012", "tda-2024"]


def number(n: int) -> str:
    return f"{n:06d}"


def sanction(evening: Any, n: int, kind: str, reason: str = "urážky", **fields: Any) -> Any:
    return evening.do("sanction", participant=number(n), kind=kind, reason=reason, **fields)


def why_not(evening: Any, n: int, kind: str, **fields: Any) -> str:
    return evening.code("sanction", participant=number(n), kind=kind, reason="urážky", **fields)


# ---- T-14


@pytest.mark.parametrize("profile", PROFILES)
def test_T_14_an_excluded_player_is_out_at_once_and_the_chips_leave_play(evening, profile: str) -> None:
    evening.seated([1, 2, 3, 4], profile=profile)
    evening.do("stacks", table=1, stacks={number(1): 6000, number(2): 5000, number(3): 3000, number(4): 2000})
    evening.bust(4)
    events = evening.ask("sanction", participant=number(2), kind="exclusion", reason="urážky")
    assert [type(event).__name__ for event in events] == ["Sanctioned", "TakenOut"]
    player = evening.player(2)
    assert (player.status, player.chips, player.seat) == (Status.EXCLUDED, 0, None)
    assert (evening.round.chips, evening.round.left, evening.table(1).seats) == (
        11_000,
        2,
        {1: number(1), 3: number(3)},
    )
    assert evening.places() == [(3, 2), (4, 4)]
    assert evening.replayed().round == evening.round


@pytest.mark.parametrize("profile", PROFILES)
def test_T_14_place_prize_and_points_stay(evening, profile: str) -> None:
    evening.started(4, profile=profile).bust(4)
    sanction(evening, 3, "exclusion").bust(2)
    assert evening.places() == [(1, 1), (2, 2), (3, 3), (4, 4)]
    assert evening.prizes() == {1: 200, 2: 120, 3: 80, 4: 0}
    assert evening.report()["players"]["000003"]["status"] == "excluded"
    evening.do("pay", participant=number(3), amount=80)


@pytest.mark.parametrize("profile", PROFILES)
def test_T_7_T_14_an_exclusion_is_in_no_hand_with_anybody(evening, profile: str) -> None:
    """Told after the bust of a hand that still is played: it ranks above it, whatever the stacks."""
    evening.started(5, profile=profile).do("next_hand", table=1)
    evening.bust(5, table=1, hand=1, stack=9000)
    sanction(evening, 4, "exclusion")
    evening.bust(3, table=1, hand=1, stack=50)
    assert evening.places() == [(3, 4), (4, 5), (5, 3)]


def test_T_6_T_14_with_one_left_the_round_is_over(evening) -> None:
    evening.started(3).bust(3)
    sanction(evening, 2, "exclusion")
    assert evening.round.phase is Phase.FINISHED
    assert isinstance(evening.events[-1], Finished)
    assert (evening.places(), evening.player(1).chips) == ([(1, 1), (2, 2), (3, 3)], 8000)
    assert "chips-differ" not in evening.notices()


def test_T_14_undo_and_redo(evening) -> None:
    evening.started(3).bust(3)
    before = evening.state_bytes()
    sanction(evening, 2, "exclusion")
    after = evening.state_bytes()
    assert evening.do("undo").state_bytes() == before
    assert evening.do("redo").state_bytes() == after


def test_T_14_who_is_excluded_does_not_come_back(evening) -> None:
    evening.started(4, profile="casino-2012", reentry=True, late_registration=True)
    sanction(evening, 4, "exclusion")
    assert evening.code("reinstate", participant=number(4)) == "not-out"
    assert evening.code("reenter", participant=number(4)) == "not-out"
    assert evening.code("register", participant=number(4), identity_checked=True) == "already-registered"
    assert why_not(evening, 4, "exclusion") == "not-in-play"


# ---- T-15


@pytest.mark.parametrize("profile", PROFILES)
def test_T_15_the_log_is_kept_with_time_and_reason(evening, profile: str) -> None:
    evening.started(4, profile=profile).do("next_hand", table=1)
    assert "penalties" not in evening.report()["players"]["000002"]
    sanction(evening, 2, "warning", "telefon u stolu")
    evening.after(minutes=3)
    sanction(evening, 2, "dead-hand", "znovu telefon")
    evening.after(minutes=3)
    sanction(evening, 2, "sit-out", "a znovu", hands=2)
    sanction(evening, 3, "sit-out", "urážky", minutes=15)
    shown = evening.report()["players"]
    assert shown["000002"]["penalties"] == [
        {"kind": "warning", "reason": "telefon u stolu", "at": "2027-01-15T18:00:00.000Z"},
        {"kind": "dead-hand", "reason": "znovu telefon", "at": "2027-01-15T18:03:00.000Z"},
        {"kind": "sit-out", "reason": "a znovu", "at": "2027-01-15T18:06:00.000Z", "until_hand": 3},
    ]
    assert shown["000003"]["penalties"] == [
        {
            "kind": "sit-out",
            "reason": "urážky",
            "at": "2027-01-15T18:06:00.000Z",
            "until": "2027-01-15T18:21:00.000Z",
        }
    ]
    assert (evening.round.left, evening.round.chips, evening.places()) == (4, 16_000, [])
    assert evening.replayed().round == evening.round


def test_T_15_sitting_out_takes_hands_or_minutes_not_both(evening) -> None:
    evening.started(4)
    assert why_not(evening, 2, "sit-out", hands=2, minutes=10) == "sit-out-length"


def test_T_15_sitting_out_without_a_length_lasts_until_the_floor_says_otherwise(evening) -> None:
    sanction(evening.started(4), 2, "sit-out")
    assert (evening.player(2).penalties[0].until_hand, evening.player(2).penalties[0].until) == (None, None)
    assert evening.report()["players"]["000002"]["next_penalty"] == "exclusion"


def test_T_15_no_other_sanction_has_a_length(evening) -> None:
    sanction(evening.started(4), 2, "dead-hand", hands=1)
    assert evening.player(2).penalties[0].until_hand is None


@pytest.mark.parametrize("kind", ["dead-hand", "sit-out", "exclusion"])
def test_T_15_what_only_a_player_in_play_can_be_given(evening, kind: str) -> None:
    evening.started(4).bust(4)
    assert why_not(evening, 4, kind, hands=1) == "not-in-play"
    assert why_not(evening, 9, kind, hands=1) == "not-registered"
    evening.bust(3).bust(2)
    assert why_not(evening, 1, kind, hands=1) == "finished"


def test_T_15_a_warning_is_for_all_who_registered_also_after_the_end(evening) -> None:
    evening.started(3).bust(3)
    sanction(evening, 3, "warning")
    evening.bust(2)
    sanction(evening, 1, "warning")
    assert [len(evening.player(n).penalties) for n in (1, 2, 3)] == [1, 0, 1]
    assert evening.round.phase is Phase.FINISHED


def test_T_15_exclusion_from_the_league_is_proposed(evening) -> None:
    """The league decides it; who plays is out of the round, who is out already has it in the log."""
    evening.started(4).bust(4)
    sanction(evening, 3, "exclusion", league=True)
    assert [type(event) for event in evening.events[-2:]] == [Sanctioned, TakenOut]
    sanction(evening, 4, "exclusion", league=True)
    assert (evening.player(4).status, evening.player(3).status) == (Status.OUT, Status.EXCLUDED)
    evening.bust(2)
    before = evening.places()
    sanction(evening, 1, "exclusion", league=True)
    assert (evening.places(), evening.player(1).status, evening.round.chips) == (before, Status.IN, 12_000)
    for n in (1, 3, 4):
        assert evening.report()["players"][number(n)]["penalties"][0]["league"] is True


def test_T_15_not_before_the_start(evening) -> None:
    assert why_not(evening.opened(3), 1, "warning") == "not-running"


def test_T_15_an_undone_sanction_is_in_no_log(evening) -> None:
    sanction(evening.started(3), 1, "warning").do("undo")
    assert evening.player(1).penalties == ()
    assert evening.do("redo").player(1).penalties[0].kind == "warning"


def test_T_15_repeated_offences_step_up_the_ladder(evening) -> None:
    evening.started(4)
    for step in ("warning", "dead-hand", "sit-out", "exclusion"):
        assert next_step(evening.player(2)) == step
        sanction(evening, 2, step, **({"hands": 1} if step == "sit-out" else {}))
    assert next_step(evening.player(2)) == "exclusion"


def test_T_15_the_next_step_follows_the_hardest_so_far(evening) -> None:
    sanction(evening.started(4), 2, "sit-out", minutes=10)
    sanction(evening, 2, "warning")
    assert next_step(evening.player(2)) == "exclusion"
