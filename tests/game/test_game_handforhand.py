"""Hand-for-hand play: who waits, and what the clock does (CK-6); places are in test_game_handforhand_places."""

from __future__ import annotations

from typing import Any

import pytest

from appliance.game.events import HandStarted

EVERY = ["cpl-2017", "cpl", "casino-2012", "tda-2024"]
NEXT_HAND = ["cpl-2017", "cpl", "casino-2012"]
TDA = "tda-2024"


def two_tables(evening: Any, profile: str = "cpl-2017", **changes: Any) -> Any:
    """Two tables of four, one hand in play at each."""
    evening.seated([1, 2, 3, 4], [5, 6, 7, 8], profile=profile, **changes)
    return evening.do("next_hand", table=1).do("next_hand", table=2)


def hands(evening: Any, *tables: int) -> Any:
    for table in tables:
        evening.do("next_hand", table=table)
    return evening


def left_s(evening: Any) -> int:
    return int(evening.report()["clock"]["remaining_s"])


# Waiting


@pytest.mark.parametrize("profile", NEXT_HAND)
def test_CK_6_the_next_hand_is_round_1_and_nobody_is_two_rounds_ahead(evening, profile: str) -> None:
    two_tables(evening, profile).do("hand_for_hand", on=True)
    hands(evening, 1)
    refusal = evening.refusal("next_hand", table=1)
    assert (refusal.code, refusal.detail) == ("waiting-for-tables", {"table": 1, "waiting_for": [2]})
    hands(evening, 2, 2)
    assert evening.code("next_hand", table=2) == "waiting-for-tables"
    hands(evening, 1, 1, 2)


def test_CK_6_for_tda_the_hand_in_progress_is_round_1(evening) -> None:
    two_tables(evening, TDA).do("hand_for_hand", on=True)
    hands(evening, 1)
    assert evening.refusal("next_hand", table=1).detail == {"table": 1, "waiting_for": [2]}
    hands(evening, 2, 1)


def test_CK_6_for_tda_a_table_that_has_not_dealt_begins_with_hand_1(evening) -> None:
    evening.seated([1, 2, 3], [4, 5, 6], profile=TDA).do("next_hand", table=1).do("hand_for_hand", on=True)
    assert evening.refusal("next_hand", table=1).detail == {"table": 1, "waiting_for": [2]}
    hands(evening, 2, 1)


@pytest.mark.parametrize("profile", EVERY)
def test_CK_6_the_slowest_table_may_always_deal(evening, profile: str) -> None:
    evening.seated([1, 2, 3], [4, 5, 6], [7, 8, 9], profile=profile).do("hand_for_hand", on=True)
    hands(evening, 1, 2)
    assert evening.refusal("next_hand", table=2).detail["waiting_for"] == [3]
    hands(evening, 3, 3)
    assert evening.refusal("next_hand", table=3).detail["waiting_for"] == [1, 2]


def test_CK_6_tables_that_wait_are_all_named(evening) -> None:
    evening.seated([1, 2, 3], [4, 5, 6], [7, 8, 9]).do("hand_for_hand", on=True)
    hands(evening, 2)
    assert evening.refusal("next_hand", table=2).detail == {"table": 2, "waiting_for": [1, 3]}


def test_CK_6_after_it_everybody_deals_on(evening) -> None:
    two_tables(evening).do("hand_for_hand", on=True)
    hands(evening, 1)
    assert evening.code("next_hand", table=1) == "waiting-for-tables"
    evening.do("hand_for_hand", on=False)
    hands(evening, 1, 1, 1)


def test_CK_6_a_lone_player_holds_nobody_up_and_joins_with_company(evening) -> None:
    evening.seated([1, 2, 3, 4], [5, 6, 7], [8, 9]).do("hand_for_hand", on=True)
    hands(evening, 1, 2, 3).bust(9)
    hands(evening, 1, 2, 1, 2)
    evening.do("move", participant="000004", seat=[3, 5])
    hands(evening, 3)
    assert evening.refusal("next_hand", table=3).detail == {"table": 3, "waiting_for": [1, 2]}
    hands(evening, 1, 2, 3)
    dealt = [event for event in evening.events if isinstance(event, HandStarted)]
    assert [(event.table, event.together) for event in dealt[-4:]] == [(3, 4), (1, 4), (2, 4), (3, 5)]


def test_CK_6_a_table_opened_meanwhile_joins_with_the_round_that_is_to_begin(evening) -> None:
    two_tables(evening).do("hand_for_hand", on=True)
    hands(evening, 1, 2, 1, 2)
    evening.do("move", participant="000003", seat=[3, 1])
    hands(evening, 1, 2)
    evening.do("move", participant="000007", seat=[3, 2])
    hands(evening, 3)
    assert evening.events[-1].together == 4
    assert evening.code("next_hand", table=3) == "waiting-for-tables"
    hands(evening, 1, 2)


def test_CK_6_a_final_table_begins_a_round_of_its_own(evening) -> None:
    two_tables(evening).do("hand_for_hand", on=True)
    hands(evening, 1, 2, 2)
    evening.do("final_table")
    hands(evening, 1)
    assert evening.events[-1].together == 3
    hands(evening, 1, 1)


def test_CK_6_it_is_switched_on_and_off_once(evening) -> None:
    two_tables(evening)
    assert evening.code("hand_for_hand", on=False) == "hand-for-hand-off"
    evening.do("hand_for_hand", on=True)
    assert evening.code("hand_for_hand", on=True) == "hand-for-hand-on"


@pytest.mark.parametrize("on", [True, False])
def test_CK_6_only_while_the_round_runs(evening, on: bool) -> None:
    evening.opened(3)
    assert evening.code("hand_for_hand", on=on) == "not-running"
    evening.do("start").bust(1).bust(2)
    assert evening.code("hand_for_hand", on=on) == "finished"


def test_CK_6_other_reasons_against_a_hand_are_told_first(evening) -> None:
    two_tables(evening).do("hand_for_hand", on=True)
    assert evening.code("next_hand", table=9) == "no-such-table"


def test_CK_6_the_report_tells_the_round_while_it_is_on(evening) -> None:
    two_tables(evening)
    assert "hand_for_hand" not in evening.report()
    evening.do("hand_for_hand", on=True, minutes=3)
    assert evening.report()["hand_for_hand"] == {"round": 0, "minutes": 3}
    hands(evening, 1, 2, 2)
    assert evening.report()["hand_for_hand"] == {"round": 2, "minutes": 3}
    evening.do("hand_for_hand", on=False)
    assert "hand_for_hand" not in evening.report()
    evening.do("hand_for_hand", on=True)
    assert hands(evening, 1).report()["hand_for_hand"] == {"round": 1, "minutes": 2}


# The clock


@pytest.mark.parametrize("profile", EVERY)
def test_CK_6_the_clock_stands_though_play_goes_on(evening, profile: str) -> None:
    two_tables(evening, profile).after(minutes=5).do("hand_for_hand", on=True).after(minutes=30)
    assert left_s(evening) == 900
    assert evening.report()["clock"]["running"] is False
    assert evening.report()["state"] == "running"


@pytest.mark.parametrize("profile", EVERY)
def test_CK_6_each_round_takes_two_minutes_whoever_deals_first(evening, profile: str) -> None:
    two_tables(evening, profile).do("hand_for_hand", on=True)
    if profile in NEXT_HAND:
        hands(evening, 1, 2)
    assert left_s(evening) == 1200
    assert left_s(hands(evening.after(minutes=1), 2)) == 1080
    assert left_s(hands(evening.after(minutes=9), 1)) == 1080
    assert left_s(hands(evening, 1)) == 960
    assert left_s(hands(evening, 2)) == 960


def test_CK_6_the_hand_that_begins_is_of_the_level_the_clock_comes_to(evening) -> None:
    two_tables(evening).do("set_remaining", seconds=120).do("hand_for_hand", on=True)
    hands(evening, 1, 2)
    assert (evening.face().level, evening.table(2).level) == (1, 1)
    hands(evening, 2)
    assert (evening.face().level, left_s(evening), evening.table(2).level, evening.table(1).level) == (2, 1200, 2, 1)
    hands(evening, 1)
    assert evening.table(1).level == 2


def test_CK_6_what_a_round_takes_too_much_is_not_taken_from_the_next_level(evening) -> None:
    two_tables(evening).do("set_remaining", seconds=30).do("hand_for_hand", on=True)
    hands(evening, 1, 2, 1)
    assert (evening.face().level, left_s(evening)) == (2, 1200)


def test_CK_6_the_last_level_stays_at_0(evening) -> None:
    levels = [{"sb": 50, "bb": 100, "minutes": 3}]
    two_tables(evening, levels=levels).do("hand_for_hand", on=True)
    hands(evening, 1, 2, 1, 2)
    assert left_s(evening) == 60
    hands(evening, 1, 2, 1, 2)
    assert (left_s(evening), evening.report()["state"]) == (0, "running")


def test_CK_6_a_break_runs_in_real_time_and_the_clock_stands_again_with_the_next_hand(evening) -> None:
    two_tables(evening).do("next_level").do("next_level").do("set_remaining", seconds=60).do("hand_for_hand", on=True)
    hands(evening, 1, 2, 1, 2)
    assert (evening.face().on_break, left_s(evening)) == (True, 600)
    evening.after(minutes=6)
    assert (evening.face().on_break, left_s(evening)) == (True, 240)
    evening.after(minutes=5)
    assert (evening.face().level, left_s(evening), evening.face().running) == (4, 1140, True)
    hands(evening, 1)
    assert (left_s(evening), evening.face().running) == (1020, False)
    assert left_s(evening.after(minutes=5)) == 1020


def test_CK_6_a_hand_dealt_into_the_break_takes_nothing_off_it(evening) -> None:
    two_tables(evening).do("hand_for_hand", on=True).do("begin_break", minutes=10)
    hands(evening, 1, 2, 1, 2)
    assert (evening.face().on_break, left_s(evening)) == (True, 600)


@pytest.mark.parametrize("profile", EVERY)
def test_CK_6_a_house_may_merely_stop_the_clock(evening, profile: str) -> None:
    two_tables(evening, profile).do("hand_for_hand", on=True, minutes=0)
    hands(evening, 1, 2, 1, 2, 1, 2)
    assert (left_s(evening), evening.face().running, evening.report()["state"]) == (1200, False, "running")


@pytest.mark.parametrize("profile", EVERY)
def test_CK_6_never_more_than_three_minutes(evening, profile: str) -> None:
    two_tables(evening, profile)
    refusal = evening.refusal("hand_for_hand", on=True, minutes=4)
    assert (refusal.code, refusal.detail) == ("hand-for-hand-minutes", {"maximum": 3})
    evening.do("hand_for_hand", on=True, minutes=3)
    assert left_s(hands(evening, 1, 2, 1, 2)) == (1020 if profile in NEXT_HAND else 840)


def test_CK_6_after_it_the_clock_goes_on(evening) -> None:
    two_tables(evening).after(minutes=5).do("hand_for_hand", on=True)
    hands(evening, 1, 2, 1).after(minutes=9).do("hand_for_hand", on=False)
    assert (left_s(evening), evening.face().running) == (780, True)
    assert left_s(evening.after(minutes=1)) == 720


def test_CK_6_a_paused_clock_stays_paused_and_pays_nothing(evening) -> None:
    two_tables(evening).do("pause").do("hand_for_hand", on=True)
    assert evening.report()["state"] == "paused"
    hands(evening, 1, 2, 1, 2)
    assert (left_s(evening), evening.report()["state"]) == (1200, "paused")
    evening.do("hand_for_hand", on=False).after(minutes=3)
    assert (left_s(evening), evening.report()["state"]) == (1200, "paused")


def test_CK_3_CK_6_pausing_stops_play_and_resuming_it_holds_the_clock_again(evening) -> None:
    two_tables(evening).do("hand_for_hand", on=True)
    assert evening.code("resume") == "already-running"
    evening.do("pause")
    assert evening.report()["state"] == "paused"
    assert evening.code("pause") == "not-running"
    evening.do("resume").after(minutes=5)
    assert (left_s(evening), evening.face().running, evening.report()["state"]) == (1200, False, "running")
    hands(evening, 1, 2, 1)
    assert left_s(evening) == 1080


def test_CK_3_CK_6_the_clock_is_set_while_it_stands(evening) -> None:
    two_tables(evening).do("hand_for_hand", on=True).do("set_remaining", seconds=500).after(minutes=5)
    assert left_s(evening) == 500
    evening.do("next_level").after(minutes=5)
    assert (evening.face().level, left_s(evening), evening.report()["state"]) == (2, 1200, "running")
    evening.do("next_level").do("next_level").after(minutes=4)
    assert (evening.face().on_break, left_s(evening)) == (True, 360)
    evening.do("end_break").after(minutes=4)
    assert (evening.face().level, left_s(evening), evening.face().running) == (4, 1200, False)


def test_CK_6_a_break_that_was_added_ends_and_its_level_goes_on_until_the_next_hand(evening) -> None:
    two_tables(evening).do("hand_for_hand", on=True).after(minutes=3).do("begin_break", minutes=5).after(minutes=6)
    assert (evening.face().on_break, left_s(evening)) == (False, 1140)
    hands(evening, 1).after(minutes=6)
    assert left_s(evening) == 1140


# Undo


@pytest.mark.parametrize("profile", EVERY)
def test_CK_6_undo_and_redo_of_every_step(evening, profile: str) -> None:
    two_tables(evening, profile)
    steps: list[tuple[str, dict[str, Any]]] = [
        ("hand_for_hand", {"on": True}),
        *[("next_hand", {"table": table}) for table in (1, 2, 2, 1, 1)],
        ("bust", {"participant": "000001", "table": 1, "hand": 4, "stack": 100}),
        ("pause", {}),
        ("resume", {}),
        ("hand_for_hand", {"on": False}),
        ("next_hand", {"table": 1}),
    ]
    states = [evening.state_bytes()]
    for do, fields in steps:
        states.append(evening.do(do, **fields).state_bytes())
    for state in states[-2::-1]:
        assert evening.do("undo").state_bytes() == state
    for state in states[1:]:
        assert evening.do("redo").state_bytes() == state
    assert evening.replayed().round == evening.round


def test_CK_6_undo_of_the_first_hand_of_a_round_gives_its_minutes_back(evening) -> None:
    two_tables(evening).do("hand_for_hand", on=True)
    hands(evening, 1, 2, 1).after(minutes=3)
    assert left_s(evening) == 1080
    assert left_s(evening.do("undo")) == 1200
    assert left_s(evening.do("redo")) == 1080


def test_CK_6_undo_of_the_announcement_lets_the_clock_go_on_from_there(evening) -> None:
    two_tables(evening).after(minutes=5).do("hand_for_hand", on=True).after(minutes=40).do("undo").after(minutes=1)
    assert (left_s(evening), evening.face().running) == (840, True)
