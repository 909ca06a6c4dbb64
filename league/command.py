"""What the league's management commands share: a database that is not ready is one clear line, never a traceback."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.migrations.executor import MigrationExecutor

from appliance.filebytes import open_plain
from league import home
from league.privacy.router import KEYS


def whole_number(text: str) -> int:
    """A number in plain digits, as the ``type`` of an argument."""
    if not re.fullmatch("-?[0-9]{1,18}", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number")
    return int(text)


def read_file(path: Path, most: int) -> bytes:
    """A file of at most so many bytes; of a larger one, which may have no end, one byte more. Raises OSError."""
    with open_plain(path) as file:
        return file.read(most + 1)


UNFINISHED = "league_restore_unfinished"
"""A table that is there from when a backup takes the place of a database until all that must follow is done."""


class LeagueCommand(BaseCommand):
    """A command that needs the league's tables. What is wrong with its arguments is said in one line."""

    needs_tables = True

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """Django's parser, whose complaints come without the usage that ``--help`` prints."""
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        vars(parser)["print_usage"] = _no_usage
        return parser

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command on a database that is up to date. Raises `CommandError`."""
        try:
            if self.needs_tables:
                _check_migrated()
            return super().execute(*args, **options)
        except DatabaseError as error:
            where = home.data_dir()
            if not home.is_there(where):
                raise CommandError(f"there is no league in {where}: the migrate command makes one") from None
            raise CommandError(f"database: {error}") from None


def _no_usage(file: Any = None) -> None:
    """Print nothing."""


def _check_migrated() -> None:
    for alias in (DEFAULT_DB_ALIAS, KEYS):
        if UNFINISHED in connections[alias].introspection.table_names():
            raise CommandError("a restore was not finished: run it again first")
        executor = MigrationExecutor(connections[alias])
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            raise CommandError("the database is not up to date: run the migrate command first")
