"""Prizes handed over (T-5): never before a place is final, and nothing takes back what somebody was paid."""

from __future__ import annotations

from collections.abc import Callable

from appliance.game.commands import (
    Pay,
)
from appliance.game.entry import can_grow
from appliance.game.event import Event
from appliance.game.events import ClockSet, HandStarted, Paid, StacksCounted
from appliance.game.fold import apply
from appliance.game.play_events import (
    AbsentMarked,
    BonusCardUsed,
    ChipUpGiven,
    ColouredUp,
    PlayerLocked,
    PlayerMoved,
    PresentMarked,
    Sanctioned,
    SatOut,
    SeatLocked,
    TimeCalled,
    TimeCallEnded,
)
from appliance.game.refusal import Refusal, not_running, stale
from appliance.game.results import prizes_won
from appliance.game.state import Phase, Round, Status

_PRIZES_STAY = frozenset(
    {
        Paid,
        ClockSet,
        StacksCounted,
        PlayerMoved,
        AbsentMarked,
        PresentMarked,
        SatOut,
        PlayerLocked,
        SeatLocked,
        Sanctioned,
        ColouredUp,
        ChipUpGiven,
        BonusCardUsed,
        TimeCalled,
        TimeCallEnded,
    }
)
"""What changes no place, no pool and no field: most of an evening, which need not count the prizes again."""


def verify_pay(round: Round, command: Pay, at_ms: int) -> Refusal | None:
    """Why this cannot be paid: no prize is known yet, late entries can still change it, or it is less than that.

    **Decided:** while late entries are taken no place is final, for each new player moves all known ones down. What a
    deal gives is final at once, also to those who play on (T-10).
    """
    if round.phase is not Phase.FINISHED and (refusal := not_running(round)):
        return refusal
    player = round.players.get(command.participant)
    if player is None:
        return Refusal("not-registered", {"participant": command.participant})
    prize = prizes_won(round).get(command.participant)
    if prize is None:
        return Refusal("no-prize-yet", {"participant": command.participant})
    if can_grow(round, at_ms):
        return Refusal("prize-not-final", {"participant": command.participant})
    if refusal := stale(command.seen, player.paid):
        return refusal
    if command.amount > prize - player.paid:
        return Refusal("prize-exceeded", {"prize": prize, "paid": player.paid, "left": prize - player.paid})
    return None


def do_pay(_: Round, command: Pay, _at_ms: int) -> tuple[Event, ...]:
    """Every payout is recorded (T-5)."""
    return (Paid(participant=command.participant, amount=command.amount),)


def verify_paid(round: Round, at_ms: int, do: Callable[[], tuple[Event, ...]]) -> Refusal | None:
    """Why what ``do`` leads to cannot be: it would take from somebody a prize, or a part of it, that was paid.

    A reinstatement moves places down; shares that rise with the place, or a remainder that falls elsewhere in a
    larger pool, can do the same. The commissioner undoes the payment first, or settles it another way. Only what a
    void participant was paid does not count: it is to be reclaimed (LG-10).
    """
    if not round.paid:
        return None
    events = do()
    if all(_prizes_stay(event) for event in events):
        return None
    paid = {p.participant: p.paid for p in round.players.values() if p.paid}
    before = prizes_won(round)
    for event in events:
        round = apply(event, round, at_ms)
    after = prizes_won(round)
    for participant, amount in paid.items():
        if round.players[participant].status is Status.VOID:
            continue
        prize = after.get(participant, 0)
        if prize < min(amount, before.get(participant, 0)):
            return Refusal("already-paid", {"participant": participant, "paid": amount, "prize": prize})
    return None


def _prizes_stay(event: Event) -> bool:
    """A hand alone changes no place; one that is a round of hands may (CK-6)."""
    return type(event) in _PRIZES_STAY or (isinstance(event, HandStarted) and event.together is None)
