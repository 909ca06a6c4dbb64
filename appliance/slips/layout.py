"""Fit a slip to the columns of a roll: what stands in each row, and the slip as plain text.

Everything printed passes through `clean`: no control character, whatever somebody's name holds, ever reaches a
printer as a command.
"""

from __future__ import annotations

import re
from typing import TypeAlias, cast

from msgspec import Struct

from appliance.i18n import NBSP
from appliance.plaintext import plain
from appliance.slips.slip import Align, Cut, Line, Pair, Qr, Rule, Size, Slip, Space, Text

MAX_TEXT = 300
"""Characters of one text that are printed; a name is refused long before."""

MAX_QR = 200


class TextRow(Struct, frozen=True):
    """One row of letters; there is room for ``columns // size`` of them."""

    text: str
    size: Size = 1
    bold: bool = False
    align: Align = Align.LEFT


class RuleRow(Struct, frozen=True):
    dotted: bool


class QrRow(Struct, frozen=True):
    data: str


class CutRow(Struct, frozen=True):
    pass


Row: TypeAlias = TextRow | RuleRow | QrRow | CutRow

_LONE = re.compile(r"(?<!\S)([AIKOSUVZaikosuvz]) +(?=\S)")


def clean(text: str) -> str:
    """The text as it can stand in a row: composed letters, spaces for all white space, nothing unprintable.

    No-break spaces stay, for `wrap` to see.
    """
    return plain(text[:MAX_TEXT])[:MAX_TEXT]


def lay_out(slip: Slip, columns: int) -> tuple[Row, ...]:
    """The rows of a slip on a roll with that many columns. Raises ValueError below 16 columns."""
    if columns < 16:
        raise ValueError(f"{columns} columns: a slip needs 16")
    return tuple(row for line in slip.lines for row in _rows(line, columns))


def as_text(slip: Slip, columns: int) -> str:
    """The slip as plain text: what a person would type for it. Large letters stand in capitals' place, unspaced."""
    return "\n".join(_shown(row, columns).rstrip() for row in lay_out(slip, columns)) + "\n"


def _shown(row: Row, columns: int) -> str:
    match row:
        case RuleRow():
            return ("." if row.dotted else "-") * columns
        case QrRow():
            return f"[QR {row.data}]".center(columns)
        case CutRow():
            return "- 8< -".center(columns, " ")
        case TextRow():
            free = columns - len(row.text)
            return " " * {Align.LEFT: 0, Align.CENTRE: free // 2, Align.RIGHT: free}[row.align] + row.text


def _rows(line: Line, columns: int) -> list[Row]:
    match line:
        case Text():
            return _text_rows(line, columns)
        case Pair():
            return _pair_rows(line, columns)
        case Rule():
            return [RuleRow(line.dotted)]
        case Space():
            return [TextRow("")]
        case Qr():
            return [QrRow("".join(char for char in line.data if " " <= char <= "~")[:MAX_QR])]
        case Cut():
            return [CutRow()]


def _text_rows(line: Text, columns: int) -> list[Row]:
    text = clean(line.text)
    size = line.size
    widest = max((len(piece) for word in _words(text) for piece in _pieces(word)), default=0)
    while size > 1 and widest > columns // size:
        size = cast("Size", size - 1)
    return [TextRow(part, size, line.bold, line.align) for part in wrap(text, columns // size)]


def _pair_rows(line: Pair, columns: int) -> list[Row]:
    label, value = clean(line.label), clean(line.value)
    free = columns - len(label) - len(value)
    if free >= 2:
        return [TextRow((label + " " * free + value).replace(NBSP, " "), bold=line.bold)]
    rows: list[Row] = [TextRow(part, bold=line.bold) for part in wrap(label, columns)]
    return rows + [TextRow(part, bold=line.bold, align=Align.RIGHT) for part in wrap(value, columns)]


def wrap(text: str, width: int) -> list[str]:
    """The text in rows of at most ``width`` letters, broken between words, after hyphens, else anywhere.

    At no-break spaces it is broken only where a word is wider than a row.
    """
    rows: list[str] = []
    row = ""
    for word in _words(text):
        gap = " " if row else ""
        for piece in _pieces(word):
            if len(row) + len(gap) + len(piece) <= width:
                row += gap + piece
            else:
                rows += [row] if row else []
                *full, row = [piece[at : at + width] for at in range(0, len(piece), width)]
                rows += full
            gap = ""
    return [part.replace(NBSP, " ") for part in [*rows, row]]


def _words(text: str) -> list[str]:
    """What stands between spaces; one letter alone goes with what follows: Czech ends no line on a preposition."""
    return [word for word in _LONE.sub(rf"\1{NBSP}", text).split(" ") if word]


def _pieces(word: str) -> list[str]:
    """What must not be broken: the parts of a word up to and with its hyphens."""
    *parts, last = word.split("-")
    return [part + "-" for part in parts] + ([last] if last else [])
