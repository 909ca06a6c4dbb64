"""Pages of the floor menu without a list: a number to type, a sentence to confirm, what became of it; and their keys."""

from __future__ import annotations

from appliance.display.canvas import Canvas, Words
from appliance.display.icons import Icon, badge
from appliance.display.ops import Box
from appliance.display.theme import Color
from appliance.display.view_floor import MenuView

_BADGES: dict[str, Icon] = {"confirm": "attention", "waiting": "wait", "done": "check", "refused": "cross"}


def draw_number(c: Canvas, box: Box, menu: MenuView) -> None:
    """What was typed, as large as it goes, between the question and what may be typed."""
    theme = c.theme
    c.framed(box, c.u(28), theme.panel, theme.panel_edge, c.u(2))
    inner = box.inset(c.u(36), c.u(22))
    upper, figure, lower = inner.rows(*((26, 48, 26) if menu.text or menu.lines else (10, 80, 10)))
    c.paragraph(upper, menu.text, c.u(46), theme.muted)
    field = figure.inset(0, c.u(6))
    c.framed(field, c.u(22), theme.plate, theme.accent, c.u(4))
    said = " ".join(filter(None, (menu.typed or "–", menu.unit)))
    c.text(field.inset(c.u(20), c.u(6)), said, c.u(150), theme.ink if menu.typed else theme.muted, bold=True)
    notes = " · ".join(filter(None, (" ".join(filter(None, (line.text, line.note))) for line in menu.lines)))
    c.paragraph(lower, notes, c.u(40), theme.muted)


def draw_said(c: Canvas, box: Box, menu: MenuView) -> None:
    """A sentence in full, with a sign that says what it is."""
    theme, tone = c.theme, _tone(c, menu)
    c.framed(box, c.u(32), theme.panel, tone, c.u(5))
    inner = box.inset(c.u(44), c.u(28))
    beside = inner.w * 100 >= inner.h * 150
    side = min(inner.h * 70 // 100, inner.w * 18 // 100) if beside else min(inner.h * 30 // 100, inner.w * 40 // 100)
    if beside:
        sign = Box(inner.x, inner.cy - side // 2, side, side)
        words = Box(sign.right + c.u(48), inner.y, inner.right - sign.right - c.u(48), inner.h)
    else:
        sign = Box(inner.cx - side // 2, inner.y, side, side)
        words = inner.below(side + c.u(28))
    badge(c, sign, _BADGES[menu.page], tone, theme.on_tone)
    notes = [Words(" · ".join(filter(None, (line.text, line.note))), c.u(44), theme.muted) for line in menu.lines]
    c.block(words, [Words(menu.text, c.u(84), theme.ink, True), *notes], align="left" if beside else "center")


def draw_key(c: Canvas, box: Box, key: str, menu: MenuView) -> None:
    """A key to touch: digits light, what goes on bright."""
    theme = c.theme
    on = key == "enter"
    fill, ink = (theme.accent, theme.on_accent) if on else (theme.plate, theme.ink)
    c.framed(box, c.u(22), fill, theme.accent if on else theme.panel_edge, c.u(3))
    if menu.page == "number":
        c.text(box, {"enter": "✓", "delete": "⌫"}.get(key, key), box.h * 55 // 100, ink, bold=True)
        return
    words = {("confirm", "enter"): c.tr.gettext("Confirm"), ("confirm", "back"): c.tr.gettext("Back")}
    c.text(box.inset(c.u(20), c.u(8)), words.get((menu.page, key), c.tr.gettext("OK")), c.u(60), ink, bold=True)


def _tone(c: Canvas, menu: MenuView) -> Color:
    theme = c.theme
    return {"done": theme.good, "refused": theme.bad, "waiting": theme.muted}.get(menu.page, theme.wait)
