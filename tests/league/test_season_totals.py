"""What a season's results add up to is kept with each round, and is always what adding them up would give (LG-8)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from league.ingest.telling import season_standings
from league.rounds.models import Round, Season, Venue
from league.standings import shifting, totals, voiding
from league.standings.models import ParticipationVoid, Result, SeasonTotal
from league.standings.results import Results
from league.standings.shifting import Move, _Table
from league.standings.table import has_results, standings
from league.standings.totals import Part
from tests.league.rounds_played import FLAT, VenueRound, announcement, moves, planned, venue_plays

A, B, C, D = "000101", "000102", "000103", "000104"


@pytest.fixture
def year(imported: dict[str, Any]) -> Season:
    return Season.objects.get(year=2027)


@pytest.fixture
def rounds(year: Season, director_key: Ed25519PrivateKey) -> dict[str, VenueRound]:
    """Two rounds of four, played under the flat key: A, B, C, D and then B, C, D, A."""
    played = {}
    for round, order in (("S1", [A, B, C, D]), ("S2", [B, C, D, A])):
        planned(round)
        played[round] = venue_plays(director_key, announcement(round, points_key=FLAT), moves(order))
    return played


def kept() -> dict[tuple[int, str], Part]:
    rows = SeasonTotal.objects.values_list("season", "number", *Part._fields)
    return {(season, number): Part(*values) for season, number, *values in rows}


def added_up() -> dict[tuple[int, str], Part]:
    """The same from the results, one by one."""
    found: dict[tuple[int, str], Part] = {}
    for result in Result.objects.filter(void=False).select_related("round"):
        key, over = (result.round.season_id, result.number), not result.provisional
        had = found.get(key, Part())
        more = Part(result.counted, 1, result.counted * over, int(over))
        found[key] = Part(*map(sum, zip(had, more, strict=True)))
    return found


def test_LG_8_every_record_of_a_venue_keeps_the_totals_right(year: Season, director_key: Ed25519PrivateKey) -> None:
    planned("S1")
    round = VenueRound(director_key, announcement("S1", points_key=FLAT))
    for do, fields in moves([A, B, C, D]):
        round.do(do, **fields)
        assert kept() == added_up()
    assert len(kept()) == 4
    round.do("undo")
    assert kept() == added_up() and not any(part.over_rounds for part in kept().values())
    round.do("bust", participant=A)
    assert kept() == added_up() and any(part.over_rounds for part in kept().values())
    assert all(part.over_counted == part.counted for part in kept().values())


def test_LG_8_a_round_costs_its_own_participants_alone(rounds: dict[str, VenueRound], year: Season) -> None:
    SeasonTotal.objects.create(season=year, number="000999", counted=7, rounds=1, over_counted=7, over_rounds=1)
    rounds["S2"].do("undo")
    rounds["S2"].do("bust", participant=B)
    assert kept().pop((year.pk, "000999")) == Part(7, 1, 7, 1)


def test_LG_8_what_cannot_be_right_is_added_up_anew(rounds: dict[str, VenueRound], year: Season) -> None:
    SeasonTotal.objects.all().delete()
    rounds["S2"].do("undo")
    assert kept() == added_up() != {}


def test_LG_8_a_round_takes_its_results_to_another_season_and_away(rounds: dict[str, VenueRound], year: Season) -> None:
    before = kept()
    other = Season.objects.create(year=2026, name="2026")
    round = Round.objects.get(pk="S1")
    round.season = other
    round.save(update_fields=["name"])
    assert kept() == before
    round.save()
    assert kept() == added_up() and len(kept()) == 8
    assert [line.number for line in standings(other).lines] == [A, B, C, D]
    rounds["S1"].do("undo")
    assert kept() == added_up()
    round.delete()
    assert kept() == added_up() and len(kept()) == 4
    assert [season.year for season in has_results()] == [2027]


def test_LG_8_a_round_that_goes_to_another_venue_takes_its_results_back(
    rounds: dict[str, VenueRound], year: Season
) -> None:
    Venue.objects.create(id="brno", name="Brno")
    Round.objects.filter(pk="S1").update(venue="brno")
    Results().catch_up()
    assert kept() == added_up() and {part.rounds for part in kept().values()} == {1}


def test_LG_8_a_rebuild_adds_up_what_it_folded(rounds: dict[str, VenueRound], year: Season) -> None:
    voiding.decide(Round.objects.get(pk="S1"), B, True, "why", "commissioner")
    before = kept()
    SeasonTotal.objects.update(counted=1)
    SeasonTotal.objects.create(season=year, number="000999", counted=7, rounds=1, over_counted=7, over_rounds=1)
    Results().rebuild()
    assert kept() == added_up() == before


def test_LG_8_pages_are_stretches_of_the_whole_and_share_places_across_them(year: Season) -> None:
    points = [300, 200, 200, 200, 100, 0, 0]
    round = planned("S1")
    Result.objects.bulk_create(
        Result(
            round=round, number=f"{n:06}", place=n + 1, prize=0, half_points=half, counted=half,
            provisional=n % 3 == 0,
        )
        for n, half in enumerate(points)
    )  # fmt: skip
    totals.compute(year)
    for over in (False, True):
        whole = standings(year, over=over)
        assert [line.place for line in whole.lines] == ([1, 1, 3, 4] if over else [1, 2, 2, 2, 5, 6, 6])
        assert whole.total == len(whole.lines)
        for first in range(8):
            for count in range(4):
                assert standings(year, first, count, over=over).lines == whole.lines[first : first + count]
    assert [line.rounds for line in standings(year, over=True).lines] == [1, 1, 1, 1]
    assert season_standings(year, 0).participants == 4, "who has no points is listed, too"


def test_LG_10_a_preview_reads_no_other_round(rounds: dict[str, VenueRound], year: Season) -> None:
    with CaptureQueriesContext(connection) as asked:
        voiding.preview(Round.objects.get(pk="S1"), A)
    of_results = [query["sql"] for query in asked if 'FROM "standings_result"' in query["sql"]]
    assert of_results and all("\"round_id\" = 'S1'" in sql for sql in of_results)


def test_LG_10_those_who_only_move_by_others_are_counted_and_the_best_named(
    rounds: dict[str, VenueRound], year: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shifting, "NAMED", 2)
    planned("S3")
    Result.objects.bulk_create(
        Result(round_id="S3", number=f"0002{n:02}", place=1, prize=0, half_points=half, counted=half, provisional=False)
        for n, half in enumerate([190, 130, 130, 130, 90, 30])
    )  # fmt: skip
    totals.compute(year)
    shown = voiding.preview(Round.objects.get(pk="S1"), A)
    before = {line.number: (line.place, line.half_points) for line in standings(year).lines}
    assert voiding.decide(Round.objects.get(pk="S1"), A, True, "why", "commissioner") == shown.moved
    after = {line.number: (line.place, line.half_points) for line in standings(year).lines}
    moved = {number for number in before if before[number] != after[number]}
    assert len(moved) == shown.moved and shown.more == shown.moved - len(shown.in_season) > 0
    assert {move.number for move in shown.in_season} <= moved
    for move in shown.in_season:
        assert (move.place_before, move.points_before) == before[move.number]
        assert (move.place_after, move.points_after) == after[move.number]


@given(st.lists(st.integers(0, 12), max_size=40), st.integers(-1, 14))
def test_LG_8_a_place_is_one_more_than_have_better_totals(all: list[int], asked: int) -> None:
    assert _Table(Counter(all)).place(asked) == 1 + sum(total > asked for total in all)


def test_LG_10_who_leaves_or_comes_back_has_no_place_on_that_side(
    year: Season, director_key: Ed25519PrivateKey
) -> None:
    planned("S1")
    venue_plays(director_key, announcement("S1", points_key=FLAT), moves([A, B, C]))
    round = Round.objects.get(pk="S1")
    assert Move(A, 1, None, 80, 0) in voiding.preview(round, A).in_season
    voiding.decide(round, A, True, "why", "commissioner")
    assert Move(A, None, 1, 0, 80) in voiding.preview(round, A, False).in_season
    assert ParticipationVoid.objects.count() == 1
