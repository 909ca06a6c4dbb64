"""The tables decide every combination of answers once, and say it in both languages."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import get_args

import pytest

from appliance.game.ruleset import PROFILES
from appliance.game.rulings import model
from appliance.game.rulings.book import TITLES, table
from appliance.game.rulings.evaluate import Open, decide
from appliance.game.rulings.facts import FACTS
from appliance.game.rulings.labels import BORROWED, CHOSEN, DECIDES, OUTCOMES, SOURCE
from appliance.game.rulings.model import Choice, Fact, Outcome, Question, Span, Table
from appliance.game.rulings.sources import DOCUMENTS
from appliance.game.rulings.words import Words

EVERY = [(profile, ruling) for profile in PROFILES for ruling in TITLES]

_LETTERS = re.compile(r"[ěščřžýáíéúůťďňĚŠČŘŽÝÁÍÉÚŮŤĎŇóÓ]")


def answers(question: Question) -> list[Fact]:
    if isinstance(question, Choice):
        return list(question.answers)
    return list(range(question.minimum, question.maximum + 1))


def telling(name: str, asked: Table) -> list[Fact]:
    """Answers enough: every value of a choice, of a number the ends and those beside where a row begins or ends."""
    every = answers(FACTS[name])
    ends = {every[0], every[-1]}
    for row in asked.rows:
        if isinstance(span := row.when.get(name), Span):
            ends |= {span.low - 1, span.low, span.high, span.high + 1}
    return every if isinstance(FACTS[name], Choice) else [answer for answer in every if answer in ends]


def holds(row: model.Row, facts: dict[str, Fact]) -> bool:
    """Written anew, so that the evaluator is not its own witness."""
    for name, condition in row.when.items():
        fact = facts[name]
        if isinstance(condition, str):
            if fact != condition:
                return False
        elif not (isinstance(fact, int) and condition.low <= fact <= condition.high):
            return False
    return True


def outcomes() -> Iterator[Outcome]:
    for profile, ruling in EVERY:
        for row in table(ruling, PROFILES[profile]).rows:
            yield row.then


def texts() -> Iterator[tuple[str, Words]]:
    for ruling, title in TITLES.items():
        yield ruling, title
    for name, question in FACTS.items():
        yield name, question.question
        if isinstance(question, Choice):
            for value, text in question.answers.items():
                yield f"{name}={value}", text
    for found in outcomes():
        for step in found.steps:
            yield found.code, step
        for source in found.sources:
            yield found.code, source.section
    for code, label in OUTCOMES.items():
        yield code, label
    for document, title in DOCUMENTS.items():
        yield document, title
    for label in (BORROWED, CHOSEN, DECIDES, SOURCE):
        yield "label", label


@pytest.mark.parametrize(("profile", "ruling"), EVERY)
def test_any_answers_fit_exactly_one_row(profile: str, ruling: str) -> None:
    asked = table(ruling, PROFILES[profile])
    for combination in itertools.product(*(telling(name, asked) for name in asked.facts)):
        facts = dict(zip(asked.facts, combination, strict=True))
        fitting = [row for row in asked.rows if holds(row, facts)]
        assert len(fitting) == 1, facts
        assert decide(asked, facts) is fitting[0].then


@pytest.mark.parametrize(("profile", "ruling"), EVERY)
def test_asking_one_fact_at_a_time_always_ends_in_a_procedure(profile: str, ruling: str) -> None:
    asked = table(ruling, PROFILES[profile])
    reached: set[int] = set()

    def ask(facts: dict[str, Fact]) -> None:
        found = decide(asked, facts)
        if isinstance(found, Outcome):
            reached.add(id(found))
            return
        assert found.fact not in facts
        for answer in answers(found.question):
            ask({**facts, found.fact: answer})

    ask({})
    assert reached == {id(row.then) for row in asked.rows}


@pytest.mark.parametrize(("profile", "ruling"), EVERY)
def test_what_an_open_question_shows_are_all_of_its_answers(profile: str, ruling: str) -> None:
    asked = table(ruling, PROFILES[profile])

    def look(facts: dict[str, Fact]) -> None:
        found = decide(asked, facts)
        if not isinstance(found, Open):
            return
        shown: list[Fact] = []
        for condition, at_once in found.leads:
            given = list(range(condition.low, condition.high + 1)) if isinstance(condition, Span) else [condition]
            shown += given
            for answer in given:
                after = decide(asked, {**facts, found.fact: answer})
                assert (after if isinstance(after, Outcome) else None) is at_once
        assert sorted(shown, key=str) == sorted(answers(found.question), key=str)
        for answer in shown:
            look({**facts, found.fact: answer})

    look({})


@pytest.mark.parametrize(("profile", "ruling"), EVERY)
def test_a_table_asks_for_nothing_that_no_row_needs(profile: str, ruling: str) -> None:
    asked = table(ruling, PROFILES[profile])
    assert set(asked.facts) == {name for row in asked.rows for name in row.when}


def test_every_id_is_there_and_every_question_is_asked_somewhere() -> None:
    assert list(TITLES) == [f"I-{n}" for n in range(1, 18)]
    assert set(FACTS) == {fact for profile, ruling in EVERY for fact in table(ruling, PROFILES[profile]).facts}


def test_every_outcome_has_steps_a_source_and_a_name_and_every_name_is_used() -> None:
    for found in outcomes():
        assert found.steps and found.sources
        assert found.decides == (found.code in ("commissioner-decides", "bet-forfeited", "penalty"))
    assert set(OUTCOMES) == set(get_args(model.Code)) == {found.code for found in outcomes()}


def test_every_text_is_there_in_both_languages_and_neither_is_the_other() -> None:
    for where, words in texts():
        assert words.cs.strip() == words.cs != "", where
        assert words.en.strip() == words.en != "", where
        assert not _LETTERS.search(words.en), words.en


def test_steps_and_questions_are_whole_sentences_in_both_languages() -> None:
    for found in outcomes():
        for step in found.steps:
            assert step.cs.endswith(".") and step.en.endswith("."), step
            assert step.cs[0].isupper() and step.en[0].isupper(), step
    for question in FACTS.values():
        assert "?" in question.question.cs and "?" in question.question.en


def test_czech_steps_carry_their_diacritics() -> None:
    for found in outcomes():
        told = " ".join(step.cs for step in found.steps)
        assert len(_LETTERS.findall(told)) > len(told) / 30, told
