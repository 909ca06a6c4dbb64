"""View → PNG, without a window and without a display: for pictures, tests and ``tableside screen``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from appliance.display import parts
from appliance.display.fonts import FontBook
from appliance.display.layout import draw_list
from appliance.display.ops import Box, DrawList
from appliance.display.picture_out import write_png
from appliance.display.raster import Painter
from appliance.display.style import Style
from appliance.display.theme import DARK
from appliance.display.view import View
from appliance.i18n import Translator

if TYPE_CHECKING:
    from pygame.surface import Surface


PLAIN_STYLE = Style(theme=DARK)


def render(view: View, size: tuple[int, int], lang: str, path: Path, style: Style = PLAIN_STYLE) -> None:
    """Draw a view and write it to ``path``, whole or not at all; an open window is left alone.

    Raises `OSError` when it cannot be written, `ValueError` for a size or a language there is none of.
    """
    fonts = style.fonts()
    ops = draw_list(view, size, Translator(lang), fonts, style.theme, house=style.house)
    write_png(paint(ops, size, fonts), path)


def paint(ops: DrawList, size: tuple[int, int], fonts: FontBook) -> Surface:
    """The pixels of a draw list."""
    picture = parts.surface.Surface(size, 0, 32)
    Painter(fonts, cache_bytes=4 * size[0] * size[1]).paint(picture, ops, Box(0, 0, *size))
    return picture
