"""The picture that a phone reads: sharp, large enough, and the same for as long as it is shown."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PIL import Image

from appliance.display.canvas import Canvas, Sections
from appliance.display.fonts import FontBook
from appliance.display.layout import draw_list
from appliance.display.motion import transition
from appliance.display.ops import Box, DrawList, changed
from appliance.display.qrcode import QUIET, draw_code, modules
from appliance.display.raster import Painter
from appliance.display.theme import DARK
from appliance.display.themes import THEMES
from appliance.display.view import FloorView, Status, TableView
from appliance.display.view_floor import MenuLine, MenuView, PairingView
from appliance.i18n import Translator
from tests.display.golden_pictures import painted

SIZES = ((1920, 1080), (1280, 720), (800, 480), (1080, 1920), (480, 800), (1024, 768))
CS = Translator("cs")
LONGEST = "http://192.168.100.123:65535/"
PICTURE = f"{LONGEST}#00112233445566ff.{'aB3_-' * 8}abc"
"""As long as any: 16 digits of the session, and 43 letters of the key."""

BLACK, WHITE = (0, 0, 0), (255, 255, 255)
SEVEN_INCH_MM = 154 / 800
"""A pixel of a 7" panel of 800×480."""


@pytest.fixture
def view(evening: TableView) -> FloorView:
    menu = MenuView(
        title="Přihlásit telefon",
        who="Jana D.",
        question="Načtěte obrázek fotoaparátem telefonu. Platí pro jeden telefon a jednu minutu.",
        lines=(MenuLine(text="Telefon musí být v síti herny.", small=True), MenuLine(text="Zrušit", item=0, back=True)),
        pairing=PairingView(picture=PICTURE, address="192.168.100.123:65535", left=47),
    )
    return FloorView(board=evening.board, menu=menu)


def paper(view: FloorView, size: tuple[int, int], fonts: FontBook) -> Box:
    """What the picture covers with its margin."""
    ops = draw_list(view, size, CS, fonts)
    return max((op.box for op in ops if getattr(op, "color", None) == WHITE), key=lambda box: box.w)


def shot(view: FloorView, size: tuple[int, int], fonts: FontBook, theme: str = "dark") -> Image.Image:
    ops = draw_list(view, size, CS, fonts, THEMES[theme])
    return painted(Painter(fonts, 2**25), ops, size)


@pytest.mark.parametrize("size", SIZES)
def test_each_module_is_one_square_of_whole_pixels_in_black_or_white(
    view: FloorView, fonts: FontBook, size: tuple[int, int]
) -> None:
    rows, box = modules(PICTURE), paper(view, size, fonts)
    side = box.w // (len(rows) + 2 * QUIET)
    assert box.w == box.h == side * (len(rows) + 2 * QUIET) and Box(0, 0, *size).holds(box)
    picture = shot(view, size, fonts).crop((box.x, box.y, box.right, box.bottom))
    assert {color for _, color in picture.getcolors(4) or ()} == {BLACK, WHITE}, "no edge is soft"
    for y in range(-QUIET, len(rows) + QUIET):
        for x in range(-QUIET, len(rows) + QUIET):
            dark = 0 <= y < len(rows) and 0 <= x < len(rows) and rows[y][x]
            left, top = (x + QUIET) * side, (y + QUIET) * side
            for at in ((left, top), (left + side - 1, top + side - 1)):
                assert picture.getpixel(at) == (BLACK if dark else WHITE), (x, y)


@pytest.mark.parametrize("theme", ["light", "contrast"])
def test_it_is_black_on_white_in_every_theme(view: FloorView, fonts: FontBook, theme: str) -> None:
    box = paper(view, (800, 480), fonts)
    picture = shot(view, (800, 480), fonts, theme).crop((box.x, box.y, box.right, box.bottom))
    assert {color for _, color in picture.getcolors(4) or ()} == {BLACK, WHITE}


def test_it_is_read_from_half_a_metre_on_a_seven_inch_panel(view: FloorView, fonts: FontBook) -> None:
    rows, box = modules(PICTURE), paper(view, (800, 480), fonts)
    side = box.w // (len(rows) + 2 * QUIET)
    assert side * len(rows) * SEVEN_INCH_MM > 500 / 11, "a code is read from ten times its width and a little more"


def test_a_minute_of_seconds_draws_nothing_of_it_again(view: FloorView, fonts: FontBook) -> None:
    pairing = view.menu.pairing
    assert pairing is not None
    sections, size = Sections(), (1280, 720)
    before: DrawList = draw_list(view, size, CS, fonts, sections=sections)
    for left in (46, 45, 9):
        menu = replace(view.menu, pairing=replace(pairing, left=left))
        after = draw_list(replace(view, menu=menu), size, CS, fonts, sections=sections)
        assert not any(box.meets(paper(view, size, fonts)) for box in changed(before, after))
        assert transition(before, after, size, DARK) is None, "a second is nothing that moves"
        before = after


def test_warnings_leave_it_its_room(view: FloorView, fonts: FontBook) -> None:
    warned = replace(view, board=replace(view.board, status=Status(reader=False)))
    rows = modules(PICTURE)
    for size in SIZES:
        box = paper(warned, size, fonts)
        assert box.w // (len(rows) + 2 * QUIET) >= 4, (size, box)


def test_a_box_too_small_for_it_draws_it_as_small_as_it_goes(fonts: FontBook) -> None:
    canvas = Canvas((800, 480), CS, DARK, fonts)
    assert draw_code(canvas, Box(100, 100, 10, 10), "x").w == len(modules("x")) + 2 * QUIET
