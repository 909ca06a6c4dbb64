"""The clock of a round (CK-1, CK-3): pure arithmetic on `ClockState`, asked with the time of asking."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from appliance.game.state import ClockState, Entry, Round


class ClockFace(Struct, frozen=True):
    """What a clock shows at one moment; times in milliseconds, blinds in chips.

    In a break ``level`` and blinds are those of the level just played. ``next_entry`` is what follows (None
    after the last entry); ``next_break_in_ms`` is None in a break and when none is to come. ``level_ms`` is
    the full length of the level or break in progress. ``ends_at`` (UTC ms) only while it counts down.
    ``interrupted_ms``: what the level has left that an added break interrupts, which then goes on (CK-3).
    """

    level: int
    sb: int
    bb: int
    ante: int
    running: bool
    on_break: bool
    remaining_ms: int
    level_ms: int
    next_entry: Entry | None
    next_break_in_ms: int | None
    ends_at: int | None
    interrupted_ms: int | None = None


def begin(structure: Sequence[Entry], at_ms: int) -> ClockState:
    """The clock at the start of the round: the first entry at full length, running."""
    return ClockState(0, True, ends_at=at_ms + structure[0].length_ms)


def settle(structure: Sequence[Entry], clock: ClockState, at_ms: int) -> ClockState:
    """The same clock with all entries that ended by ``at_ms`` behind it.

    A new entry counts from the very millisecond the one before ends; the last one stays.
    """
    while clock.running and clock.ends_at <= at_ms:
        if clock.interrupted_ms is not None:
            ends_at = clock.ends_at + clock.interrupted_ms
            clock = replace(clock, ends_at=ends_at, interrupted_ms=None, break_ms=0)
        elif clock.entry + 1 < len(structure):
            entry = clock.entry + 1
            clock = replace(clock, entry=entry, ends_at=clock.ends_at + structure[entry].length_ms)
        else:
            break
    return clock


def remaining_ms(clock: ClockState, at_ms: int) -> int:
    """What is left of a settled clock's level or break."""
    return max(0, clock.ends_at - at_ms) if clock.running else clock.left_ms


def with_remaining(clock: ClockState, at_ms: int, left_ms: int) -> ClockState:
    """The clock with so much left, counted from ``at_ms``; it keeps running, or keeps its pause."""
    if clock.running:
        return replace(clock, ends_at=at_ms + left_ms, left_ms=0)
    return replace(clock, ends_at=0, left_ms=left_ms)


def stopped(structure: Sequence[Entry], clock: ClockState, at_ms: int) -> ClockState:
    """The clock as it stands at ``at_ms``, no longer counting."""
    clock = settle(structure, clock, at_ms)
    return replace(clock, running=False, left_ms=remaining_ms(clock, at_ms), ends_at=0, held=False)


def held(structure: Sequence[Entry], clock: ClockState, at_ms: int) -> ClockState:
    """The clock as it stands at ``at_ms``, stopped by hand-for-hand play (CK-6)."""
    return replace(stopped(structure, clock, at_ms), held=True)


def resumed(clock: ClockState, at_ms: int) -> ClockState:
    """A stopped clock that counts again from ``at_ms``."""
    return replace(clock, running=True, ends_at=at_ms + clock.left_ms, left_ms=0, held=False)


def shifted(structure: Sequence[Entry], clock: ClockState, then_ms: int, now_ms: int) -> ClockState:
    """The clock as it stood at ``then_ms``, carried to ``now_ms``: same level, same remaining time."""
    clock = settle(structure, clock, then_ms)
    return with_remaining(clock, now_ms, remaining_ms(clock, then_ms))


def on_break(structure: Sequence[Entry], clock: ClockState, at_ms: int) -> bool:
    """Whether a settled clock is in a break; a break that ends the structure is over when it is at 0."""
    if clock.interrupted_ms is not None:
        return True
    last = clock.entry == len(structure) - 1
    return structure[clock.entry].is_break and not (last and remaining_ms(clock, at_ms) == 0)


def is_over(structure: Sequence[Entry], clock: ClockState, entry: int, at_ms: int) -> bool:
    """Whether a settled clock has done with an entry: it is further, or nothing is left of the last one."""
    if clock.entry != entry:
        return clock.entry > entry
    left = remaining_ms(clock, at_ms) if clock.interrupted_ms is None else clock.interrupted_ms
    return entry == len(structure) - 1 and left == 0


def entry(round: Round, at_ms: int) -> Entry:
    """The entry of the structure at ``at_ms``: what `face` shows of level and blinds."""
    return round.structure[settle(round.structure, round.clock, at_ms).entry if round.clock else 0]


def face(round: Round, at_ms: int) -> ClockFace:
    """What the round's clock shows at ``at_ms``; before the start the first entry at full length, stopped."""
    structure = round.structure
    clock = round.clock or ClockState(0, False, left_ms=structure[0].length_ms)
    clock = settle(structure, clock, at_ms)
    entry = structure[clock.entry]
    left = remaining_ms(clock, at_ms)
    in_break = on_break(structure, clock, at_ms)
    return ClockFace(
        level=entry.level,
        sb=entry.sb,
        bb=entry.bb,
        ante=entry.ante,
        running=clock.running,
        on_break=in_break,
        remaining_ms=left,
        level_ms=entry.length_ms if clock.interrupted_ms is None else clock.break_ms,
        next_entry=_next_entry(structure, clock),
        next_break_in_ms=None if in_break else _next_break(structure, clock, left),
        ends_at=clock.ends_at if clock.running and left else None,
        interrupted_ms=clock.interrupted_ms,
    )


def _next_entry(structure: Sequence[Entry], clock: ClockState) -> Entry | None:
    if clock.interrupted_ms is not None:
        return structure[clock.entry]
    return structure[clock.entry + 1] if clock.entry + 1 < len(structure) else None


def _next_break(structure: Sequence[Entry], clock: ClockState, left_ms: int) -> int | None:
    for entry in structure[clock.entry + 1 :]:
        if entry.is_break:
            return left_ms
        left_ms += entry.length_ms
    return None
