"""What came of an import, or would."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from django.db import transaction

from league.imports.csvfile import MAX_PROBLEMS, BadFile, Problem, Table, digest, read
from league.privacy.router import KEYS


@dataclass
class Outcome:
    """How many of each kind, what is wrong (then nothing was written), and what else is to be told."""

    counts: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)
    remarks: list[Problem] = field(default_factory=list)
    table: Table | None = None
    digest: str = ""
    done: bool = False

    @property
    def writes(self) -> int:
        """How much would be written, or was."""
        return sum(count for what, count in self.counts.items() if what != "known")

    @property
    def shown(self) -> list[Problem]:
        """The first problems, in the order of lines."""
        return sorted(self.problems, key=lambda problem: problem.line)[:MAX_PROBLEMS]

    def in_file(self, problem: Problem) -> Problem:
        """The same with the column as the file calls it."""
        headings = self.table.headings if self.table else {}
        return problem._replace(column=headings.get(problem.column, problem.column))

    @property
    def hidden(self) -> int:
        """How many problems are not shown."""
        return max(0, len(self.problems) - MAX_PROBLEMS)


class _TakeBack(Exception):
    """Takes the transactions back after everything has been tried."""


def carry_out(
    raw: bytes, encoding: str, columns: Mapping[str, tuple[str, ...]], take: Callable[[Table, Outcome], None], *,
    dry_run: bool,
) -> Outcome:  # fmt: skip
    """Read a file and take all of it, or nothing of it if anything is wrong or it is a dry run."""
    outcome = Outcome(digest=digest(raw))
    try:
        outcome.table = read(raw, columns, encoding)
    except BadFile as error:
        outcome.problems.append(error.problem)
        return outcome
    outcome.problems += outcome.table.wrong
    try:
        # the keys are written first: a key too many opens nothing, what is sealed without its key is lost
        with transaction.atomic(), transaction.atomic(using=KEYS):
            take(outcome.table, outcome)
            if dry_run or outcome.problems:
                raise _TakeBack
    except _TakeBack:
        return outcome
    outcome.done = True
    return outcome
