"""The door says in a second what to do, and what is on tonight beside it."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from appliance.display import prompt as p
from appliance.display.fonts import FontBook
from appliance.display.from_round import Link, Scene, Venue, door_view
from appliance.display.layout import draw_list
from appliance.display.layout_invitation import invitation
from appliance.display.messages import message
from appliance.display.ops import Box, Text
from appliance.display.view import Blinds, Board, DoorView, Face, Field, LevelRow, PromptView, Result, Status, TableView
from appliance.display.view_rules import RulesInForce
from appliance.display.view_season import Standing, Standings
from appliance.game.commands import decode_command
from appliance.game.rehearse import step
from appliance.game.roster import Roster
from appliance.game.round import INITIAL, Refusal
from appliance.game.ruleset import CPL_2017, content_hash
from appliance.game.script import parse_script
from appliance.i18n import LANGUAGES, Translator
from tests.display.test_from_round import at as moment
from tests.display.test_from_round import script
from tests.display.test_layout_fits import SIZES, ink, texts
from tests.display.test_notices import MINUTE, START, played, scene, seated

RULES = RulesInForce(profile="cpl-2017", version="3f2ac1d0", think_s=60, count_s=10)
LEVELS = tuple(LevelRow(minutes=20, level=n, blinds=Blinds(sb=25 * n, bb=50 * n)) for n in range(1, 15))
STANDINGS = Standings(
    season="2027",
    participants=84,
    rows=tuple(Standing(place=n, who=f"{n:06}", points=str(900 - n), rounds=9) for n in range(1, 31)),
)
ORDINARY = ((1920, 1080), (1280, 720), (800, 480), (1080, 1920))


@pytest.fixture
def before(evening: TableView) -> Board:
    """Registration is open, half an hour before the start."""
    return replace(
        evening.board,
        phase="open",
        now=dt.datetime(2027, 1, 15, 18, 24, tzinfo=evening.board.now.tzinfo),
        starts_in_s=2160,
        face=Face(level=1, blinds=Blinds(sb=25, bb=50), remaining_s=1200, span_s=1200, running=False),
        field=Field(left=17, entries=17),
        prizes=(),
        levels=LEVELS,
        rules=RULES,
    )


def written(view: DoorView, fonts: FontBook, size: tuple[int, int] = (1280, 720), lang: str = "cs") -> list[Text]:
    return texts(draw_list(view, size, Translator(lang), fonts))


def said(view: DoorView, fonts: FontBook, size: tuple[int, int] = (1280, 720), lang: str = "cs") -> str:
    return " ".join(op.text for op in written(view, fonts, size, lang))


def turns(board: Board, fonts: FontBook, count: int, size: tuple[int, int] = (1280, 720)) -> Iterator[str]:
    return (said(DoorView(board=replace(board, turn=turn)), fonts, size) for turn in range(count))


@pytest.mark.parametrize("size", ORDINARY)
def test_a_newcomer_sees_start_free_places_and_deposit_at_every_turn(
    before: Board, fonts: FontBook, size: tuple[int, int]
) -> None:
    for words in turns(before, fonts, 5, size):
        for told in ("Přiložte průkaz", "19:00", "Volná místa 73", "17 hráčů registrováno", "375\u00a0Kč"):
            assert told in words


def test_T_16_the_structure_is_seen_before_the_start_down_to_its_last_level(before: Board, fonts: FontBook) -> None:
    for size in ORDINARY:
        words = " ".join(turns(before, fonts, 8, size))
        for level in LEVELS:
            assert level.blinds is not None
            assert f"{level.blinds.sb}\u00a0/\u00a0{Translator('cs').number(level.blinds.bb)}" in words


def test_LG_12_the_rules_in_force_take_their_turn_and_say_where_to_read_them(before: Board, fonts: FontBook) -> None:
    shown = [words for words in turns(before, fonts, 8) if "Platná pravidla" in words]
    assert shown
    for words in shown:
        for told in (
            "Česká pokerová liga 2017",
            "cpl-2017, verze 3f2ac1d0",
            "komisaře",
            "Registrací přijímáte pravidla.",
            "60\u00a0+\u00a010\u00a0s",
        ):
            assert told in words


def test_LG_12_the_rules_shown_are_those_of_the_round() -> None:
    told = door_view(scene(played(), START - MINUTE)).board.rules
    assert told == RulesInForce(
        profile="cpl-2017", version=content_hash(CPL_2017)[:8], think_s=CPL_2017.time_call_s,
        count_s=CPL_2017.time_count_s,
    )  # fmt: skip


def test_LG_12_before_the_director_has_announced_it_the_leagues_offer_names_the_rules() -> None:
    offered: dict[str, Any] = {
        "do": "announce", "round": "R1", "venue": "brno", "starts_at": "2027-01-15T19:00:00+01:00",
        "profile": "tda-2024", "deposit": 100, "shares": ["100"], "levels": [{"sb": 25, "bb": 50, "minutes": 15}],
        "late_registration": True, "seats_per_table": 9,
    }  # fmt: skip
    offer = decode_command(offered)
    roster = replace(Roster(), offers={"R1": offer})
    view = door_view(Scene(round=None, roster=roster, link=Link(), venue=Venue("Brno"), at_ms=START - 60 * MINUTE))
    assert view.board.rules is not None
    assert (view.board.rules.profile, view.board.rules.late, view.board.rules.reentry) == ("tda-2024", True, True)


def test_T_2_the_door_invites_late_entrants_for_as_long_as_they_are_taken() -> None:
    levels = [{"sb": 25, "bb": 50, "minutes": 15}, {"break": 10}, {"sb": 50, "bb": 100, "minutes": 15}]
    late = {"profile": "tda-2024", "late_registration": True, "levels": levels}
    round = played(seats=seated(4, 4), **late)
    for minutes, asked in ((10, "late"), (20, "late"), (60, "seat")):
        assert invitation(door_view(scene(round, START + minutes * MINUTE)).board) == asked, minutes
    assert invitation(door_view(scene(played(seats=seated(4, 4)), START + 10 * MINUTE)).board) == "seat"


@pytest.mark.parametrize(
    ("phase", "free", "words"),
    [
        ("announced", 73, "Registrace ještě nezačala"),
        ("open", 73, "a zaregistrujte se do dnešního kola"),
        ("open", 0, "Kolo je obsazené"),
        ("running", 73, "a uvidíte své místo"),
        ("finished", 73, "a uvidíte svůj výsledek"),
        ("none", 73, "a uvidíte, kdy se hraje příště"),
        ("cancelled", 73, "a uvidíte, kdy se hraje příště"),
    ],
)
def test_the_invitation_says_what_a_tap_is_good_for(
    before: Board, evening: TableView, fonts: FontBook, phase: Any, free: int, words: str
) -> None:
    board = evening.board if phase == "running" else replace(before, phase=phase)
    board = replace(board, field=Field(left=1, entries=90 - free))
    assert words in said(DoorView(board=board), fonts).replace("\n", " ")


def test_in_play_the_door_shows_the_time_largest_of_all(evening: TableView, fonts: FontBook) -> None:
    for size in SIZES:
        ops = written(DoorView(board=evening.board), fonts, size)
        largest = max(op.size for op in ops)
        assert "".join(op.text for op in ops if op.size == largest).startswith("12:34"), size


def test_after_the_end_results_and_standings_take_turns(before: Board, fonts: FontBook) -> None:
    results = tuple(Result(place=n, who=f"{n:06}", prize=0, points="100") for n in range(1, 31))
    board = replace(before, phase="finished", results=results, standings=STANDINGS)
    words = " ".join(turns(board, fonts, 16))
    assert "000030" in words
    assert "Předběžné výsledky" in words
    assert "Pořadí: 2027" in words


def test_without_a_round_the_standings_of_the_season_are_shown(before: Board, fonts: FontBook) -> None:
    board = Board(phase="none", status=Status(), now=before.now, venue="Brno", standings=STANDINGS)
    words = said(DoorView(board=board), fonts)
    assert "Dnes se nehraje" in words
    assert "Pořadí: 2027" in words


@pytest.mark.parametrize("size", ORDINARY)
@pytest.mark.parametrize("amount", [50, 500, 1_250_000])
def test_T_3_the_amount_to_pay_is_the_largest_on_the_screen(
    before: Board, fonts: FontBook, size: tuple[int, int], amount: int
) -> None:
    for lang in LANGUAGES:
        for weak in (False, True):
            prompt = p.CheckIdentity("000101", amount, weak)
            view = DoorView(board=before, prompt=PromptView(prompt=prompt, who="Bartoloměj P.", chips=20_000))
            ops = written(view, fonts, size, lang)
            assert max(ops, key=lambda op: op.size).text == Translator(lang).crowns(amount)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_at_the_door_is_clipped_or_lies_over_anything(
    before: Board, fonts: FontBook, size: tuple[int, int], lang: str
) -> None:
    crowded = replace(before, field=Field(left=0, entries=0), capacity=90, deposit=500, standings=STANDINGS)
    nothing = Board(phase="none", status=Status(), now=before.now, venue="Brno", standings=STANDINGS)
    boards = [replace(crowded, turn=turn) for turn in range(6)]
    boards += [replace(crowded, phase="announced"), nothing, replace(nothing, standings=None)]
    boards += [replace(crowded, field=Field(left=90, entries=90)), replace(crowded, status=Status(director=False))]
    for board in boards:
        inked = [(op, ink(op, fonts)) for op in written(DoorView(board=board), fonts, size, lang)]
        for n, (op, box) in enumerate(inked):
            assert op.box.w <= op.room.w, op.text
            assert Box(0, 0, *size).holds(box), op.text
            assert not [other.text for other, there in inked[:n] if there.meets(box)], (op.text, board.turn)


@pytest.mark.parametrize(
    ("lang", "said"),
    [("cs", ("21. 1.", "19:00", "Registrace vám zůstává")), ("en", ("21 January", "19:00", "You stay registered"))],
)
def test_LG_2_a_registered_player_of_a_moved_round_is_told_when_it_is_played(lang: str, said: tuple[str, ...]) -> None:
    """The door promised to say it, and then spoke of seats and of tapping again."""
    ledger = INITIAL
    commands = [line for line in script() if line["do"] in ("announce", "open", "register")]
    moved = {"do": "reschedule", "starts_at": "2027-01-21T19:00:00+01:00"}
    commands.append({"at": "2027-01-15T18:30:00+01:00", "round": "R1", **moved})
    for line in parse_script(json.dumps(command) for command in commands):
        answer = step(ledger, line, seed=1)
        assert not isinstance(answer, Refusal), answer
        ledger = answer
    tapped = p.AlreadyRegistered("000101")
    at_ms = moment("18:31:00")
    told = door_view(
        Scene(round=ledger.round, roster=Roster(), link=Link(), venue=Venue("Brno"), at_ms=at_ms, prompt=tapped)
    ).prompt
    assert told is not None
    words = message(told, Translator(lang))
    whole = " ".join((words.title, *words.lines)).replace("\u00a0", " ")
    assert all(part in whole for part in said), whole
