"""The showdown: who shows when, and who wins which pot (H-11 to H-14, H-16)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from appliance.game.hand.betting import Street, members, next_of
from appliance.game.hand.cards import UNKNOWN
from appliance.game.hand.facts import Awarded, Cards
from appliance.game.hand.pots import Pot, split
from appliance.game.hand.ranking import strength
from appliance.game.hand.state import HandState
from appliance.game.ruleset import RuleSet

BOARD_CARDS = 5


def show_order(rules: RuleSet, street: Street, raisers: Sequence[int], last_order: Sequence[int]) -> tuple[int, ...]:
    """Who shows in which order (H-12).

    ``street`` is the final one; ``raisers`` who bet or raised on any street, in that order; ``last_order`` the order of
    action of the last street on which anybody acted. Whose hand is gone cannot begin: then the first, or the last, to
    raise of those still in does, and where nobody of them did, the next clockwise.
    """
    match rules.showdown_first:
        case "first-of-last-street":
            due = street.raisers
        case "last-of-last-street":
            due = street.raisers[::-1]
        case _:
            due = tuple(raisers)[::-1]
    if not due and rules.showdown_unbet == "order-of-action":
        shows = [position for position in last_order if street.live >> position & 1]
        return (*shows, *(position for position in members(street.live) if position not in shows))
    first = next((position for position in due if street.live >> position & 1), due[0] if due else 0)
    start = next_of(street.live, first)
    return (*members(street.live >> start << start), *members(street.live & ((1 << start) - 1)))


def award(pot: Pot, strengths: Mapping[int, int], mucked: Sequence[int], unit: int) -> Awarded:
    """Who gets a pot: the best of the hands shown; who has not shown cannot win it (H-13).

    Where all others gave up their claim, the last one has no need to show. Where several did not, and nobody showed,
    nobody knows: no shares.
    """
    shown = [position for position in pot.eligible if position in strengths]
    if shown:
        best = max(strengths[position] for position in shown)
        winners = [position for position in shown if strengths[position] == best]
    else:
        claims = [position for position in pot.eligible if position not in mucked]
        if not claims:
            claims = [max(pot.eligible, key=mucked.index)]
        winners = claims if len(claims) == 1 else []
    return Awarded(pot.amount, pot.eligible, split(pot.amount, winners, unit) if winners else ())


def strengths_of(hands: Mapping[int, Cards], board: Cards) -> dict[int, int]:
    """How strong the hands shown are, by position; empty while the board is not known whole."""
    if len(board) < BOARD_CARDS or UNKNOWN in board:
        return {}
    return {position: strength((*cards, *board)) for position, cards in hands.items()}


def may_muck(hand: HandState, position: int) -> bool:
    """Whether a player need not show: another hand beats theirs in every pot they contest (H-12).

    Who is due to begin shows; where the profile says so, only if nobody has shown out of turn.
    """
    if hand.tabled or not hand.shown:
        return False
    if position == hand.show_order[0] and not hand.rules.shown_out_of_turn_frees:
        return False
    claims = {each: hand.holes[each] for each in (*hand.shown, position)}
    strengths = strengths_of(claims, hand.board)
    return bool(strengths) and all(
        any(strengths[position] < strengths[each] for each in pot.eligible if each in hand.shown)
        for pot in hand.pots()
        if position in pot.eligible
    )
