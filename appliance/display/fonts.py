"""The fonts of a screen at any size, and how much room a text takes in them.

`Measure` is what layouts ask; `FontBook` answers from the very fonts that will draw, so that a text which was
measured to fit does fit. Fonts and widths are kept, both within bounds.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from pygame.font import Font

FONT_DIR = Path("/usr/share/fonts/truetype/dejavu")
REGULAR = "DejaVuSans.ttf"
BOLD = "DejaVuSans-Bold.ttf"
CAP_HEIGHT = 0.729
"""Height of capitals and digits of DejaVu Sans, in parts of the size."""

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
    """The fonts are not on this machine; the message names the Debian package."""


class FontBook:
    """The fonts of one window. Raises `FontsMissing` when made without the font files.

    A text with a letter or sign that the house's ``faces`` lack is written in DejaVu Sans as a whole.
    """

    def __init__(self, directory: Path = FONT_DIR, faces: Faces | None = None) -> None:
        for name in (REGULAR, BOLD):
            if not (directory / name).is_file():
                raise FontsMissing(f"{directory / name} is missing: apt-get install fonts-dejavu-core")
        from appliance.display import parts

        if not parts.font.get_init():
            parts.font.init()
        self._plain = Faces(directory / REGULAR, directory / BOLD)
        self._faces = faces or self._plain
        self._make = parts.font.Font
        self._fonts: dict[Path, Font] = {}
        self._caps = [CAP_HEIGHT if faces is None else cap_height(faces[bold]) for bold in (False, True)]
        self.width = lru_cache(_WIDTHS_KEPT)(self._width)
        self.ascent = lru_cache(256)(self._ascent)
        self.height = lru_cache(256)(self._height)
        self._has = lru_cache(_WIDTHS_KEPT)(self._looked_up)

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

    def _opened(self, face: Path, size: int) -> Font:
        """The one font of a face, in this size until the next is asked for: one of its own for each would be 180 kB."""
        found = self._fonts.get(face)
        if found is None:
            found = self._fonts[face] = self._make(str(face), size)
        elif found.point_size != size:
            found.point_size = size
        return found

    def _both(self, size: int, bold: bool) -> list[Font]:
        """What texts of one kind may be written in."""
        return [self._opened(face, size) for face in dict.fromkeys((self._faces[bold], self._plain[bold]))]

    def _width(self, text: str, size: int, bold: bool) -> int:
        return self.font(size, bold, text).size(text)[0]

    def _ascent(self, size: int, bold: bool) -> int:
        return max(font.get_ascent() for font in self._both(size, bold))

    def _height(self, size: int, bold: bool) -> int:
        ascent = self._ascent(size, bold)
        return max(
            ascent - font.get_ascent() + max(font.get_height(), font.size(_HIGH_AND_DEEP)[1])
            for font in self._both(size, bold)
        )

    def _looked_up(self, letter: str, bold: bool) -> bool:
        return self._opened(self._faces[bold], _MEASURED_AT).metrics(letter)[0] is not None


def cap_height(face: Path) -> float:
    """Height of a font's capitals, in parts of its size. Raises `OSError` for a file that is no font."""
    from appliance.display import parts

    measured = _loaded(face).metrics("H")[0]
    if measured is None:
        raise parts.base.error("no capitals")
    return float(measured[3]) / _MEASURED_AT


def unfit(face: Path) -> str | None:
    """Why a font cannot serve on a screen: no font, letters of Czech missing, digits that would jump; else None."""
    from appliance.display import parts

    try:
        font = _loaded(face)
    except (OSError, parts.base.error) as error:
        return f"no font can be read from it: {error}"
    shapes = zip(CZECH, font.metrics(CZECH), strict=True)
    missing = [letter for letter, shape in shapes if shape is None or shape[3] <= shape[2]]
    if missing:
        return f"it has no {' '.join(missing[:12])}{' …' if len(missing) > 12 else ''}"
    if len({font.size(digit)[0] for digit in "0123456789"}) > 1:
        return "its digits are not equally wide: a clock in it would jump"
    return None


def _loaded(face: Path) -> Font:
    from appliance.display import parts

    if not parts.font.get_init():
        parts.font.init()
    return parts.font.Font(str(face), _MEASURED_AT)
