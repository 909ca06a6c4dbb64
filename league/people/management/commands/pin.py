from __future__ import annotations

import getpass
import sys
from typing import Any

from django.core.management.base import CommandError, CommandParser

from appliance.cards.pin import hash_pin
from league.command import LeagueCommand
from league.people.models import Participant


class Command(LeagueCommand):
    help = "Set a commissioner's PIN, for cards that cannot prove themselves. It is asked for, never an argument."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("number", help="the registration number")
        parser.add_argument("--remove", action="store_true", help="take the PIN away")

    def handle(self, *args: Any, **options: Any) -> None:
        person = Participant.objects.filter(number=options["number"]).first()
        if person is None:
            raise CommandError(f"there is no participant {options['number']}", returncode=2)
        if person.role != Participant.Role.COMMISSIONER:
            raise CommandError(f"{person.number} is no commissioner", returncode=2)
        person.pin = "" if options["remove"] else _asked()
        person.save(update_fields=["pin"])
        self.stdout.write(f"{person.number}: {'no PIN' if options['remove'] else 'PIN set'}")
        self.stdout.write("venues hear of it with publish_roster")


def _asked() -> str:
    """The hash of what was typed, the same twice at a terminal; from a pipe, its one line."""
    if sys.stdin.isatty():
        pin = getpass.getpass("PIN (6 to 12 digits): ")
        if pin != getpass.getpass("The same again: "):
            raise CommandError("the two were not the same", returncode=2)
    else:
        pin = sys.stdin.readline().rstrip("\r\n")
    try:
        return hash_pin(pin)
    except ValueError as error:
        reason = str(error)
    raise CommandError(reason, returncode=2)
