"""The cash table: commands in, events or a refusal out, events folded into state (C-1 to C-8).

`verify` says why a command is not allowed now, `can` whether it is, `decide` what happens if it is given. All are
pure: the time and the seed come from the caller.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from appliance.game.cash import commands as c
from appliance.game.cash import hands, history, money, seats
from appliance.game.cash.events import Opened
from appliance.game.cash.fold import EMPTY, fold, set_aside
from appliance.game.cash.state import CashLedger, CashTable, Settings
from appliance.game.cash.told import contradicted, verify_told
from appliance.game.event import Event
from appliance.game.refusal import Refusal
from appliance.game.ruleset import PROFILES, content_hash
from appliance.game.tablestream.fold import INITIAL_TABLE
from appliance.game.tablestream.state import TableHands

__all__ = ["EMPTY", "can", "decide", "fold", "set_aside", "verify"]


class Action(NamedTuple):
    """What can be done at an open table: why not, and what happens."""

    verify: Callable[[CashTable, Any], Refusal | None]
    do: Callable[[CashTable, Any], tuple[Event, ...]]


ACTIONS: dict[type[c.CashCommand], Action] = {
    c.Join: Action(seats.verify_join, seats.do_join),
    c.Call: Action(seats.verify_call, seats.do_call),
    c.Decline: Action(seats.verify_decline, seats.do_decline),
    c.Unjoin: Action(seats.verify_unjoin, seats.do_unjoin),
    c.Sit: Action(seats.verify_sit, seats.do_sit),
    c.Enter: Action(seats.verify_enter, seats.do_enter),
    c.Change: Action(seats.verify_change, seats.do_change),
    c.Absent: Action(seats.verify_absent, seats.do_absent),
    c.Present: Action(seats.verify_present, seats.do_present),
    c.AddOn: Action(money.verify_add_on, money.do_add_on),
    c.Leave: Action(money.verify_leave, money.do_leave),
    c.NextHand: Action(hands.verify_next_hand, hands.do_next_hand),
    c.Result: Action(money.verify_result, money.do_result),
    c.Stacks: Action(money.verify_stacks, money.do_stacks),
    c.Rabbit: Action(hands.verify_rabbit, hands.do_rabbit),
    c.Close: Action(money.verify_close, money.do_close),
}


def verify(ledger: CashLedger, command: c.CashCommand, told: TableHands = INITIAL_TABLE) -> Refusal | None:
    """Why the command is not allowed, None if it is; ``told``: what was followed of the table's hands."""
    table = ledger.table
    if isinstance(command, c.Open):
        return _verify_open(table, command)
    if table is None:
        return Refusal("not-opened", {"session": command.session})
    if command.session != table.id:
        return Refusal("wrong-session", {"session": command.session, "here": table.id})
    match command:
        case c.Undo():
            return history.verify_undo(ledger, command)
        case c.Redo():
            return history.verify_redo(ledger, command)
    if table.closed_at is not None:
        return Refusal("closed", {"session": table.id})
    return ACTIONS[type(command)].verify(table, command) or verify_told(table, told, command)


def can(ledger: CashLedger, command: c.CashCommand, told: TableHands = INITIAL_TABLE) -> bool:
    """Whether the command is allowed now."""
    return verify(ledger, command, told) is None


def decide(
    ledger: CashLedger, command: c.CashCommand, *, seed: int | None = None, told: TableHands = INITIAL_TABLE
) -> tuple[Event, ...] | Refusal:
    """What the command leads to, or why it is refused; folding the events is up to the caller.

    ``seed`` (0 … 2^63-1) is what was drawn for the opening; one in the command wins. Raises ValueError when an
    opening has neither.
    """
    refusal = verify(ledger, command, told)
    if refusal is not None:
        return refusal
    match command:
        case c.Open():
            drawn = seed if command.seed is None else command.seed
            if drawn is None:
                raise ValueError("an opening needs a seed")
            return _do_open(command, drawn)
        case c.Undo():
            return history.do_undo(ledger, command)
        case c.Redo():
            return history.do_redo(ledger, command)
        case c.Result():
            assert ledger.table is not None, "verified"
            return money.do_result(ledger.table, command, contradicted(ledger.table, told, command))
        case _:
            assert ledger.table is not None, "verified"
            return ACTIONS[type(command)].do(ledger.table, command)


def _verify_open(table: CashTable | None, command: c.Open) -> Refusal | None:
    if table is not None and (table.closed_at is None or table.id == command.session):
        return Refusal("already-opened", {"session": table.id})
    rules = PROFILES.get(command.profile)
    if rules is None:
        return Refusal("unknown-profile", {"profile": command.profile, "known": sorted(PROFILES)})
    if rules.tournament:
        return Refusal("not-a-cash-game", {"profile": command.profile})
    if command.small_blind > command.big_blind:
        return Refusal("small-blind", {"sb": command.small_blind, "bb": command.big_blind})
    if not command.big_blind <= command.buy_in_minimum <= command.buy_in_maximum:
        return Refusal(
            "buy-in-bounds",
            {"minimum": command.buy_in_minimum, "maximum": command.buy_in_maximum, "bb": command.big_blind},
        )
    return None


def _do_open(command: c.Open, seed: int) -> tuple[Event, ...]:
    rules = PROFILES[command.profile]
    settings = Settings(
        small_blind=command.small_blind,
        big_blind=command.big_blind,
        seats=command.seats,
        buy_in_minimum=command.buy_in_minimum,
        buy_in_maximum=command.buy_in_maximum,
        chip_value=command.chip_value,
        rake_maximum=command.rake_maximum,
        straddles=command.straddles,
    )
    opened = Opened(
        session=command.session,
        profile=command.profile,
        rules=rules,
        rules_hash=content_hash(rules),
        settings=settings,
        seed=seed,
    )
    return (opened,)
