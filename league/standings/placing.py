"""Writes the places of a round where they are other than before, and what they add to their season."""

from __future__ import annotations

from django.db import connection

from league.rounds.models import Round, Season
from league.standings import totals
from league.standings.models import Result

_PLACED = ("number", "place", "prize", "half_points", "counted", "moved_up", "void", "provisional")
_INSERT = f"INSERT INTO standings_result (round_id, {', '.join(_PLACED)}) VALUES (%s{', %s' * len(_PLACED)})"


def write_results(season: Season, round: Round, rows: list[Result]) -> bool:
    """Write the places that are other than before; whether any is."""
    known = set(Result.objects.filter(round=round).values_list(*_PLACED))
    now = {tuple(getattr(row, name) for name in _PLACED) for row in rows}
    gone, new = known - now, now - known
    if gone:
        Result.objects.filter(round=round, number__in=[values[0] for values in gone]).delete()
    if new:
        with connection.cursor() as cursor:
            cursor.executemany(_INSERT, [(round.pk, *values) for values in sorted(new)])
    if gone or new:
        before = (Result(**dict(zip(_PLACED, values, strict=True))) for values in gone)
        after = (row for row in rows if tuple(getattr(row, name) for name in _PLACED) in new)
        totals.add(season, totals.parts(before), totals.parts(after))
    return bool(gone or new)
