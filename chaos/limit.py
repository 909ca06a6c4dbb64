"""The 500 crowns in 24 hours on a chaos evening (T-3): what the venue as a whole knows, beside the rules of the round.

The league gives out allowances tonight, and some have deposited elsewhere today. The undisturbed evening has
everybody's allowance; in the house it may be on its way, and whoever is refused for that asks again.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

from appliance import allowance
from appliance.allowance import Allowances
from appliance.game.command import Command
from appliance.game.commands import Deposit, Redo, Register, Undo
from appliance.game.play_commands import Reenter
from appliance.game.refusal import Refusal
from appliance.game.round import decide, fold, verify
from appliance.game.state import Ledger, Round
from appliance.game.tokens import DAY_MS, Spent, Token
from chaos.people import player

AGO_MS = 2 * 60 * 60 * 1000
"""How long ago it was deposited elsewhere: on no clock of the house more than a day."""

ELSEWHERE = "jinde"
"""The venue where that was."""

_AMOUNTS = (50, 125, 300, 450)


def elsewhere(seed: int, players: int) -> dict[str, int]:
    """Who has deposited how much (CZK) at another venue today."""
    chance = random.Random(f"elsewhere {seed}")
    return {player(place).number: chance.choice(_AMOUNTS) for place in range(players) if chance.random() < 0.1}


def allowances(people: Iterable[str], deposited: Mapping[str, int], now: int) -> Allowances:
    """Everybody's allowance at the venue, with what was deposited elsewhere."""
    return Allowances(True, {who: _token(who, deposited.get(who, 0), now) for who in people})


def too_much(ledger: Ledger, command: Command, now: int, given: Allowances) -> Refusal | None:
    """Why a command brings in more than is allowed, where the rules of the round have nothing against it."""
    round = ledger.round
    match command:
        case Register() if round and verify(ledger, command, now) is None:
            return allowance.registration(round, [round], command, now, given)
        case Reenter() if round and verify(ledger, command, now) is None:
            return allowance.reentry(round, [round], command, now, given)
        case Deposit() if round:
            return allowance.top_up(round, [round], command.participant, command.amount, now, given)
        case Undo() | Redo() if round:
            after = _after(ledger, command, now)
            return allowance.comes_back(round, after, [round], now, given) if after else None
        case _:
            return None


def _token(who: str, deposited: int, now: int) -> Token:
    spent = (Spent(now - AGO_MS, deposited),) if deposited else ()
    return Token(
        token="0", participant=who, epoch="", given=now, until=now + DAY_MS, left=500 - deposited, deposits=spent
    )


def _after(ledger: Ledger, command: Undo | Redo, now: int) -> Round | None:
    decided = decide(ledger, command, now, "")
    if isinstance(decided, Refusal):
        return None
    for event in decided:
        ledger = fold(ledger, event, now, "")
    return ledger.round
