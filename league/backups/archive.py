"""The file of a backup: a ZIP with a manifest, one copy of a database and, of the league, its secrets.

It is there whole or not at all, its owner's only, and read once more before it counts.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

FORMAT = 1
MANIFEST = "manifest.json"
DATABASE = "database"
HOME = "home/"
WORKROOM = ".tableside-backup-"
"""How the folders begin in which a backup lies open while it is made or restored."""

_HELD = "held"
MOST_MANIFEST = 64 * 1024 * 1024
_CHUNK = 1024 * 1024
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)
"""What reading a damaged ZIP may raise; RuntimeError: it claims to be encrypted."""

What = Literal["league", "person-keys"]
Vendor = Literal["sqlite", "postgresql"]


class BackupError(OSError):
    """A backup cannot be made, or a file is none that can be used; the text says which and why."""


class Erased(msgspec.Struct, frozen=True):
    """Somebody who had been erased when the backup was made: id, registration number, when."""

    participant: int
    number: str
    at: datetime


class Counted(NamedTuple):
    """What a copy of a database holds: rows of each table, and the migrations applied (``app.name``)."""

    rows: dict[str, int]
    migrations: list[str]


class Member(msgspec.Struct, frozen=True):
    """A file in the backup: bytes and SHA-256, in hex."""

    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a backup holds. ``rows``: how many each table has; ``migrations``: ``app.name`` of each that was applied."""

    tableside_backup: int = FORMAT
    what: What
    vendor: Vendor
    league: str
    made_at: datetime
    rows: dict[str, int]
    migrations: list[str]
    erased: list[Erased]
    members: dict[str, Member] = {}


@contextlib.contextmanager
def workroom(beside: Path | None) -> Iterator[Path]:
    """A folder for what may lie open only meanwhile, its owner's only and gone afterwards. Raises `BackupError`.

    Whoever works in one holds it: what a killed process left is held by nobody (`sweep`).
    """
    try:
        folder, held = _room(beside)
    except OSError as error:
        raise BackupError(f"{beside}: {error.strerror}") from None
    try:
        yield folder
    finally:
        shutil.rmtree(folder)
        os.close(held)


def sweep(folder: Path) -> Iterator[Path]:
    """Delete what backups and restores that were killed left open in a folder, one by one."""
    for left in sorted(folder.glob(f"{WORKROOM}*")):
        with contextlib.suppress(OSError):  # somebody works in it, or it is another user's
            held = os.open(left / _HELD, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(left)
            finally:
                os.close(held)
            yield left


def write(path: Path, manifest: Manifest, members: Mapping[str, Path]) -> Manifest:
    """Make the file of a backup. Raises `BackupError`, also when a file is there already."""
    with workroom(path.parent) as room:
        try:
            partial = room / "made"
            with os.fdopen(os.open(partial, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as file:
                with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as made:
                    told = {name: _put(made, name, source) for name, source in members.items()}
                    manifest = msgspec.structs.replace(manifest, members=told)
                    made.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))
                file.flush()
                os.fsync(file.fileno())
            os.link(partial, path)
            _sync_folder(path.parent)
        except FileExistsError:
            raise BackupError(f"{path}: is there already; a backup never takes another's place") from None
        except OSError as error:
            raise BackupError(f"{path}: {error.strerror or error}") from None
    return manifest


def manifest_of(path: Path) -> Manifest:
    """What the backup says of itself; nothing else of it is looked at. Raises `BackupError`."""
    with _opened(path) as file:
        return _manifest(path, file)


@contextlib.contextmanager
def unpacked(path: Path, beside: Path | None = None) -> Iterator[tuple[Manifest, Path]]:
    """A folder with all that is in a backup, each member the one that was put in. Raises `BackupError`.

    The folder is its owner's only, in ``beside`` where there is room, and gone afterwards.
    """
    with _opened(path) as file, workroom(beside) as folder:
        manifest = _manifest(path, file)
        if file.namelist() != [*manifest.members, MANIFEST]:
            raise BackupError(f"{path}: holds other files than its manifest says")
        for name, member in manifest.members.items():
            if not _is_ours(name):
                raise BackupError(f"{path}: {name[:40]!r} is no file of a backup")
            _take(path, file, name, member, folder)
        yield manifest, folder


def _room(beside: Path | None) -> tuple[Path, int]:
    while True:
        folder = Path(tempfile.mkdtemp(prefix=WORKROOM, dir=beside))
        with contextlib.suppress(FileNotFoundError):  # swept before it was held
            held = os.open(folder / _HELD, os.O_RDWR | os.O_CREAT, 0o600)
            fcntl.flock(held, fcntl.LOCK_EX)
            if folder.exists():
                return folder, held
            os.close(held)


def _put(made: zipfile.ZipFile, name: str, source: Path) -> Member:
    said, size = hashlib.sha256(), 0
    about = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    about.compress_type = zipfile.ZIP_DEFLATED
    about.external_attr = 0o600 << 16
    with source.open("rb") as file, made.open(about, "w", force_zip64=True) as into:
        while chunk := file.read(_CHUNK):
            said.update(chunk)
            size += len(chunk)
            into.write(chunk)
    return Member(size, said.hexdigest())


def _take(path: Path, file: zipfile.ZipFile, name: str, member: Member, folder: Path) -> None:
    target = folder / name
    target.parent.mkdir(mode=0o700, exist_ok=True)
    said, size = hashlib.sha256(), 0
    try:
        with file.open(name) as source, os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as into:
            while size <= member.size and (chunk := source.read(_CHUNK)):
                said.update(chunk)
                size += len(chunk)
                into.write(chunk)
    except _DAMAGED as error:
        raise BackupError(f"{path}: {name}: damaged ({error})") from None
    except OSError as error:
        raise BackupError(f"{path}: {name}: {error.strerror or error}") from None
    if (size, said.hexdigest()) != (member.size, member.sha256):
        raise BackupError(f"{path}: {name}: damaged (it is not what was put in)")


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        file = zipfile.ZipFile(path)
    except _DAMAGED:
        raise BackupError(f"{path}: no backup, or a damaged one") from None
    except OSError as error:
        raise BackupError(f"{path}: {error.strerror or error}") from None
    with file:
        yield file


def _manifest(path: Path, file: zipfile.ZipFile) -> Manifest:
    try:
        with file.open(MANIFEST) as source:
            told = msgspec.json.decode(source.read(MOST_MANIFEST), type=Manifest)
    except (*_DAMAGED, KeyError, OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BackupError(f"{path}: no backup of a league ({error})") from None
    if told.tableside_backup != FORMAT:
        raise BackupError(f"{path}: of format {told.tableside_backup}; this version reads {FORMAT}")
    return told


def _is_ours(name: str) -> bool:
    """Whether a member has one of the names that we give, and no way out of the folder."""
    kept = name.removeprefix(HOME)
    return name == DATABASE or (name.startswith(HOME) and kept == Path(kept).name and kept not in ("", ".", ".."))


def _sync_folder(folder: Path) -> None:
    here = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(here)
    finally:
        os.close(here)
