"""The history of a round: what can be undone and given again, and how the clock follows."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from appliance.game import clock as clocks
from appliance.game.codec import EventError
from appliance.game.state import ClockState, Ledger, Round, Step, Undone


def remember(ledger: Ledger, after: Round, at_ms: int, cause: str | None) -> Ledger:
    """The ledger after an event of a command; a command's later events belong to its step.

    Whatever was undone before can no longer be given again.
    """
    before, done = ledger.round, ledger.done
    if before is None:
        return Ledger(after)
    moved = after.clock is not before.clock and after.clock != before.clock
    if done is not None and cause is not None and done.cause == cause:
        return Ledger(after, replace(done, clock_after=after.clock, clock_moved=done.clock_moved or moved))
    depth = done.depth + 1 if done else 1
    return Ledger(after, Step(cause, at_ms, before, after.clock, moved, False, done, depth))


def set_aside(ledger: Ledger, at_ms: int, cause: str | None) -> Ledger:
    """The ledger after a command of which an event could not be folded: it changes nothing, and can be undone.

    The writer counts it among its commands, so a later undo must find it; until then the ledger is `in_doubt`.
    Before the announcement there is nothing to keep in step with.
    """
    if ledger.round is None:
        return ledger
    ledger = remember(ledger, ledger.round, at_ms, cause)
    return replace(ledger, done=ledger.done and replace(ledger.done, set_aside=True))


def steps(ledger: Ledger) -> Iterator[Step]:
    """What can be undone, newest first."""
    step = ledger.done
    while step is not None:
        yield step
        step = step.previous


def undone_steps(ledger: Ledger) -> Iterator[Step]:
    """What can be given again, in the order of giving."""
    undone = ledger.undone
    while undone is not None:
        yield undone.step
        undone = undone.previous


def undo(ledger: Ledger, n: int, at_ms: int) -> Ledger:
    """The ledger as if the last ``n`` commands had never been given.

    The clock changes only if one of them changed it: then to the level and remaining time at the first that
    did. Raises `EventError` when there are not so many.
    """
    if ledger.round is None or not 1 <= n <= ledger.undoable:
        raise EventError(f"{n} commands to undo, {ledger.undoable} there")
    after, clock, done, undone = ledger.round, ledger.round.clock, ledger.done, ledger.undone
    for _ in range(n):
        if done is None:
            break
        undone = Undone(done, after, undone, undone.depth + 1 if undone else 1)
        after = done.before
        if done.clock_moved:
            clock = _carried(after, after.clock, done.at, at_ms)
        done = done.previous
    return Ledger(replace(after, clock=clock), done, undone)


def redo(ledger: Ledger, n: int, at_ms: int) -> Ledger:
    """The ledger with the last ``n`` undone commands given again, in their order.

    One that changed the clock sets it as it stood right after it. Raises `EventError` when there are not so many.
    """
    if ledger.round is None or not 1 <= n <= ledger.redoable:
        raise EventError(f"{n} commands to redo, {ledger.redoable} there")
    round, done, undone = ledger.round, ledger.done, ledger.undone
    for _ in range(n):
        if undone is None:
            break
        step, clock = undone.step, round.clock
        if step.clock_moved:
            clock = _carried(undone.after, step.clock_after, step.at, at_ms)
        depth = done.depth + 1 if done else 1
        done = Step(step.cause, at_ms, round, clock, step.clock_moved, step.set_aside, done, depth)
        round, undone = replace(undone.after, clock=clock), undone.previous
    return Ledger(round, done, undone)


def _carried(round: Round, clock: ClockState | None, then_ms: int, now_ms: int) -> ClockState | None:
    return clock and clocks.shifted(round.structure, clock, then_ms, now_ms)
