"""The 500 crowns in 24 hours over all rounds of a venue (T-3). Pure.

The rules of one round know that round; here the others of the same evening are added. What was deposited at other
venues is known only if somebody told it (``deposits_24h``).
"""

from __future__ import annotations

from collections.abc import Iterable

from appliance.game.commands import (
    Register,
)
from appliance.game.entry import counted, elsewhere, over_limit
from appliance.game.play_commands import (
    Reenter,
)
from appliance.game.reentry import told_elsewhere
from appliance.game.refusal import Refusal
from appliance.game.state import Money, Phase, Player, Round


def next_door(rounds: Iterable[Round], here: str, participant: str) -> list[Money]:
    """What a participant deposited in the venue's other rounds, and did not get back."""
    return [
        money
        for other in rounds
        if other.id != here and other.phase is not Phase.CANCELLED and participant in other.players
        for money in other.players[participant].deposits
    ]


def registration(round: Round, rounds: Iterable[Round], command: Register, now: int) -> Refusal | None:
    """Why the announced deposit would be too much for this participant at ``now`` (UTC ms); None if it is not."""
    others = next_door(rounds, round.id, command.participant)
    return over_limit(round, [*elsewhere(command, now), *others], round.deposit, now)


def reentry(round: Round, rounds: Iterable[Round], command: Reenter, now: int) -> Refusal | None:
    """Why the deposit of a re-entry would be too much for this player of the round (T-3, T-11)."""
    player = round.players[command.participant]
    others = next_door(rounds, round.id, command.participant)
    return over_limit(round, [*player.deposits, *told_elsewhere(player, command, now), *others], round.deposit, now)


def top_up(round: Round, rounds: Iterable[Round], participant: str, amount: int, now: int) -> Refusal | None:
    """Why ``amount`` CZK more would be too much, counted with what came in next door since the registration."""
    player = round.players.get(participant)
    return None if player is None else over_limit(round, _all(player, rounds, round.id), amount, now)


def comes_back(before: Round, after: Round, rounds: Iterable[Round], now: int) -> Refusal | None:
    """Why deposits that an undo or a redo brings back would be too much by now; None if they are not."""
    others = list(rounds)
    for participant, player in after.players.items():
        if _held(after, participant) <= _held(before, participant):
            continue
        total, limit = counted(_all(player, others, after.id), now), after.rules.deposit_limit
        if total > limit:
            left = max(0, limit - total + player.deposit)
            return Refusal("deposit-limit", {"limit": limit, "left": left, "participant": participant})
    return None


def _all(player: Player, rounds: Iterable[Round], here: str) -> list[Money]:
    return [*player.deposits, *player.elsewhere, *next_door(rounds, here, player.participant)]


def _held(round: Round, participant: str) -> int:
    """What of a participant's money is in this round, CZK; a cancelled round has given it back."""
    player = round.players.get(participant)
    return 0 if player is None or round.phase is Phase.CANCELLED else player.deposit
