"""What does not work is said with what to do about it: a sentence each and a sign, on every screen it concerns."""

from __future__ import annotations

import json
from typing import get_args

import pytest
from msgspec.structs import replace

from appliance import VERSION
from appliance.apps.screen_spare import SPARES
from appliance.display.fonts import FontBook
from appliance.display.from_round import Link, Scene, Venue, clock_view, door_view
from appliance.display.layout import draw_list
from appliance.display.layout_invitation import invitation
from appliance.display.ops import Box, Stroke
from appliance.display.theme import DARK
from appliance.display.trouble import troubles
from appliance.display.view import (
    AttentionView,
    Board,
    ClockView,
    DoorView,
    Going,
    HandsRefused,
    StartingView,
    Status,
    TableView,
    View,
)
from appliance.display.view_season import Standings
from appliance.game.rehearse import step
from appliance.game.roster import Roster
from appliance.game.round import INITIAL, Refusal
from appliance.game.script import parse_script
from appliance.i18n import LANGUAGES, Translator
from tests.display.conftest import at
from tests.display.test_from_round import at as moment
from tests.display.test_from_round import script
from tests.display.test_layout_fits import SIZES, ink, texts

PLAYS = get_args(Going)
TROUBLES = {
    "director": Status(director=False, director_lost_at=at(20, 38)),
    "never": Status(director=False),
    "reader": Status(reader=False),
    "missing": Status(missing=("reader-2", "reader-3")),
    "copy": Status(one_copy=True),
    "kept": Status(director=False, director_lost_at=at(20, 38), kept=(27, 27)),
    "kept-many": Status(director=False, director_lost_at=at(20, 38), kept=(27, 129)),
    "not-taken": Status(kept=(27, 27)),
    "not-taken-many": Status(kept=(27, 29)),
    "refused": Status(refused=(HandsRefused(3, 27, 27, "dealt-otherwise"),)),
    "refused-many": Status(refused=(HandsRefused(12, 127, 129, "stale"),)),
}
ALL = Status(director=False, director_lost_at=at(20, 38), reader=False, one_copy=True)


def screens(evening: TableView, status: Status) -> tuple[View, ...]:
    board = replace(evening.board, status=status)
    return replace(evening, board=board), DoorView(board=board), ClockView(board=board)


def said(view: View, size: tuple[int, int], fonts: FontBook, lang: str = "cs") -> str:
    return " ".join(op.text for op in texts(draw_list(view, size, Translator(lang), fonts)))


@pytest.mark.parametrize("name", TROUBLES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_trouble_says_what_is_wrong_and_what_to_do(
    evening: TableView, fonts: FontBook, name: str, lang: str
) -> None:
    status, tr = TROUBLES[name], Translator(lang)
    (trouble,) = troubles(tr, status)
    assert trouble.problem.endswith(".")
    assert trouble.remedy.endswith(".")
    for view in screens(evening, status):
        if isinstance(view, DoorView) and not status.reader:
            continue  # there it is said large
        for size in ((1920, 1080), (1280, 720), (1080, 1920)):
            words = said(view, size, fonts, lang)
            assert trouble.problem in words
            assert trouble.remedy in words


@pytest.mark.parametrize("name", TROUBLES)
def test_a_trouble_has_a_sign_of_its_own_and_is_not_told_by_colour_alone(
    evening: TableView, fonts: FontBook, name: str
) -> None:
    for view, well in zip(screens(evening, TROUBLES[name]), screens(evening, Status()), strict=True):
        signs = [
            sum(
                isinstance(op, Stroke) and op.color == DARK.on_tone
                for op in draw_list(v, (1280, 720), Translator("cs"), fonts)
            )
            for v in (view, well)
        ]
        assert signs[0] > signs[1]


def test_no_trouble_takes_no_room(evening: TableView, fonts: FontBook) -> None:
    assert troubles(Translator("cs"), Status()) == []


def test_a_door_that_cannot_work_says_so_large_and_once(evening: TableView, fonts: FontBook) -> None:
    taking = replace(evening.board, phase="open", starts_in_s=600)
    for status, large in (
        (Status(reader=False), "Čtečka nepracuje"),
        (Status(director=False, director_lost_at=at(18, 20)), "Registrace teď nejde"),
    ):
        view = DoorView(board=replace(taking, status=status))
        ops = texts(draw_list(view, (1280, 720), Translator("cs"), fonts))
        found = [op for op in ops if op.text.startswith(large.split()[0])]
        assert len(found) == 1
        assert found[0].size == max(op.size for op in ops)
        assert "Přiložte" not in " ".join(op.text for op in ops)


def test_without_the_director_seats_are_still_told(evening: TableView) -> None:
    lost = Status(director=False, director_lost_at=at(20, 38))
    assert invitation(replace(evening.board, status=lost)) == "seat"


def test_until_the_director_was_heard_nobody_is_told_that_nothing_is_played(
    evening: TableView, fonts: FontBook
) -> None:
    nothing = Board(phase="none", status=Status(director=False), now=evening.board.now, venue="Brno")
    known = replace(nothing, status=Status())
    for view, later in (
        (DoorView(board=nothing), DoorView(board=known)),
        (TableView(board=nothing, table=1), TableView(board=known, table=1)),
        (ClockView(board=nothing), ClockView(board=known)),
    ):
        assert "Dnes se nehraje" not in said(view, (1920, 1080), fonts)
        assert "Čeká se na řídicí jednotku…" in said(view, (1920, 1080), fonts).replace("  ", " ")
        assert "Dnes se nehraje" in said(later, (1920, 1080), fonts)


def test_starting_up_says_which_device_and_version_and_to_leave_it_on(fonts: FontBook) -> None:
    shown = said(StartingView(device="table-3", version=VERSION), (1280, 720), fonts)
    for words in ("Spouštím…", "Prosím nevypínejte.", f"table-3 · {VERSION}"):
        assert words in shown


def test_the_version_shown_is_that_of_the_distribution() -> None:
    from importlib.metadata import version

    assert version("tableside") == VERSION


def test_need_attention_says_problem_remedy_device_and_code(fonts: FontBook) -> None:
    view = AttentionView(device="door-1", problem="Karta SD je plná.", remedy="Uvolněte místo.", code="disk-full")
    shown = said(view, (1280, 720), fonts)
    for words in (
        "Zařízení potřebuje pomoc",
        "Karta SD je plná.",
        "Co udělat",
        "Uvolněte místo.",
        "door-1 · disk-full",
    ):
        assert words in shown


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_troubles_are_whole_and_leave_the_time_to_be_read(
    evening: TableView, fonts: FontBook, size: tuple[int, int], lang: str
) -> None:
    never = replace(evening.board, phase="none", status=Status(director=False), face=None)
    views = [*screens(evening, ALL), *(view for status in TROUBLES.values() for view in screens(evening, status))]
    views += [
        DoorView(board=never),
        DoorView(board=replace(never, standings=Standings(season="", rows=(), participants=0))),
    ]
    views += [StartingView(device="a" * 32, version=VERSION), *SPARES.values()]
    for view in views:
        ops = texts(draw_list(view, size, Translator(lang), fonts))
        inked = [(op, ink(op, fonts)) for op in ops]
        for n, (op, box) in enumerate(inked):
            assert op.box.w <= op.room.w, op.text
            assert Box(0, 0, *size).holds(box), op.text
            assert not [other.text for other, there in inked[:n] if there.meets(box)], op.text
        if isinstance(view, TableView | ClockView):
            largest = max(op.size for op in ops)
            assert "".join(op.text for op in ops if op.size == largest) == "12:34"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_to_do_without_the_director_goes_by_what_play_does(lang: str) -> None:
    """ "Play on, the clock runs" was said of a clock that stood, and at the door before the start."""
    told = {
        play: troubles(Translator(lang), Status(director=False, director_lost_at=at(20, 38), play=play))[0].remedy
        for play in PLAYS
    }
    assert len(set(told.values())) == len(PLAYS)
    runs = {"cs": "hodiny běží", "en": "clock runs"}[lang]
    assert [play for play in PLAYS if runs in told[play]] == ["runs"]


def test_a_screen_knows_what_play_does_from_the_round_it_has() -> None:
    told = {}
    for time in ("18:30:00", "19:03:00", "19:05:30", "19:41:00"):
        ledger = INITIAL
        for line in parse_script(json.dumps(line) for line in script()):
            if line.at_ms <= moment(time):
                answer = step(ledger, line, seed=1)
                ledger = ledger if isinstance(answer, Refusal) else answer
        scene = Scene(round=ledger.round, roster=Roster(), link=Link(), venue=Venue("Brno"), at_ms=moment(time))
        told[time] = (clock_view(scene).board.status.play, door_view(scene).board.status.play)
    assert [play for play, _ in told.values()] == ["before", "runs", "stands", "over"]
    assert all(one == other for one, other in told.values())
