"""A PIN on the glass: how many digits there are, never which; keys for fingers where a screen is touched."""

from __future__ import annotations

from appliance.display import prompt as p
from appliance.display.canvas import Canvas
from appliance.display.fonts import Measure
from appliance.display.house import PLAIN, House
from appliance.display.icons import badge
from appliance.display.layout_strip import draw_strip, strip_height
from appliance.display.messages import message
from appliance.display.ops import Box
from appliance.display.theme import DARK
from appliance.display.view import Board, PromptView
from appliance.i18n import Translator

_ROWS = (("1", "2", "3"), ("4", "5", "6"), ("7", "8", "9"), ("back", "0", "done"))
_SIGNS = {"back": "⌫", "done": "✓"}
_GAP = 14


def draw_pin(c: Canvas, view: PromptView, board: Board) -> None:
    """The whole screen: the clock along the top, below it who is asked, the dots, and keys where they are touched."""
    draw_strip(c, Box(c.safe.x, c.safe.y, c.safe.w, strip_height(c)), board)
    outer, words, keys = _boxes(c)
    with c.speaking(view.lang):
        said = message(view, c.tr)
    tone = c.theme.bad if said.tone == "bad" else c.theme.wait
    c.framed(outer, c.u(36), c.theme.panel, tone, c.u(6))
    side = min(words.h * 24 // 100, words.w * 40 // 100)
    badge(c, Box(words.cx - side // 2, words.y, side, side), said.icon, tone, c.theme.on_tone)
    *confirms, asked = said.lines
    rows = Box(words.x, words.y + side, words.w, words.h - side).rows(22, 26, 22 if confirms else 0, 22, 20)
    c.text(rows[0], said.title, c.u(76), c.theme.ink, bold=True)
    c.text(rows[1], said.figure, c.u(110), c.theme.accent, bold=True)
    c.paragraph(rows[2], " ".join(confirms), c.u(54), c.theme.ink, bold=True)
    c.paragraph(rows[3], asked, c.u(46), c.theme.muted)
    c.paragraph(rows[4], said.small, c.u(46), c.theme.bad, bold=True)
    if view.pin_keys:
        for key, box in _key_boxes(c, keys):
            c.framed(box, c.u(20), c.theme.plate, c.theme.panel_edge, c.u(2))
            c.text(box, _SIGNS.get(key, key), box.h * 55 // 100, c.theme.ink, bold=True)


def draws_pin(view: PromptView | None) -> bool:
    """Whether a prompt takes the screen for a PIN's keys."""
    return view is not None and view.pin_keys and isinstance(view.prompt, p.EnterPin)


def pin_hit(
    size: tuple[int, int], tr: Translator, measure: Measure, x: int, y: int, house: House = PLAIN
) -> str | None:
    """The key that a touch of this pixel means."""
    c = Canvas(size, tr, DARK, measure, house=house)
    _, _, keys = _boxes(c)
    spot = Box(x, y, 1, 1)
    return next((key for key, box in _key_boxes(c, keys) if box.holds(spot)), None)


def _boxes(c: Canvas) -> tuple[Box, Box, Box]:
    """The frame below the clock, and in it words and keys: side by side, or above each other on an upright screen."""
    safe = c.safe
    outer = safe.below(strip_height(c) + c.u(24))
    inner = outer.inset(c.u(44), c.u(32))
    gap = c.u(40)
    if inner.w * 100 >= inner.h * 120:
        left = Box(inner.x, inner.y, inner.w * 46 // 100, inner.h)
        return outer, left, Box(left.right + gap, inner.y, inner.right - left.right - gap, inner.h)
    upper = Box(inner.x, inner.y, inner.w, inner.h * 42 // 100)
    return outer, upper, Box(inner.x, upper.bottom + gap, inner.w, inner.bottom - upper.bottom - gap)


def _key_boxes(c: Canvas, box: Box) -> list[tuple[str, Box]]:
    gap = c.u(_GAP)
    width, height = (box.w - 2 * gap) // 3, (box.h - 3 * gap) // 4
    return [
        (key, Box(box.x + column * (width + gap), box.y + row * (height + gap), width, height))
        for row, keys in enumerate(_ROWS)
        for column, key in enumerate(keys)
    ]
