"""What a decision table is made of (I-1 to I-17): questions, rows, and the procedure a row leads to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from msgspec import Struct

from appliance.game.rulings.words import Words

Fact = str | int
"""The answer to a question: one of its values, or a number."""

Document = Literal["A", "B", "C", "TDA"]
"""Whose rules: A the league's of 2017, B the league's older edition, C the casino's of 2012, TDA the Association's."""

Code = Literal[
    "misdeal",
    "deal-on",
    "replace-card",
    "skip-card",
    "burn-extra-card",
    "dead-hand",
    "reshuffle-flop",
    "scramble-flop",
    "complete-flop",
    "turn-set-aside",
    "reshuffle-turn",
    "reshuffle-river",
    "reshuffle-board",
    "split-pot",
    "next-card",
    "change-card",
    "correct-error",
    "bet-forfeited",
    "stays-folded",
    "hand-live",
    "show-to-all",
    "nothing-to-show",
    "penalty",
    "commissioner-decides",
]
"""What follows for the hand. Records keep these: none is ever renamed."""


class Choice(Struct, frozen=True):
    """A question with fixed answers, by the value that names each."""

    question: Words
    answers: Mapping[str, Words]


class Number(Struct, frozen=True):
    """A question for a whole number, both ends included."""

    question: Words
    minimum: int
    maximum: int


Question = Choice | Number


class Span(NamedTuple):
    """The numbers from ``low`` to ``high``, both included."""

    low: int
    high: int


Condition = str | Span
"""What a row asks of a fact: this answer, or a number within these."""


class Source(Struct, frozen=True):
    """Where a procedure is written: document, and section or number in it."""

    document: Document
    section: Words


class Outcome(Struct, frozen=True, kw_only=True):
    """What is to be done, step by step, and what becomes of the hand.

    ``decides``: a person has to decide something, and the decision is recorded with its reason (I-13). ``chosen``: the
    sources do not say it in so many words; it is what a floor manager would expect.
    """

    code: Code
    steps: tuple[Words, ...]
    sources: tuple[Source, ...]
    decides: bool = False
    chosen: bool = False


class Row(NamedTuple):
    """If all of ``when`` holds, ``then``; a fact that is not named may be anything."""

    when: Mapping[str, Condition]
    then: Outcome


class Table(Struct, frozen=True):
    """The facts in the order they are asked for, and rows of which exactly one fits any answers."""

    facts: tuple[str, ...]
    rows: tuple[Row, ...]


class Compound(Struct, frozen=True):
    """A question whose answers lead on to the house's tables of other ids."""

    fact: str
    parts: Mapping[str, str]
