"""A league's backup, made while it works, and all of it back: on another machine, in its own place, after a kill."""

from __future__ import annotations

import contextlib
import json
import re
import stat
import subprocess
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.utils import timezone

from appliance.link.broker import find_broker, start_broker
from league.backups import archive, following
from league.backups.archive import BackupError
from league.ingest.own_pen import own_pen
from league.mail import outbox
from league.mail.models import Letter
from league.staff.roles import Role
from tests.league.office import staff_client
from tests.league.processes import League, Uplink, eventually, fetch
from tests.league.scribe import evening

PRIVATE = {"birth_number": "7551010003", "street": "Křižíkova 12", "town": "Mohelnice", "country": "CZ"}
ALL = "SELECT number, first_name, surname, state, erased_at FROM people_participant ORDER BY number"


def ask(league: League, code: str) -> str:
    """What a few lines of Python print, run in the league."""
    return league.run("shell", "-v0", "-c", code)


def confide(league: League, *numbers: str) -> None:
    """Have something private of people in the vault."""
    code = "from league.people.models import Participant; from league.privacy.vault import *;"
    ask(league, f"{code} [seal(p, Private(**{PRIVATE!r})) for p in Participant.objects.filter(number__in={numbers})]")


def confided(league: League, number: str) -> str:
    """What the vault has of somebody: JSON, or ``erased``, or nothing."""
    return ask(
        league,
        f"""
import msgspec
from league.people.models import Participant
from league.privacy.vault import *
try:
    print(msgspec.json.encode(unseal(Participant.objects.get(number='{number}'))).decode())
except Erased:
    print("erased")
""",
    ).strip()


def erase(league: League, number: str) -> None:
    code = "from league.people.acts import By; from league.people.models import Participant;"
    ask(
        league,
        f"{code} from league.privacy.erasing import erase; erase(Participant.objects.get(number='{number}'), By('t'))",
    )


def refused(league: League, *arguments: str) -> str:
    done = subprocess.run(league.command(*arguments), env=league.env, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.fixture
def elsewhere(tmp_path: Path) -> Any:
    """A machine with nothing on it."""
    league = League(tmp_path / "elsewhere")
    yield league
    league.stop()


def test_a_working_league_comes_back_whole_on_another_machine(
    league: League, elsewhere: League, tmp_path: Path, director_key: Ed25519PrivateKey
) -> None:
    confide(league, "000101", "000102")
    copy, keys = tmp_path / "league.backup", tmp_path / "keys.backup"
    with start_broker(find_broker(), tmp_path / "broker") as broker:
        url = f"mqtt://{broker.endpoint.host}:{broker.endpoint.port}"
        ingest, _ = league.start("ingest", "--broker", url, until="ingest: connected")
        stream = evening(director_key)
        half = len(stream.raws) // 2
        uplink = Uplink(broker)
        while uplink.upto < half:
            uplink.send(stream.batch(uplink.upto + 1, half))
            uplink.listen(0.5)
        assert "read again" in league.run("backup", str(copy))
        league.run("backup", "--keys", str(keys))
        uplink.deliver(stream, 500)
        eventually(lambda: league.rows("SELECT count(*) FROM standings_result"), [(18,)])
        wanted = league.rows("SELECT number, place, prize, half_points FROM standings_result ORDER BY number")
        people = league.rows(ALL)
        ingest.terminate()
        ingest.wait(20)

        assert "in a new epoch: zabreh" in elsewhere.run("restore", str(copy))
        elsewhere.run("restore", "--keys", str(keys))
        assert elsewhere.run("league_key") == league.run("league_key")
        assert elsewhere.rows(ALL) == people
        assert json.loads(confided(elsewhere, "000101")) == PRIVATE
        elsewhere.start("ingest", "--broker", url, until="ingest: connected")
        uplink.upto = 0
        uplink.deliver(stream, 500)  # what came since the backup is still at the venue
        uplink.client.stop()
        results = "SELECT number, place, prize, half_points FROM standings_result ORDER BY number"
        eventually(lambda: elsewhere.rows(results), wanted)
    _, line = elsewhere.start("serve", "--port", "0", until="serving")
    base = re.findall(r"http://\S+", line)[0]
    assert fetch(f"{base}api/1/rounds/R1.json")["state"] == "finished"
    assert {stat.S_IMODE(path.stat().st_mode) for path in (copy, keys)} == {0o600}


def test_a_backup_opens_nothing_private_without_the_one_of_keys(league: League, tmp_path: Path) -> None:
    confide(league, "000101", "000102")
    erase(league, "000102")
    copy, keys = tmp_path / "league.backup", tmp_path / "keys.backup"
    league.run("backup", str(copy))
    league.run("backup", "--keys", str(keys))
    with archive.unpacked(copy) as (manifest, folder), archive.unpacked(keys) as (other, apart):
        assert sorted(manifest.members) == ["database", "home/django-key", "home/league-ed25519.key"]
        assert list(other.members) == ["database"]
        assert not {"privacy_personkey", "privacy_birthindex"} & manifest.rows.keys()
        assert "people_participant" not in other.rows
        said = as_text(folder / "database") + as_text(apart / "database")
    assert "Žáčková" in said  # the reader of this test reads
    assert [word for word in PRIVATE.values() if len(word) > 2 and word in said] == []
    assert "Dvořák" not in said


def as_text(database: Path) -> str:
    """All that stands in a copy, whichever kind it is of."""
    if database.read_bytes()[:5] == b"PGDMP":
        from league.backups.on_postgresql import _program

        said = subprocess.run([_program("pg_restore"), "-f", "-", database], capture_output=True, check=True)
        return said.stdout.decode()
    return database.read_bytes().decode(errors="ignore")


@pytest.mark.parametrize(
    ("lost", "order"),
    [(False, ("league", "keys")), (True, ("league", "keys")), (True, ("keys", "league"))],
    ids=["in its place", "elsewhere", "elsewhere, keys first"],
)
def test_whoever_was_erased_since_stays_erased(
    league: League, elsewhere: League, tmp_path: Path, lost: bool, order: tuple[str, str]
) -> None:
    """In its own place both backups may be older than the erasure; elsewhere one of them must be newer."""
    confide(league, "000101", "000102")
    old, keys = tmp_path / "league.backup", tmp_path / "keys.backup"
    league.run("backup", str(old))
    if not lost:
        league.run("backup", "--keys", str(keys))
    erase(league, "000102")
    if lost:
        league.run("backup", "--keys", str(keys))
    target = elsewhere if lost else league
    told = ""
    for what in order:
        words = [str(old)] if what == "league" else ["--keys", str(keys)]
        told += target.run("restore", *words, *([] if lost else ["--replace"]))
    assert "erased since, and again: 000102" in told
    people = {number: (first, surname, erased) for number, first, surname, _, erased in target.rows(ALL)}
    assert people["000102"][:2] == ("", "") and people["000102"][2]
    assert people["000101"][1] == "Žáčková"
    assert confided(target, "000102") in ("{}", "erased")
    assert json.loads(confided(target, "000101")) == PRIVATE


def test_older_keys_bring_nobody_back_whom_the_newer_league_knows_as_erased(
    league: League, elsewhere: League, tmp_path: Path
) -> None:
    confide(league, "000101", "000102")
    keys, new = tmp_path / "keys.backup", tmp_path / "league.backup"
    league.run("backup", "--keys", str(keys))
    erase(league, "000102")
    league.run("backup", str(new))
    elsewhere.run("restore", "--keys", str(keys))
    elsewhere.run("restore", str(new))
    assert ask(elsewhere, "from league.privacy.models import *; print(PersonKey.objects.count())").strip() == "1"


def test_what_is_there_is_replaced_only_when_asked_and_not_while_it_is_used(league: League, tmp_path: Path) -> None:
    copy = tmp_path / "league.backup"
    league.run("backup", str(copy))
    assert "a backup never takes another's place" in refused(league, "backup", str(copy))
    league.change("UPDATE people_participant SET surname = %s WHERE number = '000101'", "Vdaná")
    assert "--replace" in refused(league, "restore", str(copy))
    assert "--keys restores" not in refused(league, "restore", "--keys", str(copy))
    with start_broker(find_broker(), tmp_path / "broker") as broker:
        url = f"mqtt://{broker.endpoint.host}:{broker.endpoint.port}"
        ingest, _ = league.start("ingest", "--broker", url, until="ingest: connected")
        assert "stop serve and ingest first" in refused(league, "restore", str(copy), "--replace")
        assert league.rows(ALL)[0][2] == "Vdaná"
        ingest.terminate()
        ingest.wait(20)
    league.run("restore", str(copy), "--replace")
    assert league.rows(ALL)[0][2] == "Žáčková"


def test_letters_that_may_be_sent_since_the_backup_wait_for_somebody_of_the_office(
    imported: dict[str, Any], settings_dir: Path
) -> None:
    letters = [outbox.post(f"{n}@hraci.example", "Kolo", "Přesunuto", about=f"{n}") for n in range(3)]
    assert all(letters)
    sent_at = timezone.now() - timedelta(days=1)
    Letter.objects.filter(about="0").update(sent_at=sent_at)
    Letter.objects.filter(about="1").update(given_up_at=sent_at, error="550 no such user")
    own_pen()
    following.league([], {})
    sent, given_up, unsent = Letter.objects.order_by("about")
    assert (sent.state, sent.error, given_up.given_up_at, given_up.error) == ("sent", "", sent_at, "550 no such user")
    assert unsent.state == "failed" and unsent.error == "Written before a restore: it may have been sent already."
    page = staff_client(Role.CLERK).get("/office/letters/").content.decode()
    assert "Napsáno před obnovou ze zálohy: možná už byl odeslán." in page
    assert outbox.try_anew(unsent, timezone.now())
    unsent.refresh_from_db()
    assert unsent.given_up_at is None


def test_a_damaged_or_outdated_backup_changes_nothing(league: League, tmp_path: Path) -> None:
    copy, keys = tmp_path / "league.backup", tmp_path / "keys.backup"
    league.run("backup", str(copy))
    league.run("backup", "--keys", str(keys))
    before = league.rows(ALL)
    raw = copy.read_bytes()
    copy.write_bytes(raw[:5000] + bytes(200) + raw[5200:])
    assert "damaged" in refused(league, "restore", str(copy), "--replace")
    again(keys, made_at=timezone.now() - timedelta(days=31))
    assert "older than 30 days" in refused(league, "restore", "--keys", str(keys), "--replace")
    assert league.rows(ALL) == before
    assert f"{keys}: deleted" in league.run("backup", "--keys", str(tmp_path))
    assert not keys.exists() and len(list(tmp_path.glob("person-keys-*.backup"))) == 1


def again(path: Path, **other: Any) -> None:
    """Write a backup once more, with a manifest that says something else."""
    with archive.unpacked(path) as (manifest, folder):
        path.unlink()
        told = msgspec.structs.replace(manifest, **other)
        archive.write(path, told, {name: folder / name for name in manifest.members})


def test_what_is_no_backup_of_ours_is_refused(tmp_path: Path) -> None:
    (tmp_path / "database").write_bytes(b"rows" * 10_000)
    path = tmp_path / "a.backup"
    made = archive.write(
        path,
        archive.Manifest(
            what="league", vendor="sqlite", league="ab", made_at=timezone.now(), rows={}, migrations=[], erased=[]
        ),
        {"database": tmp_path / "database"},
    )
    whole = path.read_bytes()
    with archive.unpacked(path) as (manifest, folder):
        assert manifest == made
        assert (folder / "database").read_bytes() == b"rows" * 10_000
    with pytest.raises(BackupError, match="never takes another's place"):
        archive.write(path, made, {})
    assert path.read_bytes() == whole
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x5A]) + whole[place + 1 :])
        with contextlib.suppress(BackupError), archive.unpacked(path) as (manifest, folder):
            assert manifest.members == made.members  # a byte that says nothing: a time, a version
            assert (folder / "database").read_bytes() == b"rows" * 10_000
        path.write_bytes(whole[:place])
        with pytest.raises(BackupError), archive.unpacked(path):
            pass
    for name in ("../database", "home/../../x", "/etc/x", "home/", "other"):
        path.unlink()
        archive.write(path, made, {name: tmp_path / "database"})
        with pytest.raises(BackupError, match="is no file of a backup"), archive.unpacked(path):
            pass
    assert sorted(place.name for place in tmp_path.iterdir()) == ["a.backup", "database"]


REGISTER = """
from league.people.models import Participant
from league.people.registering import create, next_number
plain = dict.fromkeys(("title", "first_name", "surname", "email", "language", "home_venue"), "")
"""


def test_LG_5_no_number_is_given_twice_after_a_restore(league: League, tmp_path: Path) -> None:
    copy, keys = tmp_path / "league.backup", tmp_path / "keys.backup"
    league.run("backup", str(copy))
    league.run("backup", "--keys", str(keys))
    assert ask(league, f"{REGISTER}print(create(plain).number, create(plain).number)").split() == ["000901", "000902"]
    league.run("restore", str(copy), "--replace")
    assert ask(league, f"{REGISTER}print(next_number())").strip() == "000903"
    league.run("restore", "--keys", str(keys), "--replace")
    assert ask(league, f"{REGISTER}print(next_number())").strip() == "000903"


def test_LG_5_numbers_given_since_are_known_from_the_newer_keys(
    league: League, elsewhere: League, tmp_path: Path, write_season: Any
) -> None:
    """Those of an import among them, and of nobody whom a trial alone would have brought."""
    copy, keys = tmp_path / "league.backup", tmp_path / "keys.backup"
    league.run("backup", str(copy))
    people = json.loads(write_season({}).read_text())["participants"]
    more = {"participants": [people[0] | {"number": "001500", "cards": []}], "rounds": [], "devices": []}
    league.run("import_season", str(write_season(more)))
    more["participants"][0]["number"] = "001600"
    league.run("import_season", "--dry-run", str(write_season(more)))
    league.run("backup", "--keys", str(keys))
    elsewhere.run("restore", str(copy))
    elsewhere.run("restore", "--keys", str(keys))
    assert ask(elsewhere, f"{REGISTER}print(next_number())").strip() == "001501"


CUT_OFF = """
import os
from django.core.management import call_command
from league.backups import following, restoring
{place} = lambda *_given, **_told: os._exit(9)
call_command("restore", {copy!r}, replace=True)
"""


@pytest.mark.parametrize("place", ["restoring._put_secrets", "following.league"])
def test_a_restore_that_was_cut_off_stops_every_command_until_one_is_whole(
    league: League, tmp_path: Path, place: str
) -> None:
    copy = tmp_path / "league.backup"
    league.run("backup", str(copy))
    league.change("UPDATE people_participant SET surname = %s WHERE number = '000101'", "Vdaná")
    cut = subprocess.run(
        league.command("shell", "-v0", "-c", CUT_OFF.format(place=place, copy=str(copy))), env=league.env, check=False
    )
    assert cut.returncode == 9
    for command in (["serve"], ["backup", str(tmp_path / "other.backup")]):
        assert "a restore was not finished: run it again first" in refused(league, *command)
    assert "in a new epoch" not in league.run("restore", str(copy))  # whole, and nobody has to ask for --replace
    assert league.rows(ALL)[0][2] == "Žáčková"
    league.run("offer_round", "--all")
