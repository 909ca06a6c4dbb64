"""A whole evening's screens as one picture for docs, each drawn as `tableside screen` draws it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from appliance.display.fonts import FONT_DIR
from tests.display import golden_cases as g
from tests.display.golden_cases import Case
from tests.display.golden_pictures import difference, drawn, redraw

SHEET = g.ROOT / "docs" / "img" / "evening.png"
COLUMNS, FRAME, CAPTION, GAP = 5, (376, 212), 24, 8
_SIZE = "1280x720"

EVENING = (
    Case("clock", "17:20", ("--turn", "2")),
    Case("door", "18:05", ("--turn", "0")),
    Case("door", "18:12:20", ("--tap", "000107")),
    Case("door", "18:12:40", ("--tap", "000112,000900,answer")),
    Case("door", "18:20:30", ("--tap", "refused:unknown")),
    Case("clock", "18:40", ("--turn", "0")),
    Case("table:1", "19:00:20"),
    Case("door", "19:02", ("--tap", "000112")),
    Case("table:1", "19:06:05", hand=g.HAND),
    Case("table:2", "19:21:30"),
    Case("table:1", "19:52:10"),
    Case("table:2", "20:12:05"),
    Case("table:1", "20:35:30", ("--tap", "000115")),
    Case("table:1", "20:40:36", does=g.TIME),
    Case("table:1", "20:40:58", does=g.TIME),
    Case("table:1", "20:44", told=(("20:43:30", "notice/1", g.WORD),)),
    Case("floor:1", "20:49", ("--keys", "item:0,item:0")),
    Case("floor:1", "20:49:30", ("--keys", "item:0,item:0,enter")),
    Case("table:2", "20:54:40", does=g.MOVES),
    Case("table:2", "20:57", does=(("20:56", {"do": "hand_for_hand", "on": True}),)),
    Case("table:2", "21:08:40", ("--turn", "3"), does=g.BONUS, announced={"chip_up": 5000}),
    Case("clock", "21:14", ("--turn", "0")),
    Case("table:1", "21:25:20"),
    Case("table:1", "21:26:30"),
    Case("table:1", "21:52:10"),
    Case("clock", "22:46"),
    Case("table:1", "23:22:30"),
    Case("clock", "23:45", ("--turn", "0")),
    Case("table:1", "23:45:30", ("--turn", "1")),
    Case("door", "23:46", ("--tap", "000117")),
)


def _sheet() -> Image.Image:
    rows = -(-len(EVENING) // COLUMNS)
    cell = FRAME[0] + GAP, CAPTION + FRAME[1] + GAP
    sheet = Image.new("RGB", (COLUMNS * cell[0] + GAP, rows * cell[1] + GAP), (24, 28, 27))
    pen, font = ImageDraw.Draw(sheet), ImageFont.truetype(str(Path(FONT_DIR) / "DejaVuSans.ttf"), 15)
    for number, case in enumerate(EVENING):
        x, y = GAP + number % COLUMNS * cell[0], GAP + number // COLUMNS * cell[1]
        pen.text((x + 2, y + 2), f"{case.at[:5]}  {case.screen}", (200, 206, 203), font=font)
        sheet.paste(drawn(case, "en", _SIZE).resize(FRAME, Image.Resampling.LANCZOS), (x, y + CAPTION))
    return sheet


@pytest.mark.xdist_group("evening-sheet")
def test_the_sheet_of_an_evening_in_docs_shows_the_screens_as_they_are() -> None:
    sheet = _sheet()
    redraw(SHEET, sheet, whole=True, fine=True)
    assert difference(Image.open(SHEET), sheet, whole=True).small
    assert SHEET.stat().st_size < 1.5 * 2**20
    assert len(EVENING) >= 24
