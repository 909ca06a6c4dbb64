"""What the room should know, in small lines below the header: seen by who looks for it, in nobody's way."""

from __future__ import annotations

from appliance.display.canvas import LEAST_SIZE, Canvas, Words
from appliance.display.messages import notice_text
from appliance.display.notice import Notice
from appliance.display.ops import Box
from appliance.i18n import NBSP

_SIZE, _LARGE, _LARGEST, _PAD, _SIDE, _GAP = 32, 40, 54, 6, 28, 12
"""Size of the letters, of those of one line that has room, and of all while nobody plays; space above and below them,
beside them, and below all, in lengths of the design."""


def notices_and_body(
    c: Canvas, gap: Box, body: Box, told: tuple[Notice, ...], *, large: bool = False
) -> tuple[Box, Box]:
    """Where the notices go and what of the body is left: they take nothing of it when the header's gap has room.

    ``large``: there is room for them, as while nobody plays, and each has a line of its own.
    """
    if not told:
        return gap, body
    if large:
        _, height = c.needed(_inner(c, body.w), _words(c, body.w, told, large=True), gap=0)
        return body, body.below(height + 2 * c.u(_PAD) + c.u(_GAP))
    width, height = c.needed(_inner(c, gap.w), _words(c, gap.w, told), gap=0)
    height += 2 * c.u(_PAD)
    if width <= _inner(c, gap.w) and height <= gap.h:
        return gap.inset(0, (gap.h - height) // 2), body
    _, height = c.needed(_inner(c, body.w), _words(c, body.w, told), gap=0)
    return body, body.below(height + 2 * c.u(_PAD) + c.u(_GAP))


def draw_notices(c: Canvas, box: Box, told: tuple[Notice, ...], *, large: bool = False) -> None:
    """Write the notices, centred, at the top of ``box``."""
    words, inner = _words(c, box.w, told, large=large), _inner(c, box.w)
    if not words:
        return
    width, height = c.needed(inner, words, gap=0)
    panel = Box(box.cx - (width + box.w - inner) // 2, box.y, width + box.w - inner, height + 2 * c.u(_PAD))
    c.rounded(panel, c.u(24), c.theme.panel)
    c.block(Box(box.cx - inner // 2, panel.y + c.u(_PAD), inner, height), words, gap=0)


def _words(c: Canvas, width: int, told: tuple[Notice, ...], *, large: bool = False) -> list[Words]:
    """All notices in one line where they fit side by side, else each on its own."""
    if large and told:
        texts = [f"ℹ{NBSP}{notice_text(notice, c.tr)}" for notice in told]
        size = min(c.fit(text, _inner(c, width), c.u(2 * _LARGEST), c.u(_LARGEST)) for text in texts)
        return [Words(text, max(size, c.u(_SIZE)), c.theme.accent) for text in texts]
    said = [Words(f"ℹ{NBSP}{notice_text(notice, c.tr)}", c.u(_SIZE), c.theme.accent) for notice in told]
    together = f"{NBSP}{NBSP} ".join(part.text for part in said)
    for size in (c.u(_LARGE), c.u(_SIZE)):
        if said and c.measure.width(together, max(LEAST_SIZE, size), False) <= _inner(c, width):
            return [said[0]._replace(text=together, size=size)]
    return said


def _inner(c: Canvas, width: int) -> int:
    return max(1, width - 2 * c.u(_SIDE))
