"""The final table: all who remain redraw their seats at one table (S-6)."""

from __future__ import annotations

from appliance.game.commands import FinalTable
from appliance.game.draw import Draw, deal_one_each, highest, strength
from appliance.game.event import Event
from appliance.game.events import FinalTableDrawn
from appliance.game.refusal import Refusal, not_running
from appliance.game.state import Round, Status
from appliance.game.values import registration_order


def verify_final_table(round: Round, _: FinalTable, _at_ms: int) -> Refusal | None:
    """Why there is no final table yet: more remain than it has seats, or than locks leave free there."""
    if refusal := not_running(round):
        return refusal
    if round.left > round.seats_per_table:
        return Refusal("too-many", {"left": round.left, "seats": round.seats_per_table})
    free = len(_seats(round, final_number(round)))
    return Refusal("no-free-seat", {"needed": round.left, "free": free}) if round.left > free else None


def final_number(round: Round) -> int:
    """The number of the final table: 1, or the lowest the round has."""
    return min(round.table_numbers)


def _seats(round: Round, table: int) -> list[int]:
    """The seats of the final table that no lock keeps free; everybody gets up before the draw."""
    locked = {seat.seat for seat in round.locked_seats if seat.table == table}
    return [seat for seat in range(1, round.seats_per_table + 1) if seat not in locked]


def do_final_table(round: Round, _: FinalTable, _at_ms: int) -> tuple[Event, ...]:
    """Everybody redraws at the final table, absent players too; locks stay as they are (S-6).

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
        return (FinalTableDrawn(table=table, seats=seats, button=free[0], draw=number, cards=cards),)
    seats = dict(sorted(zip(draw.shuffled(free), players, strict=False)))
    at_seat = deal_one_each(draw, list(seats))
    by_player = {player: at_seat[seat] for seat, player in seats.items()}
    button = highest(at_seat)
    return (FinalTableDrawn(table=table, seats=seats, button=button, draw=number, cards=by_player),)
