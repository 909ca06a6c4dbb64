"""A word for the whole room is read on every screen, and hides nothing that people need."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from appliance.display import prompt as p
from appliance.display.canvas import Sections
from appliance.display.fonts import FontBook
from appliance.display.layout import draw_list
from appliance.display.ops import Box, Text
from appliance.display.view import Board, Call, ClockView, DoorView, PromptView, TableView, View
from appliance.display.view_season import Announcement
from appliance.i18n import LANGUAGES, Translator
from tests.display.test_layout_fits import SIZES, ink, texts

SHORT = "Po turnaji se v baru losuje tombola."
LONG = " ".join(["Vážení hráči, přestávka se prodlužuje o dvacet minut, Nejneobhospodařovávatelnější."] * 40)[:2000]
ORDINARY = ((1920, 1080), (1280, 720), (800, 480), (1080, 1920))


def screens(evening: TableView, said: Announcement) -> tuple[View, ...]:
    board: Board = replace(evening.board, announcement=said)
    return replace(evening, board=board), DoorView(board=board), ClockView(board=board)


def written(view: View, size: tuple[int, int], fonts: FontBook, lang: str = "cs") -> list[Text]:
    return texts(draw_list(view, size, Translator(lang), fonts))


def said(view: View, size: tuple[int, int], fonts: FontBook) -> str:
    return " ".join(op.text for op in written(view, size, fonts))


@pytest.mark.parametrize("size", ORDINARY)
@pytest.mark.parametrize("fresh", [True, False])
def test_an_announcement_is_read_on_every_screen(
    evening: TableView, fonts: FontBook, size: tuple[int, int], fresh: bool
) -> None:
    for view in screens(evening, Announcement(text=SHORT, fresh=fresh)):
        assert SHORT in said(view, size, fonts)


def test_a_fresh_one_is_large_and_says_who_speaks(evening: TableView, fonts: FontBook) -> None:
    for by, who in (("league", "Hlášení ligy"), ("floor", "Hlášení komisaře")):
        for view in screens(evening, Announcement(text=SHORT, by=by, fresh=True)):
            assert who in said(view, (1920, 1080), fonts)
            fresh = next(op for op in written(view, (1920, 1080), fonts) if op.text.startswith("Po turnaji"))
            later = replace(view, board=replace(view.board, announcement=Announcement(text=SHORT)))
            slim = next(op for op in written(later, (1920, 1080), fonts) if op.text.startswith("Po turnaji"))
            assert fresh.size > 1.3 * slim.size


@pytest.mark.parametrize("size", ORDINARY)
def test_one_that_is_no_longer_fresh_is_larger_where_there_is_room(
    evening: TableView, fonts: FontBook, size: tuple[int, int]
) -> None:
    def letters(view: View, text: str) -> int:
        return next(op.size for op in written(view, size, fonts) if op.text[:10] == text[:10])

    for view, long in zip(
        screens(evening, Announcement(text=SHORT)), screens(evening, Announcement(text=LONG)), strict=True
    ):
        assert letters(view, SHORT) > 1.2 * letters(long, LONG)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("text", [SHORT, LONG, "Á" * 2000])
def test_time_blinds_prompt_and_call_stay_beside_it(
    evening: TableView, fonts: FontBook, size: tuple[int, int], text: str
) -> None:
    told = Announcement(text=text, fresh=True)
    call = Call(who="Jan N.", phase="counting", remaining_s=9, ends="fold")
    prompt = PromptView(prompt=p.YourSeat("000101", 2, 7), who="Eva Ž.")
    table, _, clock = screens(evening, told)
    assert isinstance(table, TableView)
    for view in (table, clock, replace(table, call=call), replace(table, prompt=prompt)):
        ops = written(view, size, fonts)
        largest = max(op.size for op in ops)
        assert "".join(op.text for op in ops if op.size == largest) == "12:34"
        assert "200\u00a0/\u00a0400" in [op.text for op in ops]
    assert "Odpočet: Jan\u00a0N., 9 s" in said(replace(table, call=call), size, fonts)
    assert "Stůl 2, místo 7" in said(replace(table, prompt=prompt), size, fonts)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("fresh", [True, False])
def test_the_longest_text_is_fitted_and_lies_over_nothing(
    evening: TableView, tracked: TableView, fonts: FontBook, size: tuple[int, int], fresh: bool
) -> None:
    told = Announcement(text=LONG, fresh=fresh)
    for view in (*screens(evening, told), *screens(tracked, told)):
        for lang in LANGUAGES:
            inked = [(op, ink(op, fonts)) for op in written(view, size, fonts, lang)]
            for n, (op, box) in enumerate(inked):
                assert op.box.w <= op.room.w, op.text
                assert Box(0, 0, *size).holds(box), op.text
                assert not [other.text for other, there in inked[:n] if there.meets(box)], op.text


def test_only_what_could_not_be_read_otherwise_is_shortened(evening: TableView, fonts: FontBook) -> None:
    half = LONG[:180].rsplit(" ", 1)[0]
    for view in screens(evening, Announcement(text=half, fresh=True)):
        assert "…" not in said(view, (1920, 1080), fonts)
    for view in screens(evening, Announcement(text=LONG, fresh=True)):
        last = [op for op in written(view, (1920, 1080), fonts) if op.text.endswith("…")]
        assert [op.size >= 26 for op in last] == [True]


@pytest.mark.parametrize("text", ["", " \n\t "])
def test_an_empty_one_is_none(evening: TableView, fonts: FontBook, text: str) -> None:
    for view in screens(evening, Announcement(text=text, fresh=True)):
        quiet = replace(view, board=replace(view.board, announcement=None))
        assert written(view, (1280, 720), fonts) == written(quiet, (1280, 720), fonts)


def test_a_long_text_is_measured_once_and_not_at_every_tick(
    evening: TableView, fonts: FontBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = replace(evening.board, announcement=Announcement(text=LONG, fresh=True))
    view, sections, asked = replace(evening, board=board), Sections(), []
    width: Callable[[str, int, bool], int] = fonts.width

    def counted(text: str, size: int, bold: bool) -> int:
        asked.append(text)
        return width(text, size, bold)

    monkeypatch.setattr(fonts, "width", counted)
    draw_list(view, (1280, 720), Translator("cs"), fonts, sections=sections)
    first = len(asked)
    face = view.board.face
    assert face is not None
    ticked = replace(view, board=replace(board, face=replace(face, remaining_s=753)))
    draw_list(ticked, (1280, 720), Translator("cs"), fonts, sections=sections)
    assert not [text for text in asked[first:] if text and text in LONG and len(text) > 20]
