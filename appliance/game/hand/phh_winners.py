"""Who won what no cards decide, as the record tells it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from appliance.game.hand.facts import Awarded
from appliance.game.hand.hand import Hand
from appliance.game.hand.phh import Recorded, Scale


def by_record(hand: Hand, recorded: Recorded, scale: Scale) -> Hand:
    """Pots that known cards do not decide go as recorded, where the record accounts for all of them.

    These are the pots of a showdown that somebody could win who neither showed a hand nor mucked it. Several of them
    go so only where one player took them all: how others shared them is not recorded.
    """
    open_pots = [award for award in hand.awards if _is_open(hand, award)]
    amount = sum(award.amount for award in open_pots)
    for rest in _unaccounted(hand, open_pots, recorded, scale):
        winners = [position for position, share in enumerate(rest) if share]
        whole = min(rest) >= 0 and sum(rest) == amount and (len(winners) == 1 or len(open_pots) == 1)
        could = all(position in award.eligible for position in winners for award in open_pots)
        if whole and could and not any(position in hand.mucked for position in winners):
            return _given(hand, open_pots, rest)
    return hand


def _is_open(hand: Hand, award: Awarded) -> bool:
    gone = (*hand.shown, *hand.mucked)
    return not award.shares or (len(award.eligible) > 1 and any(each not in gone for each in award.eligible))


def _unaccounted(hand: Hand, open_pots: list[Awarded], recorded: Recorded, scale: Scale) -> Iterator[list[int]]:
    """What each took of the open pots according to the winnings, then to the finishing stacks."""
    if not open_pots:
        return
    if recorded.winnings:
        decided = _taken(hand, [award for award in hand.awards if award not in open_pots])
        yield [scale.chips(told) - share for told, share in zip(recorded.winnings, decided, strict=True)]
    if recorded.finishing:
        yield [
            scale.chips(told) - had + share
            for told, had, share in zip(recorded.finishing, hand.stacks, _taken(hand, open_pots), strict=True)
        ]


def _taken(hand: Hand, awards: Iterable[Awarded]) -> list[int]:
    taken = [0] * len(hand.stacks)
    for award in awards:
        for position, share in award.shares:
            taken[position] += share
    return taken


def _given(hand: Hand, open_pots: list[Awarded], rest: list[int]) -> Hand:
    shares = tuple((position, share) for position, share in enumerate(rest) if share)
    stacks = tuple(
        had - share + told for had, share, told in zip(hand.stacks, _taken(hand, open_pots), rest, strict=True)
    )
    awards = []
    for award in hand.awards:
        if award in open_pots:
            of_it = shares if len(shares) > 1 else ((shares[0][0], award.amount),)
            award = Awarded(award.amount, award.eligible, of_it)
        awards.append(award)
    return replace(hand, awards=tuple(awards), betting=replace(hand.betting, stacks=stacks))
