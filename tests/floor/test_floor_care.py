"""The floor menu in the hands of somebody who has never seen it: nothing is thrown away, sent away or asked in vain."""

from __future__ import annotations

import pytest

from appliance.floor.catalogue import ACTIONS
from appliance.floor.menu import answered, press
from appliance.floor.said import say
from appliance.game.refusal import Refusal
from tests.floor.conftest import ENGLISH, Desk
from tests.game.conftest import Evening, number


def playing(**place: object) -> Desk:
    return Desk(Evening().seated([1, 2, 3, 4], [5, 6, 7]).do("next_hand", table=1), **place).begin()


def told(desk: Desk) -> list[str]:
    return [say(line.text, ENGLISH) for line in desk.shown.lines if line.item is None]


def at_confirm(desk: Desk, action: str, *values: str) -> Desk:
    desk.choose(action).take(*values)
    for _ in range(20):
        if desk.open.page == "confirm":
            return desk
        desk.turn_to(next(key for key in ("finish", desk.keys()[0]) if desk.keys().count(key)))
    raise AssertionError("the form asks on and on")


@pytest.mark.parametrize(
    ("action", "values"),
    [("cancel", ()), ("end_early", ()), ("void", ("000001",)), ("sanction", ("000001", "exclusion"))],
)
def test_what_ends_or_throws_away_stands_at_the_way_back(action: str, values: tuple[str, ...]) -> None:
    desk = playing()
    if action == "cancel":
        desk = Desk(Evening().opened(3))
    at_confirm(desk, action, *values)
    assert desk.keys()[desk.open.cursor] == "back"
    assert not desk.press("enter").sent


@pytest.mark.parametrize(
    ("action", "values"), [("bust", ("000001",)), ("move", ("000004", "2.4")), ("sanction", ("000001", "warning"))]
)
def test_what_happens_every_evening_stands_at_yes(action: str, values: tuple[str, ...]) -> None:
    desk = at_confirm(playing(), action, *values)
    assert desk.keys()[desk.open.cursor] == "confirm"


def test_digits_choose_lines_of_a_list_that_is_no_list_of_players() -> None:
    desk = playing().choose("ruling")
    assert [line.digit for line in desk.shown.lines][:10] == [*"123456789", ""]
    assert desk.press("0").open.field == "ruling"
    assert desk.press("2").open.answers == {"ruling": "I-2"}


def test_an_action_that_appears_leaves_the_others_their_digits() -> None:
    desk = playing()
    desk.turn_to("group:clock")
    before = {say(line.text, ENGLISH): line.digit for line in desk.shown.lines}
    desk.evening.do("time_call", table=1, participant=number(1))
    after = {say(line.text, ENGLISH): line.digit for line in desk.shown.lines}
    assert before.keys() != after.keys()
    assert all(after[text] == digit for text, digit in before.items() if text in after)
    digits = [digit for digit in after.values() if digit]
    assert digits == sorted(set(digits))


def test_digits_on_a_page_that_says_what_became_of_it_do_nothing() -> None:
    desk = at_confirm(playing(), "bust", "000001").yes()
    before = desk.open
    assert before.page == "done" and desk.press(*"0123456789").open == before


def test_a_digit_that_nothing_begins_with_is_said_and_enter_throws_nothing_away() -> None:
    desk = playing().choose("bust").press("8", "enter")
    assert desk.open.page == "field" and desk.keys() == ["back"]
    assert "Delete the digits" in say(desk.shown.hint, ENGLISH)
    assert desk.press("delete").keys()[0] == "option:000001"


def test_a_player_of_this_table_is_found_by_the_seat_and_from_three_digits_on_by_the_number() -> None:
    desk = Desk(Evening().seated([5, 6, 1], [7, 2])).choose("bust")
    assert [line.seat for line in desk.shown.lines][:4] == [1, 2, 3, None]
    desk.press("3")
    assert desk.keys()[:2] == ["option:000001", "back"]
    assert say(desk.shown.number, ENGLISH) == "seat 3, or number 3…"
    desk.press("delete", "2")
    assert desk.keys() == ["option:000006", "option:000002", "back"], "the seat first, then the number"
    desk.press("delete", "0", "0", "2")
    assert desk.keys() == ["option:000002", "back"] and say(desk.shown.number, ENGLISH) == "number 002…"


def test_at_the_door_digits_are_a_number() -> None:
    desk = playing(place="door", table=None).choose("bust").press("2")
    assert desk.keys() == ["option:000002", "back"] and say(desk.shown.number, ENGLISH) == "number 2…"


def test_nobody_is_sent_to_a_table_nobody_plays_at_without_being_asked() -> None:
    desk = Desk(Evening().seated([1, 2, 3, 4], [5, 6, 7], capacity=30)).choose("move").take("000004")
    idle = [line for line in desk.shown.lines if say(line.detail, ENGLISH) == "nobody plays there"]
    offered = [line for line in desk.shown.lines if line.tone == "plain"]
    assert idle and offered[-len(idle) :] == idle
    keys = desk.keys()
    desk.turn_to(next(key for key in keys if key.startswith("option:3.")))
    assert "Nobody plays at table 3. Really there?" in desk.reads()
    assert desk.keys()[desk.open.cursor] == "back"


def test_a_move_is_told_from_where_to_where() -> None:
    desk = at_confirm(playing(), "move", "000004", "2.4")
    assert desk.reads() == "Player 4 moves from table 1, seat 4, to table 2, seat 4."


def test_T_4_a_raised_deposit_says_how_many_chips_to_hand_out_and_what_the_limit_leaves() -> None:
    desk = at_confirm(playing(), "deposit", "000001")
    assert desk.reads() == "Player 1 pays CZK\u00a0100 more and gets 4,000 chips."
    left = "Left of the limit of CZK\u00a0500 in 24 hours: CZK\u00a0300."
    assert told(desk) == [left]
    desk.yes()
    assert told(desk) == ["Chips to hand out to Player 1: 4,000.", left]


def test_a_form_without_an_answer_is_sent_again_as_it_was() -> None:
    desk = playing().choose("busts")
    for who in ("000001", "000002"):
        desk.turn_to(f"who:{who}").press("1", "0", "0", "enter")
    desk.turn_to("finish")
    step = press(desk.open, f"item:{desk.keys().index('confirm')}", desk.here)
    assert step.menu is not None and step.command is not None
    sent = step.command
    desk.menu = answered(step.menu, Refusal("no-answer"))
    assert desk.keys()[0] == "retry"
    assert press(desk.open, "enter", desk.here).command == sent
    desk.turn_to("form")
    assert press(desk.open, f"item:{desk.keys().index('confirm')}", desk.here).command == sent


def test_I_13_advice_needs_no_director_and_only_the_record_does() -> None:
    desk = at_confirm(playing(director=False), "ruling", "I-1")
    assert desk.shown.aloud and len(told(desk)) >= 3
    desk.turn_to("confirm")
    assert desk.open.page == "confirm" and say(desk.shown.hint, ENGLISH) == "The director does not answer."
    assert desk.press("enter").sent == []


def test_the_procedure_stays_once_it_is_recorded() -> None:
    desk = at_confirm(playing(), "ruling", "I-1")
    read = told(desk)
    desk.yes()
    assert desk.open.page == "done" and desk.shown.aloud and told(desk) == read


def test_every_group_has_a_digit_but_phones_which_nobody_is_in_a_hurry_for() -> None:
    assert {action.group for action in ACTIONS} >= {"players", "clock"}
    lines = [line for line in playing().shown.lines if line.tone != "back"]
    assert [say(line.text, ENGLISH) for line in lines if not line.digit] == ["Phones"]


def test_CK_1_the_sentence_names_the_level_or_break_the_clock_goes_to() -> None:
    desk = playing().choose("next_level")
    assert desk.reads() == "The clock goes on to level 2: 100 / 200."
    desk.evening.do("next_level").do("next_level")
    desk.choose("next_level")
    assert desk.reads() == "The clock goes on to a break of 10 min."
    desk.choose("previous_level")
    assert desk.reads() == "The clock goes back to level 2: 100 / 200."


def test_CK_1_two_commissioners_who_confirm_the_same_step_make_it_once() -> None:
    desk = playing()
    other = Desk(desk.evening).choose("next_level")
    desk.choose("next_level").yes()
    assert desk.open.page == "done"
    other.turn_to("confirm")
    assert other.open.refusal is not None and other.open.refusal.code == "stale" and other.sent == []
    assert desk.evening.face().level == 2
