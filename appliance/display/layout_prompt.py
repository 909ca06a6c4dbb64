"""Prompts on the glass: the whole body at the door, a band below the clock at a table.

Both speak the language of whom they address. At the door colour and sign are read first, from across the room; then
the headline, and what is to pay larger than all else.
"""

from __future__ import annotations

from appliance.display import prompt as p
from appliance.display.canvas import Align, Canvas, Words
from appliance.display.icons import sign
from appliance.display.layout_seat import draw_seat_card
from appliance.display.messages import message
from appliance.display.ops import Box
from appliance.display.said import Message
from appliance.display.theme import Color
from appliance.display.view import PromptView
from appliance.i18n import NBSP

_TITLE, _FIGURE, _LINE, _SMALL = 144, 92, 64, 50
_OWED = 260
"""Sizes of the headline, an amount, the lines and the note; and of an amount that is paid now."""


def toast(c: Canvas, box: Box, view: PromptView) -> None:
    """A prompt in the place of the figures: it never hides the time."""
    with c.speaking(view.lang):
        _toast(c, box, view)


def full(c: Canvas, box: Box, view: PromptView) -> None:
    """A prompt as the whole body of the door's screen."""
    with c.speaking(view.lang):
        _full(c, box, view)


def _toast(c: Canvas, box: Box, view: PromptView) -> None:
    said = message(view, c.tr)
    tone, radius, edge = _tone(c, said), c.u(24), c.u(6)
    field = Box(box.x, box.y, min(box.h * 120 // 100, box.w // 5), box.h)
    panel = Box(field.right, box.y + edge, box.right - edge - field.right, box.h - 2 * edge)
    c.rounded(box, radius, tone)
    c.rounded(panel, radius - edge, c.theme.panel)
    side = min(field.w, field.h)
    sign(c, Box(field.cx - side // 2, field.cy - side // 2, side, side), said.icon, c.theme.on_tone)
    words = panel.inset(c.u(28), c.u(8))
    words = Box(words.x, words.y, words.w - _toast_figure(c, words, said), words.h)
    lines = _in_one(said)
    if not lines:
        c.text(words, said.title, c.u(80), c.theme.ink, bold=True, align="left")
        return
    upper, lower = words.rows(46, 54)
    c.text(upper, said.title, c.u(64), c.theme.ink, bold=True, align="left")
    c.paragraph(lower, lines, c.u(44), c.theme.muted, align="left")


def _in_one(said: Message) -> str:
    """All lines as one text: sentences follow each other, anything else has a dot between."""
    text = ""
    for line in filter(None, (*said.lines, said.small)):
        text += (" " if text.endswith((".", "!", "?")) and len(text) > 12 else " · ") * bool(text) + line
    return text


def _toast_figure(c: Canvas, words: Box, said: Message) -> int:
    """Write the amount at the right end; return how wide it is, with the space before it."""
    figure = said.owed[1] or said.figure.replace(" ", NBSP)
    if not figure:
        return 0
    room = Box(words.right - words.w * 38 // 100, words.y, words.w * 38 // 100, words.h)
    return c.text(room, figure, c.u(84), c.theme.accent, bold=True, align="right").w + c.u(28)


def _full(c: Canvas, box: Box, view: PromptView) -> None:
    said = message(view, c.tr)
    tone = _tone(c, said)
    edge, radius = c.u(10), c.u(36)
    c.rounded(box, radius, tone)
    wide = box.w * 100 >= box.h * 120
    if isinstance(view.prompt, p.YourSeat):
        panel = box.inset(edge)
        c.rounded(panel, radius - edge, c.theme.panel)
        draw_seat_card(c, panel.inset(c.u(50), c.u(36)), view, view.prompt, said)
        return
    if wide:
        side = min(box.w * 27 // 100, box.h * 70 // 100)
        field = Box(box.x, box.y, side, box.h)
        panel = Box(field.right, box.y + edge, box.right - edge - field.right, box.h - 2 * edge)
    else:
        field = Box(box.x, box.y, box.w, box.h * 27 // 100)
        panel = Box(box.x + edge, field.bottom, box.w - 2 * edge, box.bottom - edge - field.bottom)
    size = min(field.w, field.h) * 120 // 100
    c.rounded(panel, radius - edge, c.theme.panel)
    sign(c, Box(field.cx - size // 2, field.cy - size // 2, size, size), said.icon, c.theme.on_tone)
    _words(c, panel.inset(c.u(60), c.u(40)), said, "left" if wide else "center")


def _words(c: Canvas, box: Box, said: Message, align: Align) -> None:
    """Headline, amount, lines, note; where money is taken now the amount is what commissioner and player look for."""
    theme = c.theme
    lines = [Words(line, c.u(_LINE), theme.ink) for line in said.lines]
    small = Words(said.small, c.u(_SMALL), theme.wait, True)
    what, amount = said.owed
    figure = said.figure.replace(" ", NBSP)
    if not amount:
        head = [Words(said.title, c.u(_TITLE), theme.ink, True), Words(figure, c.u(_FIGURE), theme.accent, True)]
        c.block(box, [*head, *lines, small], align=align)
        return
    name, owed, rest = box.rows(17, 40, 43)
    c.text(name, said.title, c.u(_FIGURE), theme.ink, bold=True, align=align)
    c.rounded(owed, c.u(28), theme.accent)
    label, sum_ = owed.inset(c.u(36), c.u(14)).rows(26, 74)
    c.text(label, what, c.u(_SMALL), theme.on_accent, bold=True, align=align)
    c.text(sum_, amount, c.u(_OWED), theme.on_accent, bold=True, align=align)
    c.block(rest.below(c.u(16)), [*lines, small], align=align)


def _tone(c: Canvas, said: Message) -> Color:
    return {"good": c.theme.good, "plain": c.theme.muted, "wait": c.theme.wait, "bad": c.theme.bad}[said.tone]
