from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from league.backups import making
from league.backups.archive import BackupError
from league.backups.sweeping import sweep
from league.command import LeagueCommand


class Command(LeagueCommand):
    help = (
        "Write a backup of the league, database and secrets, to a file that is not there yet, or into a folder. serve "
        "and ingest may go on. Persons' keys are backed up apart, with --keys, and kept for "
        f"{making.KEPT_DAYS} days: older ones of this league in the same folder are deleted."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="a new file, or a folder for a name by the time")
        parser.add_argument("--keys", action="store_true", help="of persons' keys, instead of the league")

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        sweep(self, options["file"])
        try:
            path, manifest = making.make(
                "person-keys" if options["keys"] else "league", options["file"].absolute(), now
            )
            self.stdout.write(f"{path}: {sum(manifest.rows.values())} rows of {len(manifest.rows)} tables, read again")
            for old in making.outdated(path.parent, now) if options["keys"] else ():
                old.unlink()
                self.stdout.write(f"{old}: deleted, older than {making.KEPT_DAYS} days")
        except (BackupError, OSError, ValueError) as error:
            raise CommandError(str(error)) from None
