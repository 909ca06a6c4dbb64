"""What the commissioner does with the clock (CK-1, CK-3). Every change keeps a pause but `Resume`.

In hand-for-hand play (CK-6) a clock that goes on is held, but in breaks; pausing it and resuming it then stop play and
let it go on, and the clock is held again.
"""

from __future__ import annotations

from msgspec.structs import replace

from appliance.game import clock as clocks
from appliance.game.announcement import MINUTE_MS
from appliance.game.command import (
    Command,
)
from appliance.game.commands import (
    BeginBreak,
    EndBreak,
    NextLevel,
    Pause,
    PreviousLevel,
    Resume,
    SetRemaining,
    name_of,
)
from appliance.game.event import Event
from appliance.game.events import ClockSet
from appliance.game.refusal import Refusal, not_running, stale
from appliance.game.state import ClockState, Round


def current(round: Round, at_ms: int) -> ClockState:
    """The clock of a started round as it stands at ``at_ms``."""
    clock = round.clock or clocks.begin(round.structure, at_ms)
    return clocks.settle(round.structure, clock, at_ms)


def as_played(round: Round, clock: ClockState, at_ms: int) -> ClockState:
    """A settled clock that is not paused, as hand-for-hand play has it: held in a level, running in a break."""
    if round.hand_for_hand is None:
        return clock
    if clocks.on_break(round.structure, clock, at_ms):
        return clocks.resumed(clock, at_ms) if clock.held else clock
    return clocks.held(round.structure, clock, at_ms) if clock.running else clock


def _set(round: Round, command: Command, clock: ClockState, at_ms: int) -> tuple[Event, ...]:
    return (ClockSet(by=name_of(command), clock=as_played(round, clock, at_ms)),)


def goes_on(clock: ClockState) -> bool:
    """Whether play goes on by a settled clock: it runs, or is held by hand-for-hand play."""
    return clock.running or clock.held


def verify_pause(round: Round, _: Pause, at_ms: int) -> Refusal | None:
    """Why the clock cannot be stopped: it stands."""
    stands = not goes_on(current(round, at_ms))
    return not_running(round) or (Refusal("not-running", {"clock": "paused"}) if stands else None)


def do_pause(round: Round, command: Pause, at_ms: int) -> tuple[Event, ...]:
    """The clock keeps what it has left."""
    return _set(round, command, clocks.stopped(round.structure, current(round, at_ms), at_ms), at_ms)


def verify_resume(round: Round, _: Resume, at_ms: int) -> Refusal | None:
    """Why the clock cannot go on: it runs."""
    runs = goes_on(current(round, at_ms))
    return not_running(round) or (Refusal("already-running") if runs else None)


def do_resume(round: Round, command: Resume, at_ms: int) -> tuple[Event, ...]:
    """The clock counts down from what it had left."""
    return _set(round, command, clocks.resumed(current(round, at_ms), at_ms), at_ms)


def next_entry(round: Round, at_ms: int) -> int | None:
    """Where `NextLevel` leads, as a place in the structure; None: it ends here."""
    entry = _entry_after(round, at_ms)
    return entry if entry < len(round.structure) else None


def previous_entry(round: Round, at_ms: int) -> int | None:
    """Where `PreviousLevel` leads; None: the structure begins here."""
    entry = _entry_before(round, at_ms)
    return entry if entry >= 0 else None


def _entry_after(round: Round, at_ms: int) -> int:
    return current(round, at_ms).entry + 1


def _entry_before(round: Round, at_ms: int) -> int:
    """The entry before this one; a break that was added lies behind its level, so the level is before it."""
    clock = current(round, at_ms)
    return clock.entry if clock.interrupted_ms is not None else clock.entry - 1


def _at_entry(round: Round, entry: int, at_ms: int) -> ClockState:
    clock = replace(current(round, at_ms), entry=entry, interrupted_ms=None, break_ms=0)
    return clocks.with_remaining(clock, at_ms, round.structure[entry].length_ms)


def _another_entry(round: Round, command: NextLevel | PreviousLevel | SetRemaining, at_ms: int) -> Refusal | None:
    """Why it is not done: the round does not run, or the clock is at another entry than the person saw (``stale``)."""
    return not_running(round) or stale(command.seen, current(round, at_ms).entry + 1)


def verify_next_level(round: Round, command: NextLevel, at_ms: int) -> Refusal | None:
    """Why there is nothing after this: the structure ends here; or it is not the entry that the person saw."""
    if refusal := _another_entry(round, command, at_ms):
        return refusal
    return Refusal("no-such-level") if next_entry(round, at_ms) is None else None


def do_next_level(round: Round, command: NextLevel, at_ms: int) -> tuple[Event, ...]:
    """One entry on, breaks included, at full length."""
    return _set(round, command, _at_entry(round, _entry_after(round, at_ms), at_ms), at_ms)


def verify_previous_level(round: Round, command: PreviousLevel, at_ms: int) -> Refusal | None:
    """Why there is nothing before this: the structure begins here; or it is not the entry that the person saw."""
    if refusal := _another_entry(round, command, at_ms):
        return refusal
    return Refusal("no-such-level") if previous_entry(round, at_ms) is None else None


def do_previous_level(round: Round, command: PreviousLevel, at_ms: int) -> tuple[Event, ...]:
    """One entry back, breaks included, at full length."""
    return _set(round, command, _at_entry(round, _entry_before(round, at_ms), at_ms), at_ms)


def verify_begin_break(round: Round, _: BeginBreak, at_ms: int) -> Refusal | None:
    """Why no break can begin: there is one."""
    if refusal := not_running(round):
        return refusal
    in_break = clocks.on_break(round.structure, current(round, at_ms), at_ms)
    return Refusal("on-break") if in_break else None


def do_begin_break(round: Round, command: BeginBreak, at_ms: int) -> tuple[Event, ...]:
    """A break between: after it the level goes on with what it had left."""
    clock = current(round, at_ms)
    length_ms = command.minutes * MINUTE_MS
    clock = replace(clock, interrupted_ms=clocks.remaining_ms(clock, at_ms), break_ms=length_ms)
    return _set(round, command, clocks.with_remaining(clock, at_ms, length_ms), at_ms)


def verify_end_break(round: Round, _: EndBreak, at_ms: int) -> Refusal | None:
    """Why no break can end: there is none."""
    if refusal := not_running(round):
        return refusal
    in_break = clocks.on_break(round.structure, current(round, at_ms), at_ms)
    return None if in_break else Refusal("not-on-break")


def do_end_break(round: Round, command: EndBreak, at_ms: int) -> tuple[Event, ...]:
    """Back to the interrupted level, or on to the next entry; after the last one nothing is left to count."""
    clock = current(round, at_ms)
    if clock.interrupted_ms is not None:
        level = replace(clock, interrupted_ms=None, break_ms=0)
        return _set(round, command, clocks.with_remaining(level, at_ms, clock.interrupted_ms), at_ms)
    if clock.entry + 1 < len(round.structure):
        return _set(round, command, _at_entry(round, clock.entry + 1, at_ms), at_ms)
    return _set(round, command, clocks.with_remaining(clock, at_ms, 0), at_ms)


def verify_set_remaining(round: Round, command: SetRemaining, at_ms: int) -> Refusal | None:
    """Why there is no time to set, or why not there: another level has begun than the person saw."""
    return _another_entry(round, command, at_ms)


def do_set_remaining(round: Round, command: SetRemaining, at_ms: int) -> tuple[Event, ...]:
    """The level or break in progress has so much left from now."""
    return _set(round, command, clocks.with_remaining(current(round, at_ms), at_ms, command.seconds * 1000), at_ms)
