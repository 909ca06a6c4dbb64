from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from league.command import LeagueCommand
from league.ingest.own_pen import own_pen
from league.ingest.publishing import publish_roster
from league.people import desk_ledger
from league.rounds.models import Venue

SET_ASIDE = "the rest was taken in; set aside until it can be:\n"


class Command(LeagueCommand):
    help = "Take in the issuing desk's ledger: cards issued, withdrawn and wiped. What cannot be is set aside."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the ledger (JSONL), whole; lines taken before change nothing")
        parser.add_argument("--dry-run", action="store_true", help="check everything, change nothing")
        parser.add_argument("--publish", action="store_true", help="tell all venues at once (as publish_roster does)")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        try:
            taken = desk_ledger.apply(desk_ledger.read(path), dry_run=options["dry_run"])
        except desk_ledger.LedgerFileError as error:
            raise CommandError("\n".join(f"{path}: {reason}" for reason in error.errors), returncode=2) from None
        told = ", ".join(f"{count} {what}" for what, count in sorted(taken.lines.items()))
        self.stdout.write(told or "nothing new")
        for line in taken.settled:
            self.stdout.write(f"passed by, for the card was taken back since: {line}")
        if options["dry_run"]:
            self.stdout.write("dry run: nothing was changed")
        elif options["publish"]:
            pen = own_pen()
            for venue in Venue.objects.order_by("pk").values_list("pk", flat=True):
                written = publish_roster(venue, pen)
                self.stdout.write(f"{venue}: {written.entries} entries, {written.removals} removals")
        if taken.left:
            raise CommandError(SET_ASIDE + "\n".join(taken.left), returncode=1)
