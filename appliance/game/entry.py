"""Entry and money in: register, unregister, deposit (T-1 to T-4)."""

from __future__ import annotations

from collections.abc import Iterable

from appliance.game import clock as clocks
from appliance.game.commands import Deposit, Register, Unregister
from appliance.game.event import Event
from appliance.game.events import Deposited, Registered, Unregistered
from appliance.game.refusal import Refusal, not_in_play, not_running
from appliance.game.seating import draw_free_seat, free_tables, verify_seat
from appliance.game.state import Money, Phase, Round
from appliance.game.values import Seat, parse_time

DAY_MS = 24 * 60 * 60 * 1000
"""A deposit counts from its own time until exactly 24 hours later (T-3), whatever wall clocks do."""


def counted(deposits: Iterable[Money], at_ms: int) -> int:
    """CZK of the deposits that count at ``at_ms``.

    One that seems to lie ahead, by a clock that runs ahead elsewhere, counts: the limit must hold.
    """
    return sum(money.amount for money in deposits if at_ms - money.at < DAY_MS)


def over_limit(round: Round, deposits: Iterable[Money], amount: int, at_ms: int) -> Refusal | None:
    """Why ``amount`` CZK more are too much: the total of 24 hours, over all tournaments and venues (T-3)."""
    limit = round.rules.deposit_limit
    left = max(0, limit - counted(deposits, at_ms))
    return Refusal("deposit-limit", {"limit": limit, "left": left}) if amount > left else None


def elsewhere(command: Register, at_ms: int) -> tuple[Money, ...]:
    """Deposits at other tournaments; a mere sum counts as if all of it were deposited now."""
    if isinstance(command.deposits_24h, int):
        return (Money(at_ms, command.deposits_24h),) if command.deposits_24h else ()
    return tuple(Money(parse_time(at), amount) for at, amount in command.deposits_24h)


def verify_door(round: Round, at_ms: int) -> Refusal | None:
    """Why nobody is registered now: not open yet, or closed since the start (T-2)."""
    match round.phase:
        case Phase.OPEN:
            return None
        case Phase.ANNOUNCED | Phase.MOVED:
            return Refusal("not-open")
        case Phase.CANCELLED:
            return Refusal("cancelled")
        case Phase.RUNNING if _late_entry(round, at_ms):
            return None
        case _:
            return Refusal("registration-closed")


def _late_entry(round: Round, at_ms: int) -> bool:
    """Late registration, if announced, through the end of the first break of the structure (T-2).

    A prize that was paid closes it for good, whatever the clock is set back to.
    """
    breaks = [place for place, entry in enumerate(round.structure) if entry.is_break]
    if not round.late_registration or round.clock is None or not breaks:
        return False
    if any(player.paid for player in round.players.values()):
        return False
    clock = clocks.settle(round.structure, round.clock, at_ms)
    return not clocks.is_over(round.structure, clock, breaks[0], at_ms)


def can_grow(round: Round, at_ms: int) -> bool:
    """Whether the field of a running round can still grow, by late entries."""
    running = round.phase is Phase.RUNNING
    return running and len(round.players) < round.capacity and _late_entry(round, at_ms)


def verify_register(round: Round, command: Register, at_ms: int) -> Refusal | None:
    """Why this participant cannot be registered: the door, identity, room, the seat or the money."""
    if refusal := verify_door(round, at_ms):
        return refusal
    if command.participant in round.players:
        return Refusal("already-registered", {"participant": command.participant})
    if not command.identity_checked:
        return Refusal("identity-not-checked", {"participant": command.participant})
    if len(round.players) >= round.capacity:
        return Refusal("round-full", {"capacity": round.capacity})
    return (
        over_limit(round, elsewhere(command, at_ms), round.deposit, at_ms)
        or (verify_seat(round, command.seat) if command.seat else None)
        or _verify_late_seat(round, command)
    )


def _verify_late_seat(round: Round, command: Register) -> Refusal | None:
    if round.phase is Phase.RUNNING and command.seat is None and not free_tables(round):
        return Refusal("no-free-seat", {"tables": len(round.tables)})
    return None


def do_register(round: Round, command: Register, at_ms: int) -> tuple[Event, ...]:
    """The announced deposit, its chips, and for a late entrant a seat, drawn unless given (T-4, T-11)."""
    seat: Seat | None = None
    draw: int | None = None
    if round.phase is Phase.RUNNING:
        draw = None if command.seat else round.draws + 1
        seat = command.seat or draw_free_seat(round, "late", round.draws + 1)
    registered = Registered(
        participant=command.participant,
        deposit=round.deposit,
        chips=round.deposit * round.rules.chips_per_crown,
        elsewhere=elsewhere(command, at_ms),
        reserved=command.seat if seat is None else None,
        seat=seat,
        draw=draw,
    )
    return (registered,)


def verify_unregister(round: Round, command: Unregister, _at_ms: int) -> Refusal | None:
    """Why a registration cannot be taken back: there is none, or the round has started."""
    if round.phase is Phase.CANCELLED:
        return Refusal("cancelled")
    if round.phase in (Phase.RUNNING, Phase.FINISHED):
        return Refusal("registration-closed")
    if command.participant not in round.players:
        return Refusal("not-registered", {"participant": command.participant})
    return None


def do_unregister(round: Round, command: Unregister, _at_ms: int) -> tuple[Event, ...]:
    """The deposit goes back and no longer counts (T-3)."""
    player = round.players[command.participant]
    return (Unregistered(participant=player.participant, returned=player.deposit),)


def verify_deposit(round: Round, command: Deposit, at_ms: int) -> Refusal | None:
    """Why a deposit cannot be raised: only during the tournament, only while in, only up to the limit (T-3)."""
    if refusal := not_running(round) or not_in_play(round, command.participant):
        return refusal
    player = round.players[command.participant]
    return over_limit(round, player.deposits + player.elsewhere, command.amount, at_ms)


def do_deposit(round: Round, command: Deposit, _at_ms: int) -> tuple[Event, ...]:
    """More chips for more crowns (T-4)."""
    chips = command.amount * round.rules.chips_per_crown
    return (Deposited(participant=command.participant, amount=command.amount, chips=chips),)
