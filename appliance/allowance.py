"""The 500 crowns in 24 hours over all rounds of a venue, and of all venues (T-3). Pure.

The rules of one round know that round; here the others of the same evening are added. What was deposited at other
venues the participant's token tells, where the league gives them out, and whoever has none deposits nothing; where it
gives none, it is known only if somebody told it (``deposits_24h``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from appliance.game import tokens
from appliance.game.commands import (
    Register,
)
from appliance.game.entry import DAY_MS, counted, deposited, over_limit, rightly, told_now
from appliance.game.play_commands import (
    Reenter,
)
from appliance.game.reentry import told_elsewhere
from appliance.game.refusal import Refusal
from appliance.game.roster import Roster
from appliance.game.state import Money, Phase, Player, Round
from appliance.game.tokens import Spent, Token


class Allowances(NamedTuple):
    """The tokens that may be spent here now, by participant; not ``in_force``: nobody needs one."""

    in_force: bool = False
    here: Mapping[str, Token] = {}


NO_ALLOWANCE = "no-allowance"
"""The reason of a refusal where a participant's token is not here."""

NONE_GIVEN = Allowances()
"""Of a venue that was never told of any."""


def allowances(roster: Roster, epoch: str, given_back: Collection[str], now: int, trusted: bool) -> Allowances:
    """What may be spent now by who writes this epoch of the venue's stream; see `tokens.is_spendable`."""
    if not roster.allowances_in_force:
        return NONE_GIVEN
    gone = {*given_back, *roster.ended}
    here = {
        participant: token
        for participant, token in roster.allowances.items()
        if tokens.is_spendable(token, epoch, gone, now, trusted)
    }
    return Allowances(True, here)


def as_told(roster: Roster, now: int) -> Allowances:
    """What a kiosk knows of them, so that nobody hands over money to be refused; the director knows better."""
    return Allowances(
        roster.allowances_in_force,
        {
            participant: token
            for participant, token in roster.allowances.items()
            if tokens.is_spendable(token, token.epoch, roster.ended, now, trusted=True)
        },
    )


def next_door(rounds: Iterable[Round], here: str, participant: str) -> list[Money]:
    """What a participant deposited in the venue's other rounds, and did not get back."""
    return [
        money
        for other in rounds
        if other.id != here and other.phase is not Phase.CANCELLED and participant in other.players
        for money in other.players[participant].deposits
    ]


def in_rounds(rounds: Iterable[Round], participant: str) -> list[Spent]:
    """All that a participant has deposited in a venue's rounds, and did not get back, with the right times."""
    return [
        Spent(round.times.right(money.at), money.amount, round.id)
        for round in rounds
        if round.phase is not Phase.CANCELLED and participant in round.players
        for money in round.players[participant].deposits
    ]


def registration(
    round: Round, rounds: Iterable[Round], command: Register, now: int, given: Allowances = NONE_GIVEN
) -> Refusal | None:
    """Why the announced deposit would be too much for this participant at ``now`` (as in records)."""
    rounds = list(rounds)
    others = rightly(round.times, next_door(rounds, round.id, command.participant))
    said = [*told_now(round, command, now), *others, *_far_away(rounds, given, command.participant)]
    return no_allowance(round, given, command.participant) or over_limit(round, said, round.deposit, now)


def reentry(
    round: Round, rounds: Iterable[Round], command: Reenter, now: int, given: Allowances = NONE_GIVEN
) -> Refusal | None:
    """Why the deposit of a re-entry would be too much for this player of the round (T-3, T-11)."""
    rounds, player = list(rounds), round.players[command.participant]
    own = rightly(round.times, [*player.deposits, *next_door(rounds, round.id, command.participant)])
    others = _far_away(rounds, given, command.participant)
    said = [*own, *told_elsewhere(round, player, command, now), *others]
    return no_allowance(round, given, command.participant) or over_limit(round, said, round.deposit, now)


def top_up(
    round: Round, rounds: Iterable[Round], participant: str, amount: int, now: int, given: Allowances = NONE_GIVEN
) -> Refusal | None:
    """Why ``amount`` CZK more would be too much, counted with what came in next door since the registration."""
    player = round.players.get(participant)
    if player is None:
        return None
    known = _all(round, player, list(rounds), given)
    return no_allowance(round, given, participant) or over_limit(round, known, amount, now)


def comes_back(
    before: Round, after: Round, rounds: Iterable[Round], now: int, given: Allowances = NONE_GIVEN
) -> Refusal | None:
    """Why deposits that an undo or a redo brings back would be too much by now; None if they are not."""
    others = list(rounds)
    for participant, player in after.players.items():
        back = list(rightly(after.times, _back(before, after, participant)))
        if not back or (
            not given.in_force and player.deposit <= sum(money.amount for money in _held(before, participant))
        ):
            continue
        if refusal := no_allowance(after, given, participant):
            return refusal
        known, limit = _all(after, player, others, given), after.rules.deposit_limit
        total = counted(known, after.times.right(now))
        if total > limit or (given.in_force and not _fits(back, known, limit, given.here[participant])):
            left = max(0, limit - total + player.deposit)
            return Refusal("deposit-limit", {"limit": limit, "left": left, "participant": participant})
    return None


def no_allowance(round: Round, given: Allowances, participant: str) -> Refusal | None:
    """Why nothing is taken of a participant whose allowance is not here; ``left`` is not known then."""
    if not given.in_force or participant in given.here:
        return None
    detail = {"limit": round.rules.deposit_limit, "left": None, "reason": NO_ALLOWANCE, "participant": participant}
    return Refusal("deposit-limit", detail)


def _fits(back: list[Money], deposited: list[Money], limit: int, token: Token) -> bool:
    """Whether what comes back, with the time it was deposited at, makes no 24 hours too full.

    Of days before the token's own nobody knows here what was deposited elsewhere.
    """
    if min(back).at < token.given - DAY_MS:
        return False
    near = [money for money in deposited if any(abs(money.at - again.at) < DAY_MS for again in back)]
    return tokens.in_any_day(near) <= limit


def _back(before: Round, after: Round, participant: str) -> list[Money]:
    """The deposits of a participant that ``after`` has and ``before`` has not."""
    missing = list(_held(before, participant))
    back: list[Money] = []
    for money in _held(after, participant):
        if money in missing:
            missing.remove(money)
        else:
            back.append(money)
    return back


def _all(round: Round, player: Player, rounds: list[Round], given: Allowances) -> list[Money]:
    next_to_it = rightly(round.times, next_door(rounds, round.id, player.participant))
    return [*deposited(round, player), *next_to_it, *_far_away(rounds, given, player.participant)]


def _far_away(rounds: Iterable[Round], given: Allowances, participant: str) -> list[Money]:
    """What the participant's token tells of deposits at other venues."""
    token = given.here.get(participant)
    if token is None:
        return []
    return [Money(spent.at, spent.amount) for spent in tokens.from_elsewhere(token, {round.id for round in rounds})]


def _held(round: Round, participant: str) -> tuple[Money, ...]:
    """A participant's money in this round; a cancelled round has given it back."""
    player = round.players.get(participant)
    return () if player is None or round.phase is Phase.CANCELLED else player.deposits
