"""Where a record contradicts itself: what it says everybody took cannot be, by its own actions and cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from appliance.game.hand.awarding import claims, is_contested
from appliance.game.hand.facts import Returned
from appliance.game.hand.hand import Hand
from appliance.game.hand.phh import UNKNOWN_STACK, Recorded, Scale
from appliance.game.hand.phh_winners import is_open


class _Known(NamedTuple):
    """What can be said of who took what, by position: chips without any pot, and who won or may have won some."""

    behind: list[int]
    back: list[int]
    """Of which a bet that nobody called."""
    won: set[int]
    might: set[int]
    pot: int


def contradictions(hand: Hand, recorded: Recorded, scale: Scale) -> tuple[str, ...]:
    """The fields, ``winnings`` or ``finishing_stacks``, that a hand cannot have led to; not yet settled by them.

    Somebody took chips who won nothing, or none who won; there are more of them than there were, or nobody has the
    pot. A rake is no contradiction, nor an uncalled bet among the winnings.
    """
    if not (hand.over or is_contested(hand)) or max(hand.starting_stacks) >= UNKNOWN_STACK // 2:
        return ()
    known = _known(hand)
    return tuple(field for field, taken in _taken(known, recorded, scale) if not _could_be(known, taken))


def _known(hand: Hand) -> _Known:
    behind, back = list(hand.stacks), [0] * len(hand.stacks)
    won: set[int] = set()
    might: set[int] = set()
    pots = hand.awards if hand.over else claims(hand)
    for pot in pots:
        for position, share in pot.shares:
            behind[position] -= share
        if is_open(hand, pot):
            might.update(pot.eligible)
        else:
            won.update(position for position, share in pot.shares if share)
    for fact in hand.facts:
        if isinstance(fact, Returned):
            back[fact.position] += fact.amount
    return _Known(behind, back, won, might, sum(pot.amount for pot in pots))


def _taken(known: _Known, recorded: Recorded, scale: Scale) -> Iterator[tuple[str, list[int]]]:
    """What each took of the pots by either field."""
    if recorded.winnings:
        told = [scale.chips(amount) for amount in recorded.winnings]
        yield "winnings", [_of_pots(known, position, chips) for position, chips in enumerate(told)]
    if recorded.finishing:
        told = [scale.chips(amount) for amount in recorded.finishing]
        yield "finishing_stacks", [each - behind for each, behind in zip(told, known.behind, strict=True)]


def _of_pots(known: _Known, position: int, winnings: int) -> int:
    """Winnings without a bet that came back, which some count among them: of a winner no more than the pots hold."""
    if position in known.won | known.might:
        return winnings if winnings <= known.pot else max(known.pot, winnings - known.back[position])
    return max(0, winnings - known.back[position])


def _could_be(known: _Known, taken: Sequence[int]) -> bool:
    takers = {position for position, share in enumerate(taken) if share}
    if min(taken) < 0 or sum(taken) > known.pot:
        return False
    if not known.pot:
        return True
    return bool(takers) and known.won - known.might <= takers and takers <= known.won | known.might
