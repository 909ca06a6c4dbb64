"""Deals: those who remain share the prizes they play for, and play on for the points (T-10)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from appliance.game.entry import can_grow
from appliance.game.event import Event
from appliance.game.icm import ICM_MOST, chop, icm
from appliance.game.play_commands import (
    Deal,
)
from appliance.game.play_events import DealAgreed
from appliance.game.prizes import prizes_by_place
from appliance.game.refusal import Refusal, not_in_play, not_running
from appliance.game.state import Round, Status
from appliance.game.values import registration_order


def verify_deal(round: Round, command: Deal, at_ms: int) -> Refusal | None:
    """Why there is no such deal: the house has none, somebody does not consent, or it does not add up (T-10).

    **Decided:** none while late entrants or re-entries can come, whom it would shut out; a second one only after
    an undo of the first, for a deal binds.
    """
    if refusal := not_running(round):
        return refusal
    if command.kind not in round.rules.deals:
        return Refusal("deal-not-allowed", {"kind": command.kind, "allowed": list(round.rules.deals)})
    if round.deal is not None:
        return Refusal("already-dealt")
    if can_grow(round, at_ms):
        return Refusal("prize-not-final")
    return (
        _verify_named(round, command.consents, "deal-not-unanimous", "missing")
        or _verify_named(round, command.stacks, "stacks-missing", "participants")
        or _verify_amounts(round, command)
    )


def _verify_named(round: Round, named: Iterable[str], code: str, parameter: str) -> Refusal | None:
    """Why those named are not just those who are in: ``code`` with the missing ones, or one who is not in."""
    missing = {p.participant for p in round.players.values() if p.status is Status.IN}.difference(named)
    if missing:
        return Refusal(code, {parameter: sorted(missing, key=registration_order)})
    return next((refusal for one in named if (refusal := not_in_play(round, one))), None)


def _verify_amounts(round: Round, command: Deal) -> Refusal | None:
    if command.kind == "icm" and round.left > ICM_MOST:
        return Refusal("too-many", {"left": round.left, "most": ICM_MOST})
    if command.kind != "manual":
        return None
    if refusal := _verify_named(round, command.amounts, "amounts-missing", "participants"):
        return refusal
    total, expected = sum(command.amounts.values()), sum(at_stake(round))
    return Refusal("deal-sum", {"sum": total, "expected": expected}) if total != expected else None


def at_stake(round: Round) -> list[int]:
    """The prizes of those who remain, best place first, one for each; nothing for a place that is not paid."""
    amounts = prizes_by_place(round)[: round.left]
    return amounts + [0] * (round.left - len(amounts))


def do_deal(round: Round, command: Deal, _at_ms: int) -> tuple[Event, ...]:
    """What each of those who remain gets, whatever their place (T-10). ``amounts`` count in a manual deal only."""
    amounts: Mapping[str, int]
    match command.kind:
        case "icm":
            amounts = icm(command.stacks, at_stake(round))
        case "chop":
            amounts = chop(command.stacks, at_stake(round))
        case "manual":
            amounts = command.amounts
    return (DealAgreed(kind=command.kind, amounts=dict(amounts), stacks=dict(command.stacks)),)
