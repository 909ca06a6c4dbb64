"""The round: commands in, events or a refusal out, events folded into state.

`verify` says why a command is not allowed now, `can` whether it is, `decide` what happens if it is given. All
are pure: the time and the seed come from the caller, and nothing is changed but by folding the events.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from appliance.game import (
    announcement,
    attendance,
    balancing,
    bonus,
    breaking,
    colourup,
    deal,
    elimination,
    entry,
    finaltable,
    floor_rulings,
    handforhand,
    hands,
    locks,
    moving,
    payments,
    reentry,
    sanctions,
    starting,
    timecall,
    timekeeping,
    undo,
    voiding,
)
from appliance.game import commands as c
from appliance.game import play_commands as pc
from appliance.game.command import Command
from appliance.game.event import Event
from appliance.game.fold import INITIAL, fold, set_aside
from appliance.game.refusal import Refusal
from appliance.game.state import Ledger, Round

__all__ = ["INITIAL", "Refusal", "can", "decide", "fold", "set_aside", "verify"]


class Action(NamedTuple):
    """What can be done with a running or waiting round: why not, and what happens."""

    verify: Callable[[Round, Any, int], Refusal | None]
    do: Callable[[Round, Any, int], tuple[Event, ...]]


ACTIONS: dict[type[Command], Action] = {
    c.Open: Action(announcement.verify_open, announcement.do_open),
    c.Cancel: Action(announcement.verify_cancel, announcement.do_cancel),
    c.Reschedule: Action(announcement.verify_reschedule, announcement.do_reschedule),
    c.Register: Action(entry.verify_register, entry.do_register),
    c.Unregister: Action(entry.verify_unregister, entry.do_unregister),
    c.Deposit: Action(entry.verify_deposit, entry.do_deposit),
    c.Pause: Action(timekeeping.verify_pause, timekeeping.do_pause),
    c.Resume: Action(timekeeping.verify_resume, timekeeping.do_resume),
    c.NextLevel: Action(timekeeping.verify_next_level, timekeeping.do_next_level),
    c.PreviousLevel: Action(timekeeping.verify_previous_level, timekeeping.do_previous_level),
    c.BeginBreak: Action(timekeeping.verify_begin_break, timekeeping.do_begin_break),
    c.EndBreak: Action(timekeeping.verify_end_break, timekeeping.do_end_break),
    c.SetRemaining: Action(timekeeping.verify_set_remaining, timekeeping.do_set_remaining),
    c.NextHand: Action(handforhand.verify_next_hand, handforhand.do_next_hand),
    pc.SitOut: Action(attendance.verify_sit_out, attendance.do_sit_out),
    pc.Absent: Action(attendance.verify_absent, attendance.do_absent),
    pc.Present: Action(attendance.verify_present, attendance.do_present),
    pc.HandForHand: Action(handforhand.verify_hand_for_hand, handforhand.do_hand_for_hand),
    pc.TimeCall: Action(timecall.verify_time_call, timecall.do_time_call),
    pc.TimeEnd: Action(timecall.verify_time_end, timecall.do_time_end),
    pc.ColourUp: Action(colourup.verify_colour_up, colourup.do_colour_up),
    c.Stacks: Action(hands.verify_stacks, hands.do_stacks),
    pc.Move: Action(moving.verify_move, moving.do_move),
    pc.Balance: Action(balancing.verify_balance, balancing.do_balance),
    pc.BreakTable: Action(breaking.verify_break_table, breaking.do_break_table),
    pc.Lock: Action(locks.verify_lock, locks.do_lock),
    pc.FinalTable: Action(finaltable.verify_final_table, finaltable.do_final_table),
    c.Bust: Action(elimination.verify_bust, elimination.do_bust),
    c.Busts: Action(elimination.verify_busts, elimination.do_busts),
    c.Reinstate: Action(elimination.verify_reinstate, elimination.do_reinstate),
    c.EndEarly: Action(elimination.verify_end_early, elimination.do_end_early),
    c.Pay: Action(payments.verify_pay, payments.do_pay),
    pc.ChipUp: Action(bonus.verify_chip_up, bonus.do_chip_up),
    pc.BonusCard: Action(bonus.verify_bonus_card, bonus.do_bonus_card),
    pc.Reenter: Action(reentry.verify_reenter, reentry.do_reenter),
    pc.Deal: Action(deal.verify_deal, deal.do_deal),
    pc.Void: Action(voiding.verify_void, voiding.do_void),
    pc.Ruling: Action(floor_rulings.verify_ruling, floor_rulings.do_ruling),
    pc.Sanction: Action(sanctions.verify_sanction, sanctions.do_sanction),
}
"""The actions that need nothing but the round, the command and the time."""


def verify(ledger: Ledger, command: Command, at_ms: int) -> Refusal | None:
    """Why the command is not allowed at ``at_ms`` (UTC ms), None if it is."""
    round = ledger.round
    if isinstance(command, c.Announce):
        return announcement.verify_announce(round, command)
    if round is None:
        return Refusal("not-announced", {"round": command.round})
    if command.round != round.id:
        return Refusal("wrong-round", {"round": command.round, "here": round.id})
    action = ACTIONS.get(type(command))
    if action is None:
        return _verify_other(ledger, round, command, at_ms)
    round = bonus.settled(round, at_ms)
    return action.verify(round, command, at_ms) or payments.verify_paid(
        round, at_ms, lambda: action.do(round, command, at_ms)
    )


def _verify_other(ledger: Ledger, round: Round, command: Command, at_ms: int) -> Refusal | None:
    match command:
        case c.Undo():
            return undo.verify_undo(ledger, command)
        case c.Redo():
            return undo.verify_redo(ledger, command)
        case c.Start():
            return starting.verify_start(round, command, at_ms)
        case _:
            raise TypeError(f"{type(command).__name__} is no command of a round")


def can(ledger: Ledger, command: Command, at_ms: int) -> bool:
    """Whether the command is allowed now."""
    return verify(ledger, command, at_ms) is None


def decide(
    ledger: Ledger, command: Command, at_ms: int, command_id: str, *, seed: int | None = None
) -> tuple[Event, ...] | Refusal:
    """What the command with this id leads to, or why it is refused; folding the events is up to the caller.

    ``seed`` (0 … 2^63-1) is what the director drew for a start; a seed in the announcement wins. Raises
    ValueError when a start has neither. What has become due by time comes first (`bonus.due`); undo and redo go
    without it, for it is due again after them.
    """
    refusal = verify(ledger, command, at_ms)
    if refusal is not None:
        return refusal
    if isinstance(command, c.Announce):
        return announcement.do_announce(command)
    round, action = _announced(ledger), ACTIONS.get(type(command))
    if action is not None:
        return bonus.with_due(round, at_ms, lambda round: action.do(round, command, at_ms))
    match command:
        case c.Undo():
            return undo.do_undo(ledger, command)
        case c.Redo():
            return undo.do_redo(ledger, command)
        case c.Start():
            drawn = seed if round.seed is None else round.seed
            if drawn is None:
                raise ValueError(f"{command_id}: a start needs a seed")
            return bonus.with_due(round, at_ms, lambda round: starting.do_start(round, command, at_ms, drawn))
        case _:
            raise TypeError(f"{type(command).__name__} is no command of a round")


def _announced(ledger: Ledger) -> Round:
    """The round, once `verify` has found that there is one."""
    if ledger.round is None:
        raise ValueError("no round was announced")
    return ledger.round
