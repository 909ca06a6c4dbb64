"""Chips that come to a cash table and leave it, and what each hand made of the stacks (C-8)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from appliance.game.cash.commands import AddOn, Close, Leave, Result, Stacks
from appliance.game.cash.events import AddedOn, Closed, HandEnded, Left, StacksCounted
from appliance.game.cash.state import CashTable, Player
from appliance.game.event import Event
from appliance.game.refusal import Refusal


def verify_add_on(table: CashTable, command: AddOn) -> Refusal | None:
    """Why so many chips cannot be bought: in the hand, over the maximum, or back from nothing with too few."""
    refusal, player = _between_hands(table, command.participant)
    if refusal is not None or player is None:
        return refusal
    maximum, minimum = table.settings.buy_in_maximum, table.settings.buy_in_minimum
    if player.stack + command.chips > maximum:
        return Refusal("buy-in-maximum", {"maximum": maximum, "left": max(0, maximum - player.stack)})
    if not player.stack and command.chips < minimum:
        return Refusal("buy-in-minimum", {"minimum": minimum})
    return None


def do_add_on(table: CashTable, command: AddOn) -> tuple[Event, ...]:
    """Chips on top of the stack."""
    return (AddedOn(participant=command.participant, chips=command.chips),)


def verify_leave(table: CashTable, command: Leave) -> Refusal | None:
    """Why one cannot leave: in the hand, or another stack was counted than is known (a count comes first)."""
    refusal, player = _between_hands(table, command.participant)
    if refusal is not None or player is None:
        return refusal
    if command.chips is not None and command.chips != player.stack:
        return Refusal("chips-differ", {"expected": player.stack, "counted": command.chips})
    return None


def do_leave(table: CashTable, command: Leave) -> tuple[Event, ...]:
    """The whole stack is cashed out; no part of it leaves the table before (**decided**)."""
    return (Left(participant=command.participant, chips=table.players[command.participant].stack),)


def verify_result(table: CashTable, command: Result) -> Refusal | None:
    """Why this cannot be the result: no hand, a stranger, more rake than the house takes, or chips that do not add up.

    Unlike a tournament's count a result that differs is refused (**decided**): chips here are money.
    """
    if table.hand is None:
        return Refusal("no-hand")
    if command.rake > table.settings.rake_maximum:
        return Refusal("rake-limit", {"maximum": table.settings.rake_maximum})
    return _verify_sum(table, command.stacks, command.rake)


def do_result(table: CashTable, command: Result, told: Mapping[str, int] = MappingProxyType({})) -> tuple[Event, ...]:
    """The stacks after the hand; ``told``: what a followed hand has otherwise."""
    return (HandEnded(hand=table.number, stacks=dict(command.stacks), rake=command.rake, told=dict(told)),)


def verify_stacks(table: CashTable, command: Stacks) -> Refusal | None:
    """Why a count is not taken: a hand is in play, a stranger, or chips that do not add up."""
    if table.hand is not None:
        return Refusal("hand-in-play", {"hand": table.number})
    return _verify_sum(table, command.stacks, 0)


def do_stacks(table: CashTable, command: Stacks) -> tuple[Event, ...]:
    """The counted stacks."""
    return (StacksCounted(stacks=dict(command.stacks)),)


def verify_close(table: CashTable, command: Close) -> Refusal | None:
    """Why the session cannot end: a hand is in play."""
    return None if table.hand is None else Refusal("hand-in-play", {"hand": table.number})


def do_close(table: CashTable, command: Close) -> tuple[Event, ...]:
    """Everybody cashes out."""
    return (Closed(stacks={player.participant: player.stack for player in table.seated().values()}),)


def _between_hands(table: CashTable, participant: str) -> tuple[Refusal | None, Player | None]:
    player = table.sitting(participant)
    if player is None:
        return Refusal("not-seated", {"participant": participant}), None
    if table.holds_cards(player):
        return Refusal("holding-cards", {"participant": participant}), None
    return None, player


def _verify_sum(table: CashTable, stacks: Mapping[str, int], rake: int) -> Refusal | None:
    expected = 0
    for participant in stacks:
        player = table.sitting(participant)
        if player is None:
            return Refusal("not-seated", {"participant": participant})
        expected += player.stack
    counted = sum(stacks.values()) + rake
    return None if counted == expected else Refusal("chips-differ", {"expected": expected, "counted": counted})
