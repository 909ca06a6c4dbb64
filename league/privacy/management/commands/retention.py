from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import DatabaseError
from django.utils import timezone

from league.backups.sweeping import sweep
from league.command import LeagueCommand
from league.people.acts import By
from league.people.models import Participant
from league.privacy import retention
from league.privacy.erasing import cut_off, finish


class Command(LeagueCommand):
    help = "What is over by the retention periods; with --apply it is erased or deleted. Run it every night."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--apply", action="store_true", help="do it; without it nothing is changed")
        parser.add_argument("--by", default="retention", help="who the audit log names (default: retention)")

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        sweep(self)
        if options["apply"]:
            self._finish(By(options["by"]))
            done = retention.apply(now, By(options["by"]))
            for subject, count in done.counts.items():
                self.stdout.write(f"{subject}: {count} ended")
            if done.left:
                raise CommandError("not ended:\n" + "\n".join(done.left), returncode=1)
            return
        for person in cut_off():
            self.stdout.write(f"erasure cut off: {person.number}")
        for rule, rows in retention.due(now):
            self.stdout.write(f"{rule.subject}: {rows.count()} over {rule.days} days")
            if rows.model is Participant:
                self.stdout.write("".join(f"  {person.number}\n" for person in rows), ending="")
        self.stdout.write("dry run: nothing was changed; --apply does it")

    def _finish(self, by: By) -> None:
        try:
            for number in finish(by):
                self.stdout.write(f"{number}: erased to the end; it was cut off")
        except DatabaseError as error:
            raise CommandError(f"an erasure that was cut off: {error}", returncode=1) from None
