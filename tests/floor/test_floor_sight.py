"""The cursor stays with what it stands at while others change the evening; a key chooses nothing that was not shown."""

from __future__ import annotations

from appliance.floor.menu import followed, lines_of, press
from appliance.floor.state import NOWHERE
from tests.floor.conftest import Desk
from tests.game.conftest import Evening, number


def playing() -> Desk:
    return Desk(Evening().seated([1, 2, 3, 4, 5], [6, 7, 8]).do("next_hand", table=1))


def at(desk: Desk, line: str) -> tuple[str, ...]:
    while desk.keys()[desk.open.cursor] != line:
        desk.press("down")
    return lines_of(desk.open, desk.here)


def test_the_cursor_stays_with_a_player_when_one_above_goes_out() -> None:
    desk = playing().choose("absent")
    shown = at(desk, "option:000003")
    desk.evening.bust(1)
    desk.menu = followed(desk.open, shown, desk.here)
    assert desk.keys()[desk.open.cursor] == "option:000003"
    desk.press("enter")
    assert desk.evening.player(3).absent and not desk.evening.player(4).absent


def test_where_the_player_is_gone_the_cursor_stands_nowhere_and_enter_does_nothing() -> None:
    desk = playing().choose("absent")
    shown = at(desk, "option:000003")
    desk.evening.bust(3)
    desk.menu = followed(desk.open, shown, desk.here)
    assert desk.open.cursor == NOWHERE and not any(line.selected for line in desk.shown.lines)
    assert desk.press("enter").sent == []
    assert desk.press("down").keys()[desk.open.cursor] == "option:000001"


def test_no_line_is_chosen_while_an_answer_is_awaited() -> None:
    desk = playing().choose("bust").take("000003")
    step = press(desk.open, f"item:{desk.keys().index('confirm')}", desk.here)
    assert step.menu is not None and step.menu.page == "waiting"
    again = press(step.menu, "enter", desk.here)
    assert again.menu == step.menu and again.command is None
    assert press(press(step.menu, "down", desk.here).menu or step.menu, "enter", desk.here).menu is None


def test_a_form_that_has_no_place_any_more_begins_anew() -> None:
    desk = playing().choose("colour_up")
    page = desk.open.page
    assert page == "field"
    menu = followed(desk.open, lines_of(desk.open, desk.here), desk.here)
    assert menu == desk.open and number(1) in desk.evening.round.players
