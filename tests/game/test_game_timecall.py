"""Calls for time: CK-4."""

from __future__ import annotations

from typing import Any

import pytest

from appliance.game.play import TimeCall
from appliance.game.timecall import CallFace, face

EVERY = ["cpl-2017", "cpl", "casino-2012", "tda-2024"]
TIMES = {"cpl-2017": (25, 5), "cpl": (25, 5), "casino-2012": (60, 10), "tda-2024": (25, 5)}
ENDS = {**dict.fromkeys(EVERY, "check-or-fold"), "casino-2012": "fold"}


def called(evening: Any, profile: str = "casino-2012") -> Any:
    evening.seated([1, 2, 3, 4], [5, 6, 7, 8], profile=profile).do("next_hand", table=1).do("next_hand", table=2)
    return evening.do("time_call", table=1, participant="000002")


def shown(evening: Any) -> dict[str, Any] | None:
    return evening.report()["tables"]["1"].get("time_call")


@pytest.mark.parametrize("profile", EVERY)
def test_CK_4_the_houses_time_then_its_count_then_it_is_over(evening, profile: str) -> None:
    think, count = TIMES[profile]
    called(evening, profile)
    assert shown(evening) == {"participant": "000002", "phase": "thinking", "remaining_s": think}
    evening.after(seconds=think, ms=-1)
    assert shown(evening) == {"participant": "000002", "phase": "thinking", "remaining_s": 1}
    evening.after(ms=1)
    assert shown(evening) == {"participant": "000002", "phase": "counting", "remaining_s": count}
    evening.after(seconds=count)
    assert shown(evening) == {"participant": "000002", "phase": "over", "remaining_s": 0}


@pytest.mark.parametrize("profile", EVERY)
def test_CK_4_how_the_hand_ends_is_the_houses(evening, profile: str) -> None:
    call = called(evening, profile).table(1).time_call
    assert call.ends == ENDS[profile]
    assert (call.think_ms, call.count_ms) == tuple(1000 * seconds for seconds in TIMES[profile])


@pytest.mark.parametrize(
    ("at_ms", "expected"),
    [
        (1_000, CallFace("thinking", 25_000)),
        (25_999, CallFace("thinking", 1)),
        (26_000, CallFace("counting", 5_000)),
        (30_999, CallFace("counting", 1)),
        (31_000, CallFace("over", 0)),
        (99_000, CallFace("over", 0)),
    ],
)
def test_CK_4_to_the_millisecond(at_ms: int, expected: CallFace) -> None:
    assert face(TimeCall("1", 1_000, 25_000, 5_000, "fold"), at_ms) == expected


@pytest.mark.parametrize("profile", EVERY)
def test_CK_4_time_runs_out_no_sooner_than_it_is_over(evening, profile: str) -> None:
    together = sum(TIMES[profile])
    called(evening, profile).after(seconds=together - 2, ms=1)
    refusal = evening.refusal("time_end", table=1, outcome="ran-out")
    assert (refusal.code, refusal.detail) == ("time-left", {"participant": "000002", "remaining_s": 2})
    evening.after(seconds=2, ms=-1).do("time_end", table=1, outcome="ran-out")
    assert (evening.events[-1].outcome, shown(evening)) == ("ran-out", None)


@pytest.mark.parametrize("seconds", [0, 20, 27, 300])
def test_CK_4_the_player_acts_at_any_time(evening, seconds: int) -> None:
    called(evening).after(seconds=seconds).do("time_end", table=1)
    assert (evening.events[-1].outcome, shown(evening)) == ("acted", None)


def test_CK_4_one_call_at_a_table(evening) -> None:
    called(evening)
    refusal = evening.refusal("time_call", table=1, participant="000003")
    assert (refusal.code, refusal.detail) == ("time-already-called", {"table": 1, "participant": "000002"})
    evening.do("time_call", table=2, participant="000005").do("time_end", table=1)
    evening.do("time_call", table=1, participant="000003")
    assert evening.report()["tables"]["2"]["time_call"]["participant"] == "000005"


def test_CK_4_without_a_call_nothing_ends_and_nothing_shows(evening) -> None:
    evening.seated([1, 2, 3])
    assert evening.code("time_end", table=1) == "no-time-call"
    assert evening.code("time_end", table=4) == "no-such-table"
    assert "time_call" not in evening.report()["tables"]["1"]


def test_CK_4_only_for_a_player_of_that_table(evening) -> None:
    evening.seated([1, 2, 3, 4], [5, 6, 7, 8]).bust(1)
    assert evening.refusal("time_call", table=1, participant="000005").detail == {"participant": "000005", "table": 1}
    assert evening.code("time_call", table=1, participant="000005") == "not-at-table"
    assert evening.code("time_call", table=1, participant="000001") == "not-in-play"
    assert evening.code("time_call", table=1, participant="000099") == "not-registered"
    assert evening.code("time_call", table=7, participant="000002") == "no-such-table"


def test_CK_4_only_while_the_round_runs(evening) -> None:
    evening.opened(3)
    assert evening.code("time_call", table=1, participant="000001") == "not-running"
    evening.do("start").do("time_call", table=1, participant="000001").bust(2).bust(3)
    assert evening.code("time_end", table=1) == "finished"
    assert shown(evening) is None


@pytest.mark.parametrize(
    ("do", "fields"),
    [
        ("next_hand", {"table": 1}),
        ("bust", {"participant": "000002"}),
        ("move", {"participant": "000002", "seat": [2, 9]}),
        ("final_table", {}),
        ("sanction", {"participant": "000002", "kind": "exclusion", "reason": "x"}),
        ("void", {"participant": "000002", "reason": "x"}),
    ],
)
def test_CK_4_what_ends_the_hand_or_takes_the_player_away_ends_the_call(evening, do: str, fields: Any) -> None:
    called(evening)
    before = evening.state_bytes()
    evening.do(do, **fields)
    assert all(table.time_call is None for table in evening.round.tables.values())
    assert evening.do("undo").state_bytes() == before


@pytest.mark.parametrize(
    ("do", "fields"),
    [
        ("next_hand", {"table": 2}),
        ("bust", {"participant": "000003"}),
        ("move", {"participant": "000005", "seat": [1, 9]}),
        ("stacks", {"table": 1, "stacks": {"000001": 4000}}),
        ("pause", {}),
    ],
)
def test_CK_4_what_others_do_leaves_it(evening, do: str, fields: Any) -> None:
    call = called(evening).table(1).time_call
    assert evening.do(do, **fields).table(1).time_call == call


def test_CK_4_it_counts_on_while_the_clock_is_stopped(evening) -> None:
    called(evening).do("pause").after(seconds=65)
    assert shown(evening) == {"participant": "000002", "phase": "counting", "remaining_s": 5}


@pytest.mark.parametrize("outcome", ["acted", "ran-out"])
def test_CK_4_undo_and_redo(evening, outcome: str) -> None:
    evening.seated([1, 2, 3, 4])
    states = [evening.state_bytes()]
    states.append(evening.do("time_call", table=1, participant="000002").state_bytes())
    evening.after(minutes=2)
    states.append(evening.do("time_end", table=1, outcome=outcome).state_bytes())
    assert evening.do("undo").state_bytes() == states[1]
    assert evening.do("undo").state_bytes() == states[0]
    assert evening.do("redo", n=2).state_bytes() == states[2]
    assert evening.replayed().round == evening.round
