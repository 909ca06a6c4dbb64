"""``tableside ruling``: lists, asks, tells, in two languages and as JSON."""

from __future__ import annotations

import json
import re

import pytest

from appliance.cli import main
from appliance.game.ruleset import PROFILES
from appliance.game.rulings.book import TITLES, table


def test_facts_and_options_may_stand_in_any_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert ruling("I-5", "error=no-burn", "acted=0", "--profile", "cpl", "--lang", "en") == 0
    told = capsys.readouterr().out
    for words in (
        ("I-5", "--profile", "cpl", "error=no-burn", "acted=0", "--lang", "en"),
        ("--lang", "en", "I-5", "error=no-burn", "--profile=cpl", "acted=0"),
    ):
        assert ruling(*words) == 0
        assert capsys.readouterr().out == told


def test_what_is_missing_is_named_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        ruling()
    assert ended.value.code == 2
    assert capsys.readouterr().err == "tableside ruling: the following arguments are required: LIST|ID\n"


def ruling(*words: str) -> int:
    return main(["ruling", *words])


@pytest.mark.parametrize("word", ["list", "LIST", "List"])
@pytest.mark.parametrize("profile", PROFILES)
def test_the_list_has_every_id_with_its_title(capsys, word: str, profile: str) -> None:
    assert ruling(word, "--profile", profile) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(TITLES)
    assert lines[1].startswith("I-2   Později rozdávaná karta se otočila")


def test_the_list_marks_what_a_house_takes_from_the_association(capsys) -> None:
    def borrowed(profile: str) -> list[str]:
        assert ruling("list", "--json", "--profile", profile) == 0
        return [entry["ruling"] for entry in json.loads(capsys.readouterr().out)["rulings"] if entry["borrowed"]]

    assert borrowed("tda-2024") == []
    assert borrowed("cpl") == borrowed("cpl-2017") == ["I-16"]
    assert borrowed("casino-2012") == ["I-3", "I-4", "I-8", "I-9", "I-10", "I-14", "I-15"]
    assert ruling("list", "--profile", "cash-2012", "--lang", "en") == 0
    assert "I-3   More than one dealt card turned up  (TDA 2024)" in capsys.readouterr().out.splitlines()


def test_without_facts_the_first_open_question_comes_with_its_answers(capsys) -> None:
    assert ruling("I-5") == 0
    out = capsys.readouterr().out.splitlines()
    assert out[:2] == ["I-5   Chybně vyložený flop".replace("   ", "  "), "Co se s flopem stalo?"]
    assert [line.split()[0] for line in out[2:]] == [
        "error=too-many",
        "error=too-soon",
        "error=no-burn",
        "error=more-burns",
    ]


def test_below_an_answer_that_decides_stands_what_is_to_be_done(capsys) -> None:
    assert ruling("I-2", "--lang", "en") == 0
    out = capsys.readouterr().out
    assert "How many players had acted" in out
    assert "  acted=0…1\n    The card is replaced after the deal (replace-card)\n    1. " in out
    assert "  acted=2…10\n    Play on (deal-on)\n" in out


def test_with_the_facts_the_procedure_is_told_step_by_step_with_its_source(capsys) -> None:
    assert ruling("i-6", "acted=0") == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "I-6  Turn vyložený předčasně"
    assert out[1] == "Karta jde stranou, turn je další (turn-set-aside)"
    assert [line[:2] for line in out[2:7]] == ["1.", "2.", "3.", "4.", "5."]
    assert out[7:] == ["Zdroj: Provozní řád České pokerové ligy (2017), příloha 2, Nesrovnalosti."]


def test_a_document_is_named_once_with_all_of_its_sections(capsys) -> None:
    assert ruling("I-1", "substantial=no", "--profile", "casino-2012", "--lang", "en") == 0
    out = capsys.readouterr().out
    assert "Source: Casino tournament rules (2012), a card turned up in the deal; TDA rules 2024, 35-C.\n" in out
    assert ruling("I-3", "substantial=no", "--profile", "tda-2024", "--lang", "en") == 0
    assert "Source: TDA rules 2024, 35-A, 35-C.\n" in capsys.readouterr().out


def test_I_13_it_is_said_that_the_decision_is_recorded(capsys) -> None:
    assert ruling("I-13", "--lang", "en") == 0
    assert "The commissioner decides: decision and reason are recorded." in capsys.readouterr().out


def test_a_borrowed_and_a_chosen_procedure_say_so(capsys) -> None:
    assert ruling("I-10", "--profile", "casino-2012", "--lang", "en") == 0
    out = capsys.readouterr().out
    assert "The house's own rules are silent: as TDA 2024 has it." in out
    assert "a chosen procedure" in out
    assert ruling("I-10", "--profile", "tda-2024", "--lang", "en") == 0
    assert "are silent" not in capsys.readouterr().out


def test_a_question_as_json(capsys) -> None:
    assert ruling("I-17", "what=action-since", "--profile", "tda-2024", "--lang", "en", "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer == {
        "ruling": "I-17",
        "title": "A dealer's mistake in the deal or on the board",
        "profile": "tda-2024",
        "facts": {"what": "action-since"},
        "ask": {
            "fact": "actions",
            "question": "How many actions in turn have there been? Blinds do not count.",
            "minimum": 0,
            "maximum": 20,
        },
    }
    assert ruling("I-12", "--profile", "tda-2024", "--json") == 0
    assert json.loads(capsys.readouterr().out)["ask"]["answers"] == {"flop": "flop", "turn": "turn", "river": "river"}


def test_a_procedure_as_json(capsys) -> None:
    assert ruling("I-12", "separable=no", "--profile", "casino-2012", "--lang", "en", "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["outcome"] == "split-pot"
    assert len(answer["steps"]) == 2
    assert answer["sources"] == [
        {"document": "C", "title": "Casino tournament rules (2012)", "section": "board cards turned too soon"}
    ]
    assert (answer["commissioner_decides"], answer["chosen"], answer["borrowed"]) == (False, False, False)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["I-0"], "I-0"),
        (["I-18"], "I-18"),
        (["turn"], "TURN"),
        (["I-2", "acted=11"], "acted"),
        (["I-2", "acted=-1"], "acted"),
        (["I-2", "acted=two"], "acted"),
        (["I-2", "acted=²"], "acted"),
        (["I-2", "acted"], "acted"),
        (["I-2", "=1"], "=1"),
        (["I-2", "acted=1", "acted=1"], "acted"),
        (["I-2", "chips=1"], "chips"),
        (["I-8", "acted=1"], "acted"),
        (["I-5", "error=none"], "error"),
        (["I-2", "acted=" + "9" * 5000], "acted"),
        (["I-2", "a\nb=1"], "a\\nb"),
        (["list", "acted=1"], "acted"),
        (["I-2", "--profile", "cpl-2018"], "--profile"),
        (["list", "--profile", "cpl-2018"], "--profile"),
        (["I-2", "--lang", "de"], "--lang"),
    ],
)
def test_what_there_is_not_is_named_in_one_line(capsys, words: list[str], named: str) -> None:
    assert ruling(*words) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert error.startswith("tableside ruling: ") and error.count("\n") == 1
    assert named in error and len(error) < 300


@pytest.mark.parametrize("profile", PROFILES)
def test_I_5_a_fact_that_only_another_house_asks_for_may_be_given(capsys, profile: str) -> None:
    for words in (("I-5", "error=no-burn", "acted=0"), ("I-5", "error=no-burn", "any_action=no", "acted=0")):
        assert ruling(*words, "--profile", profile) == 0, capsys.readouterr().err
    assert ruling("I-5", "error=no-burn", "weather=bad", "--profile", profile) == 2
    assert ruling("I-5", "error=no-burn", "acted=many", "--profile", profile) == 2
    assert ruling("I-13", "acted=0", "--profile", profile) == 2


@pytest.mark.parametrize("profile", PROFILES)
def test_every_page_of_every_ruling_calls_a_hand_a_hand(capsys, profile: str) -> None:
    """In Czech a hand is a handa: hra is the evening or the game."""
    for title in TITLES:
        for outcome in (row.then for row in table(title, PROFILES[profile]).rows):
            said = " ".join(step.cs for step in outcome.steps)
            assert not re.search(r"\b(této|tatáž|další|rozehran\w+) (hr[ayu]|hře|hrou)\b", said), said
