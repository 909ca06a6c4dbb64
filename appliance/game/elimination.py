"""Going out and the end: bust, reinstate, end early (T-6 to T-8)."""

from __future__ import annotations

from appliance.game.commands import (
    Bust,
    Busts,
    EndEarly,
    Reinstate,
)
from appliance.game.ending import decided, finished
from appliance.game.event import Event
from appliance.game.events import Busted, Reinstated
from appliance.game.fold import apply
from appliance.game.refusal import Refusal, not_in_play, not_running
from appliance.game.seating import draw_free_seat, free_seats, free_tables
from appliance.game.state import Round, Status
from appliance.game.values import Seat


def verify_bust(round: Round, command: Bust, _at_ms: int) -> Refusal | None:
    """Why this participant cannot go out. Hand and stack are believed, tracked or not."""
    if refusal := not_running(round) or not_in_play(round, command.participant):
        return refusal
    if command.table is not None and command.table not in round.tables:
        return Refusal("no-such-table", {"table": command.table})
    if command.by == command.participant:
        return Refusal("by-oneself", {"participant": command.participant})
    if command.by is not None and command.by not in round.players:
        return Refusal("not-registered", {"participant": command.by})
    return None


def do_bust(round: Round, command: Bust, at_ms: int) -> tuple[Event, ...]:
    """The player is out; with one left the round is over (T-6)."""
    table = command.table
    if table is None and command.hand is not None:
        seat = round.players[command.participant].seat
        table = seat.table if seat else None
    busted = Busted(
        participant=command.participant,
        table=table,
        hand=command.hand,
        stack=command.stack,
        by=command.by,
        happened=None if command.happened is None else min(command.happened, at_ms),
    )
    return (busted, *decided(apply(busted, round, at_ms), at_ms))


def verify_busts(round: Round, command: Busts, at_ms: int) -> Refusal | None:
    """Why these cannot go out together: one of them cannot, or nobody would be left (``finished``)."""
    for bust in _one_by_one(round, command):
        if refusal := verify_bust(round, bust, at_ms):
            return refusal
        round = _after(round, do_bust(round, bust, at_ms), at_ms)
    return None


def do_busts(round: Round, command: Busts, at_ms: int) -> tuple[Event, ...]:
    """The smallest stack first, as they would have gone out one by one in the hand in play (T-7)."""
    events: tuple[Event, ...] = ()
    for bust in _one_by_one(round, command):
        happened = do_bust(round, bust, at_ms)
        round, events = _after(round, happened, at_ms), (*events, *happened)
    return events


def _one_by_one(round: Round, command: Busts) -> list[Bust]:
    """A bust for each, in the hand of the table where they sit; before its first hand each by itself."""
    found = []
    for who, stack in sorted(command.stacks.items(), key=lambda each: each[1]):
        player = round.players.get(who)
        table = round.tables.get(player.seat.table) if player and player.seat else None
        number, hand = (table.number, table.hand or None) if table else (None, None)
        found.append(Bust(round=round.id, participant=who, table=number, hand=hand, stack=stack))
    return found


def _after(round: Round, events: tuple[Event, ...], at_ms: int) -> Round:
    for event in events:
        round = apply(event, round, at_ms)
    return round


def verify_reinstate(round: Round, command: Reinstate, _at_ms: int) -> Refusal | None:
    """Why this participant cannot come back: they are not out, were paid, or there is no seat.

    Once those who were in have dealt, nobody joins them who was not asked (T-10).
    """
    if refusal := not_running(round):
        return refusal
    player = round.players.get(command.participant)
    if player is None:
        return Refusal("not-registered", {"participant": command.participant})
    if player.status is not Status.OUT:
        return Refusal("not-out", {"participant": command.participant, "status": player.status.value})
    if player.paid:
        return Refusal("already-paid", {"participant": command.participant, "paid": player.paid})
    if round.deal is not None and command.participant not in round.deal.amounts:
        return Refusal("deal-made")
    if _old_seat(round, command.participant) is None and not free_tables(round):
        return Refusal("no-free-seat", {"tables": len(round.tables)})
    return None


def _old_seat(round: Round, participant: str) -> Seat | None:
    """Where the player sat, if their table still plays and the seat is free: neither taken nor locked since."""
    seat = next(e.seat for e in round.eliminations if e.participant == participant)
    table = round.tables.get(seat.table) if seat else None
    return seat if seat and table and table.seats and seat.seat in free_seats(round, table) else None


def do_reinstate(round: Round, command: Reinstate, _at_ms: int) -> tuple[Event, ...]:
    """Back to the old seat, else to a drawn one, with the chips last known; if they had left play, they come back."""
    seat = _old_seat(round, command.participant)
    draw = None if seat else round.draws + 1
    gone = next(e for e in round.eliminations if e.participant == command.participant)
    back = Reinstated(
        participant=command.participant,
        seat=seat or draw_free_seat(round, "reinstate", round.draws + 1),
        chips=gone.chips,
        draw=draw,
        returned=gone.taken,
    )
    return (back,)


def verify_end_early(round: Round, command: EndEarly, _at_ms: int) -> Refusal | None:
    """Why the round cannot end like this: a stack is missing, or belongs to nobody in play (T-8)."""
    if refusal := not_running(round):
        return refusal
    for participant in command.stacks:
        if refusal := not_in_play(round, participant):
            return refusal
    players = round.players.values()
    missing = [p.participant for p in players if p.status is Status.IN and p.participant not in command.stacks]
    return Refusal("stacks-missing", {"participants": missing}) if missing else None


def do_end_early(round: Round, command: EndEarly, at_ms: int) -> tuple[Event, ...]:
    """Those who remain rank by their chips; equal counts share."""
    return (finished(round, command.stacks, command.reason, at_ms),)
