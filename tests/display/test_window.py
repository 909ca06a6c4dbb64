"""The window draws only what changed, and then shows exactly what a full drawing would."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from appliance.display import parts
from appliance.display.fonts import FontBook, FontsMissing
from appliance.display.layout import draw_list
from appliance.display.ops import Box, DrawList
from appliance.display.render import paint, render
from appliance.display.view import StartingView, TableView, View
from appliance.display.window import InputEvent, Window
from appliance.i18n import Translator

SIZE = (640, 360)


@pytest.fixture
def window(fonts: FontBook) -> Iterator[Window]:
    opened = Window(SIZE, driver="dummy", fonts=fonts)
    yield opened
    opened.close()


def pixels(picture: object) -> bytes:
    return parts.image.tobytes(picture, "RGB")  # type: ignore[arg-type]


def shown(window: Window) -> bytes:
    return pixels(parts.display.get_surface())


def later(view: TableView, seconds: int) -> TableView:
    assert view.board.face is not None
    face = replace(view.board.face, remaining_s=view.board.face.remaining_s - seconds)
    return replace(view, board=replace(view.board, face=face))


def test_changed_boxes_give_the_pixels_of_a_full_drawing(
    window: Window, make_view: Callable[[int], View], fonts: FontBook
) -> None:
    for seed in range(40):
        ops = draw_list(make_view(seed), SIZE, Translator("cs"), fonts)
        window.show(ops)
        assert shown(window) == pixels(paint(ops, SIZE, fonts)), seed


def test_what_was_rehearsed_is_not_seen_before_it_is_shown_and_then_as_if_drawn_afresh(
    window: Window, make_view: Callable[[int], View], fonts: FontBook
) -> None:
    lists = [draw_list(make_view(seed), SIZE, Translator("en"), fonts) for seed in range(12)]
    for before, expected, other in zip(lists, lists[1:], lists[2:], strict=False):
        window.show(before)
        window.rehearse(expected)
        assert shown(window) == pixels(paint(before, SIZE, fonts))
        window.show(expected)
        assert shown(window) == pixels(paint(expected, SIZE, fonts))
        window.rehearse(before)
        window.show(other)  # something else came
        assert shown(window) == pixels(paint(other, SIZE, fonts))


def test_a_text_stays_within_its_measured_box(fonts: FontBook) -> None:
    for size in range(6, 80):
        for bold in (False, True):
            for text in ("od příští handy; tato handa", "Ůjgy;,/()", "12:34"):
                drawn = fonts.font(size, bold).render(text, True, (255, 255, 255))
                assert drawn.get_width() == fonts.width(text, size, bold)
                assert drawn.get_height() <= fonts.height(size, bold), (size, bold, text)


def test_second_after_second_gives_the_pixels_of_a_full_drawing(
    window: Window, evening: TableView, fonts: FontBook
) -> None:
    for second in range(0, 754, 13):
        ops = draw_list(later(evening, second), SIZE, Translator("cs"), fonts)
        window.show(ops)
        assert shown(window) == pixels(paint(ops, SIZE, fonts)), second


def test_painting_a_part_gives_the_pixels_of_the_whole(evening: TableView, fonts: FontBook, window: Window) -> None:
    ops = draw_list(evening, SIZE, Translator("en"), fonts)
    window.show(ops)
    whole = shown(window)
    for x in range(0, SIZE[0], 37):
        for y in range(0, SIZE[1], 41):
            window._painter.paint(parts.display.get_surface(), ops, Box(x, y, 37, 41).clip(Box(0, 0, *SIZE)))
    assert shown(window) == whole


@pytest.mark.parametrize("name", ["evening", "tracked"])
def test_a_second_draws_only_the_digit_and_the_bar(
    window: Window, fonts: FontBook, name: str, request: pytest.FixtureRequest
) -> None:
    view: TableView = request.getfixturevalue(name)

    def after(second: int) -> DrawList:
        return draw_list(later(view, second), SIZE, Translator("cs"), fonts)

    assert window.show(after(0)) == [Box(0, 0, *SIZE)]
    assert window.show(after(0)) == []
    boxes = window.show(after(1))
    assert 1 <= len(boxes) <= 2
    assert sum(box.w * box.h for box in boxes) < SIZE[0] * SIZE[1] / 20


def test_an_action_draws_only_what_it_changes(window: Window, tracked: TableView, fonts: FontBook) -> None:
    assert tracked.tracked is not None
    assert tracked.pad is not None
    window.show(draw_list(tracked, SIZE, Translator("cs"), fonts))
    typed = draw_list(replace(tracked, pad=replace(tracked.pad, typed="64")), SIZE, Translator("cs"), fonts)
    boxes = window.show(typed)
    assert shown(window) == pixels(paint(typed, SIZE, fonts))
    assert sum(box.w * box.h for box in boxes) < SIZE[0] * SIZE[1] / 20
    folded = replace(tracked.tracked, to_act=9)
    ops = draw_list(replace(tracked, tracked=folded), SIZE, Translator("cs"), fonts)
    boxes = window.show(ops)
    assert shown(window) == pixels(paint(ops, SIZE, fonts))
    assert sum(box.w * box.h for box in boxes) < SIZE[0] * SIZE[1] / 2


def test_what_is_kept_stays_within_its_bound(window: Window, make_view: Callable[[int], View], fonts: FontBook) -> None:
    for seed in range(60):
        window.show(draw_list(make_view(seed), SIZE, Translator("cs"), fonts))
        assert window.cached_bytes <= 9 * SIZE[0] * SIZE[1] // 4


def test_keys_and_closing_are_heard(window: Window) -> None:
    constants = parts.constants
    parts.event.post(parts.event.Event(constants.KEYDOWN, key=constants.K_ESCAPE))
    parts.event.post(parts.event.Event(constants.QUIT))
    assert window.pump() == [InputEvent("key", "escape"), InputEvent("quit")]
    assert window.pump() == []


def test_a_touch_is_heard_once_wherever_it_comes_from(window: Window) -> None:
    constants, post, event = parts.constants, parts.event.post, parts.event.Event
    post(event(constants.MOUSEBUTTONDOWN, button=1, pos=(10, 20), touch=False))
    post(event(constants.MOUSEBUTTONDOWN, button=3, pos=(11, 20), touch=False))  # not the left button
    post(event(constants.FINGERDOWN, touch_id=5, finger_id=0, x=0.5, y=0.25))
    post(event(constants.MOUSEBUTTONDOWN, button=1, pos=(320, 90), touch=True))  # the same finger, as SDL repeats it
    post(event(constants.FINGERDOWN, touch_id=-1, finger_id=0, x=0.1, y=0.1))  # the mouse, the other way round
    post(event(constants.FINGERDOWN, touch_id=5, finger_id=1, x=1.0, y=1.0))  # the last pixel
    touches = [(10, 20), (320, 90), (SIZE[0] - 1, SIZE[1] - 1)]
    assert window.pump() == [InputEvent("touch", x=x, y=y) for x, y in touches]


def test_waiting_ends_when_somebody_wakes_the_window(window: Window) -> None:
    reading, writing = os.pipe()
    try:
        assert window.wait(0, [reading]) == []
        os.write(writing, b"!")
        assert window.wait(60, [reading]) == [reading]
    finally:
        os.close(reading)
        os.close(writing)


def test_a_descriptor_that_never_falls_silent_does_not_keep_the_window_awake(window: Window) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"!")
    window._unheard[reading] = 0
    try:
        for _ in range(60):
            window.wait(0)
            window.pump()
        assert reading not in window._unheard
    finally:
        os.close(reading)
        os.close(writing)


def test_a_picture_needs_no_display_and_leaves_the_window_alone(
    window: Window, evening: TableView, fonts: FontBook, tmp_path: Path
) -> None:
    window.show(draw_list(StartingView(device="t1"), SIZE, Translator("cs"), fonts))
    before = shown(window)
    render(evening, SIZE, "cs", tmp_path / "table.png")
    assert shown(window) == before
    window.save(tmp_path / "window.png")
    ops = draw_list(evening, SIZE, Translator("cs"), fonts)
    assert pixels(parts.image.load(str(tmp_path / "table.png"))) == pixels(paint(ops, SIZE, fonts))
    assert pixels(parts.image.load(str(tmp_path / "window.png"))) == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["table.png", "window.png"]


def test_a_picture_that_cannot_be_written_is_an_error(evening: TableView, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        render(evening, SIZE, "cs", tmp_path / "nowhere" / "table.png")


def test_missing_fonts_name_the_package(tmp_path: Path) -> None:
    with pytest.raises(FontsMissing, match="fonts-dejavu-core"):
        FontBook(tmp_path)


FIRST_FRAME = """
import sys
from appliance.display.layout import draw_list
from appliance.display.view import StartingView
from appliance.display.window import Window
from appliance.i18n import Translator
window = Window((640, 360), driver="dummy")
window.show(draw_list(StartingView(device="t1"), (640, 360), Translator("cs"), window.fonts))
print(*sorted({name.split(".")[0] for name in sys.modules}))
print("pygame.mixer" in sys.modules)
"""


def test_the_first_frame_comes_before_anything_heavy_is_imported() -> None:
    ran = subprocess.run([sys.executable, "-c", FIRST_FRAME], capture_output=True, text=True, check=True)
    loaded, mixer = ran.stdout.strip().splitlines()
    heavy = {"cryptography", "paho", "smartcard", "sqlite3", "asyncio", "django", "babel"}
    assert heavy & set(loaded.split()) == set()
    assert mixer == "False"
