"""What a receipt printer makes of the bytes it gets: ESC/POS read back to lines, codes, pictures and cuts.

Written from the published command set, not from what the driver sends, so that it can say when the two differ:
bytes that are no command of it are kept in ``Paper.unknown``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from PIL import Image

from appliance.hw.picture import PAPER, Pen, pasted
from appliance.slips.layout import TextRow
from appliance.slips.slip import Align, Size

PAGES = {0: "cp437", 2: "cp850", 3: "cp860", 16: "cp1252", 17: "cp866", 18: "cp852", 45: "cp1250", 39: "iso8859_2"}
"""Code pages by number, as Epson counts them; another printer has its own."""

ALIGNS = {0: Align.LEFT, 1: Align.CENTRE, 2: Align.RIGHT}

ESC_WITH_ONE = b"!tEaR3dMG-{JV2"
GS_WITH_ONE = b"!BbHfhwI"


@dataclass(frozen=True, slots=True)
class Printed:
    """A line of the printer's own letters."""

    text: str
    size: int
    bold: bool
    align: Align


@dataclass(frozen=True, slots=True)
class Picture:
    """Dots as they were burnt, packed eight a byte from the left, 1 for black."""

    width: int
    height: int
    dots: bytes

    def image(self) -> Image.Image:
        return Image.frombytes("1", (self.width, self.height), bytes(byte ^ 0xFF for byte in self.dots))


@dataclass(frozen=True, slots=True)
class Code:
    """A QR code drawn by the printer."""

    data: str


@dataclass(frozen=True, slots=True)
class Cutting:
    """Paper cut off."""


Item: TypeAlias = Printed | Picture | Code | Cutting


class Torn(Exception):
    """A command is not whole yet: more bytes must come."""


@dataclass(slots=True)
class Paper:
    """Feed it bytes with `feed`; ``items`` is what came out. ``lines_left`` is the paper on the roll;
    what comes while it is ``held`` waits."""

    pages: dict[int, str] = field(default_factory=lambda: dict(PAGES))
    lines_left: int = 1_000_000
    held: bool = False
    items: list[Item] = field(default_factory=list)
    unknown: list[bytes] = field(default_factory=list)
    answers: list[bytes] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    _buffer: bytes = b""
    _line: str = ""
    _page: int = 0
    _size: int = 1
    _bold: bool = False
    _align: Align = Align.LEFT
    _code: str = ""
    _after_strip: bool = False

    def feed(self, data: bytes) -> None:
        """Carry out all whole commands; without paper they wait."""
        self._buffer += data
        while self._buffer and self.lines_left > 0 and not self.held:
            try:
                used = self._step(self._buffer)
            except Torn:
                return
            self._buffer = self._buffer[used:]

    @property
    def waiting(self) -> int:
        """Bytes received and not carried out yet."""
        return len(self._buffer)

    def slips(self) -> list[list[Item]]:
        """What is on each piece of paper that was cut off."""
        slips: list[list[Item]] = [[]]
        for item in self.items:
            if isinstance(item, Cutting):
                slips.append([])
            else:
                slips[-1].append(item)
        return slips[:-1] if not slips[-1] else slips

    def text(self) -> str:
        """The letters, line by line."""
        return "\n".join(item.text for item in self.items if isinstance(item, Printed))

    def image(self, columns: int) -> Image.Image:
        """The paper, to be looked at."""
        pen = Pen(columns)
        return pasted([_drawn(item, pen) for item in self.items], gap=0)

    def _step(self, data: bytes) -> int:
        first = data[0]
        if first == 0x1B:
            return self._escape(data)
        if first == 0x1D:
            return self._group(data)
        if first == 0x1C:
            self.commands.append(f"FS {chr(_need(data, 2)[1])}")
            return 2
        if first == 0x10:
            self.commands.append(f"DLE {_need(data, 3)[1]:02X}")
            return 3
        if first == 0x0A:
            self._end_line()
        elif first >= 0x20:
            self._line += bytes([first]).decode(self.pages.get(self._page, "cp437"), "replace")
        elif first:
            self.unknown.append(data[:1])
        return 1

    def _escape(self, data: bytes) -> int:
        name = chr(_need(data, 2)[1])
        self.commands.append(f"ESC {name}")
        if name == "@":
            self._page, self._size, self._bold, self._align, self._line = 0, 1, False, Align.LEFT, ""
            return 2
        if name == "2":
            return 2
        if name == "*":
            return self._columns(data)
        if data[1] not in ESC_WITH_ONE:
            self.unknown.append(data[:2])
            return 2
        value = _need(data, 3)[2]
        match name:
            case "t":
                self._page = value
            case "E":
                self._bold = bool(value & 1)
            case "a":
                self._align = ALIGNS.get(value, Align.LEFT)
            case "d":
                self._end_line(value)
        return 3

    def _group(self, data: bytes) -> int:
        name = chr(_need(data, 2)[1])
        self.commands.append(f"GS {name}")
        match name:
            case "V":
                self.items.append(Cutting())
                return 3 if _need(data, 3)[2] < 65 else len(_need(data, 4)[:4])
            case "r":
                _need(data, 3)
                self.answers.append(b"\x00")
                return 3
            case "v":
                return self._raster(data)
            case "(":
                return self._two_dimensional(data)
            case "!":
                self._size = (_need(data, 3)[2] & 0x07) + 1
                return 3
        if data[1] not in GS_WITH_ONE:
            self.unknown.append(data[:2])
            return 2
        _need(data, 3)
        return 3

    def _raster(self, data: bytes) -> int:
        head = _need(data, 8)
        across, height = int.from_bytes(head[4:6], "little"), int.from_bytes(head[6:8], "little")
        end = 8 + across * height
        self._burn(Picture(across * 8, height, _need(data, end)[8:end]), height)
        return end

    def _columns(self, data: bytes) -> int:
        """ESC *: a strip of 8 or 24 dots' height, given column by column."""
        head = _need(data, 5)
        deep = 3 if head[2] >= 32 else 1
        width = int.from_bytes(head[3:5], "little")
        end = 5 + width * deep
        strip = _need(data, end)[5:end]
        image = Image.new("1", (width, deep * 8), PAPER)
        for at, byte in enumerate(strip):
            for bit in range(8):
                if byte & (0x80 >> bit):
                    image.putpixel((at // deep, at % deep * 8 + bit), 0)
        packed = bytes(byte ^ 0xFF for byte in image.tobytes())
        self._burn(Picture(width, deep * 8, packed), deep * 8)
        self._after_strip = True
        return end

    def _two_dimensional(self, data: bytes) -> int:
        """GS ( k: the data of a QR code, and the word to print it."""
        head = _need(data, 5)
        end = 5 + int.from_bytes(head[3:5], "little")
        body = _need(data, end)[5:end]
        if head[2:3] != b"k" or body[:1] != b"1":
            self.unknown.append(data[:end])
        elif body[1] == 80:
            self._code = body[3:].decode("utf-8", "replace")
        elif body[1] == 81:
            self.items.append(Code(self._code))
            self.lines_left -= 6
        return end

    def _burn(self, picture: Picture, height: int) -> None:
        self.items.append(picture)
        self.lines_left -= max(1, height // 24)

    def _end_line(self, feed: int = 1) -> None:
        strip_alone, self._after_strip = self._after_strip and not self._line, False
        if strip_alone:  # the line feed that moves on to the next strip of a picture
            return
        self.items.append(Printed(self._line, self._size, self._bold, self._align))
        self._line = ""
        self.lines_left -= max(1, min(feed, 2)) * self._size


def _need(data: bytes, count: int) -> bytes:
    if len(data) < count:
        raise Torn
    return data


def _drawn(item: Item, pen: Pen) -> Image.Image:
    match item:
        case Printed():
            size: Size = 1 if item.size < 2 else 2 if item.size == 2 else 3 if item.size == 3 else 4
            return pen.row(TextRow(item.text, size, item.bold, item.align))
        case Picture():
            return item.image()
        case Code():
            return pen.qr(item.data)
        case Cutting():
            return pen.blank(2 * pen.cell[1])
