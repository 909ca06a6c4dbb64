"""Cards shown out of place while there is still betting (H-16)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from appliance.game.hand.facts import Problem
from appliance.game.hand.hand import Hand


class Exposure(Struct, frozen=True, kw_only=True):
    """What follows for a player who showed cards: nothing but a warning, no more bets or raises, or a dead hand."""

    position: int
    consequence: Literal["none", "passive-only", "fold"]
    reason: Literal["cards-shown", "cards-shown-again"]
    rules: tuple[str, ...] = ("H-16",)
    penalty: Literal["warning", "floor"]

    def apply(self, hand: Hand) -> Hand:
        """The hand after the consequence."""
        match self.consequence:
            case "fold":
                return hand.kill(self.position)
            case "passive-only":
                return hand.restrict(self.position)
            case _:
                return hand


def exposed(hand: Hand, position: int, *, repeated: bool = False) -> Exposure | Problem:
    """What showing cards out of place costs; ``repeated``: not for the first time, or on purpose."""
    if problem := hand.verify_kill(position):
        return problem
    passive = hand.rules.exposed_cards == "passive-only"
    consequence: Literal["none", "passive-only", "fold"] = "passive-only" if passive else "none"
    return Exposure(
        position=position,
        consequence="fold" if passive and repeated else consequence,
        reason="cards-shown-again" if repeated else "cards-shown",
        penalty="floor" if repeated else "warning",
    )
