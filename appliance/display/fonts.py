"""The fonts of a screen at any size, and how much room a text takes in them.

`Measure` is what layouts ask; `FontBook` answers from the very fonts that will draw, so that a text which was
measured to fit does fit. Fonts and widths are kept, both within bounds.

All files are opened when a book is made, and a house's own are copied to memory that no other program writes to: what
becomes of them later changes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from appliance.filebytes import Unreadable, read_bytes
from appliance.plaintext import plain

Answer = TypeVar("Answer")

if TYPE_CHECKING:
    from pygame.font import Font

FONT_DIR = Path("/usr/share/fonts/truetype/dejavu")
REGULAR = "DejaVuSans.ttf"
BOLD = "DejaVuSans-Bold.ttf"
CAP_HEIGHT = 0.729
"""Height of capitals and digits of DejaVu Sans, in parts of the size."""

MOST_FONT_BYTES = 20 * 1024 * 1024

_WIDTHS_KEPT = 4096


class Measure(Protocol):
    """How wide and high a line of text is, in pixels, and its capitals and digits in parts of the size."""

    def width(self, text: str, size: int, bold: bool) -> int: ...
    def ascent(self, size: int, bold: bool) -> int: ...
    def height(self, size: int, bold: bool) -> int: ...
    def cap_height(self, bold: bool) -> float: ...


class Faces(NamedTuple):
    """Font files of a house's own."""

    regular: Path
    bold: Path


_HIGH_AND_DEEP = "Ůjgy;,/()"
"""At some sizes hinting takes these one row beyond the height that the font names."""

CZECH = "AÁBCČDĎEÉĚFGHIÍJKLMNŇOÓPQRŘSŠTŤUÚŮVWXYÝZŽaábcčdďeéěfghiíjklmnňoópqrřsštťuúůvwxyýzž0123456789"
"""Without one of these no font can serve."""

_MEASURED_AT = 200


class FontsMissing(RuntimeError):
    """The fonts are not on this machine, or no fonts; the message names the Debian package."""


class FontBook:
    """The fonts of one window. Raises `FontsMissing` when made without the font files.

    A text with a letter or sign that the house's ``faces`` lack is written in DejaVu Sans as a whole; so is all of a
    face that turns out to be of no use, which the log hears of once.
    """

    def __init__(self, directory: Path = FONT_DIR, faces: Faces | None = None) -> None:
        self._plain = Faces(directory / REGULAR, directory / BOLD)
        self._fonts = {face: _built_in(face) for face in self._plain}
        self._caps = [CAP_HEIGHT, CAP_HEIGHT]
        self.width = lru_cache(_WIDTHS_KEPT)(self._width)
        self.ascent = lru_cache(256)(self._ascent)
        self.height = lru_cache(256)(self._height)
        self._has = lru_cache(_WIDTHS_KEPT)(self._looked_up)
        self._faces = faces or self._plain
        for bold in (False, True) if faces else ():
            self._open_own(bold)

    def font(self, size: int, bold: bool, text: str = "") -> Font:
        """The font that ``text`` is written in; it has this size, in pixels, until another one is asked for."""
        face = self._faces[bold]
        if self._faces is not self._plain and not all(self._has(letter, bold) for letter in text):
            face = self._plain[bold]
        return self._opened(face, size)

    def cap_height(self, bold: bool) -> float:
        """Height of capitals and digits in parts of the size."""
        return self._caps[bold]

    def drop(self, text: str, size: int, bold: bool) -> int:
        """How many pixels below the top of its box a text's own font begins, so that all stand on one line."""
        if self._faces is self._plain:
            return 0
        return self.ascent(size, bold) - self.font(size, bold, text).get_ascent()

    def _open_own(self, bold: bool) -> None:
        """Open one of the house's faces, or do without it."""
        face = self._faces[bold]
        try:
            font = self._fonts[face] = self._fonts.get(face) or opened(face)
            self._caps[bold] = cap_height(font)
        except (Unreadable, ValueError) as error:
            self._do_without(bold, error)

    def _opened(self, face: Path, size: int) -> Font:
        """The one font of a face, in this size until the next is asked for: one of its own for each would be 180 kB."""
        found = self._fonts[face]
        if found.point_size != size:
            found.point_size = size
        return found

    def _held(self, bold: bool, ask: Callable[[], Answer]) -> Answer:
        """The answer of the house's face, or of the built-in one from now on."""
        from appliance.display import parts

        try:
            return ask()
        except parts.base.error as error:
            if self._faces[bold] == self._plain[bold]:
                raise
            self._do_without(bold, error)
            return ask()

    def _do_without(self, bold: bool, error: Exception) -> None:
        import logging  # late, for it takes a twentieth of the time to the first frame

        logging.getLogger(__name__).warning("%s is not written in: %s", self._faces[bold], error)
        kept = self._faces[not bold]
        faces = Faces(kept, self._plain.bold) if bold else Faces(self._plain.regular, kept)
        self._faces = self._plain if faces == self._plain else faces
        self._caps[bold] = CAP_HEIGHT
        for known in (self.width, self.ascent, self.height):
            known.cache_clear()

    def _both(self, size: int, bold: bool) -> list[Font]:
        """What texts of one kind may be written in."""
        return [self._opened(face, size) for face in dict.fromkeys((self._faces[bold], self._plain[bold]))]

    def _width(self, text: str, size: int, bold: bool) -> int:
        shown = plain(text)
        return self._held(bold, lambda: self.font(size, bold, shown).size(shown)[0])

    def _ascent(self, size: int, bold: bool) -> int:
        return self._held(bold, lambda: max(font.get_ascent() for font in self._both(size, bold)))

    def _height(self, size: int, bold: bool) -> int:
        ascent = self._ascent(size, bold)
        return self._held(
            bold,
            lambda: max(
                ascent - font.get_ascent() + max(font.get_height(), font.size(_HIGH_AND_DEEP)[1])
                for font in self._both(size, bold)
            ),
        )

    def _looked_up(self, letter: str, bold: bool) -> bool:
        return self._opened(self._faces[bold], _MEASURED_AT).metrics(letter)[0] is not None


def cap_height(font: Font) -> float:
    """Height of a font's capitals, in parts of its size. Raises `ValueError` where it has none."""
    font.point_size = _MEASURED_AT
    measured = font.metrics("H")[0]
    if measured is None:
        raise ValueError("it has no H")
    return float(measured[3]) / _MEASURED_AT


def unfit(face: Path) -> str | None:
    """Why a font cannot serve on a screen: no font, letters of Czech missing, digits that would jump; else None."""
    try:
        font = opened(face)
    except Unreadable as error:
        return f"no font can be read from it: {error}"
    shapes = zip(CZECH, font.metrics(CZECH), strict=True)
    missing = [letter for letter, shape in shapes if shape is None or shape[3] <= shape[2]]
    if missing:
        return f"it has no {' '.join(missing[:12])}{' …' if len(missing) > 12 else ''}"
    if len({font.size(digit)[0] for digit in "0123456789"}) > 1:
        return "its digits are not equally wide: a clock in it would jump"
    return None


def opened(face: Path) -> Font:
    """A font whose file may then change or vanish. Raises `Unreadable`.

    A font reads of its file whenever it needs another letter, so it gets a copy that only it has.
    """
    data = read_bytes(face, MOST_FONT_BYTES)
    copy = os.memfd_create("font", os.MFD_CLOEXEC)
    with os.fdopen(copy, "wb") as stream:
        stream.write(data)
        stream.flush()
        return _font(Path(f"/proc/self/fd/{copy}"))


def _built_in(face: Path) -> Font:
    """Raises `FontsMissing`."""
    try:
        if face.is_file():
            return _font(face)
    except Unreadable:
        raise FontsMissing(f"{face} is no font: apt-get install --reinstall fonts-dejavu-core") from None
    raise FontsMissing(f"{face} is missing: apt-get install fonts-dejavu-core")


def _font(file: Path) -> Font:
    from appliance.display import parts

    if not parts.font.get_init():
        parts.font.init()
    try:
        return parts.font.Font(str(file), _MEASURED_AT)
    except (OSError, ValueError, parts.base.error):
        raise Unreadable("no font, or a damaged one") from None
