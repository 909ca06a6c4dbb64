"""What the league tells, on every screen: standings and announcements, with names as consent has them; and turns."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from appliance.display import prompt as p
from appliance.display.from_round import (
    Link,
    Scene,
    Venue,
    clock_view,
    door_view,
    later,
    scene_change_ms,
    table_view,
)
from appliance.display.from_season import BEST, FRESH_MS
from appliance.display.view import TURN_S, Blinds, Board, ClockView, DoorView, LevelRow, TableView
from appliance.game.commands import (
    Announce,
    decode_command,
)
from appliance.game.rehearse import step
from appliance.game.roster import Notice, Roster, RosterEntry, RoundOffered, SeasonLine, SeasonStandings, fold_roster
from appliance.game.round import INITIAL, Refusal
from appliance.game.script import parse_script
from appliance.game.state import Round
from appliance.game.values import parse_time

ANNOUNCE: dict[str, Any] = {
    "do": "announce", "round": "R1", "venue": "brno", "starts_at": "2027-01-15T19:00:00+01:00", "profile": "cpl-2017",
    "deposit": 100, "shares": ["50", "30", "20"], "seats_per_table": 9, "ante_by": "bb",
    "levels": [{"sb": 25, "bb": 50, "minutes": 15}, {"break": 10}, {"sb": 50, "bb": 100, "ante": 100, "minutes": 15}],
}  # fmt: skip
PLAYERS = [f"{n:06}" for n in range(101, 107)]
TURN_MS = TURN_S * 1000
NOTHING_TOLD = Roster()
KINDS: tuple[Callable[[Scene], TableView | DoorView | ClockView], ...] = (
    lambda scene: table_view(scene, 1),
    clock_view,
    door_view,
)


def at(time: str) -> int:
    return parse_time(f"2027-01-15T{time}+01:00")


def played(until: str, tables: int = 2, *more: tuple[str, dict[str, Any]]) -> Round | None:
    """The round of six players as it stands at a time of the evening."""
    seats = {who: [1 + n % tables, 1 + n // tables] for n, who in enumerate(PLAYERS)}
    lines: list[tuple[str, dict[str, Any]]] = [("18:00:00", ANNOUNCE), ("18:01:00", {"do": "open"})]
    lines += [("18:05:00", {"do": "register", "participant": who, "identity_checked": True}) for who in PLAYERS]
    lines += [("19:00:00", {"do": "start", "seats": seats, "button": 1}), *more]
    ledger = INITIAL
    for line in parse_script(
        json.dumps({"at": f"2027-01-15T{time}+01:00", "round": "R1", **fields}) for time, fields in lines
    ):
        if line.at_ms <= at(until):
            answer = step(ledger, line, seed=1)
            assert not isinstance(answer, Refusal), answer
            ledger = answer
    return ledger.round


BUSTS = [(f"19:{30 + n}:00", {"do": "bust", "participant": who}) for n, who in enumerate(PLAYERS[:0:-1])]


def scene(time: str, round: Round | None = None, roster: Roster = NOTHING_TOLD, **more: Any) -> Scene:
    return Scene(round=round, roster=roster, link=Link(), venue=Venue("Brno"), at_ms=at(time), **more)


def told(*events: Any, written: int = 0) -> Roster:
    roster = Roster()
    for event in events:
        roster = fold_roster(roster, event, written)
    return roster


def line(place: int, **more: Any) -> SeasonLine:
    return SeasonLine(place=place, participant=f"{200 + place:06}", points_half=395 - place, rounds=3, **more)


def season(*rows: SeasonLine, **more: Any) -> SeasonStandings:
    values: dict[str, Any] = {"season": "2027", "as_of": at("12:00:00"), "participants": 412, "rows": rows, **more}
    return SeasonStandings(**values)


NAMED = season(line(1, name="Ing. Věra Žáčková"), line(2), line(3, name="Jiří Dvořák"), key_confirmed=False)


# -- standings ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS, ids=["table", "clock", "door"])
@pytest.mark.parametrize("time", ["17:00:00", "18:30:00", "19:02:00"])
def test_LG_8_the_seasons_standings_are_on_every_screen_at_any_time(
    kind: Callable[[Scene], TableView], time: str
) -> None:
    standings = kind(scene(time, played(time), told(NAMED))).board.standings
    assert standings is not None
    assert (standings.season, standings.participants, standings.key_confirmed) == ("2027", 412, False)
    assert standings.as_of is not None
    assert standings.as_of.hour == 12
    assert [(row.place, row.who, row.points, row.rounds) for row in standings.rows] == [
        (1, "Věra Ž.", "197", 3), (2, "000202", "196.5", 3), (3, "Jiří D.", "196", 3),
    ]  # fmt: skip
    assert kind(scene(time, played(time))).board.standings is None


def test_the_best_of_the_season_are_shown_and_how_many_there_are() -> None:
    board = clock_view(scene("17:00:00", None, told(season(*map(line, range(1, 51)))))).board
    assert board.standings is not None
    assert [row.place for row in board.standings.rows] == list(range(1, BEST + 1))


def test_LG_7_who_has_withdrawn_consent_is_shown_by_number_whatever_the_standings_still_say() -> None:
    roster = told(NAMED, RosterEntry(participant="000201", state="active", name="Věra Žáčková", published=False))
    board = clock_view(scene("17:00:00", None, roster)).board
    assert board.standings is not None
    assert [row.who for row in board.standings.rows] == ["000201", "000202", "Jiří D."]


@pytest.mark.parametrize("published", [True, False])
def test_LG_12_without_consent_seats_results_and_prompts_have_the_number(published: bool) -> None:
    entry = RosterEntry(participant="000101", state="active", name="Kateřina Šťastná", published=published)
    shown = "Kateřina Š." if published else "000101"
    ended = played("19:50:00", 2, *BUSTS)
    assert table_view(scene("19:02:00", played("19:02:00"), told(entry)), 1).seats[0].who == shown
    assert clock_view(scene("19:50:00", ended, told(entry))).board.results[0].who == shown
    for prompt in (p.CheckIdentity("000101", 100), p.YourSeat("000101", 1, 1)):
        said = door_view(scene("19:02:00", played("19:02:00"), told(entry), prompt=prompt)).prompt
        assert said is not None
        assert said.who == shown


def test_who_has_a_name_of_nothing_but_spaces_is_shown_by_number() -> None:
    roster = told(season(line(1, name=" ")), RosterEntry(participant="000101", state="active", name="  "))
    view = table_view(scene("19:02:00", played("19:02:00"), roster), 1)
    assert view.seats[0].who == "000101"
    assert view.board.standings is not None
    assert view.board.standings.rows[0].who == "000201"


def test_a_prompt_knows_the_language_of_the_person_addressed() -> None:
    roster = told(RosterEntry(participant="000101", state="active", lang="en"),
                  RosterEntry(participant="000102", state="active"))  # fmt: skip
    languages = []
    for prompt in (
        p.YourSeat("000101", 1, 1),
        p.YourSeat("000102", 1, 1),
        p.YourSeat("000103", 1, 1),
        p.WrongEvening(),
    ):
        said = door_view(scene("19:02:00", played("19:02:00"), roster, prompt=prompt)).prompt
        assert said is not None
        languages.append(said.lang)
    assert languages == ["en", "", "", ""]


# -- announcements -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS, ids=["table", "clock", "door"])
def test_the_leagues_word_is_said_in_the_screens_language_on_every_screen(kind: Callable[[Scene], TableView]) -> None:
    both = told(Notice(text_cs="Začneme později", text_en="We begin later"), written=at("19:01:00"))
    only = told(Notice(text_cs="Začneme později", text_en=" "), written=at("19:01:00"))
    round = played("19:02:00")
    for roster, lang, text in (
        (both, "cs", "Začneme později"), (both, "en", "We begin later"), (only, "en", "Začneme později"),
    ):  # fmt: skip
        said = kind(scene("19:02:00", round, roster, lang=lang)).board.announcement
        assert said is not None
        assert (said.text, said.by) == (text, "league")


def test_a_word_is_fresh_for_a_minute_stands_until_its_end_and_can_be_taken_back() -> None:
    word = Notice(text_cs="a", text_en="b", until=at("19:30:00"))
    roster = told(word, written=at("19:01:00"))
    for time, fresh in (("19:00:30", True), ("19:01:59.999", True), ("19:02:00", False), ("19:29:59.999", False)):
        said = clock_view(scene(time, played(time), roster)).board.announcement
        assert said is not None
        assert said.fresh is fresh
    assert clock_view(scene("19:30:00", played("19:30:00"), roster)).board.announcement is None
    taken_back = told(word, Notice(text_cs="", text_en=" "), written=at("19:01:00"))
    assert clock_view(scene("19:01:10", played("19:01:10"), taken_back)).board.announcement is None


# -- structure and final table -----------------------------------------------------------------------------------

STRUCTURE = (
    LevelRow(minutes=15, level=1, blinds=Blinds(sb=25, bb=50, ante_from_bb=True)),
    LevelRow(minutes=10),
    LevelRow(minutes=15, level=2, blinds=Blinds(sb=50, bb=100, ante=100, ante_from_bb=True)),
)


def test_T_16_the_structure_with_its_breaks_is_there_before_the_start_also_of_a_round_on_offer() -> None:
    offer = decode_command(ANNOUNCE)
    assert isinstance(offer, Announce)
    offered = scene("17:00:00", None, told(RoundOffered(announcement=offer)))
    for shown in (offered, scene("18:30:00", played("18:30:00")), scene("19:02:00", played("19:02:00"))):
        assert door_view(shown).board.levels == STRUCTURE
    assert door_view(scene("17:00:00")).board.levels == ()


def test_S_6_the_last_table_of_several_is_the_final_one() -> None:
    at_two = [who for who in PLAYERS if PLAYERS.index(who) % 2]
    left_over = [("19:10:00", {"do": "bust", "participant": who}) for who in at_two]
    drawn: list[tuple[str, dict[str, Any]]] = [("19:10:00", {"do": "final_table"})]
    for more in (left_over, drawn):
        assert not table_view(scene("19:09:00", played("19:09:00", 2, *more)), 1).board.final
        assert table_view(scene("19:11:00", played("19:11:00", 2, *more)), 1).board.final
    assert not clock_view(scene("19:50:00", played("19:50:00", 2, *BUSTS))).board.final  # over: results are shown


def test_S_6_at_the_final_table_those_who_are_out_are_told_and_their_points_are_not() -> None:
    drawn: list[tuple[str, dict[str, Any]]] = [
        ("19:10:00", {"do": "final_table"}),
        ("19:12:00", {"do": "bust", "participant": PLAYERS[0]}),
    ]
    before = table_view(scene("19:11:00", played("19:11:00", 2, *drawn)), 1).board
    after = table_view(scene("19:13:00", played("19:13:00", 2, *drawn)), 1).board
    assert before.results == ()
    assert [(line.place, line.points) for line in after.results] == [(len(PLAYERS), None)]


def test_S_6_an_evening_of_one_table_is_an_ordinary_one_to_its_end() -> None:
    assert not table_view(scene("19:33:00", played("19:33:00", 1, *BUSTS)), 1).board.final


# -- turns -------------------------------------------------------------------------------------------------------


def board_of(time: str, roster: Roster = NOTHING_TOLD, **more: Any) -> Board:
    return clock_view(scene(time, played(time, 2, *BUSTS), roster, **more)).board


@pytest.mark.parametrize("time", ["18:30:00", "19:16:00", "19:50:00"], ids=["open", "break", "finished"])
def test_pages_take_turns_while_nobody_plays(time: str) -> None:
    turns = [board_of(time + more, told(NAMED)).turn for more in ("", ".999", "")]
    assert turns[0] == turns[1] == at(time) // TURN_MS
    seconds = [
        board_of(f"{time[:6]}{second}", told(NAMED)).turn - turns[0] for second in ("14", "15", "29", "30", "59")
    ]
    assert seconds == [0, 1, 1, 2, 3]


def test_nothing_takes_turns_while_cards_are_dealt_but_the_houses_own_pictures() -> None:
    assert board_of("19:02:00", told(NAMED)).turn == 0
    assert board_of("19:02:00", rotates=True).turn == at("19:02:00") // TURN_MS


def test_in_a_rehearsal_pages_turn_no_faster_than_people_read() -> None:
    quick = scene("19:50:00", played("19:50:00", 2, *BUSTS), speed=60)
    assert clock_view(quick).board.turn == at("19:50:00") // (60 * TURN_MS)


SITUATIONS = {
    "none": ("17:00:00.100", {}, 15_000 - 100),
    "open": ("18:30:00.400", {}, 600),
    "play": ("19:02:00.250", {}, 750),
    "break": ("19:16:00.250", {}, 750),
    "finished": ("19:50:01", {}, 14_000),
    "finished, about to turn": ("19:50:59.990", {}, 10),
    "pictures": ("19:50:16", {"rotates": True}, 14_000),
}


@pytest.mark.parametrize("name", SITUATIONS)
def test_a_screen_wakes_when_a_page_turns_and_for_nothing_else(name: str) -> None:
    time, more, wait = SITUATIONS[name]
    assert scene_change_ms(scene(time, played(time, 2, *BUSTS), told(NAMED), **more)) == wait


def test_a_stopped_clock_wakes_once_a_minute_and_for_what_is_announced() -> None:
    stopped: list[tuple[str, dict[str, Any]]] = [("19:01:00", {"do": "pause"})]
    word = Notice(text_cs="a", text_en="b", until=at("19:05:10"))
    roster = told(NAMED, word, written=at("19:03:20"))
    round = played("19:02:00", 2, *stopped)
    waits = {"19:02:00": 20_001, "19:03:30": 30_000, "19:04:00": 20_000, "19:04:20": 40_000, "19:05:05": 5_000,
             "19:05:10": 50_000}  # fmt: skip
    assert {time: scene_change_ms(scene(time, round, roster)) for time in waits} == waits
    assert scene_change_ms(scene("19:02:00", round, told(NAMED))) == 60_000


@pytest.mark.parametrize("kind", KINDS, ids=["table", "clock", "door"])
@pytest.mark.parametrize("time", ["17:00:00", "18:30:00", "19:02:00", "19:16:00", "19:50:00"])
def test_a_view_carried_on_second_by_second_is_the_view_made_anew(
    kind: Callable[[Scene], TableView], time: str
) -> None:
    word = Notice(text_cs="a", text_en="b", until=at(time) + 2 * FRESH_MS + 7_000)
    first = scene(
        time, played(time, 2, *BUSTS), told(NAMED, word, written=at(time) - 30_000), rotates=time == "19:02:00"
    )
    view = kind(first)
    for second in range(1, 150):
        now = replace(first, at_ms=first.at_ms + 1_000 * second)
        view = later(view, now) or kind(now)
        assert view == kind(now)


@pytest.mark.parametrize("time", ["17:00:00", "18:30:00", "19:02:00", "19:16:00", "19:50:00"])
def test_between_two_wakings_nothing_but_the_second_differs(time: str) -> None:
    word = Notice(text_cs="a", text_en="b", until=at(time) + 2 * FRESH_MS + 7_000)
    now = scene(time, played(time, 2, *BUSTS), told(NAMED, word, written=at(time) - 30_000))
    for _ in range(40):
        wait = scene_change_ms(now)
        assert 1 <= wait <= 60_000
        before = _drawn(now)
        for ms in (wait // 2, wait - 1):
            assert _drawn(replace(now, at_ms=now.at_ms + ms)) == before
        now = replace(now, at_ms=now.at_ms + wait)
        assert _drawn(now) != before


def _drawn(shown: Scene) -> object:
    """What screens write of a scene: times of day to the minute."""
    board = clock_view(shown).board
    face = board.face and replace(board.face, next_break_at=None, break_ends_at=None, next_break_in_s=None)
    return replace(board, now=board.now.replace(second=0, microsecond=0), face=face)
