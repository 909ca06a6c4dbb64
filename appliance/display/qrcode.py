"""QR codes as rectangles of whole pixels (ISO/IEC 18004): each module is as many of them, so that edges are sharp."""

from __future__ import annotations

from functools import lru_cache

from appliance.display.canvas import Canvas
from appliance.display.ops import Box
from appliance.display.theme import Color

QUIET = 4
"""Light modules around it, which readers need."""

_DARK: Color = (0, 0, 0)
_LIGHT: Color = (255, 255, 255)


@lru_cache(maxsize=2)
def modules(text: str) -> tuple[tuple[bool, ...], ...]:
    """The code of a text, row by row, without its margin; True is dark. Correction L: nothing soils a screen."""
    from qrcode.constants import ERROR_CORRECT_L  # not before: most kiosks never show one
    from qrcode.main import QRCode

    code = QRCode(border=0, error_correction=ERROR_CORRECT_L)
    code.add_data(text, optimize=0)
    return tuple(tuple(bool(module) for module in row) for row in code.get_matrix())


def draw_code(c: Canvas, box: Box, text: str) -> Box:
    """Draw it as large as ``box`` holds it; return what it covers with its margin."""
    rows = modules(text)
    side = max(1, min(box.w, box.h) // (len(rows) + 2 * QUIET))
    whole = side * (len(rows) + 2 * QUIET)
    paper = Box(box.cx - whole // 2, box.cy - whole // 2, whole, whole)
    c.rounded(paper, 0, _LIGHT)
    left, top = paper.x + QUIET * side, paper.y + QUIET * side
    for y, row in enumerate(rows):
        x = 0
        while x < len(row):
            run = x
            while run < len(row) and row[run]:
                run += 1
            if run > x:
                c.rounded(Box(left + x * side, top + y * side, (run - x) * side, side), 0, _DARK)
            x = max(run, x + 1)
    return paper
