"""Reads CSV as spreadsheets write it: UTF-8 with and without its mark, Windows-1250, semicolons, commas or tabs.

What is no such file, or larger than a list of people can be, is refused before anything is made of it.
"""

from __future__ import annotations

import csv
import hashlib
import io
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.csvout import FORMULA
from league.privacy.marks import fold

MAX_BYTES = 2 * 1024 * 1024
MAX_LINES = 1000
"""Some seven seconds of work, in which nobody else writes to a database of one file."""
MAX_COLUMNS = 60
MAX_CELL = 1000
MAX_PROBLEMS = 200
"""So many faults are told at most: a file that is all wrong is so in its first lines."""

ENCODINGS = {"utf-8": "UTF-8", "cp1250": "Windows-1250"}
_SEPARATORS = (";", ",", "\t")


class Problem(NamedTuple):
    """What is wrong, or to be told, about a line (from 1, the heading being one; 0: the whole file)."""

    line: int
    column: str
    text: str | Promise

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else ""
        return f"{where}{self.column}: {self.text}" if self.column else f"{where}{self.text}"


class BadFile(ValueError):
    """The file cannot be read at all."""

    def __init__(self, text: str | Promise, line: int = 0) -> None:
        super().__init__(str(text))
        self.problem = Problem(line, "", text)


class Row(NamedTuple):
    """A line with its cells by column; what the file has no column for is empty."""

    line: int
    cells: dict[str, str]


@dataclass
class Table:
    """A file as it was read. ``unused``: headings that mean nothing here; ``headings``:
    what the file calls the others. ``wrong``: lines that have no right shape."""

    encoding: str
    separator: str
    columns: list[str]
    unused: list[str]
    headings: dict[str, str] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    wrong: list[Problem] = field(default_factory=list)


def digest(raw: bytes) -> str:
    """By which a file that was checked is known again."""
    return hashlib.sha256(raw).hexdigest()


def read(raw: bytes, columns: Mapping[str, tuple[str, ...]], encoding: str = "") -> Table:
    """The lines of a file. ``columns``: by name, what else the heading may call them. Raises `BadFile`.

    ``encoding``: one of `ENCODINGS`; else it is found out.
    """
    text, encoding = _decoded(raw, encoding)
    names = {fold(alias): name for name, aliases in columns.items() for alias in (name, *aliases)}
    lines = text.split("\n", 2)
    skipped = 0
    if lines[0].strip().lower().startswith("sep=") and len(lines[0].strip()) <= 5:
        text, skipped = text.split("\n", 1)[1] if "\n" in text else "", 1
    heading = next((line for line in text.split("\n") if line.strip()), "")
    separator = max(_SEPARATORS, key=lambda each: sum(fold(cell) in names for cell in heading.split(each)))
    table = Table(encoding, separator, [], [])
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    before = skipped
    try:
        for cells in reader:
            line, before = before + 1, reader.line_num + skipped
            if not any(cell.strip() for cell in cells):
                continue
            if not table.columns:
                _head(table, [cell.strip() for cell in cells], names, line)
            elif len(table.rows) + len(table.wrong) >= MAX_LINES:
                raise BadFile(_("More than %(count)d lines: divide the file.") % {"count": MAX_LINES}, line)
            else:
                _line(table, line, cells)
    except csv.Error:
        raise BadFile(_("Here the file is no CSV: a quotation mark is missing or too many."), before + 1) from None
    if not table.columns:
        raise BadFile(_("The file is empty."))
    return table


def _decoded(raw: bytes, encoding: str) -> tuple[str, str]:
    if len(raw) > MAX_BYTES:
        raise BadFile(_("The file is larger than %(count)d MB: divide it.") % {"count": MAX_BYTES // 1024 // 1024})
    if raw.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"\x1f\x8b", b"%PDF")):
        raise BadFile(_("This is a workbook or an archive: save the sheet as CSV."))
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in raw:
        raise BadFile(_("The file is not in UTF-8 or Windows-1250: save it as CSV UTF-8."))
    for tried in (encoding,) if encoding in ENCODINGS else tuple(ENCODINGS):
        try:
            text = raw.decode("utf-8-sig" if tried == "utf-8" else tried)
        except UnicodeDecodeError:
            continue
        return text.replace("\r\n", "\n").replace("\r", "\n"), tried
    if encoding in ENCODINGS:
        other = _("The file is not in %(encoding)s. Have the encoding found out, or choose the other one.")
        raise BadFile(other % {"encoding": ENCODINGS[encoding]})
    raise BadFile(_("The file is not in UTF-8 or Windows-1250: save it as CSV UTF-8."))


def _head(table: Table, cells: list[str], names: Mapping[str, str], line: int) -> None:
    if len(cells) > MAX_COLUMNS:
        raise BadFile(_("More than %(count)d columns.") % {"count": MAX_COLUMNS}, line)
    table.columns = [names.get(fold(cell), "") for cell in cells]
    table.unused = [cell[:40] for cell, name in zip(cells, table.columns, strict=True) if cell and not name]
    table.headings = {name: cell for cell, name in zip(cells, table.columns, strict=True) if name}
    known = [name for name in table.columns if name]
    if not known:
        raise BadFile(_("The first line must name the columns; none of them is known."), line)
    twice = sorted({name for name in known if known.count(name) > 1})
    if twice:
        raise BadFile(_("A column is there twice: %(name)s.") % {"name": ", ".join(twice)}, line)


def _line(table: Table, line: int, cells: list[str]) -> None:
    if len(cells) > len(table.columns) and any(cell.strip() for cell in cells[len(table.columns) :]):
        table.wrong.append(Problem(line, "", _("More cells than columns: is a separator too many?")))
    elif len(cells) < len(table.columns) and len(cells) == 1 and len(table.columns) > 2:
        table.wrong.append(Problem(line, "", _("Only one cell: is there another separator?")))
    elif long := [name for name, cell in zip(table.columns, cells, strict=False) if len(cell) > MAX_CELL]:
        table.wrong.append(Problem(line, long[0], _("More than %(count)d characters.") % {"count": MAX_CELL}))
    else:
        found = {name: _cell(cell) for name, cell in zip(table.columns, cells, strict=False) if name}
        table.rows.append(Row(line, dict.fromkeys(filter(None, table.columns), "") | found))


def _cell(text: str) -> str:
    """The text in composed letters, without the sign that `csvout` puts before what looks like a formula."""
    text = unicodedata.normalize("NFC", text).strip()
    return text[1:] if text.startswith("'") and text[1:].lstrip(" ").startswith(FORMULA) else text
