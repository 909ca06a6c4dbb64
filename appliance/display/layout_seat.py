"""Where somebody sits: table and seat as large as they go, and the way there on a plan of the room."""

from __future__ import annotations

from appliance.display import prompt as p
from appliance.display.canvas import Canvas
from appliance.display.icons import badge
from appliance.display.ops import Box
from appliance.display.roomplan import draw_room, draw_seat
from appliance.display.said import Message
from appliance.display.view import PromptView

_NUMBER = 420
"""Size of the numbers, in lengths of the design: read by who walks past."""


def draw_seat_card(c: Canvas, box: Box, view: PromptView, seat: p.YourSeat, said: Message) -> None:
    """Name and the two numbers; beside or below them the room, then the table with the chair."""
    mine = next((table for table in view.plan if table.number == seat.table), None)
    words, drawing = box, None
    if mine is not None and box.w * 100 >= box.h * 120:
        words = Box(box.x, box.y, box.w * 52 // 100, box.h)
        drawing = Box(words.right + c.u(44), box.y, box.right - words.right - c.u(44), box.h)
    elif mine is not None:
        words = Box(box.x, box.y, box.w, box.h * 46 // 100)
        drawing = Box(box.x, words.bottom + c.u(30), box.w, box.bottom - words.bottom - c.u(30))
    _numbers(c, words, seat, said)
    if drawing is None or mine is None:
        return
    share = 0
    if len(view.plan) > 1:
        share = drawing.h * 48 // 100
        draw_room(c, Box(drawing.x, drawing.y, drawing.w, share), view.plan, seat.table)
        share += c.u(30)
    draw_seat(c, drawing.below(share), mine, seat.seat)


def _numbers(c: Canvas, box: Box, seat: p.YourSeat, said: Message) -> None:
    theme = c.theme
    head_h = min(c.u(110), box.h * 18 // 100)
    side = head_h * 92 // 100
    who = said.lines[0] if said.lines else ""
    badge(c, Box(box.x, box.y + (head_h - side) // 2, side, side), said.icon, theme.good, theme.on_tone)
    left = box.x + side + c.u(28)
    c.text(Box(left, box.y, box.right - left, head_h), who, c.u(70), theme.ink, bold=True, align="left")
    note_h = min(c.u(120), box.h * 16 // 100) if said.small else 0
    c.paragraph(Box(box.x, box.bottom - note_h, box.w, note_h), said.small, c.u(42), theme.wait, bold=True)
    gap = c.u(24)
    tiles = Box(box.x, box.y + head_h + gap, box.w, box.h - head_h - note_h - gap - (gap if note_h else 0))
    table, place = tiles.columns(1, 1, gap=gap)
    _tile(c, table, c.tr.gettext("Table"), seat.table, filled=False)
    _tile(c, place, c.tr.gettext("Seat"), seat.seat, filled=True)


def _tile(c: Canvas, box: Box, label: str, number: int, *, filled: bool) -> None:
    """A number with what it counts above it; the seat's is filled, as its chair on the plan."""
    theme = c.theme
    fill, edge = (theme.accent, theme.accent) if filled else (theme.felt, theme.rail_light)
    c.framed(box, c.u(30), fill, edge, c.u(4))
    upper, lower = box.inset(c.u(20), c.u(16)).rows(22, 78)
    c.text(upper, label, c.u(72), theme.on_accent if filled else theme.felt_muted, bold=True)
    c.text(lower, str(number), c.u(_NUMBER), theme.on_accent if filled else theme.felt_ink, bold=True)
