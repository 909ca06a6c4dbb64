"""Chips beside the deposits: the bonus stack of the first break, and the bonus card (T-12, T-13)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from appliance.game import clock as clocks
from appliance.game.event import Event
from appliance.game.events import ClockSet, Started
from appliance.game.fold import apply
from appliance.game.play_commands import (
    BonusCard,
    ChipUp,
)
from appliance.game.play_events import BonusCardUsed, ChipUpGiven
from appliance.game.refusal import Refusal, not_in_play, not_running
from appliance.game.state import Phase, Round, Status


def due(round: Round, at_ms: int) -> tuple[Event, ...]:
    """What has become due by time, without a command: where it is automatic, the bonus stacks (T-13).

    They go to all who are in when the first break begins, a break of the structure or one begun by command, be it
    before the first level. The engine has no timer: whatever command comes next tells it first, and an undo of that
    command takes it back, upon which it is due again.
    """
    if not _owed(round) or round.phase is not Phase.RUNNING or not _break_has_begun(round, at_ms):
        return ()
    return (ChipUpGiven(chips=_bonus(round, _without(round))),)


def settled(round: Round, at_ms: int) -> Round:
    """The round with what has become due by ``at_ms``; the same one if nothing has."""
    for event in due(round, at_ms):
        round = apply(event, round, at_ms)
    return round


def with_due(round: Round, at_ms: int, do: Callable[[Round], tuple[Event, ...]]) -> tuple[Event, ...]:
    """What ``do`` leads to, after what had become due before it, and with what it makes due itself by the clock."""
    if not _owed(round):
        return do(round)
    before = due(round, at_ms)
    for event in before:
        round = apply(event, round, at_ms)
    events = do(round)
    if not _owed(round) or not any(isinstance(event, ClockSet | Started) for event in events):
        return before + events
    for event in events:
        round = apply(event, round, at_ms)
    return before + events + due(round, at_ms)


def _owed(round: Round) -> bool:
    """Whether bonus stacks will come by themselves."""
    return bool(round.chip_up) and not round.chip_up_given and round.rules.chip_up == "automatic"


def _break_has_begun(round: Round, at_ms: int) -> bool:
    """A break of the structure that lies behind counts too: an undo may have led past it."""
    if round.clock is None:
        return False
    clock = clocks.settle(round.structure, round.clock, at_ms)
    return clock.interrupted_ms is not None or any(entry.is_break for entry in round.structure[: clock.entry + 1])


def _without(round: Round) -> list[str]:
    """Those who are in and have not had the bonus stack."""
    return [p.participant for p in round.players.values() if p.status is Status.IN and not p.chip_up]


def _bonus(round: Round, participants: Iterable[str]) -> dict[str, int]:
    return dict.fromkeys(participants, round.chip_up or 0)


def verify_chip_up(round: Round, command: ChipUp, _at_ms: int) -> Refusal | None:
    """Why no bonus stack is given: the house has none, none was announced, or it was given (T-13).

    To all who are in once a round, to one player at most once. Where it is automatic, only to one who is in and
    missed it. **Decided:** the commissioner is believed as to when; it is for those who are in then.
    """
    if refusal := not_running(round):
        return refusal
    if round.rules.chip_up == "never":
        return Refusal("chip-up-not-allowed", {"profile": round.profile})
    if not round.chip_up:
        return Refusal("chip-up-not-allowed", {"announced": False})
    if command.participant is None:
        return _verify_for_all(round)
    return not_in_play(round, command.participant) or _verify_for_one(round, command.participant)


def _verify_for_all(round: Round) -> Refusal | None:
    if round.rules.chip_up == "automatic":
        return Refusal("chip-up-automatic")
    return Refusal("chip-up-used") if round.chip_up_given or not _without(round) else None


def _verify_for_one(round: Round, participant: str) -> Refusal | None:
    if round.players[participant].chip_up:
        return Refusal("chip-up-used", {"participant": participant})
    return Refusal("chip-up-automatic", {"participant": participant}) if _owed(round) else None


def do_chip_up(round: Round, command: ChipUp, _at_ms: int) -> tuple[Event, ...]:
    """The announced chips, to all who are in and have not had them, or to one."""
    if command.participant is None:
        return (ChipUpGiven(chips=_bonus(round, _without(round))),)
    return (ChipUpGiven(chips=_bonus(round, [command.participant]), everybody=False),)


def verify_bonus_card(round: Round, command: BonusCard, _at_ms: int) -> Refusal | None:
    """Why the card is not taken: the house has none, it was used, or the player holds cards (T-12).

    One for each player a round, re-entered or not. Hands are not followed card by card here: the commissioner says
    whether the player holds cards.
    """
    if refusal := not_running(round):
        return refusal
    if not round.rules.bonus_card:
        return Refusal("bonus-card-not-allowed", {"profile": round.profile})
    if not round.bonus_card:
        return Refusal("bonus-card-not-allowed", {"announced": False})
    if refusal := not_in_play(round, command.participant):
        return refusal
    if round.players[command.participant].bonus_card:
        return Refusal("bonus-card-used", {"participant": command.participant})
    return Refusal("holding-cards", {"participant": command.participant}) if command.holding else None


def do_bonus_card(round: Round, command: BonusCard, _at_ms: int) -> tuple[Event, ...]:
    """The announced chips come to the player's stack."""
    return (BonusCardUsed(participant=command.participant, chips=round.bonus_card or 0),)
