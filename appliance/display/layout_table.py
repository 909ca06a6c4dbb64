"""A table's screen: the poker table itself, with the clock on its felt and the players around it."""

from __future__ import annotations

from appliance.display.canvas import Canvas
from appliance.display.layout_board import clock, header, header_gap, ribbons, ribbons_height
from appliance.display.layout_call import call_and_body, draw_call
from appliance.display.layout_figures import figures, footer, footer_rows
from appliance.display.layout_moves import draw_moves, moves_and_body
from appliance.display.layout_notices import draw_notices, notices_and_body
from appliance.display.layout_prompt import toast
from appliance.display.layout_results import results
from appliance.display.ops import Box
from appliance.display.seatmap import Plan, draw_seats, draw_table, plan
from appliance.display.view import ClockView, TableView

_ROW = 150
"""Height of a row of figures, in lengths of the design."""


def draw_table_screen(c: Canvas, view: TableView) -> None:
    """The whole screen of a table: first the table, which rarely changes, then all that is said on and around it."""
    board, safe = view.board, c.safe
    shown = figures(c, board)
    head = Box(safe.x, safe.y, safe.w, c.u(64))
    foot = _foot(c, safe, len(shown))
    body = Box(safe.x, head.bottom + c.u(14), safe.w, foot.y - head.bottom - c.u(30))
    title = c.tr.gettext("Table {table}", table=view.table)
    subtitle = c.tr.gettext("hand {hand}", hand=c.tr.number(view.hand)) if view.hand else board.venue
    unwarned = body.below(ribbons_height(c, board.status))
    called, unwarned = call_and_body(c, unwarned, view.call)
    noted, free = notices_and_body(c, header_gap(c, head, board, title, subtitle), unwarned, view.notices)
    left_alone = bool(view.moves) and not any(seat.who for seat in view.seats)
    told, free = moves_and_body(c, free, view.moves, large=left_alone)
    on_clock, on_table, seated = _places(c, free, view)
    c.ground()
    on_break = board.phase in ("running", "paused") and board.face is not None and board.face.on_break
    if not left_alone:
        c.part(draw_table, seated, on_break=on_break)
    header(c, head, board, title, subtitle)
    ribbons(c, body, board.status)
    draw_call(c, called, view.call)
    c.part(draw_notices, noted, view.notices)
    c.part(draw_moves, told, view.moves, large=left_alone)
    if board.phase == "finished":
        results(c, on_table, board)
    elif left_alone:
        clock(c, free, board)
    else:
        c.part(draw_seats, seated, view.seats)
        clock(c, on_clock, board, view.hand_blinds)
    if view.prompt is None:
        c.part(footer, foot, shown)
    else:
        toast(c, foot, view.prompt)


def _places(c: Canvas, box: Box, view: TableView) -> tuple[Box, Box, Plan]:
    """Where the clock goes, where a list on the table goes, and the table: all in one, or one above the other."""
    wide = box.w * 100 >= box.h * 135
    finished = view.board.phase == "finished"
    seats = max(2, len(view.seats))
    if wide or finished:
        seated = plan(c, box, seats)
        rim = seated.rim
        return seated.inside, rim.inset(rim.w * 12 // 100, c.u(70)), seated
    upper = Box(box.x, box.y, box.w, box.h * 44 // 100)
    lower = Box(box.x, upper.bottom + c.u(20), box.w, box.bottom - upper.bottom - c.u(20))
    seated = plan(c, lower, seats)
    return upper.inset(c.u(30), 0), seated.inside, seated


def _foot(c: Canvas, safe: Box, count: int) -> Box:
    rows = footer_rows(c, safe.w, count) if count else 1
    height = rows * c.u(_ROW) + (rows - 1) * c.u(16)
    return Box(safe.x, safe.bottom - height, safe.w, height)


def draw_clock_screen(c: Canvas, view: ClockView) -> None:
    """The clock wall: the same clock, as large as the screen allows."""
    board, safe = view.board, c.safe
    c.ground()
    head = Box(safe.x, safe.y, safe.w, c.u(64))
    header(c, head, board, board.venue)
    shown = figures(c, board)
    foot = _foot(c, safe, len(shown))
    body = Box(safe.x, head.bottom + c.u(20), safe.w, foot.y - head.bottom - c.u(44))
    ribbons(c, body, board.status)
    body = body.below(ribbons_height(c, board.status))
    noted, body = notices_and_body(c, header_gap(c, head, board, board.venue), body, view.notices)
    c.part(draw_notices, noted, view.notices)
    if board.phase == "finished":
        results(c, body.inset(body.w // 8, 0), board)
    else:
        clock(c, body.inset(c.u(40), 0), board)
    c.part(footer, foot, shown)
