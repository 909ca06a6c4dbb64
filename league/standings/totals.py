"""Keeps what each participant's results of a season add up to (LG-8): `SeasonTotal`, which nobody adds up anew.

Whoever writes results has locked their season. A round's results add their differences for that round's participants;
a whole season is computed by one statement of the database.
"""

from __future__ import annotations

from django.db import connection

from league.rounds.models import Season
from league.standings.models import SeasonTotal

_SUM = """
INSERT INTO standings_seasontotal (season_id, number, counted, rounds, over_counted, over_rounds)
SELECT played.season_id, result.number, SUM(result.counted), COUNT(*),
       SUM(CASE WHEN result.provisional THEN 0 ELSE result.counted END),
       SUM(CASE WHEN result.provisional THEN 0 ELSE 1 END)
FROM standings_result result JOIN rounds_round played ON played.id = result.round_id
WHERE played.season_id = %s AND NOT result.void
GROUP BY played.season_id, result.number
"""


def compute(season: Season) -> None:
    """Add up a season's results anew."""
    SeasonTotal.objects.filter(season=season).delete()
    with connection.cursor() as cursor:
        cursor.execute(_SUM, [season.pk])
