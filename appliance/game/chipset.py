"""What can be paid with a set of chips: starting stacks, and which denominations may leave play when (CK-5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

Chips = Mapping[int, int | None]
"""By denomination how many there are; None: as many as are needed."""

_SEATS = 10  # one race a table rounds up to one larger chip


def starting_stack(amount: int, players: int, chips: Chips) -> dict[int, int] | None:
    """How many chips of each denomination make up the same stack for everybody, or None where they cannot.

    Of the smallest chip, without which nobody could pay the smallest blind, everybody has at least one: by
    preference what twice the next larger one is worth, of the others once that, and the rest in large ones.
    """
    bounds = {
        chip: min(amount // chip, amount if count is None else count // players)
        for chip, count in sorted(chips.items())
    }
    makeable = [b"\1"]  # sums that no chips, the largest denomination, the two largest … can make, as bits
    for chip, bound in sorted(bounds.items(), reverse=True):
        makeable.append(_with_more(makeable[-1], amount, chip, bound))
    makeable.pop()
    stack: dict[int, int] = {}
    for chip, larger in pairwise([*bounds, 0]):
        wanted = max(larger // chip * (1 if stack else 2), 1)
        most = min(bounds[chip], amount // chip)
        counts = (*range(wanted, most + 1), *range(min(wanted - 1, most), -1 if stack else 0, -1))
        rest = makeable.pop()
        count = next((count for count in counts if _is_in(amount - count * chip, rest)), None)
        if count is None:
            return None
        stack[chip] = count
        amount -= count * chip
    return {chip: count for chip, count in stack.items() if count}


def _with_more(sums: bytes, amount: int, chip: int, bound: int) -> bytes:
    """The sums up to an amount that can be made when so many chips more are to hand."""
    found = int.from_bytes(sums, "little")
    whole = (1 << amount + 1) - 1
    some = 1
    while bound:
        some = min(some, bound)
        found |= found << some * chip & whole
        bound -= some
        some *= 2
    return found.to_bytes(amount // 8 + 1, "little")


def _is_in(number: int, sums: bytes) -> bool:
    place, bit = divmod(number, 8)
    return place < len(sums) and bool(sums[place] >> bit & 1)


def handed_out(amount: int, players: int, chips: Chips) -> Chips | None:
    """The set without the smallest denominations of which there are too few; None where no stack can be made."""
    denominations = sorted(chips)
    for first in range(len(denominations)):
        usable = {chip: chips[chip] for chip in denominations[first:]}
        if starting_stack(amount, players, usable) is not None:
            return usable
    return None


def in_play_from_the_start(amount: int, players: int, chips: Chips, amounts: Iterable[int]) -> Chips:
    """The set without the smallest denominations that none of the amounts needs, where stacks can do without them."""
    amounts = list(amounts)
    while len(chips) > 1:
        smallest, second = sorted(chips)[:2]
        larger = {chip: count for chip, count in chips.items() if chip != smallest}
        if any(due % second for due in amounts) or starting_stack(amount, players, larger) is None:
            break
        chips = larger
    return chips


def leaves(chips: Chips, amounts: Iterable[int], in_play: int, players: int) -> int | None:
    """What the smallest denomination can be changed up to; None while it must stay.

    It may leave when every amount that is still to be paid is a multiple of the next one, when a larger
    denomination is a multiple of it, and when there are enough larger chips for all that is in play, with the one
    by which each table's race may round up.
    """
    smallest, *larger = sorted(chips)
    to = next((chip for chip in larger if not chip % smallest), None)
    if to is None or any(due % larger[0] for due in amounts):
        return None
    enough = _suffice(chips, larger, in_play + to * -(-players // _SEATS))
    return to if enough else None


def _suffice(chips: Chips, denominations: Sequence[int], needed: int) -> bool:
    counts = [(chip, chips[chip]) for chip in denominations]
    return any(count is None for _, count in counts) or sum(chip * (count or 0) for chip, count in counts) >= needed
