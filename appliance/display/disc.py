"""Round corners with smooth edges, kept small: only the pixels on the edge are pictures, the rest is filled.

A pixel on the edge is covered by as much colour as the circle holds of it. The edge of one quarter is cut into tiles,
so that a large circle costs memory by its length and not by its area.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from appliance.display import parts
from appliance.display.ops import Box
from appliance.display.theme import Color

if TYPE_CHECKING:
    from pygame.surface import Surface

TILE = 16


class Tile(NamedTuple):
    """A piece of an edge and where it lies in its corner's square."""

    x: int
    y: int
    picture: Surface


class Disc(NamedTuple):
    """The edge of a circle in one colour.

    ``insets[row]`` is how many pixels of that row, counted from above, are not wholly inside. ``corners``: the tiles
    of the four quarters, top left, top right, bottom left, bottom right.
    """

    insets: tuple[int, ...]
    corners: tuple[tuple[Tile, ...], ...]

    @property
    def bytes(self) -> int:
        return sum(4 * TILE * TILE for tiles in self.corners for _ in tiles) + 8 * len(self.insets)


def make_disc(radius: int, color: Color) -> Disc:
    """Compute the edge of a circle of ``radius`` pixels."""
    insets = []
    edge: dict[tuple[int, int], list[tuple[int, int, int]]] = defaultdict(list)
    for y in range(radius):
        dy = radius - y - 0.5
        x = max(0, math.floor(radius - math.sqrt(max(0.0, (radius + 0.5) ** 2 - dy * dy)) - 0.5))
        while x < radius:
            cover = radius + 0.5 - math.hypot(radius - x - 0.5, dy)
            if cover >= 1:
                break
            if cover > 0:
                edge[x // TILE, y // TILE].append((x % TILE, y % TILE, round(255 * cover)))
            x += 1
        insets.append(x)
    quarter = [_tile(column * TILE, row * TILE, pixels, color) for (column, row), pixels in sorted(edge.items())]
    corners = tuple(
        tuple(_mirrored(tile, radius, right, bottom) for tile in quarter)
        for right, bottom in ((False, False), (True, False), (False, True), (True, True))
    )
    return Disc(tuple(insets), corners)


def _tile(x: int, y: int, pixels: list[tuple[int, int, int]], color: Color) -> Tile:
    picture = parts.surface.Surface((TILE, TILE), parts.constants.SRCALPHA, 32)
    picture.fill((*color, 0))
    for px, py, alpha in pixels:
        picture.set_at((px, py), (*color, alpha))
    return Tile(x, y, picture)


def _mirrored(tile: Tile, radius: int, right: bool, bottom: bool) -> Tile:
    x = radius - tile.x - TILE if right else tile.x
    y = radius - tile.y - TILE if bottom else tile.y
    return Tile(x, y, parts.transform.flip(tile.picture, right, bottom))


def paint_round(target: Surface, box: Box, disc: Disc, color: Color, within: Box) -> None:
    """Paint a rectangle with the corners of ``disc``, as far as it lies in ``within`` (the target's clip)."""
    r = len(disc.insets)
    target.fill(color, (box.x, box.y + r, box.w, box.h - 2 * r))
    for row in range(max(0, within.y - box.y), min(r, within.bottom - box.y)):
        inset = disc.insets[row]
        target.fill(color, (box.x + inset, box.y + row, box.w - 2 * inset, 1))
    for row in range(max(0, box.bottom - within.bottom), min(r, box.bottom - within.y)):
        inset = disc.insets[row]
        target.fill(color, (box.x + inset, box.bottom - 1 - row, box.w - 2 * inset, 1))
    origins = [(x, y) for y in (box.y, box.bottom - r) for x in (box.x, box.right - r)]
    for (x, y), tiles in zip(origins, disc.corners, strict=True):
        if Box(x, y, r, r).meets(within):
            for tile in tiles:
                target.blit(tile.picture, (x + tile.x, y + tile.y))
