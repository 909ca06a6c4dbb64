"""Undo and redo as commands: how many, of what, and against undoing a stranger's command."""

from __future__ import annotations

from itertools import islice

from appliance.game.commands import (
    Redo,
    Undo,
)
from appliance.game.event import Event
from appliance.game.events import MOST_NAMED, CommandsRedone, CommandsUndone
from appliance.game.history import steps, undone_steps
from appliance.game.refusal import Refusal
from appliance.game.state import Ledger


def verify_undo(ledger: Ledger, command: Undo) -> Refusal | None:
    """Why this cannot be undone: not so many commands, or another one came in between (``stale``)."""
    if ledger.done is None or command.n > ledger.undoable:
        return Refusal("nothing-to-undo", {"n": command.n, "available": ledger.undoable})
    newest = ledger.done.cause
    if command.of is not None and command.of != newest:
        return Refusal("stale", {"of": command.of, "newest": newest})
    return None


def do_undo(ledger: Ledger, command: Undo) -> tuple[Event, ...]:
    """Name the commands that are taken back, newest first."""
    taken = islice(steps(ledger), min(command.n, MOST_NAMED))
    return (CommandsUndone(n=command.n, commands=tuple(step.cause for step in taken)),)


def verify_redo(ledger: Ledger, command: Redo) -> Refusal | None:
    """Why this cannot be given again: not so many were undone, or another one is next (``stale``)."""
    if ledger.undone is None or command.n > ledger.redoable:
        return Refusal("nothing-to-redo", {"n": command.n, "available": ledger.redoable})
    newest = ledger.undone.step.cause
    if command.of is not None and command.of != newest:
        return Refusal("stale", {"of": command.of, "newest": newest})
    return None


def do_redo(ledger: Ledger, command: Redo) -> tuple[Event, ...]:
    """Name the commands that are given again, in the order of their first giving."""
    again = islice(undone_steps(ledger), min(command.n, MOST_NAMED))
    return (CommandsRedone(n=command.n, commands=tuple(step.cause for step in again)),)
