"""Re-entry: once a person, on a late entrant's terms (T-11)."""

from __future__ import annotations

from appliance.game.entry import elsewhere, entries_taken, may_reenter, over_limit, rightly, told_before, told_now
from appliance.game.event import Event
from appliance.game.play_commands import (
    Reenter,
)
from appliance.game.play_events import Reentered
from appliance.game.refusal import Refusal, not_running
from appliance.game.seating import draw_free_seat, free_tables
from appliance.game.state import Money, Player, Round, Status


def verify_reenter(round: Round, command: Reenter, at_ms: int) -> Refusal | None:
    """Why this participant cannot enter again (T-11).

    Re-entry was not announced, they are not out, were excluded or voided, have re-entered before, late entrants are no
    longer taken, it would be too much money in 24 hours (T-3), or there is no seat.
    """
    if refusal := not_running(round):
        return refusal
    if not round.reentry:
        return Refusal("reentry-not-allowed")
    player = round.players.get(command.participant)
    if player is None:
        return Refusal("not-registered", {"participant": command.participant})
    if player.status is not Status.OUT:
        return Refusal("not-out", {"participant": command.participant, "status": player.status.value})
    if not may_reenter(player):
        return Refusal("reentry-used", {"participant": command.participant})
    if refusal := entries_taken(round, at_ms):
        return refusal
    deposits = rightly(round.times, player.deposits) + told_elsewhere(round, player, command, at_ms)
    if refusal := over_limit(round, deposits, round.deposit, at_ms):
        return refusal
    return None if free_tables(round) else Refusal("no-free-seat", {"tables": len(round.tables)})


def told_elsewhere(round: Round, player: Player, command: Reenter, at_ms: int) -> tuple[Money, ...]:
    """Deposits at other tournaments: as said now, which includes what was said before; as said before if not now."""
    return told_now(round, command, at_ms) or told_before(round, player)


def do_reenter(round: Round, command: Reenter, at_ms: int) -> tuple[Event, ...]:
    """The announced deposit, its chips and a drawn seat; the earlier place is no more (T-4, T-11)."""
    draw = round.draws + 1
    again = Reentered(
        participant=command.participant,
        deposit=round.deposit,
        chips=round.deposit * round.rules.chips_per_crown,
        seat=draw_free_seat(round, "reentry", draw),
        draw=draw,
        elsewhere=elsewhere(command, at_ms),
    )
    return (again,)
