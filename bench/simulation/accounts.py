"""What an event means for chips and crowns, by the formula of T-4 and nothing of the engine's own books."""

from __future__ import annotations

from appliance.game.event import Event
from appliance.game.events import Cancelled, Deposited, Registered, Reinstated, Unregistered
from appliance.game.play_events import BonusCardUsed, ChipUpGiven, ColouredUp, Reentered, TakenOut, Voided
from appliance.game.state import Round


def money_in(event: Event, before: Round) -> int:
    """CZK that came in (negative: that went back)."""
    match event:
        case Registered(deposit=amount) | Deposited(amount=amount) | Reentered(deposit=amount):
            return amount
        case Unregistered(returned=amount):
            return -amount
        case Cancelled(returned=returned):
            return -sum(returned.values())
        case _:
            return 0


def chips_due(event: Event, before: Round) -> int:
    """Chips that came into play (negative: that left it): lent for deposits, given, changed up, taken out or back."""
    match event:
        case ChipUpGiven(chips=chips):
            return sum(chips.values())
        case BonusCardUsed(chips=given):
            return given
        case ColouredUp(changes=changes):
            return sum(changes.values())
        case TakenOut(chips=taken) | Voided(chips=taken):
            return -taken
        case Reinstated(returned=returned):
            return returned
        case Cancelled():
            return -before.chips
        case _:
            return before.rules.chips_per_crown * money_in(event, before)
