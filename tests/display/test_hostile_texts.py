"""No text can end a painter, wherever it comes from: a name, a season, an announcement, the place's name."""

from __future__ import annotations

import datetime as dt
import random

import pytest
from msgspec.structs import replace

from appliance.display import parts
from appliance.display.fonts import FontBook
from appliance.display.from_round import Link, Scene, Venue, clock_view, door_view, table_view
from appliance.display.layout import draw_list
from appliance.display.motion import transition
from appliance.display.ops import Box, DrawList, Round, Shade, Text
from appliance.display.raster import Painter
from appliance.display.render import paint
from appliance.display.themes import THEMES
from appliance.display.view import (
    AttentionView,
    Board,
    DoorView,
    SpareView,
    StartingView,
    Status,
    TableView,
    VenueSeen,
)
from appliance.display.window import Window
from appliance.game.roster import Notice, Roster, RosterEntry, SeasonLine, SeasonStandings, fold_roster
from appliance.i18n import Translator
from tests.display import conftest as generator

HOSTILE = (
    "\0",
    "Jan\0 N.",
    "\u200b",
    "\u2060\u200d \u200b",
    "\ufeff",
    "Jan\u2028N.",
    "\u202eJan N.",
    "\u0301",
    "\ufe0f\u034f",
    "Jan\ud800",
    "\x1b[31m\x07",
    "A\tB\r\nC",
    "👨\u200d👩\u200d👧\u200d👦",
    "e\u0301\u0302\u0303" * 40,
    "\U0010ffff\ue000",
    "𝕬" * 60,
    "ﷺ" * 60,
)
SIZES = ((640, 360), (240, 320))


def drawn(ops: DrawList, size: tuple[int, int], fonts: FontBook) -> None:
    for op in ops:
        if isinstance(op, Text):
            assert op.text.isprintable() or "\u00a0" in op.text, ascii(op.text)
    paint(ops, size, fonts)


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_whatever_the_league_says_is_drawn(text: str, fonts: FontBook) -> None:
    said = text.encode("utf-8", "replace").decode()
    roster = Roster()
    for event in (
        *(RosterEntry(participant=f"{n:06}", state="active", name=said) for n in range(101, 105)),
        SeasonStandings(
            season=said, as_of=1, participants=5,
            rows=tuple(SeasonLine(place=n, participant=f"{n:06}", points_half=n, name=said) for n in range(1, 9)),
        ),
        Notice(text_cs=said, text_en=""),
    ):  # fmt: skip
        roster = fold_roster(roster, event, 1_800_000_000_000)
    for at in (1_800_000_000_500, 1_800_000_600_000):
        scene = Scene(round=None, roster=roster, link=Link(missing=(text,)), venue=Venue(text), at_ms=at)
        for view in (clock_view(scene), door_view(scene), table_view(scene, 1)):
            for size in SIZES:
                drawn(draw_list(view, size, Translator("cs"), fonts), size, fonts)


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_whatever_a_view_holds_is_drawn(text: str, evening: TableView, fonts: FontBook) -> None:
    board = Board(phase="none", status=Status(), now=dt.datetime(2027, 1, 1, tzinfo=dt.UTC), venue=text)
    views = (
        AttentionView(device=text, problem=text, remedy=text, code=text),
        StartingView(device=text, version=text),
        SpareView(device=text, code="12345678", venues=(VenueSeen(text), VenueSeen(text, refused=text)), version=text),
        DoorView(board=board),
        replace(evening, seats=tuple(replace(seat, who=text) for seat in evening.seats)),
    )
    for view in views:
        for size in SIZES:
            drawn(draw_list(view, size, Translator("cs"), fonts), size, fonts)


def test_a_name_that_nobody_sees_is_a_number(fonts: FontBook) -> None:
    for name in ("\0", "\u200b", " ", "\u0301"):
        assert RosterEntry(participant="000101", state="active", name=name).public_name is None
    assert RosterEntry(participant="000101", state="active", name="Jan\0 Nova\u0301k ").public_name == "Jan Novák"


def test_a_text_that_cannot_be_drawn_is_left_out_and_told_once(
    fonts: FontBook, caplog: pytest.LogCaptureFixture
) -> None:
    size = (320, 240)
    good = Text(Box(10, 10, 100, 20), Box(10, 10, 100, 20), "Jan", 16, False, (255, 255, 255))
    bad = [
        Text(Box(10, 40, 100, 20), Box(10, 40, 100, 20), text, 16, False, (255, 255, 255))
        for text in ("a\0b", "\u200b")
    ]
    painter, target = Painter(fonts, 1), parts.surface.Surface(size, 0, 32)
    for _ in range(3):
        target.fill(0)
        painter.paint(target, (*bad, good), Box(0, 0, *size))
    assert parts.image.tobytes(target, "RGB") == parts.image.tobytes(paint((good,), size, fonts), "RGB")
    assert [record.getMessage().count("cannot be drawn") for record in caplog.records] == [1, 1]


ACCENTS = ("Nguyễn Thị Ế", "Ǻ Ẫ Ấ", "مرحبا ع.", "Ű Ṩ ẞ", "ﷺ", "g\u0308\u0301\u0301\u0301 N.", "Jan N.")


def test_letters_higher_than_their_box_are_the_same_when_what_is_beside_them_changes(fonts: FontBook) -> None:
    size, white = (400, 200), (255, 255, 255)
    window = Window(size, driver="dummy", fonts=fonts)
    ground = Shade(Box(0, 0, *size), (0, 0, 0), (0, 0, 60))
    for text in ACCENTS:
        for points in (*range(6, 40), 61):
            box = Box(5, 60, fonts.width(text, points, True), fonts.height(points, True))
            op = Text(box, box, text, points, True, white)
            for color in ((90, 0, 0), (0, 90, 0)):
                beside = (Round(Box(0, box.bottom, 400, 30), 0, color), Round(Box(0, 20, 400, 40), 0, color))
                ops = (ground, *beside, op)
                window.show(ops)
                shown = parts.image.tobytes(parts.display.get_surface(), "RGB")
                assert shown == parts.image.tobytes(paint(ops, size, fonts), "RGB"), (text, points)


def test_screens_with_such_names_change_and_move_as_if_painted_whole(
    fonts: FontBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generator, "NAMES", ACCENTS)
    size, rng = (480, 270), random.Random(8)
    window = Window(size, driver="dummy", fonts=fonts)
    before: DrawList | None = None
    for _ in range(16):
        theme = rng.choice(list(THEMES.values()))
        ops = draw_list(generator.generated_view(rng.randrange(10_000)), size, Translator("cs"), fonts, theme)
        moved = transition(before or ops, ops, size, theme, turned=rng.random() < 0.4)
        for shown in (*(moved.at(ops, share) for share in (0.0, 0.3, 0.8) if moved is not None), ops):
            window.show(shown)
            screen = parts.image.tobytes(parts.display.get_surface(), "RGB")
            assert screen == parts.image.tobytes(paint(shown, size, fonts), "RGB")
        before = ops


def test_nothing_of_a_text_is_painted_outside_its_box(fonts: FontBook) -> None:
    size = (400, 200)
    for text in ACCENTS:
        for points in (*range(6, 40), 61, 93):
            box = Box(5, 60, fonts.width(text, points, True), fonts.height(points, True))
            op = Text(box, box, text, points, True, (255, 255, 255))
            picture = paint((op,), size, fonts)
            picture.fill(0, box)
            assert picture.get_bounding_rect().size == size  # opaque
            assert not any(parts.image.tobytes(picture, "RGB")), (text, points)
