"""What is left as it was when only time has passed is what making it anew would give."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from appliance.display.canvas import Sections
from appliance.display.fonts import FontBook
from appliance.display.from_round import Link, Scene, Venue, clock_view, door_view, later, table_view
from appliance.display.layout import draw_list
from appliance.display.view import ClockView, DoorView, TableView
from appliance.game.rehearse import step
from appliance.game.roster import Notice, Roster, SeasonLine, SeasonStandings
from appliance.game.round import INITIAL, Refusal
from appliance.game.script import parse_script
from appliance.i18n import Translator

EVENING = Path(__file__).parents[1] / "data" / "evening-18.jsonl"
SIZE = (1280, 720)
AFTER_MS = (0, 1_000, 59_000, 60_000, 61_000, 600_000, 601_000, 1_200_000)
Kind = Callable[[Scene], TableView | DoorView | ClockView]
KINDS: list[Kind] = [lambda scene: table_view(scene, 1), door_view, clock_view]
NAMES = ["table", "door", "clock"]
STANDINGS = SeasonStandings(
    season="2027",
    as_of=0,
    participants=1,
    rows=(SeasonLine(place=1, participant="000101", points_half=270, name="Eva"),),
)


def rounds() -> Iterator[list[Scene]]:
    """For each state of an evening's round, what there is to show at some moments until the next."""
    ledger = INITIAL
    for line, following in pairwise(parse_script(EVENING.read_text().splitlines())):
        answer = step(ledger, line, seed=1)
        if not isinstance(answer, Refusal):
            ledger = answer
        word = Notice(text_cs="a", text_en="b", until=line.at_ms + 605_000)
        roster = Roster(standings=STANDINGS, notice=word, notice_at=line.at_ms)
        moments = [line.at_ms + after for after in AFTER_MS if line.at_ms + after < following.at_ms]
        yield [
            Scene(round=ledger.round, roster=roster, link=Link(), venue=Venue("Brno"), at_ms=moment)
            for moment in moments
        ]


@pytest.mark.parametrize("kind", KINDS, ids=NAMES)
def test_a_view_carried_on_is_the_view_made_anew(kind: Kind) -> None:
    carried = 0
    for scenes in rounds():
        for before, after in pairwise(scenes):
            view = later(kind(before), after)
            if view is not None:
                carried += 1
                assert view == kind(after)
    assert carried > 20


@pytest.mark.parametrize("kind", KINDS, ids=NAMES)
def test_a_screen_laid_out_in_parts_is_the_screen_laid_out_whole(kind: Kind, fonts: FontBook) -> None:
    sections, words = Sections(), Translator("cs")
    for scenes in rounds():
        for scene in scenes:
            view = kind(scene)
            assert draw_list(view, SIZE, words, fonts, sections=sections) == draw_list(view, SIZE, words, fonts)


def test_a_tracked_hand_laid_out_in_parts_is_the_screen_laid_out_whole(tracked: TableView, fonts: FontBook) -> None:
    sections, words = Sections(), Translator("cs")
    assert tracked.tracked is not None
    assert tracked.pad is not None
    views = [
        tracked,
        replace(tracked, pad=replace(tracked.pad, typed="12")),
        replace(tracked, pad=None),
        replace(tracked, tracked=replace(tracked.tracked, to_act=9)),
        replace(tracked, tracked=None),
        tracked,
    ]
    for view in views:
        assert draw_list(view, SIZE, words, fonts, sections=sections) == draw_list(view, SIZE, words, fonts)
