"""A poker table seen from above: rail, felt, seats clockwise from the bottom, button and blinds before them."""

from __future__ import annotations

import math
from typing import NamedTuple

from appliance.display.canvas import LEAST_SIZE, Canvas
from appliance.display.ops import Box
from appliance.display.theme import Color
from appliance.display.view import Seat

_SIDEWAYS = 0.8
"""From this part of its direction on a seat counts as one at the side of the table."""

_RINGS = 8
"""Steps of the light on the felt."""


class Spot(NamedTuple):
    """A point on the rim and the direction out of the table there (a unit vector)."""

    x: float
    y: float
    nx: float
    ny: float


def rim_spots(rim: Box, count: int) -> list[Spot]:
    """``count`` spots evenly along the rim of a stadium-shaped table, in clockwise order.

    The middle of the bottom, where a dealer stands, is halfway between the last spot and the first.
    """
    r = min(rim.w, rim.h) / 2
    length = 2 * (rim.w + rim.h) - 8 * r + 2 * math.pi * r
    return [_spot(rim, r, length * (n + 0.5) / count) for n in range(count)]


def _spot(rim: Box, r: float, along: float) -> Spot:
    """The spot ``along`` pixels clockwise from the middle of the bottom: walk the straights and the corners."""
    flat, tall, quarter = rim.w - 2 * r, rim.h - 2 * r, math.pi * r / 2
    x, y = rim.x + rim.w / 2, float(rim.y + rim.h)
    dx, dy = -1, 0
    for straight in (flat / 2, tall, flat, tall, flat / 2):
        nx, ny = dy, -dx
        if along <= straight:
            return Spot(x + dx * along, y + dy * along, nx, ny)
        along -= straight
        cx, cy = x + dx * straight - nx * r, y + dy * straight - ny * r
        if along <= quarter:
            angle = math.atan2(ny, nx) + along / r
            return Spot(cx + r * math.cos(angle), cy + r * math.sin(angle), math.cos(angle), math.sin(angle))
        along -= quarter
        dx, dy = -dy, dx
        x, y = cx + dy * r, cy - dx * r
    return Spot(rim.x + rim.w / 2, rim.y + rim.h, 0, 1)


class Plan(NamedTuple):
    """Where the table is drawn: its rim, the size of the name plates, the radius of the button."""

    rim: Box
    plate_w: int
    plate_h: int
    marker: int

    @property
    def inside(self) -> Box:
        """The part of the felt that no plate and no button ever covers."""
        room = self.marker * 2 + self.marker // 2
        return self.rim.inset(self.plate_w // 2 + room, self.plate_h // 2 + room)


def plan(c: Canvas, box: Box, seats: int) -> Plan:
    """The largest table within ``box`` whose name plates do not touch each other."""
    height, marker = c.u(70), max(c.u(30), _least_marker(c))
    width = c.u(300)
    while True:
        rim = box.inset(width // 2, height // 2)
        plates = [_plate(spot, width + c.u(12), height + c.u(10)) for spot in rim_spots(rim, seats)]
        apart = not any(a.meets(b) for n, a in enumerate(plates) for b in plates[:n])
        if apart or width <= c.u(110):
            return Plan(rim, width, height, marker)
        width -= max(1, c.u(10))


def _least_marker(c: Canvas) -> int:
    """The radius at which a marker holds its letters at the smallest legible size."""
    return -(-max(c.measure.width(label, LEAST_SIZE, True) for label in ("SB", "BB")) // 2) + c.u(4)


def _plate(spot: Spot, width: int, height: int) -> Box:
    return Box(round(spot.x) - width // 2, round(spot.y) - height // 2, width, height)


def draw_table(c: Canvas, rim: Box, *, on_break: bool = False) -> None:
    """Rail, brass line, betting line and felt, lighter towards the middle as under a lamp."""
    theme = c.theme
    dark, light, line = (
        (theme.felt_break, theme.felt_break_light, theme.felt_break_line)
        if on_break
        else (theme.felt, theme.felt_light, theme.felt_line)
    )
    rail, bet = c.u(17), c.u(56)
    for inset, color in (
        (-rail - c.u(3), theme.shadow),
        (-rail, theme.rail),
        (rail - c.u(4), theme.rail_light),
        (rail, dark),
        (bet, line),
        (bet + c.u(3), dark),
    ):
        _stadium(c, rim, inset, color)
    deep = min(rim.w, rim.h) * 2 // 5
    for ring in range(1, _RINGS + 1):
        color = _between(dark, light, ring / _RINGS)
        _stadium(c, rim, bet + c.u(3) + (deep - bet) * ring // (_RINGS + 1), color)


def _stadium(c: Canvas, rim: Box, inset: int, color: Color) -> None:
    part = Box(rim.x + inset, rim.y + inset, rim.w - 2 * inset, rim.h - 2 * inset)
    c.rounded(part, min(part.w, part.h) // 2, color)


def _between(first: Color, second: Color, share: float) -> Color:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


def draw_seats(c: Canvas, plan: Plan, seats: tuple[Seat, ...]) -> None:
    """The plates with seat numbers and names, and what lies before them."""
    for seat, spot in zip(seats, rim_spots(plan.rim, len(seats)), strict=True):
        _draw_plate(c, _plate(spot, plan.plate_w, plan.plate_h), seat)
        _draw_markers(c, plan, spot, seat)


def _draw_plate(c: Canvas, box: Box, seat: Seat) -> None:
    theme = c.theme
    edge, fill = (theme.felt_line, theme.plate_empty) if seat.who is None else (theme.plate_edge, theme.plate)
    c.framed(box, box.h // 2, fill, edge, c.u(2))
    number = Box(box.x + c.u(8), box.y, box.h - c.u(10), box.h)
    c.text(number.inset(c.u(4), c.u(6)), str(seat.number), c.u(28), theme.muted, bold=True)
    name = Box(number.right, box.y, box.right - number.right - box.h // 3, box.h)
    if seat.who is None:
        return
    if note := seat_note(c, seat):
        upper = Box(name.x, name.y + c.u(2), name.w, name.h * 52 // 100)
        lower = Box(name.x, upper.bottom - c.u(5), name.w, name.bottom - upper.bottom + c.u(3))
        c.text(upper, seat.who, c.u(29), theme.muted, align="left", least=c.u(23))
        c.text(lower, note, c.u(27), theme.wait, align="left")
    elif c.fit(seat.who, name.w, name.h, c.u(34), bold=True) >= c.u(22):
        c.text(name, seat.who, c.u(34), theme.ink, bold=True, align="left")
    else:
        c.paragraph(name.inset(0, c.u(3)), seat.who, c.u(26), theme.ink, bold=True, align="left")


def seat_note(c: Canvas, seat: Seat) -> str:
    """Why a player is not dealt in as the others are."""
    if seat.absent:
        return c.tr.gettext("away")
    if seat.waits == "button":
        return c.tr.gettext("waits for button")
    return c.tr.gettext("sits out") if seat.waits == "choice" else ""


def _draw_markers(c: Canvas, plan: Plan, spot: Spot, seat: Seat) -> None:
    """Button and blinds side by side on the felt before the plate."""
    theme, r = c.theme, plan.marker
    marks = (
        [("D", theme.button, theme.on_button)] * seat.button
        + [("SB", theme.small_blind, theme.on_small_blind)] * seat.small_blind
        + [("BB", theme.big_blind, theme.on_big_blind)] * seat.big_blind
    )
    sideways = abs(spot.nx) > _SIDEWAYS
    along_x, along_y = (math.copysign(1, spot.nx), 0) if sideways else (0, math.copysign(1, spot.ny))
    inward = (plan.plate_w if sideways else plan.plate_h) / 2 + r + c.u(6)
    for order, (label, fill, ink) in enumerate(marks):
        aside = (order - (len(marks) - 1) / 2) * (2 * r + c.u(6))
        x = round(spot.x - along_x * inward - along_y * aside)
        y = round(spot.y - along_y * inward + along_x * aside)
        c.disc(x, y, r, theme.shadow)
        c.disc(x, y, r - c.u(3), fill)
        c.text(Box(x - r + c.u(4), y - r, 2 * (r - c.u(4)), 2 * r), label, c.u(27), ink, bold=True)
