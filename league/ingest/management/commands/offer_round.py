from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from league.command import LeagueCommand
from league.ingest.own_pen import own_pen
from league.ingest.publishing import announcement_of, offer_round, withdraw_round
from league.rounds.announcing import faults
from league.rounds.models import Round


class Command(LeagueCommand):
    help = "Send announced rounds to their venues; a second time writes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("round", nargs="*", help="ids of rounds")
        parser.add_argument("--all", action="store_true", help="every round that has not been sent")
        parser.add_argument("--withdraw", action="store_true", help="take the offer back instead")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["all"] == bool(options["round"]) or (options["all"] and options["withdraw"]):
            raise CommandError("name rounds, or say --all (not with --withdraw)", returncode=2)
        chosen = (
            Round.objects.filter(offered_at=None, cancelled_at=None)
            if options["all"]
            else self._named(options["round"])
        )
        if not options["withdraw"] and (errors := [error for round in chosen for error in _errors(round)]):
            raise CommandError("\n".join(errors), returncode=2)
        pen = own_pen()
        for round in chosen:
            try:
                written = withdraw_round(round, pen) if options["withdraw"] else offer_round(round, pen, timezone.now())
            except ValueError as error:
                raise CommandError(f"{round.pk}: {error}", returncode=2) from None
            done = "withdrawn" if options["withdraw"] else "offered"
            self.stdout.write(f"{round.pk} at {round.venue_id}: {done if written else 'nothing to do'}")

    def _named(self, ids: list[str]) -> list[Round]:
        found = Round.objects.in_bulk(ids)
        unknown = [key for key in ids if key not in found]
        if unknown:
            raise CommandError(f"there is no round {', '.join(unknown)}", returncode=2)
        return [found[key] for key in ids]


def _errors(round: Round) -> list[str]:
    """Why a round cannot be offered; asked of all rounds before the first is sent."""
    try:
        command = announcement_of(round)
    except ValueError as error:
        return [f"{round.pk}: {error}"]
    return [f"{round.pk}: {fault}" for fault in faults(command)]
