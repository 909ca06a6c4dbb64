"""Declaring a participation void after the venue is done with the round (LG-10): who moves, then the decision itself.

The league's own layer: what the venue sent stays, so do the prizes it paid. Void is no place and no points, not even
those for registering; the others move up, and the size of the field stays. While a round is being played the venue
itself declares it.
"""

from __future__ import annotations

import hashlib
import json
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from league.rounds.models import Round, Season
from league.standings import shifting, totals
from league.standings.correcting import OutOfDate
from league.standings.corrections import Counted, layer_of, standing, voids_of
from league.standings.models import ParticipationVoid, Result, RoundReport
from league.standings.recounting import counted_in, recount
from league.standings.shifting import Move
from league.standings.totals import Part


class NothingToVoid(ValueError):
    """There is nothing to declare void or to take back; ``code``: ``no-result``, ``under-way``, ``void``, ``valid``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class VoidPreview(NamedTuple):
    """What the decision would do in the round and in the season.

    ``in_season``: those of the round who move in the season, and the best of the others who do; ``moved``: how many do.
    """

    round: Round
    participant: str
    void: bool
    in_round: list[Move]
    in_season: list[Move]
    moved: int

    @property
    def more(self) -> int:
        """How many move besides those who are named."""
        return self.moved - len(self.in_season)

    @property
    def digest(self) -> str:
        """A fingerprint, by which one who has seen this preview may ask for just this and nothing else."""
        said = [self.round.pk, self.participant, self.void, self.in_round, self.in_season, self.moved]
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def preview(round: Round, participant: str, void: bool = True) -> VoidPreview:
    """What declaring a participation void would do, or taking that back. Raises `NothingToVoid`."""
    _check(round, participant, void)
    season = round.season
    report = RoundReport.objects.select_related("round").get(pk=round.pk)
    results = list(Result.objects.filter(round=round))
    gone = voids_of([round]).get(round.pk, frozenset())
    gone = gone | {participant} if void else gone - {participant}
    after = counted_in(report, results, layer_of(standing(season)), gone)
    in_round = [_in_round(result, after[result.number]) for result in results]
    now = totals.parts(results)
    then = {number: Part(counted.half_points, 1) for number, counted in after.items() if not counted.void}
    in_season, moved = shifting.moves(season, now, then)
    return VoidPreview(round, participant, void, in_round, in_season, moved)


def decide(round: Round, participant: str, void: bool, reason: str, by: str, seen: str | None = None) -> int:
    """Record the decision and compute the season anew; how many move in the season.

    ``seen`` is the digest of the preview that was agreed to. Raises `NothingToVoid`, or `OutOfDate` when the preview
    would be another one now; then nothing is written.
    """
    with transaction.atomic():
        season = Season.objects.select_for_update(no_key=True).get(pk=round.season_id)
        shown = preview(round, participant, void)
        if seen is not None and shown.digest != seen:
            raise OutOfDate(f"round {round.pk}: results or decisions came in between")
        ParticipationVoid.objects.create(
            round=round, participant=participant, void=void, reason=reason, by=by, at=timezone.now()
        )
        recount(season, [round.pk])
    return shown.moved


def standing_voids() -> list[ParticipationVoid]:
    """The decisions by which participations are void now, the latest first."""
    latest: dict[tuple[str, str], ParticipationVoid] = {}
    for row in ParticipationVoid.objects.select_related("round__season").order_by("pk"):
        latest[row.round_id, row.participant] = row
    return sorted((row for row in latest.values() if row.void), key=lambda row: -row.pk)


def _check(round: Round, participant: str, void: bool) -> None:
    result = Result.objects.filter(round=round, number=participant).first()
    if result is None:
        raise NothingToVoid("no-result")
    if result.provisional and void:
        raise NothingToVoid("under-way")
    if (participant in voids_of([round]).get(round.pk, frozenset())) is void:
        raise NothingToVoid("void" if void else "valid")


def _in_round(result: Result, after: Counted) -> Move:
    return Move(
        result.number,
        None if result.void else result.counted_place,
        None if after.void else result.place - after.moved_up,
        result.counted,
        after.half_points,
    )
