"""Puts a backup in the place of what is there, and sees to what must follow before anybody works with it."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connections
from django.db.migrations.loader import MigrationLoader

from league import home
from league.backups import archive, following
from league.backups.archive import BackupError, Erased, Manifest, What
from league.backups.engines import engine_of
from league.backups.following import Followed
from league.backups.making import ALIAS, KEPT_DAYS, is_over
from league.command import UNFINISHED
from league.privacy import numbers
from league.privacy.models import Erasure


def restore(what: What, path: Path, now: datetime, *, replace: bool) -> tuple[Manifest, Followed]:
    """Restore all of a backup or nothing. Raises `BackupError`, or `django.db.Error` from what follows.

    What ends in between leaves the database marked: every other command waits until a restore has been whole.
    """
    vendor, engine = engine_of(ALIAS[what])
    settings.DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    with archive.unpacked(path, settings.DATA_DIR) as (manifest, folder):
        _look_at(path, manifest, what, vendor, now)
        if not replace:
            _look_here(what, manifest, folder)
        copy = folder / archive.DATABASE
        engine.check(copy)
        erased = [*manifest.erased, *_erased_here()]
        epochs, highest = following.epochs_here(), following.highest_here()
        engine.load(ALIAS[what], copy, UNFINISHED)
        _put_secrets(folder, manifest, now)
    _compare(what, manifest)
    call_command("migrate", verbosity=0, interactive=False)
    numbers.keep(highest)
    followed = following.league(erased, epochs) if what == "league" else following.keys(erased)
    with connections[ALIAS[what]].cursor() as cursor:
        cursor.execute(f"DROP TABLE {UNFINISHED}")
    return manifest, followed


_NAMES: dict[What, str] = {"league": "league", "person-keys": "store of persons' keys"}
_VITAL: dict[What, tuple[str, ...]] = {
    "league": ("people_participant", "rounds_season", "rounds_venue", "auth_user"),
    "person-keys": ("privacy_personkey", "privacy_birthindex"),
}
"""Tables without which there is nothing here that a restore would take away."""


def _look_at(path: Path, manifest: Manifest, what: What, vendor: str, now: datetime) -> None:
    if manifest.what != what:
        hint = "--keys restores it" if manifest.what == "person-keys" else "without --keys it is restored"
        raise BackupError(f"{path}: a backup of a {_NAMES[manifest.what]}; {hint}")
    if is_over(manifest, now):
        raise BackupError(f"{path}: older than {KEPT_DAYS} days; persons' keys are not brought back from there")
    other: What = "league" if what == "person-keys" else "person-keys"
    if _is_here(other) and home.is_another(settings.DATA_DIR, manifest.league):
        raise BackupError(f"{path}: of another league than the {_NAMES[other]} here, whose people have the same ids")
    if manifest.vendor != vendor:
        raise BackupError(f"{path}: of {manifest.vendor}, and the database here is {vendor}")
    known = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    apps = {name.partition(".")[0] for name in known}
    if newer := [name for name in manifest.migrations if name not in known and name.partition(".")[0] in apps]:
        raise BackupError(f"{path}: made by a newer version ({newer[0]}): install that first")


def _look_here(what: What, manifest: Manifest, folder: Path) -> None:
    """Nothing may be here that a restore would take away, unless an unfinished one had brought it."""
    if _is_here(what):
        raise BackupError(f"there is a {_NAMES[what]} here already; --replace puts the backup in its place")
    for name in _secrets_of(manifest):
        target = settings.DATA_DIR / name
        if name != home.SESSIONS_FILE and target.exists() and not _same(target, folder / archive.HOME / name):
            raise BackupError(f"{target}: another one than in the backup; --replace moves it aside")


def _is_here(what: What) -> bool:
    """Whether there is anything whole in that database that a restore would take away."""
    _, engine = engine_of(ALIAS[what])
    there = engine.count(ALIAS[what]).rows
    return UNFINISHED not in there and any(there.get(table) for table in _VITAL[what])


def _put_secrets(folder: Path, manifest: Manifest, now: datetime) -> None:
    """The league's own files; others in their place are kept beside them."""
    for name in _secrets_of(manifest):
        target, source = settings.DATA_DIR / name, folder / archive.HOME / name
        if target.exists() and not _same(target, source):
            target.replace(target.with_name(f"{name}.before-{now:%Y%m%dT%H%M%S}"))
        if not target.exists():
            os.link(source, target)


def _secrets_of(manifest: Manifest) -> list[str]:
    return [name for name in home.SECRETS if archive.HOME + name in manifest.members]


def _same(one: Path, other: Path) -> bool:
    return one.read_bytes() == other.read_bytes()


def _erased_here() -> list[Erased]:
    """Who was erased by what the store of keys knows, as far as there is one."""
    try:
        return [Erased(*row) for row in Erasure.objects.values_list("participant", "number", "at")]
    except DatabaseError:
        return []


def _compare(what: What, manifest: Manifest) -> None:
    _, engine = engine_of(ALIAS[what])
    here = engine.count(ALIAS[what]).rows
    here.pop(UNFINISHED, None)
    differing = sorted(name for name in here | manifest.rows if here.get(name) != manifest.rows.get(name))
    if differing:
        raise BackupError(f"restored, and not as it was backed up: {', '.join(differing[:5])}")
