"""A corrected points key: who moves, what is kept, and what counts of what a venue sends afterwards (P)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import IntegrityError, transaction
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from appliance.game.pointskey import CPL_2017, PointsKey
from league.ingest.outbox import Pen
from league.ingest.publishing import offer_round
from league.rounds.keys import key_data, read_key
from league.rounds.models import Round, Season
from league.standings import correcting
from league.standings.corrections import Placed, points_by, standing
from league.standings.models import KeptForever, PointsCorrection, Result, RoundReport
from league.standings.results import Results
from league.standings.table import standings
from tests.league.rounds_played import FLAT, STEEP, announcement, moves, planned, store, venue_plays
from tests.league.scribe import evening

A, B, C, D = "000101", "000102", "000103", "000104"


@pytest.fixture
def pen(director_key: Ed25519PrivateKey) -> Pen:
    return Pen(director_key, lambda: 1_800_000_000_000)


@pytest.fixture
def two_rounds(imported: dict[str, Any], director_key: Ed25519PrivateKey) -> Season:
    """Two rounds of four, played under the flat key: A, B, C, D and then B, C, D, A."""
    for round, order in (("S1", [A, B, C, D]), ("S2", [B, C, D, A])):
        planned(round)
        venue_plays(director_key, announcement(round, points_key=FLAT), moves(order))
    return Season.objects.get(year=2027)


def table(season: Season) -> dict[str, float]:
    return {line.number: line.half_points / 2 for line in standings(season).lines}


def received() -> list[tuple[Any, ...]]:
    """What the venues sent, which no correction may touch."""
    fields = ("round", "number", "place", "prize", "half_points", "provisional")
    return list(Result.objects.order_by("round", "place", "number").values_list(*fields))


def apply(season: Season, key: dict[str, Any]) -> PointsCorrection:
    return correcting.correct(season, read_key(key), "the table was misread", "clerk")


def test_P_a_correction_recomputes_the_season_and_leaves_places_prizes_and_what_came(two_rounds: Season) -> None:
    assert table(two_rounds) == {A: 70, B: 90, C: 70, D: 50}
    before = received()
    apply(two_rounds, STEEP)
    assert table(two_rounds) == {A: 120, B: 175, C: 85, D: 30}
    assert received() == before
    assert set(RoundReport.objects.values_list("key_corrected", flat=True)) == {True}
    assert standings(two_rounds).key_corrected
    assert read_key(RoundReport.objects.get(pk="S1").key) == read_key(FLAT)


def test_P_a_preview_says_who_moves_and_writes_nothing(two_rounds: Season) -> None:
    before = list(Result.objects.order_by("pk").values())
    preview = correcting.preview_correction(two_rounds, read_key(STEEP))
    assert [(m.number, m.points_before, m.points_after, m.place_before, m.place_after) for m in preview.moves] == [
        (C, 140, 170, 2, 3), (B, 180, 350, 1, 1), (A, 140, 240, 2, 2), (D, 100, 60, 4, 4),
    ]  # fmt: skip
    assert len(preview.moved) == 4
    assert [(r.round.pk, r.registered, r.played, r.before, r.after) for r in preview.rounds] == [
        ("S1", 4, "flat", "flat", "steep"),
        ("S2", 4, "flat", "flat", "steep"),
    ]
    assert list(Result.objects.order_by("pk").values()) == before
    assert not PointsCorrection.objects.exists()


def test_P_the_preview_is_what_the_correction_then_does(two_rounds: Season) -> None:
    for key in (STEEP, FLAT | {"name": "best", "ties": "best", "registering": 0}):
        preview = correcting.preview_correction(two_rounds, read_key(key))
        apply(two_rounds, key)
        lines = standings(two_rounds).lines
        foreseen = {m.number: (m.points_after, m.place_after) for m in preview.moves}
        assert {line.number: (line.half_points, line.place) for line in lines} == foreseen


def test_P_a_later_correction_takes_the_place_of_an_earlier_one_and_withdrawing_is_a_row(two_rounds: Season) -> None:
    played = table(two_rounds)
    first = apply(two_rounds, STEEP)
    steep = table(two_rounds)
    second = apply(two_rounds, FLAT | {"name": "more", "registering": 20})
    assert second.replaces == first
    assert table(two_rounds) == {number: points + 20 for number, points in played.items()}
    third = correcting.withdraw(two_rounds, "the first was right", "clerk")
    assert (third.key, third.replaces, standing(two_rounds)) == (None, second, first)
    assert table(two_rounds) == steep
    fourth = correcting.withdraw(two_rounds, "all of it was wrong", "boss")
    assert (fourth.replaces, standing(two_rounds)) == (first, None)
    assert table(two_rounds) == played
    assert not standings(two_rounds).key_corrected
    with pytest.raises(correcting.NothingToCorrect, match="no correction stands"):
        correcting.withdraw(two_rounds, "again", "clerk")
    rows = PointsCorrection.objects.order_by("number")
    assert [(row.number, row.by, row.reason) for row in rows] == [
        (1, "clerk", "the table was misread"), (2, "clerk", "the table was misread"),
        (3, "clerk", "the first was right"), (4, "boss", "all of it was wrong"),
    ]  # fmt: skip
    fifth = apply(two_rounds, STEEP)
    assert (fifth.number, fifth.replaces) == (5, None)
    assert table(two_rounds) == steep


def test_P_the_same_correction_twice_is_refused_with_who_made_it(two_rounds: Season) -> None:
    apply(two_rounds, STEEP)
    with pytest.raises(correcting.NothingToCorrect, match=r"2027 counts by this key \(steep\) already: .* by clerk"):
        apply(two_rounds, STEEP)
    assert PointsCorrection.objects.count() == 1


def test_P_a_key_that_the_rounds_were_played_under_corrects_nothing(two_rounds: Season) -> None:
    with pytest.raises(correcting.NothingToCorrect, match="counts by this key"):
        apply(two_rounds, FLAT)


def test_P_before_a_round_is_announced_there_is_nothing_to_correct(imported: dict[str, Any]) -> None:
    with pytest.raises(correcting.NothingToCorrect, match="edit the key of the season"):
        apply(Season.objects.get(), STEEP)


def test_P_corrections_are_never_changed_or_deleted(two_rounds: Season) -> None:
    row = apply(two_rounds, STEEP)
    row.reason = "another"
    with pytest.raises(KeptForever):
        row.save()
    with pytest.raises(KeptForever):
        row.delete()
    for change in ("update", "delete"):
        with pytest.raises(KeptForever):
            getattr(PointsCorrection.objects.all(), change)()
    with pytest.raises(KeptForever):
        PointsCorrection.objects.bulk_update([row], ["reason"])
    assert PointsCorrection.objects.get().reason == "the table was misread"


def test_P_two_at_once_cannot_both_follow_the_same_row(two_rounds: Season) -> None:
    row = apply(two_rounds, STEEP)
    for number, replaces in ((row.number, row), (2, None)):
        with pytest.raises(IntegrityError), transaction.atomic():
            PointsCorrection.objects.create(
                season=two_rounds, number=number, replaces=replaces, reason="x", by="y", at=timezone.now()
            )


def test_P_what_was_previewed_is_applied_or_nothing(two_rounds: Season, director_key: Ed25519PrivateKey) -> None:
    seen = correcting.preview_correction(two_rounds, read_key(STEEP)).digest
    planned("S3")
    venue_plays(director_key, announcement("S3", points_key=FLAT), moves([D, A, B]))
    before = table(two_rounds)
    with pytest.raises(correcting.OutOfDate):
        correcting.correct(two_rounds, read_key(STEEP), "r", "clerk", seen)
    assert (table(two_rounds), PointsCorrection.objects.count()) == (before, 0)
    seen = correcting.preview_correction(two_rounds, read_key(STEEP)).digest
    correcting.correct(two_rounds, read_key(STEEP), "r", "clerk", seen)
    assert table(two_rounds)[D] == 30 + 110


def test_P_results_that_come_after_the_correction_count_by_it(
    two_rounds: Season, director_key: Ed25519PrivateKey
) -> None:
    apply(two_rounds, STEEP)
    planned("S3")
    venue_plays(director_key, announcement("S3", points_key=FLAT), moves([D, A, B, C]))
    assert RoundReport.objects.get(pk="S3").key_corrected
    assert table(two_rounds) == {A: 120 + 65, B: 175 + 20, C: 85 + 10, D: 30 + 110}
    assert Result.objects.get(round="S3", number=D).half_points == 100


def test_P_folding_everything_anew_keeps_the_corrections(two_rounds: Season) -> None:
    apply(two_rounds, STEEP)
    corrected, came = table(two_rounds), received()
    Results().rebuild()
    assert (table(two_rounds), received()) == (corrected, came)
    assert standings(two_rounds).key_corrected


def test_P_a_correction_of_one_season_leaves_the_others(two_rounds: Season, director_key: Ed25519PrivateKey) -> None:
    other = Season.objects.create(year=2026, name="2026")
    moved = Round.objects.get(pk="S2")
    moved.season = other
    moved.save()
    apply(two_rounds, STEEP)
    assert table(two_rounds) == {A: 110, B: 65, C: 20, D: 10}
    assert table(other) == {B: 50, C: 40, D: 30, A: 20}


def test_P_equal_places_share_half_points_under_the_corrected_key(
    imported: dict[str, Any], director_key: Ed25519PrivateKey
) -> None:
    planned("S1")
    opened = moves([A, B, C, D])[:6]
    in_one_hand = [("next_hand", {"table": 1}), *(("bust", {"participant": p, "table": 1, "hand": 1}) for p in (C, D))]
    venue_plays(director_key, announcement("S1"), [*opened, *in_one_hand, ("bust", {"participant": B})])
    season = Season.objects.get()
    assert [r.place for r in Result.objects.filter(round="S1").order_by("number")] == [1, 2, 3, 3]
    apply(season, STEEP | {"step": 33})
    assert table(season) == {A: 110, B: 77, C: 10 + 17.5, D: 10 + 17.5}  # 34 and 1


def test_P_the_field_size_counts_everybody_registered_and_a_void_one_too(
    two_rounds: Season, director_key: Ed25519PrivateKey
) -> None:
    by_size = FLAT | {"name": "by-size", "winner": {"3": 10, "4": 90}}
    RoundReport.objects.filter(pk="S1").update(registered=3)
    apply(two_rounds, by_size)
    assert Result.objects.get(round="S1", number=A).counted == 2 * 20
    assert Result.objects.get(round="S2", number=B).counted == 2 * 100


def test_P_a_key_confirmed_by_a_correction_is_no_longer_called_unconfirmed(
    imported: dict[str, Any], director_key: Ed25519PrivateKey
) -> None:
    store(evening(director_key))
    season = Season.objects.get()
    before = table(season)
    assert standings(season).key_unconfirmed
    apply(season, key_data(CPL_2017) | {"confirmed": True})
    found = standings(season)
    assert (found.key_unconfirmed, found.key_corrected, table(season)) == (False, True, before)
    correcting.withdraw(season, "not signed yet", "clerk")
    assert standings(season).key_unconfirmed


def test_P_a_round_announced_after_the_correction_keeps_the_key_it_was_announced_with(
    two_rounds: Season, pen: Pen, director_key: Ed25519PrivateKey
) -> None:
    apply(two_rounds, STEEP)
    third = planned("S3")
    offer_round(third, pen, timezone.now())
    third.refresh_from_db()
    assert read_key(third.promised["points_key"]) == read_key(STEEP)
    venue_plays(director_key, third.promised, moves([D, A, B, C]))
    report = RoundReport.objects.get(pk="S3")
    assert (report.key_corrected, read_key(report.key)) == (False, read_key(STEEP))
    correcting.withdraw(two_rounds, "it was right before", "clerk")
    assert table(two_rounds) == {A: 70 + 65, B: 90 + 20, C: 70 + 10, D: 50 + 110}


def test_P_the_key_edited_after_a_correction_counts_for_later_rounds_only(
    two_rounds: Season, pen: Pen, director_key: Ed25519PrivateKey
) -> None:
    apply(two_rounds, STEEP)
    summer = FLAT | {"name": "summer", "registering": 1}
    Season.objects.filter(pk=two_rounds.pk).update(points_key=summer)
    third = planned("S3")
    offer_round(third, pen, timezone.now())
    third.refresh_from_db()
    assert third.promised["points_key"]["name"] == "summer"
    venue_plays(director_key, third.promised, moves([D, A, B, C]))
    assert table(two_rounds) == {A: 120 + 31, B: 175 + 21, C: 85 + 11, D: 30 + 41}
    again = apply(two_rounds, STEEP)  # the same key once more, now for the third round as well
    assert again.number == 2
    assert table(two_rounds) == {A: 120 + 65, B: 175 + 20, C: 85 + 10, D: 30 + 110}


def test_P_a_revision_after_the_end_is_counted_by_the_corrected_key(
    two_rounds: Season, director_key: Ed25519PrivateKey
) -> None:
    planned("S3")
    round = venue_plays(director_key, announcement("S3", points_key=FLAT), moves([A, B, C, D]))
    apply(two_rounds, STEEP)
    round.do("undo")
    assert RoundReport.objects.get(pk="S3").state == "running"
    assert standings(two_rounds).provisional
    known = Result.objects.filter(round="S3").order_by("place")
    assert [(r.number, r.place, r.counted, r.half_points) for r in known] == [(C, 3, 40, 60), (D, 4, 20, 40)]
    round.do("bust", participant=A)
    known = Result.objects.filter(round="S3").order_by("place")
    assert [(r.number, r.place, r.counted) for r in known] == [(B, 1, 220), (A, 2, 130), (C, 3, 40), (D, 4, 20)]
    assert not standings(two_rounds).provisional


KEYS = st.builds(
    PointsKey,
    name=st.just("any"),
    winner=st.dictionaries(st.integers(1, 90), st.integers(0, 300), min_size=1, max_size=5),
    registering=st.integers(0, 20),
    step=st.integers(0, 60),
    scoring=st.sampled_from(["half", "all", 1, 3]),
    half=st.sampled_from(["up", "down"]),
    ties=st.sampled_from(["mean", "best"]),
)


@given(KEYS, st.lists(st.integers(1, 4), min_size=1, max_size=20), st.integers(0, 5))
def test_P_points_come_from_places_and_field_size_alone_and_those_tied_get_the_same(
    key: PointsKey, sizes: list[int], void: int
) -> None:
    places = [1 + sum(sizes[:n]) for n in range(len(sizes))]
    placed = [Placed(f"{place}-{n}", place) for place, size in zip(places, sizes, strict=True) for n in range(size)]
    points = points_by(key, len(placed) + void, placed)
    assert all(isinstance(half, int) and half >= 2 * key.registering for half in points.values())
    for place, size in zip(places, sizes, strict=True):
        shared = {points[number] for number, at in placed if at == place}
        assert len(shared) == 1
        if key.ties == "mean":
            alone = [points_by(key, len(placed) + void, [Placed("x", place + n)])["x"] for n in range(size)]
            assert 0 <= shared.pop() - sum(alone) / size < 1  # rounded up to the next half point
    ordered = [points[number] for number, _ in placed]
    assert ordered == sorted(ordered, reverse=True)


def test_P_a_key_survives_the_database_with_every_field_written_out() -> None:
    data = key_data(read_key(FLAT))
    assert set(data) == {field.name for field in msgspec.structs.fields(PointsKey)}
    assert read_key(data) == read_key(FLAT)
