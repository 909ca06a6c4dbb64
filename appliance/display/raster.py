"""Paints operations on a surface, in software, with smooth edges.

What is costly to make (texts, round corners, strokes) is kept and blitted; the cache holds at most as many bytes as
it was given. Painting within a clip gives exactly the pixels that painting everything would give there.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Iterable
from itertools import pairwise
from typing import TYPE_CHECKING

from appliance.display import parts
from appliance.display.fonts import FontBook
from appliance.display.ops import Box, Op, Round, Shade, Stroke, Text
from appliance.display.theme import Color

if TYPE_CHECKING:
    from collections.abc import Callable

    from pygame.surface import Surface

_FINER = 4
"""Strokes are drawn this many times larger and scaled down."""


class Painter:
    """Paints with one set of fonts; keeps at most ``cache_bytes`` of made pictures."""

    def __init__(self, fonts: FontBook, cache_bytes: int) -> None:
        self._fonts = fonts
        self._limit = cache_bytes
        self._kept: OrderedDict[object, Surface] = OrderedDict()
        self.kept_bytes = 0

    def paint(self, target: Surface, ops: Iterable[Op], within: Box) -> None:
        """Paint those of ``ops`` that touch ``within``, and nothing outside it."""
        target.set_clip(within)
        for op in ops:
            if op.box.meets(within):
                self._paint(target, op, within)
        target.set_clip(None)

    def _paint(self, target: Surface, op: Op, within: Box) -> None:
        match op:
            case Text():
                target.blit(self._text(op), op.box[:2])
            case Round():
                self._round(target, op)
            case Stroke():
                target.blit(self._stroke(op), op.box[:2])
            case Shade():
                _shade(target, op, op.box.clip(within))

    def _text(self, op: Text) -> Surface:
        def make() -> Surface:
            return self._fonts.font(op.size, op.bold).render(op.text, True, op.color)

        return self._keep((op.text, op.size, op.bold, op.color), make)

    def _round(self, target: Surface, op: Round) -> None:
        box, r = op.box, op.radius
        if r < 1:
            target.fill(op.color, box)
            return
        target.fill(op.color, (box.x + r, box.y, box.w - 2 * r, box.h))
        target.fill(op.color, (box.x, box.y + r, r, box.h - 2 * r))
        target.fill(op.color, (box.right - r, box.y + r, r, box.h - 2 * r))
        disc = self._keep((r, op.color), lambda: _disc(r, op.color))
        for x, dx in ((box.x, 0), (box.right - r, r)):
            for y, dy in ((box.y, 0), (box.bottom - r, r)):
                target.blit(disc, (x, y), (dx, dy, r, r))

    def _stroke(self, op: Stroke) -> Surface:
        key = (op.box[2:], op.points, op.width, op.color)
        return self._keep(key, lambda: _stroke(op))

    def _keep(self, key: object, make: Callable[[], Surface]) -> Surface:
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
            return found
        made = make()
        size = _bytes(made)
        if size <= self._limit:
            self._kept[key] = made
            self.kept_bytes += size
            while self.kept_bytes > self._limit:
                _, dropped = self._kept.popitem(last=False)
                self.kept_bytes -= _bytes(dropped)
        return made


def _bytes(made: Surface) -> int:
    return made.get_pitch() * made.get_height()


def _shade(target: Surface, op: Shade, part: Box) -> None:
    """Row by row; only the rows asked for, each with the colour it has in the whole."""
    last = max(1, op.box.h - 1)
    for y in range(part.y, part.bottom):
        at = (y - op.box.y) / last
        red, green, blue = (round(a + (b - a) * at) for a, b in zip(op.top, op.bottom, strict=True))
        target.fill((red, green, blue), (part.x, y, part.w, 1))


def _disc(radius: int, color: Color) -> Surface:
    """A disc of twice ``radius`` pixels; a pixel on the edge is covered by as much of it as the circle holds."""
    side = 2 * radius
    made = parts.surface.Surface((side, side), parts.constants.SRCALPHA, 32)
    made.fill((*color, 0))
    for row in range(side):
        dy = row + 0.5 - radius
        inner = math.sqrt(max(0.0, (radius - 0.75) ** 2 - dy * dy))
        first, last = math.ceil(radius - inner), math.floor(radius + inner)
        if last > first:
            made.fill((*color, 255), (first, row, last - first, 1))
        else:
            first = last = radius
        for edge in (range(first - 1, -1, -1), range(last, side)):
            for x in edge:
                cover = radius + 0.5 - math.hypot(x + 0.5 - radius, dy)
                if cover <= 0:
                    break
                made.set_at((x, row), (*color, round(255 * min(1.0, cover))))
    return made


def _stroke(op: Stroke) -> Surface:
    size = (op.box.w * _FINER, op.box.h * _FINER)
    large = parts.surface.Surface(size, parts.constants.SRCALPHA, 32)
    large.fill((*op.color, 0))
    half = op.width * _FINER / 2
    points = [((x + 0.5) * _FINER, (y + 0.5) * _FINER) for x, y in op.points]
    for point in points:
        parts.draw.circle(large, op.color, point, half)
    for (x1, y1), (x2, y2) in pairwise(points):
        length = math.hypot(x2 - x1, y2 - y1) or 1.0
        nx, ny = (y1 - y2) / length * half, (x2 - x1) / length * half
        corners = [(x1 + nx, y1 + ny), (x2 + nx, y2 + ny), (x2 - nx, y2 - ny), (x1 - nx, y1 - ny)]
        parts.draw.polygon(large, op.color, corners)
    return parts.transform.smoothscale(large, (op.box.w, op.box.h))
