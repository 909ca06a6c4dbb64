"""The end, of a player's stack and of a round: the results as they will stand (T-4, T-6, T-8, LG-10)."""

from __future__ import annotations

from collections.abc import Mapping

from appliance.game.events import Finished
from appliance.game.fold import apply
from appliance.game.results import results
from appliance.game.state import Player, Round, Status


def taken_out(round: Round, player: Player) -> int:
    """The chips that leave play with a player (T-4): the stack last known, of a wrong count no more than there are."""
    return min(player.chips, round.chips)


def finished(round: Round, stacks: Mapping[str, int], reason: str | None, at_ms: int) -> Finished:
    """The final results, as they will stand with these stacks. A later one of the same round revises it."""
    over = apply(Finished(results=(), stacks=dict(stacks), reason=reason), round, at_ms)
    return Finished(results=results(over), stacks=dict(stacks), reason=reason)


def decided(round: Round, at_ms: int) -> tuple[Finished, ...]:
    """The end, once one player is left: the winner holds all chips (T-6). Nothing while two or more are in."""
    if round.left > 1:
        return ()
    stacks = {p.participant: round.chips for p in round.players.values() if p.status is Status.IN}
    return (finished(round, stacks, None, at_ms),)
