"""The round's results as far as they are known: places with prizes and points (T-5 to T-8, T-10, P)."""

from __future__ import annotations

from collections.abc import Sequence

from appliance.game.events import Result
from appliance.game.places import Place, places
from appliance.game.points import points_half
from appliance.game.prizes import dealt, prizes_by_place, split
from appliance.game.state import Phase, Round


def results(round: Round) -> tuple[Result, ...]:
    """Known places, best first, those who share one by registration number. A cancelled round has none.

    While the round runs a prize can still grow: deposits are raised during play. Points go by all who registered,
    void participations too (LG-10).
    """
    if round.phase is Phase.CANCELLED or not (round.eliminations or round.finish):
        return ()
    known = places(round)
    won = _won(round, known)
    found: list[Result] = []
    for place, sharing in known:
        points = points_half(round.key, len(round.players), place, len(sharing))
        found += [Result(place, who, won[who], points) for who in sharing]
    return tuple(found)


def prizes_won(round: Round) -> dict[str, int]:
    """CZK by participant, where known: by the place, or by a deal, which those still in have in hand too (T-10)."""
    return _won(round, places(round))


def _won(round: Round, known: Sequence[Place]) -> dict[str, int]:
    amounts = prizes_by_place(round)
    won: dict[str, int] = {}
    for place, sharing in known:
        amount = sum(amounts[place - 1 : place - 1 + len(sharing)])
        won |= split(amount, sharing) if len(sharing) > 1 else {sharing[0]: amount}
    if round.deal is None:
        return won
    others = sum(prize for who, prize in won.items() if who not in round.deal.amounts)
    return won | dealt(round, sum(amounts) - others)
