"""After a break that was added the level goes on with what it had left: no screen may announce the next one (CK-3)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from appliance.display.fonts import FontBook
from appliance.display.from_round import Link, Scene, Venue, clock_view, door_view, table_view
from appliance.display.layout import draw_list
from appliance.display.layout_lists import ahead, level_line
from appliance.display.ops import Text
from appliance.display.view import Blinds, FloorView, TableView, View
from appliance.display.view_floor import MenuView
from appliance.game.rehearse import step
from appliance.game.roster import Roster
from appliance.game.round import INITIAL, Refusal
from appliance.game.script import parse_script
from appliance.i18n import Translator
from tests.display.test_from_round import at, script
from tests.display.tracked_views import EVENING_HAND

SIZES = ((1920, 1080), (1280, 720), (800, 480), (1080, 1920))
BEFORE = ("announce", "open", "register", "start")
SAID = {"cs": "po přestávce pokračuje úroveň 1, zbývá 9:56", "en": "after the break level 1 resumes, 9:56 left"}


def in_added_break(time: str) -> Scene:
    """Level 1 with 9:56 left, and a break of ten minutes."""
    commands: list[dict[str, Any]] = [
        line for line in script() if line["do"] in ("announce", "open", "register", "start")
    ]
    commands.append({"at": "2027-01-15T19:05:04+01:00", "round": "R1", "do": "begin_break", "minutes": 10})
    ledger = INITIAL
    for line in parse_script(json.dumps(command) for command in commands):
        answer = step(ledger, line, seed=1)
        assert not isinstance(answer, Refusal), answer
        ledger = answer
    return Scene(round=ledger.round, roster=Roster(), link=Link(), venue=Venue("Brno"), at_ms=at(time))


@pytest.fixture
def table() -> TableView:
    return table_view(in_added_break("19:06:00"), 1)


def written(view: View, size: tuple[int, int], lang: str, fonts: FontBook) -> list[str]:
    return [op.text for op in draw_list(view, size, Translator(lang), fonts) if isinstance(op, Text)]


def test_CK_3_the_interrupted_level_is_the_one_that_follows(table: TableView) -> None:
    face = table.board.face
    assert face is not None
    assert (face.on_break, face.level, face.following, face.resumes_s) == (True, 1, 1, 596)
    assert face.next_blinds == Blinds(sb=25, bb=50, ante_from_bb=True)
    after = table_view(in_added_break("19:15:04"), 1).board.face
    assert after is not None
    assert (after.on_break, after.level, after.following, after.resumes_s, after.remaining_s) == (
        False,
        1,
        2,
        None,
        596,
    )


@pytest.mark.parametrize("lang", ["cs", "en"])
@pytest.mark.parametrize("size", SIZES)
def test_CK_3_every_screen_says_that_the_level_goes_on(
    table: TableView, fonts: FontBook, size: tuple[int, int], lang: str
) -> None:
    scene = in_added_break("19:06:00")
    tracked = TableView(board=table.board, table=1, hand=1, seats=table.seats, tracked=EVENING_HAND)
    menu = FloorView(board=table.board, menu=MenuView(title="Floor"))
    for view in (table, clock_view(scene), door_view(scene), tracked, menu):
        texts = written(view, size, lang, fonts)
        assert any(SAID[lang] in text for text in texts), (type(view), texts)
        assert "25\u00a0/\u00a050" in texts
        assert not [text for text in texts if text.startswith(("úroveň 2", "level 2"))]


def test_CK_3_what_follows_begins_with_what_the_level_has_left(table: TableView) -> None:
    first, second, *_ = ahead(table.board)
    assert level_line(Translator("cs"), first, 1)[:4] == ("1", "25\u00a0/\u00a050", "", "zbývá 9:56")
    assert level_line(Translator("cs"), first, 1).mark
    assert second.level is None
