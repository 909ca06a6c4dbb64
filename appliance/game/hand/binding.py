"""What a declaration binds a player to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from appliance.game.hand.betting import put_in
from appliance.game.hand.closing import told
from appliance.game.hand.facts import Forfeited
from appliance.game.hand.hand import Hand

Act = Literal["fold", "check", "call", "bet", "raise"]
Penalty = Literal["none", "warning", "floor"]
"""What the rule adds for the player: a word of warning, or whatever the floor finds fit."""


class Binding(Struct, frozen=True, kw_only=True):
    """The action that counts, the chips it moves, and why.

    ``pushed`` + ``due`` = ``put_in`` + ``returned``, always. Where somebody has a choice, ``decides`` says who,
    ``options`` what there is, and ``action`` is the first of them; `choose` makes it another.
    """

    position: int
    action: Act
    to: int
    """The player's total on this street after it."""
    put_in: int = 0
    all_in: bool = False
    """The last chips go in."""
    pushed: int = 0
    returned: int = 0
    """Of the pushed chips, what comes back."""
    due: int = 0
    """What the player still has to put in."""
    at_stake: int = 0
    """Of the pushed chips, what a fold by choice would leave in (H-10)."""
    forfeits: int = 0
    """What a fold leaves in the pot (H-10)."""
    string_bet: bool = False
    """More was pushed after the first motion, and does not count (H-8)."""
    reason: str
    """A code, in kebab-case."""
    detail: Mapping[str, Any] = {}
    """The numbers behind the reason."""
    rules: tuple[str, ...] = ()
    decides: Literal["player", "floor"] | None = None
    options: tuple[Literal["call", "fold", "penalty"], ...] = ()
    penalty: Penalty = "none"

    def choose(self, option: Literal["call", "fold"]) -> Binding:
        """The binding after the choice was made: a call in full, or a fold that loses what was put in (H-10).

        Raises ValueError for what is not among the options.
        """
        if option not in self.options:
            raise ValueError(f"not an option: {option}")
        if option == "call":
            return replace(self, decides=None, options=())
        left, before = self.at_stake, self.to - self.put_in
        return replace(
            self,
            action="fold",
            to=before + left,
            put_in=left,
            all_in=False,
            returned=self.pushed - left,
            due=0,
            forfeits=left,
            decides=None,
            options=(),
        )

    def apply(self, hand: Hand) -> Hand:
        """The hand after the action. Raises `IllegalAction` if the player is not on turn in it."""
        match self.action:
            case "fold":
                return (forfeited(hand, self.position, self.forfeits) if self.forfeits else hand).fold(self.position)
            case "check":
                return hand.check(self.position)
            case "call":
                return hand.call(self.position)
            case _:
                return hand.bet_or_raise(self.to, self.position)


def forfeited(hand: Hand, position: int, amount: int) -> Hand:
    """The hand with chips that stay in though their player is about to fold (H-10)."""
    stacks, bets = put_in(hand.stacks, hand.bets, position, amount)
    return told(hand, Forfeited(position, amount), betting=replace(hand.betting, stacks=stacks, bets=bets))
