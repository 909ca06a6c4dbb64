"""What the room should know, in small lines below the header: seen by who looks for it, in nobody's way."""

from __future__ import annotations

from appliance.display.canvas import LEAST_SIZE, Canvas, Words
from appliance.display.messages import notice_text
from appliance.display.notice import Notice
from appliance.display.ops import Box
from appliance.i18n import NBSP

_SIZE, _LARGE, _PAD, _SIDE, _GAP = 32, 40, 6, 28, 12
"""Size of the letters, and of those of one line that has room; space above and below them, beside them, and below all,
in lengths of the design."""


def notices_and_body(c: Canvas, gap: Box, body: Box, told: tuple[Notice, ...]) -> tuple[Box, Box]:
    """Where the notices go and what of the body is left: they take nothing of it when the header's gap has room."""
    if not told:
        return gap, body
    width, height = c.needed(_inner(c, gap.w), _words(c, gap.w, told), gap=0)
    height += 2 * c.u(_PAD)
    if width <= _inner(c, gap.w) and height <= gap.h:
        return gap.inset(0, (gap.h - height) // 2), body
    _, height = c.needed(_inner(c, body.w), _words(c, body.w, told), gap=0)
    return body, body.below(height + 2 * c.u(_PAD) + c.u(_GAP))


def draw_notices(c: Canvas, box: Box, told: tuple[Notice, ...]) -> None:
    """Write the notices, centred, at the top of ``box``."""
    words, inner = _words(c, box.w, told), _inner(c, box.w)
    if not words:
        return
    width, height = c.needed(inner, words, gap=0)
    panel = Box(box.cx - (width + box.w - inner) // 2, box.y, width + box.w - inner, height + 2 * c.u(_PAD))
    c.rounded(panel, c.u(24), c.theme.panel)
    c.block(Box(box.cx - inner // 2, panel.y + c.u(_PAD), inner, height), words, gap=0)


def _words(c: Canvas, width: int, told: tuple[Notice, ...]) -> list[Words]:
    """All notices in one line where they fit side by side, else each on its own."""
    said = [Words(f"ℹ{NBSP}{notice_text(notice, c.tr)}", c.u(_SIZE), c.theme.accent) for notice in told]
    together = f"{NBSP}{NBSP} ".join(part.text for part in said)
    for size in (c.u(_LARGE), c.u(_SIZE)):
        if said and c.measure.width(together, max(LEAST_SIZE, size), False) <= _inner(c, width):
            return [said[0]._replace(text=together, size=size)]
    return said


def _inner(c: Canvas, width: int) -> int:
    return max(1, width - 2 * c.u(_SIDE))
