"""What a deposit means at the table: chips to hand out (T-4), and what the limit of 24 hours leaves (T-3)."""

from __future__ import annotations

from appliance.floor.forms import Action, Filled, Here
from appliance.floor.said import Amount, Said, Text
from appliance.game.entry import counted, deposited
from appliance.game.state import Round
from appliance.i18n import N_

_OF_DEPOSITS = frozenset({"deposit", "register", "reenter"})


def crowns(round: Round, filled: Filled) -> int:
    """What is paid: an amount that was asked for, else the announced deposit."""
    amount = filled.get("amount")
    return amount if isinstance(amount, int) else round.deposit


def chips(round: Round, filled: Filled) -> int:
    """The chips for it, by the rules of the round (T-4)."""
    return crowns(round, filled) * round.rules.chips_per_crown


def to_hand_out(here: Here, action: Action, filled: Filled) -> tuple[Text, ...]:
    """How many chips the player gets, for whoever counts them out."""
    round, who = here.round, filled.get("participant")
    if action.id not in _OF_DEPOSITS or round is None or not isinstance(who, str):
        return ()
    told: dict[str, Text] = {"participant": here.name(who), "chips": Amount(chips(round, filled), "chips")}
    return (Said(N_("Chips to hand out to {participant}: {chips}."), told),)


def left(here: Here, action: Action, filled: Filled) -> tuple[Text, ...]:
    """What may still be deposited in 24 hours once this is paid, as far as it is known here (T-3)."""
    round, who = here.round, filled.get("participant")
    if action.id not in _OF_DEPOSITS or round is None or not isinstance(who, str):
        return ()
    player, limit = round.players.get(who), round.rules.deposit_limit
    before = counted(deposited(round, player), round.times.right(here.at_ms)) if player else 0
    said = filled.get("deposits_24h")
    rest = limit - before - crowns(round, filled) - (said if isinstance(said, int) else 0)
    if rest < 0:
        return ()
    told: dict[str, Text] = {"limit": Amount(limit, "crowns"), "left": Amount(rest, "crowns")}
    return (Said(N_("Left of the limit of {limit} in 24 hours: {left}."), told),)
