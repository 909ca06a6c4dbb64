"""Nothing burns into a screen, nothing is cut off by its edge, and fingers still meet the keys."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from appliance.display import prompt as p
from appliance.display.canvas import Canvas, Sections
from appliance.display.fonts import FontBook
from appliance.display.house import House
from appliance.display.layout import draw_list, shift
from appliance.display.layout_pad import hit
from appliance.display.layout_pin import pin_hit
from appliance.display.layout_places import places
from appliance.display.ops import Box, DrawList, Op, Picture, Round, Shade, Stroke, Text
from appliance.display.padboxes import key_boxes
from appliance.display.theme import DARK
from appliance.display.themes import LIGHT
from appliance.display.view import AttentionView, PromptView, StartingView, TableView, View
from appliance.display.wander import PATH, STEP_MIN, wandered
from appliance.i18n import Translator
from tests.display.test_style import house

SIZES = ((1920, 1080), (1280, 720), (800, 480), (1080, 1920), (3840, 2160))
WANDERS = House(wanders=True)


def moment(minutes: int) -> dt.datetime:
    return dt.datetime(2027, 1, 15, 0, 0, 59, tzinfo=dt.UTC) + dt.timedelta(minutes=minutes)


def at(view: View, minutes: int) -> View:
    if isinstance(view, StartingView | AttentionView):
        return view
    return replace(view, board=replace(view.board, now=moment(minutes)))


def test_each_step_is_to_a_place_beside_the_one_before() -> None:
    for before, after in zip(PATH, (*PATH[1:], PATH[0]), strict=True):
        assert sorted(abs(a - b) for a, b in zip(before, after, strict=True)) == [0, 1]
    assert len(set(PATH)) == 25
    days = [wandered(moment(minutes), 8) for minutes in range(0, 3 * 24 * 60, STEP_MIN)]
    assert all(abs(x - u) + abs(y - v) == 4 for (x, y), (u, v) in pairwise(days))


def test_it_goes_as_far_as_its_reach_either_way_and_stays_minutes_in_a_place() -> None:
    places = [wandered(moment(minutes), 6) for minutes in range(len(PATH) * STEP_MIN)]
    assert {x for x, _ in places} == {y for _, y in places} == {-6, -4, 0, 4, 6}
    moves = [n for n, (a, b) in enumerate(pairwise(places), 1) if a != b]
    assert all(n % STEP_MIN == 0 for n in moves)
    assert len(moves) in (len(PATH) - 1, len(PATH))


@pytest.mark.parametrize("reach", range(13))
def test_it_never_goes_further_than_its_reach(reach: int) -> None:
    for minutes in range(0, 1440, STEP_MIN):
        right, down = wandered(moment(minutes), reach)
        assert max(abs(right), abs(down)) <= reach
        assert right % 2 == down % 2 == 0


def moved(op: Op, right: int, down: int) -> Op:
    if isinstance(op, Text):
        return replace(op, box=op.box.moved(right, down), room=op.room.moved(right, down))
    return replace(op, box=op.box.moved(right, down))


def rounded(ops: DrawList) -> list[Op]:
    """Points between pixels without the last digits of their computing."""
    return [
        replace(op, points=tuple((round(x, 3), round(y, 3)) for x, y in op.points)) if isinstance(op, Stroke) else op
        for op in ops
    ]


@pytest.mark.parametrize("seed", range(80))
def test_the_whole_drawing_moves_and_the_ground_stays(
    make_view: Callable[[int], View], fonts: FontBook, seed: int
) -> None:
    size, tr = SIZES[seed % len(SIZES)], Translator("cs")
    view = at(make_view(seed), 20 * 60 + 4 * seed)
    right, down = shift(view, size, WANDERS)
    still, wandering = draw_list(view, size, tr, fonts), draw_list(view, size, tr, fonts, house=WANDERS)
    screen = Box(0, 0, *size)
    for before, after in zip(rounded(still), rounded(wandering), strict=True):
        whole = isinstance(before, Shade) and before.box == screen
        assert after == (before if whole else moved(before, right, down))
    assert isinstance(wandering[0], Shade)
    assert wandering[0].box == screen


def test_a_screen_without_a_time_of_day_stands_still() -> None:
    for view in (StartingView(device="t1"), AttentionView(device="t1", problem="", remedy="")):
        assert shift(view, (1920, 1080), WANDERS) == (0, 0)


def test_it_moves_with_the_minute_in_the_header_and_never_between(evening: TableView) -> None:
    for minutes in range(300):
        seconds = [replace(evening.board, now=moment(minutes).replace(second=second)) for second in (0, 30, 59)]
        assert len({shift(replace(evening, board=board), (1920, 1080), WANDERS) for board in seconds}) == 1


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("ours", [WANDERS, House(wanders=True, overscan=5), House(overscan=15)])
def test_a_touch_meets_the_key_that_is_drawn_there(
    tracked: TableView, fonts: FontBook, size: tuple[int, int], ours: House
) -> None:
    tr = Translator("cs")
    for minutes in (0, 8, 60, 96, 190):
        view = at(tracked, minutes)
        assert isinstance(view, TableView)
        right, down = shift(view, size, ours)
        ops = draw_list(view, size, tr, fonts, house=ours)
        c = Canvas(size, tr, DARK, fonts, house=ours, shift=(right, down))
        where = places(c, view)
        assert where.pad is not None
        assert view.pad is not None
        keys = key_boxes(c, where.pad, view.pad)
        assert len(keys) > 9
        drawn = [op.box for op in ops if isinstance(op, Round)]
        for key, box in keys:
            assert box in drawn, key
            corners = [(box.x, box.y), (box.right - 1, box.bottom - 1), (box.cx, box.cy)]
            assert {hit(view, size, tr, fonts, x - right, y - down, ours) for x, y in corners} == {key}


@pytest.mark.parametrize("size", SIZES)
def test_a_touch_meets_the_digit_of_a_pin_that_is_drawn_there(
    evening: TableView, fonts: FontBook, size: tuple[int, int]
) -> None:
    tr, ours = Translator("cs"), House(wanders=True, overscan=4)
    asked = replace(evening, prompt=PromptView(prompt=p.EnterPin("000900"), pin_keys=True))
    for minutes in (0, 8, 60, 96):
        view = at(asked, minutes)
        right, down = shift(view, size, ours)
        drawn = [op for op in draw_list(view, size, tr, fonts, house=ours) if isinstance(op, Text)]
        digits = [op for op in drawn if op.text in tuple("1234567890")][-10:]  # those before are the clock's
        assert len(digits) == 10
        for op in digits:
            assert pin_hit(size, tr, fonts, op.box.cx - right, op.box.cy - down, ours) == op.text


@pytest.mark.parametrize("overscan", [0, 3, 8, 15])
@pytest.mark.parametrize("seed", range(24))
def test_nothing_but_the_ground_is_drawn_where_the_display_cuts_off(
    make_view: Callable[[int], View], fonts: FontBook, overscan: int, seed: int
) -> None:
    size = SIZES[seed % len(SIZES)]
    ours = House(overscan=overscan, wanders=True)
    seen = Box(0, 0, *size).inset(size[0] * overscan // 100, size[1] * overscan // 100)
    ops = draw_list(at(make_view(seed), 8 * seed), size, Translator("cs"), fonts, house=ours)
    assert ops[0].box == Box(0, 0, *size)
    for op in ops[1:]:
        if isinstance(op, Round | Picture):
            assert seen.holds(op.box), op


def test_kept_parts_follow_theme_pictures_margin_and_place(
    evening: TableView, tracked: TableView, fonts: FontBook, tmp_path: Path
) -> None:
    size, tr, sections, pictured = (1280, 720), Translator("cs"), Sections(), house(tmp_path)
    houses = (House(), WANDERS, House(overscan=5), pictured, replace(pictured, logo=None, overscan=2))
    for minutes in (0, 4, 60):
        for ours in houses:
            for theme in (DARK, LIGHT):
                for shown in (evening, tracked):
                    view = at(shown, minutes)
                    kept = draw_list(view, size, tr, fonts, theme, sections, ours)
                    assert kept == draw_list(view, size, tr, fonts, theme, house=ours)


def test_the_margin_grows_by_what_the_display_cuts_off(fonts: FontBook) -> None:
    plain, cut = (
        Canvas((1920, 1080), Translator("cs"), DARK, fonts, house=House(overscan=overscan)).safe for overscan in (0, 5)
    )
    assert plain == Box(44, 36, 1832, 1008)
    assert cut.x - 96 == round(44 * 0.9)
    assert cut.y - 54 == round(36 * 0.9)
