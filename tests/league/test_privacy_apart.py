"""Persons' keys are never in the database that they protect (DESIGN §6)."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from league import home
from league.privacy.checks import place_of

SERVER = "postgresql://league:a@db.example/league"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (SERVER, SERVER, True),
        (SERVER, "postgres://other:b@DB.example:5432/league?sslmode=require", True),
        (SERVER, "postgresql:///league?host=db.example", True),
        ("postgresql:///league", "postgresql://league:a@127.0.0.1/league", True),
        (SERVER, "postgresql://league:a@db.example/league_keys", False),
        (SERVER, "postgresql://league:a@db2.example/league", False),
        (SERVER, "postgresql://league:a@db.example:5433/league", False),
        ("sqlite:////srv/league.sqlite3", "sqlite:////srv/./x/../league.sqlite3", True),
        ("sqlite:////srv/league.sqlite3", "sqlite:////srv/keys.sqlite3", False),
        ("sqlite:////srv/league.sqlite3", SERVER, False),
    ],
)
def test_P_one_database_is_known_under_two_addresses(one: str, other: str, same: bool) -> None:
    here = Path("/srv")
    first = home.database(here, {"DATABASE_URL": one})
    second = home.keys_database(here, {"TABLESIDE_KEYS_DATABASE_URL": other})
    assert (place_of(first) == place_of(second)) is same


def test_P_no_league_is_made_where_keys_and_league_share_a_database(tmp_path: Path) -> None:
    database = f"sqlite://{tmp_path}/one.sqlite3"
    env = os.environ | {
        "TABLESIDE_LEAGUE_DIR": str(tmp_path / "league"), "DATABASE_URL": database,
        "TABLESIDE_KEYS_DATABASE_URL": database,
    }  # fmt: skip
    for command in ("migrate", "restore", "check"):
        words = ["x.backup"] if command == "restore" else []
        done = subprocess.run(
            [sys.executable, "-m", "league", command, *words], env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 1, done.stdout
        assert "TABLESIDE_KEYS_DATABASE_URL must name another database" in done.stderr, (command, done.stderr)
        assert "Traceback" not in done.stderr
    with closing(sqlite3.connect(tmp_path / "one.sqlite3")) as made:
        assert made.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,)
