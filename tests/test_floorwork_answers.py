"""The floor menu and the director's answers: those that do not come, come late, or stand in the own copy already."""

import functools

import pytest

from appliance.floor.catalogue import BY_ID, GROUPS
from appliance.floor.said import say
from appliance.floorsent import LastSent
from appliance.game.commands import Pause, Undo
from appliance.hw.panel import Signal
from tests.test_floorwork import EN, choose, clock, kiosk, pause, put_out, work

__all__ = ["clock", "kiosk", "work"]


def test_no_answer_is_said_as_such_and_the_command_done_again_is_the_same_one(work, kiosk):
    pause(work, kiosk)
    kiosk.answer("no-answer")
    assert "may have been done" in say(kiosk.shown.question, EN) and not kiosk.shown.good
    choose(work, kiosk, "To the menu")
    pause(work, kiosk)
    assert [(number, type(command)) for number, command, _, _ in kiosk.sent] == [("id-1", Pause)] * 2
    kiosk.answer("no-answer")
    choose(work, kiosk, "Try again")
    assert [number for number, *_ in kiosk.sent] == ["id-1"] * 3
    kiosk.answer()
    assert kiosk.page is None
    work.open("000001", "04FF")
    pause(work, kiosk)
    assert kiosk.sent[-1][0] == "id-4", "once answered, the next one is another"


@pytest.mark.parametrize("taken_back", [False, True])
def test_what_the_own_copy_shows_was_done_needs_no_answer_and_is_another_command_next_time(work, kiosk, taken_back):
    next_hand = (GROUPS["clock"], BY_ID["next_hand"].label)
    choose(work, kiosk, *next_hand)
    kiosk.answer("no-answer")
    kiosk.carry_out(*kiosk.sent[0][:2])
    if taken_back:
        kiosk.carry_out("another", Undo(round="R1"))
    work.changed()
    assert (kiosk.page is None) is not taken_back
    work.open("000001", "04FF")
    choose(work, kiosk, *next_hand)
    assert [number for number, *_ in kiosk.sent] == ["id-1", "id-2"]


def test_an_answer_that_was_lost_is_no_doubt_where_the_own_copy_has_what_it_would_have_said(work, kiosk):
    pause(work, kiosk)
    kiosk.carry_out(*kiosk.sent[0][:2])
    work.changed()
    assert kiosk.shown.busy
    kiosk.answer("no-answer")
    assert kiosk.page is None and kiosk.signals == [Signal.ACCEPTED]


def test_an_answer_that_comes_when_the_menu_has_left_is_told_if_it_is_bad(work, kiosk):
    pause(work, kiosk)
    work.close()
    kiosk.answer("finished")
    assert kiosk.refused == ["finished"] and kiosk.page is None
    work.open("000001", "04FF")
    pause(work, kiosk)
    work.close()
    work.open("000001", "04FF")
    kiosk.answer("finished")
    assert kiosk.refused == ["finished"] and not kiosk.shown.busy and kiosk.shown.good is None
    assert kiosk.shown.warned, "below the menu nobody would see it"
    assert say(kiosk.shown.hint, EN) == f"Not done – {BY_ID['pause'].label}: The round is over."
    work.turned(1)
    assert not kiosk.shown.warned


def test_an_answer_that_comes_when_the_menu_has_left_is_told_if_it_is_good_and_once_below_another_menu(work, kiosk):
    put_out(work, kiosk)
    who = kiosk.sent[0][1].participant
    work.close()
    kiosk.answer()
    assert kiosk.done_late == [f"{BY_ID['bust'].label} · {who}"] and kiosk.page is None
    work.open("000001", "04FF")
    pause(work, kiosk)
    work.close()
    work.open("000001", "04FF")
    kiosk.answer()
    assert len(kiosk.done_late) == 1 and not kiosk.shown.warned, "another menu hides the screen; the light has told"
    assert kiosk.signals == [Signal.ACCEPTED] * 2


def test_a_command_has_its_id_until_it_is_answered_whatever_older_answers_come():
    last, ids = LastSent(), iter("abcdef")
    pause, undo = Pause(round="R1"), Undo(round="R1")
    fresh = functools.partial(next, ids)
    first = last.send("1", pause, "", fresh)
    assert last.send("1", pause, "", fresh).number == "a", "the director answers it as it did before"
    assert last.send("2", pause, "", fresh).number == "b", "another person's is another command"
    second = last.send("1", undo, "", fresh)
    last.answered(first)
    assert last.send("1", undo, "", fresh) is second and second.number == "c"
    last.answered(second)
    assert last.send("1", undo, "", fresh).number == "d"
