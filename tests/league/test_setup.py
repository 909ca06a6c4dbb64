"""What a new installation finds: keys, databases, settings, texts, commands."""

from __future__ import annotations

import io
import os
import re
import stat
import subprocess
import sys
from collections.abc import Sequence
from io import StringIO
from pathlib import Path

import pytest
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from django.core.management import call_command

from league import home
from scripts import league_texts

LOCALE = Path(home.__file__).parent / "locale"


def test_secrets_are_made_once_and_are_their_owners_alone(tmp_path: Path) -> None:
    place = tmp_path / "data"
    home.prepare(place)
    first = home.secret_key(place, {})
    home.prepare(place)
    assert home.secret_key(place, {}) == first
    assert len(first) >= 50
    assert home.public_key(place) == home.public_key(place)
    assert {stat.S_IMODE(file.stat().st_mode) for file in place.iterdir()} == {0o600}
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert home.secret_key(place, {"TABLESIDE_LEAGUE_SECRET_KEY": "given"}) == "given"


def test_reading_the_settings_writes_nothing(tmp_path: Path) -> None:
    assert home.secret_key(tmp_path / "none", {}) != home.secret_key(tmp_path / "none", {})
    home.database(tmp_path / "none", {})
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_key_is_named_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "league-ed25519.key"
    path.write_text("nonsense")
    with pytest.raises(ValueError, match=re.escape(str(path))):
        home.signing_key(tmp_path)
    assert path.read_text() == "nonsense"


def test_the_database_comes_from_its_url(tmp_path: Path) -> None:
    default = home.database(tmp_path, {})
    assert default["NAME"] == str(tmp_path / "league.sqlite3")
    assert default["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "synchronous=FULL" in default["OPTIONS"]["init_command"]
    assert home.database(tmp_path, {"DATABASE_URL": "sqlite:////srv/a%20b.sqlite3"})["NAME"] == "/srv/a b.sqlite3"
    postgres = home.database(tmp_path, {"DATABASE_URL": "postgresql://liga:p%40ss@db.cz:5433/league?sslmode=require"})
    assert (postgres["NAME"], postgres["USER"], postgres["PASSWORD"]) == ("league", "liga", "p@ss")
    assert (postgres["HOST"], postgres["PORT"], postgres["OPTIONS"]) == ("db.cz", "5433", {"sslmode": "require"})
    with pytest.raises(ValueError, match="neither sqlite nor postgresql"):
        home.database(tmp_path, {"DATABASE_URL": "mysql://x/y"})


@pytest.mark.parametrize("language", ["cs", "en"])
@pytest.mark.parametrize("locale", league_texts.catalogues(), ids=lambda folder: folder.parent.name)
def test_every_text_is_translated_and_compiled(locale: Path, language: str) -> None:
    folder = locale / language / "LC_MESSAGES"
    written = read_po(io.BytesIO((folder / "django.po").read_bytes()), locale=language)
    compiled = read_mo(io.BytesIO((folder / "django.mo").read_bytes()))
    for message in written:
        if message.id:
            assert message.string, message.id
            assert not message.fuzzy, message.id
            id = message.id if isinstance(message.id, str) else message.id[0]
            found = compiled.get(id, message.context)
            assert found is not None and _forms(found.string) == _forms(message.string), message.id


def _forms(text: str | Sequence[str]) -> list[str]:
    """A text, or the plural forms of one, whichever kind of sequence they came as."""
    return [text] if isinstance(text, str) else list(text)


def test_no_text_is_missing_from_the_catalogues() -> None:
    folders = league_texts.catalogues()
    known = {(message.id, message.context) for folder in folders for message in league_texts.read(folder, "cs")}
    found = 0
    for file, line, text in league_texts.texts_of(LOCALE.parent):
        assert (text.id, text.context) in known, f"{file}:{line}: {text.id}: run python -m scripts.league_texts"
        found += 1
    assert found > 200


def test_models_and_migrations_agree(db: None) -> None:
    call_command("makemigrations", "--check", "--dry-run", stdout=StringIO())


def test_django_finds_nothing_to_complain_about_behind_tls(tmp_path: Path) -> None:
    env = os.environ | {
        "TABLESIDE_LEAGUE_DIR": str(tmp_path), "TABLESIDE_LEAGUE_HTTPS": "1", "TABLESIDE_LEAGUE_HOSTS": "liga.cz",
    }  # fmt: skip
    command = [sys.executable, "-m", "league", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["--help"], 0, "import_season"),
        (["publish_roster", "--help"], 0, "rosters"),
        (["device", "list"], 1, "run the migrate command first"),
        (["nonsense"], 2, "Unknown command: 'nonsense'"),
        (["device", "nonsense"], 2, "invalid choice"),
    ],
)
def test_tableside_league_hands_everything_over(tmp_path: Path, arguments: list[str], status: int, said: str) -> None:
    env = os.environ | {"TABLESIDE_LEAGUE_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "appliance", "league", *arguments]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("words", [["--help"], ["cards", "ledger.jsonl"], ["card_key"], ["nonsense"]])
def test_only_migrate_makes_a_league_where_none_is(tmp_path: Path, words: list[str]) -> None:
    """Run in the wrong folder, a command must not leave there what looks like a league."""
    environment = {
        name: value for name, value in os.environ.items() if name not in ("TABLESIDE_LEAGUE_DIR", "DATABASE_URL")
    }
    asked = subprocess.run(
        [sys.executable, "-m", "league", *words], cwd=tmp_path, capture_output=True, text=True, check=False,
        env=environment | {"PYTHONPATH": str(LOCALE.parents[1])},
    )  # fmt: skip
    assert list(tmp_path.iterdir()) == []
    if words[0].startswith("card"):
        assert f"there is no league in {tmp_path}/league-data" in asked.stderr and asked.returncode != 0
