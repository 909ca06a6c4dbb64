"""What a deal gives everybody: by the independent chip model, or in proportion to chips (T-10).

Both take the chips of those who remain and the prizes they play for, best place first, as many as there are
players; places that win nothing are zeros. Both give whole crowns that add up to the prizes: floored, left-over
crowns to the largest remainders (T-5), ties to the larger stack, then to the lower registration number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd, lcm

from appliance.game.prizes import whole
from appliance.game.values import registration_order

ICM_MOST = 10
"""The independent chip model is offered to no more players than a final table seats."""


class TooManyPlayers(ValueError):
    """More players than `ICM_MOST`; ``players`` says how many."""

    def __init__(self, players: int) -> None:
        super().__init__(f"{players} players: the independent chip model is offered to {ICM_MOST} at most")
        self.players = players


def icm(stacks: Mapping[str, int], prizes: Sequence[int]) -> dict[str, int]:
    """Malmuth and Harville's model, exactly: who is first is as likely as their share of all chips, who is second
    as their share of the others', and so on; everybody gets the mean of what they would win.

    Whoever has no chips comes last; several of them share the last prizes. Raises `TooManyPlayers`, and
    ValueError for a negative stack or a number of prizes that is not that of the players.
    """
    order = _order(stacks, prizes)
    if len(order) > ICM_MOST:
        raise TooManyPlayers(len(order))
    playing = [participant for participant in order if stacks[participant]]
    broke = len(order) - len(playing)
    weights, unit = _expectations([stacks[participant] for participant in playing], prizes[: len(playing)])
    last = sum(prizes[len(playing) :])
    weights = [weight * max(broke, 1) for weight in weights] + [unit * last] * broke
    return dict(zip(order, whole(sum(prizes), weights), strict=True))


def chop(stacks: Mapping[str, int], prizes: Sequence[int]) -> dict[str, int]:
    """A chip-chop: everybody first gets the lowest prize, the rest is shared in proportion to chips.

    The lowest prize is what the next one out would win: it has been secured by all who remain, so that a deal
    must give nobody less, however short their stack. Without any chips the rest is shared equally. Raises
    ValueError as `icm` does.
    """
    order = _order(stacks, prizes)
    secured = min(prizes, default=0)
    weights = [stacks[participant] for participant in order]
    rest = whole(sum(prizes) - secured * len(order), weights if any(weights) else [1] * len(order))
    return {participant: secured + part for participant, part in zip(order, rest, strict=True)}


def _order(stacks: Mapping[str, int], prizes: Sequence[int]) -> list[str]:
    """Those who share, in the order in which ties of a remainder are decided."""
    if len(stacks) != len(prizes):
        raise ValueError(f"{len(prizes)} prizes for {len(stacks)} players")
    if any(chips < 0 for chips in stacks.values()) or any(prize < 0 for prize in prizes):
        raise ValueError("no stack and no prize is less than nothing")
    return sorted(stacks, key=lambda participant: (-stacks[participant], registration_order(participant)))


def _expectations(chips: Sequence[int], prizes: Sequence[int]) -> tuple[list[int], int]:
    """The expected prizes of positive stacks, as multiples of 1 / the number that is returned with them.

    The players who took the best places are a set of bits. The chance of a set is the sum, over who came last in
    it, of the chance of the set without them times their share of the chips outside it. All chances are kept
    as whole multiples of one unit, which every product of those shares' denominators divides: exact, and a
    hundred times quicker than fractions.
    """
    chips = [stack // gcd(*chips) for stack in chips]
    players = range(len(chips))
    outside = [sum(chips[player] for player in players if not found >> player & 1) for found in range(1 << len(chips))]
    unit = 1
    for size in players:
        unit *= lcm(*(left for found, left in enumerate(outside) if found.bit_count() == size))
    chance = [unit] + [0] * (len(outside) - 1)
    mean = [0] * len(chips)
    for found, left in enumerate(outside[:-1]):  # a set comes after all that are part of it
        each_chip = chance[found] // left
        prize = prizes[found.bit_count()]
        for player in players:
            if not found >> player & 1:
                chance[found | 1 << player] += each_chip * chips[player]
                mean[player] += each_chip * prize
    return [share * stack for share, stack in zip(mean, chips, strict=True)], unit
