"""Sitting down and standing up, as the state of tables: used by the fold only."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from appliance.game import clock as clocks
from appliance.game.play import Arrival
from appliance.game.state import ClockState, Entry, Round, Table
from appliance.game.values import Seat


def new_table(number: int, entry: Entry, seats: Mapping[int, str]) -> Table:
    """A table at the level of ``entry`` whose button is still to be placed."""
    return Table(
        number=number,
        seats=seats,
        level=entry.level,
        small_blind=entry.sb,
        big_blind=entry.bb,
        ante=entry.ante,
    )


def cleared(table: Table) -> Table:
    """The table with nobody at it: its hand numbers would go on, its button would be placed anew."""
    return replace(
        table, seats={}, button=None, sb=None, bb=None, sb_seat=None, bb_seat=None, chips=None,
        arrivals={}, dealer=None, last_bb=None, balanced=False, time_call=None,
    )  # fmt: skip


def check_seat(round: Round, seat: Seat) -> None:
    """Raises LookupError for a seat that the announcement does not have."""
    if seat.table not in round.table_numbers or seat.seat > round.seats_per_table:
        raise LookupError(f"no seat {seat.seat} at table {seat.table}")


def join(round: Round, participant: str, seat: Seat, at_ms: int, *, arrives: bool = True) -> Round:
    """The round with the participant at a free seat; a table nobody sat at opens at the level of now.

    ``arrives``: they are new there, so that the next hand has to look whether they are dealt in (S-5).
    """
    check_seat(round, seat)
    table = round.tables.get(seat.table)
    if table is None:
        clock = clocks.settle(round.structure, round.clock or ClockState(0, False), at_ms)
        table = new_table(seat.table, round.structure[clock.entry], {})
    if seat.seat in table.seats:
        raise ValueError(f"{table.seats[seat.seat]} sits at {seat}")
    table = replace(
        table,
        seats=dict(sorted([*table.seats.items(), (seat.seat, participant)])),
        arrivals={**table.arrivals, seat.seat: Arrival.NEW} if arrives else table.arrivals,
    )
    player = replace(round.players[participant], seat=seat)
    return replace(
        round,
        players={**round.players, participant: player},
        tables={**round.tables, seat.table: table},
    )


def leave(round: Round, seat: Seat) -> Round:
    """The round with a seat empty, and what its player was told to do no longer told.

    Chips stay at the table; from an emptied one they went nobody knows where.
    """
    table = round.tables[seat.table]
    gone = table.seats[seat.seat]
    if gone in round.instructions:
        told = {participant: where for participant, where in round.instructions.items() if participant != gone}
        round = replace(round, instructions=told)
    seats = {number: participant for number, participant in table.seats.items() if number != seat.seat}
    if seats:
        return replace(round, tables={**round.tables, seat.table: _without(table, seat.seat, seats)})
    tables = {number: replace(other, chips=None) for number, other in round.tables.items()}
    return replace(round, tables={**tables, seat.table: cleared(table)})


def _without(table: Table, seat: int, seats: Mapping[int, str]) -> Table:
    arrivals, call = table.arrivals, table.time_call
    if seat in arrivals:
        arrivals = {number: how for number, how in arrivals.items() if number != seat}
    if call is not None and call.participant == table.seats[seat]:
        call = None
    return replace(table, seats=seats, arrivals=arrivals, time_call=call)
