"""The drawing table of the layouts: collects operations, fits texts into their boxes by measuring.

Every text gets a box. It is drawn at the wished size, else at the largest smaller one that fits, and where even the
smallest legible size is too wide its end gives way to "…": nothing is ever cut off.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Concatenate, Literal, NamedTuple, ParamSpec, TypeVar

from appliance.display.fonts import Measure
from appliance.display.house import PLAIN, House
from appliance.display.ops import Box, DrawList, Op, Picture, Round, Shade, Source, Stroke, Text
from appliance.display.theme import Color, Theme
from appliance.i18n import LANGUAGES, Translator
from appliance.plaintext import plain

Align = Literal["left", "center", "right"]
Shown = ParamSpec("Shown")
Found = TypeVar("Found")

LEAST_SIZE = 6
"""Pixels; below this letters are no longer letters. Only the smallest screens ever come near it."""

_speaker = lru_cache(maxsize=len(LANGUAGES))(Translator)
"""A language's words are loaded once, not for every frame."""

_SCALE: tuple[int, ...] = tuple(sorted({*range(LEAST_SIZE, 24), *(int(24 * 1.045**step) for step in range(100))}))
"""The sizes in use: a fixed scale, so that a screen needs few fonts."""


class Words(NamedTuple):
    """A paragraph of a block: its text and how it would like to be written."""

    text: str
    size: int
    color: Color
    bold: bool = False


class _Row(NamedTuple):
    """A line of a block, with the space above it."""

    text: str
    size: int
    color: Color
    bold: bool
    height: int
    above: int


class Sections:
    """The parts of a screen as they were laid out last: one that shows the same again is taken from here.

    A clock that ticks then lays out little more than itself. Two of each are kept, what is shown and what was made
    ready to follow. It belongs to one window.
    """

    def __init__(self) -> None:
        self.parts: dict[object, list[tuple[tuple[object, ...], DrawList]]] = {}
        self.found: dict[object, list[tuple[tuple[object, ...], Any]]] = {}
        self.latest: Canvas | None = None


class Canvas:
    """One screen being laid out: its size, what to write with, and what has been put on it so far.

    ``u`` turns a length of the design (made for 1920×1080, either way up) into pixels of this screen.
    """

    def __init__(
        self,
        size: tuple[int, int],
        tr: Translator,
        theme: Theme,
        measure: Measure,
        sections: Sections | None = None,
        house: House = PLAIN,
        shift: tuple[int, int] = (0, 0),
    ) -> None:
        self.screen = Box(0, 0, *size)
        self.tr = tr
        self.theme = theme
        self.measure = measure
        self.house = house
        seen = self.screen.inset(*(side * house.overscan // 100 for side in size))
        self._unit = min(max(seen[2:]) / 1920, min(seen[2:]) / 1080)
        self.safe = seen.inset(self.u(44), self.u(36)).moved(*shift)
        """The screen without the margin that a television may cut off; all but the ground is drawn within."""
        self._like = (self.screen, house, shift, theme)
        self._ops: list[Op] = []
        self._running: list[tuple[int, int, Callable[[Canvas, int], None]]] = []
        self._sections = sections or Sections()
        self._sections.latest = self

    def u(self, length: float) -> int:
        """Pixels for a length of the design; at least 1."""
        return max(1, round(length * self._unit))

    def done(self) -> DrawList:
        return tuple(self._ops)

    def running(self, draw: Callable[[Canvas, int], None], second: int) -> None:
        """Draw what shows a clock's second, so that `at` can draw it again. Not within a part."""
        start = len(self._ops)
        draw(self, second)
        self._running.append((start, len(self._ops), draw))

    def at(self, second: int) -> DrawList:
        """What was drawn, with another second on the clock."""
        whole: list[Op] = []
        done = 0
        for start, end, ops in self.seconds(second):
            whole += (*self._ops[done:start], *ops)
            done = end
        return (*whole, *self._ops[done:])

    def seconds(self, second: int) -> Iterator[tuple[int, int, list[Op]]]:
        """What shows a clock's second, at another one: from where to where it is drawn in the list, and what there."""
        kept = self._ops
        for start, end, draw in self._running:
            fresh: list[Op] = []
            self._ops = fresh
            try:
                draw(self, second)
            finally:
                self._ops = kept
            yield start, end, fresh

    @contextmanager
    def speaking(self, lang: str) -> Iterator[None]:
        """Write in the language of whom a part addresses, ``""`` for the screen's; afterwards in the screen's again."""
        screens = self.tr
        self.tr = _speaker(lang) if lang else screens
        try:
            yield
        finally:
            self.tr = screens

    def part(self, draw: Callable[Concatenate[Canvas, Shown], None], *what: Shown.args, **how: Shown.kwargs) -> None:
        """Draw a part of the screen, unless it showed the same shortly before: then that is taken.

        ``draw`` must depend on nothing but the screen, the language and its arguments, and be a part of it once.
        """
        arguments: tuple[Any, ...] = (self._like, self.tr, what, how)
        known = self._sections.parts.setdefault(draw, [])
        for shown, ops in known:
            if shown == arguments:
                self._ops.extend(ops)
                return
        start = len(self._ops)
        draw(self, *what, **how)
        known.insert(0, (arguments, tuple(self._ops[start:])))
        del known[2:]

    def found(self, seek: Callable[Concatenate[Canvas, Shown], Found], *what: Shown.args, **how: Shown.kwargs) -> Found:
        """What ``seek`` finds out for the layout, by much measuring; the same question is not worked out again."""
        arguments: tuple[Any, ...] = (self._like, self.tr, what, how)
        known = self._sections.found.setdefault(seek, [])
        for asked, answer in known:
            if asked == arguments:
                said: Found = answer
                return said
        answer = seek(self, *what, **how)
        known.insert(0, (arguments, answer))
        del known[6:]
        return answer

    # shapes

    def ground(self) -> None:
        self._ops.append(Shade(self.screen, self.theme.ground_top, self.theme.ground_bottom))

    def rounded(self, box: Box, radius: int, color: Color) -> None:
        if box.w > 0 and box.h > 0:
            self._ops.append(Round(box, min(radius, box.w // 2, box.h // 2), color))

    def framed(self, box: Box, radius: int, fill: Color, edge: Color, width: int) -> None:
        """A filled box with an edge of another colour."""
        self.rounded(box, radius, edge)
        self.rounded(box.inset(width), max(0, radius - width), fill)

    def disc(self, cx: int, cy: int, radius: int, color: Color) -> None:
        self.rounded(Box(cx - radius, cy - radius, 2 * radius, 2 * radius), radius, color)

    def marker(self, cx: int, cy: int, radius: int, label: str, size: int, fill: Color, ink: Color) -> None:
        """A disc with letters in it, as large as lie within the circle from corner to corner."""
        self.disc(cx, cy, radius, self.theme.shadow)
        inner = radius - self.u(2)
        self.disc(cx, cy, inner, fill)
        size = self.fit("", 1, 2 * radius, size, bold=True)
        while size > LEAST_SIZE and self.corner(label, size) > inner:
            size -= 1
        self.text(Box(cx - radius, cy - radius, 2 * radius, 2 * radius), label, size, ink, bold=True)

    def corner(self, label: str, size: int) -> int:
        """How far the corners of letters are from their middle."""
        wide, high = self.measure.width(label, size, True), self.measure.cap_height(True) * size
        return math.ceil(math.hypot(wide, high) / 2)

    def stroke(self, points: Sequence[tuple[float, float]], width: int, color: Color) -> None:
        """A line through ``points`` of the screen, which may lie between pixels."""
        pad = width // 2 + 2
        left, top = (math.floor(min(along)) - pad for along in zip(*points, strict=True))
        right, bottom = (math.ceil(max(along)) + pad for along in zip(*points, strict=True))
        moved = tuple((x - left, y - top) for x, y in points)
        self._ops.append(Stroke(Box(left, top, right - left, bottom - top), moved, width, color))

    def picture(self, box: Box, source: Source, align: Align = "center") -> Box:
        """A picture as large as ``box`` allows with its own proportions; return what it covers."""
        w, h = max(1, min(box.w, box.h * source.w // source.h)), max(1, min(box.h, box.w * source.h // source.w))
        x = {"left": box.x, "center": box.cx - w // 2, "right": box.right - w}[align]
        covered = Box(x, box.cy - h // 2, w, h)
        self._ops.append(Picture(covered, source))
        return covered

    # texts

    def fit(self, text: str, width: int, height: int, size: int, bold: bool = False) -> int:
        """The largest size of the scale, at most ``size``, at which ``text`` is within ``width`` × ``height``."""
        best = _SCALE[0]
        low, high = 0, len(_SCALE) - 1
        while low <= high:
            middle = (low + high) // 2
            wished = _SCALE[middle]
            if (
                wished <= max(size, LEAST_SIZE)
                and self.measure.height(wished, bold) <= height
                and self.measure.width(text, wished, bold) <= width
            ):
                best, low = wished, middle + 1
            else:
                high = middle - 1
        return best

    def text(
        self,
        box: Box,
        text: str,
        size: int,
        color: Color,
        *,
        bold: bool = False,
        align: Align = "center",
        least: int = LEAST_SIZE,
    ) -> Box:
        """Write one line into ``box``, its capitals centred from top to bottom; return what it covers.

        ``least``: the size below which it is rather shortened than made smaller.
        """
        text = plain(text)
        if not text or box.w <= 0 or box.h <= 0:
            return Box(box.x, box.y, 0, 0)
        height = max(box.h, self.measure.height(LEAST_SIZE, bold))
        size = max(self.fit(text, box.w, height, size, bold), self.fit("", 1, height, min(size, least), bold))
        text = self.shortened(text, box.w, size, bold)
        width = self.measure.width(text, size, bold)
        if not width:
            return Box(box.x, box.y, 0, 0)
        height = self.measure.height(size, bold)
        cap = self.measure.cap_height(bold)
        x = {"left": box.x, "center": box.cx - width // 2, "right": box.right - width}[align]
        top = box.y + round((box.h + cap * size) / 2) - self.measure.ascent(size, bold)
        top = min(max(top, box.y), max(box.y, box.bottom - height))
        covered = Box(x, top, width, height)
        self._ops.append(Text(covered, box, text, size, bold, color))
        return covered

    def shortened(self, text: str, width: int, size: int, bold: bool = False) -> str:
        """``text``, or as much of its beginning as leaves room for "…"; nothing rather than "…" alone."""
        if self.measure.width(text, size, bold) <= width:
            return text
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            if self.measure.width(text[:middle].rstrip() + "…", size, bold) <= width:
                low = middle
            else:
                high = middle - 1
        return text[:low].rstrip() + "…" if low else ""

    def paragraph(
        self,
        box: Box,
        text: str,
        size: int,
        color: Color,
        *,
        bold: bool = False,
        align: Align = "center",
    ) -> None:
        """Write words over as many lines as ``box`` holds, smaller where needed."""
        self.block(box, [Words(text, size, color, bold)], align=align)

    def needed(self, width: int, words: Sequence[Words], *, gap: float = 0.35) -> tuple[int, int]:
        """How wide and high a box must be for `block` to write these at their wished sizes, at most ``width`` wide."""
        rows = self._rows(Box(0, 0, width, 0), [part for part in words if part.text], gap, 1.0)
        widths = [self.measure.width(row.text, row.size, row.bold) for row in rows]
        return max(widths, default=0), sum(row.above + row.height for row in rows)

    def block(self, box: Box, words: Sequence[Words], *, gap: float = 0.35, align: Align = "center") -> None:
        """Write paragraphs one below the other, together in the middle of ``box``.

        Where they do not fit, all become smaller in proportion. ``gap``: space between two of them, in parts of
        the size of the lower one.
        """
        words = [part for part in words if part.text]
        if not words:
            return
        shrink = 1.0
        rows = self._rows(box, words, gap, shrink)
        while not self._fits(box, rows) and any(row.size > LEAST_SIZE for row in rows):
            shrink *= 0.95
            rows = self._rows(box, words, gap, shrink)
        height = sum(row.above + row.height for row in rows)
        y = box.y + max(0, (box.h - height) // 2)
        for row in rows:
            y += row.above
            if y + row.height <= box.bottom or row is rows[0]:
                self.text(Box(box.x, y, box.w, row.height), row.text, row.size, row.color, bold=row.bold, align=align)
            y += row.height

    def _rows(self, box: Box, words: Sequence[Words], gap: float, shrink: float) -> list[_Row]:
        rows: list[_Row] = []
        for part in words:
            size = _SCALE[bisect_right(_SCALE, max(LEAST_SIZE, part.size * shrink)) - 1]
            height = self.measure.height(size, part.bold)
            above = round(gap * size) if rows else 0
            for line in self.lines(part.text, box.w, size, part.bold):
                rows.append(_Row(line, size, part.color, part.bold, height, above))
                above = 0
        return rows

    def _fits(self, box: Box, rows: Sequence[_Row]) -> bool:
        return sum(row.above + row.height for row in rows) <= box.h and all(
            self.measure.width(row.text, row.size, row.bold) <= box.w for row in rows
        )

    def lines(self, text: str, width: int, size: int, bold: bool) -> list[str]:
        """``text`` in lines at most ``width`` wide where it can be broken: after spaces and hyphens.

        Never after a word of one letter: Czech sets no preposition at the end of a line.
        """
        lines: list[str] = []
        for piece in re.findall(r"(?:[AIKOSUVZaikosuvz] +)*[^ -]*(?:-+| +|$)", plain(text)):
            if lines and self.measure.width((lines[-1] + piece).rstrip(" "), size, bold) <= width:
                lines[-1] += piece
            elif piece:
                lines.append(piece)
        return [line.rstrip(" ") for line in lines]

    def digits(self, box: Box, text: str, size: int) -> int:
        """The size at which `countdown` writes a time into ``box``."""
        wide = "".join("0" if c.isdigit() else c for c in text)
        size = min(size, int(box.h / self.measure.cap_height(True)))
        return self.fit(wide, box.w, 2 * size, size, bold=True)

    def countdown(self, box: Box, text: str, size: int, color: Color) -> Box:
        """Write a time as high as ``box`` allows for its digits; return the box of the digits.

        Every character has a cell of its own, so that only changed digits are drawn again. A cell is higher than its
        digit by the empty part below the baseline and above the capitals.
        """
        size, cells, digits = self.found(Canvas._cells, box, "".join("0" if c.isdigit() else c for c in text), size)
        self._ops += [Text(cell, cell, char, size, True, color) for char, cell in zip(text, cells, strict=True)]
        return digits

    def _cells(self, box: Box, wide: str, size: int) -> tuple[int, list[Box], Box]:
        """The size of a time's digits, their cells, and the box of the digits themselves."""
        cap = self.measure.cap_height(True)
        size = self.digits(box, wide, size)
        widths = [self.measure.width(c, size, True) for c in wide]
        height = self.measure.height(size, True)
        left = x = box.cx - sum(widths) // 2
        baseline = box.y + round((box.h + cap * size) / 2)
        top = baseline - self.measure.ascent(size, True)
        cells = []
        for width in widths:
            cells.append(Box(x, top, width, height))
            x += width
        height = round(cap * size)
        return size, cells, Box(left, baseline - height, x - left, height)
