"""What the kiosk's main loop shows and hears while a floor menu is open."""

from __future__ import annotations

from datetime import timedelta

import pytest
from msgspec.structs import replace

from appliance.display import parts
from appliance.display.canvas import Canvas
from appliance.display.floorboxes import parts as menu_parts
from appliance.display.scene import OpenMenu
from appliance.display.theme import DARK
from appliance.display.view import FloorView, TableView
from appliance.display.window import Window
from appliance.floor.lines import Line, Shown
from appliance.i18n import Translator
from appliance.snapshot import Snapshot
from tests.test_kiosk_keys import Heard, run, window
from tests.test_pad import ROUND, Dealer

__all__ = ["window"]

PAGE = Shown("Floor", tuple(Line(f"line {n}", item=n, selected=n == 1) for n in range(4)))
MENU = OpenMenu(PAGE, "Jana N.", top=True)


@pytest.fixture
def floor() -> Heard:
    """A table that tracks a hand, with the menu over it."""
    dealer = Dealer()
    shown = Snapshot(rounds=(ROUND,), director=True, table=dealer.hands, pad=dealer.pad, keys=dealer.keys, menu=MENU)
    return Heard(shown)


def touch(window: Window, view: FloorView, line: int) -> None:
    where = menu_parts(Canvas(window.size, Translator("cs"), DARK, window.fonts), view.menu, view.board.status)
    at = next((box.cx, box.cy) for n, box in where.lines if n == line)
    parts.event.post(parts.event.Event(parts.constants.MOUSEBUTTONDOWN, pos=at, button=1))


def test_a_touched_line_is_the_menus_and_no_key_of_the_dealers(window: Window, floor: Heard) -> None:
    view = run(window, floor)._view
    assert isinstance(view, FloorView) and view.board.face is not None
    floor.rounds = 2
    touch(window, view, 2)
    run(window, floor)
    assert (floor.chosen, floor.pressed) == (["item:2"], [])


def test_keys_are_told_as_keys_of_the_keyboard_whatever_is_open(window: Window, floor: Heard) -> None:
    run(window, floor, "down", "return")
    assert floor.typed == ["down", "return"]


def test_the_table_is_there_again_when_the_menu_has_left(window: Window, floor: Heard) -> None:
    assert isinstance(run(window, floor)._view, FloorView)
    floor.snapshot, floor.rounds = floor.snapshot._replace(menu=None), 2
    assert isinstance(run(window, floor)._view, TableView)


def test_a_second_of_an_open_menu_takes_the_page_from_before(window: Window, floor: Heard) -> None:
    screen = run(window, floor)
    before = screen._view
    assert isinstance(before, FloorView) and screen._scene is not None
    after = screen.view(replace(screen._scene, at_ms=screen._scene.at_ms + 1000))
    assert isinstance(after, FloorView) and after.menu is before.menu
    assert after.board.now - before.board.now == timedelta(seconds=1)
