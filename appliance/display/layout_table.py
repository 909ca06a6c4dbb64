"""A table's screen: the poker table itself, with the clock on its felt and the players around it."""

from __future__ import annotations

from appliance.display.canvas import Canvas
from appliance.display.layout_bands import draw_bands
from appliance.display.layout_board import clock, header
from appliance.display.layout_call import seat_of_call
from appliance.display.layout_clock import compact_clock
from appliance.display.layout_figures import footer
from appliance.display.layout_final import draw_ladder, is_final
from appliance.display.layout_hand import draw_hand, draw_middle
from appliance.display.layout_pad import draw_pad
from appliance.display.layout_pin import draw_pin, draws_pin
from appliance.display.layout_places import CLOCK_ON_TABLE, Places, places
from appliance.display.layout_prompt import toast
from appliance.display.layout_rest import draw_finish, draw_rest, rests
from appliance.display.seatmap import draw_seats, draw_table
from appliance.display.view import TableView


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
    draw_bands(c, where.bands, board.status, view.call, view.asked)
    _draw_play(c, view, where)
    if view.prompt is not None:
        toast(c, where.foot, view.prompt)
    else:
        c.part(footer, where.foot, where.shown, low=where.low)
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
        clock(c, where.on_clock, board, view.hand_blinds, widths=CLOCK_ON_TABLE)
