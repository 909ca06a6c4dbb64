"""Players who are away from the table, and those who wait for the button by choice (S-5, S-8)."""

from __future__ import annotations

from appliance.game.dealing import may_choose, upcoming
from appliance.game.event import Event
from appliance.game.play import Arrival
from appliance.game.play_commands import (
    Absent,
    Present,
    SitOut,
)
from appliance.game.play_events import AbsentMarked, PresentMarked, SatOut
from appliance.game.refusal import Refusal, not_in_play, not_running
from appliance.game.seating import occupied_tables
from appliance.game.state import Round


def verify_sit_out(round: Round, command: SitOut, _at_ms: int) -> Refusal | None:
    """Why a player may not wait for the button: it is not the house's way, or no blind falls to them next (S-5).

    Only one who came since the table's last hand has the choice: settled players post their blinds.
    """
    if refusal := not_running(round) or not_in_play(round, command.participant):
        return refusal
    if round.rules.moved_in != "may-wait":
        return Refusal("sit-out-not-allowed", {"profile": round.profile})
    seat = round.players[command.participant].seat
    if seat is None or not may_choose(round, seat):
        positions = upcoming(round, seat.table) if seat else None
        where = {"table": seat.table, "seat": seat.seat} if seat else {}
        blinds = {"sb": positions.sb, "bb": positions.bb} if positions else {}
        return Refusal("not-on-blind", {"participant": command.participant, **where, **blinds})
    return None


def do_sit_out(_round: Round, command: SitOut, _at_ms: int) -> tuple[Event, ...]:
    """The player is dealt in once the button is on their seat or has passed it, or when they take it back."""
    return (SatOut(participant=command.participant),)


def verify_absent(round: Round, command: Absent, _at_ms: int) -> Refusal | None:
    """Why nobody can be marked as away: they do not play, or are marked already (S-8)."""
    if refusal := not_running(round) or not_in_play(round, command.participant):
        return refusal
    if round.players[command.participant].absent:
        return Refusal("already-absent", {"participant": command.participant})
    return None


def do_absent(_round: Round, command: Absent, _at_ms: int) -> tuple[Event, ...]:
    """The stack stays where it is: dealt in, posting its blinds (S-8)."""
    return (AbsentMarked(participant=command.participant),)


def verify_present(round: Round, command: Present, _at_ms: int) -> Refusal | None:
    """Why nobody is back: they are not away, or only so many tables are left that they cannot return (S-8)."""
    if refusal := not_running(round) or not_in_play(round, command.participant):
        return refusal
    if not round.players[command.participant].absent:
        if sits_out(round, command.participant):
            return None
        return Refusal("not-absent", {"participant": command.participant})
    tables = len(occupied_tables(round))
    if tables <= round.rules.absent_returns_above_tables:
        return Refusal("cannot-return", {"participant": command.participant, "tables": tables})
    return None


def do_present(_round: Round, command: Present, _at_ms: int) -> tuple[Event, ...]:
    """The player is back; one who sat out is looked at like a newcomer again."""
    return (PresentMarked(participant=command.participant),)


def sits_out(round: Round, participant: str) -> bool:
    """Whether the player chose to wait for the button."""
    seat = round.players[participant].seat
    return seat is not None and round.tables[seat.table].arrivals.get(seat.seat) is Arrival.SITS_OUT
