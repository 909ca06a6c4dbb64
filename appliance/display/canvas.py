"""The drawing table of the layouts: collects operations, fits texts into their boxes by measuring.

Every text gets a box. It is drawn at the wished size, else at the largest smaller one that fits, and where even the
smallest legible size is too wide its end gives way to "…": nothing is ever cut off.
"""

from __future__ import annotations

from typing import Literal

from appliance.display.fonts import CAP_HEIGHT, Measure
from appliance.display.ops import Box, DrawList, Op, Round, Shade, Stroke, Text
from appliance.display.theme import Color, Theme
from appliance.i18n import Translator

Align = Literal["left", "center", "right"]

LEAST_SIZE = 9
"""Pixels; below this DejaVu Sans is no longer legible."""

_SCALE: tuple[int, ...] = tuple(sorted({*range(LEAST_SIZE, 24), *(int(24 * 1.045**step) for step in range(100))}))
"""The sizes in use: a fixed scale, so that a screen needs few fonts."""


class Canvas:
    """One screen being laid out: its size, what to write with, and what has been put on it so far.

    ``u`` turns a length of the design (made for 1920×1080, either way up) into pixels of this screen.
    """

    def __init__(self, size: tuple[int, int], tr: Translator, theme: Theme, measure: Measure) -> None:
        self.screen = Box(0, 0, *size)
        self.tr = tr
        self.theme = theme
        self.measure = measure
        self._unit = min(max(size) / 1920, min(size) / 1080)
        self._ops: list[Op] = []

    def u(self, length: float) -> int:
        """Pixels for a length of the design; at least 1."""
        return max(1, round(length * self._unit))

    @property
    def safe(self) -> Box:
        """The screen without the margin that a television may cut off."""
        return self.screen.inset(self.u(44), self.u(36))

    def done(self) -> DrawList:
        return tuple(self._ops)

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

    def stroke(self, points: list[tuple[int, int]], width: int, color: Color) -> None:
        """A line through ``points`` of the screen."""
        pad = width // 2 + 2
        left, top = min(x for x, _ in points) - pad, min(y for _, y in points) - pad
        right, bottom = max(x for x, _ in points) + pad, max(y for _, y in points) + pad
        moved = tuple((x - left, y - top) for x, y in points)
        self._ops.append(Stroke(Box(left, top, right - left, bottom - top), moved, width, color))

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
    ) -> Box:
        """Write one line into ``box``, its capitals centred from top to bottom; return what it covers."""
        if not text or box.w <= 0 or box.h <= 0:
            return Box(box.x, box.y, 0, 0)
        size = self.fit(text, box.w, max(box.h, self.measure.height(LEAST_SIZE, bold)), size, bold)
        text = self.shortened(text, box.w, size, bold)
        width = self.measure.width(text, size, bold)
        height = self.measure.height(size, bold)
        x = {"left": box.x, "center": box.cx - width // 2, "right": box.right - width}[align]
        top = box.y + round((box.h + CAP_HEIGHT * size) / 2) - self.measure.ascent(size, bold)
        top = min(max(top, box.y), max(box.y, box.bottom - height))
        covered = Box(x, top, width, height)
        self._ops.append(Text(covered, box, text, size, bold, color))
        return covered

    def shortened(self, text: str, width: int, size: int, bold: bool = False) -> str:
        """``text``, or as much of its beginning as leaves room for "…"."""
        if self.measure.width(text, size, bold) <= width:
            return text
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            if self.measure.width(text[:middle].rstrip() + "…", size, bold) <= width:
                low = middle
            else:
                high = middle - 1
        short = text[:low].rstrip() + "…"
        return short if self.measure.width(short, size, bold) <= width else ""

    def paragraph(
        self,
        box: Box,
        text: str,
        size: int,
        color: Color,
        *,
        bold: bool = False,
        align: Align = "center",
    ) -> Box:
        """Write words over as many lines as ``box`` holds, smaller where needed; return what they cover."""
        for wished in (s for s in reversed(_SCALE) if s <= max(size, LEAST_SIZE)):
            lines = self.lines(text, box.w, wished, bold)
            step = self.measure.height(wished, bold)
            if wished == LEAST_SIZE or (
                len(lines) * step <= box.h and all(self.measure.width(line, wished, bold) <= box.w for line in lines)
            ):
                break
        room = max(1, box.h // step)
        if len(lines) > room:
            lines = [*lines[: room - 1], " ".join(lines[room - 1 :])]
        top = box.y + max(0, (box.h - step * len(lines)) // 2)
        covered = Box(box.cx, top, 0, 0)
        for number, line in enumerate(lines):
            row = Box(box.x, top + number * step, box.w, step)
            covered = covered.union(self.text(row, line, wished, color, bold=bold, align=align))
        return covered

    def lines(self, text: str, width: int, size: int, bold: bool) -> list[str]:
        """Words of ``text`` in lines at most ``width`` wide, where single words allow."""
        lines: list[str] = []
        for word in text.split(" "):
            if lines and self.measure.width(f"{lines[-1]} {word}", size, bold) <= width:
                lines[-1] = f"{lines[-1]} {word}"
            else:
                lines.append(word)
        return lines

    def countdown(self, box: Box, text: str, size: int, color: Color) -> Box:
        """Write a time as high as ``box`` allows for its digits; return the box of the digits.

        Every character has a cell of its own, so that only changed digits are drawn again. A cell is higher than its
        digit by the empty part below the baseline and above the capitals.
        """
        wide = "".join("0" if c.isdigit() else c for c in text)
        size = min(size, int(box.h / CAP_HEIGHT))
        size = self.fit(wide, box.w, 2 * size, size, bold=True)
        widths = [self.measure.width("0" if c.isdigit() else c, size, True) for c in text]
        height = self.measure.height(size, True)
        left = x = box.cx - sum(widths) // 2
        baseline = box.y + round((box.h + CAP_HEIGHT * size) / 2)
        top = baseline - self.measure.ascent(size, True)
        for char, width in zip(text, widths, strict=True):
            cell = Box(x, top, width, height)
            self._ops.append(Text(cell, cell, char, size, True, color))
            x += width
        cap = round(CAP_HEIGHT * size)
        return Box(left, baseline - cap, x - left, cap)
