"""Entry and money in: register, unregister, deposit (T-1 to T-4); who may still come (T-2, T-11)."""

from __future__ import annotations

from collections.abc import Iterable

from appliance.game import clock as clocks
from appliance.game.commands import (
    Deposit,
    Register,
    Unregister,
)
from appliance.game.event import Event
from appliance.game.events import Deposited, Registered, Unregistered
from appliance.game.play_commands import (
    Reenter,
)
from appliance.game.refusal import Refusal, not_in_play, not_running, stale
from appliance.game.righttime import AHEAD_MS, Times
from appliance.game.seating import draw_free_seat, free_tables, verify_seat
from appliance.game.state import Money, Phase, Player, Round, Status
from appliance.game.values import Seat, parse_time

DAY_MS = 24 * 60 * 60 * 1000
"""A deposit counts from its own time until exactly 24 hours later (T-3), whatever wall clocks do."""


def counted(deposits: Iterable[Money], at_ms: int) -> int:
    """CZK of the deposits that count at ``at_ms``.

    One that seems to lie ahead, by a clock that runs ahead elsewhere, counts: the limit must hold.
    """
    return sum(money.amount for money in deposits if at_ms - money.at < DAY_MS)


def over_limit(round: Round, deposits: Iterable[Money], amount: int, at_ms: int) -> Refusal | None:
    """Why ``amount`` CZK more are too much: the total of 24 hours, over all tournaments and venues (T-3).

    ``deposits``: with their right times; ``at_ms``: as in records.
    """
    limit = round.rules.deposit_limit
    left = max(0, limit - counted(deposits, round.times.right(at_ms)))
    return Refusal("deposit-limit", {"limit": limit, "left": left}) if amount > left else None


def rightly(times: Times, deposits: Iterable[Money]) -> tuple[Money, ...]:
    """Deposits of a venue's records with their right times; those of unknown age count (T-3)."""
    if not times.spells:
        return tuple(deposits)
    return tuple(Money(times.right(at) if times.age_known(at) else AHEAD_MS, amount) for at, amount in deposits)


def deposited(round: Round, player: Player) -> tuple[Money, ...]:
    """All that a player has deposited, here and as was told elsewhere, with the right times."""
    return (*rightly(round.times, player.deposits), *told_before(round, player))


def told_before(round: Round, player: Player) -> tuple[Money, ...]:
    """What was told of deposits elsewhere; a mere sum has the time of the record that tells it."""
    if not round.times.spells:
        return player.elsewhere
    own = {money.at for money in player.deposits}
    return tuple(
        rightly(round.times, (money,))[0] if money.at in own else _told(round.times, money)
        for money in player.elsewhere
    )


def told_now(round: Round, command: Register | Reenter, at_ms: int) -> tuple[Money, ...]:
    """What a command tells of deposits elsewhere, with the right times; a mere sum as if it were deposited now."""
    times, told = round.times, elsewhere(command, at_ms)
    if isinstance(command.deposits_24h, int):
        return rightly(times, told)
    return tuple(_told(times, money) for money in told)


def _told(times: Times, money: Money) -> Money:
    """One whose right time somebody knows: how long ago that is, is not known where the time here is doubted."""
    return Money(AHEAD_MS, money.amount) if times.doubted else money


def elsewhere(command: Register | Reenter, at_ms: int) -> tuple[Money, ...]:
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
        case Phase.RUNNING if round.late_registration:
            return entries_taken(round, at_ms)
        case _:
            return Refusal("registration-closed")


def entries_taken(round: Round, at_ms: int) -> Refusal | None:
    """Why nobody comes into a running round any more: late entrants, or by re-entry (T-2, T-11).

    They are taken through the end of the first break of the structure; to the end where it has none (**decided**). A
    deal or a prize that was paid closes it for good, whatever the clock is set back to.
    """
    if round.deal is not None:
        return Refusal("deal-made")
    first = _first_break(round)
    if round.clock is None or any(player.paid for player in round.players.values()):
        return Refusal("registration-closed")
    if first is None:
        return None
    clock = clocks.settle(round.structure, round.clock, at_ms)
    return Refusal("registration-closed") if clocks.is_over(round.structure, clock, first, at_ms) else None


def _first_break(round: Round) -> int | None:
    return next((place for place, entry in enumerate(round.structure) if entry.is_break), None)


def may_reenter(player: Player) -> bool:
    """Whether this player may enter again, now or when they are out: once a person (T-11)."""
    return player.status in (Status.IN, Status.OUT) and not player.reentered


def can_grow(round: Round, at_ms: int) -> bool:
    """Whether late entries or re-entries were promised that can still come, so that no place is final (T-2, T-11).

    Where the structure has no break no moment was promised: they come until a prize is paid or a deal is made.
    """
    if round.phase is not Phase.RUNNING or _first_break(round) is None or entries_taken(round, at_ms):
        return False
    late = round.late_registration and len(round.players) < round.capacity
    return late or (round.reentry and any(may_reenter(player) for player in round.players.values()))


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
        over_limit(round, told_now(round, command, at_ms), round.deposit, at_ms)
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
        accepted=command.accepted,
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
    """Why a deposit cannot be raised: only during the tournament, only while in, only up to the limit (T-3); and not
    twice, where somebody else has raised it since the person saw it (``stale``).

    A deal shares out the pool as it is: nothing comes to it any more (T-10).
    """
    if refusal := not_running(round) or not_in_play(round, command.participant):
        return refusal
    if round.deal is not None:
        return Refusal("deal-made")
    player = round.players[command.participant]
    if refusal := stale(command.seen, player.deposit):
        return refusal
    return over_limit(round, deposited(round, player), command.amount, at_ms)


def do_deposit(round: Round, command: Deposit, _at_ms: int) -> tuple[Event, ...]:
    """More chips for more crowns (T-4)."""
    chips = command.amount * round.rules.chips_per_crown
    return (Deposited(participant=command.participant, amount=command.amount, chips=chips),)
