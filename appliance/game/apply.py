"""Tables of what each event makes of a round, and the steps that such functions share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec.structs import replace

from appliance.game.codec import EventError
from appliance.game.event import Event
from appliance.game.state import ClockState, Player, Round, Table

E = TypeVar("E", bound=Event)
Fold = Callable[[E, Round, int], Round]


class Folds(dict[type[Event], Callable[[Any, Round, int], Round]]):
    """By the type of an event, the function that makes the next round of it, this round and the time (UTC ms)."""

    def of(self, kind: type[E]) -> Callable[[Fold[E]], Fold[E]]:
        """Marks the function that folds events of this type."""

        def register(function: Fold[E]) -> Fold[E]:
            self[kind] = function
            return function

        return register


def check_clock(round: Round, clock: ClockState) -> None:
    """Raises `EventError` for a clock beyond the structure's end."""
    if clock.entry >= len(round.structure):
        raise EventError(f"a clock at entry {clock.entry} of {len(round.structure)}")


def with_player(round: Round, player: Player) -> Round:
    """The round with this player as they stand now."""
    return replace(round, players={**round.players, player.participant: player})


def with_table(round: Round, table: Table) -> Round:
    """The round with this table as it stands now."""
    return replace(round, tables={**round.tables, table.number: table})


def with_more_chips(round: Round, number: int, chips: int) -> Round:
    """The round with so many chips more (or fewer) at a table, where its chips are known."""
    table = round.tables[number]
    return round if table.chips is None else with_table(round, replace(table, chips=max(0, table.chips + chips)))
