"""The floor menu under the fingers: lists and numbers, cards, ways back, and what others do meanwhile."""

from __future__ import annotations

import pytest

from appliance.floor.menu import Menu, answered, press
from appliance.floor.said import say
from appliance.game import commands as c
from appliance.game.refusal import Refusal
from appliance.game.state import Status
from tests.floor.conftest import ENGLISH, Desk
from tests.game.conftest import Evening, number


def playing() -> Desk:
    return Desk(Evening().seated([1, 2, 3, 4], [5, 6, 7]).do("next_hand", table=1)).begin()


# -- lists and numbers -----------------------------------------------------------------------------------


def test_the_knob_goes_round_so_that_the_way_back_is_one_click_away() -> None:
    desk = playing().press("up")
    assert desk.keys()[desk.open.cursor] == "leave"
    assert desk.press("enter").menu is None


def test_a_touched_line_is_chosen() -> None:
    desk = playing()
    desk.press(f"item:{desk.keys().index('group:clock')}")
    assert desk.open.group == "clock"
    assert desk.press("item:99").open.group == "clock"


def test_digits_narrow_a_list_of_players_down() -> None:
    desk = playing().choose("bust").press("6")
    assert desk.keys() == ["option:000006", "back"]
    assert desk.press("delete").keys()[0] == "option:000001"
    desk.press("0", "0", "7", "enter")
    assert desk.open.answers["participant"] == number(7)


def test_a_number_is_typed_or_turned_to_on_whole_steps() -> None:
    desk = playing().choose("deposit").take("000001")
    assert desk.open.value == 100
    assert desk.press("up").open.value == 110
    desk.press("7", "5", "enter")
    assert desk.open.answers["amount"] == 75
    desk.turn_to("field:amount").press("up")
    assert desk.open.value == 80


def test_a_time_is_typed_as_minutes_and_seconds() -> None:
    desk = playing().choose("set_remaining").press("1", "2", "3", "0")
    assert say(desk.shown.number, ENGLISH) == "12:30"
    desk.press("enter").yes()
    assert desk.sent == [c.SetRemaining(round="R1", seconds=750, seen=1)]


def test_a_number_out_of_bounds_is_refused_at_once() -> None:
    desk = playing().choose("begin_break").press("9", "9", "9", "9", "enter")
    assert desk.open.page == "field"
    assert desk.open.refusal == Refusal("out-of-bounds", {"least": 1, "most": 1440})


def test_up_and_down_stop_at_the_bounds() -> None:
    desk = playing().choose("begin_break").press("1", "down", "down", "down")
    assert desk.open.value == 1


def test_a_text_is_typed_where_there_is_a_keyboard() -> None:
    desk = (
        playing().choose("void").take("000001").press("char:c", "char:i", "char:z", "char:í", "char: ", "enter").yes()
    )
    assert desk.sent[-1].reason == "ciz\u00ed"  # type: ignore[attr-defined]
    desk = playing().choose("void").take("000001").press("text:" + "x" * 900).yes()
    assert len(desk.sent[-1].reason) == 500  # type: ignore[attr-defined]


# -- ways back -------------------------------------------------------------------------------------------


def test_back_goes_through_the_questions_to_the_list_and_out() -> None:
    desk = playing().choose("move").take("000004", "2.4")
    pages = []
    while desk.menu is not None:
        pages.append((desk.open.page, desk.open.field))
        desk.press("back")
    assert pages == [
        ("confirm", None), ("field", "seat"), ("field", "participant"), ("actions", None), ("groups", None),
    ]  # fmt: skip


def test_back_keeps_what_was_answered_before() -> None:
    desk = playing().choose("move").take("000004", "2.4").press("back", "back")
    assert desk.keys()[desk.open.cursor] == "option:000001" and desk.open.answers == {}


def test_a_change_comes_back_to_the_confirming_page() -> None:
    desk = playing().choose("bust").take("000002").turn_to("field:stack").press("3", "0", "0", "enter")
    assert desk.open.page == "confirm" and desk.open.answers["stack"] == 300
    desk.turn_to("field:by").press("back")
    assert desk.open.page == "confirm" and desk.open.answers["stack"] == 300


def test_another_player_takes_the_hand_of_their_own_table() -> None:
    desk = playing()
    desk.evening.do("next_hand", table=2).do("next_hand", table=2)
    desk.choose("bust").take("000002")
    assert desk.open.answers["hand"] == 1
    desk.turn_to("field:participant").take("000006")
    assert desk.open.answers["hand"] == 2


def test_an_optional_answer_can_be_left_open_again() -> None:
    desk = playing().choose("bust").take("000002").turn_to("field:by").take("000001").turn_to("field:by")
    desk.turn_to("skip")
    assert desk.open.page == "confirm" and "by" not in desk.open.answers


def test_one_of_several_can_be_taken_off_the_list() -> None:
    desk = playing().choose("busts").turn_to("who:000002").dial(300).turn_to("who:000002").turn_to("remove")
    assert desk.open.draft == ()
    desk.turn_to("finish")
    assert desk.open.refusal == Refusal("incomplete")


def test_done_leads_out_or_to_the_menu() -> None:
    desk = playing().choose("pause")
    assert desk.open.page == "done"
    assert desk.keys() == ["leave", "again"]
    assert desk.turn_to("again").open.page == "groups"


def test_nothing_is_sent_while_an_answer_is_awaited() -> None:
    here = playing().here
    waiting = Menu(page="waiting", action="pause")
    for key in ("down", "5", "card:000001", "char:x", "delete"):
        step = press(waiting, key, here)
        assert step.menu is not None and step.menu.page == "waiting" and step.command is None
    assert press(waiting, "back", here).menu is None


# -- cards -----------------------------------------------------------------------------------------------


def test_a_card_answers_the_question_for_a_player() -> None:
    desk = playing().choose("bust").press("card:000003")
    assert desk.open.page == "confirm" and desk.open.answers["participant"] == number(3)


def test_a_card_says_first_whom_it_is_about() -> None:
    desk = playing().press("card:000003")
    assert desk.reads(desk.shown.title) == "Player 3"
    assert {"action:bust", "action:sanction", "action:deposit", "action:time_call"} <= set(desk.keys())
    assert set(desk.keys()).isdisjoint({"action:pause", "action:present", "action:reinstate"})
    desk.turn_to("action:bust")
    assert desk.open.page == "confirm" and desk.open.answers["participant"] == number(3)
    assert desk.press("back").open.player == number(3)


@pytest.mark.parametrize("where", ["groups", "bust", "busts"])
def test_a_strangers_card_changes_nothing(where: str) -> None:
    desk = playing()
    if where != "groups":
        desk.choose(where)
    before = desk.open.page
    desk.press("card:000099")
    assert desk.open.page == before
    assert desk.open.refusal is not None and desk.open.refusal.code in ("not-registered", "not-in-play")


def test_at_the_door_a_strangers_card_begins_the_registration() -> None:
    desk = Desk(Evening().opened(3), place="door", table=None).begin().press("card:000042")
    paid = "CZK\u00a0100 taken for 4,000 chips"
    assert desk.reads() == f"Identity checked by a document, {paid}: Player 42 is registered."
    desk.yes()
    assert desk.sent == [c.Register(round="R1", participant="000042", identity_checked=True)]


def test_at_the_door_a_number_is_typed_that_nobody_announced() -> None:
    desk = Desk(Evening().opened(3), place="door", table=None, names={}).choose("register")
    desk.press(*"001234", "enter").yes()
    assert desk.sent == [c.Register(round="R1", participant="001234", identity_checked=True)]


# -- what others do meanwhile ----------------------------------------------------------------------------


def test_a_player_who_went_out_meanwhile_is_refused_before_it_is_sent() -> None:
    desk = playing().choose("bust").take("000002")
    desk.evening.bust(2)
    desk.yes()
    assert desk.open.page == "refused" and desk.sent == []
    assert desk.shown.hint == Refusal("not-in-play", {"participant": number(2), "status": "out"})


def test_a_bust_keeps_the_hand_it_was_confirmed_for() -> None:
    desk = playing().choose("bust").take("000002")
    desk.evening.do("next_hand", table=1)
    desk.yes()
    assert desk.sent == [c.Bust(round="R1", participant="000002", table=1, hand=1)]


def test_a_list_that_got_shorter_meanwhile_still_has_a_line_chosen() -> None:
    desk = playing().choose("bust").press("up")
    desk.evening.bust(2)
    assert [line.selected for line in desk.shown.lines].count(True) == 1
    assert desk.shown.lines[-1].selected


def test_an_undo_takes_back_what_was_read_or_nothing() -> None:
    desk = playing()
    desk.evening.bust(2)
    desk.choose("undo")
    assert desk.reads() == "Taken back: Player 2 went out."
    desk.evening.bust(3)
    desk.yes()
    assert desk.open.refusal is not None and desk.open.refusal.code == "stale"
    assert desk.sent == [] and desk.evening.round.players[number(2)].status is Status.OUT
    desk.turn_to("again").choose("undo")
    assert desk.reads() == "Taken back: Player 3 went out."


def test_a_form_whose_round_is_gone_begins_anew() -> None:
    desk = playing().choose("bust").take("000002")
    desk.evening.ledger = Evening().ledger
    assert desk.press("enter").open.page == "groups"


def test_the_engines_refusal_after_all_is_shown() -> None:
    desk = playing().choose("next_hand")
    menu = answered(Menu(page="waiting", action=desk.open.action), Refusal("storage"))
    assert (menu.page, menu.refusal) == ("refused", Refusal("storage"))
