"""Bonus stacks of the first break and the bonus card (T-12, T-13)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from appliance.game.bonus import due, settled
from appliance.game.play_events import ChipUpGiven
from appliance.game.rehearse import run
from appliance.game.state import Phase

LEVEL = {"sb": 50, "bb": 100, "minutes": 20}


def number(n: int) -> str:
    return f"{n:06d}"


def automatic(evening: Any, players: int = 4, **changes: Any) -> Any:
    """Started under `cpl` with 2,000 chips to come with the first break, an hour after the start."""
    return evening.started(players, profile="cpl", chip_up=2000, **changes)


def had(evening: Any) -> dict[int, int]:
    """Who has had how many bonus chips, as a screen shows it now."""
    round = settled(evening.round, evening.at)
    return {int(p.participant): p.chip_up for p in round.players.values() if p.chip_up}


def in_play(evening: Any) -> int:
    return evening.report()["chips_in_play"]


ALL_FOUR = {1: 2000, 2: 2000, 3: 2000, 4: 2000}


# ---- T-13, automatic


def test_T_13_all_who_are_in_get_it_in_the_very_millisecond_the_first_break_begins(evening) -> None:
    automatic(evening).bust(4).after(minutes=59, seconds=59, ms=999)
    assert (had(evening), in_play(evening)) == ({}, 16_000)
    evening.after(ms=1)
    assert (had(evening), in_play(evening)) == ({1: 2000, 2: 2000, 3: 2000}, 22_000)
    assert evening.report()["players"]["000001"]["chips"] == 6000


def test_T_13_the_next_command_tells_it_first_whatever_it_is(evening) -> None:
    automatic(evening).after(minutes=63)
    events = evening.ask("bust", participant=number(2))
    assert [type(event).__name__ for event in events] == ["ChipUpGiven", "Busted"]
    assert events[0].chips == {number(n): 2000 for n in (1, 2, 3, 4)}
    assert (had(evening), in_play(evening)) == (ALL_FOUR, 24_000)
    assert evening.replayed().round == evening.round


def test_T_13_who_goes_out_at_that_moment_still_had_it(evening) -> None:
    """The level ends and the bust is told in one millisecond: the break had begun."""
    automatic(evening).after(minutes=60).bust(2)
    assert had(evening) == ALL_FOUR


def test_T_13_who_went_out_before_had_it_not_however_late_the_next_command(evening) -> None:
    automatic(evening).after(minutes=59).bust(2).after(minutes=300).do("pause")
    assert had(evening) == {1: 2000, 3: 2000, 4: 2000}


def test_T_13_an_absent_player_is_in(evening) -> None:
    automatic(evening).do("absent", participant=number(2)).after(minutes=60)
    assert had(evening) == ALL_FOUR


def test_T_13_it_comes_once(evening) -> None:
    automatic(evening, levels=[LEVEL, {"break": 5}, LEVEL, {"break": 5}, LEVEL])
    evening.after(minutes=21).do("pause").do("resume").do("previous_level").do("next_level").after(minutes=60)
    evening.do("begin_break", minutes=5)
    assert (had(evening), in_play(evening)) == (ALL_FOUR, 24_000)
    assert sum(isinstance(event, ChipUpGiven) for event in evening.events) == 1


def test_T_13_a_break_begun_by_command_counts_if_it_is_the_first(evening) -> None:
    automatic(evening).after(minutes=7)
    events = evening.ask("begin_break", minutes=5)
    assert [type(event).__name__ for event in events] == ["ClockSet", "ChipUpGiven"]
    evening.after(minutes=100).do("pause")
    assert (had(evening), in_play(evening)) == (ALL_FOUR, 24_000)


@pytest.mark.parametrize(
    "into_it",
    [[("next_level", {})] * 3, [("set_remaining", {"seconds": 0}), ("next_level", {}), ("next_level", {})]],
)
def test_T_13_a_command_that_leads_into_the_break_gives_it_at_once(evening, into_it) -> None:
    automatic(evening)
    for do, fields in into_it:
        assert had(evening) == {}
        events = evening.ask(do, **fields)
    assert [type(event).__name__ for event in events] == ["ClockSet", "ChipUpGiven"]
    assert had(evening) == ALL_FOUR


def test_T_13_no_time_left_before_the_break_gives_it_at_once(evening) -> None:
    automatic(evening, levels=[LEVEL, {"break": 5}, LEVEL]).do("set_remaining", seconds=0)
    assert had(evening) == ALL_FOUR


def test_T_13_with_the_command_that_led_into_the_break_it_is_taken_back(evening) -> None:
    automatic(evening)
    before = msgspec.to_builtins(evening.round)
    evening.do("begin_break", minutes=5)
    after = evening.state_bytes()
    evening.do("undo")
    assert msgspec.to_builtins(evening.round) == before
    assert (had(evening), in_play(evening)) == ({}, 16_000)
    evening.do("redo")
    assert evening.state_bytes() == after


def test_T_13_what_came_by_time_is_due_again_after_an_undo(evening) -> None:
    automatic(evening).after(minutes=63).bust(2)
    evening.do("undo")
    assert not evening.round.chip_up_given
    assert (had(evening), evening.player(2).status.value) == (ALL_FOUR, "in")
    events = evening.ask("bust", participant=number(3))
    assert [type(event).__name__ for event in events] == ["ChipUpGiven", "Busted"]
    evening.do("undo").do("redo")
    assert (had(evening), in_play(evening)) == (ALL_FOUR, 24_000)


def test_T_13_an_undo_that_leads_past_the_break_does_not_forget_it(evening) -> None:
    """Nothing was told during the break; its first news comes in the level after it and is taken back."""
    automatic(evening).after(minutes=75).do("pause").do("undo")
    assert evening.face().level == 4
    assert had(evening) == ALL_FOUR


def test_T_13_a_bust_that_was_undone_in_time_had_it(evening) -> None:
    automatic(evening).after(minutes=50).bust(2).do("undo").after(minutes=10)
    assert had(evening) == ALL_FOUR


def test_T_13_a_stopped_clock_brings_no_break(evening) -> None:
    automatic(evening).after(minutes=59).do("pause").after(minutes=60)
    assert had(evening) == {}
    evening.do("resume").after(minutes=1)
    assert had(evening) == ALL_FOUR


def test_T_13_a_break_that_comes_first_of_all_is_the_first_break(evening) -> None:
    automatic(evening, levels=[{"break": 5}, LEVEL])
    assert isinstance(evening.events[-1], ChipUpGiven)
    assert (had(evening), in_play(evening)) == (ALL_FOUR, 24_000)
    assert evening.do("undo").round.phase is Phase.OPEN


def test_T_13_no_break_no_bonus(evening) -> None:
    automatic(evening, levels=[LEVEL]).after(minutes=600)
    assert had(evening) == {}


def test_T_13_a_round_that_is_over_owes_nothing(evening) -> None:
    automatic(evening, 3).bust(1).bust(2).after(minutes=61)
    assert due(evening.round, evening.at) == ()
    assert in_play(evening) == 12_000


def test_T_13_the_winner_holds_the_bonus_too(evening) -> None:
    automatic(evening, 3).bust(1).after(minutes=61).bust(2)
    assert evening.round.phase is Phase.FINISHED
    assert (evening.player(3).chips, evening.round.chips) == (16_000, 16_000)
    assert "chips-differ" not in evening.notices()


def test_T_13_a_count_is_compared_with_the_bonus(evening) -> None:
    automatic(evening).after(minutes=61).do("stacks", table=1, stacks={number(n): 6000 for n in (1, 2, 3, 4)})
    assert "chips-differ" not in evening.notices()
    evening.do("stacks", table=1, stacks={number(n): 4000 for n in (1, 2, 3, 4)})
    assert evening.notices()["chips-differ"] == {"counted": 16_000, "expected": 24_000}


def test_T_13_every_question_sees_the_bonus_before_a_record_tells_it(evening) -> None:
    """A count right at the break of four equal stacks: no notice, for the stacks have grown."""
    automatic(evening).do("stacks", table=1, stacks={number(n): 4000 for n in (1, 2, 3, 4)}).after(minutes=60)
    assert "chips-differ" not in evening.notices()
    assert in_play(evening) == 24_000


def test_T_13_a_script_until_the_break_shows_it() -> None:
    lines = [
        '{"at":"2027-01-15T18:00:00Z","do":"announce","round":"R","venue":"brno","starts_at":"2027-01-15T18:00:00Z",'
        '"profile":"cpl","deposit":100,"shares":["100"],"seats_per_table":9,"seed":1,"chip_up":500,'
        '"levels":[{"sb":50,"bb":100,"minutes":20},{"break":5},{"sb":100,"bb":200,"minutes":20}]}',
        '{"at":"2027-01-15T18:00:00Z","do":"open","round":"R"}',
        *(
            f'{{"at":"2027-01-15T18:00:00Z","do":"register","round":"R","participant":"{n}","identity_checked":true}}'
            for n in (1, 2, 3)
        ),
        '{"at":"2027-01-15T18:00:00Z","do":"start","round":"R"}',
    ]
    start = 1_800_036_000_000
    assert run(lines, start + 20 * 60_000 - 1)["chips_in_play"] == 12_000
    assert run(lines, start + 20 * 60_000)["chips_in_play"] == 13_500


# ---- T-13, by hand


def test_T_13_under_cpl_it_needs_no_hand(evening) -> None:
    automatic(evening)
    assert evening.code("chip_up") == "chip-up-automatic"
    assert evening.code("chip_up", participant=number(1)) == "chip-up-automatic"
    evening.after(minutes=61)
    assert evening.code("chip_up") == "chip-up-automatic"
    assert evening.code("chip_up", participant=number(1)) == "chip-up-used"


def test_T_13_under_cpl_one_who_is_in_and_missed_it_gets_it_by_hand(evening) -> None:
    automatic(evening).bust(2).after(minutes=61).do("reinstate", participant=number(2))
    assert had(evening) == {1: 2000, 3: 2000, 4: 2000}
    evening.do("chip_up", participant=number(2))
    assert (had(evening), evening.player(2).chips, in_play(evening)) == (ALL_FOUR, 6000, 24_000)
    assert evening.code("chip_up", participant=number(2)) == "chip-up-used"


def test_T_13_under_cpl_2017_the_commissioner_gives_it_once(evening) -> None:
    evening.started(4, chip_up=2000).bust(4).after(minutes=61)
    assert had(evening) == {}
    events = evening.ask("chip_up")
    assert [type(event).__name__ for event in events] == ["ChipUpGiven"]
    assert (had(evening), in_play(evening)) == ({1: 2000, 2: 2000, 3: 2000}, 22_000)
    assert evening.code("chip_up") == "chip-up-used"
    assert evening.do("undo").do("chip_up").round.chips == 22_000


def test_T_13_one_by_one_then_all_others(evening) -> None:
    evening.started(4, chip_up=2000).do("chip_up", participant=number(3))
    assert evening.refusal("chip_up", participant=number(3)).detail == {"participant": number(3)}
    events = evening.do("chip_up").events
    assert events[-1].chips == {number(n): 2000 for n in (1, 2, 4)}
    assert (had(evening), in_play(evening)) == (ALL_FOUR, 24_000)


def test_T_13_all_given_one_by_one_leaves_nothing_to_give(evening) -> None:
    evening.started(3, chip_up=2000)
    for n in (1, 2, 3):
        evening.do("chip_up", participant=number(n))
    assert evening.code("chip_up") == "chip-up-used"


@pytest.mark.parametrize("profile", ["casino-2012", "tda-2024"])
def test_T_13_other_houses_have_none(evening, profile: str) -> None:
    evening.started(4, profile=profile, chip_up=2000)
    refusal = evening.refusal("chip_up")
    assert (refusal.code, refusal.detail) == ("chip-up-not-allowed", {"profile": profile})
    evening.after(minutes=61)
    assert (had(evening), in_play(evening)) == ({}, 16_000)


@pytest.mark.parametrize("profile", ["cpl-2017", "cpl"])
@pytest.mark.parametrize("announced", [{}, {"chip_up": 0}])
def test_T_13_none_was_announced(evening, profile: str, announced: dict[str, int]) -> None:
    evening.started(4, profile=profile, **announced).after(minutes=61)
    refusal = evening.refusal("chip_up")
    assert (refusal.code, refusal.detail) == ("chip-up-not-allowed", {"announced": False})
    assert (had(evening), in_play(evening)) == ({}, 16_000)


def test_T_13_only_for_players_of_a_running_round(new_evening) -> None:
    assert new_evening().opened(4, chip_up=2000).code("chip_up") == "not-running"
    running = new_evening().started(4, chip_up=2000).bust(4)
    assert running.code("chip_up", participant=number(4)) == "not-in-play"
    assert running.code("chip_up", participant=number(9)) == "not-registered"
    assert running.bust(3).bust(2).code("chip_up") == "finished"


# ---- T-12

CARDS = ["cpl-2017", "cpl"]


@pytest.mark.parametrize("profile", CARDS)
def test_T_12_one_card_a_player_a_round(evening, profile: str) -> None:
    evening.started(4, profile=profile, bonus_card=1500).do("bonus_card", participant=number(2))
    assert (evening.player(2).chips, in_play(evening), evening.round.pool) == (5500, 17_500, 400)
    refusal = evening.refusal("bonus_card", participant=number(2))
    assert (refusal.code, refusal.detail) == ("bonus-card-used", {"participant": number(2)})
    evening.do("bonus_card", participant=number(3))
    assert in_play(evening) == 19_000


@pytest.mark.parametrize("profile", CARDS)
def test_T_12_not_while_holding_cards(evening, profile: str) -> None:
    evening.started(4, profile=profile, bonus_card=1500)
    assert evening.code("bonus_card", participant=number(2), holding=True) == "holding-cards"
    evening.do("bonus_card", participant=number(2), holding=False)


def test_T_12_a_used_card_is_used_whatever_the_player_holds(evening) -> None:
    evening.started(4, bonus_card=1500).do("bonus_card", participant=number(2))
    assert evening.code("bonus_card", participant=number(2), holding=True) == "bonus-card-used"


@pytest.mark.parametrize("profile", ["casino-2012", "tda-2024"])
def test_T_12_other_houses_have_none(evening, profile: str) -> None:
    refusal = evening.started(4, profile=profile, bonus_card=1500).refusal("bonus_card", participant=number(2))
    assert (refusal.code, refusal.detail) == ("bonus-card-not-allowed", {"profile": profile})


@pytest.mark.parametrize("profile", CARDS)
def test_T_12_none_was_announced(evening, profile: str) -> None:
    refusal = evening.started(4, profile=profile).refusal("bonus_card", participant=number(2))
    assert (refusal.code, refusal.detail) == ("bonus-card-not-allowed", {"announced": False})


def test_T_12_only_while_in_and_running(new_evening) -> None:
    assert new_evening().opened(4, bonus_card=1500).code("bonus_card", participant=number(1)) == "not-running"
    running = new_evening().started(4, bonus_card=1500).bust(4)
    running.do("sanction", participant=number(3), kind="exclusion", reason="urážky")
    assert running.code("bonus_card", participant=number(4)) == "not-in-play"
    assert running.refusal("bonus_card", participant=number(3)).detail["status"] == "excluded"
    assert running.code("bonus_card", participant=number(9)) == "not-registered"
    assert running.bust(2).code("bonus_card", participant=number(1)) == "finished"


def test_T_12_an_undone_card_was_not_used(evening) -> None:
    evening.started(4, bonus_card=1500)
    before = evening.state_bytes()
    evening.do("bonus_card", participant=number(2)).do("undo")
    assert evening.state_bytes() == before
    evening.do("redo")
    assert evening.code("bonus_card", participant=number(2)) == "bonus-card-used"


def test_T_12_who_comes_back_has_used_it(evening) -> None:
    evening.started(4, bonus_card=1500).do("bonus_card", participant=number(2)).bust(2)
    evening.do("reinstate", participant=number(2))
    assert evening.code("bonus_card", participant=number(2)) == "bonus-card-used"


@pytest.mark.parametrize("profile", CARDS)
def test_T_12_T_13_bonus_chips_cost_no_crown_and_win_none(evening, profile: str) -> None:
    evening.started(4, profile=profile, chip_up=2000, bonus_card=1500).after(minutes=61)
    evening.do("bonus_card", participant=number(1))
    if profile == "cpl-2017":
        evening.do("chip_up")
    assert (in_play(evening), evening.round.pool) == (16_000 + 8000 + 1500, 400)
    for n in (4, 3, 2):
        evening.bust(n)
    assert evening.prizes() == {1: 200, 2: 120, 3: 80, 4: 0}
