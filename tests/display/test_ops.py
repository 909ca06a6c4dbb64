"""What is drawn again when one draw list follows another."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from appliance.display import parts
from appliance.display.fonts import FontBook
from appliance.display.ops import Box, Op, Round, Shade, changed
from appliance.display.raster import Painter

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


def bar(width: int, y: int = 0) -> Op:
    return Round(Box(10, y, width, 8), 4, RED)


def test_of_a_bar_that_becomes_shorter_only_the_end_is_drawn_again() -> None:
    assert changed((dot(200), bar(100)), (dot(200), bar(98))) == [Box(103, 0, 7, 8)]
    assert changed((bar(98), dot(0)), (bar(100), dot(0))) == [Box(103, 0, 7, 8)]
    assert changed((bar(98), bar(90, 20)), (bar(100), bar(80, 20))) == [Box(103, 0, 7, 8), Box(85, 20, 15, 8)]
    assert changed((bar(98), dot(20)), (dot(20), bar(100))) == [Box(10, 0, 100, 8)], "it lies in front now"


ROUNDS = st.builds(
    Round,
    st.builds(Box, st.integers(0, 2), st.integers(0, 1), st.integers(8, 30), st.just(12)),
    st.integers(0, 4),
    st.sampled_from((RED, BLUE)),
)
LISTS = st.lists(ROUNDS, max_size=5)


@given(common=LISTS, before=LISTS, between=LISTS, after=LISTS, data=st.data())
def test_what_changed_drawn_again_gives_the_pixels_of_all_drawn(
    common: list[Round],
    before: list[Round],
    between: list[Round],
    after: list[Round],
    data: st.DataObject,
    fonts: FontBook,
) -> None:
    ground, size = Shade(Box(0, 0, 36, 16), (0, 40, 0), (0, 90, 0)), (36, 16)
    old = (ground, *common, *before, *between)
    kept = [op for op in old[1:] if data.draw(st.booleans())]
    new = (ground, *data.draw(st.permutations(kept)), *after) if data.draw(st.booleans()) else (ground, *kept, *after)
    seen, whole = (parts.surface.Surface(size) for _ in range(2))
    painter = Painter(fonts, 100_000)
    painter.paint(seen, old, Box(0, 0, *size))
    for box in changed(old, new):
        painter.paint(seen, new, box)
    painter.paint(whole, new, Box(0, 0, *size))
    assert parts.image.tobytes(seen, "RGB") == parts.image.tobytes(whole, "RGB")


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
