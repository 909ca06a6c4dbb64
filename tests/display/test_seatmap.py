"""Seats stand around the table as people sit around it."""

from __future__ import annotations

import math

import pytest

from appliance.display.canvas import Canvas
from appliance.display.fonts import FontBook
from appliance.display.ops import Box
from appliance.display.seatmap import plan, rim_spots
from appliance.display.theme import DARK
from appliance.i18n import Translator

RIMS = (Box(0, 0, 1600, 700), Box(10, 20, 700, 1600), Box(0, 0, 500, 500))


@pytest.mark.parametrize("rim", RIMS)
@pytest.mark.parametrize("count", [2, 6, 9, 10])
def test_seats_go_clockwise_from_the_left_of_the_dealer(rim: Box, count: int) -> None:
    middle = rim.x + rim.w / 2, rim.y + rim.h / 2
    angles = [math.atan2(spot.y - middle[1], spot.x - middle[0]) for spot in rim_spots(rim, count)]
    from_bottom = [(angle - math.pi / 2) % math.tau for angle in angles]
    assert from_bottom == sorted(from_bottom)
    assert from_bottom[0] == pytest.approx(math.tau - from_bottom[-1])


@pytest.mark.parametrize("rim", RIMS)
def test_spots_lie_on_the_rim_and_look_outwards(rim: Box) -> None:
    r = min(rim.w, rim.h) / 2
    for spot in rim_spots(rim, 40):
        cx = min(max(spot.x, rim.x + r), rim.x + rim.w - r)
        cy = min(max(spot.y, rim.y + r), rim.y + rim.h - r)
        assert math.hypot(spot.x - cx, spot.y - cy) == pytest.approx(r)
        assert math.hypot(spot.nx, spot.ny) == pytest.approx(1)
        assert (spot.nx, spot.ny) == pytest.approx(((spot.x - cx) / r, (spot.y - cy) / r))


@pytest.mark.parametrize("size", [(1920, 1080), (800, 480), (1080, 1920), (1024, 768)])
@pytest.mark.parametrize("seats", [2, 8, 10])
def test_plates_stay_apart_and_within_their_box(size: tuple[int, int], seats: int, fonts: FontBook) -> None:
    canvas = Canvas(size, Translator("cs"), DARK, fonts)
    box = Box(0, 0, size[0], size[1] * 2 // 3)
    table = plan(canvas, box, seats)
    plates = [
        Box(round(s.x) - table.plate_w // 2, round(s.y) - table.plate_h // 2, table.plate_w, table.plate_h)
        for s in rim_spots(table.rim, seats)
    ]
    assert not any(a.meets(b) for n, a in enumerate(plates) for b in plates[:n])
    assert all(box.inset(-1).holds(plate) for plate in plates)
