"""Main and side pots, and how a pot is split (H-11, H-14)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from appliance.game.hand.betting import Chips, members


class Pot(Struct, frozen=True, gc=False):
    """Chips, and the positions that may win them."""

    amount: int
    eligible: tuple[int, ...]


class Paid(Struct, frozen=True, gc=False):
    """What each position has put into the pot.

    ``antes`` are matched like bets, before any of them: who could not pay the ante in full contests that much of the
    others' antes. ``dead`` chips, an ante from the big blind or a dead post, are matched by nobody: they lie in the
    main pot.
    """

    bets: Chips
    antes: Chips
    short_ante: int
    """Who was all-in with less than the ante asked of them."""
    dead: int

    @property
    def total(self) -> int:
        """All the chips in the pot."""
        return sum(self.bets) + sum(self.antes) + self.dead

    def collected(self, bets: Chips) -> Paid:
        """With the bets of a street."""
        if not any(bets):
            return self
        return Paid(tuple(map(int.__add__, self.bets, bets)), self.antes, self.short_ante, self.dead)


def pots_of(paid: Paid, live: int) -> list[Pot]:
    """The main pot first; one layer for each amount at which a live player is all-in, equal eligibility merged.

    Chips of folded players stay in the layers they reach, above the highest live one in the last.
    """
    ante = max(paid.antes)
    reach = {
        position: paid.antes[position] if paid.short_ante >> position & 1 else ante + paid.bets[position]
        for position in members(live)
    }
    pots: list[Pot] = []
    taken = 0
    *lower, _ = sorted(set(reach.values()))
    for level in lower:
        within = paid.dead + _within(paid.antes, level) + _within(paid.bets, level - ante)
        if within > taken:
            pots.append(Pot(within - taken, tuple([p for p in reach if reach[p] >= level])))
        taken = within
    if paid.total > taken:
        highest = max(reach.values())
        pots.append(Pot(paid.total - taken, tuple([p for p in reach if reach[p] == highest])))
    return pots


def _within(chips: Chips, level: int) -> int:
    return sum([each if each < level else level for each in chips]) if level > 0 and any(chips) else 0


def split(amount: int, winners: Sequence[int], unit: int) -> tuple[tuple[int, int], ...]:
    """Shares of equal winners, by position; odd chips go one each to the first left of the button (H-14).

    ``unit`` is the smallest chip in play; a rest smaller than it goes to the next in line.
    """
    count = len(winners)
    each = amount // (unit * count) * unit
    odd = amount - each * count
    shares = []
    for winner in sorted(winners):
        more = min(unit, odd)
        odd -= more
        shares.append((winner, each + more))
    return tuple(shares)
