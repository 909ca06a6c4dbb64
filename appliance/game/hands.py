"""Hands of a table as the round sees them: the next one begins, chips are counted (S-5, S-7, CK-2, T-4)."""

from __future__ import annotations

from appliance.game import clock as clocks
from appliance.game.button import first_hand
from appliance.game.commands import (
    NextHand,
    Stacks,
)
from appliance.game.dealing import Dealing, dealing
from appliance.game.draw import Draw, deal_one_each, highest
from appliance.game.event import Event
from appliance.game.events import HandStarted, StacksCounted
from appliance.game.refusal import Refusal, not_in_play, not_running, stale
from appliance.game.state import Entry, Round, Table


def verify_table(round: Round, number: int) -> Refusal | None:
    """Why nothing is played at this table."""
    table = round.tables.get(number)
    return Refusal("no-such-table", {"table": number}) if table is None or not table.seats else None


def verify_next_hand(round: Round, command: NextHand, _at_ms: int) -> Refusal | None:
    """Why no hand begins there. A stopped clock is no reason: the last hand before a talk is often dealt on."""
    return (
        not_running(round)
        or verify_table(round, command.table)
        or stale(command.seen, round.tables[command.table].hand)
    )


def do_next_hand(round: Round, command: NextHand, at_ms: int) -> tuple[Event, ...]:
    """Button, blinds and who waits (S-5), at the level that holds when the hand begins (CK-2).

    A table that was opened later has no button yet: it is drawn by high card as in S-2.
    """
    table = round.tables[command.table]
    dealt = dealing(round, table)
    if dealt is not None:
        return (_hand_started(round, table, dealt, _entry(round, command, at_ms), {}, None),)
    number = round.draws + 1
    cards = deal_one_each(Draw(round.seed or 0, f"table/{number}"), sorted(table.seats))
    dealt = Dealing(first_hand(table.seats, highest(cards)), {})
    return (_hand_started(round, table, dealt, _entry(round, command, at_ms), cards, number),)


def _entry(round: Round, command: NextHand, at_ms: int) -> Entry:
    """The level that holds when the hand begins; of a hand told later the one it began at, if that can be."""
    now, table = clocks.entry(round, at_ms), round.tables[command.table]
    if command.level is None:
        return now
    level = min(now.level, max(command.level, table.level if table.hand else 1))
    earlier = (entry for entry in round.structure if entry.level == level and not entry.is_break)
    return now if level == now.level else next(earlier, now)


def _hand_started(
    round: Round, table: Table, dealt: Dealing, entry: Entry, cards: dict[int, str], draw: int | None
) -> HandStarted:
    positions = dealt.positions
    return HandStarted(
        table=table.number,
        hand=table.hand + 1,
        button=positions.button,
        sb=positions.sb,
        bb=positions.bb,
        sb_seat=positions.sb_seat,
        bb_seat=positions.bb_seat,
        level=entry.level,
        small_blind=entry.sb,
        big_blind=entry.bb,
        ante=entry.ante,
        cards=cards,
        draw=draw,
        waiting=dict(dealt.waiting),
    )


def verify_stacks(round: Round, command: Stacks, _at_ms: int) -> Refusal | None:
    """Why a count cannot be taken: it names somebody who does not sit there. The numbers are believed."""
    if refusal := not_running(round) or verify_table(round, command.table):
        return refusal
    hand = round.tables[command.table].hand
    if command.hand is not None and hand not in (command.hand, command.hand + 1):
        return stale(command.hand, hand)  # what a hand has left is what the next one began with, and no later one
    for participant in command.stacks:
        if refusal := not_in_play(round, participant):
            return refusal
        seat = round.players[participant].seat
        if seat is None or seat.table != command.table:
            return Refusal("not-at-table", {"participant": participant, "table": command.table})
    return None


def do_stacks(round: Round, command: Stacks, _at_ms: int) -> tuple[Event, ...]:
    """The counted stacks, and the table's total when everybody there was counted.

    A count of some corrects the total as well where all chips are there with it: what was wrong is right again.
    """
    everybody = set(round.tables[command.table].seats.values()) == set(command.stacks)
    total = sum(command.stacks.values()) if everybody else _total_if_right(round, command)
    return (StacksCounted(table=command.table, stacks=dict(command.stacks), total=total),)


def _total_if_right(round: Round, command: Stacks) -> int | None:
    """The table's chips with these stacks, if that makes the round's chips complete; else None: not all was counted."""
    if round.tables[command.table].chips is None:
        return None
    chips = (command.stacks.get(who, round.players[who].chips) for who in round.tables[command.table].seats.values())
    total = sum(chips)
    others = [table.chips for table in round.tables.values() if table.seats and table.number != command.table]
    known = [chips for chips in others if chips is not None]
    return total if len(known) == len(others) and sum(known) + total == round.chips else None
