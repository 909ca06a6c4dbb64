"""Which points key counts: the one a round was played under, or the season's corrected one (P).

A correction covers the rounds that were announced before it. A round announced later is announced with the corrected
key anyway, and keeps what it was announced with: so a later edit of the season's key still counts for later rounds.

And whose participations the league declared void: no place, no points, the others move up (LG-10).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any, NamedTuple

from appliance.game.points import points_half
from appliance.game.pointskey import PointsKey
from league.rounds.keys import key_data, read_key
from league.rounds.models import Round, Season
from league.standings.models import ParticipationVoid, PointsCorrection


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


class Counted(NamedTuple):
    """What counts of somebody's result: half points, by how many places they moved up, whether it is void."""

    half_points: int
    moved_up: int = 0
    void: bool = False


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


def counted_by(key: PointsKey, registered: int, places: Iterable[Placed], voids: Collection[str]) -> dict[str, Counted]:
    """What counts by participant once the participations of ``voids`` are none; the field's size stays (LG-10)."""
    known = list(places)
    gone = sorted(place for number, place in known if number in voids)
    up = {number: bisect_left(gone, place) for number, place in known if number not in voids}
    points = points_by(key, registered, (Placed(number, place - up[number]) for number, place in known if number in up))
    return {
        number: Counted(points[number], up[number]) if number in up else Counted(0, void=True) for number, _ in known
    }


def voids_of(rounds: Iterable[Round]) -> dict[str, frozenset[str]]:
    """The registration numbers whose participations are void, by round; rounds without any are not there."""
    latest: dict[tuple[str, str], bool] = {}
    rows = ParticipationVoid.objects.filter(round__in=rounds).order_by("pk")
    for round, participant, void in rows.values_list("round", "participant", "void"):
        latest[round, participant] = void
    found: dict[str, frozenset[str]] = {}
    for (round, participant), void in latest.items():
        if void:
            found[round] = found.get(round, frozenset()) | {participant}
    return found
