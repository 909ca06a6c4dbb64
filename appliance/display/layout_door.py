"""The door: tap here, what is on tonight, and the answer to whoever tapped."""

from __future__ import annotations

from msgspec.structs import replace

from appliance.display.canvas import Canvas
from appliance.display.layout_announcement import announcement_and_body, draw_announcement
from appliance.display.layout_board import header, header_gap
from appliance.display.layout_figures import footer
from appliance.display.layout_invitation import draw_invitation, invitation
from appliance.display.layout_moves import draw_moves, moves_and_body
from appliance.display.layout_notices import draw_notices, notices_and_body
from appliance.display.layout_pictures import sponsored
from appliance.display.layout_pin import draw_pin, draws_pin
from appliance.display.layout_places import figures_foot
from appliance.display.layout_prompt import full
from appliance.display.layout_ribbons import ribbons, ribbons_height
from appliance.display.layout_tonight import draw_tonight, tells_of_tonight, tonight_figures
from appliance.display.ops import Box
from appliance.display.view import Board, DoorView, Status

_GAP = 28
"""Between the parts of the screen, in lengths of the design."""


def draw_door_screen(c: Canvas, view: DoorView) -> None:
    """The whole screen of a door."""
    safe, board = c.safe, view.board
    c.ground()
    if view.prompt is not None and draws_pin(view.prompt):
        draw_pin(c, view.prompt, board)
        return
    head = Box(safe.x, safe.y, safe.w, c.u(64))
    header(c, head, board, board.venue)
    body = Box(safe.x, head.bottom + c.u(20), safe.w, safe.bottom - head.bottom - c.u(20))
    status = _beside(board) if view.prompt is None else board.status
    ribbons(c, body, status)
    body = body.below(ribbons_height(c, status, body.w))
    announced, body = announcement_and_body(c, body, board.announcement, slim=view.prompt is not None)
    c.part(draw_announcement, announced, board.announcement)
    if view.prompt is not None:
        c.part(full, body, view.prompt)
        return
    noted, body = notices_and_body(c, header_gap(c, head, board, board.venue), body, view.notices)
    c.part(draw_notices, noted, view.notices)
    told, body = moves_and_body(c, body, view.moves)
    c.part(draw_moves, told, view.moves)
    _draw_idle(c, body, board)


def _beside(board: Board) -> Status:
    """What is wrong beside that which the invitation itself says large."""
    match invitation(board):
        case "reader":
            return replace(board.status, reader=True, missing=())
        case "director" | "starting":
            return replace(board.status, director=True)
        case _:
            return board.status


def _draw_idle(c: Canvas, body: Box, board: Board) -> None:
    """What waits for the next card: the invitation, what is on beside it, the figures below both."""
    shown = tonight_figures(c, board)
    if shown:
        foot = figures_foot(c, body, len(shown))
        c.part(footer, foot, shown)
        body = Box(body.x, body.y, body.w, foot.y - body.y - c.u(_GAP))
    beside, tonight = _invitation_and_tonight(c, body)
    if not tells_of_tonight(board):
        beside = sponsored(c, body, board)
    c.part(draw_invitation, beside, invitation(board))
    if tells_of_tonight(board):
        draw_tonight(c, sponsored(c, tonight, board), board)


def _invitation_and_tonight(c: Canvas, body: Box) -> tuple[Box, Box]:
    """Side by side, or one above the other on an upright screen."""
    gap = c.u(_GAP)
    if body.w * 100 >= body.h * 120:
        left = Box(body.x, body.y, (body.w - gap) * 54 // 100, body.h)
        return left, Box(left.right + gap, body.y, body.right - left.right - gap, body.h)
    upper = Box(body.x, body.y, body.w, (body.h - gap) * 44 // 100)
    return upper, Box(body.x, upper.bottom + gap, body.w, body.bottom - upper.bottom - gap)
