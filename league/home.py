"""Where the league keeps its files: the data directory, and the two secrets made in it on first use."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SESSIONS_FILE = _DJANGO_KEY = "django-key"
_SIGNING_KEY = "league-ed25519.key"
SECRETS = (_DJANGO_KEY, _SIGNING_KEY, "league-ca.key", "league-ca.crt")
"""The files of the data directory that make this league this league, beside its database."""


def data_dir(environ: Mapping[str, str] = os.environ) -> Path:
    """The data directory: ``TABLESIDE_LEAGUE_DIR``, else ``./league-data``."""
    return Path(environ.get("TABLESIDE_LEAGUE_DIR") or "league-data").absolute()


def prepare(home: Path) -> None:
    """Make the data directory and Django's secret key, if they are not there yet."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    _create(home / _DJANGO_KEY, secrets.token_urlsafe(48).encode())


def is_there(home: Path, environ: Mapping[str, str] = os.environ) -> bool:
    """Whether a league was set up there, as far as can be seen without asking its database."""
    return home.is_dir() and (bool(environ.get("DATABASE_URL")) or (home / "league.sqlite3").exists())


def secret_key(home: Path, environ: Mapping[str, str] = os.environ) -> str:
    """Django's secret key: ``TABLESIDE_LEAGUE_SECRET_KEY``, else the file in the data directory.

    Before `prepare` has run there is neither; then a passing one, good for this process alone, so that reading
    the settings never writes anything.
    """
    given = environ.get("TABLESIDE_LEAGUE_SECRET_KEY")
    if given:
        return given
    try:
        return (home / _DJANGO_KEY).read_text("ascii").strip()
    except FileNotFoundError:
        return secrets.token_urlsafe(48)


def signing_key(home: Path) -> Ed25519PrivateKey:
    """The league's Ed25519 key, which signs what goes down to the venues; made on first use, mode 0600.

    Raises `ValueError` naming the file when it holds anything but 32 bytes in hex.
    """
    path = home / _SIGNING_KEY
    fresh = Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.Raw, serialization.PrivateFormat.Raw, serialization.NoEncryption()
    )
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    _create(path, fresh.hex().encode())
    try:
        return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(path.read_text("ascii").strip()))
    except ValueError:
        raise ValueError(f"{path}: not an Ed25519 private key (64 hex digits)") from None


def public_key(home: Path) -> str:
    """The league's public key in hex: what a venue pins in its site file."""
    return signing_key(home).public_key().public_bytes_raw().hex()


def is_another(home: Path, public: str) -> bool:
    """Whether the league there has another public key than this one; not where it has none yet."""
    return (home / _SIGNING_KEY).exists() and public_key(home) != public


def database(home: Path, environ: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """Django's database settings from ``DATABASE_URL``, else SQLite in the data directory.

    ``postgresql://user:password@host:port/name?sslmode=require`` or ``sqlite:////absolute/path``.
    SQLite: WAL with FULL sync, because a batch is acknowledged to its venue as soon as it is committed; and what is
    deleted is overwritten.
    """
    return _database("DATABASE_URL", environ.get("DATABASE_URL") or f"sqlite://{home / 'league.sqlite3'}")


def keys_database(home: Path, environ: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """The same for persons' keys, from ``TABLESIDE_KEYS_DATABASE_URL``: never the database that they are to protect."""
    name = "TABLESIDE_KEYS_DATABASE_URL"
    return _database(name, environ.get(name) or f"sqlite://{home / 'person-keys.sqlite3'}")


def proxies(environ: Mapping[str, str] = os.environ) -> int:
    """How many proxies in front add the address that they were asked from: ``TABLESIDE_LEAGUE_PROXIES``, else 0."""
    text = environ.get("TABLESIDE_LEAGUE_PROXIES") or "0"
    if not (text.isascii() and text.isdigit() and len(text) == 1):
        raise ValueError(f"TABLESIDE_LEAGUE_PROXIES: {text[:20]!r} is not a number from 0 to 9")
    return int(text)


def site(environ: Mapping[str, str] = os.environ) -> str:
    """Where the public reaches the pages, as letters say it: ``TABLESIDE_LEAGUE_SITE``, else nothing."""
    text = (environ.get("TABLESIDE_LEAGUE_SITE") or "").strip().rstrip("/")
    if text and re.fullmatch(r"https?://([A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(:[0-9]{1,5})?", text) is None:
        raise ValueError(f"TABLESIDE_LEAGUE_SITE: {text[:80]!r} is not like https://liga.cz")
    return text


def _database(name: str, url: str) -> dict[str, Any]:
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "CONN_MAX_AGE": 60,
            "NAME": "/" + unquote(parts.path).lstrip("/"),
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON;",
            },
        }
    if parts.scheme in ("postgres", "postgresql"):
        return {
            "ENGINE": "django.db.backends.postgresql",
            "CONN_MAX_AGE": 60,
            "CONN_HEALTH_CHECKS": True,
            "NAME": unquote(parts.path.lstrip("/")),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": parts.hostname or "",
            "PORT": str(parts.port or ""),
            "OPTIONS": dict(parse_qsl(parts.query)),
        }
    raise ValueError(f"{name}: {parts.scheme or url[:20]!r} is neither sqlite nor postgresql")


def _create(path: Path, content: bytes) -> None:
    """Write a secret once: complete or not at all, readable by its owner only, and never over another's."""
    if path.exists():
        return
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(fresh, path)
    except FileExistsError:
        pass  # another process was first; its key is the key
    finally:
        fresh.unlink()
