from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from league.imports.results import import_results
from league.imports.telling import ImportCommand
from league.people.acts import By


class Command(ImportCommand):
    help = "Import results of past rounds from CSV; all of the file or nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--replace", action="store_true", help="other results of a round take the place of those imported before"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        by, replace = By("import_results"), options["replace"]
        self.carry_out(lambda raw, **how: import_results(raw, by, replace=replace, **how), **options)
