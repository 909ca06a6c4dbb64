"""Who is to sit elsewhere, one line a move: above the table, or large where nobody is left at it."""

from __future__ import annotations

from typing import NamedTuple

from appliance.display.canvas import LEAST_SIZE, Align, Canvas
from appliance.display.ops import Box
from appliance.display.view import Move
from appliance.i18n import Translator

_PAD, _SIDE, _GAP, _BETWEEN = 12, 28, 14, 40
"""Space above and below the lines, beside them, below all, and between two columns, in lengths of the design."""

_LEFT = 18
"""What the moves leave of the body at least, in the smallest letters: clock and seats have to go there."""

_SHARE, _LOW_SHARE, _LARGE_SHARE = 30, 12, 60
"""Per cent of the body that the moves take at most: above a table, where the time needs the room, and alone."""

_LOW_ROW = 38
"""Height of a line at least where the time needs the room, in lengths of the design: the moves take turns instead."""

_COLUMNS, _FEW = 3, 2
MOST = 12
"""So many lines are told; a table of ten that is broken, and two who come."""


class _Grid(NamedTuple):
    """How the moves are set: in so many columns and rows, of this size and height; ``folded``: each in two lines."""

    columns: int
    rows: int
    size: int
    height: int
    folded: bool


def _when(move: Move, tr: Translator) -> str:
    return {
        "next-hand": tr.gettext("is dealt in next hand"),
        "after-button": tr.gettext("is dealt in after the button"),
        "big-blind": tr.gettext("is dealt in as a lone big blind"),
    }[move.deals_in]


def move_text(move: Move, tr: Translator) -> str:
    """Say a move in a language."""
    when = _when(move, tr)
    table, seat = move.target
    if move.source is None:
        return tr.gettext("{who}: table {table} seat {seat}, {when}", who=move.who, table=table, seat=seat, when=when)
    return tr.gettext(
        "{who}: table {from_table} seat {from_seat} → table {table} seat {seat}, {when}",
        who=move.who,
        from_table=move.source[0],
        from_seat=move.source[1],
        table=table,
        seat=seat,
        when=when,
    )


def short_move_text(move: Move, tr: Translator) -> str:
    """Say only where a player goes, and when cards are dealt there if it is not with the next hand."""
    if move.source is None:  # who stays is not sent anywhere
        return move_text(move, tr)
    table, seat = move.target
    where = tr.gettext("{who} → table {table} seat {seat}", who=move.who, table=table, seat=seat)
    return where if move.deals_in == "next-hand" else f"{where}, {_when(move, tr)}"


def move_lines(moves: tuple[Move, ...], tr: Translator, most: int = MOST) -> list[str]:
    """All moves, a line each; of more than ``most`` the first, and how many more there are.

    Of many each is told in few words: a whole table that moves has to read them from where it sits.
    """
    told = moves if len(moves) <= most else moves[: max(0, most - 1)]
    say = move_text if len(moves) <= _FEW else short_move_text
    lines = [say(move, tr) for move in told]
    more = len(moves) - len(told)
    return [*lines, tr.ngettext("and {n} more move", "and {n} more moves", more)] if more else lines


def halves(line: str) -> tuple[str, str]:
    """A move in two lines: who from where, and where to."""
    for between, kept in ((" → ", "→ "), (": ", "")):
        before, found, after = line.partition(between)
        if found:
            return (before, kept + after) if kept else (before + ":", after)
    return line, ""


def moves_and_body(
    c: Canvas, body: Box, moves: tuple[Move, ...], *, large: bool = False, low: bool = False
) -> tuple[Box, Box]:
    """Where the moves go, at the top, and what of the body is left below them.

    ``large``: most of it is theirs; ``low``: no more than has to be.
    """
    if not moves:
        return body, body
    share = (_LARGE_SHARE // 2 if low else _LARGE_SHARE) if large else _LOW_SHARE if low else _SHARE
    most = max(0, min(body.h * share // 100, body.h - _LEFT * LEAST_SIZE))
    lines = _lines(c, most, moves, low=low)
    if not lines:
        return Box(body.x, body.y, body.w, 0), body
    grid = _grid(c, body.w, most, lines, large)
    panel = Box(body.x, body.y, body.w, min(most, grid.rows * grid.height + 2 * c.u(_PAD)))
    return panel, body.below(panel.h + c.u(_GAP))


def draw_moves(c: Canvas, box: Box, moves: tuple[Move, ...], *, large: bool = False, low: bool = False) -> None:
    """Write the moves into the panel; all in letters of one size, in as many columns as let it be the largest."""
    lines = _lines(c, box.h, moves, low=low)
    if not lines:
        return
    grid = _grid(c, box.w, box.h, lines, large)
    c.framed(box, c.u(24), c.theme.felt, c.theme.rail_light, c.u(2))
    inner = box.inset(c.u(_SIDE), c.u(_PAD))
    width, height = _column(c, box.w, grid.columns), inner.h // grid.rows
    align: Align = "center" if len(lines) == 1 else "left"
    for n, line in enumerate(lines):
        column, row = divmod(n, grid.rows)
        room = Box(inner.x + column * (width + c.u(_BETWEEN)), inner.y + row * height, width, height)
        if not grid.folded:
            c.text(room, line, grid.size, c.theme.felt_ink, bold=True, align=align)
            continue
        room = room.inset(0, (room.h - 2 * c.measure.height(grid.size, True)) // 2)
        for half, part in zip(halves(line), room.rows(1, 1), strict=True):
            c.text(part, half, grid.size, c.theme.felt_ink, bold=True, align=align)


def _lines(c: Canvas, height: int, moves: tuple[Move, ...], *, low: bool) -> list[str]:
    """As many lines as can be read in a panel so high; only the smallest screens do not hold all, and a ``low`` one."""
    row = c.measure.height(LEAST_SIZE, True)
    rows = (height - 2 * c.u(_PAD)) // row
    if low:
        rows = min(rows, max(1, (height - 2 * c.u(_PAD)) // max(row, c.u(_LOW_ROW))))
    return move_lines(moves, c.tr, min(MOST, rows * (_FEW if low else _COLUMNS))) if moves and rows > 0 else []


def _grid(c: Canvas, width: int, height: int, lines: list[str], large: bool) -> _Grid:
    """The grid whose letters are the largest, of equal ones that with the fewest rows; each move in a line, or two."""
    wished, grids = c.u(84 if large else 62 if len(lines) <= _FEW else 46), []
    for columns in range(1, min(_COLUMNS, len(lines)) + 1):
        rows = -(-len(lines) // columns)
        room = max(1, (height - 2 * c.u(_PAD)) // rows)
        wide = _column(c, width, columns)
        size = min(c.fit(line, wide, room, wished, bold=True) for line in lines)
        if c.measure.height(size, True) <= room or columns == min(_COLUMNS, len(lines)):
            grids.append(_Grid(columns, rows, size, min(room, c.measure.height(size, True)), False))
        parts = [half for line in lines for half in halves(line)]
        size = min(c.fit(half, wide, room // 2, wished, bold=True) for half in parts)
        if 2 * c.measure.height(size, True) <= room:
            between = c.measure.height(size, True) // 4 if rows > 1 else 0
            grids.append(_Grid(columns, rows, size, min(room, 2 * c.measure.height(size, True) + between), True))
    return max(grids, key=lambda grid: (grid.size, -grid.rows * grid.height))


def _column(c: Canvas, width: int, columns: int) -> int:
    return max(1, (width - 2 * c.u(_SIDE) - (columns - 1) * c.u(_BETWEEN)) // columns)
