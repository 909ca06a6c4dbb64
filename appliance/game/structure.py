"""A structure proposed from players, chips and the wished duration (CK-1, T-16), with the colour-ups that go with it.

**The end.** As floor managers reckon, an evening is over when all chips together are worth about twenty big blinds:
the wished duration ends with such a level. In between the blinds grow as evenly as round numbers allow (`ladder`).
**The chips.** Every small blind, big blind and ante is a multiple of the smallest chip that is still in play; a
denomination is changed up, in a break, only when no later level needs it. **Antes** begin with the second third of the
levels: per player about an eighth of the big blind and no more than a sixth, from the big blind one big blind.

The proposal is what an announcement takes; nothing is announced by it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct

from appliance.game.chipset import Chips, handed_out, in_play_from_the_start, leaves, starting_stack
from appliance.game.commands import (
    StructureEntry,
)
from appliance.game.ladder import DOUBLING, Blinds, Span, doublings, ladder

END_STACK = 20
"""All chips together, in big blinds, at the wished end."""

_SHORTEST_END = 5  # with fewer big blinds than this the blinds have outgrown the chips
_EVEN_GROWTH = DOUBLING // 2  # of a level to the next, where the length of the levels is free: by the root of two
_LENGTHS = (5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 45, 60, 75, 90, 120, 150, 180, 240, 300, 360, 480, 720)

_BOUNDS = {
    "players": (3, 90),
    "stack": (1, 1_000_000),
    "minutes": (5, 1440),
    "level_minutes": (1, 720),
    "break_every": (0, 1440),
    "break_minutes": (1, 720),
}
_MOST_CHIPS = 12  # denominations of a set
_MOST_LEVELS = 100  # an announcement has two hundred entries at most


class WishError(ValueError):
    """A wish that no structure can meet: the field that is to blame, and why."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


class Wish(Struct, frozen=True, kw_only=True):
    """What is asked for. ``stack``: starting chips of each player; ``chips``: the set, with how many there are of a
    denomination in all, or None; ``minutes``: the whole evening, breaks included. ``level_minutes``: None leaves it
    to the proposal. ``small_blind``: the profile's rule. A break comes after every ``break_every`` levels, or the
    levels that come to so many minutes; 0: there are none.
    """

    players: int
    stack: int
    chips: Mapping[int, int | None]
    minutes: int
    small_blind: Literal["half", "at-most-big"]
    level_minutes: int | None = None
    ante: Literal["none", "player", "bb"] = "none"
    break_every: int = 75
    break_unit: Literal["levels", "minutes"] = "minutes"
    break_minutes: int = 10


class ColourUp(Struct, frozen=True, kw_only=True):
    """A denomination to change up before a level (counted without breaks). ``entry``: which entry of the structure
    that break is, from 1; None where there are no breaks."""

    denomination: int
    to: int
    before_level: int
    entry: int | None


class Structure(Struct, frozen=True, kw_only=True):
    """A proposal. ``levels``: as the announcement takes them; ``minutes``: what they come to. ``starting_stack``:
    the chips to hand out, by denomination. ``end_big_blinds``: all chips in big blinds of the last level."""

    levels: tuple[StructureEntry, ...]
    colour_ups: tuple[ColourUp, ...]
    minutes: int
    starting_stack: Mapping[int, int]
    end_big_blinds: int


class _Plan(NamedTuple):
    """How the evening is divided: ``breaks`` of them, each after so many levels of so many minutes."""

    levels: int
    length: int
    every: int
    breaks: int

    def minutes(self, break_minutes: int) -> int:
        return self.levels * self.length + self.breaks * break_minutes

    def break_before(self, level: int) -> bool:
        """Whether there is a break before a level, counted from 0."""
        return self.every > 0 and 0 < level <= self.breaks * self.every and level % self.every == 0


def propose(wish: Wish) -> Structure:
    """The structure for a wish; the same for the same wish. Raises `WishError`."""
    _check(wish)
    total = wish.players * wish.stack
    chips = handed_out(wish.stack, wish.players, wish.chips)
    if chips is None:
        raise WishError("chips", f"they do not make {wish.players} stacks of {wish.stack}")
    first_bb = next(iter(chips)) * (2 if wish.small_blind == "half" else 1)
    if total < _SHORTEST_END * first_bb:
        raise WishError("stack", f"{total} chips in all are too few for a big blind of {first_bb}")
    plan = _plan(wish, doublings(max(total // END_STACK, first_bb)) - doublings(max(wish.stack // 100, first_bb)))
    rows = ladder(Span(plan.levels, wish.stack, total // END_STACK), list(chips), wish.small_blind)
    if total < _SHORTEST_END * rows[-1].bb:
        field = "minutes" if wish.level_minutes is None else "level_minutes"
        raise WishError(field, f"{plan.levels} levels of {plan.length} minutes outgrow {total} chips")
    antes = _antes(wish.ante, list(chips), rows)
    due = [{amount for amount in (*blinds, ante) if amount} for blinds, ante in zip(rows, antes, strict=True)]
    in_play = in_play_from_the_start(wish.stack, wish.players, chips, set().union(*due))
    levels, break_entries = _entries(wish, plan, rows, antes)
    return Structure(
        levels=levels,
        colour_ups=tuple(_colour_ups(wish, plan, in_play, due, break_entries)),
        minutes=plan.minutes(wish.break_minutes),
        starting_stack=starting_stack(wish.stack, wish.players, in_play) or {},
        end_big_blinds=total // rows[-1].bb,
    )


def _check(wish: Wish) -> None:
    for field, (least, most) in _BOUNDS.items():
        number = getattr(wish, field)
        if number is not None and not least <= number <= most:
            raise WishError(field, f"{number} is not between {least} and {most}")
    if not 1 <= len(wish.chips) <= _MOST_CHIPS:
        raise WishError("chips", f"1 to {_MOST_CHIPS} denominations make a set")
    for chip, count in wish.chips.items():
        if not 1 <= chip <= _BOUNDS["stack"][1] or (count is not None and not 0 < count <= 10**9):
            raise WishError("chips", f"{chip if count is None else f'{chip}x{count}'} is no chip of a set")
    if wish.level_minutes is not None and wish.break_every and wish.break_minutes > 2 * wish.level_minutes:
        raise WishError("break_minutes", "a break is at most as long as two levels")


def _plan(wish: Wish, rise: int) -> _Plan:
    """The length of the levels, as wished or so that they grow at an easy pace, and how many there are."""
    if wish.level_minutes is not None:
        return _divided(wish, wish.level_minutes)
    shortest = wish.break_minutes if wish.break_every else 0
    lengths = [length for length in _LENGTHS if length <= wish.minutes and 2 * length >= shortest]
    if not lengths:
        raise WishError("break_minutes", f"too long for an evening of {wish.minutes} minutes")
    easy = 1 + rise // _EVEN_GROWTH
    plans = [_divided(wish, length) for length in lengths if wish.minutes <= _MOST_LEVELS * length]
    return min(plans, key=lambda plan: (abs(plan.levels - easy), -plan.length))


def _divided(wish: Wish, length: int) -> _Plan:
    """So many levels, with their breaks, that the whole comes as near to the wish as it can.

    Where a level with the break before it is too much, and neither of them too little, the last break is left out:
    the whole is never more than a level off.
    """
    if wish.minutes > _MOST_LEVELS * length:
        raise WishError("level_minutes", f"more than {_MOST_LEVELS} levels of {length} minutes")
    every = wish.break_every
    if wish.break_unit == "minutes" and every:
        every = max(1, (every + length // 2) // length)
    counts = range(1, wish.minutes // length + 2)
    plans = [_Plan(levels, length, every, (levels - 1) // every if every else 0) for levels in counts]
    plans += [plan._replace(breaks=plan.breaks - 1) for plan in plans if plan.breaks]
    off = [abs(plan.minutes(wish.break_minutes) - wish.minutes) for plan in plans]
    nearest = min(range(len(counts)), key=off.__getitem__)
    return plans[nearest if off[nearest] <= length else min(range(len(plans)), key=off.__getitem__)]


def _antes(kind: str, chips: Sequence[int], rows: Sequence[Blinds]) -> list[int]:
    """The ante of each level."""
    before = max(1, len(rows) // 3)
    return [_ante(kind, chips, blinds.bb) if level >= before else 0 for level, blinds in enumerate(rows)]


def _ante(kind: str, chips: Sequence[int], bb: int) -> int:
    """An ante from the big blind is as large as it; one per player is an eighth of it, to the nearest whole chip.

    The chip is the largest that is at most a sixth of the big blind, so that antes grow with it; where even the
    smallest is more, there is no ante yet.
    """
    if kind == "bb":
        return bb
    handy = [chip for chip in chips if not chip % chips[0] and 6 * chip <= bb]
    if kind == "none" or not handy:
        return 0
    return handy[-1] * max(1, (bb + 4 * handy[-1]) // (8 * handy[-1]))


def _entries(
    wish: Wish, plan: _Plan, rows: Sequence[Blinds], antes: Sequence[int]
) -> tuple[tuple[StructureEntry, ...], dict[int, int]]:
    """The entries, and by level (from 0) which entry (from 1) the break before it is."""
    entries: list[StructureEntry] = []
    breaks: dict[int, int] = {}
    for level, (blinds, ante) in enumerate(zip(rows, antes, strict=True)):
        if plan.break_before(level):
            entries.append(StructureEntry(pause=wish.break_minutes))
            breaks[level] = len(entries)
        entries.append(StructureEntry(sb=blinds.sb, bb=blinds.bb, ante=ante, minutes=plan.length))
    return tuple(entries), breaks


def _colour_ups(
    wish: Wish, plan: _Plan, chips: Chips, due: Sequence[set[int]], breaks: Mapping[int, int]
) -> Iterator[ColourUp]:
    """In every break, or before every level where there are none, what no later level needs; smallest first."""
    left = dict(sorted(chips.items()))
    for level in sorted(breaks) or range(1, plan.levels):
        later = set().union(*due[level:])
        while (to := leaves(left, later, wish.players * wish.stack, wish.players)) is not None:
            smallest = min(left)
            del left[smallest]
            yield ColourUp(denomination=smallest, to=to, before_level=level + 1, entry=breaks.get(level))
