"""What the league has published, on a screen: text in lines, so many a page (LG-12)."""

from __future__ import annotations

from appliance.display.canvas import LEAST_SIZE, Canvas
from appliance.display.listing import Heading, draw_heading, panel, room_below
from appliance.display.ops import Box
from appliance.display.view_rules import Published
from appliance.i18n import Translator

_SIZE = 38
"""Size of the letters, in lengths of the design."""


def edition_title(tr: Translator, told: Published) -> str:
    """What it is."""
    match told.kind:
        case "rules":
            return tr.gettext("League rules")
        case "plan":
            return tr.gettext("Game plan")
        case "prices":
            return tr.gettext("Price list")


def edition_note(tr: Translator, told: Published) -> str:
    """Which version, and from when it holds."""
    return tr.gettext("version {version}, in force from {date}", version=told.version, date=tr.date(told.since))


def text_room(c: Canvas, box: Box, told: Published) -> tuple[int, int]:
    """How many lines the text has in a panel of this size, and how many of them it shows at once."""
    room = room_below(c, box, note=True)
    return len(_lines(c, room, told)), max(1, room.h // _row(c))


def draw_text(c: Canvas, box: Box, told: Published, heading: Heading, first: int, last: int) -> None:
    """Lines ``first`` to ``last`` (not with it) of the text on a panel."""
    room = draw_heading(c, panel(c, box), heading)
    row = _row(c)
    for n, line in enumerate(_lines(c, room, told)[first:last]):
        c.text(Box(room.x, room.y + n * row, room.w, row), line, _size(c), c.theme.ink, align="left")


def _lines(c: Canvas, room: Box, told: Published) -> list[str]:
    return [line for part in told.text.splitlines() for line in c.lines(part, room.w, _size(c), False)]


def _size(c: Canvas) -> int:
    return max(LEAST_SIZE, c.u(_SIZE))


def _row(c: Canvas) -> int:
    return _size(c) * 14 // 10
