from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from appliance.cards.seal import MAX_FILE_BYTES
from league.command import LeagueCommand, read_file
from league.fleet import card_keys
from league.ingest.own_pen import own_pen


class Command(LeagueCommand):
    help = (
        "Send verification keys of cards, sealed to devices by the issuing desk (tableside cards keys export-k2), to "
        "these devices, by the league's stream."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file", nargs="+", type=Path, help="what the desk exported; each says which device it is for"
        )
        parser.add_argument("--venue", help="the devices' venue, where several have devices of that name")

    def handle(self, *args: Any, **options: Any) -> None:
        files = [(path, self._read(path)) for path in options["file"]]
        found = []
        for path, data in files:  # all of them or none
            try:
                found.append((data, card_keys.recipient(data, options["venue"], timezone.now())))
            except card_keys.NotSent as error:
                raise CommandError(f"{path}: {error}", returncode=2) from None
        pen = own_pen()
        for data, device in found:
            self.stdout.write(f"{device}: {'sent' if card_keys.send(data, device, pen) else 'nothing to do'}")

    def _read(self, path: Path) -> bytes:
        try:
            data = read_file(path, MAX_FILE_BYTES)
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}", returncode=2) from None
        if len(data) > MAX_FILE_BYTES:
            raise CommandError(f"{path}: more than {MAX_FILE_BYTES} bytes", returncode=2)
        return data
