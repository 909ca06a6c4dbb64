from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from league.command import LeagueCommand, whole_number
from league.rounds.models import Device, Venue


class Command(LeagueCommand):
    help = "Add, revoke or list the devices whose keys may sign a venue's streams."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        add = actions.add_parser("add", help="register a device's public key")
        add.add_argument("venue")
        add.add_argument("name", help="the device's id at the venue")
        add.add_argument("role", choices=[str(role) for role in Device.Role.values])
        add.add_argument("public_key", help="Ed25519, 64 hex digits (tableside key)")
        add.add_argument("--table", type=whole_number, help="the table's number, for role table")
        revoke = actions.add_parser("revoke", help="take nothing more from a device")
        revoke.add_argument("venue")
        revoke.add_argument("name")
        listing = actions.add_parser("list", help="list devices")
        listing.add_argument("venue", nargs="?")

    def handle(self, *args: Any, **options: Any) -> None:
        match options["action"]:
            case "add":
                self._add(options)
            case "revoke":
                self._revoke(options["venue"], options["name"])
            case _:
                self._list(options["venue"])

    def _add(self, options: dict[str, Any]) -> None:
        if not Venue.objects.filter(pk=options["venue"]).exists():
            raise CommandError(f"there is no venue {options['venue']!r}", returncode=2)
        is_table = options["role"] == Device.Role.TABLE
        if is_table and (options["table"] is None or options["table"] < 1):
            raise CommandError("--table: a table's device needs the number of its table, 1 or more", returncode=2)
        if not is_table and options["table"] is not None:
            raise CommandError(f"--table: a device with role {options['role']} has no table number", returncode=2)
        device = Device(
            venue_id=options["venue"],
            name=options["name"],
            role=options["role"],
            table=options["table"],
            public_key=options["public_key"].lower(),
        )
        try:
            device.full_clean()
        except ValidationError as error:
            reasons = "; ".join(f"{field}: {' '.join(texts)}" for field, texts in error.message_dict.items())
            raise CommandError(reasons, returncode=2) from None
        device.save()
        self.stdout.write(f"added {device}")

    def _revoke(self, venue: str, name: str) -> None:
        device = Device.objects.filter(venue_id=venue, name=name).first()
        if device is None:
            raise CommandError(f"there is no device {venue}/{name}", returncode=2)
        if device.revoked_at is None:
            device.revoked_at = timezone.now()
            device.save(update_fields=["revoked_at"])
        self.stdout.write(f"revoked {device}")

    def _list(self, venue: str | None) -> None:
        for device in Device.objects.filter(venue_id=venue) if venue else Device.objects.all():
            state = "revoked" if device.revoked_at else "valid"
            table = "" if device.table is None else f" {device.table}"
            self.stdout.write(f"{device} {device.role}{table} {device.public_key} {state}")
