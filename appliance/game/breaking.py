"""Breaking a table: its players draw the free seats at the others (S-4), absent ones as the house has it (S-8)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from appliance.game.announcement import breaking_order
from appliance.game.dealing import dealing, dealt_in
from appliance.game.draw import Draw
from appliance.game.ending import decided, taken_out
from appliance.game.event import Event
from appliance.game.fold import apply
from appliance.game.handrounds import known_hand
from appliance.game.play import DealsIn
from appliance.game.play_commands import (
    BreakTable,
)
from appliance.game.play_events import TableBroken, TakenOut
from appliance.game.refusal import Refusal, not_running
from appliance.game.seating import free_seats, occupied_tables
from appliance.game.state import Round, Table
from appliance.game.values import Participant, Seat, registration_order


def next_to_break(round: Round) -> int | None:
    """The table that is due to be broken: the first in the order, once its players fit at the others (S-4).

    A proposal: the commissioner may break another, or wait. None while they do not fit, or at the last table.
    """
    if not_running(round):
        return None
    in_play = [table.number for table in occupied_tables(round)]
    order = breaking_order(round.breaking, round.table_numbers)
    number = next((number for number in order if number in in_play), None)
    return number if number is not None and _verify(round, number) is None else None


def verify_break_table(round: Round, command: BreakTable, _at_ms: int) -> Refusal | None:
    """Why the table cannot be broken: nobody sits there, it is the last one, or its players do not fit elsewhere.

    The order of breaking is no reason: the commissioner is believed.
    """
    return not_running(round) or _verify(round, command.table)


def _verify(round: Round, number: int) -> Refusal | None:
    table = round.tables.get(number)
    if table is None or not table.seats:
        return Refusal("no-such-table", {"table": number})
    others = _others(round, number)
    if not others:
        return Refusal("last-table", {"table": number})
    needed = len(table.seats) - len(absent_out(round, [table]))
    free = sum(len(free_seats(round, other)) for other in others)
    return Refusal("no-free-seat", {"needed": needed, "free": free}) if needed > free else None


def absent_out(round: Round, tables: Iterable[Table]) -> list[Participant]:
    """Who goes out when these tables are broken: the absent, where the house does not move their stacks (S-8)."""
    if round.rules.absent_when_broken == "moved":
        return []
    sitting = [who for table in tables for who in table.seats.values()]
    return sorted((who for who in sitting if round.players[who].absent), key=registration_order)


def take_out(round: Round, participants: Iterable[Participant], at_ms: int) -> tuple[list[TakenOut], Round]:
    """Those who go out with their tables, and the round without them.

    They rank as if they had gone out together in the hand after their table's last one: above whoever went out in
    that, among themselves by their stacks (T-7); of different tables the smaller stack first.
    """
    gone: list[TakenOut] = []
    hands = {table.number: known_hand(round, table.number) + 1 for table in occupied_tables(round)}
    for participant in sorted(participants, key=lambda who: round.players[who].chips):
        seat = round.players[participant].seat
        if seat is not None:
            gone.append(_out(round, participant, seat.table, hands[seat.table]))
            round = apply(gone[-1], round, at_ms)
    return gone, round


def _others(round: Round, number: int) -> list[Table]:
    return [table for table in occupied_tables(round) if table.number != number]


def do_break_table(round: Round, command: BreakTable, at_ms: int) -> tuple[Event, ...]:
    """Absent players go out where the house has it so, the others draw; with one player left the round is over."""
    gone, staying = take_out(round, absent_out(round, [round.tables[command.table]]), at_ms)
    broken = _broken(staying, command.table, at_ms)
    return (*gone, broken, *decided(apply(broken, staying, at_ms), at_ms))


def _out(round: Round, participant: str, table: int, hand: int) -> TakenOut:
    player = round.players[participant]
    chips = taken_out(round, player)
    return TakenOut(participant=participant, why="absent", chips=chips, table=table, hand=hand, stack=player.chips)


def _broken(round: Round, number: int, at_ms: int) -> TableBroken:
    draw = round.draws + 1
    seats = _drawn(round, number, Draw(round.seed or 0, f"break/{draw}"))
    broken = TableBroken(table=number, seats=seats, draw=draw)
    return replace(broken, deals_in=_waiting(apply(broken, round, at_ms), seats))


def _drawn(round: Round, number: int, draw: Draw) -> dict[Participant, Seat]:
    """The draw: each in turn, in a drawn order, sits at the table with the fewest, drawn among equals (S-4).

    Every free seat of that table is as likely; locked ones stay free.
    """
    free = {table.number: free_seats(round, table) for table in _others(round, number)}
    count = {table.number: len(table.seats) for table in _others(round, number)}
    seats: dict[Participant, Seat] = {}
    for participant in draw.shuffled([who for _, who in sorted(round.tables[number].seats.items())]):
        fewest = min(count[other] for other in free if free[other])
        tables = [other for other in free if free[other] and count[other] == fewest]
        table = tables[draw.below(len(tables))]
        seats[participant] = Seat(table, free[table].pop(draw.below(len(free[table]))))
        count[table] += 1
    return seats


def _waiting(round: Round, seats: dict[Participant, Seat]) -> dict[Participant, DealsIn]:
    """Of the players who sit there now, those who are not simply dealt in with the next hand (S-5)."""
    dealt = {number: dealing(round, round.tables[number]) for number in {seat.table for seat in seats.values()}}
    when = {participant: dealt_in(dealt[seat.table], seat.seat) for participant, seat in seats.items()}
    return {participant: how for participant, how in when.items() if how != "next-hand"}
