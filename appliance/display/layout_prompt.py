"""Prompts on the glass: the whole body at the door, a band below the clock at a table.

Both speak the language of whom they address. At the door colour and sign are read first, from across the room; then
the headline, and what is to pay larger than all else.
"""

from __future__ import annotations

from appliance.display import prompt as p
from appliance.display.canvas import Align, Canvas, Words
from appliance.display.icons import badge, sign
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
    tone = _tone(c, said)
    c.framed(box, c.u(24), c.theme.panel, tone, c.u(5))
    side = min(box.h - 2 * c.u(18), c.u(150))
    icon = Box(box.x + c.u(26), box.cy - side // 2, side, side)
    badge(c, icon, said.icon, tone, c.theme.on_tone)
    words = Box(icon.right + c.u(28), box.y + c.u(10), box.right - icon.right - c.u(56), box.h - c.u(20))
    upper = Box(words.x, words.y, words.w, words.h * 50 // 100)
    lower = Box(words.x, upper.bottom, words.w, words.bottom - upper.bottom)
    c.text(upper, said.title, c.u(56), c.theme.ink, bold=True, align="left")
    c.paragraph(
        lower, " · ".join(filter(None, (said.figure, *said.lines, said.small))), c.u(34), c.theme.muted, align="left"
    )


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
    sign(c, Box(field.cx - size // 2, field.cy - size // 2, size, size), said.icon, tone, c.theme.on_tone)
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
