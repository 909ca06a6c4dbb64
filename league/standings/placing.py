"""Writes the places of a round where they are other than before, and what they add to their season."""

from __future__ import annotations

from typing import NamedTuple

from django.db import connection

from league.rounds.models import Round, Season
from league.standings import totals
from league.standings.models import Result


class Placing(NamedTuple):
    """A result as it is to be written: the fields of `Result`."""

    number: str
    place: int
    prize: int
    half_points: int
    counted: int
    moved_up: int
    void: bool
    provisional: bool


_FIELDS = Placing._fields
_INSERT = f"INSERT INTO standings_result (round_id, {', '.join(_FIELDS)}) VALUES (%s{', %s' * len(_FIELDS)})"


def write_results(season: Season, round: Round, placings: list[Placing]) -> bool:
    """Write the places that are other than before; whether any is. The season must be locked."""
    known = {Placing(*values) for values in Result.objects.filter(round=round).values_list(*_FIELDS)}
    now = set(placings)
    gone, new = known - now, now - known
    if gone:
        Result.objects.filter(round=round, number__in=[placing.number for placing in gone]).delete()
    if new:
        with connection.cursor() as cursor:
            cursor.executemany(_INSERT, [(round.pk, *placing) for placing in sorted(new)])
    if gone or new:
        totals.add(season, totals.parts(gone), totals.parts(new))
    return bool(gone or new)
