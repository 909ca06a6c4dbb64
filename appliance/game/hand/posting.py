"""Antes, blinds, straddles and posts: what lies on the table before the first card (H-5, H-8, cash)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from appliance.game.hand.betting import Chips
from appliance.game.hand.facts import Fact, Posted
from appliance.game.hand.pots import Paid

PLAYERS_MOST = 22
"""As many as two cards each, three burnt ones and a board leave room for."""


class Dues(Struct, frozen=True, kw_only=True):
    """What each position owes before the deal, in chips."""

    blinds: Chips
    """Blinds and straddles; a live post that is no straddle is negative, as in PHH."""
    antes: Chips
    dead: Chips
    """Dead posts: straight into the pot."""
    antes_dead: bool = False
    """Nobody has to match the antes: they lie in the main pot, whoever was short."""
    antes_last: bool = False
    """The blind is paid first (an ante from the big blind)."""

    @property
    def bet(self) -> int:
        """What there is to match: the highest blind, even if its player is short of it (H-5)."""
        return max(map(abs, self.blinds))

    @property
    def first(self) -> int:
        """Who acts first: the next after the highest blind or straddle, of two equal blinds the second (H-2)."""
        if not any(self.blinds):
            return 0
        highest = self.blinds.index(max(self.blinds))
        if highest == 0 and len(self.blinds) > 2 and self.blinds[1] == self.blinds[0]:
            highest = 1
        return (highest + 1) % len(self.blinds)


class Table(Struct, frozen=True):
    """What lies on the table once all is posted."""

    stacks: Chips
    bets: Chips
    paid: Paid
    facts: tuple[Fact, ...]


def blinds_of(players: int, small: int | None, big: int) -> Chips:
    """What each position posts; ``small`` None: its seat is empty (S-7). Heads-up the second has the small blind."""
    if small is None:
        return (big, *[0] * (players - 1))
    if players == 2:
        return (big, small)
    return (small, big, *[0] * (players - 2))


def antes_of(antes: Sequence[int] | int, ante_by: Literal["player", "bb"], blinds: Chips) -> Chips:
    """What ante each position owes; one number is everybody's, or the big blind's alone."""
    if not isinstance(antes, int):
        return tuple(antes)
    if ante_by == "player":
        return (antes,) * len(blinds)
    return tuple(antes if position == blinds.index(max(blinds)) else 0 for position in range(len(blinds)))


def post(stacks: Chips, dues: Dues) -> Table:
    """Everybody posts what they owe, or what they have."""
    left, facts = list(stacks), list[Fact]()

    def pay(kind: Literal["ante", "blind", "dead"], owed: Chips) -> Chips:
        if not any(owed):
            return owed
        paid = []
        for position, due in enumerate(owed):
            amount = min(abs(due), left[position])
            left[position] -= amount
            paid.append(amount)
            if amount:
                facts.append(Posted(position, kind, amount, not left[position]))
        return tuple(paid)

    antes = () if dues.antes_last else pay("ante", dues.antes)
    bets = pay("blind", dues.blinds)
    antes = antes or pay("ante", dues.antes)
    dead = sum(pay("dead", dues.dead))
    none = (0,) * len(stacks)
    if dues.antes_dead:
        return Table(tuple(left), bets, Paid(none, none, 0, dead + sum(antes)), tuple(facts))
    short = sum(1 << position for position, ante in enumerate(antes) if ante < dues.antes[position])
    return Table(tuple(left), bets, Paid(none, antes, short, dead), tuple(facts))
