"""Makes backups: of the league, or of the store of persons' keys, which are kept for thirty days and never together."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS

from league import home
from league.backups import archive
from league.backups.archive import BackupError, Erased, Manifest, What
from league.backups.engines import engine_of
from league.privacy.models import Erasure
from league.privacy.router import KEYS

KEPT_DAYS = 30
"""So long a copy of persons' keys may stay: who is erased today can be opened by none after that."""

SUFFIX = ".backup"
ALIAS: dict[What, str] = {"league": DEFAULT_DB_ALIAS, "person-keys": KEYS}


def make(what: What, asked: Path, now: datetime) -> tuple[Path, Manifest]:
    """Back up to a file that is not there yet, or into a folder, under a name by the time. Raises `BackupError`."""
    path = asked / f"{what}-{now.astimezone(UTC):%Y-%m-%dT%H%M%SZ}{SUFFIX}" if asked.is_dir() else asked
    if path.exists():
        raise BackupError(f"{path}: is there already; a backup never takes another's place")
    if not path.parent.is_dir():
        raise BackupError(f"{path.parent}: no such folder")
    vendor, engine = engine_of(ALIAS[what])
    league = home.public_key(settings.DATA_DIR)  # makes the key where there is none yet
    with archive.workroom(path.parent) as made:
        erased = [Erased(*row) for row in Erasure.objects.order_by("pk").values_list("participant", "number", "at")]
        copy = made / archive.DATABASE
        counted = engine.dump(ALIAS[what], copy)
        engine.check(copy)
        members = {archive.DATABASE: copy}
        if what == "league":
            members |= {archive.HOME + name: settings.DATA_DIR / name for name in _secrets()}
        manifest = Manifest(
            what=what, vendor=vendor, league=league, made_at=now, erased=erased,
            rows=counted.rows, migrations=counted.migrations,
        )  # fmt: skip
        manifest = archive.write(path, manifest, members)
    with archive.unpacked(path, path.parent):
        return path, manifest  # every byte of it was read again


def outdated(folder: Path, now: datetime) -> Iterator[Path]:
    """This league's copies of persons' keys in a folder that may not be kept any longer."""
    league = home.public_key(settings.DATA_DIR)
    for path in sorted(folder.iterdir()):
        with contextlib.suppress(BackupError):
            manifest = archive.manifest_of(path) if path.is_file() and path.suffix == SUFFIX else None
            if manifest and (manifest.what, manifest.league) == ("person-keys", league) and is_over(manifest, now):
                yield path


def is_over(manifest: Manifest, now: datetime) -> bool:
    """Whether a copy of persons' keys is older than it may get."""
    return manifest.what == "person-keys" and now - manifest.made_at > timedelta(days=KEPT_DAYS)


def _secrets() -> list[str]:
    return [name for name in home.SECRETS if (settings.DATA_DIR / name).exists()]
