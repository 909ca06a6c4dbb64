"""Who won, told by a person: pots that no cards known here decide, given pot by pot (H-11, H-14)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from msgspec.structs import replace

from appliance.game.hand.closing import told
from appliance.game.hand.facts import Awarded, IllegalAction, Problem
from appliance.game.hand.pots import split
from appliance.game.hand.state import HandState

AnyHand = TypeVar("AnyHand", bound=HandState)

Winners = Sequence[Sequence[int]]
"""By pot, the main one first: the positions that share it."""


def is_contested(hand: HandState) -> bool:
    """Whether all betting is over and nobody knows yet who wins."""
    return hand.undecided or hand.phase == "showdown" or (hand.phase == "deal-board" and bool(hand.show_order))


def claims(hand: HandState) -> list[Awarded]:
    """The pots nobody knows the winner of: how much, and who may win it; without shares."""
    if hand.over:
        return [each for each in hand.awards if not each.shares]
    open_ = []
    for pot in hand.pots():
        may = tuple(position for position in pot.eligible if position not in hand.mucked)
        open_.append(Awarded(pot.amount, may or pot.eligible, ()))
    return open_


def verify_award(hand: HandState, winners: Winners) -> Problem | None:
    """Why the pots cannot be given so: betting goes on, a list is missing, or somebody has no claim to that pot.

    ``winners``: one list for each pot of `claims`; where the hand is over, one for each of its pots will do as well.
    """
    if not is_contested(hand):
        if hand.over:
            return Problem("hand-over")
        return Problem("not-your-turn", {"waits_for": hand.phase, "actor": hand.actor})
    pots = claims(hand)
    lists = _undecided_of(hand, winners)
    if len(lists) != len(pots):
        return Problem("winners-of-pots", {"pots": len(pots), "lists": len(lists)})
    for number, (pot, those) in enumerate(zip(pots, lists, strict=True), 1):
        if not those or len(set(those)) < len(those):
            return Problem("winners-of-pots", {"pot": number})
        for position in those:
            if position not in pot.eligible:
                return Problem("not-eligible", {"pot": number, "position": position})
    return None


def award(hand: AnyHand, winners: Winners) -> AnyHand:
    """Give each pot to these positions, in equal shares; odd chips as everywhere (H-14). Raises `IllegalAction`."""
    if problem := verify_award(hand, winners):
        raise IllegalAction(problem)
    given = [
        Awarded(pot.amount, _eligible(hand, index), split(pot.amount, those, hand.unit))
        for index, (pot, those) in enumerate(zip(claims(hand), _undecided_of(hand, winners), strict=True))
    ]
    stacks = list(hand.stacks)
    for each in given:
        for position, share in each.shares:
            stacks[position] += share
    rest = iter(given)
    awards = tuple(each if each.shares else next(rest) for each in hand.awards) if hand.over else tuple(given)
    return told(hand, *given, awards=awards, phase="over", betting=replace(hand.betting, stacks=tuple(stacks)))


def _eligible(hand: HandState, index: int) -> tuple[int, ...]:
    return claims(hand)[index].eligible if hand.over else hand.pots()[index].eligible


def _undecided_of(hand: HandState, winners: Winners) -> Winners:
    """Without the lists of pots that are decided, where there is one for each pot of a hand that is over."""
    if not hand.over or len(winners) != len(hand.awards):
        return winners
    return [those for those, each in zip(winners, hand.awards, strict=True) if not each.shares]
