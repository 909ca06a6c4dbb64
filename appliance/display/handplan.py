"""Where a tracked hand lies on the table: plates with stacks, a place before each for bet or cards, the free middle."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from appliance.display.canvas import LEAST_SIZE, Canvas
from appliance.display.ops import Box
from appliance.display.seatmap import Spot, rim_spots

PLATE_W, PLATE_H = 300, 96
"""A plate's size where there is room, in lengths of the design; a finger hits it."""

_LEAST_W = 130
_FRONT_W, _FRONT_H = 210, 56
_FRONT_LOW = 44
"""What lies before a plate: a bet, two cards or what was won; and how high it is where the plates get narrow."""

_NARROW = 230
"""A plate narrower than this shortens names."""

_SIDEWAYS = 0.8
"""From this part of its direction on a seat counts as one at the side of the table."""


class Place(NamedTuple):
    """A seat's plate and the place on the felt before it."""

    plate: Box
    front: Box


class Middle(NamedTuple):
    """The free part of the felt: for the clock (None: it stands elsewhere), board, pots, and whose turn it is."""

    clock: Box | None
    board: Box
    pots: Box
    turn: Box


class HandPlan(NamedTuple):
    """The table, the places by seat from 1 on, and the part of the felt that none of them covers."""

    rim: Box
    places: tuple[Place, ...]
    middle: Box

    def parts(self, *, clock: bool) -> Middle:
        """The middle cut up: clock and board side by side where that makes them larger, else one above the other."""
        if not clock:
            board, _, pots, _, turn = self.middle.rows(58, 3, 17, 3, 19)
            return Middle(None, board, pots, turn)
        upper, _, turn = self.middle.rows(79, 2, 19)
        if _beside(self.middle) > _above(self.middle):
            left, _, right = upper.columns(45, 2, 53)
            board, _, pots = right.rows(68, 4, 28)
            return Middle(left, board, pots, turn)
        time, _, board, _, pots = upper.rows(37, 2, 41, 2, 18)
        return Middle(time, board, pots, turn)


def _beside(box: Box) -> int:
    """How large clock and board are side by side: the height of the digits and that of a card, in thousandths."""
    return min(140 * box.w, 400 * box.h) + min(138 * box.w, 560 * box.h)


def _above(box: Box) -> int:
    """The same with the clock above the board."""
    return min(310 * box.w, 180 * box.h) + min(250 * box.w, 340 * box.h)


def _alone(box: Box) -> int:
    """How large the board is without the clock, in a row or three above two."""
    return max(min(260 * box.w, 580 * box.h), min(450 * box.w, 280 * box.h))


def hand_plan(c: Canvas, box: Box, seats: int, *, clock: bool) -> HandPlan:
    """The largest table within ``box`` whose plates and what lies before them do not touch each other.

    ``clock``: its middle is to hold the clock too.
    """
    height = min(max(c.u(PLATE_H), 2 * c.measure.height(LEAST_SIZE, True) + 2), box.h // 4)
    lengths = _Lengths(c.u(PLATE_W), c.u(_LEAST_W), height, c.u(_FRONT_W), c.u(_FRONT_H), c.u(8), c.u(12))
    low = lengths._replace(front_h=c.u(_FRONT_LOW), gap=c.u(6))
    roomy = _planned(box, seats, lengths, clock)
    return roomy if roomy.places[0].plate.w >= c.u(_NARROW) else _planned(box, seats, low, clock)


class _Lengths(NamedTuple):
    """Pixels: the width of a plate at most and at least, its height, what lies before it, and the air between."""

    width: int
    least: int
    height: int
    front_w: int
    front_h: int
    gap: int
    air: int


@lru_cache(64)
def _planned(box: Box, seats: int, of: _Lengths, clock: bool) -> HandPlan:
    """Kept, because a screen asks for the same table each second and for each touch."""
    width = of.width
    while True:
        rim = box.inset(width // 2, of.height // 2)
        places = tuple(_place(rim, spot, width, of) for spot in rim_spots(rim, seats))
        if width <= of.least or not _touching(places, of.gap // 2):
            return HandPlan(rim, places, _middle(rim, places, of.air, clock))
        width -= max(1, of.width // 30)


def _place(rim: Box, spot: Spot, width: int, of: _Lengths) -> Place:
    plate = Box(round(spot.x) - width // 2, round(spot.y) - of.height // 2, width, of.height)
    w, h = min(of.front_w, width), min(of.front_h, of.height)
    y = plate.bottom + of.gap if spot.ny < 0.01 else plate.y - of.gap - h
    if abs(spot.nx) <= _SIDEWAYS:
        return Place(plate, Box(round(spot.x - spot.nx * width * 0.3) - w // 2, y, w, h))
    inward = w // 4 if rim.w > rim.h else 0
    return Place(plate, Box(plate.right - w + inward if spot.nx < 0 else plate.x - inward, y, w, h))


def _touching(places: tuple[Place, ...], air: int) -> bool:
    boxes = [(n, part.inset(-air, -air)) for n, place in enumerate(places) for part in place]
    return any(a.meets(b) for k, (n, a) in enumerate(boxes) for m, b in boxes[:k] if n != m)


def _middle(rim: Box, places: tuple[Place, ...], air: int, clock: bool) -> Box:
    """The box in the middle of the felt beside all places where clock and board are the largest.

    The table is the same on its left and right.
    """
    felt = rim.inset(3 * air, 2 * air)
    taken = [part.inset(-air, -air) for place in places for part in place]
    halves = {felt.w // 2, *(abs(edge - rim.cx) for part in taken for edge in (part.x, part.right))}
    boxes = (_between(felt, taken, half) for half in halves if 0 < half <= felt.w // 2)
    return max(boxes, key=lambda box: (max(_beside(box), _above(box)) if clock else _alone(box), box.w), default=felt)


def _between(felt: Box, taken: list[Box], half: int) -> Box:
    """The box so far left and right of the middle, as high as what lies above and below it allows."""
    column = Box(felt.cx - half, felt.y, 2 * half, felt.h)
    met = [part for part in taken if part.meets(column)]
    top = max((part.bottom for part in met if part.cy < felt.cy), default=felt.y)
    bottom = min((part.y for part in met if part.cy >= felt.cy), default=felt.bottom)
    return Box(column.x, max(top, felt.y), column.w, max(0, min(bottom, felt.bottom) - max(top, felt.y)))
