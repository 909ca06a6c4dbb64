"""What a round's stream says after its end: a void participation, an undo, a deal, each a new revision."""

from __future__ import annotations

from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from league.ingest.models import Quarantine
from league.rounds.keys import read_key
from league.rounds.models import Season
from league.standings import correcting
from league.standings.models import Result, RoundReport
from league.standings.results import Results
from league.standings.table import standings
from tests.league.rounds_played import FLAT, STEEP, VenueRound, announcement, moves, planned, venue_plays

A, B, C, D = "000101", "000102", "000103", "000104"
FRAUD = {"participant": A, "reason": "cizí průkaz"}


@pytest.fixture
def round(imported: dict[str, Any], director_key: Ed25519PrivateKey) -> VenueRound:
    """A round of four, over; the flat key tells 3 players from 4."""
    planned("S1")
    return venue_plays(director_key, announcement("S1", points_key=FLAT), moves([A, B, C, D]))


def rows() -> list[tuple[str, int, int, float]]:
    found = Result.objects.filter(round="S1").order_by("place", "number")
    assert not Quarantine.objects.exists()
    return [(row.number, row.place, row.prize, row.counted / 2) for row in found]


ENDED = [(A, 1, 200, 50), (B, 2, 120, 40), (C, 3, 80, 30), (D, 4, 0, 20)]


def test_LG_10_a_participation_voided_after_the_end_has_no_place_and_the_others_move_up(round: VenueRound) -> None:
    assert rows() == ENDED
    round.do("void", **FRAUD)
    found = rows()
    assert [(number, place, points) for number, place, _, points in found] == [(B, 1, 50), (C, 2, 40), (D, 3, 30)]
    assert sum(prize for _, _, prize, _ in found) == 400
    report = RoundReport.objects.get()
    assert (report.state, report.registered, report.pool) == ("finished", 4, 400)
    assert [line.number for line in standings(Season.objects.get()).lines] == [B, C, D]


def test_LG_10_undoing_the_void_brings_everything_back(round: VenueRound) -> None:
    round.do("void", **FRAUD)
    round.do("undo")
    assert rows() == ENDED
    round.do("redo")
    assert [number for number, *_ in rows()] == [B, C, D]


def test_LG_10_a_corrected_key_counts_the_void_one_into_the_field(round: VenueRound) -> None:
    season = Season.objects.get()
    by_size = read_key(STEEP | {"name": "by-size", "winner": {"3": 100, "4": 200}})
    correcting.correct(season, by_size, "the table was misread", "clerk")
    round.do("void", **FRAUD)
    corrected = [(B, 1, 210), (C, 2, 165), (D, 3, 120)]
    assert [(number, place, points) for number, place, _, points in rows()] == corrected
    Results().rebuild()
    assert [(number, place, points) for number, place, _, points in rows()] == corrected
    preview = correcting.preview_withdrawal(season)
    assert {m.number: m.points_after for m in preview.moves} == {B: 100, C: 80, D: 60}
    correcting.withdraw(season, "it was right", "clerk")
    assert [points for *_, points in rows()] == [50, 40, 30]


def test_LG_10_voided_during_play_and_finished_later(imported: dict[str, Any], director_key: Ed25519PrivateKey) -> None:
    planned("S1")
    played = moves([A, B, C, D])
    round = venue_plays(director_key, announcement("S1", points_key=FLAT), played[:-1])
    round.do("void", participant=C, reason="cizí průkaz")
    assert [(number, place) for number, place, *_ in rows()] == [(D, 3)]
    round.do("bust", participant=B)
    assert [(number, place, points) for number, place, _, points in rows()] == [(A, 1, 50), (B, 2, 40), (D, 3, 30)]


def test_T_8_undoing_the_end_makes_the_round_preliminary_again(round: VenueRound) -> None:
    season = Season.objects.get()
    round.do("undo")
    assert [(number, place) for number, place, *_ in rows()] == [(C, 3), (D, 4)]
    assert standings(season).provisional
    round.do("end_early", reason="zavírací hodina", stacks={A: 5000, B: 11000})
    assert [(number, place) for number, place, *_ in rows()] == [(B, 1), (A, 2), (C, 3), (D, 4)]
    assert not standings(season).provisional


def test_T_10_a_deal_changes_prizes_and_neither_places_nor_points(
    imported: dict[str, Any], director_key: Ed25519PrivateKey
) -> None:
    planned("S1")
    played = moves([A, B, C, D])
    command = announcement("S1", points_key=FLAT, profile="casino-2012")
    round = venue_plays(director_key, command, played[:-2])
    round.do(
        "deal", kind="manual", consents=[A, B, C], stacks={A: 6000, B: 5000, C: 5000}, amounts={A: 150, B: 130, C: 120}
    )
    round.all_of(played[-2:])
    assert rows() == [(A, 1, 150, 50), (B, 2, 130, 40), (C, 3, 120, 30), (D, 4, 0, 20)]


def test_T_11_one_who_came_back_has_one_place_and_counts_once(
    imported: dict[str, Any], director_key: Ed25519PrivateKey
) -> None:
    planned("S1")
    command = announcement("S1", points_key=FLAT, profile="tda-2024", late_registration=True, reentry=True)
    opened = moves([A, B, C, D])[:6]
    busts = [("bust", {"participant": one}) for one in (C, B, D)]
    round = venue_plays(director_key, command, [*opened, ("bust", {"participant": D})])
    round.all_of([("reenter", {"participant": D}), *busts])
    assert [(number, place, points) for number, place, _, points in rows()] == [
        (A, 1, 50), (D, 2, 40), (B, 3, 30), (C, 4, 20),
    ]  # fmt: skip
    assert RoundReport.objects.get().registered == 4
