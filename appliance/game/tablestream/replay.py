"""A hand played again from its facts, so that it can be played on."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from appliance.game.hand import facts as f
from appliance.game.hand.awarding import award
from appliance.game.hand.binding import forfeited
from appliance.game.hand.closing import mucked
from appliance.game.hand.hand import Hand
from appliance.game.tablestream.events import HandBegun


def hand_of(begun: HandBegun) -> Hand:
    """The hand as it began, by the rules it was begun under. Raises ValueError where the numbers make no hand."""
    return Hand.begin(
        begun.rules,
        [player.stack for player in begun.players],
        small_blind=begun.small_blind,
        big_blind=begun.big_blind,
        antes=begun.ante,
        ante_by=begun.ante_by,
        unit=begun.unit,
        blinds=as_listed(begun.live) if begun.live else None,
        dead_posts=begun.dead or None,
    )


def as_listed(by_position: Sequence[int]) -> Sequence[int]:
    """What positions post in the order in which `Hand.begin` and PHH list it: heads-up the small blind first."""
    return by_position[::-1] if len(by_position) == 2 else by_position


def replayed(hand: Hand, facts: Sequence[f.Fact]) -> Hand | None:
    """The hand after these facts; None where playing them leads to other ones: the facts are believed, not the hand.

    Each fact is either an action or what an action before it has led to.
    """
    told = len(hand.facts)
    for index, fact in enumerate(facts, start=told):
        if index == len(hand.facts):
            try:
                hand = _played(hand, fact, facts[index - told :])
            except (ValueError, IndexError):
                return None
        if index >= len(hand.facts) or hand.facts[index] != fact:
            return None
    return hand if len(hand.facts) == told + len(facts) else None


def _played(hand: Hand, fact: f.Fact, rest: Sequence[f.Fact]) -> Hand:
    match fact:
        case f.Dealt():
            return hand.deal_hole(fact.position, fact.cards)
        case f.BoardDealt():
            return hand.deal_board(fact.cards)
        case f.Folded():
            return hand.fold(fact.position)
        case f.Checked() | f.Called():
            return hand.check_or_call(fact.position)
        case f.Bet() | f.Raised():
            return hand.bet_or_raise(fact.to, fact.position)
        case f.Forfeited():
            if hand.verify_fold(fact.position) or not 0 < fact.amount <= hand.stacks[fact.position]:
                raise ValueError("nothing that this player could leave in")
            return forfeited(hand, fact.position, fact.amount)
        case f.Killed():
            return hand.kill(fact.position)
        case f.Restricted():
            return hand.restrict(fact.position)
        case f.Shown():
            return hand.show(fact.position, fact.cards)
        case f.Mucked():
            if fact.position not in hand.to_show:
                raise ValueError("no claim that this player could give up")
            return mucked(hand, fact.position, fact.shown)
        case f.Awarded():
            return _awarded(hand, rest)
        case _:
            return hand


def _awarded(hand: Hand, facts: Sequence[f.Fact]) -> Hand:
    """The pots given as the cards have it; where that is not what was told, as a person told it."""
    told = tuple(takewhile(lambda fact: isinstance(fact, f.Awarded), facts))
    if hand.phase == "showdown":
        settled = hand.settle()
        if settled.facts[len(hand.facts) :] == told:
            return settled
    winners = [[position for position, _ in fact.shares] for fact in told if isinstance(fact, f.Awarded)]
    return award(hand, winners)
