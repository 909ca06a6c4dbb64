"""The league's command line: Django's management commands, with the data directory made ready first."""

from __future__ import annotations

import os
from collections.abc import Sequence

from league import home


def main(program: str, arguments: Sequence[str]) -> None:
    """Run one management command; ``program`` is how the user called us, for help texts."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    home.prepare(home.data_dir())

    from django.core.management import execute_from_command_line

    execute_from_command_line([program, *arguments])
