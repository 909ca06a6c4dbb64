from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from league.command import LeagueCommand
from league.rounds import season_file, season_import


class Command(LeagueCommand):
    help = "Import participants, cards, venues, devices and rounds from a season file (JSON); all of it or nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the season file")
        parser.add_argument("--dry-run", action="store_true", help="check everything, change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        try:
            tally = season_import.apply(season_file.read(path), dry_run=options["dry_run"])
        except season_file.SeasonFileError as error:
            raise CommandError("\n".join(f"{path}: {reason}" for reason in error.errors), returncode=2) from None
        self.stdout.write(str(tally) or "the file is empty")
        if options["dry_run"]:
            self.stdout.write("dry run: nothing was changed")
