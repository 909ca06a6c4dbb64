"""Where a tracked hand lies on the table: plates with stacks, a place before each for bet or cards, the free middle."""

from __future__ import annotations

from typing import NamedTuple

from appliance.display.canvas import LEAST_SIZE, Canvas
from appliance.display.ops import Box
from appliance.display.seatmap import Spot, rim_spots

PLATE_W, PLATE_H = 300, 96
"""A plate's size where there is room, in lengths of the design; a finger hits it."""

_LEAST_W = 130
_FRONT_W, _FRONT_H = 210, 56
"""What lies before a plate: a bet, two cards or what was won."""

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
        """The middle cut up: clock and board side by side where it is wide, else one above the other."""
        upper, _, turn = self.middle.rows(83, 3, 14)
        if not clock:
            board, _, pots = upper.rows(72, 3, 25)
            return Middle(None, board, pots, turn)
        if self.middle.w * 100 >= self.middle.h * 165:
            left, _, right = upper.columns(45, 2, 53)
            board, _, pots = right.rows(68, 4, 28)
            return Middle(left, board, pots, turn)
        time, _, board, _, pots = upper.rows(38, 3, 41, 2, 16)
        return Middle(time, board, pots, turn)


def hand_plan(c: Canvas, box: Box, seats: int) -> HandPlan:
    """The largest table within ``box`` whose plates and what lies before them do not touch each other."""
    height = min(max(c.u(PLATE_H), _least_height(c)), box.h // 4)
    width = c.u(PLATE_W)
    while True:
        rim = box.inset(width // 2, height // 2)
        places = tuple(_place(c, spot, width, height) for spot in rim_spots(rim, seats))
        if width <= c.u(_LEAST_W) or not _touching(c, places):
            return HandPlan(rim, places, _middle(c, rim, places))
        width -= max(1, c.u(10))


def _least_height(c: Canvas) -> int:
    """Two lines of the smallest letters."""
    return 2 * c.measure.height(LEAST_SIZE, True) + 2


def _place(c: Canvas, spot: Spot, width: int, height: int) -> Place:
    plate = Box(round(spot.x) - width // 2, round(spot.y) - height // 2, width, height)
    w, h, gap = min(c.u(_FRONT_W), width), min(c.u(_FRONT_H), height), c.u(8)
    y = plate.bottom + gap if spot.ny < 0.01 else plate.y - gap - h
    if abs(spot.nx) > _SIDEWAYS:
        return Place(plate, Box(plate.right - w * 3 // 4 if spot.nx < 0 else plate.x - w // 4, y, w, h))
    return Place(plate, Box(round(spot.x - spot.nx * width * 0.3) - w // 2, y, w, h))


def _touching(c: Canvas, places: tuple[Place, ...]) -> bool:
    air = c.u(5)
    boxes = [(n, part.inset(-air, -air)) for n, place in enumerate(places) for part in place]
    return any(a.meets(b) for k, (n, a) in enumerate(boxes) for m, b in boxes[:k] if n != m)


def _middle(c: Canvas, rim: Box, places: tuple[Place, ...]) -> Box:
    """The largest part of the felt beside all places, cut side by side at where the least is lost."""
    free = rim.inset(c.u(40), c.u(24))
    air = c.u(12)
    for part in sorted((part for place in places for part in place), key=lambda part: -abs(part.cy - rim.cy)):
        taken = part.inset(-air, -air)
        if taken.meets(free):
            free = max(_cut(free, taken), key=lambda left: left.w * left.h)
    return free


def _cut(free: Box, taken: Box) -> tuple[Box, ...]:
    """What is left of ``free`` above, below, left or right of ``taken``."""
    return (
        Box(free.x, free.y, free.w, max(0, taken.y - free.y)),
        Box(free.x, taken.bottom, free.w, max(0, free.bottom - taken.bottom)),
        Box(free.x, free.y, max(0, taken.x - free.x), free.h),
        Box(taken.right, free.y, max(0, free.right - taken.right), free.h),
    )
