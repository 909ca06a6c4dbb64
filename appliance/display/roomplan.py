"""The way to a seat: the tables of the room with one pointed out, and that table with one chair pointed out."""

from __future__ import annotations

from appliance.display.canvas import Canvas
from appliance.display.ops import Box
from appliance.display.seatmap import rim_spots
from appliance.display.view import PlanTable


def draw_room(c: Canvas, box: Box, tables: tuple[PlanTable, ...], target: int) -> None:
    """All tables by number, in rows; the one to go to is filled and has an arrow above it."""
    columns = min(len(tables), max(1, box.w // max(1, c.u(130))))
    rows = -(-len(tables) // columns)
    columns = -(-len(tables) // rows)
    width, height = box.w // columns, box.h // rows
    table_w = min(width * 74 // 100, height * 110 // 100, c.u(230))
    table_h = min(table_w * 55 // 100, height * 50 // 100)
    for n, table in enumerate(tables):
        cell = Box(box.x + n % columns * width, box.y + n // columns * height, width, height)
        shape = Box(cell.cx - table_w // 2, cell.bottom - table_h - height // 8, table_w, table_h)
        here = table.number == target
        theme = c.theme
        edge, fill = (theme.accent, theme.accent) if here else (theme.plate_edge, theme.felt)
        c.framed(shape, table_h // 2, fill, edge, c.u(3))
        ink = theme.on_accent if here else theme.felt_ink
        c.text(shape.inset(c.u(6)), str(table.number), table_h * 60 // 100, ink, bold=True)
        if here:
            _arrow_down(c, shape, max(c.u(12), height // 8))


def _arrow_down(c: Canvas, over: Box, size: int) -> None:
    tip = over.y - size // 2
    width = max(2, size // 3)
    c.stroke([(over.cx, tip - 2 * size), (over.cx, tip - width)], width, c.theme.accent)
    c.stroke(
        [(over.cx - size, tip - size - width), (over.cx, tip - width), (over.cx + size, tip - size - width)],
        width,
        c.theme.accent,
    )


def draw_seat(c: Canvas, box: Box, table: PlanTable, seat: int) -> None:
    """One table with its chairs: taken ones filled, the one to take large and with its number."""
    theme = c.theme
    radius = max(5, min(c.u(26), box.h // 9))
    big = radius * 8 // 5
    height = box.h - 2 * big
    width = min(box.w - 2 * big, height * 5 // 2)
    rim = Box(box.cx - width // 2, box.y + big, width, height)
    felt = rim.inset(radius * 5 // 4)
    c.framed(felt, felt.h // 2, theme.felt, theme.rail_light, c.u(3))
    c.text(felt.inset(felt.w // 6, felt.h // 6), str(table.number), felt.h // 2, theme.felt_muted, bold=True)
    for number, spot in enumerate(rim_spots(rim, table.seats), start=1):
        x, y = round(spot.x), round(spot.y)
        if number == seat:
            c.disc(x, y, big, theme.accent)
            label = Box(x - big, y - big, 2 * big, 2 * big).inset(big // 4)
            c.text(label, str(number), big * 5 // 4, theme.on_accent, bold=True)
        else:
            c.disc(x, y, radius, theme.plate_edge)
            if number not in table.taken:
                c.disc(x, y, radius - c.u(3), theme.panel)
