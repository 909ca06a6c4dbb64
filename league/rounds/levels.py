"""Levels and breaks as rows of a form: what was typed, what is wrong, what the announcement has of it (CK-1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

COLUMNS = ("sb", "bb", "ante", "minutes", "pause")
MOST_ROWS = 200
FRESH_ROWS = 12
MORE_ROWS = 5

_NUMBER = re.compile(r"[0-9]{1,10}", re.ASCII)


class Row(NamedTuple):
    """A row as it was typed; ``number`` of the level in it, None for a break or an empty row."""

    place: int
    values: Mapping[str, str]
    error: str | Promise = ""
    number: int | None = None

    @property
    def cells(self) -> list[tuple[str, str]]:
        """Name and text of each column."""
        return [(name, self.values.get(name, "")) for name in COLUMNS]

    @property
    def empty(self) -> bool:
        """Whether nothing was typed here."""
        return not any(self.values.values())


class Rows(NamedTuple):
    """All rows; ``levels``: as the announcement has them, of no use while there are errors."""

    rows: list[Row]
    levels: list[dict[str, int]]

    @property
    def errors(self) -> list[tuple[int, str | Promise]]:
        """Rows that are wrong: which, and why."""
        return [(row.place, row.error) for row in self.rows if row.error]

    def with_rows(self, more: int, after: int | None = None) -> Rows:
        """With empty rows at the end, or after a place."""
        kept = [row.values for row in self.rows]
        at = len(kept) if after is None else min(after, len(kept))
        return _numbered([*kept[:at], *[{} for _ in range(more)], *kept[at:]][:MOST_ROWS])


def typed(data: QueryDict) -> Rows:
    """The rows of a form that was sent."""
    columns = {name: data.getlist(name)[:MOST_ROWS] for name in COLUMNS}
    length = max((len(values) for values in columns.values()), default=0)
    return _numbered(
        {name: values[n].strip() for name, values in columns.items() if n < len(values)} for n in range(length)
    )


def of_levels(levels: Iterable[Mapping[str, Any]]) -> Rows:
    """The rows of a structure as an announcement has it."""
    return _numbered(
        {name: str(level[said]) for name in COLUMNS if level.get(said := "break" if name == "pause" else name)}
        | ({"sb": "0"} if level.get("sb") == 0 else {})
        for level in levels
    )


def _numbered(all_values: Iterable[Mapping[str, str]]) -> Rows:
    rows: list[Row] = []
    levels: list[dict[str, int]] = []
    number = 0
    for place, values in enumerate(all_values, 1):
        row = Row(place, {name: values.get(name, "").replace("\u00a0", "").replace(" ", "") for name in COLUMNS})
        if row.empty:
            rows.append(row)
            continue
        error = _fault(row.values)
        if not row.values["pause"]:
            number += 1
            row = row._replace(number=number)
        rows.append(row._replace(error=error))
        if not error:
            levels.append(_level(row.values))
    return Rows(rows, levels)


def _fault(values: Mapping[str, str]) -> str | Promise:
    given = {name: text for name, text in values.items() if text}
    if any(not _NUMBER.fullmatch(text) for text in given.values()):
        return _("Only whole numbers.")
    if "pause" in given:
        if len(given) > 1:
            return _("A break has nothing but its minutes.")
        return "" if 1 <= int(given["pause"]) <= 1440 else _("A break has 1 to 1440 minutes.")
    if not {"sb", "bb", "minutes"} <= given.keys():
        return _("A level has a small blind, a big blind and minutes.")
    if not 1 <= int(given["minutes"]) <= 1440:
        return _("A level has 1 to 1440 minutes.")
    if int(given["bb"]) < 1:
        return _("A big blind is more than nothing.")
    return "" if int(given["sb"]) <= int(given["bb"]) else _("The small blind is not larger than the big one.")


def _level(values: Mapping[str, str]) -> dict[str, int]:
    if values["pause"]:
        return {"break": int(values["pause"])}
    ante = int(values["ante"] or 0)
    level = {"sb": int(values["sb"]), "bb": int(values["bb"]), "minutes": int(values["minutes"])}
    return level | ({"ante": ante} if ante else {})
