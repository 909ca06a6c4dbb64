"""The league in this process on a database of its own, and a venue's pen to write streams with."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Raw

from appliance import record as rec
from appliance.link.envelope import Batch
from appliance.record import Head, Record

os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"
os.environ["TABLESIDE_LEAGUE_DIR"] = tempfile.mkdtemp(prefix="league-tests-")
os.environ.pop("DATABASE_URL", None)

import django

django.setup()

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture(scope="session")
def _database() -> Iterator[None]:
    from django.test.utils import setup_databases, setup_test_environment, teardown_databases, teardown_test_environment

    setup_test_environment()
    names = setup_databases(verbosity=0, interactive=False)
    yield
    teardown_databases(names, verbosity=0)
    teardown_test_environment()


@pytest.fixture
def db(_database: None) -> Iterator[None]:
    """A database that is as before after the test."""
    from django.db import transaction

    with transaction.atomic():
        yield
        transaction.set_rollback(True)


class Scribe:
    """Writes one stream as a device of a venue does, and cuts it into batches."""

    def __init__(
        self, stream: str, device: str, key: Ed25519PrivateKey, *, epoch: str = "1-00c0ffee00c0ffee",
        after: Head | None = None,
    ) -> None:  # fmt: skip
        self.stream, self.device, self.key, self.epoch = stream, device, key, epoch
        self.raws: list[bytes] = []
        self.heads: list[Head] = []
        link = rec.Link(after.epoch, after.seq, after.hash) if after else None
        self._prev = after.hash if after else None
        self.write(rec.EPOCH_OPENED, rec.EpochOpened(link, device, "test"))

    def write(self, kind: str, data: Any, at: int = 1_800_000_000_000, cause: str | None = None) -> Head:
        """Append a record; ``data`` is anything JSON, or its bytes."""
        body = Raw(data) if isinstance(data, bytes) else rec.to_raw(data)
        seq = len(self.raws) + 1
        raw = rec.encode(
            Record(
                stream=self.stream, epoch=self.epoch, seq=seq, id=rec.uuid7(at, os.urandom(10)), at=at,
                type=kind, data=body, cause=cause, prev=self._prev,
            )
        )  # fmt: skip
        self.raws.append(raw)
        self._prev = rec.digest(raw)
        self.heads.append(Head(self.stream, self.epoch, seq, self._prev))
        return self.heads[-1]

    def batch(self, first: int = 1, last: int | None = None) -> Batch:
        """Records ``first`` … ``last``, signed at their end."""
        last = last or len(self.raws)
        signature = rec.sign(self.key, self.heads[last - 1])
        return Batch(self.stream, self.epoch, first, tuple(Raw(raw) for raw in self.raws[first - 1 : last]), signature)


@pytest.fixture
def scribe() -> type[Scribe]:
    """The class, for tests that write streams."""
    return Scribe


@pytest.fixture
def director_key() -> Ed25519PrivateKey:
    """The key of the director's device in `season`."""
    return Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


@pytest.fixture
def announcement() -> dict[str, Any]:
    """The announce command of the evening in the test data."""
    with (DATA / "evening-18.jsonl").open(encoding="utf-8") as lines:
        command = json.loads(next(line for line in lines if line.startswith("{")))
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
    """The season in the database."""
    from league.rounds import season_file, season_import

    season_import.apply(season_file.check(season))
    return season


@pytest.fixture
def write_season(tmp_path: Path, season: dict[str, Any]) -> Callable[[dict[str, Any]], Path]:
    """Write a season, with changes, to a file."""

    def write(changes: dict[str, Any]) -> Path:
        path = tmp_path / "season.json"
        path.write_text(json.dumps(season | changes, ensure_ascii=False), encoding="utf-8")
        return path

    return write


_NAMES = [
    ("Věra", "Žáčková"), ("Jiří", "Dvořák"), ("Šárka", "Němcová"), ("Ondřej", "Kříž"), ("Ľubomír", "Ďurica"),
    ("Zdeněk", "Růžička"), ("Bára", "Součková"), ("Tomáš", "Háček"), ("Eliška", "Šťastná"), ("Matěj", "Čermák"),
    ("Radka", "Vaňková"), ("Petr", "Malý"), ("Alžběta", "Pešková"), ("Miloš", "Úlehla"), ("Hedvika", "Óbrová"),
    ("Jáchym", "Řezníček"), ("Květa", "Příhodová"), ("Vít", "Svoboda"),
]  # fmt: skip
