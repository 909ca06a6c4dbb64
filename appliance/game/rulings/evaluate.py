"""From facts to a procedure (I-1 to I-17): what to ask next, or what is to be done."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from appliance.game.ruleset import PROFILES, RuleSet
from appliance.game.rulings.book import TITLES, table
from appliance.game.rulings.facts import FACTS
from appliance.game.rulings.model import Choice, Condition, Fact, Outcome, Question, Row, Span, Table

_NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)


RulingCode = Literal["ruling-incomplete", "no-such-ruling", "fact-not-asked", "no-such-answer"]
"""Something has still to be told; an id, a fact or an answer that there is not."""


class RulingError(ValueError):
    """Why there is no ruling: the ``field`` that is to blame, and the ``code`` of a refusal for it."""

    def __init__(self, field: str, reason: str, code: RulingCode = "no-such-answer") -> None:
        shown = field[:40]
        super().__init__(f"{shown if shown.isprintable() else ascii(shown)}: {reason}")
        self.field = field
        self.code = code


class Open(NamedTuple):
    """A fact that is still to be asked for; ``leads``: by condition, what an answer decides at once, else None."""

    fact: str
    question: Question
    leads: tuple[tuple[Condition, Outcome | None], ...]


def rule(ruling: str, facts: Mapping[str, Fact], rules: RuleSet) -> Open | Outcome:
    """The procedure for what happened, or the first question that is still open. Raises `RulingError`."""
    if ruling not in TITLES:
        raise RulingError(ruling, f"there is no such ruling; there are I-1 to I-{len(TITLES)}", "no-such-ruling")
    asked = table(ruling, rules)
    for name, answer in facts.items():
        if name not in asked.facts and not _asked_elsewhere(ruling, name):
            raise RulingError(name, f"not asked here; {_listed(asked.facts)}", "fact-not-asked")
        check(name, answer)
    return decide(asked, facts)


def decide(asked: Table, facts: Mapping[str, Fact]) -> Open | Outcome:
    """The outcome of the row that is left, or the first fact that one of several rows needs."""
    rows = [row for row in asked.rows if _fits(row, facts)]
    for name in asked.facts:
        if name not in facts and any(name in row.when for row in rows):
            return Open(name, FACTS[name], tuple(_leads(rows, name, asked, facts)))
    (row,) = rows
    return row.then


def check(name: str, answer: Fact) -> None:
    """Raises `RulingError` unless this is an answer to the question for this fact."""
    question = FACTS[name]
    if isinstance(question, Choice):
        if answer not in question.answers:
            raise RulingError(name, f"{str(answer)[:40]!r} is none of {', '.join(question.answers)}")
    elif not isinstance(answer, int) or not question.minimum <= answer <= question.maximum:
        raise RulingError(name, f"{str(answer)[:40]!r} is not a number from {question.minimum} to {question.maximum}")


def read_facts(words: list[str]) -> dict[str, Fact]:
    """Facts as ``name=value`` pairs. Raises `RulingError` for a word that is none, or a name that is there twice."""
    facts: dict[str, Fact] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not (name and equals):
            raise RulingError(word, "is not a fact such as acted=2")
        if name in facts:
            raise RulingError(name, "is there twice")
        facts[name] = int(value) if _NUMBER.fullmatch(value) else value
    return facts


def _asked_elsewhere(ruling: str, name: str) -> bool:
    """Whether another house asks for this fact when that happens: here it does not matter."""
    return any(name in table(ruling, rules).facts for rules in PROFILES.values())


def _listed(facts: tuple[str, ...]) -> str:
    return f"the facts are {', '.join(facts)}" if facts else "there are no facts to give"


def _fits(row: Row, facts: Mapping[str, Fact]) -> bool:
    """Whether no known fact speaks against the row."""
    return all(name not in facts or _holds(condition, facts[name]) for name, condition in row.when.items())


def _holds(condition: Condition, answer: Fact) -> bool:
    if isinstance(condition, Span):
        return isinstance(answer, int) and condition.low <= answer <= condition.high
    return condition == answer


def _leads(
    rows: list[Row], name: str, asked: Table, facts: Mapping[str, Fact]
) -> Iterator[tuple[Condition, Outcome | None]]:
    for condition in dict.fromkeys(row.when[name] for row in rows if name in row.when):
        answer = condition.low if isinstance(condition, Span) else condition
        found = decide(asked, {**facts, name: answer})
        yield condition, found if isinstance(found, Outcome) else None
