"""Undo and redo: the state becomes as if the commands had never been given."""

from __future__ import annotations

from typing import Any

import pytest

from appliance.game.state import ClockState


def test_undo_counts_accepted_commands_never_refusals_or_undos(evening) -> None:
    evening.started(4).bust(1)
    before = evening.state_bytes()
    evening.bust(2)
    assert evening.code("bust", participant="000002") == "not-in-play"
    evening.do("undo")
    assert evening.state_bytes() == before
    evening.do("undo")
    assert evening.player(1).status == "in"
    evening.bust(3).do("undo", n=2)
    assert evening.report()["state"] == "open"


def test_undo_renumbers_places_seats_and_money(evening) -> None:
    evening.seated([1, 2, 3, 4, 5]).bust(1).bust(2)
    evening.do("deposit", participant="000003", amount=50).do("undo", n=3)
    assert evening.places() == []
    assert evening.table(1).seats == {n: f"00000{n}" for n in range(1, 6)}
    assert (evening.round.pool, evening.round.chips, evening.round.left) == (500, 20_000, 5)


def test_undo_after_the_finish_takes_the_end_back_with_the_bust(evening) -> None:
    evening.started(3).bust(1).after(minutes=5)
    before = evening.state_bytes()
    evening.bust(2)
    assert evening.report()["state"] == "finished"
    evening.do("undo")
    assert evening.state_bytes() == before
    evening.bust(3)
    assert evening.places() == [(1, 2), (2, 3), (3, 1)]


def test_undo_of_an_early_end_and_of_a_payout(evening) -> None:
    evening.started(3)
    before = evening.state_bytes()
    evening.do("end_early", reason="x", stacks={"000001": 1, "000002": 2, "000003": 3})
    evening.do("pay", participant="000003", amount=10).do("undo", n=2)
    assert evening.state_bytes() == before


def test_undo_goes_back_to_the_announcement_and_no_further(evening) -> None:
    evening.announce()
    announced = evening.state_bytes()
    refusal = evening.refusal("undo")
    assert (refusal.code, refusal.detail) == ("nothing-to-undo", {"n": 1, "available": 0})
    evening.do("open").register(1, 2, 3).do("start").do("next_hand", table=1).bust(1)
    assert evening.refusal("undo", n=8).detail == {"n": 8, "available": 7}
    evening.do("undo", n=7)
    assert evening.state_bytes() == announced


def test_undo_leaves_a_clock_alone_that_the_command_did_not_change(evening) -> None:
    evening.started(3).after(minutes=5).bust(1).after(minutes=5).do("undo")
    assert evening.face().remaining_ms == 10 * 60_000
    assert evening.after(minutes=10).face().level == 2


@pytest.mark.parametrize(
    ("do", "fields"),
    [("next_level", {}), ("set_remaining", {"seconds": 1}), ("begin_break", {"minutes": 9}), ("pause", {})],
)
def test_undo_of_a_clock_command_gives_level_and_remaining_time_as_at_that_command(
    evening, do: str, fields: dict[str, Any]
) -> None:
    evening.started(3).after(minutes=7).do(do, **fields).after(minutes=45).do("undo")
    face = evening.face()
    assert (face.level, face.on_break, face.running, face.remaining_ms) == (1, False, True, 13 * 60_000)
    assert evening.after(minutes=13).face().level == 2


def test_undo_of_a_resume_pauses_again_with_what_was_left(evening) -> None:
    evening.started(3).after(minutes=7).do("pause").after(minutes=2).do("resume").after(minutes=4).do("undo")
    assert evening.report()["state"] == "paused"
    assert evening.face().remaining_ms == 13 * 60_000


def test_undo_of_several_takes_the_clock_of_the_first_that_changed_it(evening) -> None:
    evening.started(3).after(minutes=3).bust(1).after(minutes=3).do("next_level").after(minutes=3)
    evening.do("pause").after(minutes=3).do("undo", n=3)
    face = evening.face()
    assert (face.level, face.running, face.remaining_ms) == (1, True, 14 * 60_000)
    assert evening.player(1).status == "in"


def test_undo_of_one_after_a_clock_command_was_undone(evening) -> None:
    """The bust did not change the clock, though the clock is not what it was before the bust."""
    evening.started(3).after(minutes=3).bust(1).do("next_level").after(minutes=2).do("undo")
    assert evening.face().remaining_ms == 17 * 60_000
    evening.after(minutes=1).do("undo")
    assert evening.face().remaining_ms == 16 * 60_000


def test_undo_of_the_start_takes_seats_and_clock_away(evening) -> None:
    evening.opened(5)
    before = evening.state_bytes()
    evening.do("start").after(minutes=9).do("undo")
    assert evening.state_bytes() == before
    assert evening.round.clock is None


def test_undo_of_the_end_gives_the_clock_of_that_moment(evening) -> None:
    evening.started(3).bust(1).after(minutes=5).bust(2).after(minutes=30).do("undo")
    face = evening.face()
    assert (face.level, face.running, face.remaining_ms) == (1, True, 15 * 60_000)


def test_undo_of_a_cancellation_and_of_a_move_to_another_date(evening) -> None:
    evening.opened(3)
    before = evening.state_bytes()
    evening.do("cancel").do("undo")
    assert evening.state_bytes() == before
    evening.do("reschedule", starts_at="2027-05-05T19:00:00+02:00").do("undo")
    assert evening.state_bytes() == before


def test_of_protects_a_strangers_command(evening) -> None:
    evening.started(4).bust(1)
    seen = f"c{evening.count}"
    evening.bust(2)
    refusal = evening.refusal("undo", of=seen)
    assert (refusal.code, refusal.detail) == ("stale", {"of": seen, "newest": f"c{evening.count - 1}"})
    evening.do("undo").do("undo", of=seen)
    assert evening.code("undo", of=seen) == "stale"


def test_redo_gives_undone_commands_again(evening) -> None:
    evening.started(5).bust(1).bust(2)
    done = evening.state_bytes()
    evening.do("undo", n=2).do("redo")
    assert evening.places() == [(5, 1)]
    evening.do("redo")
    assert evening.state_bytes() == done
    evening.do("undo", n=2).do("redo", n=2)
    assert evening.state_bytes() == done
    refusal = evening.refusal("redo")
    assert (refusal.code, refusal.detail) == ("nothing-to-redo", {"n": 1, "available": 0})


def test_redo_can_be_undone(evening) -> None:
    evening.started(4)
    before = evening.state_bytes()
    evening.bust(1).do("undo").do("redo").do("undo")
    assert evening.state_bytes() == before


def test_nothing_is_to_redo_once_another_command_came(evening) -> None:
    evening.started(4).bust(1).do("undo").bust(2)
    assert evening.code("redo") == "nothing-to-redo"


def test_a_refused_command_leaves_the_redo_there(evening) -> None:
    evening.started(4).bust(1).do("undo")
    assert evening.code("bust", participant="000009") == "not-registered"
    evening.do("redo")
    assert evening.player(1).status == "out"


def test_redo_names_what_it_saw_as_well(evening) -> None:
    evening.started(4).bust(1)
    seen = f"c{evening.count}"
    evening.bust(2).do("undo", n=2)
    assert evening.code("redo", of="c99") == "stale"
    evening.do("redo", of=seen)
    assert evening.places() == [(4, 1)]


def test_redo_of_a_clock_command_sets_the_clock_as_right_after_it(evening) -> None:
    evening.started(3).after(minutes=7).do("next_level").after(minutes=5).do("undo").after(minutes=2).do("redo")
    face = evening.face()
    assert (face.level, face.remaining_ms) == (2, 20 * 60_000)


def test_redo_of_the_end_stops_the_clock_again(evening) -> None:
    evening.started(3).bust(1).after(minutes=5).bust(2).after(minutes=1).do("undo").after(minutes=1).do("redo")
    assert evening.report()["state"] == "finished"
    assert (evening.face().running, evening.face().remaining_ms) == (False, 15 * 60_000)


def test_redo_of_another_command_leaves_the_clock_alone(evening) -> None:
    evening.started(4).after(minutes=5).bust(1).after(minutes=1).do("undo").after(minutes=1).do("redo")
    assert evening.face().remaining_ms == 13 * 60_000


def test_redo_of_the_start_keeps_the_seats_that_were_drawn(evening) -> None:
    evening.opened(9, seed=None)
    evening.do("start", drawn=77)
    seats = {player.participant: player.seat for player in evening.round.players.values()}
    evening.do("undo").after(minutes=3).do("redo", drawn=78)
    assert {player.participant: player.seat for player in evening.round.players.values()} == seats
    assert evening.round.clock == ClockState(0, True, ends_at=evening.at + 20 * 60_000)


def test_undo_and_redo_name_the_commands_they_concern(evening) -> None:
    evening.started(5).bust(1).bust(2)
    first, second = f"c{evening.count - 1}", f"c{evening.count}"
    evening.do("undo", n=2)
    assert evening.events[-1].commands == (second, first)
    evening.do("redo", n=2)
    assert evening.events[-1].commands == (first, second)
