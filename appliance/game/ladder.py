"""The blinds of a proposed structure: so many levels that grow as evenly as round numbers and the chips allow (CK-1).

Of all rows of round big blinds in which each is 1.2 to 2 times the one before, the one is taken that comes closest
to even growth from the first to the last. Closeness is a sum of squares over hundredths of a doubling, whole numbers
throughout, so that the same wish gives the same blinds on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

DOUBLING = 100
"""What `doublings` makes of a factor of two."""

LEAST_STACK = 50
"""A starting stack is worth at least so many big blinds of the first level, where the chips allow."""

_FIRST_STACK = 100  # what it is worth by preference
_ROUND = (10, 12, 15, 20, 25, 30, 40, 50, 60, 75, 80)  # with any number of zeros behind: what a small blind is
_UNUSUAL = {12: 400, 25: 600, 75: 50}  # and what these cost where another would do nearly as well
_MANY_CHIPS = 3  # a small blind of more chips than that costs as well


class Blinds(NamedTuple):
    """Small and big blind of a level, in chips."""

    sb: int
    bb: int


class Span(NamedTuple):
    """What a row of blinds has to bring about: from a starting stack to the big blind at the wished end."""

    levels: int
    stack: int
    last_bb: int


def doublings(amount: int) -> int:
    """The binary logarithm of a positive amount in hundredths, rounded down."""
    power: int = amount**DOUBLING
    return power.bit_length() - 1


def ladder(span: Span, chips: Sequence[int], rule: Literal["half", "at-most-big"]) -> list[Blinds]:
    """The blinds of all levels. ``chips``: the denominations, smallest first; ``rule``: the profile's, for the
    small blind. All are multiples of the smallest chip. Where there are more levels than there is room for,
    the last big blind comes out larger than wished; where there are fewer, smaller."""
    rungs = _rungs(span, chips, rule)
    heights = [doublings(blinds.bb) for blinds in rungs]
    bottom = max(doublings(span.stack) - doublings(_FIRST_STACK), heights[0])
    rise = max(doublings(span.last_bb) - bottom, 0)
    steps = max(span.levels - 1, 1)
    dearness = [_dearness(blinds, chips) for blinds in rungs]

    def cost(level: int, rung: int) -> int:
        return (heights[rung] - bottom - rise * level // steps) ** 2 + dearness[rung]

    best = {rung: cost(0, rung) for rung, blinds in enumerate(rungs) if blinds.bb * LEAST_STACK <= span.stack}
    best = best or {0: 0}
    ways: list[dict[int, int]] = []  # for each later level: from which rung the best way to a rung comes
    for level in range(1, span.levels):
        found: dict[int, tuple[int, int]] = {}
        for rung, so_far in best.items():
            for higher in _next(rungs, rung):
                uneven = (heights[higher] - heights[rung] - rise // steps) ** 2
                total = so_far + uneven + cost(level, higher)
                found[higher] = min(found.get(higher, (total, rung)), (total, rung))
        best = {rung: total for rung, (total, _) in found.items()}
        ways.append({rung: before for rung, (_, before) in found.items()})
    rung = min(best, key=lambda last: (best[last], last))
    row = [rung]
    for way in reversed(ways):
        row.append(way[row[-1]])
    return [rungs[rung] for rung in reversed(row)]


def _next(rungs: Sequence[Blinds], rung: int) -> Iterator[int]:
    bb = rungs[rung].bb
    for higher in range(rung + 1, len(rungs)):
        if rungs[higher].bb > 2 * bb:
            return
        if 5 * rungs[higher].bb >= 6 * bb:
            yield higher


def _rungs(span: Span, chips: Sequence[int], rule: Literal["half", "at-most-big"]) -> list[Blinds]:
    """All blinds there can be, lowest first: pairs of a round small blind and its double.

    Where the smallest chip is coarse for the stack and the profile leaves the small blind free, also big blinds of
    one, three and five chips with the larger half as small blind, as 100/100 and 200/300 under a chip of 100.
    """
    unit = chips[0]
    highest = max(span.last_bb, unit) * 2**span.levels
    rungs = {Blinds(amount, 2 * amount) for amount in _round_amounts(unit, highest)}
    if rule == "at-most-big" and 2 * unit * LEAST_STACK > span.stack:
        rungs |= {Blinds((odd + 1) // 2 * unit, odd * unit) for odd in (1, 3, 5)}
    return sorted(rungs, key=lambda blinds: blinds.bb)


def _round_amounts(unit: int, highest: int) -> Iterator[int]:
    """Round multiples of the smallest chip; of an unusual chip, a round number of them."""
    usual = str(unit).rstrip("0") in ("1", "2", "25", "5")
    step, factor = (unit, 1) if usual else (1, unit)
    tens = 1
    while tens * factor <= highest:
        for digits in _ROUND:
            amount, rest = divmod(digits * tens, 10)
            if not rest and amount and amount % step == 0:
                yield amount * factor
        tens *= 10


def _dearness(blinds: Blinds, chips: Sequence[int]) -> int:
    """What speaks against these blinds: unusual numbers, and many small chips where larger ones are to hand."""
    largest = max((chip for chip in chips if not blinds.sb % chip and not blinds.bb % chip), default=chips[0])
    digits = str(blinds.sb).rstrip("0").ljust(2, "0")
    unusual = 0 if blinds.sb in chips else _UNUSUAL.get(int(digits[:2]), 0)
    many = 0 if largest == chips[-1] else max(blinds.sb // largest - _MANY_CHIPS, 0)
    return unusual + 6 * many**2
