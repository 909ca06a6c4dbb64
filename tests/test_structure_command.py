"""``tableside structure`` proposes what can be announced, as JSON or as a table in two languages."""

from __future__ import annotations

import json

import pytest

from appliance.cli import main
from appliance.i18n import NBSP

USUAL = {"--players": "18", "--stack": "4000", "--chips": "25,100,500,1000,5000", "--minutes": "240"}


def structure(*more: str, **changes: str) -> int:
    options = {**USUAL, **{f"--{name.replace('_', '-')}": value for name, value in changes.items()}}
    return main(["structure", *(word for option in options.items() for word in option), *more])


def test_T_16_the_proposal_is_one_json_object_whose_levels_an_announcement_takes(capsys) -> None:
    assert structure("--json", break_every="4", level_minutes="20", ante="bb") == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["levels"][:2] == [{"sb": 25, "bb": 50, "minutes": 20}, {"sb": 50, "bb": 100, "minutes": 20}]
    assert answer["levels"][4] == {"break": 10}
    assert answer["levels"][5] == {"sb": 150, "bb": 300, "ante": 300, "minutes": 20}
    assert answer["colour_ups"] == [{"denomination": 25, "to": 100, "before_level": 9, "entry": 10}]
    assert answer["starting_stack"] == {"25": 8, "100": 8, "500": 2, "1000": 2}
    assert (answer["profile"], answer["ante_by"], answer["minutes"]) == ("cpl-2017", "bb", 240)
    assert (answer["players"], answer["stack"], answer["end_big_blinds"]) == (18, 4000, 18)


def test_T_16_without_antes_nothing_is_said_of_who_pays_them(capsys) -> None:
    assert structure("--json") == 0
    assert "ante_by" not in json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("profile", "first"), [("cpl", "100/200"), ("casino-2012", "100/100"), ("tda-2024", "100/100")]
)
def test_CK_1_the_small_blind_is_by_the_profile(capsys, profile: str, first: str) -> None:
    assert structure(profile=profile, chips="100,500,1000") == 0
    assert f"Úroveň 1    {first} " in capsys.readouterr().out


def test_T_16_the_table_is_czech_unless_told(capsys) -> None:
    assert structure(ante="player") == 0
    czech = capsys.readouterr().out.splitlines()
    assert czech[0] == f"Základní stack 4{NBSP}000: 8 × 25, 8 × 100, 2 × 500, 2 × 1{NBSP}000"
    assert czech[2].split() == ["0:00", "Úroveň", "1", "25/50", "20", "min"]
    assert czech[5].split() == ["1:00", "Úroveň", "4", "100/200", "ante", "25", "20", "min"]
    assert czech[11].split() == ["2:50", "Přestávka", "10", "min", "výměna", "25", "→", "100"]
    assert czech[15].strip() == "4:00"
    assert czech[-1] == "Na konci mají všechny žetony dohromady hodnotu 18 big blindů."


def test_T_16_the_table_in_english(capsys) -> None:
    assert structure("--lang", "en", ante="bb", break_every="0") == 0
    english = capsys.readouterr().out
    assert "Level 6     200/400  BB ante 400" in english and "Break" not in english
    assert "min  change up 25 to 100\n" in english
    assert english.endswith("are worth 18 big blinds.\n")


def test_CK_5_the_chip_set_may_say_how_many_there_are(capsys) -> None:
    assert structure("--json", chips="25x144,100x400,500x36,1000") == 0
    assert json.loads(capsys.readouterr().out)["starting_stack"] == {"25": 8, "100": 8, "500": 2, "1000": 2}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"players": "2"}, "players"),
        ({"players": "many"}, "players"),
        ({"players": "1" * 30}, "players"),
        ({"stack": "-5"}, "stack"),
        ({"stack": "4000.5"}, "stack"),
        ({"chips": "25,100,25"}, "chips"),
        ({"chips": "25,"}, "chips"),
        ({"chips": "25x"}, "chips"),
        ({"chips": "25*4"}, "chips"),
        ({"chips": "100,500", "stack": "4050"}, "chips"),
        ({"minutes": "0"}, "minutes"),
        ({"minutes": "٢٤٠"}, "minutes"),
        ({"level_minutes": "x"}, "level-minutes"),
        ({"level_minutes": "5", "minutes": "900"}, "level-minutes"),
        ({"profile": "house"}, "profile"),
        ({"profile": "cash-2012"}, "profile"),
        ({"ante": "dealer"}, "ante"),
        ({"break_every": "4x"}, "break-every"),
        ({"break_every": "mm"}, "break-every"),
        ({"break_minutes": "-1"}, "break-minutes"),
        ({"break_minutes": "90", "level_minutes": "20"}, "break-minutes"),
        ({"lang": "de"}, "lang"),
    ],
)
def test_T_16_a_bad_wish_is_one_line_that_names_the_field(capsys, changes: dict[str, str], field: str) -> None:
    assert structure(**changes) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.splitlines()) == 1 and said.err.startswith(f"tableside structure: --{field}: ")
