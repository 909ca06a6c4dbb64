"""Bets of which it is not clear how much they are (I-14, TDA 57)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from appliance.game.hand.facts import Problem
from appliance.game.hand.hand import Hand


class Meaning(Struct, frozen=True, gc=False):
    """What an unclear number is taken for, beside the pot it was measured on; ``why``: the code of the reason."""

    amount: int
    pot: int
    why: str


def meaning(
    hand: Hand, position: int, meanings: Sequence[int], *, by: bool = False, pushed: int = 0
) -> Meaning | Problem:
    """What a number with several meanings counts as, or that the floor has to say.

    Chips pushed with it that come to one of them say which. Else, where the house goes by TDA 57: of those that could
    be bet, the highest that is no more than the pot before the bet, bets in front of the players included, and where
    all are more, the lowest. Elsewhere the rules name no way: the floor decides (I-13).
    """
    pot = hand.paid.total + sum(hand.bets)
    if pushed in meanings:
        return Meaning(pushed, pot, "chips-say-which")
    if hand.rules.rulings != "tda":
        return Problem("unclear-amount", {"meanings": sorted(meanings), "ruling": "I-13"})
    allowed = hand.betting.raise_range(position)
    legal = list(meanings)
    if not isinstance(allowed, Problem):
        base = hand.betting.bet if by else 0
        legal = [each for each in meanings if allowed.minimum <= base + each <= allowed.maximum] or legal
    within = [each for each in legal if each <= pot]
    if within:
        return Meaning(max(within), pot, "highest-within-pot")
    return Meaning(min(legal), pot, "lowest-over-pot")
