"""A void participation: no place and no points, the others move up (LG-10)."""

from __future__ import annotations

from appliance.game.ending import decided, finished, taken_out
from appliance.game.event import Event
from appliance.game.fold import apply
from appliance.game.play_commands import (
    Void,
)
from appliance.game.play_events import Voided
from appliance.game.refusal import Refusal, not_running
from appliance.game.state import Phase, Round, Status


def verify_void(round: Round, command: Void, _at_ms: int) -> Refusal | None:
    """Why a participation cannot be voided: play has not begun, there is none, or it is void.

    Before the start a registration is taken back instead. A prize that the participant was paid is to be
    reclaimed and forbids nothing; those of others do, see `payments.verify_paid`.
    """
    if round.phase is not Phase.FINISHED and (refusal := not_running(round)):
        return refusal
    player = round.players.get(command.participant)
    if player is None:
        return Refusal("not-registered", {"participant": command.participant})
    return Refusal("already-void", {"participant": command.participant}) if player.status is Status.VOID else None


def do_void(round: Round, command: Void, at_ms: int) -> tuple[Event, ...]:
    """The participation is no more: one who was in stands up, the chips leave play (T-4).

    With one player left the round is over. After the end the results are told again, as they are now.
    """
    player = round.players[command.participant]
    chips = taken_out(round, player) if player.status is Status.IN else 0
    voided = Voided(participant=command.participant, reason=command.reason, chips=chips)
    after = apply(voided, round, at_ms)
    if after.finish is not None:
        return (voided, finished(after, after.finish.stacks, after.finish.reason, at_ms))
    return (voided, *decided(after, at_ms))
