"""What the round counts and the table tells need not agree: whose word a hand begins with. Pure.

The commissioner is believed. After a hand that nobody followed the stacks are not known until they are counted.
"""

from __future__ import annotations

from collections.abc import Iterable

from appliance.game.state import Round, Status
from appliance.game.tablestream.events import InHand
from appliance.game.tablestream.state import TableHands, Tracked


def still_there(round: Round, table: int, dealt: InHand) -> bool:
    """Whether who was dealt in is in play and sits at this table."""
    player = round.players.get(dealt.participant)
    return player is not None and player.status is Status.IN and player.seat is not None and player.seat.table == table


def unfollowed(state: TableHands, round: Round, number: int) -> int | None:
    """The hand before the round's one at this table, if nobody said how it ended and nobody has counted since.

    No hand leaves all stacks as they were, so that stacks which are other than before it were counted.
    """
    told, hand = _before(state, round, number), round.tables[number].hand
    if told is None or (told.ended is not None and told.begun.hand == hand - 1):
        return None
    there = [player for player in told.begun.players if still_there(round, number, player)]
    same = (round.players[each.participant].chips in _known(told, each) for each in there)
    return hand - 1 if there and all(same) else None


def other_than_told(state: TableHands, round: Round, number: int) -> int | None:
    """The last hand, if the round has other stacks for somebody than it ended with."""
    told = _last_of(state.log, round, number, round.tables[number].hand)
    if told is None or told.ended is None:
        return None
    stacks = told.ended.stacks
    there = (player.participant for player in told.begun.players if still_there(round, number, player))
    return told.begun.hand if any(round.players[who].chips != stacks[who] for who in there) else None


def _before(state: TableHands, round: Round, number: int) -> Tracked | None:
    return _last_of(state.log, round, number, round.tables[number].hand - 1)


def _last_of(log: Iterable[Tracked], round: Round, number: int, most: int) -> Tracked | None:
    """The last one told of this round's hands up to that number: later ones were taken back."""
    for told in reversed(tuple(log)):
        if (told.begun.round, told.begun.table) == (round.id, number) and told.begun.hand <= most:
            return told
    return None


def _known(told: Tracked, player: InHand) -> tuple[int, ...]:
    ended = () if told.ended is None else (told.ended.stacks[player.participant],)
    return (player.stack, *ended)
