"""``python -m bench.season_program RESULTS``: a season made straight into the league's tables; prints its figures."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

FIELD = 90
VENUE = "bench"
START = datetime(2027, 1, 2, 19, tzinfo=UTC)
TIMES = 60

_FILL = """
WITH RECURSIVE place(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM place WHERE n < %s)
INSERT INTO standings_result
    (round_id, number, place, prize, half_points, counted, provisional, void, moved_up)
SELECT played.id, printf('%%06d', 1 + (played.rowid * 7919 + place.n * 1009) %% %s), place.n, 0, 2 * (%s - place.n),
       2 * (%s - place.n), 0, 0, 0
FROM rounds_round played, place WHERE played.season_id = %s
"""

_GROUP = """
SELECT number, SUM(counted), COUNT(*), SUM(CASE WHEN provisional THEN 0 ELSE counted END),
       SUM(CASE WHEN provisional THEN 0 ELSE 1 END)
FROM standings_result WHERE NOT void GROUP BY number
"""


def main(results: int) -> None:
    """Print the figures as JSON."""
    import django

    django.setup()
    from league.rounds.models import Season
    from league.standings import totals
    from league.standings.models import Result

    people = max(1000, results // 15)
    season = _filled(results, people)
    computed = _seconds(lambda: totals.compute(season))
    group = min(_seconds(_group_by) for _ in range(2))
    told: dict[str, Any] = {
        "results": Result.objects.count(), "participants": people, "group": group,
        "compute": min(computed, _seconds(lambda: totals.compute(season))),
    }  # fmt: skip
    told |= _rounds(Season.objects.get(), people) | _asked(season, people)
    print(json.dumps(told))


def _filled(results: int, people: int) -> Any:
    from django.db import connection, transaction

    from league.rounds.models import Round, Season, Venue
    from league.standings.models import RoundReport

    season = Season.objects.create(year=2027, name="2027")
    venue = Venue.objects.create(id=VENUE, name=VENUE)
    rounds = [
        Round(id=f"B{n:05}", season=season, venue=venue, starts_at=START + timedelta(minutes=n), announcement={})
        for n in range(results // FIELD)
    ]
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA cache_size = -300000")
    with transaction.atomic(), connection.cursor() as cursor:
        Round.objects.bulk_create(rounds, batch_size=5000)
        RoundReport.objects.bulk_create(
            (
                RoundReport(
                    round=one, epoch="1-aa", seq=1, state="finished", starts_at=one.starts_at, at=one.starts_at,
                    registered=FIELD, key={},
                )
                for one in rounds
            ),
            batch_size=5000,
        )  # fmt: skip
        cursor.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'standings_result'"
            " AND sql IS NOT NULL"
        )
        indexes = dict(cursor.fetchall())
        for name in indexes:
            cursor.execute(f'DROP INDEX "{name}"')
        cursor.execute(_FILL, [FIELD, people, FIELD, FIELD, season.pk])
        for made in indexes.values():  # in order, which is quicker than one by one
            cursor.execute(made)
    connection.close()  # and with it what this one kept in memory
    return season


def _group_by() -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(_GROUP)
        while cursor.fetchmany(5000):
            pass


def _rounds(season: Any, people: int) -> dict[str, float]:
    """Finished rounds whose results go into the standings, the same with all else that the ingest writes of a round,
    and as many bare rows in one commit, in turns; the least of each, which other work on the machine disturbs least.
    """
    from appliance.game.results import results as results_of
    from league.rounds.models import Round
    from league.standings.models import Result
    from league.standings.results import Folded, _write

    ledger = _played(people)
    folded = Folded(ledger, "1-aa", 500, 1_800_000_000_000)
    places = results_of(ledger.round)
    works: tuple[Callable[[Round], object], ...] = (
        lambda round: _placed(round, ledger.round),
        lambda round: _write(round, folded, ledger.round),
        lambda round: _bare(round.pk, season.pk, places),
    )
    took: list[list[float]] = [[] for _ in works]
    for n in range(TIMES):
        for kind in (n % 3, (n + 1) % 3, (n + 2) % 3):
            made = Round.objects.create(
                id=f"{'XYZ'[kind]}{n}", season=season, venue_id=VENUE, starts_at=START, announcement={}
            )
            took[kind].append(1000 * _seconds(partial(works[kind], made)))
            assert Result.objects.filter(round=made).count() == len(places)
    one, whole, bare = map(min, took)
    return {"round": one, "whole": whole, "bare": bare, "rows": 2 * len(places)}


def _placed(round: Any, state: Any) -> None:
    """A round's results and what they add to the season, in one transaction."""
    from django.db import transaction

    from league.standings import totals
    from league.standings.placing import write_results
    from league.standings.results import _results

    with transaction.atomic():
        season = totals.lock_season_of(round)
        write_results(season, round, _results(round, state, None))


def _bare(round: str, season: int, places: Any) -> None:
    """A result and a total for each participant, by the database's own words."""
    from django.db import connection, transaction

    results = [(round, one.participant, one.place, one.prize, one.points_half, one.points_half) for one in places]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO standings_result (round_id, number, place, prize, half_points, counted, provisional, void,"
            " moved_up) VALUES (%s, %s, %s, %s, %s, %s, 0, 0, 0)",
            results,
        )
        cursor.executemany(
            "UPDATE standings_seasontotal SET counted = counted + %s, rounds = rounds + 1,"
            " over_counted = over_counted + %s, over_rounds = over_rounds + 1 WHERE season_id = %s AND number = %s",
            [(one.points_half, one.points_half, season, one.participant) for one in places],
        )


def _played(people: int) -> Any:
    """A full round, played to its end by the rules."""
    from appliance.game import round as rules
    from appliance.game.script import parse_script

    numbers = [f"{1 + n * 1931 % people:06}" for n in range(FIELD)]
    told: list[dict[str, Any]] = [
        {
            "do": "announce", "venue": VENUE, "starts_at": START.isoformat(), "profile": "cpl-2017", "deposit": 100,
            "shares": ["50", "30", "20"], "seats_per_table": 9, "seed": 7,
            "levels": [{"sb": 25, "bb": 50, "minutes": 20}],
        },
        {"do": "open"},
        *({"do": "register", "participant": one, "identity_checked": True} for one in numbers),
        {"do": "start"},
        *({"do": "bust", "participant": one} for one in numbers[1:]),
    ]  # fmt: skip
    lines = [
        json.dumps({"round": "X"} | one | {"at": (START + timedelta(seconds=n - 3600)).isoformat()})
        for n, one in enumerate(told)
    ]
    ledger = rules.INITIAL
    for line in parse_script(lines):
        cause = f"0198f0a0-0000-7000-8000-{line.line_no:012}"
        outcome = rules.decide(ledger, line.command, line.at_ms, cause)
        assert not isinstance(outcome, rules.Refusal), outcome
        for event in outcome:
            ledger = rules.fold(ledger, event, line.at_ms, cause)
    return ledger


def _asked(season: Any, people: int) -> dict[str, float]:
    """Milliseconds of what pages and venues ask."""
    from league.ingest.telling import season_standings
    from league.rounds.models import Round
    from league.standings import voiding
    from league.standings.models import Result
    from league.standings.table import standings

    round = Round.objects.get(pk="Y0")
    who = Result.objects.filter(round=round, place=1).get().number
    asked: dict[str, Callable[[], object]] = {
        "first page": lambda: standings(season, 0, 50),
        "middle page": lambda: standings(season, people // 2, 50),
        "venues' look": lambda: season_standings(season, 0),
        "void preview": lambda: voiding.preview(round, who),
    }
    return {name: 1000 * min(_seconds(one) for _ in range(5)) for name, one in asked.items()}


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    main(int(sys.argv[1]))
