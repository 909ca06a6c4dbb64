"""Who finished where, with prizes and points."""

from __future__ import annotations

from appliance.display.canvas import LEAST_SIZE, Canvas, Words
from appliance.display.ops import Box
from appliance.display.theme import Color
from appliance.display.view import Board, Result
from appliance.i18n import Translator

_FLAG_SIZE = 32
"""Size of the note on the points, in lengths of the design."""


def results(c: Canvas, box: Box, board: Board) -> None:
    """Who finished where, best first, as many as fit legibly; in two columns when there are many."""
    room = box.below(_heading(c, box, board))
    columns = 2 if len(board.results) * c.u(66) > room.h and room.w * 10 > room.h * 16 else 1
    rows = max(1, -(-len(board.results) // columns))
    height = min(max(room.h // rows, c.u(44)), c.u(66))
    rows = max(1, min(rows, room.h // height))
    shown = board.results[: rows * columns]
    parts = room.columns(*[1] * columns, gap=c.u(70))
    lines = [_result_texts(c.tr, result) for result in shown]
    size, widths = _result_widths(c, lines, parts[0].w, height * 7 // 10)
    for n, (result, texts) in enumerate(zip(shown, lines, strict=True)):
        column, line = divmod(n, rows)
        row = Box(parts[column].x, room.y + line * height, parts[column].w, height)
        _result(c, row, texts, size, widths, paid=result.prize > 0)


def _heading(c: Canvas, box: Box, board: Board) -> int:
    """The title and, in its lower part, the note on the points; returns how high both are together."""
    height = min(c.u(120), box.h // 5)
    flag = key_flag(c, board, c.theme.felt_muted)
    flag_h = c.needed(box.w, flag)[1]
    title = Box(box.x, box.y, box.w, max(height - flag_h, height * 55 // 100))
    c.text(title, c.tr.gettext("Preliminary results"), c.u(80), c.theme.felt_ink, bold=True)
    c.block(Box(box.x, title.bottom, box.w, flag_h), flag)
    return title.h + flag_h


def key_flag(c: Canvas, board: Board, color: Color) -> list[Words]:
    """What is said beside points whose key the league has not confirmed (P); empty when there is nothing to flag."""
    if board.key_confirmed or all(result.points is None for result in board.results):
        return []
    return [Words(c.tr.gettext("Points by an unconfirmed key"), c.u(_FLAG_SIZE), color)]


def points_text(tr: Translator, result: Result) -> str:
    """A result's points with their unit; empty where there are none."""
    return tr.gettext("{points} pts", points=tr.decimal(result.points)) if result.points is not None else ""


def _result_texts(tr: Translator, result: Result) -> tuple[str, str, str, str]:
    prize = tr.crowns(result.prize) if result.prize else ""
    return tr.place(result.place), result.who, prize, points_text(tr, result)


def _result_widths(c: Canvas, lines: list[tuple[str, str, str, str]], room: int, size: int) -> tuple[int, list[int]]:
    """One size for all lines, ``size`` or less, and the widths of place, prize and points; the name has the rest."""
    size = max(size, LEAST_SIZE)
    while True:
        widths = [
            max((c.measure.width(line[column], size, column == 0) for line in lines), default=0) for column in (0, 2, 3)
        ]
        names = max((c.measure.width(line[1], size, True) for line in lines), default=0)
        if size <= LEAST_SIZE or size <= c.u(26) or sum(widths) + names + 3 * size // 2 <= room:
            return size, widths
        size -= 1


def _result(c: Canvas, row: Box, texts: tuple[str, str, str, str], size: int, widths: list[int], *, paid: bool) -> None:
    theme = c.theme
    place, name, prize, points = texts
    ink, gap = (theme.blinds if paid else theme.felt_ink), size // 2
    left = Box(row.x, row.y, widths[0], row.h)
    right = Box(row.right - widths[2], row.y, widths[2], row.h)
    amount = Box(right.x - gap - widths[1], row.y, widths[1], row.h)
    c.text(left, place, size, ink, bold=True, align="right")
    free = Box(left.right + gap, row.y, amount.x - gap - left.right - gap, row.h)
    c.text(free, name, size, ink, bold=paid, align="left", least=c.u(26))
    c.text(amount, prize, size, ink, align="right")
    c.text(right, points, size, theme.felt_muted, align="right")
