"""A poker table seen from above: rail, felt, seats clockwise from the bottom, button and blinds before them."""

from __future__ import annotations

import math
from bisect import bisect_left
from functools import lru_cache
from itertools import accumulate, pairwise, product
from typing import NamedTuple

from appliance.display.canvas import LEAST_SIZE, Canvas
from appliance.display.marks import draw_marks, marks
from appliance.display.ops import Box
from appliance.display.theme import Color
from appliance.display.view import Seat

_SIZE, _WELL, _LEAST = 60, 44, 32
"""Size of the names at most; what all have though one is too long for it; and before one is set in two lines."""

_FEW = 6
"""So few seats leave a clock room beside larger plates."""

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


def duel_spots(rim: Box) -> list[Spot]:
    """Two who face each other across the middle, below and above it."""
    return [Spot(rim.cx, rim.bottom, 0, 1), Spot(rim.cx, rim.y, 0, -1)]


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
    """Where the table is drawn: its rim, the plates with the names by seat, the part of the felt that none covers."""

    rim: Box
    plates: tuple[Box, ...]
    inside: Box


def plan(c: Canvas, box: Box, seats: int, *, large: bool = False, low: bool = False, clock: bool = True) -> Plan:
    """The table within ``box`` whose name plates are the widest that do not touch each other, up to a length.

    ``large``: they may be higher, where there are few of them; ``low``: they leave more to the clock. ``clock``: there
    is one on the felt.
    """
    final, large = large, large and seats <= _FEW
    height = min(
        max(c.u(112 if large else 70 if low else 88), 2 * c.measure.height(LEAST_SIZE, True)), max(1, box.h // 5)
    )
    share = 40 if not clock or seats <= 2 else 24 if large else 21 if final else 20
    most = min(c.u(520 if large else 400), box.w * share // 100)
    return _planned(box, seats, (max(most, 1), height), (c.u(12), c.u(10)), c.u(66), clock)


_UPRIGHT = (0.1, 0.4, 1.0, 1.6, 2.4)
_EVEN = (1.0, 1.4, 1.8, 2.4, 0.6)
"""So many times as long as a step along the table may count one up or down: plates are wider than high."""

_STEPS = 360
"""Steps along the rim in which unevenly spaced seats are found."""


@lru_cache(32)
def _planned(box: Box, seats: int, size: tuple[int, int], air: tuple[int, int], edge: int, clock: bool) -> Plan:
    """Kept, because a screen asks for the same table each second. Of equally wide plates, those that leave the clock
    the most room, or are spaced the most evenly."""
    width, height = size
    while True:
        plans: list[Plan] = []
        asides = (min(edge, width // 2),) if seats == 2 else (width // 2, min(edge, width // 2))
        for aside, upright in product(asides, _UPRIGHT if clock else _EVEN):
            rim = box.inset(aside, height // 2)
            plates = tuple(_plate(spot, width, height) for spot in spaced(rim, seats, upright))
            wide = [Box(p.x, p.y, p.w + air[0], p.h + air[1]) for p in plates]
            apart = not any(a.meets(b) for n, a in enumerate(wide) for b in wide[:n])
            if apart and all(box.inset(-1).holds(plate) for plate in plates):
                plans.append(Plan(rim, plates, _inside(rim, wide, edge) if clock else rim.inset(edge)))
        if plans and not clock:
            return plans[0]
        if plans or width <= size[0] // 4:
            return max(plans or [Plan(rim, plates, _inside(rim, wide, edge))], key=lambda plan: _digits(plan.inside))
        width -= max(1, size[0] // 40)


def _digits(box: Box) -> int:
    """How large the digits of a clock in this box are, in parts of a hundred."""
    return min(box.w * 47, box.h * 100)


def spaced(rim: Box, count: int, upright: float) -> list[Spot]:
    """Spots along the rim where a pixel up or down counts ``upright`` times one along."""
    if count == 2:
        return duel_spots(rim)
    if upright == 1.0 or min(rim.w, rim.h) <= 0:
        return rim_spots(rim, count)
    r = min(rim.w, rim.h) / 2
    length = 2 * (rim.w + rim.h) - 8 * r + 2 * math.pi * r
    fine = [_spot(rim, r, length * n / _STEPS) for n in range(_STEPS + 1)]
    steps = (math.hypot(b.x - a.x, upright * (b.y - a.y)) for a, b in pairwise(fine))
    walked = list(accumulate(steps, initial=0.0))
    return [_spot(rim, r, length * _at(walked, walked[-1] * (n + 0.5) / count) / _STEPS) for n in range(count)]


def _at(walked: list[float], wanted: float) -> float:
    """The step, between two of them, at which so much of the way is behind."""
    n = min(max(1, bisect_left(walked, wanted)), len(walked) - 1)
    return n - 1 + (wanted - walked[n - 1]) / ((walked[n] - walked[n - 1]) or 1.0)


WAIST = ((0, 17, 60), (17, 70, 100), (70, 88, 86), (88, 100, 60))
"""How wide a clock on the felt is from top to bottom: from and to which per cent of its height, per cent of its width.

Level and ante are narrow, so that the plates in the corners leave the time more room.
"""

_HALVES = 20
"""So many widths are tried."""


def _inside(rim: Box, plates: list[Box], edge: int) -> Box:
    """The box in the middle of the felt, beside all plates, in which a clock is the largest."""
    felt = rim.inset(edge, edge)
    tops = {felt.y, *(box.bottom + edge // 6 for box in plates if felt.y < box.bottom < felt.cy)}
    bottoms = {felt.bottom, *(box.y - edge // 6 for box in plates if felt.cy < box.y < felt.bottom)}
    best, room = felt.inset(felt.w * 3 // 8, felt.h * 3 // 8), (0, 0)
    for step in range(_HALVES // 4, _HALVES + 1):
        half = felt.w * step // (2 * _HALVES)
        for top in tops:
            for bottom in bottoms:
                box = Box(felt.cx - half, top, 2 * half, bottom - top)
                score = (_digits(box), box.h)
                if score > room and not any(part.meets(plate) for part in waist(box) for plate in plates):
                    best, room = box, score
    return best


def waist(box: Box) -> list[Box]:
    """The parts of a box that a clock in it covers."""
    return [
        Box(
            box.cx - box.w * wide // 200, box.y + box.h * top // 100, box.w * wide // 100, box.h * (bottom - top) // 100
        )
        for top, bottom, wide in WAIST
    ]


def _plate(spot: Spot, width: int, height: int) -> Box:
    return Box(round(spot.x) - width // 2, round(spot.y) - height // 2, width, height)


def draw_table(c: Canvas, rim: Box, *, on_break: bool = False, final: bool = False) -> None:
    """Rail, brass line, betting line and felt, lighter towards the middle as under a lamp; a brass rail at the end."""
    theme = c.theme
    dark, light, line = (
        (theme.felt_break, theme.felt_break_light, theme.felt_break_line)
        if on_break
        else (theme.felt, theme.felt_light, theme.felt_line)
    )
    rail, bet = c.u(17), c.u(56)
    for inset, color in (
        (-rail - c.u(3), theme.shadow),
        (-rail, theme.rail_light if final else theme.rail),
        *([(-rail + c.u(10), theme.rail)] if final else []),
        (rail - c.u(12 if final else 4), theme.rail_light),
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


def draw_seats(c: Canvas, plan: Plan, seats: tuple[Seat, ...], on_turn: int | None = None) -> None:
    """The plates with seat numbers and names, button and blinds. ``on_turn``: the seat whose time runs."""
    size = c.u(_SIZE)
    for seat, box in zip(seats, plan.plates, strict=False):
        name = _name(c, box, _number(box))
        size = min(size, c.fit(seat.who or "", name.w, name.h, size, bold=True))
    for seat, box in zip(seats, plan.plates, strict=False):
        _draw_plate(c, box, seat, max(size, c.u(_WELL)), lit=seat.number == on_turn)


def _number(plate: Box) -> Box:
    """The part of a plate for the number of the seat."""
    return Box(plate.x + plate.h // 6, plate.y, min(plate.h * 50 // 100, plate.w // 5), plate.h)


def _name(c: Canvas, plate: Box, number: Box) -> Box:
    """The part of a plate for the name, where no button and no blind is."""
    left = number.right + c.u(6)
    return Box(left, plate.y, plate.right - plate.h // 4 - left, plate.h)


def _draw_plate(c: Canvas, box: Box, seat: Seat, size: int, *, lit: bool) -> None:
    theme = c.theme
    edge, fill = (theme.felt_line, theme.plate_empty) if seat.who is None else (theme.plate_edge, theme.plate)
    ink, small = theme.ink, theme.muted
    if lit:
        edge, fill, ink, small = theme.time, theme.accent, theme.on_accent, theme.on_accent
    c.framed(box, box.h // 2, fill, edge, c.u(6) if lit else c.u(2))
    number = _number(box)
    c.text(number, str(seat.number), c.u(36), small, bold=True)
    left = _draw_marks(c, Box(number.right, box.y, box.right - box.h // 8 - number.right, box.h), seat)
    if seat.who is None:
        return
    name = _name(c, box, number)
    name = Box(name.x, name.y, min(name.right, left - c.u(6)) - name.x, name.h)
    if note := seat_note(c, seat):
        upper, lower = Box(name.x, name.y + c.u(4), name.w, name.h - c.u(10)).rows(56, 44)
        c.text(upper, seat.who, min(size, c.u(40)), small, bold=True, align="left", least=c.u(28))
        c.text(lower, note, c.u(30), small if lit else theme.wait, align="left")
    elif c.fit(seat.who, name.w, name.h, size, bold=True) >= c.u(_LEAST) or " " not in seat.who:
        c.text(name, seat.who, size, ink, bold=True, align="left", least=c.u(28))
    else:
        c.paragraph(name.inset(0, c.u(4)), seat.who, c.u(34), ink, bold=True, align="left")


def seat_note(c: Canvas, seat: Seat) -> str:
    """Why a player is not dealt in as the others are."""
    if seat.absent:
        return c.tr.gettext("away")
    if seat.waits == "button":
        return c.tr.gettext("waits for button")
    return c.tr.gettext("sits out") if seat.waits == "choice" else ""


def _draw_marks(c: Canvas, box: Box, seat: Seat) -> int:
    """Button and blinds at the right end of a plate; where they begin."""
    row = marks(c.theme, seat)
    least = c.corner("BB", LEAST_SIZE) + c.u(2)
    room = box.w // (2 * len(row)) - c.u(2) if row else 0
    radius = max(least, min(c.u(34), box.h * 42 // 100, box.w * 14 // 100, room))
    return draw_marks(c, box, row, radius, c.u(32))
