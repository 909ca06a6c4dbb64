"""Correcting a season's points key: who would move, and then the correction itself (P).

A preview writes nothing. Places, prizes and what the venues sent stay as they are; only the points that count are
computed anew, from places and field sizes.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from appliance.game.points import points_text
from appliance.game.pointskey import PointsKey
from league.rounds.keys import key_data, read_key
from league.rounds.models import Round, Season
from league.standings.corrections import Layer, last_row, layer_of, standing, voids_of
from league.standings.models import PointsCorrection, RoundReport
from league.standings.recounting import counted_in, played_rounds, recount


class NothingToCorrect(ValueError):
    """The season counts by this key already, or there is no correction to withdraw."""


class OutOfDate(ValueError):
    """What was previewed is not what would happen now."""


class Move(NamedTuple):
    """A participant's half points and place in the season, before and after."""

    number: str
    points_before: int
    points_after: int
    place_before: int
    place_after: int

    @property
    def moved(self) -> bool:
        """Whether anything is different."""
        return (self.points_before, self.place_before) != (self.points_after, self.place_after)

    @property
    def places_up(self) -> int:
        """By how many places the participant goes up; below 0: down."""
        return self.place_before - self.place_after

    @property
    def gained(self) -> int:
        """Half points more than before; below 0: less."""
        return self.points_after - self.points_before


class RoundKeys(NamedTuple):
    """A round with results: the name of the key it was played under, of those that count before and after."""

    round: Round
    registered: int
    played: str
    before: str
    after: str


class Preview(NamedTuple):
    """What a correction does: ``key`` None for a withdrawal; the movers first, those by most places before the rest."""

    season: Season
    key: PointsKey | None
    replaces: PointsCorrection | None
    rounds: list[RoundKeys]
    moves: list[Move]

    @property
    def moved(self) -> list[Move]:
        """Those for whom anything is different."""
        return [move for move in self.moves if move.moved]

    @property
    def digest(self) -> str:
        """A fingerprint, by which one who has seen this preview may ask for just this and nothing else."""
        return hashlib.sha256(json.dumps(self.data(), sort_keys=True).encode()).hexdigest()

    def data(self) -> dict[str, Any]:
        """The preview as plain values; points are decimal strings."""
        return {
            "season": self.season.year,
            "key": None if self.key is None else key_data(self.key),
            "replaces": None if self.replaces is None else self.replaces.number,
            "rounds": [
                {
                    "round": line.round.pk,
                    "registered": line.registered,
                    "played_under": line.played,
                    "key": {"before": line.before, "after": line.after},
                }
                for line in self.rounds
            ],
            "moved": len(self.moved),
            "participants": [
                {
                    "participant": move.number,
                    "points": {"before": points_text(move.points_before), "after": points_text(move.points_after)},
                    "place": {"before": move.place_before, "after": move.place_after},
                }
                for move in self.moves
            ],
        }


def preview_correction(season: Season, key: PointsKey) -> Preview:
    """What correcting the season's key to this one would do. Raises `NothingToCorrect`."""
    stands = standing(season)
    _check_new(season, key, stands)
    return _preview(season, key, stands, Layer(key, timezone.now()))


def preview_withdrawal(season: Season) -> Preview:
    """What withdrawing the standing correction would do. Raises `NothingToCorrect`."""
    stands = standing(season)
    if stands is None:
        raise NothingToCorrect(f"season {season.year}: no correction stands")
    return _preview(season, None, stands, layer_of(stands.replaces))


def correct(season: Season, key: PointsKey, reason: str, by: str, seen: str | None = None) -> PointsCorrection:
    """Record a correction and compute the season anew.

    ``seen`` is the digest of the preview that was agreed to. Raises `NothingToCorrect`, or `OutOfDate` when
    the preview would be another one now; then nothing is written.
    """
    with transaction.atomic():
        season = _locked(season)
        _agreed(preview_correction(season, key), seen)
        return _record(season, key_data(key), reason, by)


def withdraw(season: Season, reason: str, by: str, seen: str | None = None) -> PointsCorrection:
    """Record that the standing correction is withdrawn; what stood before it stands again. Raises as `correct`."""
    with transaction.atomic():
        season = _locked(season)
        _agreed(preview_withdrawal(season), seen)
        return _record(season, None, reason, by)


# -- inside ----------------------------------------------------------------------------------------------


def _locked(season: Season) -> Season:
    return Season.objects.select_for_update(no_key=True).get(pk=season.pk)


def _agreed(preview: Preview, seen: str | None) -> None:
    if seen is not None and preview.digest != seen:
        raise OutOfDate(f"season {preview.season.year}: results or corrections came in between")


def _record(season: Season, key: dict[str, Any] | None, reason: str, by: str) -> PointsCorrection:
    before = last_row(season)
    row = PointsCorrection.objects.create(
        season=season,
        number=before.number + 1 if before else 1,
        key=key,
        season_key=season.points_key,
        replaces=before.standing if before else None,
        reason=reason,
        by=by,
        at=timezone.now(),
    )
    recount(season)
    return row


def _check_new(season: Season, key: PointsKey, stands: PointsCorrection | None) -> None:
    """Refuse a correction that changes nothing for any round that was announced."""
    layer = layer_of(stands)
    announced = Q(offered_at__isnull=False) | Q(folded__isnull=False)
    rounds = list(season.rounds.filter(announced).select_related("folded"))
    if not rounds:
        raise NothingToCorrect(f"season {season.year}: no round is announced yet; edit the key of the season")
    if all(_counting_key(round, layer) == key for round in rounds):
        said = f"season {season.year} counts by this key ({key.name}) already"
        raise NothingToCorrect(f"{said}: correction {stands.number} by {stands.by}" if stands else said)


def _counting_key(round: Round, layer: Layer | None) -> PointsKey:
    """The key by which an announced round counts."""
    if layer is not None and layer.covers(round):
        return layer.key
    report: RoundReport | None = getattr(round, "folded", None)
    return read_key(report.key if report else round.terms.get("points_key"))


def _preview(season: Season, key: PointsKey | None, stands: PointsCorrection | None, after: Layer | None) -> Preview:
    now: Counter[str] = Counter()
    then: Counter[str] = Counter()
    rounds: list[RoundKeys] = []
    before = layer_of(stands)
    voids = voids_of(season.rounds.all())
    for report, results in played_rounds(season.rounds.all()):
        played = read_key(report.key)
        named = [(layer.key if layer and layer.covers(report.round) else played).name for layer in (before, after)]
        rounds.append(RoundKeys(report.round, report.registered, played.name, *named))
        now.update({result.number: result.counted for result in results if not result.void})
        counted = counted_in(report, results, after, voids.get(report.pk, frozenset()))
        then.update({number: found.half_points for number, found in counted.items() if not found.void})
    return Preview(season, key, stands, rounds, _moves(now, then))


def _moves(now: Mapping[str, int], then: Mapping[str, int]) -> list[Move]:
    place_now, place_then = ranks(now), ranks(then)
    moves = [Move(number, now[number], then[number], place_now[number], place_then[number]) for number in now]
    return sorted(moves, key=lambda m: (-abs(m.places_up), -abs(m.gained), m.place_after, m.number))


def ranks(totals: Mapping[str, int]) -> dict[str, int]:
    """Places by totals; equal ones share the better place (LG-8)."""
    first: dict[int, int] = {}
    for place, total in enumerate(sorted(totals.values(), reverse=True), 1):
        first.setdefault(total, place)
    return {number: first[total] for number, total in totals.items()}
