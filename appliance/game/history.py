"""The history of a round: what can be undone and given again, and how the clock follows."""

from __future__ import annotations

from msgspec.structs import replace

from appliance.game import clock as clocks
from appliance.game.codec import EventError
from appliance.game.state import ClockState, Ledger, Round, Step, Undone


def remember(ledger: Ledger, after: Round, at_ms: int, cause: str | None) -> Ledger:
    """The ledger after an event of a command; a command's later events belong to its step.

    Whatever was undone before can no longer be given again.
    """
    before = ledger.round
    if before is None:
        return Ledger(after)
    moved = after.clock != before.clock
    done = ledger.done
    if done and cause is not None and done[-1].cause == cause:
        step = replace(done[-1], clock_after=after.clock, clock_moved=done[-1].clock_moved or moved)
        return Ledger(after, (*done[:-1], step))
    return Ledger(after, (*done, Step(cause, at_ms, before, after.clock, moved)))


def set_aside(ledger: Ledger, at_ms: int, cause: str | None) -> Ledger:
    """The ledger after a command of which an event could not be folded: it changes nothing, and can be undone.

    The writer counts it among its commands, so a later undo must find it; until then the ledger is `in_doubt`.
    Before the announcement there is nothing to keep in step with.
    """
    if ledger.round is None:
        return ledger
    ledger = remember(ledger, ledger.round, at_ms, cause)
    return replace(ledger, done=(*ledger.done[:-1], replace(ledger.done[-1], set_aside=True)))


def undo(ledger: Ledger, n: int, at_ms: int) -> Ledger:
    """The ledger as if the last ``n`` commands had never been given.

    The clock changes only if one of them changed it: then to the level and remaining time at the first that
    did. Raises `EventError` when there are not so many.
    """
    if ledger.round is None or not 1 <= n <= len(ledger.done):
        raise EventError(f"{n} commands to undo, {len(ledger.done)} there")
    kept, taken = ledger.done[: len(ledger.done) - n], ledger.done[len(ledger.done) - n :]
    clock = ledger.round.clock
    after = ledger.round
    undone = list(ledger.undone)
    for step in reversed(taken):
        undone.append(Undone(step, after))
        after = step.before
        if step.clock_moved:
            clock = _carried(after, after.clock, step.at, at_ms)
    return Ledger(replace(after, clock=clock), kept, tuple(undone))


def redo(ledger: Ledger, n: int, at_ms: int) -> Ledger:
    """The ledger with the last ``n`` undone commands given again, in their order.

    One that changed the clock sets it as it stood right after it. Raises `EventError` when there are not so many.
    """
    if ledger.round is None or not 1 <= n <= len(ledger.undone):
        raise EventError(f"{n} commands to redo, {len(ledger.undone)} there")
    round, done, undone = ledger.round, ledger.done, ledger.undone
    for _ in range(n):
        again, undone = undone[-1], undone[:-1]
        step = again.step
        clock = round.clock
        if step.clock_moved:
            clock = _carried(again.after, step.clock_after, step.at, at_ms)
        after = replace(again.after, clock=clock)
        done = (*done, Step(step.cause, at_ms, round, clock, step.clock_moved, step.set_aside))
        round = after
    return Ledger(round, done, undone)


def _carried(round: Round, clock: ClockState | None, then_ms: int, now_ms: int) -> ClockState | None:
    return clock and clocks.shifted(round.structure, clock, then_ms, now_ms)
