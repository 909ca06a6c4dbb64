"""The round's instructions → the moves a screen tells: who goes where, dealt in when (S-3 to S-6). Pure."""

from __future__ import annotations

from collections.abc import Callable

from appliance.display.view import Move
from appliance.game.play import Arrival, Instruction
from appliance.game.state import Phase, Round

UNTRACKED_MINUTES = 10
"""How long a move is told where no next hand will end it: at a table whose hands nobody tracks."""


def moves(round: Round | None, at_ms: int, who: Callable[[str], str], table: int | None = None) -> tuple[Move, ...]:
    """What is to be told now, of one table only if it is given: those who leave it, those who come to it.

    In the order of the seats they come from.
    """
    if round is None or round.phase is not Phase.RUNNING or not round.instructions:
        return ()
    told = [each for each in round.instructions.values() if _holds(round, each, at_ms) and _concerns(each, table)]
    told.sort(key=lambda each: (each.source or each.target, each.target))
    return tuple(_move(round, each, who) for each in told)


def _holds(round: Round, told: Instruction, at_ms: int) -> bool:
    """Whether it is still to be told; in whole minutes, at which screens are made anew."""
    table = round.tables.get(told.target.table)
    if table is None or table.seats.get(told.target.seat) != told.participant:
        return False
    return table.hand > 0 or at_ms // 60_000 - told.at // 60_000 < UNTRACKED_MINUTES


def _concerns(told: Instruction, table: int | None) -> bool:
    source = told.source.table if told.source else None
    return table is None or table in (source, told.target.table)


def _move(round: Round, told: Instruction, who: Callable[[str], str]) -> Move:
    """One who chose to sit out since is dealt in after the button, whatever was told first.

    Who drew the seat they had already is told where they sit, not that they go there.
    """
    source = told.source if told.source != told.target else None
    chose = round.tables[told.target.table].arrivals.get(told.target.seat) is Arrival.SITS_OUT
    return Move(
        who=who(told.participant),
        source=(source.table, source.seat) if source else None,
        target=(told.target.table, told.target.seat),
        deals_in="after-button" if chose else told.deals_in,
    )
