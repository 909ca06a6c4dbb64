"""Changing up a denomination at a table (CK-5): the chip race as a command, and when it is due."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import gcd

from appliance.game import clock as clocks
from appliance.game.chiprace import ChipRace, race
from appliance.game.draw import Draw
from appliance.game.event import Event
from appliance.game.hands import verify_table
from appliance.game.play_commands import (
    ColourUp,
)
from appliance.game.play_events import ColouredUp
from appliance.game.refusal import Refusal, not_running
from appliance.game.state import Entry, Round

USUAL_SET = (25, 100, 500, 1000, 5000, 25_000, 100_000)
"""The denominations that are assumed where none were announced; 5 is among them where a level needs it."""


def verify_colour_up(round: Round, command: ColourUp, _at_ms: int) -> Refusal | None:
    """Why nothing is changed up: done there already, or chips or cards that cannot be.

    That blinds and antes need the chip no longer is for the commissioner to judge.
    """
    if refusal := not_running(round) or verify_table(round, command.table):
        return refusal
    done = round.tables[command.table].coloured_up
    if command.denomination <= done:
        return Refusal("already-coloured-up", {"table": command.table, "denomination": done})
    found = _race(round, command)
    return found if isinstance(found, Refusal) else None


def do_colour_up(round: Round, command: ColourUp, _at_ms: int) -> tuple[Event, ...]:
    """How the race went, what stacks grew or shrank by, and what they are now (T-4).

    The holdings are a count of all the chips of those they name, and believed. Where they name no chip but those that
    are changed up, they are taken for these alone: stacks change by what the race gives and takes.
    """
    found = _race(round, command)
    if isinstance(found, Refusal):
        raise ValueError(f"{command.denomination} cannot be changed up: {found.code}")
    if _only_small(command):
        stacks = {who: max(0, round.players[who].chips + change) for who, change in found.changes.items()}
    else:
        stacks = {who: _worth(chips) for who, chips in found.holdings.items()}
    everybody = set(stacks) == set(round.tables[command.table].seats.values())
    coloured = ColouredUp(
        table=command.table,
        denomination=command.denomination,
        to=command.to,
        changes=dict(found.changes),
        stacks=stacks,
        total=sum(stacks.values()) if everybody and not _only_small(command) else None,
        cards=dict(found.cards),
        won=found.winners,
        kept=found.kept,
        draw=round.draws + 1 if found.cards and not command.cards else None,
    )
    return (coloured,)


def _race(round: Round, command: ColourUp) -> ChipRace | Refusal:
    seats = [participant for _, participant in sorted(round.tables[command.table].seats.items())]
    cards = command.cards or Draw(round.seed or 0, f"race/{round.draws + 1}")
    return race(command.denomination, command.to, _holdings(round, command), seats, cards)


def _holdings(round: Round, command: ColourUp) -> dict[str, Mapping[int, int]]:
    """The holdings for the race; who has other chips than the small ones that were named is not raced out."""
    holdings: dict[str, Mapping[int, int]] = dict(command.holdings)
    if _only_small(command):
        for who, chips in command.holdings.items():
            if who in round.players and round.players[who].chips > _worth(chips):
                holdings[who] = {**chips, command.to: 1}
    return holdings


def _only_small(command: ColourUp) -> bool:
    named = {chip for chips in command.holdings.values() for chip, count in chips.items() if count}
    return named <= {command.denomination}


def _worth(chips: Mapping[int, int]) -> int:
    return sum(chip * count for chip, count in chips.items())


def due(round: Round, at_ms: int) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Denominations that blinds and antes need no longer, what to change them to, and the tables that have them.

    From the beginning of the level from which on they are not needed, and in the break before it. Only such as some
    level needs: others are not in play. Smaller ones go first; nothing is due where a level cannot be paid with the
    chips there are.
    """
    chips = usual_chips(round)
    levels = list(_levels(round.structure))
    to_come = _to_come(round, at_ms)
    for place, chip in enumerate(chips[:-1]):
        larger = chips[place + 1 :]
        to = next((other for other in larger if other % chip == 0), None)
        if to is None or _needs(to_come, larger):
            return
        if _needs(levels, larger):
            tables = (table.number for table in round.tables.values() if table.seats and table.coloured_up < chip)
            if found := tuple(sorted(tables)):
                yield chip, to, found


def usual_chips(round: Round) -> tuple[int, ...]:
    """The announced denominations, or the usual ones if all levels can be paid with them, else none; smallest first."""
    levels = list(_levels(round.structure))
    chips = round.chip_set or USUAL_SET
    if not round.chip_set and _needs(levels, chips):
        chips = (5, *USUAL_SET)
    return () if _needs(levels, chips) else chips


def _levels(structure: tuple[Entry, ...]) -> Iterator[Entry]:
    return (entry for entry in structure if not entry.is_break)


def _to_come(round: Round, at_ms: int) -> list[Entry]:
    """The level in play, or in a break of the structure the next one, and all after it; at the end the last level."""
    clock = clocks.settle(round.structure, round.clock or clocks.begin(round.structure, at_ms), at_ms)
    return list(_levels(round.structure[clock.entry :])) or list(_levels(round.structure))[-1:]


def _needs(levels: list[Entry], chips: tuple[int, ...]) -> bool:
    """Whether an amount of these levels cannot be paid with such chips, change being given."""
    smallest = gcd(*chips)
    return any(amount % smallest for entry in levels for amount in (entry.sb, entry.bb, entry.ante))
