"""``tableside ruling LIST|ID [name=value …]``: what to do about an irregularity, or what to ask first (I-1 to I-17)."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from appliance.apps import INTERMIXED
from appliance.game.ruleset import PROFILES, RuleSet
from appliance.game.rulings.book import TITLES, is_borrowed, table
from appliance.game.rulings.evaluate import Open, RulingError, read_facts, rule
from appliance.game.rulings.labels import BORROWED, CHOSEN, DECIDES, OUTCOMES, SOURCE
from appliance.game.rulings.model import Choice, Condition, Outcome, Span
from appliance.game.rulings.sources import DOCUMENTS
from appliance.game.rulings.words import Lang

_LANGUAGES: dict[str, Lang] = {"cs": "cs", "en": "en"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What happened, what is known of it, whose rules, and how to print it."""
    parser.set_defaults(**{INTERMIXED: True})
    parser.usage = "tableside ruling LIST|ID [name=value …] [--profile P] [--lang LANG] [--json]"
    parser.add_argument("ruling", metavar="LIST|ID", help="list, or what happened: I-1 to I-17")
    parser.add_argument("facts", nargs="*", default=[], metavar="name=value", help="what is known, such as acted=1")
    parser.add_argument("--profile", default="cpl-2017", metavar="P", help="whose rules; cpl-2017")
    parser.add_argument("--lang", default="cs", metavar="LANG", help="cs or en; cs unless told")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print the list, the next question or the procedure; 2 on an id, fact, profile or language there is not."""
    try:
        rules = _profile(args.profile)
        lang = _lang(args.lang)
        facts = read_facts(args.facts)
        wanted = args.ruling.upper()
        if wanted == "LIST":
            if facts:
                raise RulingError(next(iter(facts)), "a list takes no facts")
            found: dict[str, Any] = {"profile": args.profile, "rulings": _list(rules, lang)}
            lines: Iterator[str] = map(_entry, found["rulings"])
        else:
            answer = rule(wanted, facts, rules)
            found = {"ruling": wanted, "title": TITLES[wanted].say(lang), "profile": args.profile, "facts": facts}
            found |= _question(answer, lang) if isinstance(answer, Open) else _procedure(answer, rules, lang)
            lines = _page(wanted, answer, rules, lang)
    except RulingError as error:
        print(f"tableside ruling: {error}", file=sys.stderr)
        return 2
    if args.json:
        print(json.dumps(found, ensure_ascii=False, separators=(",", ":")))
    else:
        print(*lines, sep="\n")
    return 0


def _profile(name: str) -> RuleSet:
    if name not in PROFILES:
        raise RulingError("--profile", f"{name[:40]!r} is none of {', '.join(PROFILES)}")
    return PROFILES[name]


def _lang(name: str) -> Lang:
    if name not in _LANGUAGES:
        raise RulingError("--lang", f"{name[:40]!r} is none of {', '.join(_LANGUAGES)}")
    return _LANGUAGES[name]


def _list(rules: RuleSet, lang: Lang) -> list[dict[str, Any]]:
    """Every id with its title, the facts it may ask for, and whether the house takes all of it from elsewhere."""
    return [
        {
            "ruling": ruling,
            "title": title.say(lang),
            "facts": list(table(ruling, rules).facts),
            "borrowed": all(is_borrowed(row.then, rules) for row in table(ruling, rules).rows),
        }
        for ruling, title in TITLES.items()
    ]


def _entry(entry: Mapping[str, Any]) -> str:
    return f"{entry['ruling']:<5} {entry['title']}" + ("  (TDA 2024)" if entry["borrowed"] else "")


def _question(asked: Open, lang: Lang) -> dict[str, Any]:
    question = asked.question
    ask: dict[str, Any] = {"fact": asked.fact, "question": question.question.say(lang)}
    if isinstance(question, Choice):
        ask["answers"] = {value: text.say(lang) for value, text in question.answers.items()}
    else:
        ask |= {"minimum": question.minimum, "maximum": question.maximum}
    return {"ask": ask}


def _procedure(outcome: Outcome, rules: RuleSet, lang: Lang) -> dict[str, Any]:
    return {
        "outcome": outcome.code,
        "steps": [step.say(lang) for step in outcome.steps],
        "sources": [
            {
                "document": source.document,
                "title": DOCUMENTS[source.document].say(lang),
                "section": source.section.say(lang),
            }
            for source in outcome.sources
        ],
        "commissioner_decides": outcome.decides,
        "chosen": outcome.chosen,
        "borrowed": is_borrowed(outcome, rules),
    }


def _page(ruling: str, answer: Open | Outcome, rules: RuleSet, lang: Lang) -> Iterator[str]:
    """The procedure; or the open question, with what follows at once from an answer below it."""
    yield f"{ruling}  {TITLES[ruling].say(lang)}"
    if isinstance(answer, Outcome):
        yield from _told(answer, rules, lang)
        return
    yield answer.question.question.say(lang)
    for condition, outcome in answer.leads:
        yield f"  {_answered(answer, condition, lang)}"
        if outcome:
            yield from (f"    {line}" for line in _told(outcome, rules, lang))


def _answered(asked: Open, condition: Condition, lang: Lang) -> str:
    """How an answer is given: ``acted=2…10``, ``error=no-burn`` with what that means."""
    if isinstance(condition, Span):
        return f"{asked.fact}={condition.low}" + (f"…{condition.high}" if condition.high > condition.low else "")
    meaning = asked.question.answers[condition].say(lang) if isinstance(asked.question, Choice) else ""
    return f"{asked.fact}={condition}  {meaning}"


def _told(outcome: Outcome, rules: RuleSet, lang: Lang) -> Iterator[str]:
    yield f"{OUTCOMES[outcome.code].say(lang)} ({outcome.code})"
    yield from (f"{number}. {step.say(lang)}" for number, step in enumerate(outcome.steps, 1))
    if outcome.decides:
        yield DECIDES.say(lang)
    yield f"{SOURCE.say(lang)}: {'; '.join(_written(outcome, lang))}."
    if is_borrowed(outcome, rules):
        yield BORROWED.say(lang)
    if outcome.chosen:
        yield CHOSEN.say(lang)


def _written(outcome: Outcome, lang: Lang) -> Iterator[str]:
    """Each document once, with all of its sections."""
    for document in dict.fromkeys(source.document for source in outcome.sources):
        sections = (source.section.say(lang) for source in outcome.sources if source.document == document)
        yield f"{DOCUMENTS[document].say(lang)}, {', '.join(sections)}"
