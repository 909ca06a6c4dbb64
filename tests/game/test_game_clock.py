"""The clock: CK-1, CK-2, CK-3."""

from __future__ import annotations

from typing import Any

import pytest


def level(n: int, minutes: int = 20) -> dict[str, int]:
    return {"sb": 50 * n, "bb": 100 * n, "ante": 0, "minutes": minutes}


def shown(evening: Any) -> tuple[int, bool, int]:
    """Level, on a break, seconds left."""
    face = evening.face()
    return face.level, face.on_break, face.remaining_ms // 1000


def test_CK_1_before_the_start_the_first_level_waits_at_full_length(evening) -> None:
    evening.opened(3)
    assert shown(evening) == (1, False, 1200)
    assert evening.report()["clock"]["running"] is False
    assert evening.after(minutes=30).face().remaining_ms == 1_200_000


def test_CK_1_levels_are_numbered_without_breaks_and_a_break_shows_the_level_just_played(evening) -> None:
    evening.started(3)
    evening.after(minutes=59, seconds=59)
    assert shown(evening) == (3, False, 1)
    evening.after(seconds=1)
    assert shown(evening) == (3, True, 600)
    assert evening.report()["state"] == "running"
    assert evening.notices()["break-started"] == {"level": 3, "minutes": 10}
    evening.after(minutes=10)
    assert shown(evening) == (4, False, 1200)


def test_CK_1_after_the_last_entry_the_last_level_stays_at_0(evening) -> None:
    evening.started(3, levels=[level(1), level(2)]).after(minutes=200)
    assert shown(evening) == (2, False, 0)
    assert evening.face().ends_at is None
    assert evening.code("next_level") == "no-such-level"
    evening.do("previous_level")
    assert shown(evening) == (1, False, 1200)


def test_CK_1_a_break_at_the_end_is_over_when_it_is_over(evening) -> None:
    evening.started(3, levels=[level(1), {"break": 5}]).after(minutes=24)
    assert shown(evening) == (1, True, 60)
    evening.after(minutes=1)
    assert shown(evening) == (1, False, 0)
    assert evening.code("end_break") == "not-on-break"


def test_CK_1_a_break_at_the_end_can_be_ended(evening) -> None:
    evening.started(3, levels=[level(1), {"break": 5}]).after(minutes=21).do("end_break")
    assert shown(evening) == (1, False, 0)


def test_CK_1_a_leading_break_shows_the_level_to_come(evening) -> None:
    evening.started(3, levels=[{"break": 5}, level(1)])
    assert shown(evening) == (1, True, 300)
    assert shown(evening.after(minutes=5)) == (1, False, 1200)


@pytest.mark.parametrize("profile", ["cpl-2017", "cpl"])
def test_CK_1_the_league_wants_the_small_blind_to_be_half(new_evening, profile: str) -> None:
    odd = [level(1), {"sb": 50, "bb": 150, "minutes": 20}]
    fields = {**_announcement(), "profile": profile, "levels": odd}
    refusal = new_evening().refusal("announce", **fields)
    assert refusal.code == "small-blind"
    assert refusal.detail == {"level": 2, "sb": 50, "bb": 150, "rule": "half"}


@pytest.mark.parametrize("profile", ["casino-2012", "tda-2024"])
def test_CK_1_elsewhere_it_is_at_most_the_big_blind(new_evening, profile: str) -> None:
    new_evening().announce(profile=profile, levels=[{"sb": 100, "bb": 100, "minutes": 20}])
    new_evening().announce(profile=profile, levels=[{"sb": 0, "bb": 100, "ante": 10, "minutes": 20}])
    more = {**_announcement(), "profile": profile, "levels": [{"sb": 150, "bb": 100, "minutes": 20}]}
    assert new_evening().code("announce", **more) == "small-blind"


def _announcement() -> dict[str, Any]:
    return {
        "venue": "brno",
        "starts_at": "2027-01-15T19:00:00+01:00",
        "deposit": 100,
        "shares": ["100"],
        "seats_per_table": 9,
    }


def test_CK_1_next_and_previous_go_one_entry_breaks_included_at_full_length(evening) -> None:
    evening.started(3).after(minutes=5)
    for expected in [(2, False, 1200), (3, False, 1200), (3, True, 600), (4, False, 1200)]:
        assert shown(evening.do("next_level")) == expected
        evening.after(minutes=1)
    assert shown(evening.do("previous_level")) == (3, True, 600)
    assert shown(evening.do("previous_level")) == (3, False, 1200)
    evening.do("previous_level").do("previous_level")
    assert evening.code("previous_level") == "no-such-level"


def test_CK_1_next_and_previous_keep_a_pause(evening) -> None:
    evening.started(3).do("pause").do("next_level").after(minutes=3)
    assert shown(evening) == (2, False, 1200)
    assert evening.report()["state"] == "paused"
    assert shown(evening.do("previous_level").after(minutes=3)) == (1, False, 1200)


def test_CK_2_a_new_level_shows_at_its_time_and_counts_at_a_table_from_its_next_hand(evening) -> None:
    evening.seated([1, 2, 3], [4, 5, 6]).do("next_hand", table=1)
    assert evening.report()["tables"]["1"]["level"] == 1
    evening.after(minutes=20).do("next_hand", table=2)
    found = evening.report()
    assert found["clock"]["level"] == 2
    assert (found["tables"]["1"]["level"], found["tables"]["2"]["level"]) == (1, 2)
    assert (evening.table(1).big_blind, evening.table(2).big_blind) == (100, 200)
    evening.do("next_hand", table=1)
    assert evening.table(1).level == 2


def test_CK_2_a_hand_that_begins_the_millisecond_before_is_of_the_old_level(evening) -> None:
    evening.seated([1, 2, 3]).after(minutes=20, ms=-1).do("next_hand", table=1)
    assert evening.table(1).level == 1
    assert evening.after(ms=1).do("next_hand", table=1).table(1).level == 2


def test_CK_3_pause_and_resume_lose_no_time(evening) -> None:
    evening.started(3).after(minutes=7).do("pause")
    assert evening.report()["state"] == "paused"
    assert evening.code("pause") == "not-running"
    evening.after(minutes=90)
    assert shown(evening) == (1, False, 780)
    evening.do("resume")
    assert evening.code("resume") == "already-running"
    assert shown(evening.after(minutes=13)) == (2, False, 1200)


def test_CK_3_a_break_is_added_and_the_level_goes_on_afterwards(evening) -> None:
    evening.started(3).after(minutes=5).do("begin_break", minutes=15)
    assert shown(evening) == (1, True, 900)
    assert evening.face().level_ms == 900_000
    assert evening.code("begin_break", minutes=5) == "on-break"
    assert shown(evening.after(minutes=15)) == (1, False, 900)
    assert shown(evening.after(minutes=15)) == (2, False, 1200)


def test_CK_3_an_added_break_is_ended(evening) -> None:
    evening.started(3).after(minutes=5).do("begin_break", minutes=15).after(minutes=2).do("end_break")
    assert shown(evening) == (1, False, 900)
    assert evening.code("end_break") == "not-on-break"


def test_CK_3_a_break_of_the_structure_is_ended(evening) -> None:
    evening.started(3).after(minutes=63).do("end_break")
    assert shown(evening) == (4, False, 1200)


def test_CK_3_from_an_added_break_next_goes_on_and_previous_back_to_its_level(evening, new_evening) -> None:
    evening.started(3).after(minutes=5).do("begin_break", minutes=15).do("next_level")
    assert shown(evening) == (2, False, 1200)
    other = new_evening().started(3).after(minutes=5).do("begin_break", minutes=15).do("previous_level")
    assert shown(other) == (1, False, 1200)


def test_CK_3_an_added_break_keeps_a_pause(evening) -> None:
    evening.started(3).after(minutes=5).do("pause").do("begin_break", minutes=10).after(minutes=30)
    assert shown(evening) == (1, True, 600)
    assert evening.report()["state"] == "paused"
    evening.do("resume").after(minutes=10)
    assert shown(evening) == (1, False, 900)


def test_CK_3_the_remaining_time_is_set(evening) -> None:
    evening.started(3).do("set_remaining", seconds=90)
    assert shown(evening) == (1, False, 90)
    assert shown(evening.after(seconds=90)) == (2, False, 1200)
    evening.do("pause").do("set_remaining", seconds=45).after(minutes=5)
    assert shown(evening) == (2, False, 45)
    evening.do("set_remaining", seconds=0).do("resume")
    assert shown(evening) == (3, False, 1200)


def test_CK_3_nothing_before_the_start_and_nothing_after_the_end(evening) -> None:
    commands: dict[str, dict[str, int]] = {
        "pause": {},
        "resume": {},
        "next_level": {},
        "previous_level": {},
        "begin_break": {"minutes": 5},
        "end_break": {},
        "set_remaining": {"seconds": 5},
    }
    evening.opened(3)
    assert {evening.code(do, **fields) for do, fields in commands.items()} == {"not-running"}
    evening.do("start").bust(1).bust(2)
    assert {evening.code(do, **fields) for do, fields in commands.items()} == {"finished"}


def test_the_clock_stops_with_the_end(evening) -> None:
    evening.started(3).bust(1).after(minutes=5).bust(2).after(minutes=30)
    assert shown(evening) == (1, False, 900)
    assert evening.face().running is False


def test_the_face_knows_what_comes_next(evening) -> None:
    evening.started(3).after(minutes=25)
    face = evening.face()
    assert (face.next_entry.level, face.next_entry.bb, face.next_break_in_ms) == (3, 300, 35 * 60_000)
    assert face.ends_at == evening.at + 15 * 60_000
    face = evening.after(minutes=37).face()
    assert (face.on_break, face.next_break_in_ms, face.next_entry.level) == (True, None, 4)
    assert evening.after(minutes=10).face().next_break_in_ms is None
    face = evening.do("begin_break", minutes=5).face()
    assert face.next_entry.level == 4


def test_a_second_that_has_begun_counts_as_left(evening) -> None:
    evening.started(3).after(ms=1)
    assert evening.report()["clock"]["remaining_s"] == 1200
    assert evening.after(ms=999).report()["clock"]["remaining_s"] == 1199


EVERY = ["cpl-2017", "cpl", "casino-2012", "tda-2024"]


@pytest.mark.parametrize("profile", EVERY)
def test_CK_3_a_break_of_the_structure_is_paused_and_goes_on_with_what_it_had_left(evening, profile: str) -> None:
    evening.started(3, profile=profile).after(minutes=63).do("pause").after(minutes=30)
    assert shown(evening) == (3, True, 420)
    assert evening.report()["state"] == "paused"
    assert shown(evening.do("resume").after(minutes=6)) == (3, True, 60)
    assert shown(evening.after(minutes=1)) == (4, False, 1200)


@pytest.mark.parametrize("profile", EVERY)
def test_CK_3_what_is_left_of_a_break_is_set(evening, profile: str) -> None:
    evening.started(3, profile=profile).after(minutes=63).do("set_remaining", seconds=1200).after(minutes=19)
    assert shown(evening) == (3, True, 60)
    evening.do("set_remaining", seconds=0)
    assert shown(evening) == (4, False, 1200)


@pytest.mark.parametrize("profile", EVERY)
def test_CK_3_nothing_left_of_a_level_that_runs_is_the_next_one(evening, profile: str) -> None:
    evening.started(3, profile=profile).after(minutes=5).do("set_remaining", seconds=0)
    assert shown(evening) == (2, False, 1200)


@pytest.mark.parametrize("profile", EVERY)
def test_CK_1_from_a_break_previous_is_the_level_just_played_and_next_the_one_to_come(
    new_evening, profile: str
) -> None:
    evening = new_evening().started(3, profile=profile).after(minutes=63).do("previous_level")
    assert shown(evening) == (3, False, 1200)
    evening = new_evening().started(3, profile=profile).after(minutes=63).do("next_level")
    assert shown(evening) == (4, False, 1200)


@pytest.mark.parametrize("profile", EVERY)
def test_CK_1_next_and_previous_keep_a_pause_into_and_out_of_a_break(evening, profile: str) -> None:
    evening.started(3, profile=profile).do("pause").do("next_level").do("next_level").do("next_level")
    assert shown(evening.after(minutes=50)) == (3, True, 600)
    assert evening.report()["state"] == "paused"
    assert shown(evening.do("next_level").after(minutes=50)) == (4, False, 1200)
    assert shown(evening.do("previous_level").after(minutes=50)) == (3, True, 600)
    assert evening.report()["state"] == "paused"


@pytest.mark.parametrize("profile", EVERY)
def test_CK_1_the_last_level_at_0_can_be_given_time_again(evening, profile: str) -> None:
    evening.started(3, profile=profile, levels=[level(1), level(2)]).after(minutes=60)
    assert shown(evening.do("set_remaining", seconds=300).after(minutes=4)) == (2, False, 60)
    assert shown(evening.after(minutes=2)) == (2, False, 0)
    assert evening.report()["state"] == "running"


def test_CK_3_a_break_is_added_at_the_end_of_the_structure(evening) -> None:
    evening.started(3, levels=[level(1)]).after(minutes=30).do("begin_break", minutes=5)
    assert shown(evening) == (1, True, 300)
    assert shown(evening.after(minutes=5)) == (1, False, 0)
    assert evening.code("end_break") == "not-on-break"


@pytest.mark.parametrize("profile", EVERY)
def test_CK_2_a_level_changed_by_command_counts_from_the_next_hand_too(evening, profile: str) -> None:
    evening.started(3, profile=profile).do("next_hand", table=1).do("next_level").do("next_level")
    assert (evening.face().level, evening.table(1).level) == (3, 1)
    assert evening.do("next_hand", table=1).table(1).level == 3
    evening.do("previous_level")
    assert evening.table(1).level == 3
    assert evening.do("next_hand", table=1).table(1).level == 2


@pytest.mark.parametrize("profile", EVERY)
def test_CK_2_a_hand_in_a_break_is_of_the_level_just_played(evening, profile: str) -> None:
    evening.started(3, profile=profile).after(minutes=63).do("next_hand", table=1)
    assert (evening.face().on_break, evening.table(1).level) == (True, 3)


@pytest.mark.parametrize("profile", EVERY)
def test_CK_3_every_change_of_the_clock_is_recorded_with_its_command(evening, profile: str) -> None:
    commands: list[tuple[str, dict[str, int]]] = [
        ("pause", {}), ("resume", {}), ("next_level", {}), ("previous_level", {}),
        ("begin_break", {"minutes": 5}), ("end_break", {}), ("set_remaining", {"seconds": 60}),
    ]  # fmt: skip
    evening.started(3, profile=profile)
    known = len(evening.events)
    for do, fields in commands:
        evening.after(seconds=1).do(do, **fields)
    assert [(type(event).__name__, event.by) for event in evening.events[known:]] == [
        ("ClockSet", do) for do, _ in commands
    ]


@pytest.mark.parametrize("profile", EVERY)
def test_CK_3_each_change_of_the_clock_is_undone_and_given_again(evening, profile: str) -> None:
    """At once, so that the whole state can be compared; with time between, the clock is as at that command."""
    commands: list[tuple[str, dict[str, int]]] = [
        ("begin_break", {"minutes": 5}), ("pause", {}), ("set_remaining", {"seconds": 60}), ("end_break", {}),
        ("next_level", {}), ("resume", {}), ("previous_level", {}),
    ]  # fmt: skip
    evening.started(3, profile=profile).after(minutes=3)
    states = [evening.state_bytes()]
    for do, fields in commands:
        states.append(evening.do(do, **fields).state_bytes())
    for state in states[-2::-1]:
        assert evening.do("undo").state_bytes() == state
    for state in states[1:]:
        assert evening.do("redo").state_bytes() == state
