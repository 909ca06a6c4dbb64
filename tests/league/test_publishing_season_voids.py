"""A participation the league declares void: no place, no points, the others move up, the field stays (LG-10)."""

from __future__ import annotations

from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from appliance.game.pointskey import CPL_2017
from league.ingest.telling import season_standings
from league.keptforever import KeptForever
from league.rounds.keys import read_key
from league.rounds.models import Round, Season
from league.site import pages
from league.standings import correcting, voiding
from league.standings.corrections import Placed, counted_by
from league.standings.models import ParticipationVoid, Result
from league.standings.results import Results
from league.standings.table import standings
from tests.league.rounds_played import FLAT, STEEP, VenueRound, announcement, moves, planned, venue_plays

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


def table(year: Season) -> dict[str, float]:
    return {line.number: line.half_points / 2 for line in standings(year).lines}


def places(round: str) -> dict[str, tuple[int, float]]:
    return {row.number: (row.place, row.half_points / 2) for row in pages.results(Round.objects.get(pk=round))}


def declare(round: str, who: str, void: bool = True) -> int:
    return voiding.decide(Round.objects.get(pk=round), who, void, "a card that was somebody else's", "commissioner")


def test_LG_10_the_others_move_up_and_the_field_keeps_its_size(rounds: dict[str, VenueRound], year: Season) -> None:
    assert table(year) == {A: 70, B: 90, C: 70, D: 50}
    declare("S1", B)
    assert places("S1") == {A: (1, 50), C: (2, 40), D: (3, 30)}
    assert table(year) == {A: 70, B: 50, C: 80, D: 60}
    assert {row.participant: row.points_half for row in season_standings(year, 0).rows} == {
        C: 160, A: 140, D: 120, B: 100,
    }  # fmt: skip


def test_LG_10_void_is_not_even_the_points_for_registering(rounds: dict[str, VenueRound], year: Season) -> None:
    declare("S1", D)
    declare("S2", D)
    assert D not in table(year)
    assert standings(year).total == 3


def test_LG_10_what_the_venue_sent_and_paid_stays(rounds: dict[str, VenueRound], year: Season) -> None:
    fields = ("round", "number", "place", "prize", "half_points", "provisional")
    before = list(Result.objects.order_by("round", "number").values_list(*fields))
    declare("S1", A)
    assert list(Result.objects.order_by("round", "number").values_list(*fields)) == before


def test_LG_10_a_preview_says_who_moves_and_writes_nothing(rounds: dict[str, VenueRound], year: Season) -> None:
    before = list(Result.objects.order_by("pk").values())
    shown = voiding.preview(Round.objects.get(pk="S1"), A)
    assert [tuple(move) for move in shown.in_round] == [
        (A, 1, None, 100, 0), (B, 2, 1, 80, 100), (C, 3, 2, 60, 80), (D, 4, 3, 40, 60),
    ]  # fmt: skip
    assert [tuple(move) for move in shown.in_season] == [
        (B, 1, 1, 180, 200), (C, 2, 2, 140, 160), (D, 4, 3, 100, 120), (A, 2, 4, 140, 40),
    ]  # fmt: skip
    assert list(Result.objects.order_by("pk").values()) == before
    assert not ParticipationVoid.objects.exists()


def test_LG_10_taking_it_back_restores_the_season(rounds: dict[str, VenueRound], year: Season) -> None:
    before = (table(year), places("S1"))
    declare("S1", B)
    declare("S1", B, void=False)
    assert (table(year), places("S1")) == before
    assert ParticipationVoid.objects.count() == 2


@pytest.mark.parametrize(
    ("round", "who", "void", "code"),
    [("S1", "000900", True, "no-result"), ("S1", A, False, "valid"), ("S2", B, True, "void")],
)
def test_LG_10_what_is_so_already_or_never_was_is_refused(
    rounds: dict[str, VenueRound], round: str, who: str, void: bool, code: str
) -> None:
    declare("S2", B)
    with pytest.raises(voiding.NothingToVoid) as refused:
        declare(round, who, void)
    assert refused.value.code == code


def test_LG_10_while_it_is_played_the_venue_declares_it(year: Season, director_key: Ed25519PrivateKey) -> None:
    planned("S3")
    venue_plays(director_key, announcement("S3", points_key=FLAT), moves([A, B, C, D])[:-1])
    with pytest.raises(voiding.NothingToVoid) as refused:
        declare("S3", D)
    assert refused.value.code == "under-way"


def test_LG_10_what_comes_in_between_a_preview_and_the_decision_is_noticed(
    rounds: dict[str, VenueRound], year: Season
) -> None:
    seen = voiding.preview(Round.objects.get(pk="S1"), B).digest
    rounds["S2"].do("undo")
    with pytest.raises(correcting.OutOfDate):
        voiding.decide(Round.objects.get(pk="S1"), B, True, "why", "commissioner", seen)
    assert not ParticipationVoid.objects.exists()


def test_LG_10_it_holds_for_what_the_venue_sends_later_and_for_a_rebuild(
    rounds: dict[str, VenueRound], year: Season
) -> None:
    declare("S1", B)
    rounds["S1"].do("undo")
    rounds["S1"].do("bust", participant=B)
    assert places("S1") == {A: (1, 50), C: (2, 40), D: (3, 30)}
    Results().rebuild()
    assert places("S1") == {A: (1, 50), C: (2, 40), D: (3, 30)}


def test_P_a_corrected_key_counts_for_those_who_moved_up(rounds: dict[str, VenueRound], year: Season) -> None:
    declare("S1", B)
    correcting.correct(year, read_key(STEEP), "the table was misread", "clerk")
    assert places("S1") == {A: (1, 110), C: (2, 65), D: (3, 20)}
    correcting.withdraw(year, "it was right", "clerk")
    assert places("S1") == {A: (1, 50), C: (2, 40), D: (3, 30)}


def test_LG_10_decisions_are_only_ever_added(rounds: dict[str, VenueRound]) -> None:
    declare("S1", B)
    row = ParticipationVoid.objects.get()
    for change in (row.save, row.delete, ParticipationVoid.objects.all().delete):
        with pytest.raises(KeptForever):
            change()


@given(st.lists(st.integers(1, 6), min_size=1, max_size=12), st.data())
def test_LG_10_no_place_is_left_empty(sizes: list[int], data: st.DataObject) -> None:
    """Places with ties, any of whom are void: those who are left stand as if the void ones had never been there."""
    known, place = list[Placed](), 1
    for size in sizes:
        known += [Placed(f"{place}-{n}", place) for n in range(size)]
        place += size
    voids = data.draw(st.sets(st.sampled_from([one.number for one in known])))
    counted = counted_by(CPL_2017, len(known), known, voids)
    left = [(one.place - counted[one.number].moved_up) for one in known if one.number not in voids]
    sharing = [sum(1 for other in left if other < place) + 1 for place in left]
    assert left == sharing
    assert all(counted[one] == (0, 0, True) for one in voids)
