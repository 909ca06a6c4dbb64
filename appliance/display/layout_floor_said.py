"""What a page of the floor menu says: the sentence to confirm, a number being entered, what became of it; and keys."""

from __future__ import annotations

from appliance.display.canvas import Canvas, Words
from appliance.display.floorboxes import padded, words_of
from appliance.display.icons import Icon, badge
from appliance.display.ops import Box
from appliance.display.theme import Color
from appliance.display.view_floor import MenuView

_SIGNS = {"enter": "✓", "delete": "⌫", "up": "+", "down": "−"}


def draw_words(c: Canvas, box: Box, menu: MenuView) -> None:
    """What is to be read before something is chosen or typed."""
    if not menu.asked and not menu.told:
        return
    c.framed(box, c.u(28), c.theme.panel, c.theme.panel_edge, c.u(2))
    c.block(padded(c, box), words_of(c, menu), align="left")


def draw_figure(c: Canvas, box: Box, menu: MenuView) -> None:
    """The number as it stands, as large as it goes; framed twice where the knob stands at it."""
    theme, edit = c.theme, menu.at("edit")
    c.framed(box, c.u(24), theme.plate, theme.accent if menu.editing else theme.panel_edge, c.u(4))
    if edit is not None and edit.selected:
        c.framed(box.inset(c.u(7)), c.u(18), theme.plate, theme.ink, c.u(4))
    inner = box.inset(c.u(20), c.u(6))
    c.text(inner, menu.number or "–", c.u(120), theme.ink if menu.number else theme.muted, bold=True)


def draw_signed(c: Canvas, box: Box, menu: MenuView) -> None:
    """A sentence in full, with a sign that says what became of it."""
    theme = c.theme
    icon, tone = _sign(c, menu)
    c.framed(box, c.u(32), theme.panel, tone, c.u(5))
    inner = box.inset(c.u(44), c.u(28))
    question, *told = words_of(c, menu)
    words = [
        Words(question.text, c.u(80), theme.ink, True),
        *(part._replace(size=c.u(56), color=theme.ink) for part in told),
    ]
    if menu.aloud:
        words = [question, *told]
    if inner.w * 100 >= inner.h * 150:
        side, gap = min(inner.h * 60 // 100, inner.w * 18 // 100), c.u(48)
        badge(c, Box(inner.x, inner.cy - side // 2, side, side), icon, tone, theme.on_tone)
        c.block(Box(inner.x + side + gap, inner.y, inner.w - side - gap, inner.h), words, align="left")
        return
    side, gap = min(inner.h * 24 // 100, inner.w * 36 // 100), c.u(56)
    height = min(c.needed(inner.w, words)[1], inner.h - side - gap)
    top = inner.y + (inner.h - side - gap - height) * 45 // 100
    badge(c, Box(inner.cx - side // 2, top, side, side), icon, tone, theme.on_tone)
    c.block(Box(inner.x, top + side + gap, inner.w, height), words)


def _sign(c: Canvas, menu: MenuView) -> tuple[Icon, Color]:
    theme = c.theme
    if menu.busy:
        return "wait", theme.muted
    if menu.unsure:
        return "attention", theme.wait
    return ("check", theme.good) if menu.good else ("cross", theme.bad)


def draw_key(c: Canvas, box: Box, key: str, *, chosen: bool = False) -> None:
    """A key to touch: digits quiet, what goes on bright; framed twice where the knob stands at it."""
    theme, on = c.theme, key == "enter"
    fill, ink = (theme.accent, theme.on_accent) if on else (theme.plate, theme.ink)
    if chosen:
        c.framed(box, c.u(22), fill, theme.ink, c.u(4))
        box = box.inset(c.u(6))
    c.framed(box, c.u(22), fill, theme.on_accent if chosen else theme.accent if on else theme.panel_edge, c.u(3))
    c.text(box, _SIGNS.get(key, key), min(box.h * 55 // 100, c.u(96)), ink, bold=True)
