"""The ruling helper (I-1 to I-17) as a form: what happened, the facts one by one, the procedure, the record."""

from __future__ import annotations

from collections.abc import Iterator

from appliance.floor.fields import texts
from appliance.floor.forms import Field, Filled, Here
from appliance.floor.said import Said, Several, Small, Text
from appliance.game.ruleset import RuleSet
from appliance.game.rulings.book import TITLES, is_borrowed
from appliance.game.rulings.evaluate import Open, RulingError, rule
from appliance.game.rulings.facts import FACTS
from appliance.game.rulings.labels import BORROWED, CHOSEN, DECIDES, OUTCOMES
from appliance.game.rulings.model import Choice, Fact, Outcome
from appliance.game.rulings.sources import DOCUMENTS
from appliance.i18n import N_

FACT = "fact-"
"""What a field's name begins with that is a fact of the ruling."""

WHAT = Field(name="ruling", label=N_("What happened?"), kind="choice", choices=tuple(TITLES.items()))


def fields(here: Here, filled: Filled) -> tuple[Field, ...]:
    """What was asked so far, and the next question; at the end, where the commissioner decides, decision and reason."""
    asked = [WHAT, *(_fact(name.removeprefix(FACT)) for name in filled if name.startswith(FACT))]
    answer = found(here, filled)
    if isinstance(answer, Open):
        asked.append(_fact(answer.fact))
    elif answer is not None and answer.decides:
        above = tuple(procedure(here, filled))
        decision = N_("What is decided?")
        asked.append(Field(name="decision", label=decision, kind="text", choices=texts(8), above=above))
        asked.append(Field(name="reason", label=N_("Reason"), kind="text", choices=texts(0, 3, 5)))
    return tuple(asked)


def found(here: Here, filled: Filled) -> Open | Outcome | None:
    """The next question or the procedure; None where it is not said yet what happened, or facts do not belong to it."""
    round, what = here.round, filled.get("ruling")
    if round is None or not isinstance(what, str):
        return None
    try:
        return rule(what, _facts(filled), round.rules)
    except RulingError:
        return None


def procedure(here: Here, filled: Filled) -> Iterator[Text]:
    """What is to be done, step by step, and where that is written."""
    outcome, round = found(here, filled), here.round
    if not isinstance(outcome, Outcome) or round is None:
        return
    yield OUTCOMES[outcome.code]
    for number, step in enumerate(outcome.steps, 1):
        yield Several((f"{number}.", step), " ")
    if outcome.decides:
        yield DECIDES
    yield Small(_source(outcome))
    yield from (Small(remark) for remark in _remarks(outcome, round.rules))


def title(filled: Filled) -> Text:
    """What happened."""
    return TITLES.get(str(filled.get("ruling")), "")


def _remarks(outcome: Outcome, rules: RuleSet) -> Iterator[Text]:
    if is_borrowed(outcome, rules):
        yield BORROWED
    if outcome.chosen:
        yield CHOSEN


def _source(outcome: Outcome) -> Text:
    written = tuple(Several((DOCUMENTS[source.document], source.section)) for source in outcome.sources)
    return Said(N_("Source: {source}"), {"source": Several(written, "; ")})


def _facts(filled: Filled) -> dict[str, Fact]:
    return {
        name.removeprefix(FACT): value
        for name, value in filled.items()
        if name.startswith(FACT) and isinstance(value, str | int)
    }


def _fact(name: str) -> Field:
    question = FACTS[name]
    if isinstance(question, Choice):
        choices = tuple(question.answers.items())
        return Field(name=FACT + name, label=question.question, kind="choice", choices=choices)
    return Field(
        name=FACT + name, label=question.question, kind="number", least=question.minimum, most=question.maximum
    )
