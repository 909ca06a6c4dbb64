"""Prompts on the glass: the whole body at the door, a band below the clock at a table.

Both speak the language of whom they address. At the door colour and sign are read first, from across the room; then
the headline, and what is to pay larger than all else.
"""

from __future__ import annotations

from appliance.display import prompt as p
from appliance.display.canvas import Align, Canvas, Words
from appliance.display.icons import badge
from appliance.display.layout_seat import draw_seat_card
from appliance.display.messages import message
from appliance.display.ops import Box
from appliance.display.said import Message
from appliance.display.theme import Color
from appliance.display.view import PromptView

_TITLE, _FIGURE, _LINE, _SMALL = 124, 84, 58, 46
_TO_PAY = 190
"""Sizes of the headline, an amount, the lines and the note; and of an amount that is asked for now."""


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
        sign = Box(box.x, box.y, side, box.h)
        panel = Box(sign.right, box.y + edge, box.right - edge - sign.right, box.h - 2 * edge)
    else:
        sign = Box(box.x, box.y, box.w, box.h * 27 // 100)
        panel = Box(box.x + edge, sign.bottom, box.w - 2 * edge, box.bottom - edge - sign.bottom)
    size = min(sign.w, sign.h) * 94 // 100
    badge(c, Box(sign.cx - size // 2, sign.cy - size // 2, size, size), said.icon, tone, c.theme.on_tone)
    c.rounded(panel, radius - edge, c.theme.panel)
    _words(c, panel.inset(c.u(60), c.u(40)), said, "left" if wide else "center", to_pay=_is_to_pay(view))


def _is_to_pay(view: PromptView) -> bool:
    """Whether the commissioner takes money now: then the amount is what both look for."""
    return isinstance(view.prompt, p.CheckIdentity | p.TopUp)


def _words(c: Canvas, box: Box, said: Message, align: Align, *, to_pay: bool) -> None:
    theme = c.theme
    title = Words(said.title, c.u(_FIGURE if to_pay else _TITLE), theme.ink, True)
    figure = Words(said.figure, c.u(_TO_PAY if to_pay else _FIGURE), theme.accent, True)
    lines = [Words(line, c.u(_LINE), theme.ink) for line in said.lines]
    c.block(box, [title, figure, *lines, Words(said.small, c.u(_SMALL), theme.wait, True)], align=align)


def _tone(c: Canvas, said: Message) -> Color:
    return {"good": c.theme.good, "plain": c.theme.muted, "wait": c.theme.wait, "bad": c.theme.bad}[said.tone]
