"""``tableside screen``: pictures of a script's moments, or one line that says why not."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from appliance.cards.outcome import MEANINGS
from appliance.cli import main
from appliance.display import parts

LINES: list[dict[str, Any]] = [
    {
        "at": "2027-01-15T18:00:00+01:00", "do": "announce", "round": "R1", "venue": "brno",
        "starts_at": "2027-01-15T19:00:00+01:00", "profile": "cpl-2017", "deposit": 100, "shares": ["60", "40"],
        "seats_per_table": 6, "levels": [{"sb": 25, "bb": 50, "minutes": 15}, {"break": 10}],
    },
    {"at": "2027-01-15T18:01:00+01:00", "do": "open", "round": "R1"},
    *(
        {"at": "2027-01-15T18:05:00+01:00", "do": "register", "round": "R1", "participant": f"{n:06}",
         "identity_checked": True}
        for n in range(101, 105)
    ),
    {"at": "2027-01-15T18:06:00+01:00", "do": "register", "round": "R1", "participant": "000101",
     "identity_checked": True},
    {"at": "2027-01-15T19:00:00+01:00", "do": "start", "round": "R1"},
    {"at": "2027-01-15T19:01:00+01:00", "do": "next_hand", "round": "R1", "table": 1},
    {"at": "2027-01-15T19:10:00+01:00", "do": "bust", "round": "R1", "participant": "000101"},
]  # fmt: skip

Screen = Callable[..., int]


@pytest.fixture
def screen(tmp_path: Path) -> Screen:
    script = tmp_path / "evening.jsonl"
    script.write_text("".join(json.dumps(line) + "\n" for line in LINES), encoding="utf-8")

    def run(*arguments: str, out: str = "out.png") -> int:
        return main(["screen", str(script), *arguments, "-o", str(tmp_path / out)])

    return run


@pytest.mark.parametrize("which", ["table:1", "door", "clock"])
@pytest.mark.parametrize("lang", ["cs", "en"])
@pytest.mark.parametrize("time", ["17:00", "18:30", "19:05", "19:20"])
def test_every_screen_at_every_time(screen: Screen, tmp_path: Path, which: str, lang: str, time: str) -> None:
    until = f"2027-01-15T{time}:00+01:00"
    assert screen("--until", until, "--screen", which, "--size", "800x480", "--lang", lang) == 0
    assert parts.image.load(str(tmp_path / "out.png")).get_size() == (800, 480)


@pytest.mark.parametrize("time", ["17:00", "18:30", "19:05", "19:20"])
def test_the_floor_menu_at_every_time_at_table_and_door(screen: Screen, tmp_path: Path, time: str) -> None:
    for which in ("floor:1", "floor"):
        assert screen("--until", f"2027-01-15T{time}:00+01:00", "--screen", which, "--size", "800x480") == 0
        assert parts.image.load(str(tmp_path / "out.png")).get_size() == (800, 480)


def test_keys_lead_through_the_floor_menu_and_the_rules_answer(screen: Screen, tmp_path: Path) -> None:
    seen: list[bytes] = []
    out = tmp_path / "out.png"
    bust = "item:0,item:0,down,enter,enter"
    for keys in ("down", "up", "item:0", "item:0,item:0", bust, f"{bust},answer", f"{bust},no-answer"):
        until = "2027-01-15T19:05:00+01:00"
        assert screen("--until", until, "--screen", "floor:1", "--size", "800x480", "--keys", keys) == 0
        seen.append(out.read_bytes())
    assert len(set(seen)) == len(seen)


def test_the_same_arguments_give_the_same_picture(screen: Screen, tmp_path: Path) -> None:
    arguments = ("--until", "2027-01-15T19:05:00+01:00", "--screen", "table:1", "--size", "800x480")
    assert screen(*arguments, out="a.png") == screen(*arguments, out="b.png") == 0
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    later = ("--until", "2027-01-15T19:05:01+01:00", *arguments[2:])
    assert screen(*later, out="c.png") == 0
    assert (tmp_path / "a.png").read_bytes() != (tmp_path / "c.png").read_bytes()


@pytest.mark.parametrize(
    ("time", "participant"),
    [
        ("17:00", "000101"),  # nothing announced
        ("18:00", "000101"),  # not open yet
        ("18:30", "000900"),  # identity check
        ("18:30", "000101"),  # registered already
        ("19:05", "000102"),  # a seat
        ("19:15", "000101"),  # out
        ("19:15", "000900"),  # too late
    ],
)
def test_every_answer_to_a_card(screen: Screen, tmp_path: Path, time: str, participant: str) -> None:
    until = f"2027-01-15T{time}:00+01:00"
    size = ("--size", "800x480", "--until", until, "--screen", "door")
    assert screen(*size, out="without.png") == 0
    assert screen(*size, "--tap", participant) == 0
    assert (tmp_path / "out.png").read_bytes() != (tmp_path / "without.png").read_bytes()


AT_TABLE = ("--until", "2027-01-15T19:05:00+01:00", "--screen", "table:1", "--size", "800x480")


def test_a_tracked_hand_is_shown_as_it_was_keyed_in(screen: Screen, tmp_path: Path) -> None:
    pictures = set()
    for name, keys, options in (
        ("none", "", ()),
        ("begun", "# nothing yet", ()),
        ("raised", "fold 150 raise\n", ()),
        ("command", '{"do": "act", "position": 2, "action": "fold"}\n150 raise', ()),
        ("keys", "fold 150 raise", ("--pad",)),
        ("refused", "fold 60 raise", ("--pad",)),
        ("cards", "fold seat-1 cards AsKd", ("--pad",)),
        ("pushed", "fold 100+25 push", ("--pad",)),
        ("chips", "fold 100 plus 25 push", ("--pad",)),
    ):
        file = tmp_path / f"{name}.keys"
        file.write_text(keys, encoding="utf-8")
        hand = () if name == "none" else ("--hand", str(file))
        assert screen(*AT_TABLE, *hand, *options, out=f"{name}.png") == 0
        pictures.add((tmp_path / f"{name}.png").read_bytes())
    assert len(pictures) == 7, "the command says what the keys say"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("fold\nfodl", "2: 'fodl' is no key: fold, check-call, raise, all-in, push, unclear, uncounted, plus"),
        ("100+ push", "1: '100+' is no key"),
        ('{"do": "act"}', "1: "),
        ("[1]", "1: '[1]' is no key"),
        ("{1}", "1: "),
        ('{"do": "act", "position": 0, "action": "fold"}', "1: It is another player's turn. (not-your-turn {"),
        ("fold fold fold next", "1: next: the next hand begins in the script"),
        (None, "No such file"),
    ],
)
def test_a_hand_that_cannot_be_keyed_in_names_the_line_and_the_reason(
    screen: Screen, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None, reason: str
) -> None:
    file = tmp_path / "hand.keys"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    assert screen(*AT_TABLE, "--hand", str(file)) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert reason in error
    assert not (tmp_path / "out.png").exists()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--screen", "table:1", "--pad"), "--pad with --hand"),
        (("--screen", "door", "--hand", "x"), "--screen table:N"),
        (
            ("--screen", "table:1", "--until", "2027-01-15T18:30:00+01:00", "--hand", "x"),
            "--hand: The round is not running. (not-running",
        ),
        (("--screen", "floor:9"), "no such table"),
        (("--screen", "floor:x"), "floor:N"),
        (("--screen", "floor:1", "--keys", "sideways"), "up, down, enter"),
        (("--screen", "floor:1", "--keys", "back"), "leaves the menu"),
        (("--screen", "floor:1", "--keys", "answer"), "nothing was asked"),
        (("--screen", "floor:1", "--tap", "000101"), "card:NUMBER"),
        (("--screen", "table:1", "--keys", "down"), "--screen floor"),
        (("--screen", "table:777"), "no such table"),
        (("--screen", "table:7", "--until", "2027-01-15T19:05:00+01:00"), "no such table: it has 1"),
        (("--screen", "window"), "table:N"),
        (("--screen", "door:1"), "table:N"),
        (("--screen", "door", "--size", "wide"), "1920x1080"),
        (("--screen", "door", "--size", "10x10"), "at least"),
        (("--screen", "door", "--size", "99999x99999"), "at most"),
        (("--screen", "door", "--lang", "de"), "cs or en"),
        (("--screen", "door", "--until", "yesterday"), "--until"),
        (("--screen", "door", "--tap", "Jan"), "digits"),
        (("--screen", "clock", "--tap", "000101"), "no reader"),
        (("--screen", "door", "--tap", "refused:late"), "refused:CODE with unknown, revoked"),
        (("--screen", "door", "--tap", "answer"), "nothing was asked"),
        (("--screen", "door", "--state", "asleep"), "director-offline, director-unheard, reader-offline"),
        (("--screen", "door", "--state", "reader-missing="), "reader-missing=NAME"),
        (("--screen", "door", "--turn", "-1"), "from 0"),
        (("--screen", "starting", "--turn", "1"), "no evening"),
        (("--screen", "attention"), "--says PROBLEM REMEDY"),
        (("--screen", "door", "--says", "a", "b"), "--screen attention"),
        (("--screen", "door", "--roster", "none.jsonl"), "none.jsonl: No such file"),
    ],
)
def test_an_argument_that_cannot_be_served_is_one_line_and_2(
    screen: Screen, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], reason: str
) -> None:
    assert screen(*arguments) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert reason in error
    assert not (tmp_path / "out.png").exists()


ROSTER: tuple[dict[str, Any], ...] = (
    {"type": "roster-entry/1", "data": {"participant": "000101", "state": "active", "name": "Jan Novák", "lang": "en"}},
    {"type": "roster-entry/1", "data": {"participant": "000900", "state": "active", "role": "commissioner"}},
    {"type": "standings/1", "data": {"season": "2027", "as_of": 1_800_000_000_000, "participants": 1,
                                     "rows": [{"place": 1, "participant": "000101", "points_half": 21}]}},
    {"at": "2027-01-15T18:30:00+01:00", "type": "notice/1", "data": {"text_cs": "Guláš!", "text_en": "Goulash!"}},
)  # fmt: skip


@pytest.fixture
def roster(tmp_path: Path) -> Path:
    file = tmp_path / "league.jsonl"
    file.write_text("# the league\n\n" + "\n".join(map(json.dumps, ROSTER)), encoding="utf-8")
    return file


DOOR = ("--screen", "door", "--size", "800x480", "--until")
BEFORE, OPENED, FRESH, OLD, PLAY = (
    f"2027-01-15T{time}:00+01:00" for time in ("18:00", "18:20", "18:30", "18:45", "19:05")
)


@pytest.mark.parametrize(
    ("without", "with_"),
    [
        ((*DOOR, OPENED, "--tap", "000101"), ("--roster", "FILE")),  # a name, in English
        ((*DOOR, FRESH, "--roster", "FILE"), ("--lang", "en")),  # the announcement
        ((*DOOR, OPENED, "--roster", "FILE", "--turn", "0"), ("--turn", "1")),
        ((*DOOR, OPENED), ("--venue", "Brno-Židenice")),
        ((*DOOR, OPENED, "--roster", "FILE", "--tap", "weak:000900"), ("--touch",)),
        ((*DOOR, OPENED, "--tap", "000119"), ("--tap", "weak:000119")),
        *(((*DOOR, PLAY), ("--state", state)) for state in ("director-offline", "director-unheard", "reader-offline",
          "reader-missing=door-2", "one-copy", "printer-out", "printer-offline", "floor-called=2", "time-called=1")),
        (("--screen", "table:1", "--until", PLAY, "--state", "floor-called=2"), ("--state", "floor-called=1")),
        (("--screen", "attention", "--says", "A", "B"), ("--says", "A", "C")),
        (("--screen", "starting"), ("--lang", "en")),
        ((*DOOR, OPENED), ("--theme", "light")),
    ],
)  # fmt: skip
def test_every_option_is_seen(
    screen: Screen, tmp_path: Path, roster: Path, without: tuple[str, ...], with_: tuple[str, ...]
) -> None:
    def told(arguments: tuple[str, ...]) -> list[str]:
        return [str(roster) if each == "FILE" else each for each in arguments]

    assert screen(*told(without), out="without.png") == screen(*told(without), *told(with_), out="with.png") == 0
    assert (tmp_path / "without.png").read_bytes() != (tmp_path / "with.png").read_bytes()


def test_an_announcement_counts_from_when_it_was_written(screen: Screen, tmp_path: Path, roster: Path) -> None:
    for out, until in (("old.png", OLD), ("before.png", BEFORE)):
        assert screen(*DOOR, until, "--turn", "0", out=f"plain-{out}") == 0
        assert screen(*DOOR, until, "--turn", "0", "--roster", str(roster), out=out) == 0
    assert (tmp_path / "old.png").read_bytes() != (tmp_path / "plain-old.png").read_bytes()
    assert (tmp_path / "before.png").read_bytes() == (tmp_path / "plain-before.png").read_bytes()


@pytest.mark.parametrize("code", [code.value for code in MEANINGS])
def test_every_refused_card_can_be_seen(screen: Screen, code: str) -> None:
    assert screen(*DOOR, OPENED, "--tap", f"refused:{code}") == 0


def test_two_cards_and_an_answer_register_a_player(screen: Screen, tmp_path: Path, roster: Path) -> None:
    seen = set()
    for cards in ("000119", "000119,000900", "000119,000900,answer", "000119,000900,no-answer", "000900"):
        assert screen(*DOOR, OPENED, "--roster", str(roster), "--tap", cards) == 0
        seen.add((tmp_path / "out.png").read_bytes())
    assert len(seen) == 5


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "1: "),
        ("[]", "1: a line is"),
        ('{"type": "roster-entry/1", "data": {"participant": "Jan"}}', "1: roster-entry/1: "),
        ('{"type": "roster-entry/9", "data": {}}', "1: type: 'roster-entry/9' is none of roster-entry/1"),
        ('{"type": "notice/1", "at": "soon", "data": {"text_cs": "", "text_en": ""}}', "1: "),
        ('{"type": "notice/1", "at": true, "data": {"text_cs": "", "text_en": ""}}', "1: at: "),
        (b"\xff", "not UTF-8"),
    ],
)
def test_a_roster_that_cannot_be_read_names_file_line_and_reason(
    screen: Screen, tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str | bytes, reason: str
) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_bytes(line if isinstance(line, bytes) else line.encode())
    assert screen(*DOOR, OPENED, "--roster", str(file)) == 2
    error = capsys.readouterr().err
    assert error.startswith("tableside screen: ") and error.count("\n") == 1
    assert str(file) in error
    assert reason in error


def test_a_bad_script_names_file_line_and_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "bad.jsonl"
    script.write_text(json.dumps(LINES[0]) + '\n{"at": "2027-01-15T18:01:00+01:00", "do": "opn", "round": "R1"}\n')
    assert main(["screen", str(script), "--screen", "door", "-o", str(tmp_path / "out.png")]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"tableside screen: {script}:2: ")
    assert error.count("\n") == 1


def test_a_missing_script_and_a_missing_folder(
    screen: Screen, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["screen", str(tmp_path / "none.jsonl"), "--screen", "door", "-o", str(tmp_path / "out.png")]) == 2
    assert "none.jsonl" in capsys.readouterr().err
    assert screen("--screen", "door", out="no/out.png") == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--screen", "door", "--venue", "\udcff"), "--venue: not UTF-8"),
        (("--screen", "door", "--venue", "\u200b"), "--venue: nothing of it can be seen"),
        (("--screen", "door", "--state", "reader-missing=\udcff"), "--state reader-missing="),
        (("--screen", "door", "--state", "reader-missing=\u200b"), "--state reader-missing="),
        (("--screen", "attention", "--says", "\udcff", "x"), "--says PROBLEM: not UTF-8"),
        (("--screen", "attention", "--says", "x", "\x07"), "--says REMEDY: U+0007 is a control character"),
        (("--screen", "floor:1", "--keys", "item:" + "9" * 5000), "--keys item:999"),
        (("--screen", "floor:1", "--keys", "char:\udcff"), ""),
        (("--screen", "floor:1", "--keys", "char:\u200b"), ""),
    ],
)  # fmt: skip
def test_a_text_that_cannot_be_shown_is_one_line(
    screen: Screen, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], said: str
) -> None:
    code = screen("--size", "320x240", *options)
    told = capsys.readouterr().err
    assert (code, told.count("\n")) == ((2, 1) if said else (0, 0)), told
    assert f"tableside screen: {said}" in told if said else True


@pytest.mark.parametrize("name", ["Jan\0 N.", "\u200b", "\0", "\ufeff"])
def test_the_leagues_names_are_shown_as_screens_show_them(screen: Screen, tmp_path: Path, name: str) -> None:
    roster = tmp_path / "league.jsonl"
    lines = (
        {"type": "roster-entry/1", "data": {"participant": f"{n:06}", "state": "active", "name": name}}
        for n in range(101, 105)
    )
    roster.write_text("".join(json.dumps(line) + "\n" for line in lines))
    for which in ("table:1", "door", "clock", "floor:1"):
        assert screen("--roster", str(roster), "--screen", which, "--size", "640x360") == 0


@pytest.mark.parametrize("option", ["--roster", "--hand", "--style"])
def test_a_pipe_is_not_waited_for(
    screen: Screen, tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert screen("--screen", "table:1", option, str(tmp_path / "pipe")) == 2
    assert capsys.readouterr().err.count("not a plain file") == 1


def test_a_script_that_is_a_pipe_is_not_waited_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipe = str(tmp_path / "pipe")
    os.mkfifo(pipe)
    for command in (
        ["screen", pipe, "--screen", "door", "-o", str(tmp_path / "x.png")],
        ["round", pipe],
        ["cash", pipe],
        ["hand", pipe],
    ):
        assert main(command) == 2
        assert capsys.readouterr().err == f"tableside {command[0]}: {pipe}: not a plain file\n"


def test_a_folder_that_is_not_there_is_named_once(
    screen: Screen, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert screen("--screen", "door", out="nodir/x.png") == 2
    assert capsys.readouterr().err == f"tableside screen: {tmp_path}/nodir/x.png: No such file or directory\n"
