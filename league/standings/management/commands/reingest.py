from __future__ import annotations

from typing import Any

from league.command import LeagueCommand
from league.ingest.models import Quarantine
from league.standings.models import Result
from league.standings.results import Results


class Command(LeagueCommand):
    help = "Fold all results anew from the raw records, as after an upgrade that understands more of them."

    def handle(self, *args: Any, **options: Any) -> None:
        streams = Results().rebuild()
        results, held = Result.objects.count(), Quarantine.objects.count()
        self.stdout.write(f"{streams} round streams, {results} results, {held} records in quarantine")
