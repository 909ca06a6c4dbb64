"""The pen that this installation of the league writes with."""

from __future__ import annotations

import time
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError

from league import home
from league.ingest.outbox import Pen


def own_pen() -> Pen:
    """A pen with the key of the data directory; raises `CommandError` if that cannot be read."""
    try:
        return pen_of(settings.DATA_DIR)
    except (OSError, ValueError) as error:
        raise CommandError(str(error)) from None


def pen_of(folder: Path) -> Pen:
    """A pen with the key of a data directory. Raises OSError, ValueError."""
    return Pen(home.signing_key(folder), lambda: time.time_ns() // 1_000_000)
