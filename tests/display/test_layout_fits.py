"""No text is ever clipped, at any size, in either language."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Literal

import pytest
from msgspec.structs import replace

from appliance.display.canvas import Canvas
from appliance.display.fonts import CAP_HEIGHT, FontBook
from appliance.display.house import House
from appliance.display.layout import draw_list
from appliance.display.ops import Box, Op, Round, Text
from appliance.display.screensize import LEAST_SCREEN
from appliance.display.theme import DARK
from appliance.display.themes import THEMES
from appliance.display.view import ClockView, DoorView, Prize, TableView, View
from appliance.i18n import LANGUAGES, Translator

SIZES = (
    (3840, 2160), (1920, 1080), (1280, 720), (800, 480), (1024, 768),
    (1080, 1920), (480, 800), (1920, 515), (480, 320), (320, 240),
)  # fmt: skip
VIEWS = 500


def ink(op: Text, fonts: FontBook) -> Box:
    """Where capitals and digits of a text are."""
    top = op.box.y + fonts.ascent(op.size, op.bold) - round(CAP_HEIGHT * op.size)
    return Box(op.box.x, top, op.box.w, round(CAP_HEIGHT * op.size))


def texts(ops: tuple[Op, ...]) -> list[Text]:
    return [op for op in ops if isinstance(op, Text)]


def random_size(rng: random.Random) -> tuple[int, int]:
    """From the smallest screen of a house to the largest, also upright."""
    across = rng.randint(800, 3840)
    wide = across, min(max(480, round(across / rng.choice((4 / 3, 16 / 10, 16 / 9, 21 / 9)))), 2160)
    return wide if rng.random() < 0.75 else wide[::-1]


def cut_off(rng: random.Random, size: tuple[int, int]) -> int:
    """Per cent of each side that a display cuts off, mostly none; what is left is a screen that somebody has."""
    overscan = rng.choice((0, 0, 0, rng.randint(1, 15)))
    seen = sorted(side * (100 - 2 * overscan) // 100 for side in size)
    return overscan if seen[0] >= LEAST_SCREEN[1] and seen[1] >= LEAST_SCREEN[0] else 0


@pytest.mark.parametrize("chunk", range(0, VIEWS, 20))
def test_every_text_is_whole_in_its_room_within_the_margins_and_over_no_other(
    make_view: Callable[[int], View], fonts: FontBook, chunk: int
) -> None:
    for seed in range(chunk, chunk + 20):
        rng = random.Random(seed)
        size = rng.choice((random_size(rng), random_size(rng), rng.choice(SIZES)))
        view, lang = make_view(seed), rng.choice(LANGUAGES)
        theme, house = rng.choice(list(THEMES.values())), House(overscan=cut_off(rng, size))
        safe = Canvas(size, Translator(lang), theme, fonts, house=house).safe
        written: list[tuple[str, Box]] = []
        for op in texts(draw_list(view, size, Translator(lang), fonts, theme, house=house)):
            where, box = f"{op.text!r} {size} {lang}, overscan {house.overscan}, seed {seed}", ink(op, fonts)
            assert op.box.w == fonts.width(op.text, op.size, op.bold) or len(op.text) == 1, where
            assert op.box.w <= op.room.w, where
            assert safe.holds(box), where
            assert Box(0, 0, *size).holds(op.box) or len(op.text) == 1, where
            over = [other for other, there in written if there.meets(box)]
            assert not over, f"over {over}: {where}"
            written.append((op.text, box))


def marked(ops: tuple[Op, ...], fonts: FontBook) -> Iterator[tuple[Text, float, int]]:
    """The letters in discs, how far their corners are from the disc's middle, and its radius."""
    for disc, op in pairwise(ops):
        if not isinstance(op, Text) or op.text not in ("D", "SB", "BB") or not isinstance(disc, Round):
            continue
        assert disc.box.w == disc.box.h == 2 * disc.radius, op
        box = ink(op, fonts)
        corners = [(x, y) for x in (box.x, box.right) for y in (box.y, box.bottom)]
        yield op, max(math.hypot(x - disc.box.cx, y - disc.box.cy) for x, y in corners), disc.radius


@pytest.mark.parametrize("chunk", range(0, VIEWS, 50))
def test_the_letters_of_button_and_blinds_lie_within_their_discs(
    make_view: Callable[[int], View], fonts: FontBook, chunk: int
) -> None:
    """A text's room is a rectangle: that letters went over a circle's edge was seen by nothing."""
    found = 0
    for seed in range(chunk, chunk + 50):
        rng = random.Random(seed)
        size = rng.choice((random_size(rng), random_size(rng), rng.choice(SIZES)))
        for op, reach, radius in marked(draw_list(make_view(seed), size, Translator("cs"), fonts), fonts):
            found += 1
            assert reach <= radius + 1, (op, reach, radius, size, seed)
    assert found > 20


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_numbers_are_made_smaller_but_never_shortened(
    make_view: Callable[[int], View], fonts: FontBook, size: tuple[int, int], lang: str
) -> None:
    tr = Translator(lang)
    for seed in range(30):
        view = make_view(seed)
        if not isinstance(view, TableView) or view.board.phase != "running" or view.board.face is None:
            continue
        face = view.board.face
        blinds = face.next_blinds or face.blinds if face.on_break else face.blinds
        wanted = f"{tr.number(blinds.sb)}\u00a0/\u00a0{tr.number(blinds.bb)}"
        assert wanted in [op.text for op in texts(draw_list(view, size, tr, fonts))]


def test_the_time_is_the_largest_thing_on_the_screen(evening: TableView, fonts: FontBook) -> None:
    for size in SIZES:
        written = texts(draw_list(evening, size, Translator("cs"), fonts))
        largest = max(op.size for op in written)
        assert "".join(op.text for op in written if op.size == largest) == "12:34"
        assert largest > 1.8 * max(op.size for op in written if op.size < largest)


def test_names_and_figures_are_large_enough_for_four_metres(evening: TableView, fonts: FontBook) -> None:
    """On 13 inches of 1280×720 a letter of 20 pixels is 3.3 mm high: two minutes of arc for each of its strokes."""
    written = {op.text: op.size for op in texts(draw_list(evening, (1280, 720), Translator("cs"), fonts))}
    for seat in evening.seats:
        if seat.who is not None:
            assert max(written.get(part, 0) for part in (seat.who, seat.who.split()[0])) >= 20, seat.who
    assert written["200\u00a0/\u00a0400"] >= 60
    assert min(written[figure] for figure in ("250\u00a0/\u00a0500", "21:05", "14\u00a0/\u00a018", "19\u00a0285")) >= 30


def test_a_layout_is_a_pure_function(make_view: Callable[[int], View], fonts: FontBook) -> None:
    for seed in range(20):
        first = draw_list(make_view(seed), (1280, 720), Translator("cs"), fonts)
        again = draw_list(make_view(seed), (1280, 720), Translator("cs"), FontBook())
        assert first == again


@pytest.mark.parametrize("size", [(100, 100), (320, 200), (10_000, 1000)])
def test_a_screen_nobody_has_is_refused(evening: TableView, fonts: FontBook, size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="pixels"):
        draw_list(evening, size, Translator("cs"), fonts)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_button_blinds_and_labels_are_whole_on_the_smallest_screens(
    evening: TableView, fonts: FontBook, size: tuple[int, int], lang: str
) -> None:
    written = [op.text for op in texts(draw_list(evening, size, Translator(lang), fonts))]
    assert {"D", "SB", "BB"} <= set(written)
    names = {(seat.who or "")[:3] for seat in evening.seats}
    assert not [text for text in written if "…" in text and text[:3] not in names]


def test_of_a_text_without_room_nothing_is_left_and_not_a_dash(fonts: FontBook) -> None:
    canvas = Canvas((1280, 720), Translator("cs"), DARK, fonts)
    assert canvas.shortened("Průměrný stack", fonts.width("…", 20, bold=False) + 1, 20) == ""


@pytest.mark.parametrize("size", SIZES)
def test_in_a_break_the_next_blinds_are_said_once(evening: TableView, fonts: FontBook, size: tuple[int, int]) -> None:
    assert evening.board.face is not None
    face = replace(evening.board.face, on_break=True, next_break_at=None, next_break_in_s=None)
    view = replace(evening, board=replace(evening.board, face=face))
    written = [op.text for op in texts(draw_list(view, size, Translator("cs"), fonts))]
    assert written.count("250\u00a0/\u00a0500") == 1


def test_prizes_are_counted_only_where_more_than_one_is_left_out(evening: TableView, fonts: FontBook) -> None:
    def said(*places: int) -> list[str]:
        prizes = tuple(Prize(place=place, amount=1000 - place) for place in places)
        view = replace(evening, board=replace(evening.board, prizes=prizes))
        return [op.text for op in texts(draw_list(view, (1280, 720), Translator("cs"), fonts))]

    assert {"Výhry pro 5 míst", "998 · 997 · 996 · 995"} <= set(said(1, 2, 3, 4, 5))
    assert {"Výhry pro 6 míst", "998 · 997 · 996 · +\u00a02"} <= set(said(1, 2, 3, 4, 5, 6))


def test_T_10_prizes_below_those_of_a_deal_say_from_which_place_they_are(evening: TableView, fonts: FontBook) -> None:
    prizes = (Prize(place=4, amount=348), Prize(place=5, amount=232))
    view = replace(evening, board=replace(evening.board, prizes=prizes))
    for lang, label in (("cs", "Výhry od 4. místa"), ("en", "Prizes from 4th place")):
        assert label in [op.text for op in texts(draw_list(view, (1280, 720), Translator(lang), fonts))]


@pytest.mark.parametrize(("phase", "why"), [("paused", "Přerušeno"), ("running", "Handa po handě")])
def test_CK_6_every_screen_says_why_the_clock_stands(
    evening: TableView, fonts: FontBook, phase: Literal["paused", "running"], why: str
) -> None:
    assert evening.board.face is not None
    for stands in (True, False):
        board = replace(evening.board, phase="running", face=replace(evening.board.face, running=True))
        if stands:
            board = replace(evening.board, phase=phase, face=replace(evening.board.face, running=False))
        for view in (replace(evening, board=board), ClockView(board=board), DoorView(board=board)):
            said = [op.text for op in texts(draw_list(view, (1280, 720), Translator("cs"), fonts))]
            assert any(text.startswith(why) for text in said) is stands


def test_results_lie_on_the_felt_of_play(evening: TableView, fonts: FontBook) -> None:
    assert evening.board.face is not None
    resting = replace(evening.board, face=replace(evening.board.face, on_break=True))
    for phase, blue in (("running", True), ("paused", True), ("finished", False)):
        ops = draw_list(replace(evening, board=replace(resting, phase=phase)), (1280, 720), Translator("cs"), fonts)
        assert any(isinstance(op, Round) and op.color == DARK.felt_break for op in ops) is blue, phase
