"""What is on tonight, beside the door's invitation: the clock in play, else what takes turns to be read."""

from __future__ import annotations

from appliance.display.canvas import Canvas, Words
from appliance.display.layout_board import clock, closed_words
from appliance.display.layout_figures import Figure, figures, in_minutes, shares_figure
from appliance.display.layout_lists import Kind, draw_page, draw_turn, pages
from appliance.display.layout_rest import rests
from appliance.display.layout_rules import draw_rules
from appliance.display.listing import shown_at_all
from appliance.display.ops import Box
from appliance.display.view import Board

_BEFORE: tuple[Kind, ...] = ("structure", "standings", "rules", "plan", "prices")
_SOON_S = 12 * 3600
"""A start within this time is told as so many minutes from now."""


def tonight_figures(c: Canvas, board: Board) -> list[Figure]:
    """The figures below: before the start what a newcomer asks for first, then those of every screen."""
    if board.phase not in ("announced", "open"):
        return figures(c, board) if board.phase in ("running", "paused") else []
    tr, shown = c.tr, list[Figure]()
    if (start := board.starts_at) is not None:
        day = "" if start.date() == board.now.date() else f"{tr.weekday(start)} {tr.date(start)}"
        left = board.starts_in_s or 0
        when = in_minutes(tr, left) if not day and 0 < left < _SOON_S else ""
        shown.append((tr.gettext("Start"), tr.clock(start), day or when))
    if board.field is not None:
        free = board.capacity - board.field.entries
        taken = tr.ngettext("{n} registered", "{n} registered", board.field.entries) if board.field.entries else ""
        shown.append((tr.gettext("Free places"), tr.number(free) if free > 0 else tr.gettext("full"), taken))
    chips = tr.ngettext("{n} chip", "{n} chips", board.stack) if board.stack else ""
    shown.append((tr.gettext("Deposit"), tr.crowns(board.deposit), chips))
    return [*shown, *shares_figure(tr, board)]


def tells_of_tonight(board: Board) -> bool:
    """Whether there is anything to tell beside the invitation."""
    if board.phase == "none" and board.status.never_heard:
        return board.standings is not None
    return board.phase not in ("announced", "open") or bool(board.levels or board.rules or board.standings)


def draw_tonight(c: Canvas, box: Box, board: Board) -> None:
    """The panel beside the invitation."""
    match board.phase:
        case "announced" | "open":
            _draw_before(c, box, board)
        case "running" | "paused" if board.face is not None:
            c.part(_draw_felt, box, on_break=rests(board))
            clock(c, box.inset(c.u(44), c.u(30)), board)
        case "finished":
            if not draw_turn(c, box, board, ("results", "standings")):
                c.part(_draw_closed, box, board.phase, [Words(c.tr.gettext("Finished"), c.u(110), c.theme.ink, True)])
        case _:
            _draw_no_round(c, box, board)


def _draw_before(c: Canvas, box: Box, board: Board) -> None:
    """Structure, standings and the rules take turns (T-16, LG-12)."""
    found = pages(c, box, board, _BEFORE) if shown_at_all(c, box) else []
    turns = len(found) + (board.rules is not None)
    if not turns:
        return
    turn = board.turn % turns
    if turn < len(found):
        draw_page(c, box, board, found[turn])
    elif board.rules is not None:
        c.part(draw_rules, box, board.rules)


def _draw_no_round(c: Canvas, box: Box, board: Board) -> None:
    if board.status.never_heard and draw_turn(c, box, board, ("standings",)):
        return
    words = closed_words(c, board, c.theme.ink, c.theme.muted)
    upper, lower = Box(box.x, box.y, box.w, box.h * 26 // 100), box.below(box.h * 26 // 100 + c.u(20))
    if not shown_at_all(c, lower) or not draw_turn(c, lower, board, ("standings",)):
        upper = box
    c.part(_draw_closed, upper, board.phase, words)


def _draw_closed(c: Canvas, box: Box, _phase: str, words: list[Words]) -> None:
    c.framed(box, c.u(32), c.theme.panel, c.theme.panel_edge, c.u(2))
    c.block(box.inset(c.u(36), c.u(20)), words)


def _draw_felt(c: Canvas, box: Box, *, on_break: bool) -> None:
    theme = c.theme
    felt, line = (theme.felt_break, theme.felt_break_line) if on_break else (theme.felt, theme.felt_line)
    c.framed(box, c.u(36), felt, line, c.u(3))
