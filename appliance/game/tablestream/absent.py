"""What becomes of the cards of absent players: their blinds are posted, their cards go by themselves (S-8).

Folded on their turn: they stay in until it comes, free check or not, and win if all others folded before; who has no
turn, all-in with the blind or because nobody is left to bet with, stays in to the end. Killed after the deal: also who
is all-in; in the order of the action, so that of a table of absent players the big blind is left and takes the pot.
"""

from __future__ import annotations

from appliance.game.hand.cards import UNKNOWN
from appliance.game.hand.hand import Hand
from appliance.game.hand.state import HOLE_CARDS
from appliance.game.tablestream.events import HandBegun


def absent_of(begun: HandBegun) -> tuple[int, ...]:
    """The positions of those who were absent as the hand began."""
    return tuple(position for position, player in enumerate(begun.players) if player.absent)


def ready(hand: Hand, absent: tuple[int, ...]) -> Hand:
    """The hand as the next action finds it: unknown cards for those whose cards nobody told, absent players gone."""
    if hand.phase == "deal-hole":
        for position, hole in enumerate(hand.holes):
            if len(hole) < HOLE_CARDS:
                hand = hand.deal_hole(position, (UNKNOWN,) * (HOLE_CARDS - len(hole)))
    return _gone(hand, absent)


def followed(hand: Hand, absent: tuple[int, ...]) -> Hand:
    """The hand after what follows for absent players; before the deal is complete only if it leaves nothing to play."""
    if not absent or hand.over:
        return hand
    if hand.phase != "deal-hole":
        return _gone(hand, absent)
    after = ready(hand, absent)
    return after if after.over else hand


def deserted(hand: Hand, absent: tuple[int, ...]) -> bool:
    """Whether nobody who is here has a turn in the hand just dealt: it is over unless somebody comes back."""
    return bool(absent) and hand.phase == "deal-hole" and ready(hand, absent).over


def _gone(hand: Hand, absent: tuple[int, ...]) -> Hand:
    if hand.rules.absent_cards == "killed-after-deal":
        count = len(hand.holes)
        for position in sorted(absent, key=lambda each: (each - hand.opener) % count):
            if not hand.over and position in hand.live:
                hand = hand.kill(position)
        return hand
    while hand.phase == "betting" and hand.actor in absent:
        hand = hand.fold()
    return hand
