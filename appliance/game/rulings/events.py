"""A ruling as it stands in a table's stream (I-13): what happened, what followed, and who decided why."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from appliance.game.event import Event
from appliance.game.ruleset import RuleSet
from appliance.game.rulings.evaluate import Open, RulingError, rule
from appliance.game.rulings.model import Fact
from appliance.game.values import Count, Ordinal, RoundId, TableNumber, Text

Name = Annotated[str, Meta(pattern=r"\A[a-z_]{1,32}\Z")]
Answer = Count | Annotated[str, Meta(max_length=32)]
RulingId = Annotated[str, Meta(pattern=r"\AI-[0-9]{1,3}\Z")]
OutcomeCode = Annotated[str, Meta(pattern=r"\A[a-z-]{1,32}\Z")]
"""One of `model.Code`; a later version may know more."""

_LONGEST = 500  # of a `Text`


class RulingMade(Event, frozen=True, kw_only=True):
    """`ruling-made`, version 1: the commissioner ruled on an irregularity, in ``hand`` or between hands (None).

    ``decision`` and ``reason`` are there whenever a person had to decide (I-13). ``round``: where the hand was, in a
    table's stream; ``table``: at which, in a round's.
    """

    ruling: RulingId
    facts: dict[Name, Answer]
    outcome: OutcomeCode
    decision: Text | None = None
    reason: Text | None = None
    hand: Ordinal | None = None
    round: RoundId | None = None
    table: TableNumber | None = None


def made(
    ruling: str,
    facts: dict[str, Fact],
    rules: RuleSet,
    *,
    decision: str | None = None,
    reason: str | None = None,
    hand: int | None = None,
    table: int | None = None,
) -> RulingMade:
    """The event of a ruling that is decided under this house's rules.

    Raises `RulingError`: an unknown id or fact, a fact that is still missing, or no decision or reason where the
    commissioner has to decide (I-13), or one that is too long.
    """
    outcome = rule(ruling, facts, rules)
    if isinstance(outcome, Open):
        raise RulingError(outcome.fact, "has still to be told", "ruling-incomplete")
    for field, text in (("decision", decision), ("reason", reason)):
        if outcome.decides and not (text and text.strip()):
            raise RulingError(field, "has to be told: the commissioner decides (I-13)", "ruling-incomplete")
        if text and len(text) > _LONGEST:
            raise RulingError(field, f"is longer than {_LONGEST} characters")
    return RulingMade(
        ruling=ruling,
        facts=dict(facts),
        outcome=outcome.code,
        decision=decision,
        reason=reason,
        hand=hand,
        table=table,
    )
