"""The money of a round as its venue has recorded it: deposits, refunds, prizes and payouts (T-3, T-5, T-9).

Nothing is kept of it here: it is folded from the round's records each time, so what a venue takes back is gone here.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from appliance.game.prizes import guarantee_counts
from appliance.game.results import prizes_won
from appliance.game.state import Ledger, Phase
from appliance.game.state import Round as RoundState
from appliance.game.values import registration_order
from league.rounds.models import Round
from league.standings.results import folded_anew


class Refund(NamedTuple):
    """A deposit that went back, in CZK. ``cancelled``: with the whole round, else by an unregistration."""

    number: str
    amount: int
    at: datetime
    cancelled: bool


class Payout(NamedTuple):
    """A prize: what was won, and what of it was handed over so far, in CZK."""

    number: str
    prize: int
    paid: int

    @property
    def left(self) -> int:
        """What is still to be handed over."""
        return self.prize - self.paid


class Money(NamedTuple):
    """All of it. ``guarantee``: what was announced; ``guaranteed``: whether it counts, None before the start (T-9)."""

    registered: int
    pool: int
    refunds: list[Refund]
    payouts: list[Payout]
    guarantee: int | None
    guaranteed: bool | None

    @property
    def refunded(self) -> int:
        """All that went back."""
        return sum(refund.amount for refund in self.refunds)

    @property
    def paid(self) -> int:
        """All prizes handed over."""
        return sum(payout.paid for payout in self.payouts)

    @property
    def left(self) -> int:
        """All prizes still to be handed over."""
        return sum(payout.left for payout in self.payouts)


def money_of(round: Round) -> Money | None:
    """A round's money; None while its venue has sent nothing of it that can be read."""
    ledger = folded_anew(round)
    state = ledger.round
    if state is None or (state.id, state.venue) != (round.pk, round.venue_id):
        return None
    won = prizes_won(state)
    paid = {player.participant: player.paid for player in state.players.values() if player.paid}
    numbers = sorted(won.keys() | paid.keys(), key=lambda number: (-won.get(number, 0), registration_order(number)))
    payouts = [Payout(number, won.get(number, 0), paid.get(number, 0)) for number in numbers]
    begun = state.phase in (Phase.RUNNING, Phase.FINISHED)
    return Money(
        len(state.players), state.pool, sorted(_refunds(ledger), key=lambda refund: refund.at),
        [payout for payout in payouts if payout.prize or payout.paid], state.guarantee,
        guarantee_counts(state) if begun and state.guarantee else None,
    )  # fmt: skip


def _refunds(ledger: Ledger) -> Iterator[Refund]:
    """Deposits that a command which stands has given back: who had one before it and has none after it."""
    after, step = ledger.round, ledger.done
    while step is not None and after is not None:
        yield from _given_back(step.before, after, datetime.fromtimestamp(step.at / 1000, UTC))
        after, step = step.before, step.previous


def _given_back(before: RoundState, after: RoundState, at: datetime) -> Iterator[Refund]:
    if before.players is after.players:
        return
    for number, player in before.players.items():
        still = after.players.get(number)
        if player.deposit and (still is None or (not still.deposit and after.phase is Phase.CANCELLED)):
            yield Refund(number, player.deposit, at, after.phase is Phase.CANCELLED)
