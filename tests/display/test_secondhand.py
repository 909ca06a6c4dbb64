"""Seconds that pass on a screen at rest are copied to the glass, and are what a full drawing would show."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise

import pytest

from appliance.display.canvas import Canvas, Sections
from appliance.display.fonts import FontBook
from appliance.display.from_tick import ticking
from appliance.display.layout import draw_list
from appliance.display.ops import Op
from appliance.display.raster import Painter
from appliance.display.render import paint
from appliance.display.secondhand import AHEAD
from appliance.display.window import Window
from appliance.i18n import Translator
from tests.display.test_later import KINDS, NAMES, Kind, rounds
from tests.display.test_window import SIZE, pixels, shown


@pytest.fixture
def window(fonts: FontBook) -> Iterator[Window]:
    opened = Window(SIZE, driver="dummy", fonts=fonts)
    yield opened
    opened.close()


def laid_out(kind: Kind, fonts: FontBook) -> Iterator[tuple[Canvas, int]]:
    """Screens in play, with the second that is on their clocks."""
    sections, words = Sections(), Translator("cs")
    for scene in (scenes[0] for scenes in islice(rounds(), 0, None, 5)):
        view = kind(scene)
        draw_list(view, SIZE, words, fonts, sections=sections)
        passing, canvas = ticking(scene, view), sections.latest
        if passing is not None and canvas is not None:
            second = passing.second(scene.at_ms)
            assert second is not None
            yield canvas, second


def a_clock(fonts: FontBook) -> tuple[Canvas, int]:
    return next(laid_out(KINDS[0], fonts))


@pytest.mark.parametrize("kind", KINDS, ids=NAMES)
def test_each_second_gives_the_pixels_of_a_full_drawing(kind: Kind, window: Window, fonts: FontBook) -> None:
    seen = 0
    for canvas, start in laid_out(kind, fonts):
        for second in range(start, max(0, start - AHEAD - 3), -1):
            window.tick(canvas, second)
            assert shown(window) == pixels(paint(canvas.at(second), SIZE, fonts)), (second, start)
            seen += 1
        assert window.show(canvas.at(second)) == []
    assert seen > 50


def test_hours_and_tens_of_minutes_run_out_and_seconds_are_skipped(window: Window, fonts: FontBook) -> None:
    canvas, _ = a_clock(fonts)
    for second in (3602, 3601, 3600, 3599, 3598, 601, 600, 599, 598, 570, 569, 571, 11, 10, 9, 1, 0):
        window.tick(canvas, second)
        assert shown(window) == pixels(paint(canvas.at(second), SIZE, fonts)), second


def test_a_second_is_copied_and_nothing_is_painted(
    window: Window, fonts: FontBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    canvas, start = a_clock(fonts)
    for second in (start, start - 1):
        window.tick(canvas, second)
    for name in ("paint", "patch"):
        monkeypatch.delattr(Painter, name)
    monkeypatch.delattr(Canvas, "seconds")
    for second in range(start - 2, start - 1 - AHEAD, -1):
        boxes = window.tick(canvas, second)
        assert 1 <= len(boxes) <= 4
        assert sum(box.w * box.h for box in boxes) < SIZE[0] * SIZE[1] / 20


def test_whatever_follows_a_second_follows_the_one_that_is_shown(window: Window, fonts: FontBook) -> None:
    for (canvas, second), (other, later) in pairwise(laid_out(KINDS[0], fonts)):
        for passed in range(3):
            window.tick(canvas, second - passed)
        window.rehearse(other.at(later))
        assert shown(window) == pixels(paint(canvas.at(second - 2), SIZE, fonts))
        window.show(other.at(later))
        assert shown(window) == pixels(paint(other.at(later), SIZE, fonts))


def test_what_is_kept_for_seconds_to_come_is_little(window: Window, fonts: FontBook) -> None:
    canvas, start = a_clock(fonts)
    most = 0
    for second in range(start, start - 120, -1):
        window.tick(canvas, second)
        patches = list(window._turn.patches.values())
        most = max(most, sum(patch.get_pitch() * patch.get_height() for patch in patches))
    assert most < 0.8 * SIZE[0] * SIZE[1]


def test_the_pictures_of_digits_outlast_a_look_that_finds_the_same_around_them(
    window: Window, fonts: FontBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    (canvas, start), (again, _) = a_clock(fonts), a_clock(fonts)
    assert again is not canvas
    for second in (start, start - 1):
        window.tick(canvas, second)
    monkeypatch.delattr(Painter, "patch")
    for second in (start, start - 1, start - 2):
        window.tick(again, second)
        assert shown(window) == pixels(paint(canvas.at(second), SIZE, fonts)), second


def test_nothing_is_worked_out_that_will_not_be_shown(
    window: Window, fonts: FontBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    canvas, start = a_clock(fonts)
    asked, seconds = list[int](), Canvas.seconds

    def counted(canvas: Canvas, second: int) -> Iterator[tuple[int, int, list[Op]]]:
        asked.append(second)
        return seconds(canvas, second)

    monkeypatch.setattr(Canvas, "seconds", counted)
    for second in range(start, start - 6, -1):
        window.tick(canvas, second, start - 5)
    assert min(asked) == start - 5
    for second in range(start - 6, start - 9, -1):
        window.tick(canvas, second, start - 5)
        assert shown(window) == pixels(paint(canvas.at(second), SIZE, fonts)), second
