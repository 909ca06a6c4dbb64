"""DejaVu Sans at any size, and how much room a text takes in it.

`Measure` is what layouts ask; `FontBook` answers from the very fonts that will draw, so that a text which was
measured to fit does fit. Fonts and widths are kept, both within bounds.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pygame.font import Font

FONT_DIR = Path("/usr/share/fonts/truetype/dejavu")
REGULAR = "DejaVuSans.ttf"
BOLD = "DejaVuSans-Bold.ttf"
CAP_HEIGHT = 0.729
"""Height of capitals and digits of DejaVu Sans, in parts of the size."""

_FONTS_KEPT = 24
_WIDTHS_KEPT = 4096


class Measure(Protocol):
    """How wide and high a line of text is, in pixels."""

    def width(self, text: str, size: int, bold: bool) -> int: ...
    def ascent(self, size: int, bold: bool) -> int: ...
    def height(self, size: int, bold: bool) -> int: ...


_HIGH_AND_DEEP = "Ůjgy;,/()"
"""At some sizes hinting takes these one row beyond the height that the font names."""


class FontsMissing(RuntimeError):
    """The fonts are not on this machine; the message names the Debian package."""


class FontBook:
    """The fonts of one window. Raises `FontsMissing` when made without the font files."""

    def __init__(self, directory: Path = FONT_DIR) -> None:
        for name in (REGULAR, BOLD):
            if not (directory / name).is_file():
                raise FontsMissing(f"{directory / name} is missing: apt-get install fonts-dejavu-core")
        from appliance.display import parts

        if not parts.font.get_init():
            parts.font.init()
        self._directory = directory
        self._make = parts.font.Font
        self._fonts: OrderedDict[tuple[int, bool], Font] = OrderedDict()
        self.width = lru_cache(_WIDTHS_KEPT)(self._width)
        self.ascent = lru_cache(256)(self._ascent)
        self.height = lru_cache(256)(self._height)

    def font(self, size: int, bold: bool) -> Font:
        """The font of a size in pixels; the least recently used ones are let go."""
        key = (size, bold)
        found = self._fonts.get(key)
        if found is None:
            found = self._make(str(self._directory / (BOLD if bold else REGULAR)), size)
            self._fonts[key] = found
            if len(self._fonts) > _FONTS_KEPT:
                self._fonts.popitem(last=False)
        else:
            self._fonts.move_to_end(key)
        return found

    def _width(self, text: str, size: int, bold: bool) -> int:
        return self.font(size, bold).size(text)[0]

    def _ascent(self, size: int, bold: bool) -> int:
        return self.font(size, bold).get_ascent()

    def _height(self, size: int, bold: bool) -> int:
        font = self.font(size, bold)
        return max(font.get_height(), font.size(_HIGH_AND_DEEP)[1])
