"""The history of a cash session: what can be undone and given again. There is no clock that would have to follow."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from msgspec.structs import replace

from appliance.game.cash.commands import Redo, Undo
from appliance.game.cash.state import CashLedger, CashTable, Step, Undone
from appliance.game.codec import EventError
from appliance.game.event import Event
from appliance.game.events import MOST_NAMED, CommandsRedone, CommandsUndone
from appliance.game.refusal import Refusal


def remember(ledger: CashLedger, after: CashTable, cause: str | None) -> CashLedger:
    """The ledger after an event of a command; later events of one command belong to its step."""
    before, done = ledger.table, ledger.done
    if before is None or (done is not None and cause is not None and done.cause == cause):
        return CashLedger(after, done)
    return CashLedger(after, Step(cause, before, False, done, ledger.undoable + 1))


def set_aside(ledger: CashLedger, cause: str | None) -> CashLedger:
    """The ledger after an event that could not be folded: nothing is changed, and it can be undone like the others."""
    if ledger.table is None:
        return ledger
    ledger = remember(ledger, ledger.table, cause)
    return replace(ledger, done=ledger.done and replace(ledger.done, set_aside=True))


def undo(ledger: CashLedger, n: int) -> CashLedger:
    """The ledger as if its last ``n`` commands had never been given; raises `EventError` for too many."""
    table, done, undone = ledger.table, ledger.done, ledger.undone
    for _ in range(n):
        if table is None or done is None:
            raise EventError(f"{n} commands to undo, {ledger.undoable} there")
        undone = Undone(done, table, undone, undone.depth + 1 if undone else 1)
        table, done = done.before, done.previous
    return CashLedger(table, done, undone)


def redo(ledger: CashLedger, n: int) -> CashLedger:
    """The ledger with the last ``n`` undone commands given again; raises `EventError` for too many."""
    table, done, undone = ledger.table, ledger.done, ledger.undone
    for _ in range(n):
        if table is None or undone is None:
            raise EventError(f"{n} commands to redo, {ledger.redoable} there")
        step = undone.step
        done = Step(step.cause, table, step.set_aside, done, done.depth + 1 if done else 1)
        table, undone = undone.after, undone.previous
    return CashLedger(table, done, undone)


def verify_undo(ledger: CashLedger, command: Undo) -> Refusal | None:
    """Why this cannot be undone: not so many commands, or another one came in between (``stale``)."""
    if ledger.done is None or command.n > ledger.undoable:
        return Refusal("nothing-to-undo", {"n": command.n, "available": ledger.undoable})
    return _stale(command.of, ledger.done.cause)


def verify_redo(ledger: CashLedger, command: Redo) -> Refusal | None:
    """Why this cannot be given again: not so many were undone, or another one is next (``stale``)."""
    if ledger.undone is None or command.n > ledger.redoable:
        return Refusal("nothing-to-redo", {"n": command.n, "available": ledger.redoable})
    return _stale(command.of, ledger.undone.step.cause)


def do_undo(ledger: CashLedger, command: Undo) -> tuple[Event, ...]:
    """Name the commands that are taken back, newest first."""
    taken = islice(_steps(ledger), min(command.n, MOST_NAMED))
    return (CommandsUndone(n=command.n, commands=tuple(step.cause for step in taken)),)


def do_redo(ledger: CashLedger, command: Redo) -> tuple[Event, ...]:
    """Name the commands that are given again, in the order of their first giving."""
    again = islice(_undone_steps(ledger), min(command.n, MOST_NAMED))
    return (CommandsRedone(n=command.n, commands=tuple(step.cause for step in again)),)


def _stale(of: str | None, newest: str | None) -> Refusal | None:
    return None if of is None or of == newest else Refusal("stale", {"of": of, "newest": newest})


def _steps(ledger: CashLedger) -> Iterator[Step]:
    step = ledger.done
    while step is not None:
        yield step
        step = step.previous


def _undone_steps(ledger: CashLedger) -> Iterator[Step]:
    undone = ledger.undone
    while undone is not None:
        yield undone.step
        undone = undone.previous
