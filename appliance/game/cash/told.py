"""What a hand that was followed says of the session's commands: its result is not forgotten, and not another (C-8)."""

from __future__ import annotations

from collections.abc import Mapping

from appliance.game.cash.commands import CashCommand, NextHand, Result
from appliance.game.cash.playing import tracked
from appliance.game.cash.state import CashTable
from appliance.game.hand.facts import Awarded
from appliance.game.hand.hand import Hand
from appliance.game.refusal import Refusal
from appliance.game.tablestream.commands import BeginHand
from appliance.game.tablestream.state import TableHands, Tracked


def verify_told(table: CashTable, hands: TableHands, command: CashCommand) -> Refusal | None:
    """Why no other hand begins: that in play was followed, and its result is missing.

    To go on without, the hand is dropped, as one that nobody follows any longer.
    """
    if isinstance(command, NextHand) and _told(table, hands) is not None:
        return Refusal("result-missing", {"hand": table.number})
    return None


def contradicted(table: CashTable, hands: TableHands, result: Result) -> dict[str, int]:
    """Of those whose stack the followed hand has otherwise: what it has, less what was tipped.

    Who did not win has what they had behind; the rake comes off who won. While a hand goes on, who is still in it has
    at least what is behind. The person is believed, and told.
    """
    told = _told(table, hands)
    if told is None or table.hand is None:
        return {}
    seated, tips = table.seated(), table.hand.tips
    least, most = _bounds(told, hands.hand)
    found = {}
    for who, seat in ((player.participant, player.seat) for player in told.begun.players):
        tip = tips.get(seat, 0)
        given = result.stacks.get(who, seated[seat].stack) + tip
        if who in most and given > most[who]:
            found[who] = max(0, most[who] - tip)
        elif who in least and given < least[who]:
            found[who] = max(0, least[who] - tip)
    return found


def is_of(told: Tracked, begin: BeginHand) -> bool:
    """Whether the hand told is this very one: number, seats and stacks."""
    begun = told.begun
    return (begun.round, begun.hand, begun.button, begun.players, begun.live, begun.dead) == (
        begin.round,
        begin.hand,
        begin.button,
        begin.players,
        begin.live,
        begin.dead,
    )


def _told(table: CashTable, hands: TableHands) -> Tracked | None:
    """The hand in play as it was followed; None where nothing was told of it, or it was dropped."""
    told = hands.current or hands.last
    if table.hand is None or told is None or not is_of(told, tracked(table, table.id, 1)):
        return None
    if told is hands.current:
        return told if told.facts != told.begun.facts else None
    return told if told.ended is not None else None


def _bounds(told: Tracked, hand: Hand | None) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """The least and the most each can have, by participant, the latter only of those for whom it is known."""
    players = [player.participant for player in told.begun.players]
    if told.ended is not None:
        won = {position for fact in told.facts if isinstance(fact, Awarded) for position, _ in fact.shares}
        losers = {who for position, who in enumerate(players) if won and position not in won}
        stacks = told.ended.stacks
        return {who: chips for who, chips in stacks.items() if who in losers}, stacks
    if hand is None:
        return {}, {}
    behind = dict(zip(players, hand.stacks, strict=True))
    return behind, {who: behind[who] for position, who in enumerate(players) if position not in hand.live}
