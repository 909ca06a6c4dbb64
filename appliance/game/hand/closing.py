"""What follows from an action by itself: the end of a street, bets that come back, hands laid open, the award."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from appliance.game.hand.betting import Chips, Street, several, uncalled
from appliance.game.hand.cards import UNKNOWN
from appliance.game.hand.facts import Card, Fact, Mucked, Returned, Shown
from appliance.game.hand.pots import pots_of
from appliance.game.hand.showdown import award, show_order, strengths_of
from appliance.game.hand.state import HOLE_CARDS, RIVER, HandState

AnyHand = TypeVar("AnyHand", bound=HandState)


def played(hand: AnyHand, street: Street, *facts: Fact) -> AnyHand:
    """After a change of the betting: the next player, the next street, the showdown or the end."""
    if street.actor is not None:
        return replace(hand, facts=(*hand.facts, *facts), betting=street, phase="betting")
    if several(street.live):
        if hand.phase == "deal-board" or (hand.phase == "deal-hole" and min(map(len, hand.holes)) < HOLE_CARDS):
            return told(hand, *facts, betting=street)
        if hand.phase == "showdown":
            return claimed(told(hand, *facts, betting=street))
    return _closed(told(hand, *facts, betting=street))


def claimed(hand: AnyHand) -> AnyHand:
    """After a hand was shown or mucked: the award, once nothing more can change it."""
    if hand.phase != "showdown":
        return hand
    left = len(hand.to_show)
    return awarded(hand) if not left or (left == 1 and not hand.shown) else hand


def mucked(hand: AnyHand, position: int, shown: Sequence[Card] = ()) -> AnyHand:
    """After a player threw the hand away, whether the rules allow it or not; at most one card was seen (H-13)."""
    return claimed(told(hand, Mucked(position, tuple(shown)), mucked=(*hand.mucked, position)))


def awarded(hand: AnyHand) -> AnyHand:
    """With each pot given to its winners (H-11, H-14)."""
    live, stacks = hand.betting.live, list(hand.stacks)
    known = {position: hand.holes[position] for position in hand.shown if live >> position & 1}
    strengths = strengths_of(known, hand.board)
    awards = tuple(award(pot, strengths, hand.mucked, hand.unit) for pot in pots_of(hand.paid, live))
    for each in awards:
        for position, share in each.shares:
            stacks[position] += share
    return told(hand, *awards, awards=awards, phase="over", betting=replace(hand.betting, stacks=tuple(stacks)))


def told(hand: AnyHand, *facts: Fact, **changes: Any) -> AnyHand:
    """The hand with changes and the facts that tell them."""
    return replace(hand, facts=(*hand.facts, *facts), **changes)


def _closed(hand: AnyHand) -> AnyHand:
    street = hand.betting
    facts: list[Fact] = []
    stacks: Chips = street.stacks
    bets: Chips = street.bets
    if any(bets):
        if back := uncalled(bets, street.live):
            position, amount = back
            stacks = (*stacks[:position], stacks[position] + amount, *stacks[position + 1 :])
            bets = (*bets[:position], bets[position] - amount, *bets[position + 1 :])
            facts.append(Returned(position, amount))
            street = replace(street, players=street.players | 1 << position)
        street = replace(street, stacks=stacks, bets=(0,) * len(bets))
    hand = told(
        hand,
        *facts,
        betting=street,
        paid=hand.paid.collected(bets),
        raisers=(*hand.raisers, *street.raisers),
        last_order=street.order or hand.last_order,
        phase="showdown" if hand.street == RIVER else "deal-board",
    )
    if not several(street.live):
        return awarded(hand)
    return claimed(_laid_open(hand))


def _laid_open(hand: AnyHand) -> AnyHand:
    """With the order of showing once all betting is over, and all hands tabled where an all-in asks for it (H-16)."""
    live, players = hand.betting.live, hand.betting.players
    if hand.show_order or (hand.phase == "deal-board" and several(players)):
        return hand
    order = show_order(hand.rules, hand.betting, hand.raisers, hand.last_order)
    if players == live or hand.rules.all_in_shown != "at-once":
        return replace(hand, show_order=order)
    open_ = tuple(position for position in order if UNKNOWN not in hand.holes[position])
    facts = (Shown(position, hand.holes[position], True) for position in open_)
    return told(hand, *facts, show_order=order, tabled=True, shown=open_)
