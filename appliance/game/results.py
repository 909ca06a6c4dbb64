"""The round's results as far as they are known: places with prizes and points (T-5 to T-8, P)."""

from __future__ import annotations

from appliance.game.events import Result
from appliance.game.places import Place, places
from appliance.game.points import points_half
from appliance.game.prizes import prizes_by_place, split
from appliance.game.state import Phase, Round


def results(round: Round) -> tuple[Result, ...]:
    """Known places, best first, those who share one by registration number. A cancelled round has none.

    While the round runs a prize can still grow: deposits are raised during play.
    """
    if round.phase is Phase.CANCELLED or not (round.eliminations or round.finish):
        return ()
    amounts = prizes_by_place(round)
    return tuple(result for place in places(round) for result in _share(round, place, amounts))


def _share(round: Round, place: Place, amounts: list[int]) -> list[Result]:
    sharing = len(place.participants)
    won = split(sum(amounts[place.place - 1 : place.place - 1 + sharing]), place.participants)
    points = points_half(round.key, len(round.players), place.place, sharing)
    return [Result(place.place, participant, won[participant], points) for participant in place.participants]
