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

_COLUMNS, _FEW = 3, 2
MOST = 12
"""So many lines are told; a table of ten that is broken, and two who come."""


class _Grid(NamedTuple):
    """How the lines are set: in so many columns and rows, of this size and height."""

    columns: int
    rows: int
    size: int
    height: int


def _when(move: Move, tr: Translator) -> str:
    return {
        "next-hand": tr.gettext("deals in next hand"),
        "after-button": tr.gettext("deals in after the button"),
        "big-blind": tr.gettext("deals in as a lone big blind"),
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


def moves_and_body(c: Canvas, body: Box, moves: tuple[Move, ...], *, large: bool = False) -> tuple[Box, Box]:
    """Where the moves go, at the top, and what of the body is left below them. ``large``: most of it is theirs."""
    if not moves:
        return body, body
    most = max(0, min(body.h * (60 if large else 30) // 100, body.h - _LEFT * LEAST_SIZE))
    lines = _lines(c, most, moves)
    if not lines:
        return Box(body.x, body.y, body.w, 0), body
    grid = _grid(c, body.w, most, lines, large)
    panel = Box(body.x, body.y, body.w, min(most, grid.rows * grid.height + 2 * c.u(_PAD)))
    return panel, body.below(panel.h + c.u(_GAP))


def draw_moves(c: Canvas, box: Box, moves: tuple[Move, ...], *, large: bool = False) -> None:
    """Write the moves into the panel; all in letters of one size, in as many columns as let it be the largest."""
    lines = _lines(c, box.h, moves)
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
        c.text(room, line, grid.size, c.theme.felt_ink, bold=True, align=align)


def _lines(c: Canvas, height: int, moves: tuple[Move, ...]) -> list[str]:
    """As many lines as can be read in a panel so high; only the smallest screens do not hold all."""
    rows = (height - 2 * c.u(_PAD)) // c.measure.height(LEAST_SIZE, True)
    return move_lines(moves, c.tr, min(MOST, rows * _COLUMNS)) if moves and rows > 0 else []


def _grid(c: Canvas, width: int, height: int, lines: list[str], large: bool) -> _Grid:
    """The grid whose letters are the largest, of equal ones that with the fewest rows."""
    wished, grids = c.u(56 if large else 46 if len(lines) <= _FEW else 34), []
    for columns in range(1, min(_COLUMNS, len(lines)) + 1):
        rows = -(-len(lines) // columns)
        room = max(1, (height - 2 * c.u(_PAD)) // rows)
        size = min(c.fit(line, _column(c, width, columns), room, wished, bold=True) for line in lines)
        grids.append(_Grid(columns, rows, size, min(room, c.measure.height(size, True))))
    return max(grids, key=lambda grid: (grid.size, -grid.rows))


def _column(c: Canvas, width: int, columns: int) -> int:
    return max(1, (width - 2 * c.u(_SIDE) - (columns - 1) * c.u(_BETWEEN)) // columns)
