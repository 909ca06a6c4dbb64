from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from league.backups import restoring
from league.backups.archive import BackupError, What
from league.backups.sweeping import sweep
from league.command import LeagueCommand


class Command(LeagueCommand):
    help = (
        "Put a backup in the place of the league's database, and its secrets in the data folder; with --keys, of the "
        "store of persons' keys. All of it or nothing. Stop serve and ingest first. Whoever was erased stays so."
    )
    needs_tables = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--keys", action="store_true", help="of persons' keys, instead of the league")
        parser.add_argument("--replace", action="store_true", help="although there is a league, or keys, here")

    def handle(self, *args: Any, **options: Any) -> None:
        what: What = "person-keys" if options["keys"] else "league"
        sweep(self, options["file"])
        try:
            manifest, followed = restoring.restore(
                what, options["file"].absolute(), timezone.now(), replace=options["replace"]
            )
        except (BackupError, OSError, ValueError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"restored as of {manifest.made_at:%Y-%m-%d %H:%M} UTC: {sum(manifest.rows.values())} rows")
        if followed.erased:
            self.stdout.write(f"erased since, and again: {', '.join(followed.erased)}")
        if followed.venues:
            self.stdout.write(f"go on from there in a new epoch: {', '.join(followed.venues)}")
        if followed.closed:
            some = ", ".join(followed.closed[:10]) + (" …" if len(followed.closed) > 10 else "")
            self.stdout.write(
                f"sealed, and opened by no key that is here: {len(followed.closed)} ({some}). Restore the other "
                "store's backup of the same time, too; what stays closed can be entered anew"
            )
