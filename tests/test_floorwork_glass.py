"""The floor menu and what was on the glass when a key was pressed: others' changes, late pictures, two pushes."""

from appliance.floor.catalogue import BY_ID, GROUPS
from appliance.floor.said import say
from appliance.floorglance import LEFT_S, TWICE_S
from appliance.game.commands import Bust, Pause
from appliance.hw.panel import Button
from appliance.snapshot import Key
from tests.test_floorwork import EN, PLAYER, choose, clock, kiosk, push, put_out, work

__all__ = ["clock", "kiosk", "work"]


def put_on_list(work, kiosk, action="absent"):
    choose(work, kiosk, GROUPS["players"], BY_ID[action].label)


def selected(kiosk):
    return next((say(line.text, EN) for line in kiosk.shown.lines if line.selected), None)


def test_another_players_bust_moves_neither_the_choice_nor_what_a_finger_means(work, kiosk):
    put_on_list(work, kiosk)
    work.turned(2)
    stood, stamp = selected(kiosk), kiosk.page.stamp
    first = kiosk.lines()[0]
    kiosk.carry_out("another", Bust(round="R1", participant=first))
    work.changed()
    assert selected(kiosk) == stood and kiosk.page.stamp != stamp
    work.press(Key("item:2", menu=True, seen=stamp))
    work.button(Button.SELECT, False)
    assert kiosk.sent == [], "the glass has just changed"
    kiosk.read()
    work.press(Key("item:2", menu=True, seen=stamp))
    assert kiosk.sent == [], "the finger touched the page before"
    work.button(Button.SELECT, False)
    assert kiosk.sent[0][1].participant == stood


def test_a_choice_that_is_gone_is_no_other_one(work, kiosk):
    put_on_list(work, kiosk)
    work.turned(1)
    kiosk.carry_out("another", Bust(round="R1", participant=selected(kiosk)))
    work.changed()
    kiosk.read()
    work.button(Button.SELECT, False)
    assert selected(kiosk) is None and kiosk.sent == []


def test_a_page_that_is_not_on_the_glass_yet_hears_nothing_that_chooses(work, kiosk):
    kiosk.read()
    work.glance.painted = kiosk.page.stamp
    work.button(Button.SELECT, False)
    page = kiosk.page
    push(work, kiosk)
    assert kiosk.page == page, "the second press was for the page before"
    work.turned(1)
    work.glance.painted = page.stamp
    push(work, kiosk)
    assert kiosk.page.stamp > page.stamp


def test_a_double_press_of_yes_hides_no_result_and_begins_no_hand(work, kiosk, clock):
    put_out(work, kiosk)
    work.button(Button.SELECT, False)
    assert kiosk.shown.busy and selected(kiosk) is None and len(kiosk.sent) == 1
    kiosk.answer()
    work.button(Button.SELECT, False)
    assert kiosk.shown.good
    kiosk.read()
    work.button(Button.SELECT, False)
    assert not work.is_open and work.has_just_left
    clock[0] += LEFT_S + 0.1
    assert not work.has_just_left


def test_a_double_push_takes_nobody_from_the_list_that_the_first_one_led_to(work, kiosk, clock):
    put_on_list(work, kiosk)
    work.glance.painted = kiosk.page.stamp
    page = kiosk.page
    clock[0] += 0.2
    work.button(Button.SELECT, False)
    work.press(Key("return", keyboard=True, seen=page.stamp))
    work.press(Key("item:1", menu=True, seen=page.stamp))
    assert kiosk.sent == [] and kiosk.page == page
    work.turned(1)
    stood = selected(kiosk)
    clock[0] += 0.1
    work.button(Button.SELECT, False)
    assert [command.participant for _, command, _, _ in kiosk.sent] == [stood]


def test_keys_that_enter_move_or_lead_back_are_heard_at_once_and_enter_after_them(work, kiosk, clock):
    kiosk.read()
    for key in ("2", "6"):  # by keys alone: the clock, pause
        work.press(Key(key, keyboard=True))
    assert [type(command) for _, command, _, _ in kiosk.sent] == [Pause]
    kiosk.answer()
    work.open("000001", "04FF")
    put_on_list(work, kiosk, "bust")
    work.press(Key("9", keyboard=True))
    assert kiosk.shown.number, "typed"
    work.press(Key("backspace", keyboard=True))
    assert not kiosk.shown.number
    work.press(Key("escape", keyboard=True))
    assert BY_ID["absent"].label in kiosk.lines()


def test_typing_makes_no_enter_wait(work, kiosk, clock):
    put_on_list(work, kiosk)
    clock[0] += TWICE_S
    for key in PLAYER.participant:
        work.press(Key(key, keyboard=True))
    assert len(kiosk.lines()) == 2, "the player, and the way back"
    work.press(Key("return", keyboard=True))
    assert [command.participant for _, command, _, _ in kiosk.sent] == [PLAYER.participant]


def test_a_digit_takes_no_answer_of_a_page_that_is_not_on_the_glass_yet(work, kiosk):
    put_on_list(work, kiosk, "sanction")
    work.glance.painted = kiosk.page.stamp
    push(work, kiosk)  # this player
    page = kiosk.page
    assert page.stamp != work.glance.painted and not kiosk.shown.digits
    work.press(Key("1", keyboard=True, seen=work.glance.painted))
    assert kiosk.page == page
    work.glance.painted = page.stamp
    work.press(Key("1", keyboard=True, seen=work.glance.painted))
    assert kiosk.page.stamp > page.stamp
