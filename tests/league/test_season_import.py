from __future__ import annotations

import copy
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from league.people.models import Card, Consent, Participant
from league.privacy.models import Act
from league.rounds.models import Device, Round, Season, Venue
from tests.league.processes import League

Writer = Callable[[dict[str, Any]], Path]


def run(path: Path, *options: str) -> str:
    out = StringIO()
    call_command("import_season", str(path), *options, stdout=out)
    return out.getvalue()


def refused(path: Path) -> str:
    with pytest.raises(CommandError) as caught:
        run(path)
    assert caught.value.returncode == 2
    return str(caught.value)


def test_a_season_is_imported_whole_and_a_second_time_changes_nothing(db: None, write_season: Writer) -> None:
    path = write_season({})
    assert "participant: 19 added, 0 changed, 0 unchanged" in run(path)
    assert Participant.objects.get(number="000111").full_name == "Radka Vaňková"
    assert (Card.objects.count(), Device.objects.count(), Consent.objects.count()) == (18, 1, 36)
    again = run(path)
    assert "participant: 0 added, 0 changed, 19 unchanged" in again
    assert "round: 0 added, 0 changed, 1 unchanged" in again
    assert all("0 added, 0 changed" in line for line in again.splitlines())


def test_a_dry_run_changes_nothing(db: None, write_season: Writer) -> None:
    assert "dry run" in run(write_season({}), "--dry-run")
    assert Venue.objects.count() == Participant.objects.count() == Round.objects.count() == 0


def test_every_error_is_named_with_its_place_and_nothing_is_imported(
    db: None, write_season: Writer, season: dict[str, Any]
) -> None:
    people = copy.deepcopy(season["participants"])
    people[1]["surname"] = ""
    people[2]["number"] = people[0]["number"]
    people[3]["cards"][0]["uid"] = "zz"
    people[4]["nickname"] = "Blesk"
    people[5]["consents"]["publication"] = "yesterday"
    errors = refused(write_season({"participants": people, "extra": 1}))
    for place in (
        "extra: unknown part",
        "participants[1].surname:",
        "participants[2].number: '000101' is already at participants[0].number",
        "participants[3].cards[0].uid:",
        "participants[4]: Object contains unknown field `nickname`",
        "participants[5].consents",
    ):
        assert place in errors
    assert all(line.startswith(str(write_season({}))) for line in errors.splitlines())
    assert Participant.objects.count() == 0


def test_a_text_that_no_screen_can_show_is_named(db: None, write_season: Writer, season: dict[str, Any]) -> None:
    people = copy.deepcopy(season["participants"])
    people[1]["surname"] = "Nov\0ák"
    people[2]["first_name"] = "\u200b"
    people[3]["surname"] = "Nov\u202eák"
    venues = [{"id": "brno", "name": " "}, {"id": "opava", "name": "Sál\u2028A\nB"}, *season["venues"][1:]]
    errors = refused(write_season({"participants": people, "venues": venues}))
    for said in (
        "participants[1].surname: U+0000 is a control character",
        "participants[2].first_name: nothing of it can be seen",
        "participants[3].surname: U+202E turns the direction of the text",
        "venues[0].name: nothing of it can be seen",
        "venues[1].name: it has more than one line",
    ):
        assert said in errors
    assert Participant.objects.count() == 0


def test_errors_that_only_the_database_can_see_take_everything_back(
    db: None, write_season: Writer, season: dict[str, Any]
) -> None:
    people = copy.deepcopy(season["participants"])
    people[7]["home"] = "nowhere"
    rounds = copy.deepcopy(season["rounds"])
    rounds[0]["announcement"]["starts_at"] = "2031-01-15T19:00:00+01:00"
    errors = refused(write_season({"participants": people, "rounds": rounds}))
    assert "participants[7].home: there is no venue 'nowhere'" in errors
    assert "rounds[0].announcement.starts_at: there is no season 2031" in errors
    assert Participant.objects.count() == 0


def test_a_persons_language_is_kept_until_a_file_says_another(imported: dict[str, Any], write_season: Writer) -> None:
    people = copy.deepcopy(imported["participants"])
    told = []
    for language in ({"language": "en"}, {}, {"language": ""}):
        run(write_season({"participants": [people[0] | language]}))
        told.append(Participant.objects.get(number="000101").language)
    assert told == ["en", "en", ""]
    assert "participants[0].language" in refused(write_season({"participants": [people[0] | {"language": "de"}]}))


def test_retention_of_who_comes_cancelled_counts_from_the_import(
    imported: dict[str, Any], write_season: Writer
) -> None:
    people = copy.deepcopy(imported["participants"])
    for _ in range(2):
        run(write_season({"participants": [people[0] | {"state": "cancelled"}, people[1] | {"state": "refused"}]}))
    told = [(act.participant.number, act.what) for act in Act.objects.order_by("participant__number")]
    assert told == [("000101", "cancelled"), ("000102", "refused")]
    assert all(timezone.now() - act.at < timedelta(days=1) for act in Act.objects.all())


def test_LG_6_a_replacement_card_comes_with_the_old_one_declared_lost(
    imported: dict[str, Any], write_season: Writer
) -> None:
    people = copy.deepcopy(imported["participants"])
    new = {"uid": "04FFFFFFFFFF80", "issued_at": "2027-03-01T10:00:00+01:00"}
    people[0]["cards"].insert(0, new)
    assert "participants[0].cards: more than one valid card" in refused(write_season({"participants": people}))
    del people[0]["cards"][1]
    assert "participants[0].cards[0].state: 000101 already has a valid card" in refused(
        write_season({"participants": people})
    )
    people[0]["cards"].append(imported["participants"][0]["cards"][0] | {"state": "lost"})
    run(write_season({"participants": people}))
    assert Card.objects.get(participant__number="000101", state="valid").uid == "04FFFFFFFFFF80"


def test_what_cards_must_prove_comes_with_the_season_and_stays(
    db: None, write_season: Writer, season: dict[str, Any]
) -> None:
    run(write_season({}))
    assert Season.objects.get().least_card == "signed"
    run(write_season({"season": season["season"] | {"least_card": "genuine"}}))
    run(write_season({}))
    assert Season.objects.get().least_card == "genuine"
    assert "least_card" in refused(write_season({"season": season["season"] | {"least_card": "any"}}))


def test_an_announcement_is_checked_as_the_command_it_is(
    db: None, write_season: Writer, season: dict[str, Any]
) -> None:
    rounds = copy.deepcopy(season["rounds"])
    rounds[0]["announcement"]["deposit"] = -5
    assert "rounds[0].announcement: deposit:" in refused(write_season({"rounds": rounds}))
    rounds[0]["announcement"] = {"do": "open", "round": "R1"}
    assert "rounds[0].announcement.do: must be announce" in refused(write_season({"rounds": rounds}))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "line 1, column 1"),
        (b'{"venues": [}', "line 1, column 13"),
        (b'{\n"venues": \xff[]}', "line 2: not UTF-8"),
        (b"[]", "must hold one JSON object"),
        (b'{"venues": {}}', "venues: must be a list"),
        (b'{"season": {"year": NaN, "name": "x"}}', "NaN is no JSON number"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_a_broken_file_is_named_with_the_line(db: None, tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "season.json"
    path.write_bytes(content)
    error = refused(path)
    assert str(path) in error
    assert reason in error


def test_a_file_that_is_not_there_is_named(db: None, tmp_path: Path) -> None:
    assert f"{tmp_path / 'none.json'}: No such file" in refused(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["table-2", "table", "cd" * 32], "--table: a table's device needs the number of its table"),
        (["table-2", "table", "cd" * 32, "--table", "0"], "--table: a table's device needs the number of its table"),
        (["door", "uplink", "cd" * 32, "--table", "1"], "--table: a device with role uplink has no table number"),
        (["door", "uplink", "xy"], "public_key: An Ed25519 public key is 64 hex digits."),
        (["Door 1", "uplink", "cd" * 32], "name: Lower-case letters, digits and hyphens"),
        (["director", "uplink", "cd" * 32], "already exists"),
    ],
)
def test_operators_are_answered_in_english(league: League, arguments: list[str], said: str) -> None:
    command = [sys.executable, "-m", "league", "device", "add", "zabreh", *arguments]
    done = subprocess.run(command, env=league.env, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.isascii()


def test_devices_are_added_and_revoked(imported: dict[str, Any]) -> None:
    out = StringIO()
    call_command("device", "add", "zabreh", "table-1", "table", "ab" * 32, "--table", "1", stdout=out)
    call_command("device", "list", "zabreh", stdout=out)
    assert f"zabreh/table-1 table 1 {'ab' * 32} valid" in out.getvalue()
    for wrong in (
        ["zabreh", "table-2", "table", "cd" * 32],
        ["zabreh", "table-2", "director", "xy"],
        ["zabreh", "Table 2", "director", "cd" * 32],
        ["zabreh", "table-2", "director", "ab" * 32],
        ["nowhere", "table-2", "director", "cd" * 32],
    ):
        with pytest.raises(CommandError):
            call_command("device", "add", *wrong)
    device = Device.objects.get(name="table-1")
    now = timezone.now()
    # any kiosk may come to direct, and a spare takes the place of a table that is gone
    assert all(device.may_write(name, now) for name in ("table/zabreh-1", "table/zabreh-2", "round/R1", "venue/zabreh"))
    assert not any(device.may_write(name, now) for name in ("table/brno-1", "venue/brno", "league/zabreh"))
    call_command("device", "revoke", "zabreh", "table-1", stdout=out)
    assert not Device.objects.get(name="table-1").may_write("table/zabreh-1", now)
