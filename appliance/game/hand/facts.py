"""What happens in a hand, one frozen value each, and why something does not.

Positions are indexes clockwise, 0 the first left of the button. Amounts are chips. Facts carry outcomes: a stream of
them can be told again without asking a profile.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

Card = int
"""A card of the deck; see `cards`."""

Cards = tuple[Card, ...]
"""Cards in the order they were dealt, unknown ones included."""


class Fact(Struct, frozen=True, gc=False, omit_defaults=True, tag_field="fact"):
    """Something that happened in a hand."""


class Posted(Fact, frozen=True, gc=False, omit_defaults=True, tag="posted"):
    """Chips put in before the deal; blinds, straddles and live posts count as bets, antes and dead posts do not."""

    position: int
    kind: Literal["ante", "blind", "dead"]
    amount: int
    all_in: bool = False


class Dealt(Fact, frozen=True, gc=False, omit_defaults=True, tag="dealt"):
    """Hole cards to a player (H-1)."""

    position: int
    cards: Cards


class BoardDealt(Fact, frozen=True, gc=False, omit_defaults=True, tag="board"):
    """The flop, the turn or the river (H-1); ``street`` 1 to 3."""

    street: int
    cards: Cards


class Folded(Fact, frozen=True, gc=False, omit_defaults=True, tag="folded"):
    """A player gave up the hand."""

    position: int


class Killed(Fact, frozen=True, gc=False, omit_defaults=True, tag="killed"):
    """A hand was declared dead, on turn or not (S-8, T-15); its chips stay in the pot."""

    position: int


class Checked(Fact, frozen=True, gc=False, omit_defaults=True, tag="checked"):
    """A player passed, with nothing to call."""

    position: int


class Called(Fact, frozen=True, gc=False, omit_defaults=True, tag="called"):
    """A player matched the bet, or went all-in for less: ``amount`` added, ``to`` put in on this street."""

    position: int
    amount: int
    to: int
    all_in: bool = False


class Bet(Fact, frozen=True, gc=False, omit_defaults=True, tag="bet"):
    """The first bet of a street; ``to`` its total."""

    position: int
    amount: int
    to: int
    all_in: bool = False


class Raised(Fact, frozen=True, gc=False, omit_defaults=True, tag="raised"):
    """A bet over another: ``amount`` added, ``to`` put in on this street."""

    position: int
    amount: int
    to: int
    all_in: bool = False


class Forfeited(Fact, frozen=True, gc=False, omit_defaults=True, tag="forfeited"):
    """Chips of less than a call that stay in though their player folds, who had not seen the raise (H-10)."""

    position: int
    amount: int


class Restricted(Fact, frozen=True, gc=False, omit_defaults=True, tag="restricted"):
    """A player who showed cards out of place may only check, call or fold from now on (H-16)."""

    position: int


class Returned(Fact, frozen=True, gc=False, omit_defaults=True, tag="returned"):
    """An uncalled part of a bet went back (H-11)."""

    position: int
    amount: int


class Shown(Fact, frozen=True, gc=False, omit_defaults=True, tag="shown"):
    """Both cards were laid open; ``tabled``: at once, because of an all-in (H-16)."""

    position: int
    cards: Cards
    tabled: bool = False


class Mucked(Fact, frozen=True, gc=False, omit_defaults=True, tag="mucked"):
    """A player gave up the claim at the showdown; ``shown``: what was seen of the hand, at most one card (H-13)."""

    position: int
    shown: Cards = ()


class Awarded(Fact, frozen=True, gc=False, omit_defaults=True, tag="awarded"):
    """A pot and who got how much of it, by position; nothing if nobody's cards are known (``shares`` empty)."""

    amount: int
    eligible: tuple[int, ...]
    shares: tuple[tuple[int, int], ...]


class Problem(Struct, frozen=True):
    """Why an action is not allowed: ``code`` is stable and kebab-case, ``detail`` its parameters."""

    code: str
    detail: Mapping[str, Any] = {}


class IllegalAction(ValueError):
    """An action was done that its verification refuses; nothing changed."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.code, dict(problem.detail))
        self.problem = problem
