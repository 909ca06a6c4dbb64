"""Panels and corners: exactly the pixels they should have, whatever way is the fastest."""

from __future__ import annotations

import random

import pytest

from appliance.display import parts
from appliance.display.disc import SMALL, fill, make_disc, paint_round
from appliance.display.ops import Box

SIZE = (220, 200)
INK = (200, 90, 10)


def surface() -> parts.surface.Surface:
    made = parts.surface.Surface(SIZE, 0, 32)
    made.fill((7, 8, 9))
    return made


def pixels(of: parts.surface.Surface) -> bytes:
    return parts.image.tobytes(of, "RGB")


def test_a_fill_is_every_pixel_of_its_box_within_the_clip_and_no_other() -> None:
    dice = random.Random(6)
    for _ in range(400):
        box = (dice.randint(-20, 200), dice.randint(-20, 190), dice.randint(0, 90), dice.randint(0, 60))
        clip = (dice.randint(0, 150), dice.randint(0, 150), dice.randint(1, 120), dice.randint(1, 120))
        one, other = surface(), surface()
        for each in (one, other):
            each.set_clip(clip)
        fill(one, INK, box)
        other.fill(INK, box)
        assert pixels(one) == pixels(other), (box, clip)


@pytest.mark.parametrize("radius", [1, 2, 7, 18, 44, SMALL, SMALL + 1, 90])
def test_a_corner_is_covered_as_the_circle_covers_it(radius: int) -> None:
    """Small and large corners are made in different ways, and one is the mirror of the other."""
    shown, box = surface(), Box(3, 4, 2 * radius + 11, 2 * radius + 5)
    paint_round(shown, box, make_disc(radius, INK), INK, Box(0, 0, *SIZE))
    for y in range(box.h):
        for x in range(box.w):
            dx, dy = (
                max(radius - x - 0.5, x + 0.5 - (box.w - radius), 0),
                max(radius - y - 0.5, y + 0.5 - (box.h - radius), 0),
            )
            cover = min(max(radius + 0.5 - (dx * dx + dy * dy) ** 0.5, 0), 1) if dx and dy else 1
            red = shown.get_at((box.x + x, box.y + y))[0]
            assert abs(red - (7 + (200 - 7) * cover)) <= 2, (x, y)


@pytest.mark.parametrize("radius", [9, SMALL, SMALL + 20])
def test_a_round_in_pieces_is_the_round_in_one(radius: int) -> None:
    whole, pieces = surface(), surface()
    box, disc = Box(5, 6, 2 * radius + 9, 2 * radius + 3), make_disc(radius, INK)
    paint_round(whole, box, disc, INK, Box(0, 0, *SIZE))
    for y in range(0, SIZE[1], 13):
        for x in range(0, SIZE[0], 37):
            part = Box(x, y, 37, 13).clip(Box(0, 0, *SIZE))
            pieces.set_clip(part)
            paint_round(pieces, box, disc, INK, part)
    assert pixels(whole) == pixels(pieces)
