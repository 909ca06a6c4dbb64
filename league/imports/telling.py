"""How the import commands read their file and say what came of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from league.command import LeagueCommand, read_file
from league.imports.csvfile import ENCODINGS, MAX_BYTES
from league.imports.outcome import Outcome


class ImportCommand(LeagueCommand):
    """A command that takes a CSV file, all of it or nothing. A file with faults is exit status 2."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the CSV file; its first line names the columns")
        parser.add_argument("--dry-run", action="store_true", help="check everything, change nothing")
        parser.add_argument("--encoding", choices=list(ENCODINGS), default="", help="else it is found out")

    def carry_out(self, take: Callable[..., Outcome], **options: Any) -> None:
        """Import the file and tell of it. Raises `CommandError`."""
        path: Path = options["file"]
        try:
            raw = read_file(path, MAX_BYTES)
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror or error}", returncode=2) from None
        outcome = take(raw, encoding=options["encoding"], dry_run=options["dry_run"])
        if outcome.problems:
            lines = [f"{path}: {problem}" for problem in outcome.shown]
            more = [f"{path}: and {outcome.hidden} more"] if outcome.hidden else []
            raise CommandError("\n".join([*lines, *more]), returncode=2)
        for remark in outcome.remarks:
            self.stdout.write(f"{path}: {remark}")
        if outcome.table and outcome.table.unused:
            self.stdout.write(f"columns not used: {', '.join(outcome.table.unused)}")
        told = ", ".join(f"{count} {what}" for what, count in sorted(outcome.counts.items()))
        self.stdout.write(told or "the file has no lines")
        if options["dry_run"]:
            self.stdout.write("dry run: nothing was changed")
