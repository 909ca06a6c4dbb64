"""One betting street: whose turn it is, what they may bet, and what a bet does to the others (H-2 to H-5, H-11).

Sets of positions are bit masks: bit n is position n.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from appliance.game.hand.facts import Bet, Called, Checked, Fact, Problem, Raised
from appliance.game.ruleset import RuleSet

Chips = tuple[int, ...]
"""Chips by position."""


class Terms(Struct, frozen=True, gc=False):
    """What a street of betting goes by: the profile's switches and the minimum bet (the big blind, H-3)."""

    minimum_raise: Literal["double", "big-blind", "largest-raise"]
    short_all_in: Literal["call-or-minimum", "cumulative"]
    minimum_bet: int

    @classmethod
    def of(cls, rules: RuleSet, minimum_bet: int) -> Terms:
        """The terms of a profile at this minimum bet."""
        return cls(rules.minimum_raise, rules.short_all_in, minimum_bet)


class Range(Struct, frozen=True, gc=False):
    """What the next bet or raise may be *to*, both ends allowed and all between."""

    minimum: int
    maximum: int


class Street(Struct, frozen=True, gc=False, kw_only=True):
    """The state of one street of betting."""

    terms: Terms
    stacks: Chips
    """Chips behind."""
    bets: Chips
    """Chips put in on this street."""
    live: int
    """Who has not folded."""
    players: int = 0
    """Who of them has chips behind."""
    passive: int = 0
    """Who may not bet or raise (H-16)."""
    waiting: int = 0
    """Who has still to act."""
    acted: int = 0
    """Who has acted on this street."""
    actor: int | None = None
    bet: int = 0
    """What there is to match: the highest total of the street, before the flop at least the big blind (H-5)."""
    full: int
    """The largest full bet or raise so far; the minimum bet until there is one."""
    capped: bool = False
    """After a short all-in: only a call, or a raise by exactly the minimum bet (H-4)."""
    raisers: tuple[int, ...] = ()
    """Who bet or raised on this street, in that order."""
    order: tuple[int, ...] = ()
    """Who acted, in that order, each once."""

    def begun(self, first: int) -> Street:
        """With all who have chips to act, ``first`` or the next of them first (H-2).

        Who has put in what the longest other stack comes to is not asked. Later on the street all are whose turn
        comes, even if there is nothing left to decide (`formality`): the big blind has the option.
        """
        players = waiting = self.live & behind(self.stacks)
        totals = [self.bets[each] + self.stacks[each] for each in members(self.live)]
        longest = max(totals)
        longest_other = longest if totals.count(longest) > 1 else max(total for total in totals if total < longest)
        for position in members(players):
            if self.bets[position] >= longest_other:
                waiting &= ~(1 << position)
        return replace(self, players=players, waiting=waiting, actor=next_of(waiting, first) if waiting else None)

    @property
    def formality(self) -> bool:
        """Whether the actor has nothing to decide: nothing to call, and nobody who could follow a bet."""
        return self.actor is not None and not self.to_call(self.actor) and not self._others_can_follow(self.actor)

    def to_call(self, position: int) -> int:
        """The chips to add for a call: what is missing, or all there is."""
        missing, stack = self.bet - self.bets[position], self.stacks[position]
        return missing if missing < stack else stack

    def raise_range(self, position: int) -> Range | Problem:
        """What a bet or raise of this player may be to, or why there may be none (H-3, H-4)."""
        bet, terms = self.bet, self.terms
        total = self.bets[position] + self.stacks[position]
        if total <= bet:
            return Problem("not-enough-chips", {"to_call": bet, "total": total})
        if not self._others_can_follow(position):
            return Problem("raise-not-reopened", {"reason": "nobody-has-chips-behind"})
        if self.passive >> position & 1:
            return Problem("raise-not-reopened", {"reason": "cards-shown"})
        if self.capped:
            exact = min(bet + terms.minimum_bet, total)
            return Range(exact, exact)
        if terms.short_all_in == "cumulative" and self.acted >> position & 1 and bet - self.bets[position] < self.full:
            return Problem("raise-not-reopened", {"faced": bet - self.bets[position], "full_raise": self.full})
        return Range(min(self.full_raise_to(), total), total)

    def full_raise_to(self) -> int:
        """The least total that is a full bet or raise, whatever anybody's stack (H-3, H-5)."""
        bet, terms = self.bet, self.terms
        if bet < terms.minimum_bet:
            return bet + terms.minimum_bet  # over an all-in that small always more than twice as much, too
        match terms.minimum_raise:
            case "largest-raise":
                return bet + self.full
            case "double":
                return 2 * bet
            case _:
                return bet + terms.minimum_bet

    def verify_raise(self, position: int, to: int) -> Problem | None:
        """Why a bet or raise to this total is not allowed; None if it is."""
        allowed = self.raise_range(position)
        if isinstance(allowed, Problem):
            return allowed
        if allowed.minimum <= to <= allowed.maximum:
            return None
        if to > self.bets[position] + self.stacks[position]:
            return Problem("not-enough-chips", {"to": to, "total": self.bets[position] + self.stacks[position]})
        if self.capped:
            return Problem("raise-capped", {"to": to, "only": allowed.minimum})
        return Problem("raise-too-small", {"to": to, "minimum": allowed.minimum})

    def checked_or_called(self) -> tuple[Street, Fact]:
        """After the actor's check or call; an all-in of no more than the bet is a call (H-4)."""
        position = self._position
        bit = 1 << position
        amount = self.to_call(position)
        if not amount:
            return self._acted(position, bit, self.waiting & ~bit), Checked(position)
        stacks, bets = put_in(self.stacks, self.bets, position, amount)
        all_in = not stacks[position]
        players = self.players & ~bit if all_in else self.players
        street = self._acted(position, bit, self.waiting & ~bit, stacks=stacks, bets=bets, players=players)
        return street, Called(position, amount, bets[position], all_in)

    def raised(self, to: int) -> tuple[Street, Fact]:
        """After the actor's bet or raise to this total, which was verified."""
        position, terms = self._position, self.terms
        bit = 1 << position
        amount = to - self.bets[position]
        stacks, bets = put_in(self.stacks, self.bets, position, amount)
        all_in = not stacks[position]
        is_full = to >= self.full_raise_to() or (self.capped and to == self.bet + terms.minimum_bet)
        street = self._acted(
            position,
            bit,
            self.players & ~bit,
            stacks=stacks,
            bets=bets,
            players=self.players & ~bit if all_in else self.players,
            bet=to,
            full=max(self.full, to - self.bet) if is_full else self.full,
            capped=not is_full and terms.short_all_in == "call-or-minimum" and to > terms.minimum_bet,
            raisers=(*self.raisers, position),
        )
        return street, (Raised if self.bet else Bet)(position, amount, to, all_in)

    def without(self, position: int) -> Street:
        """After this player's hand is folded or dead; the chips stay."""
        gone = ~(1 << position)
        live, players, waiting = self.live & gone, self.players & gone, self.waiting & gone
        if self.actor is None or not several(live):
            return replace(self, live=live, players=players, waiting=0, actor=None)
        first = position + 1 if position == self.actor else self.actor
        actor = next_of(waiting, first) if waiting else None
        return replace(self, live=live, players=players, waiting=waiting, actor=actor)

    @property
    def _position(self) -> int:
        assert self.actor is not None, "nobody is on turn"
        return self.actor

    def _acted(self, position: int, bit: int, waiting: int, **changes: Any) -> Street:
        return replace(
            self,
            acted=self.acted | bit,
            order=self.order if self.acted & bit else (*self.order, position),
            waiting=waiting,
            actor=next_of(waiting, position + 1) if waiting else None,
            **changes,
        )

    def _others_can_follow(self, position: int) -> bool:
        """Whether any other player has chips behind, beyond what the call takes."""
        others = self.players & ~(1 << position)
        while others:
            other = others.bit_length() - 1
            if self.stacks[other] + self.bets[other] > self.bet:
                return True
            others &= ~(1 << other)
        return False


def several(mask: int) -> bool:
    """Whether there is more than one position in a mask."""
    return mask & (mask - 1) != 0


def behind(stacks: Chips) -> int:
    """Who has chips behind."""
    mask, bit = 0, 1
    for stack in stacks:
        if stack:
            mask |= bit
        bit <<= 1
    return mask


def members(mask: int) -> Iterator[int]:
    """The positions of a mask, in order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def next_of(mask: int, first: int) -> int:
    """The first position of a mask that is not empty, from ``first`` on and round."""
    mask = mask >> first << first or mask
    return (mask & -mask).bit_length() - 1


def put_in(stacks: Chips, bets: Chips, position: int, amount: int) -> tuple[Chips, Chips]:
    """Stacks and bets after this player put in that many chips."""
    after = position + 1
    return (
        (*stacks[:position], stacks[position] - amount, *stacks[after:]),
        (*bets[:position], bets[position] + amount, *bets[after:]),
    )


def uncalled(bets: Chips, live: int) -> tuple[int, int] | None:
    """Who has more in than anybody else and how much more, of those still in the hand (H-11)."""
    highest, second = sorted(bets, reverse=True)[:2]
    position = bets.index(highest)
    if highest == second or not live >> position & 1:
        return None
    return position, highest - second
