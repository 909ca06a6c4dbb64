"""Lists in breaks, before the start and after the end: everybody is told, page by page, as large as can be read."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Literal

import pytest
from msgspec.structs import replace

from appliance.display.canvas import Canvas
from appliance.display.fonts import FontBook
from appliance.display.layout import draw_list
from appliance.display.layout_final import rungs
from appliance.display.layout_lists import pages
from appliance.display.listing import Line
from appliance.display.ops import Box, Text
from appliance.display.theme import DARK
from appliance.display.view import Board, Call, ClockView, LevelRow, Prize, Result, TableView, View
from appliance.display.view_season import Standing, Standings
from appliance.i18n import LANGUAGES, Translator

SIZES = ((3840, 2160), (1920, 1080), (1280, 720), (800, 480), (1080, 1920))
WHO = tuple(f"{number:06}" for number in range(1, 91))


def texts(view: View, size: tuple[int, int], fonts: FontBook, lang: str = "cs") -> list[Text]:
    return [op for op in draw_list(view, size, Translator(lang), fonts) if isinstance(op, Text)]


def turns(board: Board, size: tuple[int, int], fonts: FontBook, lang: str = "cs") -> list[Text]:
    """What a clock wall says in all the turns of a quarter of an hour."""
    views = (ClockView(board=replace(board, turn=turn)) for turn in range(60))
    return [text for view in views for text in texts(view, size, fonts, lang)]


@pytest.fixture
def finished(evening: TableView) -> Board:
    results = tuple(
        Result(place=place, who=who, prize=max(0, 45_000 - 15_000 * place), points=f"{1000 - place}")
        for place, who in enumerate(WHO, start=1)
    )
    return replace(evening.board, phase="finished", results=results)


def season(rows: int) -> Standings:
    told = tuple(Standing(place=n, who=WHO[n - 1], points="12.5", rounds=3) for n in range(1, rows + 1))
    return Standings(season="2027", rows=told, participants=rows, key_confirmed=False)


@pytest.mark.parametrize("size", SIZES)
def test_all_of_ninety_results_are_seen_in_turns_and_can_be_read(
    finished: Board, fonts: FontBook, size: tuple[int, int]
) -> None:
    said = turns(finished, size, fonts)
    sizes = {text.text: text.size for text in said}
    assert set(WHO) <= set(sizes)
    assert min(sizes[who] for who in WHO) >= min(size) * 28 // 1080


def test_LG_8_the_standings_take_turns_with_the_results_and_say_what_key_they_follow(
    finished: Board, fonts: FontBook
) -> None:
    said = [text.text for text in turns(replace(finished, standings=season(40)), (1280, 720), fonts)]
    assert "Pořadí: 2027" in said
    assert said.count("12,5\u00a0b.") + said.count("12,5 b.") >= 40
    assert any(text.startswith("Body podle nepotvrzeného klíče") for text in said)


def test_a_page_stays_for_its_turn_and_the_first_follows_the_last(finished: Board, fonts: FontBook) -> None:
    c = Canvas((1280, 720), Translator("cs"), DARK, fonts)
    found = pages(c, Box(0, 0, 1200, 600), finished, ("results",))
    assert [page.number for page in found] == list(range(1, len(found) + 1))
    assert found[0].first == 0 and found[-1].last == 90
    assert all(before.last == after.first for before, after in pairwise(found))
    first = texts(ClockView(board=finished), (1280, 720), fonts)
    assert texts(ClockView(board=replace(finished, turn=60 * len(found))), (1280, 720), fonts) == first


@pytest.mark.parametrize("lang", LANGUAGES)
def test_T_16_the_wall_shows_the_whole_structure_before_the_start(
    evening: TableView, fonts: FontBook, lang: str
) -> None:
    assert evening.board.face is not None
    levels = tuple(LevelRow(minutes=20, level=n, blinds=evening.board.face.blinds) for n in range(1, 21))
    board = replace(evening.board, phase="open", starts_in_s=600, levels=levels)
    for size in SIZES:
        said = {text.text for text in turns(board, size, fonts, lang)}
        assert {str(n) for n in range(1, 21)} <= said


@pytest.mark.parametrize("size", SIZES)
def test_in_a_break_the_countdown_is_the_largest_and_the_standings_beside_it(
    evening: TableView, fonts: FontBook, size: tuple[int, int]
) -> None:
    assert evening.board.face is not None
    face = replace(evening.board.face, on_break=True, remaining_s=512)
    board = replace(evening.board, face=face, standings=season(5))
    for view in (replace(evening, board=board), ClockView(board=board)):
        said = texts(view, size, fonts)
        largest = max(text.size for text in said)
        assert "".join(text.text for text in said if text.size == largest) == "8:32"
        assert set(WHO[:5]) <= {text.text for text in said}


def test_while_cards_are_dealt_nothing_takes_turns(evening: TableView, fonts: FontBook) -> None:
    board = replace(evening.board, standings=season(40), levels=(LevelRow(minutes=20),) * 20)
    for view in (evening, ClockView(board=board)):
        shown = [texts(replace(view, board=replace(board, turn=turn)), (1280, 720), fonts) for turn in range(4)]
        assert all(again == shown[0] for again in shown)


def test_S_6_the_final_table_has_a_title_and_a_ladder_with_who_took_what(evening: TableView, fonts: FontBook) -> None:
    field = replace(evening.board.field, left=2) if evening.board.field else None
    out = (Result(place=3, who="Žofie D.", prize=1350),)
    board = replace(evening.board, final=True, results=out, field=field)
    for view, size in (
        (view, size) for view in (replace(evening, board=board), ClockView(board=board)) for size in SIZES
    ):
        said = [text.text for text in texts(view, size, fonts)]
        assert "Heads-up" in said
        assert {"Žofie D.", "1\u00a0350\u00a0Kč", "2\u00a0025\u00a0Kč"} <= set(said)
    assert field is not None
    five = replace(evening, board=replace(board, field=replace(field, left=5), results=()))
    assert "Finálový stůl" in [text.text for text in texts(five, (1280, 720), fonts)]


def test_T_7_those_who_share_a_place_stand_on_the_prizes_they_share() -> None:
    prizes = [Prize(place=place, amount=1000 - 100 * place) for place in (1, 2, 3, 4)]
    gone = [Result(place=3, who="A", prize=650), Result(place=3, who="B", prize=650)]
    lines = rungs(Translator("cs"), prizes, gone, left=2)
    assert [line.name for line in lines] == ["", "", "A", "B"]
    assert [line.mark for line in lines] == [False, True, False, False]
    assert isinstance(lines[0], Line)


@pytest.mark.parametrize("size", SIZES)
def test_CK_4_the_plate_of_whose_time_runs_stands_out(
    evening: TableView, fonts: FontBook, size: tuple[int, int]
) -> None:
    called = replace(evening, call=Call(who="Tomáš H.", phase="thinking", remaining_s=42, ends="fold"))
    colors = {text.text: text.color for text in texts(called, size, fonts)}
    assert colors["Tomáš H."] == DARK.on_accent
    assert colors["Jan N."] == DARK.ink


def test_the_outcome_of_the_last_hand_stays_into_a_break_and_then_makes_room(
    tracked: TableView, fonts: FontBook
) -> None:
    assert tracked.board.face is not None and tracked.tracked is not None

    def stays(waits: Literal["nothing", "action"], gone_s: int) -> bool:
        assert tracked.board.face is not None and tracked.tracked is not None
        face = replace(tracked.board.face, on_break=True, span_s=900, remaining_s=900 - gone_s)
        hand = replace(tracked.tracked, waits=waits)
        view = replace(tracked, board=replace(tracked.board, face=face), tracked=hand, pad=None)
        return "Lucie D." in {text.text for text in texts(view, (1280, 720), fonts)}

    assert stays("action", 10) and stays("action", 600)
    assert stays("nothing", 10) and not stays("nothing", 600)


def test_all_pages_of_a_list_have_letters_of_one_size(finished: Board, fonts: FontBook) -> None:
    """A page of short names had larger ones, and so had the last page with its few lines."""
    for size in ((1920, 1080), (1280, 720), (800, 480)):
        found = set()
        for turn in range(12):
            board = replace(finished, turn=turn, standings=None)
            ops = draw_list(ClockView(board=board), size, Translator("cs"), fonts)
            found |= {op.size for op in ops if isinstance(op, Text) and re.fullmatch(r"\d+\.", op.text)}
        assert len(found) == 1, (size, found)
