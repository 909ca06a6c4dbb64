"""Seats stand around the table as people sit around it."""

from __future__ import annotations

import math

import pytest

from appliance.display.canvas import Canvas
from appliance.display.fonts import FontBook
from appliance.display.ops import Box
from appliance.display.seatmap import plan, rim_spots, spaced, waist
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
@pytest.mark.parametrize("seats", [2, 3, 6, 8, 9, 10])
def test_plates_stay_apart_and_within_their_box(size: tuple[int, int], seats: int, fonts: FontBook) -> None:
    canvas = Canvas(size, Translator("cs"), DARK, fonts)
    box = Box(0, 0, size[0], size[1] * 2 // 3)
    for large in (False, True):
        plates = plan(canvas, box, seats, large=large).plates
        assert len(plates) == seats
        assert not any(a.meets(b) for n, a in enumerate(plates) for b in plates[:n])
        assert all(box.inset(-1).holds(plate) for plate in plates)


@pytest.mark.parametrize("size", [(1920, 1080), (800, 480), (1280, 720)])
@pytest.mark.parametrize("seats", [2, 3, 6, 8, 9, 10])
def test_no_plate_lies_where_the_clock_is(size: tuple[int, int], seats: int, fonts: FontBook) -> None:
    canvas = Canvas(size, Translator("cs"), DARK, fonts)
    table = plan(canvas, Box(0, 0, size[0], size[1] * 2 // 3), seats)
    assert not any(part.meets(plate) for part in waist(table.inside) for plate in table.plates)


@pytest.mark.parametrize("rim", RIMS)
@pytest.mark.parametrize("upright", [0.1, 1.0, 2.4])
@pytest.mark.parametrize("count", [3, 9, 10])
def test_unevenly_spaced_seats_keep_their_order_and_the_dealer_in_the_middle(
    rim: Box, count: int, upright: float
) -> None:
    middle = rim.x + rim.w / 2, rim.y + rim.h / 2
    spots = spaced(rim, count, upright)
    angles = [(math.atan2(s.y - middle[1], s.x - middle[0]) - math.pi / 2) % math.tau for s in spots]
    assert angles == sorted(angles)
    assert angles[0] == pytest.approx(math.tau - angles[-1], abs=0.02)
