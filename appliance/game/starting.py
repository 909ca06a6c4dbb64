"""The start of the round: the draw of all seats and of the first button (S-1, S-2, S-9)."""

from __future__ import annotations

from collections.abc import Mapping

from appliance.game import clock as clocks
from appliance.game.button import nearest
from appliance.game.commands import (
    Start,
)
from appliance.game.draw import Draw, deal_one_each, highest
from appliance.game.event import Event
from appliance.game.events import Started
from appliance.game.refusal import Refusal
from appliance.game.seating import verify_place
from appliance.game.state import Phase, Round
from appliance.game.values import Seat


def verify_start(round: Round, command: Start, _at_ms: int) -> Refusal | None:
    """Why the round cannot start: not open, too few registered (T-1), or seats that cannot be."""
    match round.phase:
        case Phase.ANNOUNCED | Phase.MOVED:
            return Refusal("not-open")
        case Phase.RUNNING:
            return Refusal("already-running")
        case Phase.FINISHED:
            return Refusal("finished")
        case Phase.CANCELLED:
            return Refusal("cancelled")
        case _:
            return _verify_field(round) or _verify_fixed(round, command) or _verify_room(round, command)


def _verify_field(round: Round) -> Refusal | None:
    registered, minimum = len(round.players), round.rules.players_minimum
    return Refusal("too-few", {"registered": registered, "minimum": minimum}) if registered < minimum else None


def _verify_fixed(round: Round, command: Start) -> Refusal | None:
    if command.button is not None and command.button > round.seats_per_table:
        return Refusal("no-such-seat", {"seat": command.button, "seats": round.seats_per_table})
    taken: dict[Seat, str] = {}
    for participant, seat in _fixed_seats(round, command.seats).items():
        if participant not in round.players:
            return Refusal("not-registered", {"participant": participant})
        if refusal := verify_place(round, seat):
            return refusal
        if seat in taken:
            return Refusal("seat-taken", {"table": seat.table, "seat": seat.seat, "by": taken[seat]})
        taken[seat] = participant
    return None


def _verify_room(round: Round, command: Start) -> Refusal | None:
    """Why not everybody can be drawn a seat: locks keep too many of them free."""
    fixed = _fixed_seats(round, command.seats)
    free = sum(len(_open_seats(round, number, fixed)) for number in round.table_numbers)
    needed = len(round.players) - len(fixed)
    return Refusal("no-free-seat", {"needed": needed, "free": free}) if needed > free else None


def _fixed_seats(round: Round, given: Mapping[str, Seat]) -> dict[str, Seat]:
    """Seats that are not drawn: those reserved at registration, unless the start gives another, and the given."""
    reserved = {p.participant: p.reserved for p in round.players.values() if p.reserved is not None}
    return {**reserved, **given}


def do_start(round: Round, command: Start, at_ms: int, seed: int) -> tuple[Event, ...]:
    """Draw seats and button from the seed, start the clock."""
    seats = draw_seats(round, _fixed_seats(round, command.seats), seed)
    tables: dict[int, list[int]] = {}
    for seat in sorted(seats.values()):
        tables.setdefault(seat.table, []).append(seat.seat)
    cards: dict[int, str] = {}
    button = command.button
    if button is None:
        cards = deal_one_each(Draw(seed, "button"), tables[min(tables)])
        button = highest(cards)
    started = Started(
        seed=seed,
        seats=seats,
        buttons={number: nearest(occupied, button) for number, occupied in tables.items()},
        clock=clocks.begin(round.structure, at_ms),
        cards=cards,
    )
    return (started,)


def draw_seats(round: Round, fixed: Mapping[str, Seat], seed: int) -> dict[str, Seat]:
    """The draw (S-1): no more tables than needed, filled evenly, every free seat of a table as likely.

    Players are shuffled first, then each goes to the table with the fewest, the lowest number among equals,
    and takes the next of its shuffled free seats. Even filling keeps every table at two or more where that is
    possible (S-9). Locked seats stay free.
    """
    draw = Draw(seed, "seats")
    players = draw.shuffled([player for player in round.players if player not in fixed])
    free = {number: draw.shuffled(_open_seats(round, number, fixed)) for number in _tables_needed(round, fixed)}
    count = {number: sum(seat.table == number for seat in fixed.values()) for number in free}
    seats = dict(fixed)
    for player in players:
        number = min((n for n in free if free[n]), key=lambda n: (count[n], n))
        seats[player] = Seat(number, free[number].pop())
        count[number] += 1
    return {player: seats[player] for player in round.players}


def _tables_needed(round: Round, fixed: Mapping[str, Seat]) -> list[int]:
    """Tables to seat everybody at: those with fixed seats, then the announced ones in their order.

    One where locks leave a single seat comes last: who sat there would sit alone (S-9).
    """
    used = sorted({seat.table for seat in fixed.values()}, key=round.table_numbers.index)
    room = {number: len(_open_seats(round, number, fixed)) for number in round.table_numbers}
    others = sorted((number for number in round.table_numbers if number not in used), key=lambda n: room[n] < 2)
    missing = len(round.players) - len(fixed) - sum(room[number] for number in used)
    needed = list(used)
    for number in others:
        if missing <= 0:
            break
        if room[number]:
            needed.append(number)
            missing -= room[number]
    return needed


def _open_seats(round: Round, table: int, fixed: Mapping[str, Seat]) -> list[int]:
    closed = {seat.seat for seat in (*fixed.values(), *round.locked_seats) if seat.table == table}
    return [seat for seat in range(1, round.seats_per_table + 1) if seat not in closed]
