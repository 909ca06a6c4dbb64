"""``correct_points``: a preview as text and JSON, and a correction with who and why (P)."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.contrib.auth.models import User
from django.core.management import CommandError, ManagementUtility, call_command

from league.rounds.models import Season
from league.standings.models import PointsCorrection, Result
from league.standings.table import standings
from tests.league.processes import League
from tests.league.rounds_played import FLAT, STEEP, announcement, moves, planned, venue_plays

A, B, C, D = "000101", "000102", "000103", "000104"
APPLY = ["--apply", "--reason", "tabulka byla špatně opsaná", "--by", "clerk"]


@pytest.fixture
def played(imported: dict[str, Any], director_key: Ed25519PrivateKey) -> Season:
    for round, order in (("S1", [A, B, C, D]), ("S2", [B, C, D, A])):
        planned(round)
        venue_plays(director_key, announcement(round, points_key=FLAT), moves(order))
    User.objects.create_user("clerk", is_staff=True)
    User.objects.create_user("player")
    return Season.objects.get(year=2027)


@pytest.fixture
def steep(tmp_path: Path) -> Path:
    path = tmp_path / "steep.json"
    path.write_text(json.dumps(STEEP))
    return path


def run(*arguments: str | Path) -> str:
    out = StringIO()
    call_command("correct_points", "--season", "2027", *map(str, arguments), stdout=out)
    return out.getvalue()


def state() -> tuple[Any, ...]:
    return list(Result.objects.order_by("pk").values()), list(PointsCorrection.objects.values())


def test_P_without_apply_it_shows_who_moves_and_changes_nothing(played: Season, steep: Path) -> None:
    before = state()
    text = run("--key", steep)
    assert state() == before
    lines = text.splitlines()
    assert lines[0] == "Season 2027: points key corrected to steep"
    assert "S1: 4 registered, played under flat; counts by flat → steep" in lines
    table = [line.split() for line in lines if line.startswith("0001")]
    assert table == [
        [C, "70", "→", "85", "+15", "2.", "→", "3."],
        [B, "90", "→", "175", "+85", "1.", "→", "1."],
        [A, "70", "→", "120", "+50", "2.", "→", "2."],
        [D, "50", "→", "30", "-20", "4.", "→", "4."],
    ]
    assert lines[-2] == "4 of 4 participants move"
    assert lines[-1].startswith("preview: nothing was changed")


def test_P_the_preview_as_json_has_old_and_new_for_everybody(played: Season, steep: Path) -> None:
    found = json.loads(run("--key", steep, "--json"))
    assert (found["season"], found["key"]["name"], found["moved"], found["applied"]) == (2027, "steep", 4, False)
    assert found["participants"][0] == {
        "participant": C, "points": {"before": "70", "after": "85"}, "place": {"before": 2, "after": 3},
    }  # fmt: skip
    assert found["rounds"][0] == {
        "round": "S1", "registered": 4, "played_under": "flat", "key": {"before": "flat", "after": "steep"},
    }  # fmt: skip


def test_P_apply_records_who_and_why_and_a_second_time_does_nothing(played: Season, steep: Path) -> None:
    assert run("--key", steep, *APPLY).splitlines()[-1] == "recorded"
    row = PointsCorrection.objects.get()
    assert (row.by, row.reason, row.key["name"]) == ("clerk", "tabulka byla špatně opsaná", "steep")
    assert standings(played).lines[0].half_points == 350
    before = state()
    assert run("--key", steep, *APPLY) == (
        "season 2027 counts by this key (steep) already: correction 1 by clerk; nothing was changed\n"
    )
    again = json.loads(run("--key", steep, *APPLY, "--json"))
    assert (again["moved"], again["applied"]) == (0, False)
    assert state() == before


def test_P_a_correction_is_withdrawn_by_command_too(played: Season, steep: Path) -> None:
    run("--key", steep, *APPLY)
    assert "Season 2027: correction 1 is withdrawn" in run("--withdraw")
    assert PointsCorrection.objects.count() == 1
    assert json.loads(run("--withdraw", *APPLY, "--json"))["applied"] is True
    assert PointsCorrection.objects.count() == 2
    assert standings(played).lines[0].half_points == 180
    assert run("--withdraw", *APPLY) == "season 2027: no correction stands; nothing was changed\n"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{}", "name: is missing"),
        (json.dumps(STEEP | {"step": "5"}).encode(), "step: Expected `int`, got `str`"),
        (json.dumps(STEEP | {"stepp": 5}).encode(), "stepp: unknown field"),
        (json.dumps(STEEP | {"winner": {"3": -1}}).encode(), "winner"),
        (json.dumps(STEEP | {"step": 2.5}).encode(), "2.5 is not a whole number"),
        (b'{"name": "x", "name": "y"}', "name: is there twice"),
        (b"[1]", "not a JSON object"),
        (b"\xff", "not"),
        (json.dumps(STEEP | {"name": "a\ud800"}).encode(), "name: "),
        (json.dumps(STEEP | {"name": "a\0b"}).encode(), "name: "),
    ],
)
def test_P_a_bad_key_is_named_with_file_and_field_and_changes_nothing(
    played: Season, tmp_path: Path, content: bytes, said: str
) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    before = state()
    for options in ([], APPLY):
        with pytest.raises(CommandError) as caught:
            run("--key", path, *options)
        assert caught.value.returncode == 2
        assert str(caught.value).startswith(f"{path}: ")
        assert said in str(caught.value)
        assert "\n" not in str(caught.value)
    assert state() == before


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (["--apply", "--by", "clerk"], "--reason"),
        (["--apply", "--reason", " ", "--by", "clerk"], "--reason"),
        (["--apply", "--reason", "r" * 501, "--by", "clerk"], "--reason"),
        (["--apply", "--reason", "r"], "--by"),
        (["--apply", "--reason", "r", "--by", "player"], "--by: there is no member of staff 'player'"),
        (["--season", "2031"], "--season: there is no season 2031"),
    ],
)
def test_P_a_correction_without_who_or_why_is_refused(
    played: Season, steep: Path, changes: list[str], said: str
) -> None:
    before = state()
    with pytest.raises(CommandError) as caught:
        run("--key", steep, *changes)
    assert caught.value.returncode == 2
    assert said in str(caught.value)
    assert state() == before


def test_P_the_command_line_ends_with_status_2_and_one_line(league: League, tmp_path: Path) -> None:
    import subprocess

    missing = tmp_path / "none.json"
    command = [*league.command("correct_points"), "--season", "2027", "--key", str(missing)]
    done = subprocess.run(command, env=league.env, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.strip() == f"CommandError: {missing}: No such file or directory"


WRONG_ARGUMENTS = [
    ("--season", "２０２７", "--withdraw"),
    ("--season", "2_027", "--withdraw"),
    ("--season", "2027.5", "--withdraw"),
    ("--season", "9" * 30, "--withdraw"),
    ("--season", "2027"),
    ("--season", "2027", "--withdraw", "--no-such-option"),
]


@pytest.mark.parametrize("arguments", WRONG_ARGUMENTS)
def test_what_is_wrong_with_arguments_is_one_line(imported: dict[str, Any], capfd: Any, arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        ManagementUtility(["tableside league", "correct_points", *arguments]).execute()
    assert ended.value.code == 2
    assert capfd.readouterr().err.count("\n") == 1


def test_a_key_file_without_an_end_is_refused(imported: dict[str, Any]) -> None:
    with pytest.raises(CommandError, match="/dev/zero"):
        call_command("correct_points", "--season", "2027", "--key", "/dev/zero")
