"""Undo and redo as commands: how many, of what, and against undoing a stranger's command."""

from __future__ import annotations

from appliance.game.commands import Redo, Undo
from appliance.game.events import CommandsRedone, CommandsUndone, Event
from appliance.game.refusal import Refusal
from appliance.game.state import Ledger


def verify_undo(ledger: Ledger, command: Undo) -> Refusal | None:
    """Why this cannot be undone: not so many commands, or another one came in between (``stale``)."""
    if command.n > len(ledger.done):
        return Refusal("nothing-to-undo", {"n": command.n, "available": len(ledger.done)})
    newest = ledger.done[-1].cause
    if command.of is not None and command.of != newest:
        return Refusal("stale", {"of": command.of, "newest": newest})
    return None


def do_undo(ledger: Ledger, command: Undo) -> tuple[Event, ...]:
    """Name the commands that are taken back, newest first."""
    taken = ledger.done[len(ledger.done) - command.n :]
    return (CommandsUndone(n=command.n, commands=tuple(step.cause for step in reversed(taken))),)


def verify_redo(ledger: Ledger, command: Redo) -> Refusal | None:
    """Why this cannot be given again: not so many were undone, or another one is next (``stale``)."""
    if command.n > len(ledger.undone):
        return Refusal("nothing-to-redo", {"n": command.n, "available": len(ledger.undone)})
    newest = ledger.undone[-1].step.cause
    if command.of is not None and command.of != newest:
        return Refusal("stale", {"of": command.of, "newest": newest})
    return None


def do_redo(ledger: Ledger, command: Redo) -> tuple[Event, ...]:
    """Name the commands that are given again, in the order of their first giving."""
    again = ledger.undone[len(ledger.undone) - command.n :]
    return (CommandsRedone(n=command.n, commands=tuple(undone.step.cause for undone in reversed(again))),)
