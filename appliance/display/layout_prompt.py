"""Prompts on the glass: the whole body at the door, a band below the clock at a table."""

from __future__ import annotations

from appliance.display import prompt as p
from appliance.display.canvas import Align, Canvas, Words
from appliance.display.icons import badge
from appliance.display.messages import message
from appliance.display.ops import Box
from appliance.display.roomplan import draw_room, draw_seat
from appliance.display.said import Message
from appliance.display.theme import Color
from appliance.display.view import PromptView


def toast(c: Canvas, box: Box, view: PromptView) -> None:
    """A prompt in the place of the figures: it never hides the time."""
    said = message(view, c.tr)
    tone = _tone(c, said)
    c.framed(box, c.u(24), c.theme.panel, tone, c.u(4))
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


def full(c: Canvas, box: Box, view: PromptView) -> None:
    """A prompt as the whole body of the door's screen."""
    said = message(view, c.tr)
    tone = _tone(c, said)
    c.framed(box, c.u(36), c.theme.panel, tone, c.u(6))
    inner = box.inset(c.u(60), c.u(44))
    if isinstance(view.prompt, p.YourSeat) and view.plan:
        _seat_card(c, inner, view, view.prompt, said)
        return
    wide = inner.w * 100 >= inner.h * 120
    if wide:
        side = min(inner.h * 62 // 100, inner.w * 30 // 100)
        icon = Box(inner.x, inner.cy - side // 2, side, side)
        words = Box(icon.right + c.u(70), inner.y, inner.right - icon.right - c.u(70), inner.h)
    else:
        side = min(inner.h * 34 // 100, inner.w * 60 // 100)
        icon = Box(inner.cx - side // 2, inner.y + inner.h * 9 // 100, side, side)
        words = Box(inner.x, icon.bottom + c.u(40), inner.w, inner.h * 46 // 100)
    badge(c, icon, said.icon, tone, c.theme.on_tone)
    _words(c, words, said, "left" if wide else "center")


def _words(c: Canvas, box: Box, said: Message, align: Align) -> None:
    theme = c.theme
    lines = [Words(line, c.u(62), theme.ink) for line in said.lines]
    if said.figure:
        lines.insert(0, Words(said.figure, c.u(76), theme.accent, True))
    words = [Words(said.title, c.u(124), theme.ink, True), *lines, Words(said.small, c.u(46), theme.wait, True)]
    c.block(box, words, align=align)


def _seat_card(c: Canvas, box: Box, view: PromptView, seat: p.YourSeat, said: Message) -> None:
    """Table and seat as large as they go, with the way there."""
    wide = box.w * 100 >= box.h * 120
    if wide:
        words = Box(box.x, box.y, box.w * 50 // 100, box.h)
        drawing = Box(words.right + c.u(40), box.y, box.right - words.right - c.u(40), box.h)
    else:
        words = Box(box.x, box.y, box.w, box.h * 42 // 100)
        drawing = Box(box.x, words.bottom + c.u(24), box.w, box.bottom - words.bottom - c.u(24))
    name_h = words.h * 20 // 100
    who = said.lines[0] if said.lines else ""
    c.text(Box(words.x, words.y, words.w, name_h), who, c.u(64), c.theme.muted, bold=True)
    note_h = words.h * 14 // 100 if said.small else 0
    c.paragraph(Box(words.x, words.bottom - note_h, words.w, note_h), said.small, c.u(40), c.theme.wait, bold=True)
    half = (words.h - name_h - note_h) // 2
    table = c.tr.gettext("Table {table}", table=seat.table)
    place = c.tr.gettext("Seat {seat}", seat=seat.seat)
    size = min(c.fit(text, words.w, half, c.u(190), bold=True) for text in (table, place))
    c.text(Box(words.x, words.y + name_h, words.w, half), table, size, c.theme.ink, bold=True)
    c.text(Box(words.x, words.y + name_h + half, words.w, half), place, size, c.theme.accent, bold=True)
    others = len(view.plan) > 1
    mine = next((t for t in view.plan if t.number == seat.table), None)
    split = drawing.h * (46 if others else 0) // 100
    if others:
        draw_room(c, Box(drawing.x, drawing.y, drawing.w, split), view.plan, seat.table)
    if mine is not None:
        rest = Box(drawing.x, drawing.y + split + c.u(16), drawing.w, drawing.h - split - c.u(16))
        draw_seat(c, rest, mine, seat.seat)


def _tone(c: Canvas, said: Message) -> Color:
    return {"good": c.theme.good, "plain": c.theme.muted, "wait": c.theme.wait, "bad": c.theme.bad}[said.tone]
