"""Which points key counts: the one a round was played under, or the season's corrected one (P).

A correction covers the rounds that were announced before it. A round announced later is announced with the corrected
key anyway, and keeps what it was announced with: so a later edit of the season's key still counts for later rounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from appliance.game.points import points_half
from appliance.game.pointskey import PointsKey
from league.rounds.keys import key_data, read_key
from league.rounds.models import Round, Season
from league.standings.models import PointsCorrection


class Layer(NamedTuple):
    """A corrected key over the rounds of its season that were announced until ``at``."""

    key: PointsKey
    at: datetime

    def covers(self, round: Round) -> bool:
        """Whether the round's points count by this key; one that the league never announced was before any."""
        return round.offered_at is None or round.offered_at <= self.at


class Placed(NamedTuple):
    """A known place of a round; who has the same number shares it."""

    number: str
    place: int


def last_row(season: Season) -> PointsCorrection | None:
    """The newest row of a season's corrections, a withdrawal perhaps."""
    rows = season.corrections.select_related("season", "replaces__replaces")
    return rows.order_by("number").last()


def standing(season: Season) -> PointsCorrection | None:
    """The correction that stands now, None when the rounds' own keys count."""
    last = last_row(season)
    return last.standing if last else None


def layer_of(correction: PointsCorrection | None) -> Layer | None:
    """What a correction lays over its season."""
    return Layer(read_key(correction.key), correction.at) if correction else None


def key_to_announce(season: Season) -> dict[str, Any] | None:
    """The key that a round announced now gets, None for the default one.

    The corrected one, unless the season's own key has been edited since. Raises `CommandError` when the season's
    key is none.
    """
    stands = standing(season)
    if stands is not None and season.points_key == stands.season_key:
        return key_data(read_key(stands.key))
    return None if season.points_key is None else key_data(read_key(season.points_key))


def points_by(key: PointsKey, registered: int, places: Iterable[Placed]) -> dict[str, int]:
    """Half points by participant for the places of a round with so many registered, void ones among them (LG-10)."""
    known = list(places)
    sharing = Counter(place for _, place in known)
    return {number: points_half(key, registered, place, sharing[place]) for number, place in known}
