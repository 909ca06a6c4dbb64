"""A round as a table goes on with it while nobody directs it: the same rules on a copy. Pure; nothing is written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from appliance.game.command import Command
from appliance.game.commands import NextHand
from appliance.game.refusal import Refusal
from appliance.game.round import decide, fold
from appliance.game.state import Ledger


class Given(NamedTuple):
    """A command that no director has carried out yet: its id, and when it was given (UTC ms)."""

    id: str
    command: Command
    at: int


def provisional(ledger: Ledger, given: Iterable[Given]) -> Ledger:
    """The ledger as these commands will leave it, in their order, if the rules let a director carry them out; one that
    they do not let through changes nothing."""
    for each in given:
        ledger, _ = gone_on(ledger, each)
    return ledger


def gone_on(ledger: Ledger, given: Given) -> tuple[Ledger, Refusal | None]:
    """The ledger after one of them, or why it cannot be."""
    decided = decide(ledger, given.command, given.at, given.id)
    if isinstance(decided, Refusal):
        return ledger, decided
    for event in decided:
        ledger = fold(ledger, event, given.at, given.id)
    return ledger, None


def at_its_level(command: NextHand, after: Ledger) -> NextHand:
    """The command with the level at which its hand began: a director may hear of it when another holds (CK-2)."""
    round = after.round
    if round is None or round.tables[command.table].level < 1:
        return command
    return NextHand(
        round=command.round, table=command.table, seen=command.seen, level=round.tables[command.table].level
    )
