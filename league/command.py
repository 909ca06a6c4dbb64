"""What the league's management commands share: a database that is not ready is one clear line, never a traceback."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor


class LeagueCommand(BaseCommand):
    """A command that needs the league's tables."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command on a database that is up to date. Raises `CommandError`."""
        try:
            _check_migrated()
            return super().execute(*args, **options)
        except DatabaseError as error:
            raise CommandError(f"database: {error}") from None


def _check_migrated() -> None:
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise CommandError("the database is not up to date: run the migrate command first")
