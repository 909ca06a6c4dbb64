"""The records of a venue and of a season."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.rounds.models import Round, Season, Venue
from league.standings import records, totals, voiding
from league.standings.models import Result, RoundReport
from tests.league.rounds_played import FLAT, VenueRound, announcement, moves, planned, venue_plays

A, B, C, D, E = "000101", "000102", "000103", "000104", "000105"


@pytest.fixture
def year(imported: dict[str, Any], director_key: Ed25519PrivateKey) -> Season:
    """Two rounds of four, and one of five under way in which D and E are out."""
    for round, order in (("S1", [A, B, C, D]), ("S2", [B, C, D, A])):
        planned(round)
        venue_plays(director_key, announcement(round, points_key=FLAT), moves(order))
    planned("S3")
    running = VenueRound(director_key, announcement("S3", points_key=FLAT))
    running.all_of(moves([A, B, C, D, E])[:-2])
    return Season.objects.get(year=2027)


def earlier(year: Season, round: str, best_first: list[str], venue: str = "brno") -> Round:
    """A round of the season before, at another venue."""
    season, _ = Season.objects.get_or_create(year=year.year - 1, defaults={"name": "before"})
    place = Venue.objects.get_or_create(id=venue, defaults={"name": venue})[0]
    first = Round.objects.get(pk="S1")
    made = Round.objects.create(
        id=round, season=season, venue=place, starts_at=first.starts_at - timedelta(days=365), announcement={}
    )
    report = RoundReport.objects.get(pk="S1")
    report.pk, report.starts_at, report.registered = made.pk, made.starts_at, 40
    report.save(force_insert=True)
    Result.objects.bulk_create(
        Result(
            round=made, number=number, place=place, prize=1000 // place, half_points=300 // place,
            counted=300 // place, provisional=False,
        )
        for place, number in enumerate(best_first, 1)
    )  # fmt: skip
    totals.compute(season)
    return made


def test_records_of_a_season_and_who_share_them(year: Season) -> None:
    found = records.records_of_season(year)
    assert [(row.value, row.number, row.round.pk) for row in found.points] == [(100, A, "S1"), (100, B, "S2")]
    assert [(row.value, row.round.pk) for row in found.field] == [(4, "S1"), (4, "S2")], "S3 is not over"
    assert [(row.value, row.number) for row in found.wins] == [(1, A), (1, B)]
    prizes = Result.objects.filter(provisional=False).order_by("-prize").values_list("prize", flat=True)
    assert [row.value for row in found.prize] == [prizes[0]] * 2


def test_LG_10_void_participations_hold_no_record(year: Season) -> None:
    voiding.decide(Round.objects.get(pk="S1"), A, True, "why", "commissioner")
    found = records.records_of_season(year)
    assert [(row.value, row.number) for row in found.wins] == [(2, B)]
    assert A not in {row.number for row in (*found.points, *found.prize)}


def test_records_of_a_venue_are_over_all_seasons_and_its_rounds_alone(year: Season) -> None:
    earlier(year, "Q1", [D])
    earlier(year, "Q2", [C, D], venue="zabreh")
    assert [(row.value, row.number) for row in records.records_of_venue(Venue.objects.get(pk="brno")).wins] == [(1, D)]
    here = records.records_of_venue(Venue.objects.get(pk="zabreh"))
    assert [(row.value, row.number, row.round.pk) for row in here.points] == [(300, C, "Q2")]
    assert [(row.value, row.round.pk) for row in here.field] == [(40, "Q2")]
    assert [(row.value, row.number) for row in here.wins] == [(1, A), (1, B), (1, C)]
    assert [[season.year for season in row.seasons] for row in here.wins] == [[2027], [2027], [2026]]
    assert [(row.value, row.number) for row in here.prize] == [(1000, C)]


def test_wins_tell_of_each_season_that_they_are_of_in_as_many_queries_as_for_one(year: Season) -> None:
    earlier(year, "Q1", [A, D], venue="zabreh")
    with CaptureQueriesContext(connection) as few:
        found = records.records_of_season(year)
    assert [[season.year for season in row.seasons] for row in found.wins] == [[2027], [2027]]
    with CaptureQueriesContext(connection) as asked:
        (best,) = records.records_of_venue(Venue.objects.get(pk="zabreh")).wins
    assert (best.value, best.number, {season.year for season in best.seasons}) == (2, A, {2026, 2027})
    assert len(asked) <= len(few) + 1, "a venue is looked up"


def test_without_a_round_that_is_over_there_are_no_records(imported: dict[str, Any]) -> None:
    nothing = records.Records([], [], [], [])
    assert records.records_of_season(Season.objects.get(year=2027)) == nothing
    assert records.records_of_venue(Venue.objects.get(pk="zabreh")) == nothing
