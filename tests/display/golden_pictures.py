"""Golden pictures: how they are kept, and when a picture is still the same.

They are kept at no more than 960 pixels a side, in 256 colours without dither: whole ones in all colours would take
five times as much, for nothing that can be told apart below. 800x480 is kept as it is: its letters are the smallest.
Those that stand large in the documentation have all their colours.

Two pictures are compared by the average colour of blocks of 2x2 kept pixels. pygame-ce brings its own FreeType, and
2.5.3 draws the very same pixels as 2.5.8; what another renderer or other hints may do is to move edges by a fraction of
a pixel, and texts by a whole one where one has become wider. So a block may also look as it would one pixel of the
screen up, down, left or right, and `MOST_WORST` leaves room for an edge between two texts that do not move alike. A
text that is missing, stands elsewhere or says something else changes a block by twice as much and more.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageChops, ImageStat

from appliance.apps.screen import Shown
from appliance.display import parts
from appliance.display.fonts import FontBook
from appliance.display.layout import draw_list
from appliance.display.ops import Box, DrawList
from appliance.display.raster import Painter
from appliance.i18n import Translator
from tests.display import golden_cases
from tests.display.golden_cases import Case

GOLDEN = Path(__file__).parent / "golden"
LARGEST = 960
COLOURS = 256
BLOCK = 2
MOST_MEAN = 1.5
MOST_WORST = 40
_NOTHING = 8
"""What keeping itself may change."""

_SHIFTS = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))


class Difference(NamedTuple):
    """Of all blocks and channels: their mean difference, and that of the worst; 0 to 255."""

    mean: float
    worst: int

    @property
    def small(self) -> bool:
        """Whether a tolerance for other font renderers covers it."""
        return self.mean <= MOST_MEAN and self.worst <= MOST_WORST


def file_of(name: str, lang: str, size: str) -> Path:
    """Where a golden picture is kept."""
    return GOLDEN / size / f"{name}.{lang}.png"


def listed(case: Case, lang: str, size: str) -> tuple[Shown, DrawList, FontBook]:
    """What a case shows, its draw list and the fonts for it."""
    with tempfile.TemporaryDirectory() as folder:
        shown = golden_cases.shown(case, lang, size, Path(folder))
    fonts = shown.style.fonts()
    tr = Translator(shown.lang)
    return shown, draw_list(shown.view, shown.size, tr, fonts, shown.style.theme, house=shown.style.house), fonts


def painted(painter: Painter, ops: DrawList, size: tuple[int, int]) -> Image.Image:
    """A draw list as the screen shows it."""
    surface = parts.surface.Surface(size, 0, 32)
    painter.paint(surface, ops, Box(0, 0, *size))
    return Image.frombytes("RGB", size, parts.image.tobytes(surface, "RGB"))


def drawn(case: Case, lang: str, size: str) -> Image.Image:
    """A case as it is drawn now."""
    shown, ops, fonts = listed(case, lang, size)
    return painted(Painter(fonts, 2**25), ops, shown.size)


def kept(picture: Image.Image, *, whole: bool = False, fine: bool = False) -> Image.Image:
    """A picture as it is kept; ``whole``: in its own size, ``fine``: in all its colours."""
    small = picture.reduce(_factor(picture, whole))
    if fine:
        return small
    return small.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)


def difference(golden: Image.Image, picture: Image.Image, *, whole: bool = False) -> Difference:
    """How far a picture is from a golden one."""
    factor = _factor(picture, whole)
    if golden.size != (picture.width // factor, picture.height // factor):
        return Difference(255, 255)
    before, least, found = golden.convert("RGB").reduce(BLOCK), None, Difference(255, 255)
    for right, down in _SHIFTS:
        after = ImageChops.offset(picture, right, down).reduce(factor * BLOCK)
        one = ImageChops.difference(before, after)
        least = one if least is None else ImageChops.darker(least, one)
        found = Difference(sum(ImageStat.Stat(least).mean) / 3, max(high for _, high in least.getextrema()))
        if found.small:  # as nearly every picture is where it was kept
            break
    return found


def redraw(file: Path, picture: Image.Image, *, whole: bool = False, fine: bool = False) -> None:
    """Keep a picture in the place of an older one that differs at all, if that was asked for."""
    if not os.environ.get("TABLESIDE_REDRAW"):
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists() or difference(Image.open(file), picture, whole=whole).worst > _NOTHING:
        kept(picture, whole=whole, fine=fine).save(file, optimize=True)


def _factor(picture: Image.Image, whole: bool) -> int:
    return 1 if whole else -(-max(picture.size) // LARGEST)
