"""A table's screen: the poker table itself, with the clock on its felt and the players around it."""

from __future__ import annotations

from appliance.display.canvas import Canvas
from appliance.display.layout_announcement import announcement_and_body, draw_announcement
from appliance.display.layout_board import clock, header, header_gap
from appliance.display.layout_call import draw_call, seat_of_call
from appliance.display.layout_clock import compact_clock
from appliance.display.layout_figures import figures, footer
from appliance.display.layout_final import draw_ladder, final_title, is_final, ladder_and_rest
from appliance.display.layout_hand import draw_hand, draw_middle
from appliance.display.layout_moves import draw_moves
from appliance.display.layout_notices import draw_notices, notices_and_body
from appliance.display.layout_pad import draw_pad
from appliance.display.layout_pictures import sponsored
from appliance.display.layout_pin import draw_pin, draws_pin
from appliance.display.layout_places import Places, figures_foot, places
from appliance.display.layout_prompt import toast
from appliance.display.layout_rest import beside_play, draw_finish, draw_rest, rests
from appliance.display.layout_ribbons import ribbons, ribbons_height
from appliance.display.ops import Box
from appliance.display.seatmap import draw_seats, draw_table
from appliance.display.view import ClockView, TableView


def draw_table_screen(c: Canvas, view: TableView) -> None:
    """The whole screen of a table: first the table, which rarely changes, then all that is said on and around it."""
    board, where = view.board, places(c, view)
    c.ground()
    if view.prompt is not None and draws_pin(view.prompt):
        draw_pin(c, view.prompt, board)
        return
    if not where.left_alone and not where.rest:
        c.part(
            draw_table, where.hand.rim if where.hand else where.seated.rim, on_break=rests(board), final=is_final(board)
        )
    header(c, where.head, board, where.title, where.subtitle)
    ribbons(c, where.body, board.status)
    draw_call(c, where.called, view.call, view.asked)
    c.part(draw_announcement, where.announced, board.announcement)
    c.part(draw_notices, where.noted, view.notices)
    c.part(draw_moves, where.told, view.moves, large=where.left_alone)
    _draw_play(c, view, where)
    if view.prompt is not None:
        toast(c, where.foot, view.prompt)
    else:
        c.part(footer, where.foot, where.shown, low=where.hand is not None)
    if where.pad is not None and view.pad is not None:
        c.part(draw_pad, where.pad, view.pad, where.tracked, view.seats)


def _draw_play(c: Canvas, view: TableView, where: Places) -> None:
    """What lies on the felt: the clock alone, or a tracked hand with a smaller clock; lists while nobody plays."""
    board = view.board
    if where.rest:
        if board.phase != "finished":
            draw_rest(c, where.free, board)
        elif not draw_finish(c, where.free, board):
            clock(c, where.free, board)
    elif where.left_alone:
        clock(c, where.free, board)
    elif where.tracked is not None and where.hand is not None and where.middle is not None:
        c.part(draw_hand, where.hand, view.seats, where.tracked, view.pad)
        c.part(draw_middle, where.middle, where.tracked, view.seats, view.pad.pot if view.pad else None)
        compact_clock(c, where.on_clock, board, view.hand_blinds)
    else:
        if where.ladder is not None:
            draw_ladder(c, where.ladder, board)
        c.part(draw_seats, where.seated, where.seats, seat_of_call(view))
        clock(c, where.on_clock, board, view.hand_blinds, widths=(60, 80, 60))


def draw_clock_screen(c: Canvas, view: ClockView) -> None:
    """The clock wall: the same clock, as large as the screen allows; lists beside it while nobody plays."""
    board, safe = view.board, c.safe
    c.ground()
    head = Box(safe.x, safe.y, safe.w, c.u(64))
    title, subtitle = (final_title(c.tr, board), board.venue) if is_final(board) else (board.venue, "")
    header(c, head, board, title, subtitle)
    final = is_final(board) and not rests(board)
    shown = figures(c, board, prizes=not final)
    foot = figures_foot(c, safe, len(shown)) if shown else Box(safe.x, safe.bottom, safe.w, 0)
    body = Box(safe.x, head.bottom + c.u(20), safe.w, foot.y - head.bottom - c.u(44 if shown else 20))
    ribbons(c, body, board.status)
    body = body.below(ribbons_height(c, board.status, body.w))
    announced, body = announcement_and_body(c, body, board.announcement)
    c.part(draw_announcement, announced, board.announcement)
    noted, body = notices_and_body(c, header_gap(c, head, board, title, subtitle), body, view.notices)
    c.part(draw_notices, noted, view.notices)
    if board.phase in ("running", "paused") and not rests(board):
        ladder, body = ladder_and_rest(c, body, board)
        if ladder is not None:
            draw_ladder(c, ladder, board)
        else:
            body = beside_play(c, body, board)
        clock(c, sponsored(c, body, board).inset(c.u(40), 0), board)
    elif board.phase != "finished":
        draw_rest(c, body, board)
    elif not draw_finish(c, body, board):
        clock(c, body, board)
    c.part(footer, foot, shown)
