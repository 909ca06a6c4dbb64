"""Seats: which there are, which are free, and how one is drawn (S-1, S-9)."""

from __future__ import annotations

from appliance.game.draw import Draw
from appliance.game.refusal import Refusal
from appliance.game.state import Phase, Round, Table
from appliance.game.values import Seat


def verify_place(round: Round, seat: Seat) -> Refusal | None:
    """Why there is no such place in this round."""
    if seat.table not in round.table_numbers:
        return Refusal("no-such-table", {"table": seat.table})
    if seat.seat > round.seats_per_table:
        return Refusal("no-such-seat", {"table": seat.table, "seat": seat.seat, "seats": round.seats_per_table})
    return None


def verify_seat(round: Round, seat: Seat) -> Refusal | None:
    """Why a seat cannot be given: there is none such, somebody sits there or it is kept for somebody.

    A lock keeps a seat from draws only: a person who names it knows why.
    """
    if refusal := verify_place(round, seat):
        return refusal
    table = round.tables.get(seat.table)
    taken = table.seats.get(seat.seat) if table else None
    if round.phase is not Phase.RUNNING:
        taken = next((p.participant for p in round.players.values() if p.reserved == seat), None)
    if taken is not None:
        return Refusal("seat-taken", {"table": seat.table, "seat": seat.seat, "by": taken})
    return None


def occupied_tables(round: Round) -> list[Table]:
    """Tables with players, by number."""
    return sorted((table for table in round.tables.values() if table.seats), key=lambda table: table.number)


def free_seats(round: Round, table: Table) -> list[int]:
    """Seats of a table that can be drawn: nobody sits there, and no lock keeps them free."""
    locked = {seat.seat for seat in round.locked_seats if seat.table == table.number}
    return [seat for seat in range(1, round.seats_per_table + 1) if seat not in table.seats and seat not in locked]


def free_tables(round: Round) -> list[Table]:
    """Tables in play with a seat that can be drawn, those with the fewest players only."""
    free = [table for table in occupied_tables(round) if free_seats(round, table)]
    fewest = min((len(table.seats) for table in free), default=0)
    return [table for table in free if len(table.seats) == fewest]


def draw_free_seat(round: Round, purpose: str, number: int) -> Seat:
    """A free seat for one more player: drawn at a table with the fewest players, such tables drawn too."""
    draw = Draw(round.seed or 0, f"{purpose}/{number}")
    tables = free_tables(round)
    table = tables[draw.below(len(tables))]
    seats = free_seats(round, table)
    return Seat(table.number, seats[draw.below(len(seats))])
