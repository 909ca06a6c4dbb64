"""An announcement that a director would refuse is refused by the league: at import, at the offer, on the staff page."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import translation

from appliance.game.commands import (
    Announce,
    decode_command,
)
from appliance.game.ruleset import PROFILES
from league.ingest.models import RawRecord
from league.rounds.announcing import faults
from league.rounds.models import Round, Season
from tests.league.office import sign_in

Writer = Callable[[dict[str, Any]], Path]

WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"deposit": 10}, "deposit", "deposit-minimum"),
    ({"deposit": 501}, "deposit", "deposit-limit"),
    ({"shares": ["50", "30"]}, "shares", "shares-sum"),
    ({"levels": [{"sb": 40, "bb": 50, "minutes": 15}]}, "levels", "small-blind"),
    ({"profile": "cash-2012"}, "profile", "not-a-tournament"),
    ({"profile": "nonsense"}, "profile", "unknown-profile"),
    ({"capacity": 2}, "capacity", "too-few"),
]


@pytest.mark.parametrize(("changes", "field", "code"), WRONG)
def test_the_import_names_what_the_rules_refuse(
    db: None, write_season: Writer, season: dict[str, Any], changes: dict[str, Any], field: str, code: str
) -> None:
    season["rounds"][0]["announcement"] |= changes
    path = write_season({})
    for options in ([], ["--dry-run"]):
        with pytest.raises(CommandError, match=rf"rounds\[0\]\.announcement\.{field}: .*{code}") as caught:
            call_command("import_season", str(path), *options)
        assert caught.value.returncode == 2
    assert Round.objects.count() == 0


def test_all_errors_are_named_at_once_beside_those_of_form(
    db: None, write_season: Writer, season: dict[str, Any]
) -> None:
    first = season["rounds"][0]
    first["announcement"] |= {"deposit": 10, "shares": ["80"]}
    first["announcement"]["levels"] = [
        {"sb": 40, "bb": 50, "minutes": 15}, {"break": 5}, {"sb": 50, "bb": 100, "minutes": 15},
        {"sb": 90, "bb": 100, "minutes": 15},
    ]  # fmt: skip
    second = copy.deepcopy(first)
    second["announcement"] |= {"round": "R2", "profile": "cash-2012"}
    season["rounds"] += [second, {"announcement": first["announcement"] | {"round": "R3", "deposit": -1}}]
    season["participants"][1]["surname"] = ""
    with pytest.raises(CommandError) as caught:
        call_command("import_season", str(write_season({})))
    errors = str(caught.value).splitlines()
    for place, code in (
        ("rounds[0].announcement.deposit: ", "deposit-minimum, minimum 50"),
        ("rounds[0].announcement.shares: ", "shares-sum, total 80"),
        ("rounds[0].announcement.levels: ", "small-blind, level 1, sb 40, bb 50"),
        ("rounds[0].announcement.levels: ", "small-blind, level 3, sb 90, bb 100"),
        ("rounds[1].announcement.profile: ", "not-a-tournament"),
        ("rounds[2].announcement: deposit: ", ""),
        ("participants[1].surname: ", ""),
    ):
        assert any(place in error and code in error for error in errors), (place, code)
    assert len(errors) == 7


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_the_search_for_faults_ends_under_every_profile(announcement: dict[str, Any], profile: str) -> None:
    wrong = {"profile": profile, "deposit": 0, "shares": [], "chip_up": 1, "capacity": 1}
    wrong["levels"] = [{"sb": 60, "bb": 50, "minutes": 1}] * 200
    command = decode_command(announcement | wrong)
    assert isinstance(command, Announce)
    codes = [fault.refusal.code for fault in faults(command)]
    rules = PROFILES[profile]
    if not rules.tournament:
        assert codes == ["not-a-tournament"]
        return
    assert [code for code in codes if code != "small-blind"] == [
        *(["deposit-minimum"] if rules.deposit_minimum else []),
        "shares-sum",
        "too-few",
    ]
    assert codes.count("small-blind") == 200


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ({"points": "many"}, "season.points_key.points: unknown field"),
        ({"name": "x"}, "season.points_key.winner: is missing"),
        ({"name": "x", "winner": {"3": 5}, "step": 0.5}, "season.points_key.step: 0.5 is not a whole number"),
    ],
)
def test_P_a_season_key_that_is_no_key_is_named_with_its_field(
    db: None, write_season: Writer, season: dict[str, Any], key: dict[str, Any], said: str
) -> None:
    with pytest.raises(CommandError) as caught:
        call_command("import_season", str(write_season({"season": season["season"] | {"points_key": key}})))
    assert said in str(caught.value)
    assert caught.value.returncode == 2
    assert Season.objects.count() == 0


def test_a_round_that_a_director_would_refuse_is_not_offered_nor_are_those_beside_it(
    imported: dict[str, Any],
) -> None:
    good = Round.objects.get()
    wrong = good.announcement | {"round": "R2", "deposit": 10, "shares": ["80"]}
    Round.objects.create(
        id="R2", season=good.season, venue=good.venue, starts_at=good.starts_at, announcement=wrong
    )  # fmt: skip
    with pytest.raises(CommandError) as caught:
        call_command("offer_round", "--all")
    assert caught.value.returncode == 2
    first, second = str(caught.value).splitlines()
    assert first.startswith("R2: deposit: ")
    assert "deposit-minimum" in first
    assert "R2: shares: " in second
    assert "shares-sum" in second
    assert RawRecord.objects.count() == 0
    assert not Round.objects.filter(offered_at__isnull=False).exists()


@pytest.mark.parametrize(("changes", "field", "code"), WRONG)
def test_the_model_refuses_it_in_the_language_of_the_page(
    imported: dict[str, Any], changes: dict[str, Any], field: str, code: str
) -> None:
    round = Round.objects.get()
    round.full_clean()
    round.announcement |= changes
    said = set()
    for language in ("cs", "en"):
        with translation.override(language), pytest.raises(ValidationError) as caught:
            round.full_clean()
        (message,) = caught.value.message_dict["announcement"]
        assert message.startswith(f"{field}: ")
        assert code in message
        said.add(message)
    assert len(said) == 2


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ([1], "announce command"),
        ("text", "announce command"),
        ({"do": "open", "round": "R1"}, "announce command"),
        ({"do": "announce", "round": "R1"}, "is missing"),
    ],
)
def test_the_model_refuses_what_is_no_announcement(imported: dict[str, Any], wrong: Any, said: str) -> None:
    round = Round.objects.get()
    round.announcement = wrong
    with pytest.raises(ValidationError) as caught:
        round.full_clean()
    with translation.override("en"):
        assert said in caught.value.message_dict["announcement"][0]


def test_the_announcement_agrees_with_the_rounds_own_fields(imported: dict[str, Any]) -> None:
    round = Round.objects.get()
    round.announcement |= {"round": "R9", "venue": "brno", "starts_at": "2027-01-15T19:01:00+01:00"}
    with translation.override("en"), pytest.raises(ValidationError) as caught:
        round.full_clean()
    messages = caught.value.message_dict["announcement"]
    assert [message.partition(":")[0] for message in messages] == ["round", "venue", "starts_at"]


def test_the_staff_form_shows_all_errors_and_saves_nothing(imported: dict[str, Any]) -> None:
    client = Client()
    sign_in(client, User.objects.create_superuser("clerk"))
    round = Round.objects.get()
    form = {
        "id": "R1", "season": str(round.season_id), "venue": "zabreh", "name": "x" * 200,
        "starts_at_0": "2027-01-15", "starts_at_1": "19:00:00",
        "announcement": json.dumps(round.announcement | {"deposit": 10, "shares": ["80"]}),
    }  # fmt: skip
    response = client.post("/admin/rounds/round/R1/change/", form, headers={"accept-language": "cs"})
    text = response.content.decode()
    assert response.status_code == 200
    assert "deposit-minimum" in text
    assert "shares-sum" in text
    assert 'id="id_name_error"' in text
    form |= {"name": "1. kolo", "announcement": "{"}
    assert client.post("/admin/rounds/round/R1/change/", form).status_code == 200
    assert Round.objects.get().announcement == round.announcement
    form["announcement"] = json.dumps(round.announcement)
    assert client.post("/admin/rounds/round/R1/change/", form).status_code == 302
