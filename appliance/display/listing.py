"""Lists that are read from afar: a heading, rows of one size in one or two columns, and which page of how many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from appliance.display.canvas import LEAST_SIZE, Canvas
from appliance.display.ops import Box
from appliance.display.theme import Color
from appliance.i18n import NBSP

_ROW, _HIGH_ROW, _COLUMN, _BETWEEN = 60, 120, 700, 80
"""Height of a row at least and at most, width of a column at least, space between two, in lengths of the design."""

_ABOVE = 28
"""Space between the heading and the first line at most."""

_WIDEST = 1300
"""A line alone is no longer than this."""

_LEAST_ROW = LEAST_SIZE * 15 // 10
_LEAST_COLUMN = 26 * LEAST_SIZE
"""Pixels a row and a column need on the smallest screens."""

_TWO_LINES = 68
"""A row of this height holds a name below the rest, in lengths of the design."""

_TITLE, _NOTE, _GAP = 64, 40, 14
"""Height of the heading, of the note below it, and the space below both."""

_SIZE, _WELL, _NAMES, _LEAST = 60, 40, 32, 28
"""Size of the letters at most, so that they are read well, of all where names are long, and of a long name alone."""


class Line(NamedTuple):
    """A row: what leads it, who or what, and up to two columns at its end.

    ``tone``: strong for what counts, name where it counts more than the end, quiet for what is over. ``mark``: the
    row that matters now stands on a band.
    """

    lead: str
    name: str
    middle: str = ""
    end: str = ""
    tone: Literal["strong", "name", "plain", "quiet"] = "plain"
    mark: bool = False


class Heading(NamedTuple):
    """What a list is, a note on it, and which page of how many is shown."""

    title: str
    note: str = ""
    page: int = 1
    pages: int = 1


class Grid(NamedTuple):
    """How many rows and columns a page has."""

    rows: int
    columns: int

    @property
    def lines(self) -> int:
        return self.rows * self.columns


def panel(c: Canvas, box: Box) -> Box:
    """Draw the ground of a list; return the room on it."""
    c.framed(box, c.u(32), c.theme.panel, c.theme.panel_edge, c.u(2))
    return _inner(c, box)


def grid(c: Canvas, box: Box, *, note: bool) -> Grid:
    """How many lines a panel of this size shows legibly, below its heading."""
    room = _below_heading(c, _inner(c, box), note=note)
    rows = room.h // max(c.u(_ROW), _LEAST_ROW)
    columns = (room.w + c.u(_BETWEEN)) // (max(c.u(_COLUMN), _LEAST_COLUMN) + c.u(_BETWEEN))
    return Grid(max(1, rows), min(2, max(1, columns)))


def shown_at_all(c: Canvas, box: Box) -> bool:
    """Whether a list in this box would be one: with some rows, and wide enough for names."""
    room = _below_heading(c, _inner(c, box), note=True)
    return room.h >= 3 * max(c.u(_ROW) * 8 // 10, _LEAST_ROW) and room.w >= _LEAST_COLUMN


def room_below(c: Canvas, box: Box, *, note: bool) -> Box:
    """What a panel of this size has below its heading."""
    return _below_heading(c, _inner(c, box), note=note)


def draw_heading(c: Canvas, room: Box, heading: Heading) -> Box:
    """Write the heading at the top of ``room``; return what is left below."""
    top = Box(room.x, room.y, room.w, _title_height(c))
    page = f"{heading.page}{NBSP}/{NBSP}{heading.pages}" if heading.pages > 1 else ""
    counted = c.text(top, page, c.u(36), c.theme.muted, align="right")
    free = Box(top.x, top.y, top.w - (counted.w + c.u(24) if page else 0), top.h)
    c.text(free, heading.title, c.u(50), c.theme.accent, bold=True, align="left")
    if heading.note:
        c.text(Box(room.x, top.bottom, room.w, _note_height(c)), heading.note, c.u(32), c.theme.muted, align="left")
    return _below_heading(c, room, note=bool(heading.note))


def draw_lines(
    c: Canvas,
    room: Box,
    lines: Sequence[Line],
    columns: int = 1,
    *,
    spare: bool = False,
    below: bool = False,
    whole: Sequence[Line] = (),
    each: int = 0,
) -> None:
    """Write the lines from the top, column by column, as large as they all may be.

    ``spare``: the middle gives way where without it the letters are larger. ``below``: names stand in a line of their
    own below the rest, where the rows are high enough. ``whole``: the list that these are a page of, with ``each`` on
    a page: all pages have letters of one size.
    """
    if not lines:
        return
    rows = -(-max(each, len(lines)) // columns)
    if columns == 1:  # the end of a line stays near its beginning
        room = room.inset(max(0, room.w - max(c.u(_WIDEST), _LEAST_COLUMN)) // 2, 0)
    height = min(room.h // rows, max(c.u(_HIGH_ROW), _LEAST_ROW))
    room = room.below(min((room.h - rows * height) // 3, c.u(_ABOVE)))
    parts = room.columns(*[1] * columns, gap=c.u(_BETWEEN))
    below = below and height >= max(c.u(_TWO_LINES), 4 * LEAST_SIZE)
    names = [line.name for line in lines]
    if below:
        lines = [line._replace(name="") for line in lines]
    sized = whole or lines
    size, widths = _widths(c, sized, parts[0].w, height)
    if spare and size < c.u(_WELL):
        larger = _widths(c, _bare(sized), parts[0].w, height)
        if larger[0] > size:
            lines, (size, widths) = _bare(lines), larger
    for n, line in enumerate(lines):
        column, row = divmod(n, rows)
        part = parts[column]
        box = Box(part.x, room.y + row * height, part.w, height)
        if row and not line.mark and not lines[n - 1].mark:
            c.rounded(Box(box.x, box.y, box.w, max(1, c.u(2))), 0, c.theme.panel_edge)
        if below and names[n]:
            box = _name_below(c, box, names[n], widths[0] + c.u(12) + size * 6 // 10)
        _line(c, box, line, size, widths)


def _bare(lines: Sequence[Line]) -> list[Line]:
    return [line._replace(middle="") for line in lines]


def _name_below(c: Canvas, box: Box, name: str, indent: int) -> Box:
    """Write a name into the lower part of a row; return the upper one."""
    _, upper, lower, _ = box.rows(4, 54, 37, 5)
    room = Box(lower.x + indent, lower.y, lower.w - indent - c.u(12), lower.h)
    c.text(room, name, c.u(36), c.theme.ink, align="right", least=c.u(_LEAST))
    return upper


def _line(c: Canvas, box: Box, line: Line, size: int, widths: tuple[int, int, int]) -> None:
    theme = c.theme
    ink: Color = {"strong": theme.blinds, "name": theme.ink, "plain": theme.ink, "quiet": theme.muted}[line.tone]
    side: Color = ink if line.tone == "strong" else theme.muted
    if line.mark:
        c.rounded(box.inset(0, c.u(3)), c.u(18), theme.accent)
        ink = side = theme.on_accent
    box, gap, bold = box.inset(c.u(12), 0), size * 6 // 10, line.tone in ("strong", "name") or line.mark
    lead = Box(box.x, box.y, widths[0], box.h)
    end = Box(box.right - widths[2], box.y, widths[2], box.h)
    middle = Box(end.x - (gap if widths[2] else 0) - widths[1], box.y, widths[1], box.h)
    left = lead.right + (gap if widths[0] else 0)
    c.text(lead, line.lead, size, ink if line.tone == "strong" else side, bold=True, align="right")
    heavy = line.tone in ("strong", "plain")
    beside = c.text(end, line.end, size, side if line.tone == "name" else ink, bold=heavy, align="right")
    right = beside.x - gap if line.end else box.right
    if line.middle:
        right = c.text(middle, line.middle, size, side, align="right").x - gap
    c.text(Box(left, box.y, right - left, box.h), line.name, size, ink, bold=bold, align="left",
           least=min(size, c.u(_LEAST)))  # fmt: skip


def _widths(c: Canvas, lines: Sequence[Line], width: int, height: int) -> tuple[int, tuple[int, int, int]]:
    """One size for all lines, and the widths of lead, middle and end; a name has what its own line leaves."""
    size = max(LEAST_SIZE, min(c.fit("", 1, height, c.u(_SIZE), bold=True), height * 66 // 100))
    while True:
        lead, end = (
            max((c.measure.width(text, size, True) for text in texts), default=0)
            for texts in ([line.lead for line in lines], [line.end for line in lines])
        )
        middle = max((c.measure.width(line.middle, size, False) for line in lines), default=0)
        gap = size * 6 // 10
        fixed, named = 0, 0
        for line in lines:
            name = c.measure.width(line.name, size, True)
            beside = lead + gap * ((lead > 0) + 1) + 2 * c.u(12)
            beside += end + gap + c.measure.width(line.middle, size, False) if line.middle else _end(c, line, size)
            fixed, named = max(fixed, beside), max(named, beside + name)
        if size <= LEAST_SIZE or named <= width or (size <= c.u(_NAMES) and fixed <= width * 6 // 10):
            return size, (lead, middle, end)
        size -= max(1, size // 24)


def _end(c: Canvas, line: Line, size: int) -> int:
    return c.measure.width(line.end, size, True)


def _inner(c: Canvas, box: Box) -> Box:
    return box.inset(c.u(36), c.u(24))


def _title_height(c: Canvas) -> int:
    return max(c.u(_TITLE), c.measure.height(LEAST_SIZE, True))


def _note_height(c: Canvas) -> int:
    return max(c.u(_NOTE), c.measure.height(LEAST_SIZE, True))


def _below_heading(c: Canvas, room: Box, *, note: bool) -> Box:
    return room.below(_title_height(c) + (_note_height(c) if note else 0) + c.u(_GAP))
