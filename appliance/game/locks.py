"""Locks: a player who stays where they sit, a seat that is kept free, when tables are evened out (S-1, S-3)."""

from __future__ import annotations

from appliance.game.event import Event
from appliance.game.play_commands import (
    Lock,
)
from appliance.game.play_events import PlayerLocked, SeatLocked
from appliance.game.refusal import Refusal, not_in_play
from appliance.game.seating import verify_place, verify_seat
from appliance.game.state import Phase, Round
from appliance.game.values import Seat


def verify_lock(round: Round, command: Lock, _at_ms: int) -> Refusal | None:
    """Why there is nothing to lock or unlock: outside of open and running rounds, or as it stands already."""
    match round.phase:
        case Phase.ANNOUNCED | Phase.MOVED:
            return Refusal("not-open")
        case Phase.FINISHED:
            return Refusal("finished")
        case Phase.CANCELLED:
            return Refusal("cancelled")
        case _:
            if command.participant is not None:
                return _verify_player(round, command.participant, command.on)
            return _verify_seat(round, _seat(command), command.on)


def _verify_player(round: Round, participant: str, on: bool) -> Refusal | None:
    player = round.players.get(participant)
    if player is None:
        return Refusal("not-registered", {"participant": participant})
    out = not_in_play(round, participant) if round.phase is Phase.RUNNING else None
    return out or _as_it_is(on, player.locked, {"participant": participant})


def _verify_seat(round: Round, seat: Seat, on: bool) -> Refusal | None:
    """An occupied seat is not locked: it is the player there who is to stay."""
    locked = seat in round.locked_seats
    refusal = verify_seat(round, seat) if on and not locked else verify_place(round, seat)
    return refusal or _as_it_is(on, locked, {"table": seat.table, "seat": seat.seat})


def _as_it_is(on: bool, locked: bool, what: dict[str, int | str]) -> Refusal | None:
    if on is locked:
        return Refusal("already-locked" if on else "not-locked", what)
    return None


def _seat(command: Lock) -> Seat:
    if command.seat is None:
        raise ValueError("a lock on nothing")
    return command.seat


def do_lock(_: Round, command: Lock, _at_ms: int) -> tuple[Event, ...]:
    """The lock holds from now until it is taken back; nobody moves because of it."""
    if command.participant is not None:
        return (PlayerLocked(participant=command.participant, on=command.on, reason=command.reason),)
    return (SeatLocked(seat=_seat(command), on=command.on, reason=command.reason),)
