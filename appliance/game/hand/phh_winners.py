"""Who won what no cards decide, as the record tells it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from appliance.game.hand.facts import Awarded
from appliance.game.hand.hand import Hand
from appliance.game.hand.phh import Recorded, Scale

Shares = tuple[tuple[int, int], ...]
"""Positions and how much each gets."""


def by_record(hand: Hand, recorded: Recorded, scale: Scale) -> Hand:
    """A pot that no cards decide goes as recorded, where the record accounts for all of it.

    Several such pots do so only where one player took them all: how they were shared is not recorded.
    """
    if not hand.undecided:
        return hand
    undecided = [award for award in hand.awards if not award.shares]
    amount = sum(award.amount for award in undecided)
    for rest in _unaccounted(hand, recorded, scale):
        shares = tuple((position, share) for position, share in enumerate(rest) if share)
        whole = min(rest) >= 0 and sum(rest) == amount and (len(shares) == 1 or len(undecided) == 1)
        if whole and all(position in award.eligible for position, _ in shares for award in undecided):
            return _given(hand, shares)
    return hand


def _unaccounted(hand: Hand, recorded: Recorded, scale: Scale) -> Iterator[list[int]]:
    """What each got according to the winnings, then to the finishing stacks, beyond what the cards gave."""
    if recorded.winnings:
        rest = [scale.chips(amount) for amount in recorded.winnings]
        for award in hand.awards:
            for position, share in award.shares:
                rest[position] -= share
        yield rest
    if recorded.finishing:
        stacks = [scale.chips(amount) for amount in recorded.finishing]
        yield [told - had for told, had in zip(stacks, hand.stacks, strict=True)]


def _given(hand: Hand, shares: Shares) -> Hand:
    stacks = list(hand.stacks)
    for position, share in shares:
        stacks[position] += share
    one = shares[0][0]
    awards = tuple(
        award
        if award.shares
        else Awarded(award.amount, award.eligible, ((one, award.amount),) if len(shares) == 1 else shares)
        for award in hand.awards
    )
    return replace(hand, awards=awards, betting=replace(hand.betting, stacks=tuple(stacks)))
