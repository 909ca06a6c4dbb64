"""Two stores that belong together: of one league only, opened by nobody else, and nothing left open by a kill."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from league.backups import archive, following
from league.backups.archive import Erased
from league.people.models import Participant
from tests.league.people_cards import DAY, registered, stand_at
from tests.league.processes import League
from tests.league.test_backups import PRIVATE, confide, confided, erase, refused


@pytest.fixture
def another(league: League, tmp_path: Path) -> Any:
    """Another league, whose people have the same ids and numbers."""
    made = League(tmp_path / "another", like=league)
    yield made
    made.stop()


def test_neither_store_is_restored_over_the_other_one_of_another_league(
    league: League, another: League, tmp_path: Path
) -> None:
    for each in (league, another):
        confide(each, "000101", "000102")
    erase(another, "000102")
    keys, copy = tmp_path / "keys.backup", tmp_path / "league.backup"
    another.run("backup", "--keys", str(keys))
    another.run("backup", str(copy))
    assert league.run("league_key") != another.run("league_key")
    assert "of another league" in refused(league, "restore", "--keys", str(keys), "--replace")
    assert "of another league" in refused(league, "restore", str(copy), "--replace")
    assert json.loads(confided(league, "000102")) == PRIVATE


def test_who_cannot_be_opened_after_a_restore_is_said(league: League, tmp_path: Path) -> None:
    keys = tmp_path / "keys.backup"
    confide(league, "000101")
    league.run("backup", "--keys", str(keys))
    confide(league, "000102")
    assert "opened by no key that is here: 1 (000102)" in league.run("restore", "--keys", str(keys), "--replace")


KILLED = """
import os
import signal
from django.core.management import call_command
from league.backups import on_postgresql, on_sqlite
def die(copy):
    os.kill(os.getpid(), signal.SIGKILL)
on_sqlite.check = on_postgresql.check = die
call_command({command!r}, {path!r}, keys=True)
"""


def test_what_a_killed_backup_or_restore_left_open_is_deleted_by_the_next_run(league: League, tmp_path: Path) -> None:
    confide(league, "000101")
    keys, copies = tmp_path / "keys.backup", tmp_path / "copies"
    copies.mkdir()
    league.run("backup", "--keys", str(keys))
    league.run("shell", "-v0", "-c", "from league.privacy.models import *; PersonKey.objects.all().delete()")
    for command, path in (("backup", copies), ("restore", keys)):
        code = KILLED.format(command=command, path=str(path))
        cut = subprocess.run(league.command("shell", "-v0", "-c", code), env=league.env, check=False)
        assert cut.returncode == -signal.SIGKILL
    left = [path for place in (copies, league.directory) for path in place.glob(".tableside-backup-*")]
    assert [stat.S_IMODE(path.stat().st_mode) for path in left] == [0o700, 0o700]
    assert {stat.S_IMODE(path.stat().st_mode) for each in left for path in each.iterdir()} == {0o600}
    said = league.run("backup", "--keys", str(copies))
    assert [f"{path}: left open by a backup or a restore that was killed; deleted" in said for path in left] == [
        True
    ] * 2
    assert [path.suffix for path in copies.iterdir()] == [".backup"]
    assert not any(path.exists() for path in left)


def test_nobody_deletes_the_folder_of_a_backup_at_work(tmp_path: Path) -> None:
    with archive.workroom(tmp_path) as room:
        (room / "database").touch()
        pid = os.fork()
        if pid == 0:
            os._exit(len(list(archive.sweep(tmp_path))))
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        assert (room / "database").exists()
    assert list(tmp_path.iterdir()) == []


def test_whoever_was_erased_with_the_clock_behind_is_erased_again(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_at(monkeypatch)
    person: Participant = registered()
    assert following.keys([Erased(person.pk, person.number, DAY - timedelta(days=1))]).erased == [person.number]
    person.refresh_from_db()
    assert (person.full_name, person.email) == ("", "")
