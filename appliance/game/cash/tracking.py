"""A session whose dealer tells its hands action by action: what a line leads to in the table's stream (C-6, H).

The hand in play is followed from the first thing told of it; once it is over its result is the session's, where the
house takes no rake, else a person gives it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from msgspec.structs import replace

from appliance.game.cash import commands as c
from appliance.game.cash.playing import tracked
from appliance.game.cash.script import OfTheHand
from appliance.game.cash.state import CashLedger, CashTable
from appliance.game.cash.told import is_of
from appliance.game.tablestream.commands import DropHand, HandCommand, MakeRuling, TableCommand
from appliance.game.tablestream.state import TableHands, Tracked


class Told(Protocol):
    """What a table's stream has told so far."""

    @property
    def cash(self) -> CashLedger | None:
        """The session."""

    @property
    def hands(self) -> TableHands:
        """Its hands."""


def commands_of(asked: c.CashCommand | OfTheHand, told: Callable[[], Told]) -> Iterator[c.CashCommand | TableCommand]:
    """The commands that carry a line out, in order; ``told`` is asked anew after each. A refusal ends them."""
    if not isinstance(asked, OfTheHand):
        yield asked
        return
    ledger = told().cash
    table = None if ledger is None else ledger.table
    if table is None or table.id != asked.session:
        yield asked.command
        return
    number = asked.hand or table.number or 1
    if isinstance(asked.command, MakeRuling):
        yield replace(asked.command, rules=asked.command.rules or table.rules)
        return
    assert isinstance(asked.command, HandCommand), "all but a ruling are of a hand"
    if table.hand is not None and number == table.number:
        yield from _begun(table, told().hands)
    before = told().hands.last
    yield replace(asked.command, hand=number)
    last = told().hands.last
    if last is not None and last is not before and not table.settings.rake_maximum:
        yield from _result(table, last)


def _begun(table: CashTable, hands: TableHands) -> Iterator[TableCommand]:
    """Follow the hand in play, unless it is followed, or was to its end: the same number may be dealt anew."""
    begin = replace(tracked(table, table.id, 1), again=True)
    told = hands.current or hands.last
    if told is not None and is_of(told, begin):
        return
    if hands.current is not None and hands.current.begun.round == table.id:
        yield DropHand(round=table.id, hand=hands.current.begun.hand)
    yield begin


def _result(table: CashTable, last: Tracked) -> Iterator[c.Result]:
    """The stacks after the hand, less what was tipped during it (H-17)."""
    if last.ended is None or table.hand is None:
        return
    seats = {player.participant: player.seat for player in last.begun.players}
    tips = table.hand.tips
    stacks = {who: chips - tips.get(seats[who], 0) for who, chips in last.ended.stacks.items()}
    if min(stacks.values()) >= 0:
        yield c.Result(session=table.id, stacks=stacks)
