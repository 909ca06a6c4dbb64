"""The bets and raises of the street, as a player who acts now may have seen them (H-10, TDA 51)."""

from __future__ import annotations

from appliance.game.hand.facts import Bet, BoardDealt, Raised
from appliance.game.hand.hand import Hand


def wagers_of(hand: Hand) -> list[int]:
    """To how much the bets and raises of the street were, in order; before the flop the blind is the first."""
    wagers: list[int] = []
    for fact in reversed(hand.facts):
        if isinstance(fact, BoardDealt):
            break
        if isinstance(fact, Bet | Raised):
            wagers.append(fact.to)
    return (wagers if hand.street else [*wagers, hand.betting.terms.minimum_bet])[::-1]


def call_meant(hand: Hand, position: int, chip: int) -> int | None:
    """The call that one chip, too small for the bet, was meant to be: of the last bet seen that it covers; or None."""
    before = hand.bets[position]
    calls = [to - before for to in wagers_of(hand) if before < to < hand.betting.bet]
    return max((call for call in calls if call <= chip), default=None)
