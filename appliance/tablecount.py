"""What others do with the players of a hand while their table tracks it: stacks counted, players put out. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from appliance.game.state import Round, Status
from appliance.game.tablestream.commands import CorrectStacks
from appliance.game.tablestream.counts import still_there
from appliance.game.tablestream.proposals import smallest_chip
from appliance.game.tablestream.state import TableHands


class CountWatch:
    """Looks at the round whenever it has changed. ``out``: who is out while the hand goes on."""

    def __init__(self) -> None:
        self.out: frozenset[str] = frozenset()
        self._hand: tuple[str, int] | None = None
        self._seen: Mapping[str, int] = {}
        self._sent: Mapping[str, int] = {}

    def sent(self, stacks: Mapping[str, int]) -> None:
        """The table itself tells these stacks; that they arrive is no count, whatever was undone meanwhile."""
        self._sent = stacks

    def look(self, hands: TableHands, round: Round, number: int) -> dict[str, int]:
        """Who of the hand in play was counted since the last look, and with what."""
        table = round.tables.get(number)
        if hands.current is None or table is None:
            if hands.last is not None and hands.last.ended is not None:
                self._hand = None  # what is counted now is what the hand has left
            return {}
        begun = hands.current.begun
        if (begun.round, begun.hand) != (round.id, table.hand):
            return {}
        there = [player for player in begun.players if still_there(round, number, player)]
        self.out = frozenset(player.participant for player in begun.players if _is_out(round, player.participant))
        before, seen = self._seen, {player.participant: round.players[player.participant].chips for player in there}
        known = self._hand == (begun.round, begun.hand)
        self._hand, self._seen = (begun.round, begun.hand), seen
        if not known:
            return {}
        dealt = {player.participant: player.stack for player in there}
        return {
            who: chips
            for who, chips in seen.items()
            if who in before and chips not in (before[who], dealt[who], self._sent.get(who))
        }


def correction(hands: TableHands, round: Round, number: int, counted: Mapping[str, int]) -> CorrectStacks | None:
    """The command that carries a count into the hand in play; None where somebody is left without chips by it."""
    if hands.current is None or any(chips <= 0 for chips in counted.values()):
        return None
    begun = hands.current.begun
    stacks = [counted.get(player.participant, player.stack) for player in begun.players]
    unit = smallest_chip(round, round.tables[number], stacks)
    return CorrectStacks(round=begun.round, hand=begun.hand, stacks=dict(counted), unit=unit)


def _is_out(round: Round, participant: str) -> bool:
    player = round.players.get(participant)
    return player is not None and player.status is Status.OUT
