"""Tables of what each event makes of a round, and the steps that such functions share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec.structs import replace

from appliance.game.codec import EventError
from appliance.game.event import Event
from appliance.game.state import ClockState, Phase, Player, Round, Status, Table

E = TypeVar("E", bound=Event)
Fold = Callable[[E, Round, int], Round]

BEFORE_START = (Phase.ANNOUNCED, Phase.OPEN, Phase.MOVED)
PLAY = (Phase.RUNNING,)
PLAY_AND_AFTER = (Phase.RUNNING, Phase.FINISHED)


class Folds(dict[type[Event], Callable[[Any, Round, int], Round]]):
    """By the type of an event, the function that makes the next round of it, this round and the time (UTC ms).

    It raises `EventError`, LookupError or ValueError for an event that cannot follow: players and tables must tell
    the same afterwards, or nothing could be shown or decided of the round.
    """

    def of(self, kind: type[E], phases: tuple[Phase, ...] = PLAY) -> Callable[[Fold[E]], Fold[E]]:
        """Marks the function that folds events of this type, which happen in these phases only."""

        def register(function: Fold[E]) -> Fold[E]:
            def fold(event: E, round: Round, at_ms: int) -> Round:
                if round.phase not in phases:
                    raise EventError(f"{kind.__name__} cannot follow: the round is {round.phase.value}")
                return function(event, round, at_ms)

            self[kind] = fold
            return function

        return register


def standing(round: Round, participant: str, status: Status = Status.IN) -> Player:
    """The participant, who must be in the round and have this status."""
    player = round.players[participant]
    if player.status is not status:
        raise ValueError(f"{participant} is {player.status.value}, not {status.value}")
    return player


def everybody_in(round: Round) -> set[str]:
    """Who is in."""
    return {who for who, player in round.players.items() if player.status is Status.IN}


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
