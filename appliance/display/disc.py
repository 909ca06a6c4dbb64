"""Round corners with smooth edges, kept small: only the corners are pictures, the rest is filled.

A pixel on the edge is covered by as much colour as the circle holds of it. A small corner is one picture, which is
painted in one go. The edge of a large one is cut into tiles, so that it costs memory by its length and not by its area,
and what lies inside is filled row by row.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from appliance.display import parts
from appliance.display.ops import Box
from appliance.display.theme import Color

if TYPE_CHECKING:
    from pygame.surface import Surface

TILE = 16
SMALL = 64
"""The largest radius whose quarter is one picture, of 16 kB."""


class Tile(NamedTuple):
    """A piece of an edge and where it lies in its corner's square."""

    x: int
    y: int
    picture: Surface


class Disc(NamedTuple):
    """The edge of a circle in one colour.

    ``bands``: rows counted from above, the first and how many, and how many pixels of each the tiles paint at either
    end. ``corners``: the tiles of the four quarters, top left, top right, bottom left, bottom right.
    """

    radius: int
    bands: tuple[tuple[int, int, int], ...]
    corners: tuple[tuple[Tile, ...], ...]

    @property
    def bytes(self) -> int:
        pictures = [tile.picture for tiles in self.corners for tile in tiles]
        return sum(picture.get_pitch() * picture.get_height() for picture in pictures) + 24 * len(self.bands)


def make_disc(radius: int, color: Color) -> Disc:
    """Compute the edge of a circle of ``radius`` pixels."""
    side, insets = radius if radius <= SMALL else TILE, []
    edge: dict[tuple[int, int], list[tuple[int, int, int]]] = defaultdict(list)
    for y in range(radius):
        dy = radius - y - 0.5
        x = max(0, math.floor(radius - math.sqrt(max(0.0, (radius + 0.5) ** 2 - dy * dy)) - 0.5))
        while x < radius:
            cover = radius + 0.5 - math.hypot(radius - x - 0.5, dy)
            if cover >= 1:
                break
            if cover > 0:
                edge[x // side, y // side].append((x % side, y % side, round(255 * cover)))
            x += 1
        insets.append(x)
    quarter = [_tile(column * side, row * side, side, pixels, color) for (column, row), pixels in sorted(edge.items())]
    if radius <= SMALL:
        for tile in quarter:
            for y, x in enumerate(insets):
                tile.picture.fill((*color, 255), (x, y, radius - x, 1))
        insets = [radius] * radius
    corners = tuple(
        tuple(_mirrored(tile, radius, right, bottom) for tile in quarter)
        for right, bottom in ((False, False), (True, False), (False, True), (True, True))
    )
    return Disc(radius, tuple(_bands(insets)), corners)


def _bands(insets: list[int]) -> Iterator[tuple[int, int, int]]:
    row = 0
    for inset, rows in groupby(insets):
        count = len(list(rows))
        yield row, count, inset
        row += count


def _tile(x: int, y: int, side: int, pixels: list[tuple[int, int, int]], color: Color) -> Tile:
    picture = parts.surface.Surface((side, side), parts.constants.SRCALPHA, 32)
    picture.fill((*color, 0))
    for px, py, alpha in pixels:
        picture.set_at((px, py), (*color, alpha))
    return Tile(x, y, picture)


def _mirrored(tile: Tile, radius: int, right: bool, bottom: bool) -> Tile:
    side = tile.picture.get_width()
    x = radius - tile.x - side if right else tile.x
    y = radius - tile.y - side if bottom else tile.y
    return Tile(x, y, parts.transform.flip(tile.picture, right, bottom))


def fill(target: Surface, color: Color, box: tuple[int, int, int, int]) -> None:
    """Fill a rectangle, within the target's clip.

    By the way of round corners, whose radius of 1 cuts off nothing: SDL's own fill goes past the processor's cache,
    which makes a panel of 240×110 pixels wait ten times as long (80 µs for 7 µs, pygame-ce 2.5.8 on x86-64).
    """
    if box[2] > 0 and box[3] > 0:
        parts.draw.rect(target, color, box, 0, 1)


def paint_round(target: Surface, box: Box, disc: Disc, color: Color, within: Box) -> None:
    """Paint a rectangle with the corners of ``disc``, as far as it lies in ``within`` (the target's clip)."""
    r = disc.radius
    fill(target, color, (box.x, box.y + r, box.w, box.h - 2 * r))
    first, last = within.y - box.y, within.bottom - box.y
    for row, count, inset in disc.bands:
        if row < last and row + count > first:
            fill(target, color, (box.x + inset, box.y + row, box.w - 2 * inset, count))
        if box.h - row > first and box.h - row - count < last:
            fill(target, color, (box.x + inset, box.bottom - row - count, box.w - 2 * inset, count))
    origins = [(x, y) for y in (box.y, box.bottom - r) for x in (box.x, box.right - r)]
    for (x, y), tiles in zip(origins, disc.corners, strict=True):
        if Box(x, y, r, r).meets(within):
            for tile in tiles:
                target.blit(tile.picture, (x + tile.x, y + tile.y))
