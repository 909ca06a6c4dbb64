from __future__ import annotations

import time
from datetime import datetime
from typing import Any

from django.core.management.base import CommandError, CommandParser

from appliance.game.tokens import PRAGUE
from league.allowances import issuing
from league.allowances.hearing import keep_up
from league.allowances.models import Allowance
from league.command import LeagueCommand
from league.ingest.own_pen import own_pen
from league.rounds.models import Round


class Command(LeagueCommand):
    help = (
        "Show which venues have whose allowance of deposits; with rounds, move the allowances of those expected there "
        "now, before it happens by itself. A venue that has somebody's takes their deposits while it is cut off; what "
        "it has taken since is not counted here."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("round", nargs="*", help="ids of rounds")
        force = parser.add_mutually_exclusive_group()
        force.add_argument("--on", action="store_true", help="from now on deposits need an allowance, at every venue")
        force.add_argument("--off", action="store_true", help="they need none any more")

    def handle(self, *args: Any, **options: Any) -> None:
        rounds = Round.objects.in_bulk(options["round"])
        unknown = [key for key in options["round"] if key not in rounds]
        if unknown:
            raise CommandError(f"there is no round {', '.join(unknown)}", returncode=2)
        now = time.time_ns() // 1_000_000
        if options["on"] or options["off"]:
            for venue in issuing.switch(options["on"], own_pen()):
                self.stdout.write(f"{venue}: told")
        if rounds and not issuing.in_force():
            raise CommandError("allowances are not in force: say --on first", returncode=2)
        if rounds:
            pen = own_pen()
            keep_up(pen, now)
            for round in rounds.values():
                self._open(round, issuing.open_round(round, pen, now))
            return
        self._list()

    def _open(self, round: Round, given: int) -> None:
        if not issuing.directing(round.venue_id):
            self.stdout.write(f"{round.pk}: {round.venue_id} was never heard of")
            return
        there = Allowance.objects.filter(pk__in=issuing.expected(round), venue=round.venue_id).count() - given
        before = f", {there} were there" if there else ""
        self.stdout.write(f"{round.pk}: {given} allowances to {round.venue_id}{before}")

    def _list(self) -> None:
        self.stdout.write("in force" if issuing.in_force() else "not in force")
        for row in Allowance.objects.exclude(venue="").select_related("participant"):
            live = row.read().live
            if live is not None:
                until = datetime.fromtimestamp(live.until / 1000, PRAGUE).isoformat(timespec="minutes")
                wanted = f", wanted by {row.wanted_by}" if row.wanted_by else ""
                left = f"{live.left} CZK left when it was given"
                self.stdout.write(f"{live.participant} at {row.venue} until {until}, {left}{wanted}")
