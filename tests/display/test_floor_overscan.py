"""What is to be confirmed is read whole, however much of the screen a television cuts off and whatever is wrong."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import pytest
from msgspec.structs import replace

from appliance.display.canvas import Canvas
from appliance.display.floorboxes import least, parts
from appliance.display.fonts import FontBook
from appliance.display.house import House
from appliance.display.layout import draw_list
from appliance.display.ops import Box, Round
from appliance.display.theme import DARK
from appliance.display.view import Board, FloorView, Status, TableView, View
from appliance.i18n import LANGUAGES, NBSP, Translator
from tests.display.test_floor_menu import PAGES, SIZES, texts, to_touch
from tests.display.test_layout_fits import ink

SMALL = ((320, 240), (480, 320), (1024, 600), (1080, 1080), (2560, 1080))
CUT_OFF = (0, 3, 8, 10, 15)
STATES = (
    Status(director=False),
    Status(director=False, reader=False),
    Status(director=False, reader=False, one_copy=True),
)
SAID = ("confirm", "refused", "number", "waiting", "done")


def close(*parts: str) -> str:
    """Without the spaces between words and lines."""
    return "".join("".join(parts).replace(NBSP, " ").split(" "))


def covered(view: View, size: tuple[int, int], lang: str, fonts: FontBook, overscan: int) -> list[str]:
    """Texts that something is drawn over, or that leave what is seen."""
    house = House(overscan=overscan)
    ops = draw_list(view, size, Translator(lang), fonts, house=house)
    safe = Canvas(size, Translator(lang), DARK, fonts, house=house).safe
    return [
        op.text
        for n, op in enumerate(ops)
        if op in texts(ops[n : n + 1])
        and (
            not safe.holds(ink(op, fonts))
            or any(isinstance(over, Round) and over.box.meets(ink(op, fonts)) for over in ops[n + 1 :])
            or any(ink(over, fonts).meets(ink(op, fonts)) for over in texts(ops[n + 1 :]))
        )
    ]


@pytest.mark.parametrize("size", SIZES + SMALL)
@pytest.mark.parametrize("page", SAID)
def test_the_sentence_is_seen_whole_and_nothing_lies_over_it(
    evening: TableView, page: str, size: tuple[int, int], fonts: FontBook
) -> None:
    board: Board = replace(evening.board, status=Status())
    for status in STATES:
        for lang in LANGUAGES:
            tr = Translator(lang)
            view = FloorView(board=replace(board, status=status), menu=PAGES[page])
            for overscan in CUT_OFF:
                where = f"{size} {lang} overscan {overscan} {status}"
                ops = draw_list(view, size, tr, fonts, house=House(overscan=overscan))
                written = close(*(op.text for op in texts(ops)))
                assert close(PAGES[page].asked, *(line.text for line in PAGES[page].told)) in written, where
                assert covered(view, size, lang, fonts, overscan) == [], where


@pytest.mark.parametrize("size", SIZES + SMALL)
@pytest.mark.parametrize("page", PAGES)
def test_what_is_touched_lies_apart_where_it_is_seen(page: str, size: tuple[int, int], fonts: FontBook) -> None:
    for overscan in CUT_OFF:
        for status in (Status(), *STATES):
            c = Canvas(size, Translator("cs"), DARK, fonts, house=House(overscan=overscan))
            found = parts(c, PAGES[page], status)
            boxes = [*to_touch(found), *([found.words] if found.words.h > 0 else []), found.strip]
            for box in boxes:
                assert c.safe.holds(box), (overscan, status, box)
            assert min(box.h for box in to_touch(found)) >= least(c) * 2 // 5
            for one, other in combinations(boxes, 2):
                assert not one.meets(other), (overscan, status, one, other)


def test_targets_keep_their_size_where_there_is_room(fonts: FontBook) -> None:
    for overscan in CUT_OFF:
        c = Canvas((1920, 1080), Translator("cs"), DARK, fonts, house=House(overscan=overscan))
        for page in PAGES.values():
            found = parts(c, page, Status())
            assert min(box.h for box in to_touch(found)) >= least(c)
            assert not found.few
    assert least(c) == -(-Box(0, 0, 1920, 1080).inset(288, 162).h * 2 // 15)


@pytest.mark.parametrize("seed", range(3, 400, 8))
def test_a_page_of_any_kind_hides_nothing_of_itself(
    make_view: Callable[[int], View], fonts: FontBook, seed: int
) -> None:
    view, lang = make_view(seed), LANGUAGES[seed // 8 % 2]
    assert isinstance(view, FloorView)
    size = (SIZES + SMALL)[seed // 8 % 11]
    overscan = (0, 2, 5, 8, 12, 15)[seed // 8 % 6]
    assert covered(view, size, lang, fonts, overscan) == [], f"{size} {lang} overscan {overscan}"
    written = close(
        *(op.text for op in texts(draw_list(view, size, Translator(lang), fonts, house=House(overscan=overscan))))
    )
    asked_above = parts(
        Canvas(size, Translator(lang), DARK, fonts, house=House(overscan=overscan)), view.menu, view.board.status
    ).asked_above
    assert asked_above or close(view.menu.asked) in written
