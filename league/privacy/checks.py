"""Refuses a league whose keys would lie beside what they open."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error
from django.db import DEFAULT_DB_ALIAS

from league.privacy.router import KEYS

_HERE = {"", "localhost", "127.0.0.1", "::1"}


def keys_are_apart(**_asked: Any) -> list[CheckMessage]:
    """An error where both databases are one: a copy of it would open everything, and a restore overwrite the keys."""
    if place_of(settings.DATABASES[DEFAULT_DB_ALIAS]) != place_of(settings.DATABASES[KEYS]):
        return []
    return [
        Error(
            "persons' keys are to be kept in the database that they protect",
            hint="TABLESIDE_KEYS_DATABASE_URL must name another database than DATABASE_URL.",
            id="privacy.E001",
        )
    ]


def place_of(database: Mapping[str, Any]) -> tuple[str, ...]:
    """Where a database is, whoever connects to it and however it is written."""
    if database["ENGINE"].endswith("sqlite3"):
        return (str(Path(database["NAME"]).resolve()),)
    options = database.get("OPTIONS", {})
    host, port, name = (
        str(options.get(option) or database.get(setting) or "")
        for option, setting in (("host", "HOST"), ("port", "PORT"), ("dbname", "NAME"))
    )
    return "" if host.lower() in _HERE else host.lower(), port or "5432", name
