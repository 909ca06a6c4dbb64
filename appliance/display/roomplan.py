"""The way to a seat: the tables of the room with one pointed out, and that table with one chair pointed out."""

from __future__ import annotations

from appliance.display.canvas import LEAST_SIZE, Canvas
from appliance.display.ops import Box
from appliance.display.seatmap import rim_spots
from appliance.display.view import PlanTable


def draw_room(c: Canvas, box: Box, tables: tuple[PlanTable, ...], target: int) -> None:
    """All tables by number, in rows; the one to go to is filled, larger, and has an arrow above it."""
    theme = c.theme
    c.framed(box, c.u(24), theme.plate, theme.panel_edge, c.u(2))
    room = box.inset(c.u(20), c.u(16))
    columns, rows = _grid(c, room, len(tables))
    width, height = room.w // columns, room.h // rows
    table_w = min(width * 72 // 100, height, c.u(230))
    table_h = min(table_w * 58 // 100, height * 46 // 100)
    for n, table in enumerate(tables):
        row, column = divmod(n, columns)
        alone = min(columns, len(tables) - row * columns)
        left = room.cx - alone * width // 2
        cell = Box(left + column * width, room.y + row * height, width, height)
        shape = Box(cell.cx - table_w // 2, cell.y + height * 66 // 100 - table_h // 2, table_w, table_h)
        if table.number == target:
            _target(c, shape.inset(-table_w // 14, -table_h // 14), cell, table.number)
        else:
            c.framed(shape, table_h // 2, theme.felt, theme.plate_edge, c.u(3))
            c.text(shape.inset(c.u(6)), str(table.number), table_h * 62 // 100, theme.felt_muted, bold=True)


def _grid(c: Canvas, room: Box, count: int) -> tuple[int, int]:
    """So many columns and rows that the tables become the largest."""

    def scale(columns: int) -> float:
        rows = -(-count // columns)
        return min(room.w / columns * 0.72, room.h / rows)

    most = max(1, min(count, room.w // max(3 * LEAST_SIZE, c.u(90))))
    columns = max(range(1, most + 1), key=lambda n: (scale(n), -n))
    return columns, -(-count // columns)


def _target(c: Canvas, shape: Box, cell: Box, number: int) -> None:
    theme = c.theme
    c.rounded(shape, shape.h // 2, theme.accent)
    c.text(shape.inset(c.u(6)), str(number), shape.h * 66 // 100, theme.on_accent, bold=True)
    tip = shape.y - max(2, shape.h // 10)
    size = max(3, min(shape.w // 4, (tip - cell.y) * 40 // 100))
    width = max(2, size // 3)
    c.stroke([(shape.cx, max(cell.y, tip - 2 * size)), (shape.cx, tip - width)], width, theme.accent)
    wings = [(shape.cx - size, tip - size - width), (shape.cx, tip - width), (shape.cx + size, tip - size - width)]
    c.stroke(wings, width, theme.accent)


def draw_seat(c: Canvas, box: Box, table: PlanTable, seat: int) -> None:
    """One table with its chairs: taken ones filled, the one to take large and with its number."""
    theme = c.theme
    radius = max(5, min(c.u(30), box.h // 9))
    big = radius * 9 // 5
    height = min(box.h - 2 * big, (box.w - 2 * big) * 75 // 100)
    width = min(box.w - 2 * big, height * 9 // 4)
    rim = Box(box.cx - width // 2, box.cy - height // 2, width, height)
    felt = rim.inset(radius * 5 // 4)
    c.framed(felt, felt.h // 2, theme.felt, theme.rail_light, c.u(4))
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
