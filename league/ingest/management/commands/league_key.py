from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from league import home


class Command(BaseCommand):
    help = "Print the league's public key (Ed25519, hex), which every venue pins; made on first use."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self.stdout.write(home.public_key(settings.DATA_DIR))
        except (OSError, ValueError) as error:
            raise CommandError(str(error)) from None
