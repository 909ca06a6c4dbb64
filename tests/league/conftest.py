"""The league in this process, on a database of its own, and a season for it."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"
os.environ["TABLESIDE_LEAGUE_DIR"] = tempfile.mkdtemp(prefix="league-tests-")
os.environ.pop("DATABASE_URL", None)
os.environ.pop("TABLESIDE_KEYS_DATABASE_URL", None)

import django

from tests.league import postgres
from tests.league.processes import League
from tests.league.scribe import evening_script

with postgres.own_databases(f"league_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"):
    django.setup()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What runs the league as processes is for `make test-evenings`, with a browser for `make test-office`."""
    for item in items:
        if not item.path.is_relative_to(Path(__file__).parent):
            continue
        if item.path.stem.endswith("_browser"):
            item.add_marker("browser")
        elif "migrated" in getattr(item, "fixturenames", ()):
            item.add_marker("whole")


@pytest.fixture(autouse=True)
def _language() -> None:
    """The league's own, whatever page a test before has asked for last."""
    from django.conf import settings
    from django.utils import translation

    translation.activate(settings.LANGUAGE_CODE)


@pytest.fixture(scope="session")
def _database() -> Iterator[None]:
    from django.test.utils import setup_databases, setup_test_environment, teardown_databases, teardown_test_environment

    from league.site import caching

    caching.LONGEST_S = 0  # tests change rows behind the counter's back; those about kept pages turn it on again
    setup_test_environment()
    names = setup_databases(verbosity=0, interactive=False)
    yield
    teardown_databases(names, verbosity=0)
    teardown_test_environment()


@pytest.fixture
def db(_database: None) -> Iterator[None]:
    """Databases that are as before after the test."""
    from django.db import transaction

    with transaction.atomic(), transaction.atomic(using="keys"):
        yield
        transaction.set_rollback(True)
        transaction.set_rollback(True, using="keys")


@pytest.fixture
def settings_dir(tmp_path: Path) -> Iterator[Path]:
    """A data directory of this test's own, which the league in this process uses meanwhile."""
    from django.test import override_settings

    with override_settings(DATA_DIR=tmp_path):
        yield tmp_path


@pytest.fixture
def director_key() -> Ed25519PrivateKey:
    """The key of the director's device in `season`."""
    return Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


@pytest.fixture
def announcement() -> dict[str, Any]:
    """The announce command of the evening in the test data."""
    command = json.loads(next(line for line in evening_script() if line.startswith("{")))
    del command["at"]
    return dict(command)


@pytest.fixture
def season(announcement: dict[str, Any], director_key: Ed25519PrivateKey) -> dict[str, Any]:
    """A season file: the evening's venue, its 18 participants (two of them without consent) and its round."""
    people = [
        {
            "number": f"{101 + n:06}",
            "first_name": first,
            "surname": surname,
            "home": "zabreh",
            "consents": {"processing": "2027-01-02T10:00:00+01:00"}
            | ({} if n in (3, 16) else {"publication": "2027-01-02T10:00:00+01:00"}),
            "cards": [{"uid": f"04A1B2C3D4{n:02X}80", "issued_at": "2027-01-02T10:00:00+01:00"}],
        }
        for n, (first, surname) in enumerate(_NAMES)
    ]
    people.append(people[0] | {"number": "000900", "role": "commissioner", "surname": "Řehořová", "cards": []})
    return {
        "season": {"year": 2027, "name": "Ročník 2027"},
        "venues": [{"id": "zabreh", "name": "Sokolovna", "town": "Zábřeh"}],
        "devices": [
            {
                "venue": "zabreh", "name": "director", "role": "director",
                "public_key": director_key.public_key().public_bytes_raw().hex(),
            }
        ],
        "participants": people,
        "rounds": [{"name": "1. kolo", "announcement": announcement}],
    }  # fmt: skip


@pytest.fixture
def imported(db: None, season: dict[str, Any]) -> dict[str, Any]:
    """The season in the database; what the office does from now on is on record."""
    from league.rounds import season_file, season_import
    from league.staff.models import AuditEntry

    season_import.apply(season_file.check(season))
    AuditEntry.objects.all().delete()
    return season


@pytest.fixture
def write_season(tmp_path: Path, season: dict[str, Any]) -> Callable[[dict[str, Any]], Path]:
    """Write a season, with changes, to a file."""

    def write(changes: dict[str, Any]) -> Path:
        path = tmp_path / "season.json"
        path.write_text(json.dumps(season | changes, ensure_ascii=False), encoding="utf-8")
        return path

    return write


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[League]:
    """A league with empty, migrated databases, to be copied."""
    league = League(tmp_path_factory.mktemp("migrated") / "league")
    league.run("migrate", "-v0")
    yield league
    league.stop()


@pytest.fixture
def empty_league(tmp_path: Path, migrated: League) -> Iterator[League]:
    """A league in a directory of its own, migrated, with nothing in it."""
    league = League(tmp_path / "league", like=migrated)
    yield league
    league.stop()


@pytest.fixture
def league(empty_league: League, write_season: Callable[[dict[str, Any]], Path]) -> League:
    """A league in a directory of its own, migrated, with the season imported."""
    empty_league.run("import_season", str(write_season({})))
    return empty_league


_NAMES = [
    ("Věra", "Žáčková"), ("Jiří", "Dvořák"), ("Šárka", "Němcová"), ("Ondřej", "Kříž"), ("Ľubomír", "Ďurica"),
    ("Zdeněk", "Růžička"), ("Bára", "Součková"), ("Tomáš", "Háček"), ("Eliška", "Šťastná"), ("Matěj", "Čermák"),
    ("Radka", "Vaňková"), ("Petr", "Malý"), ("Alžběta", "Pešková"), ("Miloš", "Úlehla"), ("Hedvika", "Óbrová"),
    ("Jáchym", "Řezníček"), ("Květa", "Příhodová"), ("Vít", "Svoboda"),
]  # fmt: skip
