"""What a table's own kiosk may ask of the round that is played there, without a commissioner (DESIGN §3, §5). Pure.

A table advances its hands, and tells the stacks and the busts of the hands it tracked. Whose device a table is, the
newest epoch of its stream says, signed by who opened it; a message can claim nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from appliance.game.command import Command
from appliance.game.commands import Bust, NextHand, Stacks
from appliance.game.state import Round, Status

ACTOR = "table"
"""Who gives a command that comes from the keys of a table; no registration number reads like this."""


def may_ask(command: Command, device: str, tables: Mapping[int, str], round: Round | None) -> bool:
    """Whether this device may give this command as a table; ``tables``: the device of each table, by its number."""
    table = getattr(command, "table", None)
    return table is not None and tables.get(table) == device and may_table(command, table, round)


def may_table(command: Command, table: int, round: Round | None) -> bool:
    """Whether this may be asked from the table with this number."""
    if not isinstance(command, NextHand | Stacks | Bust) or command.table != table:
        return False
    return not isinstance(command, Bust) or round is None or not _elsewhere(round, command)


def _elsewhere(round: Round, command: Bust) -> bool:
    """Whether somebody is in play and does not sit at the table that says they are out."""
    player = round.players.get(command.participant)
    if player is None or player.status is not Status.IN or player.seat is None:
        return False
    return player.seat.table != command.table
