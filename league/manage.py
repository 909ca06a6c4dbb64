"""The league's command line: Django's management commands, with the data directory made ready first."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import django
from django.core.management import ManagementUtility, call_command
from django.core.management.base import BaseCommand, CommandError
from django.utils import translation

from league import home


class _CommandLine(ManagementUtility):
    """Django's, which answers operators in English, and a command it does not know with exit status 2."""

    def fetch_command(self, subcommand: str) -> BaseCommand:
        """The command, found after the settings were read; from here on everything is said in English."""
        try:
            command = super().fetch_command(subcommand)
        except SystemExit:
            raise SystemExit(2) from None  # Django has said which command it does not know
        translation.activate("en")
        return command


def main(program: str, arguments: Sequence[str]) -> None:
    """Run one management command; ``program`` is how the user called us, for help texts."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    where = home.data_dir()
    if list(arguments[:1]) in (["migrate"], ["restore"]) or os.environ.get("DATABASE_URL") or home.is_there(where):
        home.prepare(where)  # elsewhere, in a wrong folder perhaps, no other command leaves what looks like a league
    line = _CommandLine([program, *arguments])
    line.prog_name = program
    line.execute()


def call(name: str, *arguments: str, **options: Any) -> str | None:
    """Run a management command inside another program, and say what went wrong, or None.

    Only of a league that is there: another program's command makes none by the way.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    where = home.data_dir()
    if not home.is_there(where):
        return f"there is no league in {where} (TABLESIDE_LEAGUE_DIR names its folder)"
    home.prepare(where)
    django.setup()
    translation.activate("en")
    try:
        call_command(name, *arguments, **options)
    except CommandError as error:
        return str(error)
    return None
