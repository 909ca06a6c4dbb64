"""Who won what no cards decide, as the record tells it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from msgspec.structs import replace

from appliance.game.hand.awarding import claims, is_contested
from appliance.game.hand.facts import Awarded
from appliance.game.hand.hand import Hand
from appliance.game.hand.phh import Recorded, Scale
from appliance.game.hand.pots import split

Shares = tuple[tuple[int, int], ...]

MOST_TRIED = 20_000
"""So many ways to share a pot are tried; what is not found by then stays undecided."""


class Settled(NamedTuple):
    """A hand as its record ends it.

    ``undecided``: its pots, counted from 0, of which nobody can say who won them; ``in_doubt``: the players whose
    stacks are not known for that.
    """

    hand: Hand
    undecided: tuple[int, ...] = ()
    in_doubt: tuple[int, ...] = ()


def by_record(hand: Hand, recorded: Recorded, scale: Scale) -> Settled:
    """Pots that known cards do not decide go as recorded, where the record accounts for all of them.

    These are the pots of a showdown that somebody could win who neither showed a hand nor mucked it. One of them goes
    as it was recorded. Several go so where there is but one way to give them that comes to what was recorded, each
    split in equal shares (H-14). Where there are several, the stacks are those recorded, and nothing more is known.
    """
    pots = list(hand.awards) if hand.over else claims(hand) if is_contested(hand) else []
    open_ = [index for index, pot in enumerate(pots) if is_open(hand, pot)]
    amount = sum(pots[index].amount for index in open_)
    decided = _taken(hand, (pot for index, pot in enumerate(pots) if index not in open_))
    for rest in _unaccounted(hand, _taken(hand, pots), decided, recorded, scale) if open_ else ():
        if min(rest) < 0 or sum(rest) != amount:
            continue
        given = _one_way([_claim(hand, pots[index]) for index in open_], rest, hand.unit)
        if given is not None:
            return _given(hand, pots, dict(zip(open_, given, strict=True)), decided, rest)
        if _could(hand, [pots[index] for index in open_], rest):
            return _given(hand, pots, dict.fromkeys(open_, ()), decided, rest)
    undecided = tuple(index for index, pot in enumerate(pots) if not pot.shares)
    return Settled(hand, undecided, tuple({each for index in undecided for each in _claim(hand, pots[index]).eligible}))


def is_open(hand: Hand, award: Awarded) -> bool:
    """Whether the cards known here do not decide this pot: somebody could win it who neither showed nor mucked."""
    gone = (*hand.shown, *hand.mucked)
    return not award.shares or (len(award.eligible) > 1 and any(each not in gone for each in award.eligible))


def _claim(hand: Hand, pot: Awarded) -> Awarded:
    """The pot with those who may still win it."""
    may = tuple(position for position in pot.eligible if position not in hand.mucked)
    return Awarded(pot.amount, may or pot.eligible, ())


def _could(hand: Hand, pots: Sequence[Awarded], rest: Sequence[int]) -> bool:
    """Whether nobody is to have taken more than there was in the pots they could win."""
    might = [0] * len(rest)
    for pot in pots:
        for position in _claim(hand, pot).eligible:
            might[position] += pot.amount
    return all(share <= most for share, most in zip(rest, might, strict=True))


def _unaccounted(
    hand: Hand, taken: Sequence[int], decided: Sequence[int], recorded: Recorded, scale: Scale
) -> Iterator[list[int]]:
    """What each took of the open pots according to the winnings, then to the finishing stacks."""
    if recorded.winnings:
        yield [scale.chips(told) - share for told, share in zip(recorded.winnings, decided, strict=True)]
    if recorded.finishing:
        before = [had - share for had, share in zip(hand.stacks, taken, strict=True)]
        yield [
            scale.chips(told) - had - share
            for told, had, share in zip(recorded.finishing, before, decided, strict=True)
        ]


def _taken(hand: Hand, awards: Iterable[Awarded]) -> list[int]:
    taken = [0] * len(hand.stacks)
    for award in awards:
        for position, share in award.shares:
            taken[position] += share
    return taken


def _one_way(pots: Sequence[Awarded], rest: Sequence[int], unit: int) -> list[Shares] | None:
    """How the pots were shared; None where it could have been in several ways, or none is found."""
    if len(pots) == 1:
        shares = tuple((position, share) for position, share in enumerate(rest) if share)
        return [shares] if all(position in pots[0].eligible for position, _ in shares) else None
    order = sorted(range(len(pots)), key=lambda index: len(pots[index].eligible))
    found: list[list[Shares]] = []
    try:
        for way in _ways([pots[index] for index in order], list(rest), unit, iter(range(MOST_TRIED))):
            found.append(way)
            if len(found) > 1:
                return None
    except _TooManyError:
        return None
    if not found:
        return None
    return [shares for _, shares in sorted(zip(order, found[0], strict=True))]


class _TooManyError(Exception):
    """More ways than are tried."""


def _ways(pots: Sequence[Awarded], rest: list[int], unit: int, tries: Iterator[int]) -> Iterator[list[Shares]]:
    """Every way to share these pots that leaves nothing of ``rest``."""
    if not pots:
        if not any(rest):
            yield []
        return
    pot, *others = pots
    if any(share and not any(position in each.eligible for each in pots) for position, share in enumerate(rest)):
        return
    takers = [position for position in pot.eligible if rest[position]]
    for count in range(1, len(takers) + 1):
        for winners in combinations(takers, count):
            if next(tries, None) is None:
                raise _TooManyError
            shares = split(pot.amount, winners, unit)
            if all(share <= rest[position] for position, share in shares):
                left = list(rest)
                for position, share in shares:
                    left[position] -= share
                yield from ([shares, *way] for way in _ways(others, left, unit, tries))


def _given(
    hand: Hand, pots: Sequence[Awarded], given: dict[int, Shares], decided: Sequence[int], rest: Sequence[int]
) -> Settled:
    before = [had - share for had, share in zip(hand.stacks, _taken(hand, hand.awards), strict=True)]
    stacks = tuple(map(sum, zip(before, decided, rest, strict=True)))
    eligible = [each.eligible for each in hand.pots()]
    awards = tuple(Awarded(pot.amount, eligible[index], given.get(index, pot.shares)) for index, pot in enumerate(pots))
    hand = replace(hand, awards=awards, phase="over", betting=replace(hand.betting, stacks=stacks))
    return Settled(hand, tuple(index for index, shares in given.items() if not shares))
