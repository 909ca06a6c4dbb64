"""What is drawn again when one draw list follows another."""

from __future__ import annotations

from appliance.display.ops import Box, Op, Round, changed

RED, BLUE = (255, 0, 0), (0, 0, 255)


def dot(x: int, y: int = 0, color: tuple[int, int, int] = RED) -> Op:
    return Round(Box(x, y, 10, 10), 0, color)


def test_nothing_changed_nothing_drawn() -> None:
    assert changed((dot(0), dot(50)), (dot(0), dot(50))) == []


def test_only_what_came_went_or_changed() -> None:
    assert changed((dot(0), dot(50), dot(90)), (dot(0), dot(50, color=BLUE), dot(90))) == [Box(50, 0, 10, 10)]
    assert changed((dot(0),), (dot(0), dot(50))) == [Box(50, 0, 10, 10)]
    assert changed((dot(0), dot(50)), (dot(50),)) == [Box(0, 0, 10, 10)]


def test_what_changes_its_order_is_drawn_again() -> None:
    above, below = dot(0), dot(5, color=BLUE)
    assert changed((above, below), (below, above)) == [Box(0, 0, 15, 10)]


def test_one_of_two_equal_ones_that_goes_away_is_drawn_again() -> None:
    assert changed((dot(0), dot(50), dot(0)), (dot(0), dot(50))) == [Box(0, 0, 10, 10)]
    assert changed((dot(0), dot(50), dot(0), dot(90)), (dot(0), dot(90))) != []


def test_of_an_edge_that_changes_only_what_its_panel_leaves_open_is_drawn_again() -> None:
    panel = Round(Box(2, 2, 96, 46), 10, RED)
    before, after = (Round(Box(0, 0, 100, 50), 12, color) for color in (RED, BLUE))
    boxes = changed((before, panel), (after, panel))
    assert boxes == [Box(0, 0, 100, 6), Box(0, 6, 6, 38), Box(94, 6, 6, 38), Box(0, 44, 100, 6)]
    assert changed((before, panel), (after,)) == [Box(0, 0, 100, 50)]


def test_boxes_that_meet_become_one() -> None:
    assert changed((), (dot(0), dot(8), dot(16), dot(40))) == [Box(0, 0, 26, 10), Box(40, 0, 10, 10)]


def test_boxes() -> None:
    box = Box(10, 20, 30, 40)
    assert (box.right, box.bottom, box.cx, box.cy) == (40, 60, 25, 40)
    assert box.inset(100) == Box(110, 120, 0, 0)
    assert box.clip(Box(0, 0, 5, 5))[2:] == (0, 0)
    assert box.holds(box)
    assert not box.holds(Box(10, 20, 31, 40))
    assert not box.meets(Box(40, 20, 5, 5))
