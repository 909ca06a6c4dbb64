from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser
from django.core.management.commands import migrate
from django.db import DEFAULT_DB_ALIAS

from league.privacy import marks
from league.privacy.router import KEYS


class Command(migrate.Command):
    help = "Brings the database up to date, and the store of persons' keys with it."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(database=None)

    def get_check_kwargs(self, options: dict[str, Any]) -> dict[str | None, Any]:
        return super().get_check_kwargs({**options, "database": options["database"] or DEFAULT_DB_ALIAS})

    def handle(self, *args: Any, **options: Any) -> None:
        asked = options["database"]
        for alias in [asked] if asked else [DEFAULT_DB_ALIAS, KEYS]:
            if alias == KEYS and options["app_label"] not in (None, "privacy"):
                continue
            super().handle(*args, **{**options, "database": alias})
        if not asked and options["app_label"] is None:
            marks.catch_up()
