"""Where people sit: the draw at the start, late seats, moves and the final table (S-1, S-2, S-6, S-9)."""

from __future__ import annotations

from collections.abc import Mapping

from appliance.game import clock as clocks
from appliance.game.button import nearest
from appliance.game.commands import FinalTable, Move, Start
from appliance.game.draw import Draw, deal_one_each, highest, strength
from appliance.game.event import Event
from appliance.game.events import FinalTableDrawn, Started
from appliance.game.play_events import PlayerMoved
from appliance.game.refusal import Refusal, not_in_play, not_running
from appliance.game.state import Phase, Round, Status, Table
from appliance.game.values import Seat, registration_order


def verify_place(round: Round, seat: Seat) -> Refusal | None:
    """Why there is no such place in this round."""
    if seat.table not in round.table_numbers:
        return Refusal("no-such-table", {"table": seat.table})
    if seat.seat > round.seats_per_table:
        return Refusal("no-such-seat", {"table": seat.table, "seat": seat.seat, "seats": round.seats_per_table})
    return None


def verify_seat(round: Round, seat: Seat) -> Refusal | None:
    """Why a seat cannot be given: there is none such, somebody sits there or it is kept for somebody."""
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


def free_tables(round: Round) -> list[Table]:
    """Tables in play that have a free seat, those with the fewest players only."""
    free = [table for table in occupied_tables(round) if len(table.seats) < round.seats_per_table]
    fewest = min((len(table.seats) for table in free), default=0)
    return [table for table in free if len(table.seats) == fewest]


def draw_free_seat(round: Round, purpose: str, number: int) -> Seat:
    """A free seat for one more player: drawn at a table with the fewest players, such tables drawn too."""
    draw = Draw(round.seed or 0, f"{purpose}/{number}")
    tables = free_tables(round)
    table = tables[draw.below(len(tables))]
    seats = [seat for seat in range(1, round.seats_per_table + 1) if seat not in table.seats]
    return Seat(table.number, seats[draw.below(len(seats))])


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
            return _verify_field(round) or _verify_fixed(round, command)


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
    possible (S-9).
    """
    draw = Draw(seed, "seats")
    players = draw.shuffled([player for player in round.players if player not in fixed])
    free = {number: _free_seats(round, number, fixed, draw) for number in _tables_needed(round, fixed)}
    count = {number: round.seats_per_table - len(seats) for number, seats in free.items()}
    seats = dict(fixed)
    for player in players:
        number = min((n for n in free if free[n]), key=lambda n: (count[n], n))
        seats[player] = Seat(number, free[number].pop())
        count[number] += 1
    return {player: seats[player] for player in round.players}


def _tables_needed(round: Round, fixed: Mapping[str, Seat]) -> list[int]:
    """Tables to seat everybody at: those with fixed seats, then the announced ones in their order."""
    used = sorted({seat.table for seat in fixed.values()}, key=round.table_numbers.index)
    needed = -(-len(round.players) // round.seats_per_table)
    others = [number for number in round.table_numbers if number not in used]
    return used + others[: max(0, needed - len(used))]


def _free_seats(round: Round, table: int, fixed: Mapping[str, Seat], draw: Draw) -> list[int]:
    taken = {seat.seat for seat in fixed.values() if seat.table == table}
    return draw.shuffled([seat for seat in range(1, round.seats_per_table + 1) if seat not in taken])


def verify_move(round: Round, command: Move, _at_ms: int) -> Refusal | None:
    """Why a player cannot sit there."""
    return not_running(round) or not_in_play(round, command.participant) or verify_seat(round, command.seat)


def do_move(round: Round, command: Move, _at_ms: int) -> tuple[Event, ...]:
    """The player sits at the new seat from the next hand on, with the duties of that seat (S-5)."""
    source = round.players[command.participant].seat
    return (PlayerMoved(participant=command.participant, source=source, target=command.seat),)


def verify_final_table(round: Round, _: FinalTable, _at_ms: int) -> Refusal | None:
    """Why there is no final table yet: more remain than it has seats."""
    if refusal := not_running(round):
        return refusal
    if round.left > round.seats_per_table:
        return Refusal("too-many", {"left": round.left, "seats": round.seats_per_table})
    return None


def do_final_table(round: Round, _: FinalTable, _at_ms: int) -> tuple[Event, ...]:
    """Everybody redraws at table 1, or the lowest number the round has (S-6).

    By cards: one is dealt to each, in the order of registration numbers; the highest is the dealer at seat 1
    and the rest sit clockwise in the order of their cards. By lot: seats are drawn, then the button, by the
    high card of S-2.
    """
    number = round.draws + 1
    draw = Draw(round.seed or 0, f"final/{number}")
    left = (p.participant for p in round.players.values() if p.status is Status.IN)
    players = sorted(left, key=registration_order)
    table = min(round.table_numbers)
    if round.rules.final_table == "cards":
        cards = deal_one_each(draw, players)
        order = sorted(players, key=lambda player: strength(cards[player]), reverse=True)
        seats = dict(enumerate(order, start=1))
        return (FinalTableDrawn(table=table, seats=seats, button=1, draw=number, cards=cards),)
    drawn = draw.shuffled(range(1, round.seats_per_table + 1))
    seats = dict(sorted(zip(drawn, players, strict=False)))
    at_seat = deal_one_each(draw, list(seats))
    by_player = {player: at_seat[seat] for seat, player in seats.items()}
    button = highest(at_seat)
    return (FinalTableDrawn(table=table, seats=seats, button=button, draw=number, cards=by_player),)
