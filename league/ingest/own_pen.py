"""The pen that this installation of the league writes with."""

from __future__ import annotations

import time

from django.conf import settings
from django.core.management.base import CommandError

from league import home
from league.ingest.outbox import Pen


def own_pen() -> Pen:
    """A pen with the key of the data directory; raises `CommandError` if that cannot be read."""
    try:
        key = home.signing_key(settings.DATA_DIR)
    except (OSError, ValueError) as error:
        raise CommandError(str(error)) from None
    return Pen(key, lambda: time.time_ns() // 1_000_000)
