"""What a player said and pushed, as the dealer saw it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from appliance.game.hand.facts import Problem
from appliance.game.hand.hand import Hand
from appliance.game.hand.posting import PLAYERS_MOST
from appliance.game.values import PositiveAmount

Position = Annotated[int, Meta(ge=0, lt=PLAYERS_MOST)]
Chips = Annotated[tuple[PositiveAmount, ...], Meta(max_length=200)]
"""The values of chips."""

Said = Literal["fold", "check", "call", "bet", "raise", "all-in", "amount"]
"""The first clear word; ``amount``: a number alone."""


class Declaration(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a player did, as seen.

    ``amount``: the number said, the total on the street, or with ``by`` what it is raised by. ``chips``: the values
    pushed in the first motion, ``motions`` those of each further one. ``chips_first``: they moved before the words.
    ``unseen``: the player did not see the raise; ``repeated``: not for the first time, or on purpose (H-10).
    ``meanings``: instead of ``amount``, what an unclear number may mean ("five": 500, 5000; TDA 57). ``uncounted``: the
    chips were thrown in so that nobody can count them (I-14); ``chips`` then: what the stack lacks, if known.
    ``lying``: what lies in front of the bet before, where the player pulled some back, or where it covers the raise.
    """

    position: Position
    said: Said | None = None
    amount: PositiveAmount | None = None
    by: bool = False
    chips: Chips = ()
    motions: Annotated[tuple[Chips, ...], Meta(max_length=20)] = ()
    chips_first: bool = False
    unseen: bool = False
    repeated: bool = False
    meanings: Annotated[tuple[PositiveAmount, ...], Meta(max_length=10)] = ()
    uncounted: bool = False
    lying: Chips | None = None

    @property
    def pushed(self) -> int:
        """All the chips that were moved, in every motion."""
        return sum(self.chips) + sum(map(sum, self.motions))


def verify_declaration(hand: Hand, declaration: Declaration) -> Problem | None:
    """Why this is nothing a player at this table could have said or pushed, whoever is on turn."""
    said, amount, pushed = declaration.said, declaration.amount, declaration.pushed
    each = (*declaration.chips, *(chip for motion in declaration.motions for chip in motion))
    if not 0 <= declaration.position < len(hand.stacks):
        return Problem("bad-notation", {"reason": "no-such-position", "position": declaration.position})
    if any(chip <= 0 for chip in each) or (declaration.motions and not declaration.chips):
        return Problem("bad-notation", {"reason": "chips-have-values"})
    if pushed > hand.stacks[declaration.position]:
        return Problem("not-enough-chips", {"pushed": pushed, "stack": hand.stacks[declaration.position]})
    if problem := _verify_lying(hand, declaration):
        return problem
    moved = declaration.uncounted or (declaration.lying is not None and hand.rules.silent_chips == "tda-45")
    if said is None and not each and not moved:
        return Problem("bad-notation", {"reason": "nothing-declared"})
    if declaration.meanings:
        several = len(set(declaration.meanings)) > 1 and min(declaration.meanings) > 0
        if not several or amount is not None or said not in ("bet", "raise", "amount"):
            return Problem("bad-notation", {"reason": "meanings-of-one-number"})
    elif (amount is None and said == "amount") or (amount is not None and amount <= 0):
        return Problem("bad-notation", {"reason": "an-amount-is-positive"})
    if declaration.chips_first and not each:
        return Problem("bad-notation", {"reason": "no-chips-first"})
    return None


def _verify_lying(hand: Hand, declaration: Declaration) -> Problem | None:
    """Why these cannot be the chips of an earlier bet that faces a raise (TDA 46)."""
    lying, position = declaration.lying, declaration.position
    if lying is None:
        return None
    if not hand.bets[position] or hand.betting.bet <= hand.bets[position]:
        return Problem("bad-notation", {"reason": "no-raise-over-an-earlier-bet"})
    total, there = sum(lying) + declaration.pushed, hand.bets[position] + hand.stacks[position]
    if any(chip <= 0 for chip in lying) or total > there:
        return Problem("bad-notation", {"reason": "chips-have-values"})
    return None
