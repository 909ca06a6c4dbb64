from __future__ import annotations

import re
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db.models import Max

from league.command import LeagueCommand
from league.people.models import Card, CardEntry, CardKey


class Command(LeagueCommand):
    help = "Show whose signature the participants' cards bear, or set it (tableside cards keys show prints it)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("league", nargs="?", help="the league's short name on the cards")
        parser.add_argument("public_key", nargs="?", help="Ed25519, 64 hex digits")

    def handle(self, *args: Any, **options: Any) -> None:
        league, key = options["league"], options["public_key"]
        if league is not None:
            if key is None or not re.fullmatch("[0-9a-f]{64}", key) or not re.fullmatch("[a-z0-9-]{1,16}", league):
                raise CommandError("the league's short name (a-z0-9-, 16 at most) and 64 hex digits", returncode=2)
            CardKey.objects.update_or_create(only=1, defaults={"league": league, "public_key": key})
        known = CardKey.objects.first()
        self.stdout.write("no key yet" if known is None else str(known))
        serials = (table.objects.aggregate(highest=Max("serial"))["highest"] or 0 for table in (Card, CardEntry))
        self.stdout.write(f"highest serial number of a card: {max(serials)}")
        if league is not None:
            self.stdout.write("venues hear of it with publish_roster")
