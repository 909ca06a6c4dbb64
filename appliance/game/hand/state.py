"""What a hand looks like at any moment."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from appliance.game.hand.betting import Chips, Street, members
from appliance.game.hand.facts import Awarded, Cards, Fact, Problem
from appliance.game.hand.legal import Legal
from appliance.game.hand.pots import Paid, Pot, pots_of
from appliance.game.ruleset import RuleSet

Phase = Literal["deal-hole", "betting", "deal-board", "showdown", "over"]
"""What the hand waits for."""

RIVER = 3
HOLE_CARDS = 2


class HandState(Struct, frozen=True, gc=False, kw_only=True):
    """The state of a hand. Positions are indexes clockwise from the small blind; the last one is the button.

    Heads-up the first has the big blind, the second the button and the small blind.
    """

    rules: RuleSet
    starting_stacks: Chips
    unit: int
    """The smallest chip in play (H-14)."""
    phase: Phase = "deal-hole"
    street: int = 0
    """0 before the flop, 1 the flop, 2 the turn, 3 the river."""
    betting: Street
    paid: Paid
    """What is in the pot from antes and streets that are over."""
    opener: int
    """Who acts first before the flop."""
    holes: tuple[Cards, ...]
    board: Cards = ()
    seen: int = 0
    """The known cards, as a mask."""
    raisers: tuple[int, ...] = ()
    """Who bet or raised, in that order, on all the streets that are over."""
    last_order: tuple[int, ...] = ()
    """Who acted in which order on the last street that was played."""
    tabled: bool = False
    """All hands are laid open because of an all-in (H-16)."""
    show_order: tuple[int, ...] = ()
    """In which order hands are due to be shown (H-12), once all betting is over."""
    shown: tuple[int, ...] = ()
    mucked: tuple[int, ...] = ()
    awards: tuple[Awarded, ...] = ()
    facts: tuple[Fact, ...] = ()
    """All that happened."""

    @property
    def actor(self) -> int | None:
        """Who is on turn: to act, or at the showdown to show; None if nobody."""
        if self.phase == "betting":
            return self.betting.actor
        return next(iter(self.to_show), None) if self.phase == "showdown" else None

    @property
    def formality(self) -> bool:
        """Whether the player on turn has nothing to decide: nothing to call, and nobody who could follow a bet.

        Such a check may be taken for granted.
        """
        return self.phase == "betting" and self.betting.formality

    @property
    def stacks(self) -> Chips:
        """Chips behind, by position."""
        return self.betting.stacks

    @property
    def bets(self) -> Chips:
        """Chips in front of each position, not yet in the pot."""
        return self.betting.bets

    @property
    def live(self) -> tuple[int, ...]:
        """Who has neither folded nor a dead hand."""
        return tuple(members(self.betting.live))

    @property
    def over(self) -> bool:
        """Whether the pots are awarded."""
        return self.phase == "over"

    @property
    def to_show(self) -> tuple[int, ...]:
        """Who has still to show or muck, in that order."""
        gone = (*self.shown, *self.mucked)
        return tuple(p for p in self.show_order if p not in gone and self.betting.live >> p & 1)

    @property
    def undecided(self) -> bool:
        """Whether the hand is over with a pot that nobody knows the winner of."""
        return any(not award.shares for award in self.awards)

    def pots(self) -> list[Pot]:
        """The main pot and the side pots, without the bets of the street going on."""
        if self.over:
            return [Pot(each.amount, each.eligible) for each in self.awards]
        return pots_of(self.paid, self.betting.live)

    def legal(self) -> Legal | None:
        """What the player on turn may do; None while no bet is asked of anybody."""
        position = self.betting.actor
        if self.phase != "betting" or position is None:
            return None
        call = self.betting.to_call(position)
        allowed = self.betting.raise_range(position)
        if isinstance(allowed, Problem):
            return Legal(position, True, not call, call or None, None, None)
        return Legal(position, True, not call, call or None, allowed.minimum, allowed.maximum)
