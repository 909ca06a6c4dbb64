"""The round's clock as a strip along the top: for screens that are about something else, and never hide the time."""

from __future__ import annotations

from appliance.display.canvas import Canvas
from appliance.display.icons import pause_bars
from appliance.display.layout_board import DASH, after_break, ante_text, blinds_text, progress, why_stopped
from appliance.display.layout_call import draw_call
from appliance.display.ops import Box
from appliance.display.view import Board, Call, Face
from appliance.i18n import duration

_HEIGHT = 160
"""In lengths of the design."""


def strip_height(c: Canvas) -> int:
    """How many pixels the strip takes."""
    return c.u(_HEIGHT if c.screen.w >= c.screen.h else _HEIGHT * 5 // 3)


def draw_strip(c: Canvas, box: Box, board: Board, call: Call | None = None) -> None:
    """Time left, level and blinds, players left and the time of day; a player's time that runs."""
    theme, tr = c.theme, c.tr
    resting = board.face is not None and board.face.on_break and board.phase in ("running", "paused")
    c.framed(box, c.u(28), theme.felt_break if resting else theme.felt, theme.rail_light, c.u(3))
    inner = box.inset(c.u(36), c.u(12))
    if box.w >= 8 * box.h:
        time, said, day = inner.columns(38, 44, 18, gap=c.u(24))
        above, below = said.rows(38, 62)
    else:
        high, low = inner.rows(58, 42)
        time, day = high.columns(72, 28, gap=c.u(24))
        above, below = low.inset(0, c.u(8)).columns(54, 46, gap=c.u(24))
    _draw_time(c, time, board)
    _draw_said(c, above, below, board, call)
    left = board.field.left if board.field is not None and board.phase in ("running", "paused") else 0
    players = tr.ngettext("{n} player", "{n} players", left) if left else ""
    upper, lower = day.rows(38, 62) if players else (day, day)
    c.text(upper, players, c.u(36), theme.felt_muted, align="right")
    c.text(lower, tr.clock(board.now), c.u(64), theme.felt_ink, bold=True, align="right")


def _draw_said(c: Canvas, above: Box, below: Box, board: Board, call: Call | None) -> None:
    """What is played and why it stands still, and the blinds; whose time runs is told before either."""
    what, blinds = _said(c, board)
    if call is not None:
        draw_call(c, above, call)
    elif _stands(board):
        _draw_why(c, above, why_stopped(c.tr, board.phase), what)
    else:
        c.text(above, what, c.u(42), c.theme.felt_ink, bold=True)
    c.text(below if blinds else below._replace(h=0), blinds, c.u(92), c.theme.blinds, bold=True)


def _in_play(board: Board) -> Face | None:
    return board.face if board.phase in ("running", "paused", "open", "announced") else None


def _stands(board: Board) -> bool:
    return board.phase in ("running", "paused") and board.face is not None and not board.face.running


def _draw_time(c: Canvas, box: Box, board: Board) -> None:
    theme, face = c.theme, _in_play(board)
    if face is not None and board.phase in ("running", "paused"):
        time, bar = Box(box.x, box.y, box.w, box.h * 88 // 100), Box(box.x, box.y + box.h * 94 // 100, box.w, c.u(8))
        color = theme.time_stopped if _stands(board) else theme.time

        def seconds(c: Canvas, left: int) -> None:
            digits = c.countdown(time, duration(left), c.u(170), color)
            progress(c, Box(digits.x, bar.y, digits.w, max(2, bar.h)), face, left)

        c.running(seconds, face.remaining_s)
        return
    if board.starts_in_s is not None and 0 < board.starts_in_s < 12 * 3600:
        c.countdown(box, duration(board.starts_in_s), c.u(170), theme.time)
        return
    c.countdown(box, c.tr.clock(board.starts_at) if board.starts_at and face else DASH, c.u(170), theme.time_stopped)


def _said(c: Canvas, board: Board) -> tuple[str, str]:
    """What is played, and the blinds."""
    tr, face = c.tr, _in_play(board)
    if face is None:
        closed = {
            "finished": tr.gettext("Finished"),
            "cancelled": tr.gettext("The round is cancelled"),
            "moved": tr.gettext("The round is moved"),
        }
        return closed.get(board.phase, tr.gettext("No round tonight")), ""
    if board.phase in ("announced", "open"):
        start = tr.gettext("We start at {time}", time=tr.clock(board.starts_at)) if board.starts_at else ""
        return start or tr.gettext("Waiting for the start"), blinds_text(tr, face.blinds)
    blinds = (face.next_blinds or face.blinds) if face.on_break else face.blinds
    if face.on_break:
        until = tr.clock(face.break_ends_at) if face.break_ends_at and face.running else ""
        what = tr.gettext("Break until {time}", time=until) if until else tr.gettext("Break")
        note = after_break(tr, face)
    else:
        what, note = tr.gettext("Level {level}", level=face.level), ante_text(tr, blinds)
    return " · ".join(filter(None, (what, note))), blinds_text(tr, blinds)


def _draw_why(c: Canvas, box: Box, why: str, what: str) -> None:
    """Why the clock stands still, with the two bars: not by colour alone."""
    c.rounded(box, box.h // 2, c.theme.wait)
    side = box.h // 2
    pause_bars(c, Box(box.x + side * 2 // 3, box.cy - side // 2, side, side), c.theme.on_tone)
    words = Box(box.x + 2 * side, box.y, box.w - 3 * side, box.h)
    c.text(words, f"{why} · {what}", c.u(38), c.theme.on_tone, bold=True)
