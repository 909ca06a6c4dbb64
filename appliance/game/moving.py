"""Seating a player elsewhere by hand: the commissioner is believed, whatever the tables look like."""

from __future__ import annotations

from msgspec.structs import replace

from appliance.game.dealing import dealing, dealt_in
from appliance.game.event import Event
from appliance.game.fold import apply
from appliance.game.play_commands import (
    Move,
)
from appliance.game.play_events import PlayerMoved
from appliance.game.refusal import Refusal, not_in_play, not_running
from appliance.game.seating import verify_seat
from appliance.game.state import Round


def verify_move(round: Round, command: Move, _at_ms: int) -> Refusal | None:
    """Why a player cannot sit there: they are not in play, sit there already, or somebody else does.

    No lock forbids it, neither of the player nor of the seat.
    """
    if refusal := not_running(round) or not_in_play(round, command.participant):
        return refusal
    if round.players[command.participant].seat == command.seat:
        return Refusal("already-there", {"table": command.seat.table, "seat": command.seat.seat})
    return verify_seat(round, command.seat)


def do_move(round: Round, command: Move, at_ms: int) -> tuple[Event, ...]:
    """The player sits at the new seat from the next hand on, with the duties of that seat (S-5)."""
    moved = PlayerMoved(
        participant=command.participant, source=round.players[command.participant].seat, target=command.seat
    )
    after = apply(moved, round, at_ms)
    when = dealt_in(dealing(after, after.tables[command.seat.table]), command.seat.seat)
    return (moved if when == moved.deals_in else replace(moved, deals_in=when),)
