"""A list with another second on its clock is the list laid out anew then."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from appliance.display.canvas import Sections
from appliance.display.fonts import FontBook
from appliance.display.from_round import next_change_ms
from appliance.display.from_tick import Ticking, ticking
from appliance.display.layout import draw_list
from appliance.i18n import Translator
from tests.display.test_later import KINDS, NAMES, SIZE, Kind, rounds

LATER_MS = (1, 999, 1_000, 1_001, 7_350, 31_000, 58_999)


@pytest.mark.parametrize("kind", KINDS, ids=NAMES)
def test_a_second_on_the_clock_is_all_that_a_tick_changes(kind: Kind, fonts: FontBook) -> None:
    sections, words, ticks = Sections(), Translator("cs"), 0
    for scene in (scene for scenes in rounds() for scene in scenes):
        view = kind(scene)
        draw_list(view, SIZE, words, fonts, sections=sections)
        canvas, passing = sections.latest, ticking(scene, view)
        if passing is None or canvas is None:
            continue
        moments = {passing.until_ms - 1, *(scene.at_ms + ms for ms in LATER_MS)}
        for at_ms in sorted(moment for moment in moments if moment < passing.until_ms):
            second = passing.second(at_ms)
            assert second is not None
            assert canvas.at(second) == draw_list(kind(replace(scene, at_ms=at_ms)), SIZE, words, fonts)
            assert passing.change_ms(at_ms) >= next_change_ms(scene.round, at_ms)
            ticks += 1
        assert passing.second(passing.until_ms) is None
    assert ticks > 100


def test_the_last_second_is_the_one_that_is_left_when_it_ends() -> None:
    for until in range(1_000, 60_000, 333):
        passing = Ticking(0, until, 90_000)
        assert passing.last == passing.second(until - 1)
