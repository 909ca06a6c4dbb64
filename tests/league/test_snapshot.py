"""Profile, structure, shares and points key are copied at the announcement; later edits never change them (P, LG-2)."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from appliance.game.commands import (
    Announce,
)
from appliance.game.pointskey import CPL_2017
from league.ingest.models import RawRecord
from league.ingest.outbox import Pen
from league.ingest.publishing import announcement_of, offer_round, told, withdraw_round
from league.rounds import season_file, season_import
from league.rounds.keys import read_key
from league.rounds.models import Round, Season
from league.standings.models import RoundReport
from league.standings.table import standings
from tests.league.office import sign_in
from tests.league.rounds_played import FLAT, STEEP, announcement, moves, planned, venue_plays

A, B, C = "000101", "000102", "000103"


@pytest.fixture
def pen(director_key: Ed25519PrivateKey) -> Pen:
    return Pen(director_key, lambda: 1_800_000_000_000)


@pytest.fixture
def keyed(imported: dict[str, Any]) -> Season:
    """The season, its key being the flat one, and a planned round without a key of its own."""
    Season.objects.update(points_key=FLAT)
    planned("S1")
    return Season.objects.get()


def offered(round: str) -> Announce:
    return told("zabreh").offers[round]


def offer(round: str, pen: Pen) -> bool:
    return offer_round(Round.objects.get(pk=round), pen, timezone.now())


def edit_everything() -> None:
    """Edit the season and the round behind the announcement's back, as no page would let one."""
    Season.objects.update(points_key=STEEP, profile="tda-2024")
    changed = announcement("S1", profile="tda-2024", shares=["100"], levels=[{"sb": 1, "bb": 2, "minutes": 5}])
    Round.objects.filter(pk="S1").update(announcement=changed)


def test_P_an_offer_copies_the_seasons_key_into_the_announcement(keyed: Season, pen: Pen) -> None:
    assert offer("S1", pen)
    assert offered("S1").points_key == read_key(FLAT)
    assert read_key(Round.objects.get(pk="S1").promised["points_key"]) == read_key(FLAT)


def test_P_a_key_of_the_rounds_own_stands_before_the_seasons(keyed: Season, pen: Pen) -> None:
    planned("S2", points_key=STEEP)
    offer("S2", pen)
    assert offered("S2").points_key == read_key(STEEP)


def test_P_without_any_key_the_venue_takes_the_default_one(
    imported: dict[str, Any], pen: Pen, director_key: Ed25519PrivateKey
) -> None:
    planned("S1")
    offer("S1", pen)
    assert offered("S1").points_key is None
    Season.objects.update(points_key=STEEP)
    assert not offer("S1", pen)
    venue_plays(director_key, Round.objects.get(pk="S1").promised, moves([A, B, C]))
    assert read_key(RoundReport.objects.get().key) == CPL_2017


def test_P_editing_the_key_counts_for_rounds_announced_later_only(
    keyed: Season, pen: Pen, director_key: Ed25519PrivateKey
) -> None:
    offer("S1", pen)
    planned("S2")
    Season.objects.update(points_key=STEEP)
    assert not offer("S1", pen)
    assert offer("S2", pen)
    assert (offered("S1").points_key, offered("S2").points_key) == (read_key(FLAT), read_key(STEEP))
    for round in ("S1", "S2"):
        venue_plays(director_key, Round.objects.get(pk=round).promised, moves([A, B, C]))
    by_flat, by_steep = (40, 30, 20), (110, 65, 20)
    table = {line.number: line.half_points / 2 for line in standings(keyed).lines}
    assert table == dict(zip((A, B, C), map(sum, zip(by_flat, by_steep, strict=True)), strict=True))
    assert not standings(keyed).key_corrected


def test_LG_2_what_was_announced_is_what_stands_whatever_is_edited_later(keyed: Season, pen: Pen) -> None:
    offer("S1", pen)
    before, records = offered("S1"), RawRecord.objects.count()
    edit_everything()
    assert not offer("S1", pen)
    assert (offered("S1"), RawRecord.objects.count()) == (before, records)
    round = Round.objects.get(pk="S1")
    assert announcement_of(round) == before
    assert (round.terms["profile"], round.terms["shares"]) == ("cpl-2017", ["50", "30", "20"])


@pytest.mark.parametrize("profile", ["cpl-2017", "cpl", "casino-2012", "tda-2024"])
def test_LG_2_a_played_round_keeps_profile_structure_shares_and_key(
    keyed: Season, pen: Pen, director_key: Ed25519PrivateKey, profile: str
) -> None:
    Round.objects.filter(pk="S1").update(announcement=announcement("S1", profile=profile))
    offer("S1", pen)
    round = venue_plays(director_key, Round.objects.get(pk="S1").promised, moves([A, B, C]))
    edit_everything()
    round.do("undo")
    round.do("bust", participant=B)
    report = RoundReport.objects.get()
    assert (report.state, report.key["name"]) == ("finished", "flat")
    client = Client()
    text = client.get("/en/rounds/S1/").content.decode()
    assert "25 / 50" in text
    assert "50% · 30% · 20%" in text
    assert [row["points"] for row in client.get("/api/1/rounds/S1.json").json()["results"]] == ["40", "30", "20"]


def test_LG_2_a_withdrawn_offer_is_a_new_promise_the_next_time(keyed: Season, pen: Pen) -> None:
    offer("S1", pen)
    withdraw_round(Round.objects.get(pk="S1"), pen)
    assert Round.objects.get(pk="S1").promised is None
    Season.objects.update(points_key=STEEP)
    assert offer("S1", pen)
    assert offered("S1").points_key == read_key(STEEP)


def test_LG_2_a_round_that_its_venue_has_announced_keeps_its_promise_when_the_offer_is_withdrawn(
    keyed: Season, pen: Pen, director_key: Ed25519PrivateKey
) -> None:
    offer("S1", pen)
    first = Round.objects.get(pk="S1")
    venue_plays(director_key, first.promised, [("open", {})])
    withdraw_round(first, pen)
    Season.objects.update(points_key=STEEP)
    assert offer("S1", pen)
    again = Round.objects.get(pk="S1")
    assert (again.promised, again.offered_at) == (first.promised, first.offered_at)
    assert offered("S1").points_key == read_key(FLAT)


def test_P_importing_the_season_again_with_another_key_leaves_announced_rounds_alone(
    imported: dict[str, Any], pen: Pen
) -> None:
    def bring_in(**changes: Any) -> None:
        season_import.apply(season_file.check(imported | {"season": imported["season"] | changes}))

    bring_in(points_key=FLAT)
    offer("R1", pen)
    before = Round.objects.get(pk="R1").promised
    bring_in(points_key=STEEP)
    assert Round.objects.get(pk="R1").promised == before
    assert not offer("R1", pen)
    bring_in()
    assert read_key(Season.objects.get().points_key) == read_key(
        STEEP
    )  # a file that says nothing of it changes nothing
    bring_in(points_key=None)
    assert Season.objects.get().points_key is None


@pytest.mark.parametrize(
    "changes",
    [{"shares": ["100"]}, {"profile": "cpl"}, {"levels": [{"sb": 1, "bb": 2, "minutes": 9}]}, {"points_key": STEEP}],
)
def test_LG_2_an_import_cannot_change_what_was_announced(
    imported: dict[str, Any], pen: Pen, changes: dict[str, Any]
) -> None:
    offer("R1", pen)
    season = copy.deepcopy(imported)
    season["rounds"][0]["announcement"] |= changes
    with pytest.raises(season_file.SeasonFileError, match="R1 has been sent to its venue"):
        season_import.apply(season_file.check(season))


def test_LG_2_staff_cannot_edit_what_was_announced(keyed: Season, pen: Pen) -> None:
    client = Client()
    sign_in(client, User.objects.create_superuser("clerk"))
    fields = ('name="announcement"', 'name="venue"', 'name="season"', 'name="starts_at_0"')
    text = client.get("/admin/rounds/round/S1/change/").content.decode()
    assert all(field in text for field in fields)
    offer("S1", pen)
    text = client.get("/admin/rounds/round/S1/change/").content.decode()
    assert not any(field in text for field in fields)
    assert 'name="name"' in text
    answer = client.post("/admin/rounds/round/S1/change/", {"name": "Zimní", "announcement": "{}"})
    assert answer.status_code == 302
    round = Round.objects.get(pk="S1")
    assert (round.name, round.announcement) == ("Zimní", announcement("S1"))


def test_P_staff_cannot_save_a_season_with_a_key_that_is_none(keyed: Season) -> None:
    keyed.points_key = FLAT | {"step": "five"}
    with pytest.raises(ValidationError, match="step: Expected `int`, got `str`"):
        keyed.full_clean()


def test_P_a_season_whose_stored_key_is_none_offers_nothing_and_says_why(keyed: Season) -> None:
    Season.objects.update(points_key={"name": "x"})
    with pytest.raises(CommandError, match="S1: winner: is missing"):
        call_command("offer_round", "S1")
    assert RawRecord.objects.count() == 0
