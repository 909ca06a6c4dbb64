"""A table's screen: the poker table itself, with the clock on its felt and the players around it."""

from __future__ import annotations

from appliance.display.canvas import Canvas
from appliance.display.layout_board import clock, figures, footer, footer_rows, header, results, ribbons
from appliance.display.layout_prompt import toast
from appliance.display.ops import Box
from appliance.display.seatmap import draw_seats, draw_table, plan
from appliance.display.view import ClockView, TableView

_ROW = 150
"""Height of a row of figures, in lengths of the design."""


def draw_table_screen(c: Canvas, view: TableView) -> None:
    """The whole screen of a table."""
    board, safe = view.board, c.safe
    c.ground()
    head = Box(safe.x, safe.y, safe.w, c.u(64))
    subtitle = c.tr.gettext("hand {hand}", hand=c.tr.number(view.hand)) if view.hand else board.venue
    header(c, head, board, c.tr.gettext("Table {table}", table=view.table), subtitle)
    shown = figures(c, board)
    rows = footer_rows(c, safe.w, len(shown)) if shown else 1
    foot_h = rows * c.u(_ROW) + (rows - 1) * c.u(16)
    foot = Box(safe.x, safe.bottom - foot_h, safe.w, foot_h)
    body = Box(safe.x, head.bottom + c.u(14), safe.w, foot.y - head.bottom - c.u(30))
    body = ribbons(c, body, board.status)
    _body(c, body, view)
    if view.prompt is None:
        footer(c, foot, shown)
    else:
        toast(c, foot, view.prompt)


def _body(c: Canvas, box: Box, view: TableView) -> None:
    board = view.board
    on_break = board.face is not None and board.face.on_break
    if board.phase == "finished":
        seated = plan(c, box, max(2, len(view.seats)))
        draw_table(c, seated)
        results(c, seated.rim.inset(seated.rim.w * 12 // 100, c.u(70)), board)
        return
    wide = box.w * 100 >= box.h * 135
    if wide:
        seated = plan(c, box, max(2, len(view.seats)))
        draw_table(c, seated, on_break=on_break)
        draw_seats(c, seated, view.seats)
        clock(c, seated.inside, board, view.hand_blinds)
        return
    upper = Box(box.x, box.y, box.w, box.h * 44 // 100)
    lower = Box(box.x, upper.bottom + c.u(20), box.w, box.bottom - upper.bottom - c.u(20))
    clock(c, upper.inset(c.u(30), 0), board, view.hand_blinds)
    seated = plan(c, lower, max(2, len(view.seats)))
    draw_table(c, seated, on_break=on_break)
    draw_seats(c, seated, view.seats)


def draw_clock_screen(c: Canvas, view: ClockView) -> None:
    """The clock wall: the same clock, as large as the screen allows."""
    board, safe = view.board, c.safe
    c.ground()
    head = Box(safe.x, safe.y, safe.w, c.u(64))
    header(c, head, board, board.venue)
    shown = figures(c, board)
    rows = footer_rows(c, safe.w, len(shown)) if shown else 1
    foot_h = rows * c.u(_ROW) + (rows - 1) * c.u(16)
    foot = Box(safe.x, safe.bottom - foot_h, safe.w, foot_h)
    body = Box(safe.x, head.bottom + c.u(20), safe.w, foot.y - head.bottom - c.u(44))
    body = ribbons(c, body, board.status)
    if board.phase == "finished":
        results(c, body.inset(body.w // 8, 0), board)
    else:
        clock(c, body.inset(c.u(40), 0), board)
    footer(c, foot, shown)
