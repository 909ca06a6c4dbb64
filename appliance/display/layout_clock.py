"""The clock of a round in play where it shares the felt with a hand: smaller than alone, still larger than the rest."""

from __future__ import annotations

from typing import NamedTuple

from appliance.display.canvas import LEAST_SIZE, Canvas
from appliance.display.icons import pause_bars
from appliance.display.layout_board import (
    USUAL_TIME,
    Letters,
    after_break,
    ante_text,
    blinds_text,
    progress,
    why_stopped,
)
from appliance.display.ops import Box
from appliance.display.view import Blinds, Board, Face
from appliance.i18n import duration

_FLAT, _TALL = (60, 3, 4, 4, 29, 0), (49, 3, 3, 4, 16, 25)
"""Per cent for the time, the bar, level and blinds, and the space between: side by side, or one above the other."""


class _Said(NamedTuple):
    """What stands below the time: why it stands still, the level with the ante, the blinds."""

    why: str
    what: str
    blinds: str


def compact_clock(c: Canvas, box: Box, board: Board, hand_blinds: Blinds | None = None) -> None:
    """Time, below it level and blinds."""
    face = board.face
    if face is None:
        return
    theme, said = c.theme, _said(c, board, face, hand_blinds)
    flat = _flat(c, box, said)
    time, _, bar, _, line, below = box.rows(*(_FLAT if flat else _TALL))
    color = theme.time if face.running else theme.time_stopped
    digits = c.countdown(time, duration(face.remaining_s), c.u(380), color)
    progress(c, Box(digits.x, min(bar.y, digits.bottom + c.u(14)), digits.w, max(2, bar.h)), face, face.remaining_s)
    if flat:
        line, below = _line_and_blinds(c, line, said)
    if said.why:
        pill, line = line.columns(_least(c, said.why), _least(c, said.what), gap=c.u(12))
        _draw_why(c, pill, said.why)
    c.text(line, said.what, c.u(56), theme.felt_ink, bold=True)
    c.text(below, said.blinds, c.u(100), theme.blinds, bold=True)


def compact_fits(c: Canvas, box: Box, board: Board, hand_blinds: Blinds | None = None) -> bool:
    """Whether all of it can be read there."""
    if board.face is None:
        return False
    said = _said(c, board, board.face, hand_blinds)
    row = c.measure.height(LEAST_SIZE, True)
    if _flat(c, box, said):
        return box.h * _FLAT[4] >= 100 * row
    wide = max(_least(c, *said[:2]) + c.u(12), _least(c, said.blinds), _least(c, duration(board.face.remaining_s)))
    return box.w >= wide and box.h * _TALL[4] >= 100 * row


def compact_letters(c: Canvas, box: Box, board: Board, face: Face, hand_blinds: Blinds | None = None) -> Letters:
    """How large it would be written in ``box``."""
    said = _said(c, board, face, hand_blinds)
    flat = _flat(c, box, said)
    time, _, _, _, line, below = box.rows(*(_FLAT if flat else _TALL))
    if flat:
        _, below = _line_and_blinds(c, line, said)
    blinds = c.fit(said.blinds, below.w, below.h, c.u(100), bold=True)
    return Letters(c.digits(time, USUAL_TIME, c.u(380)), blinds)


def _said(c: Canvas, board: Board, face: Face, hand_blinds: Blinds | None) -> _Said:
    tr = c.tr
    what = tr.gettext("Level {level}", level=face.level)
    if face.on_break:
        until = tr.clock(face.break_ends_at) if face.break_ends_at and face.running else ""
        what = tr.gettext("Break until {time}", time=until) if until else tr.gettext("Break")
    blinds = (face.next_blinds or face.blinds) if face.on_break else face.blinds
    note = after_break(tr, face) if face.on_break else ante_text(tr, blinds)
    if hand_blinds is not None and hand_blinds != blinds and not face.on_break:
        note = tr.gettext("this hand {blinds}", blinds=blinds_text(tr, hand_blinds))
    why = "" if face.running else why_stopped(tr, board.phase)
    return _Said(why, " · ".join(filter(None, (what, note))), blinds_text(tr, blinds))


def _flat(c: Canvas, box: Box, said: _Said) -> bool:
    """Whether level and blinds go side by side: where the box is wide, and wide enough for them."""
    return box.w * 100 >= box.h * 250 and box.w >= _least(c, *said) * 13 // 10 + c.u(36)


def _line_and_blinds(c: Canvas, row: Box, said: _Said) -> tuple[Box, Box]:
    """Level and blinds side by side; however long the one is, the blinds have nearly half of it."""
    line, blinds = row.columns(_least(c, *said[:2]), _least(c, said.blinds) * 13 // 10, gap=c.u(24))
    if blinds.w * 100 < row.w * 45:
        line, blinds = row.columns(55, 45, gap=c.u(24))
    return line, blinds


def _least(c: Canvas, *texts: str) -> int:
    """The width these texts need at least, side by side; the reason for standing still has its bars before it."""
    bars = 3 * LEAST_SIZE if len(texts) > 1 and texts[0] else 0
    return max(1, bars + sum(c.measure.width(text, LEAST_SIZE, True) for text in texts))


def _draw_why(c: Canvas, box: Box, why: str) -> None:
    """Why the clock stands still, with the two bars: not by colour alone."""
    box = box.inset(0, box.h * 8 // 100)
    c.rounded(box, box.h // 2, c.theme.wait)
    side = min(box.h // 2, box.w // 6)
    pause_bars(c, Box(box.x + side * 2 // 3, box.cy - side // 2, side, side), c.theme.on_tone)
    words = Box(box.x + 2 * side, box.y, box.w - 5 * side // 2, box.h)
    c.text(words, why, c.u(48), c.theme.on_tone, bold=True)
