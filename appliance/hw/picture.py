"""Slips as dots: rows of letters, rules and QR codes as a thermal printer burns them, one bit a dot.

What a printer's own letters cannot say is sent to it as such a picture, and a whole slip can be looked at as one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import qrcode
from PIL import Image, ImageDraw, ImageFont

from appliance.slips.layout import CutRow, QrRow, Row, RuleRow, TextRow, lay_out
from appliance.slips.slip import Align, Slip

FONT_DIR = Path("/usr/share/fonts/truetype/dejavu")
REGULAR = "DejaVuSansMono.ttf"
BOLD = "DejaVuSansMono-Bold.ttf"

CELL = (12, 24)
"""Dots of a letter in font A of most printers."""

PAPER = 1
INK = 0
MARGIN = 24


class Pen:
    """Draws rows of one width. Raises FileNotFoundError, naming the Debian package, without the fonts."""

    def __init__(self, columns: int, cell: tuple[int, int] = CELL, directory: Path = FONT_DIR) -> None:
        for name in (REGULAR, BOLD):
            if not (directory / name).is_file():
                raise FileNotFoundError(f"{directory / name} is missing: apt-get install fonts-dejavu-core")
        self.columns = columns
        self.cell = cell
        self.width = columns * cell[0]
        self._directory = directory
        self._fonts: dict[tuple[int, bool], ImageFont.FreeTypeFont] = {}

    def row(self, row: TextRow) -> Image.Image:
        """A row of letters, each in its cell as the printer's own are."""
        wide, high = self.cell[0] * row.size, self.cell[1] * row.size
        picture = self.blank(high)
        draw = self._draw(picture)
        font = self._font(row.size, row.bold)
        free = self.width - len(row.text) * wide
        left = {Align.LEFT: 0, Align.CENTRE: free // 2, Align.RIGHT: free}[row.align]
        for at, char in enumerate(row.text):
            draw.text((left + at * wide + wide // 2, high * 19 // 24), char, INK, font, anchor="ms")
        return picture

    def rule(self, row: RuleRow) -> Image.Image:
        picture = self.blank(self.cell[1])
        draw = self._draw(picture)
        middle = self.cell[1] // 2
        if row.dotted:
            for x in range(0, self.width, 6):
                draw.rectangle((x, middle, x + 1, middle + 1), INK)
        else:
            draw.rectangle((0, middle - 1, self.width, middle), INK)
        return picture

    def qr(self, data: str) -> Image.Image:
        """A QR code in the middle, about as large as the printer's own would be."""
        code = qrcode.QRCode(border=2, error_correction=qrcode.constants.ERROR_CORRECT_M)
        code.add_data(data)
        matrix: list[list[bool]] = code.get_matrix()
        dot = max(1, min(6, self.width // len(matrix)))
        picture = self.blank(len(matrix) * dot)
        draw = self._draw(picture)
        left = (self.width - len(matrix) * dot) // 2
        for y, line in enumerate(matrix):
            for x, dark in enumerate(line):
                if dark:
                    draw.rectangle((left + x * dot, y * dot, left + x * dot + dot - 1, y * dot + dot - 1), INK)
        return picture

    def blank(self, height: int) -> Image.Image:
        return Image.new("1", (self.width, height), PAPER)

    def of(self, row: Row) -> Image.Image:
        """The picture of any row; a cut is a little free paper."""
        match row:
            case TextRow():
                return self.row(row)
            case RuleRow():
                return self.rule(row)
            case QrRow():
                return self.qr(row.data)
            case CutRow():
                return self.blank(self.cell[1])

    def _font(self, size: int, bold: bool) -> ImageFont.FreeTypeFont:
        """The largest that stays within a cell."""
        key = (size, bold)
        if key not in self._fonts:
            name = str(self._directory / (BOLD if bold else REGULAR))
            points = self.cell[0] * size * 2
            while points > 6 and ImageFont.truetype(name, points).getlength("M") > self.cell[0] * size:
                points -= 1
            self._fonts[key] = ImageFont.truetype(name, points)
        return self._fonts[key]

    @staticmethod
    def _draw(picture: Image.Image) -> Any:
        draw = ImageDraw.Draw(picture)
        draw.fontmode = "1"
        return draw


def pasted(pictures: list[Image.Image], gap: int = 6) -> Image.Image:
    """Pictures of one width below each other on a sheet of paper with a margin."""
    width = max((picture.width for picture in pictures), default=0) + 2 * MARGIN
    sheet = Image.new("1", (width, sum(picture.height + gap for picture in pictures) + 2 * MARGIN), PAPER)
    top = MARGIN
    for picture in pictures:
        sheet.paste(picture, (MARGIN, top))
        top += picture.height + gap
    return sheet


def sheet(slip: Slip, columns: int) -> Image.Image:
    """The whole slip, to be looked at."""
    pen = Pen(columns)
    return pasted([pen.of(row) for row in lay_out(slip, columns)])
