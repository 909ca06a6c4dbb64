from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from league.command import LeagueCommand
from league.ingest.own_pen import own_pen
from league.ingest.publishing import publish_roster
from league.rounds.models import Venue


class Command(LeagueCommand):
    help = "Bring the venues' rosters to the league's records: only what differs is written."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("venue", nargs="*", help="venues; all of them without one")

    def handle(self, *args: Any, **options: Any) -> None:
        known = list(Venue.objects.order_by("pk").values_list("pk", flat=True))
        unknown = sorted(set(options["venue"]) - set(known))
        if unknown:
            raise CommandError(f"there is no venue {', '.join(unknown)}", returncode=2)
        pen = own_pen()
        for venue in options["venue"] or known:
            written = publish_roster(venue, pen)
            self.stdout.write(f"{venue}: {written.entries} entries, {written.removals} removals")
