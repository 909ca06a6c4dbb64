"""Prizes in whole crowns (T-5, T-7, T-9, T-10). Exact arithmetic: fractions, never floats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from appliance.game.state import Round, Status
from appliance.game.values import registration_order


def crowns(pool: int, shares: Sequence[str], players: int) -> list[int]:
    """Prizes by place, best first, adding up to the pool (T-5).

    Each share is floored and the left-over crowns go to the largest remainders, ties to the better place.
    With fewer players than paid places the unpaid shares are spread in proportion. An empty pool pays nothing.
    """
    return whole(pool, [_millionths(share) for share in shares[:players]])


def _millionths(share: str) -> int:
    """A share in millionths of a percent: as exact as a fraction, and faster to reckon with."""
    percent, _, part = share.partition(".")
    return int(percent) * 1_000_000 + int(part.ljust(6, "0"))


def whole(total: int, weights: Sequence[Fraction] | Sequence[int]) -> list[int]:
    """Whole crowns in proportion to the weights, adding up to the total: the rounding of T-5 and T-10.

    Each part is floored and the left-over crowns go to the largest remainders, ties to the one named first.
    The weights are none of them negative and not all nothing, unless there is nothing to share.
    """
    together = sum(weights)
    if not together:
        return [0] * len(weights)
    amounts = [int(total * weight // together) for weight in weights]
    remainders = [total * weight % together for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda place: -remainders[place])
    for place in by_remainder[: total - sum(amounts)]:
        amounts[place] += 1
    return amounts


def split(amount: int, participants: Iterable[str]) -> dict[str, int]:
    """Equal parts of what tied places win; left-over crowns one each by lower registration number (T-7)."""
    order = sorted(participants, key=registration_order)
    part, left_over = divmod(amount, len(order))
    return {participant: part + (place < left_over) for place, participant in enumerate(order)}


def tied_table(pool: int, shares: Sequence[str], tie: tuple[int, int] | None = None) -> list[int]:
    """Prizes by place where the places ``tie`` (first, last) are shared; left-over crowns to the first ones."""
    amounts = crowns(pool, shares, len(shares))
    if tie is None:
        return amounts
    first, last = tie
    amounts += [0] * (last - len(amounts))
    part, left_over = divmod(sum(amounts[first - 1 : last]), last - first + 1)
    amounts[first - 1 : last] = [part + (place < left_over) for place in range(last - first + 1)]
    return amounts


def guarantee_counts(round: Round) -> bool:
    """Whether an announced guarantee is valid: enough were registered at the official start (T-9)."""
    start = round.starts_at
    there = sum(player.registered_at <= start for player in round.players.values())
    there += sum(since <= start < until for since, until in round.withdrawn)
    return there >= round.rules.guarantee_minimum


def prize_pool(round: Round) -> int:
    """What the prizes add up to: the pool, or a valid guarantee that is larger (T-9)."""
    if round.guarantee is not None and guarantee_counts(round):
        return max(round.pool, round.guarantee)
    return round.pool


def ranked(round: Round) -> int:
    """How many have a place, or will have one: all who registered, but for void participations (LG-10)."""
    return sum(player.status is not Status.VOID for player in round.players.values())


def prizes_by_place(round: Round) -> list[int]:
    """Prizes of the round as it stands, best place first; without void participations there is nobody to pay."""
    return crowns(prize_pool(round), round.shares, ranked(round))


def dealt(round: Round, total: int) -> dict[str, int]:
    """What those who dealt get (T-10); ``total``: what falls to the places that are theirs.

    It is what they agreed on, unless a place among theirs or below has become void: then each gets so much more or
    less in proportion, in whole crowns (**decided**).
    """
    if round.deal is None:
        return {}
    agreed = {who: part for who, part in round.deal.amounts.items() if round.players[who].status is not Status.VOID}
    if sum(agreed.values()) == total:
        return agreed
    order = sorted(agreed, key=lambda who: (-agreed[who], registration_order(who)))
    weights = [agreed[who] for who in order]
    return dict(zip(order, whole(total, weights if any(weights) else [1] * len(order)), strict=True))
