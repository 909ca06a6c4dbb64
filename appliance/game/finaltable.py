"""The final table: all who remain redraw their seats at one table (S-6)."""

from __future__ import annotations

from appliance.game.breaking import absent_out, take_out
from appliance.game.draw import Draw, deal_one_each, highest, strength
from appliance.game.ending import decided
from appliance.game.event import Event
from appliance.game.events import FinalTableDrawn
from appliance.game.play_commands import (
    FinalTable,
)
from appliance.game.refusal import Refusal, not_running, stale
from appliance.game.seating import occupied_tables
from appliance.game.state import Round, Status
from appliance.game.values import Participant, registration_order


def verify_final_table(round: Round, command: FinalTable, _at_ms: int) -> Refusal | None:
    """Why there is no final table yet: more remain than it has seats, or than locks leave free there;
    or seats have been drawn since the person looked (``stale``)."""
    if refusal := not_running(round) or stale(command.seen, round.draws):
        return refusal
    left = round.left - len(_absent_out(round))
    if left > round.seats_per_table:
        return Refusal("too-many", {"left": left, "seats": round.seats_per_table})
    free = len(_seats(round, final_number(round)))
    return Refusal("no-free-seat", {"needed": left, "free": free}) if left > free else None


def _absent_out(round: Round) -> list[Participant]:
    """Who goes out because their table is broken for this (S-8); nobody where all sit together already.

    **Decided:** where everybody is away the stacks stay in, for somebody has to win.
    """
    tables = occupied_tables(round)
    gone = absent_out(round, tables) if len(tables) > 1 else []
    return gone if len(gone) < round.left else []


def final_number(round: Round) -> int:
    """The number of the final table: 1, or the lowest the round has."""
    return min(round.table_numbers)


def _seats(round: Round, table: int) -> list[int]:
    """The seats of the final table that no lock keeps free; everybody gets up before the draw."""
    locked = {seat.seat for seat in round.locked_seats if seat.table == table}
    return [seat for seat in range(1, round.seats_per_table + 1) if seat not in locked]


def do_final_table(round: Round, _: FinalTable, at_ms: int) -> tuple[Event, ...]:
    """Everybody redraws at the final table, absent players where the house moves them; locks stay as they are (S-6)."""
    gone, staying = take_out(round, _absent_out(round), at_ms)
    if over := decided(staying, at_ms):
        return (*gone, *over)
    return (*gone, _drawn(staying))


def _drawn(round: Round) -> FinalTableDrawn:
    """The draw of seats and button.

    By cards: one is dealt to each, in the order of registration numbers; the highest is the dealer at seat 1
    and the rest sit clockwise in the order of their cards. By lot: seats are drawn, then the button, by the
    high card of S-2. The first hand follows from that button: its blinds are the two players after it.
    """
    number = round.draws + 1
    draw = Draw(round.seed or 0, f"final/{number}")
    left = (p.participant for p in round.players.values() if p.status is Status.IN)
    players = sorted(left, key=registration_order)
    table = final_number(round)
    free = _seats(round, table)
    if round.rules.final_table == "cards":
        cards = deal_one_each(draw, players)
        order = sorted(players, key=lambda player: strength(cards[player]), reverse=True)
        seats = dict(zip(free, order, strict=False))
        return FinalTableDrawn(table=table, seats=seats, button=free[0], draw=number, cards=cards)
    seats = dict(sorted(zip(draw.shuffled(free), players, strict=False)))
    at_seat = deal_one_each(draw, list(seats))
    by_player = {player: at_seat[seat] for seat, player in seats.items()}
    button = highest(at_seat)
    return FinalTableDrawn(table=table, seats=seats, button=button, draw=number, cards=by_player)
