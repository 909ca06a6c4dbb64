"""The public clock of a round, so that level after level is known without another word from the venue.

A plain object: ``entries`` of the structure (``level``, ``sb``, ``bb``, ``ante``, ``ms`` long, ``break``), which one
``entry`` is, whether it is ``running`` and then ``ends_at`` (UTC ms), else ``left_ms``. In a break that was added
``interrupted_ms`` is what the level has left, ``break_ms`` the break's length. ``held``: hand-for-hand play holds it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from appliance.game import clock as clocks
from appliance.game.entry import can_grow
from appliance.game.prizes import prizes_by_place
from appliance.game.state import ClockState, Entry, Phase, Round, Status


class Shown(NamedTuple):
    """What a public clock shows at one moment. In a break level and blinds are those of the level before.

    ``following``: the entry after it, None after the last; of a break that was added the level that goes on.
    """

    level: int
    sb: int
    bb: int
    ante: int
    running: bool
    held: bool
    on_break: bool
    left_ms: int
    ends_at: int | None
    following: Entry | None


def public_clock(round: Round) -> dict[str, Any] | None:
    """The clock of a round that is being played, else None."""
    clock = round.clock
    if clock is None or round.phase is not Phase.RUNNING:
        return None
    told: dict[str, Any] = {"entry": clock.entry, "running": clock.running}
    told |= {"ends_at": clock.ends_at} if clock.running else {"left_ms": clock.left_ms}
    if clock.interrupted_ms is not None:
        told |= {"interrupted_ms": clock.interrupted_ms, "break_ms": clock.break_ms}
    if clock.held:
        told["held"] = True
    return told | {"entries": [_told(entry) for entry in round.structure]}


def shown(clock: dict[str, Any], at_ms: int) -> Shown:
    """What a public clock shows at ``at_ms``."""
    structure = entries_of(clock)
    state = clocks.settle(
        structure,
        ClockState(
            clock["entry"],
            clock["running"],
            ends_at=clock.get("ends_at", 0),
            left_ms=clock.get("left_ms", 0),
            interrupted_ms=clock.get("interrupted_ms"),
            break_ms=clock.get("break_ms", 0),
        ),
        at_ms,
    )
    entry, left = structure[state.entry], clocks.remaining_ms(state, at_ms)
    rest = structure[state.entry if state.interrupted_ms is not None else state.entry + 1 :]
    return Shown(
        level=entry.level,
        sb=entry.sb,
        bb=entry.bb,
        ante=entry.ante,
        running=state.running,
        held=bool(clock.get("held")),
        on_break=clocks.on_break(structure, state, at_ms),
        left_ms=left,
        ends_at=state.ends_at if state.running and left else None,
        following=rest[0] if rest else None,
    )


def entries_of(clock: dict[str, Any]) -> list[Entry]:
    """The structure by which a public clock goes."""
    return [
        Entry(told["level"], told["sb"], told["bb"], told["ante"], told["ms"], told["break"])
        for told in clock["entries"]
    ]


def public_prizes(round: Round, at_ms: int) -> list[int]:
    """The prizes in CZK by place once they are known: nobody can deposit any more (T-2, T-9).

    Those who made a deal are not paid by places (T-10): theirs are 0.
    """
    if round.phase not in (Phase.RUNNING, Phase.FINISHED) or can_grow(round, at_ms):
        return []
    dealt = sum(round.players[who].status is not Status.VOID for who in round.deal.amounts) if round.deal else 0
    return [0 if place < dealt else amount for place, amount in enumerate(prizes_by_place(round))]


def _told(entry: Entry) -> dict[str, Any]:
    return {
        "level": entry.level,
        "sb": entry.sb,
        "bb": entry.bb,
        "ante": entry.ante,
        "ms": entry.length_ms,
        "break": entry.is_break,
    }
