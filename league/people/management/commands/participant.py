from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from league.command import LeagueCommand
from league.people.models import Participant


class Command(LeagueCommand):
    help = "Whether there is a participant of that registration number, and in which state."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("number", help="the registration number")

    def handle(self, *args: Any, **options: Any) -> None:
        number = options["number"]
        person = Participant.objects.filter(number=number).first()
        if person is None:
            raise CommandError(f"there is no participant {number[:40]}", returncode=1)
        self.stdout.write(f"{person.number}: {person.state}")
