"""What the screens of a round share: header, warnings, the clock itself, the figures below it, the results."""

from __future__ import annotations

from typing import NamedTuple

from appliance.display.canvas import LEAST_SIZE, Canvas, Words
from appliance.display.icons import pause_bars
from appliance.display.layout_pictures import LOGO_GAP, draw_logo, logo_box
from appliance.display.ops import Box
from appliance.display.theme import Color
from appliance.display.view import Blinds, Board, Face, Phase
from appliance.i18n import NBSP, Translator, duration

DASH = "–"

_FULL = (100, 100, 100)


def header(c: Canvas, box: Box, board: Board, title: str, subtitle: str = "") -> None:
    """Where we are on the left after the house's logo, the time of day on the right."""
    c.part(_header, box, c.tr.clock(board.now), title, subtitle)


def _header(c: Canvas, box: Box, now: str, title: str, subtitle: str) -> None:
    logo = draw_logo(c, logo_box(c, box, _gap(c, box, now, title, subtitle).w))
    box = Box(box.x + logo.w, box.y, box.w - logo.w, box.h)
    right = c.text(box, now, c.u(44), c.theme.ink, align="right")
    free = Box(box.x, box.y, right.x - box.x - c.u(32), box.h)
    name = c.text(Box(free.x, free.y, free.w * 2 // 3, free.h), title, c.u(52), c.theme.ink, bold=True, align="left")
    left = name.right + c.u(28)
    c.text(Box(left, free.y, free.right - left, free.h), subtitle, c.u(34), c.theme.muted, align="left")


def header_gap(c: Canvas, box: Box, board: Board, title: str, subtitle: str = "") -> Box:
    """What a header with all its texts at their wished sizes leaves free between them; less than nothing is nothing."""
    now = c.tr.clock(board.now)
    gap = _gap(c, box, now, title, subtitle)
    logo = logo_box(c, box, gap.w)
    taken = logo.w + c.u(LOGO_GAP) if logo.w else 0
    return Box(gap.x + taken, gap.y, gap.w - taken, gap.h)


def _gap(c: Canvas, box: Box, now: str, title: str, subtitle: str) -> Box:
    """The same without a logo."""

    def width(text: str, size: int, bold: bool = False) -> int:
        return c.measure.width(text, max(LEAST_SIZE, c.u(size)), bold) + c.u(32) if text else 0

    said, time = width(title, 52, True) + width(subtitle, 34), width(now, 44)
    return Box(box.x + said, box.y, max(0, box.w - said - time), box.h)


def blinds_text(tr: Translator, blinds: Blinds) -> str:
    """400 / 800, kept on one line."""
    return f"{tr.number(blinds.sb)}{NBSP}/{NBSP}{tr.number(blinds.bb)}"


def ante_text(tr: Translator, blinds: Blinds) -> str:
    """The ante and who pays it; empty without one."""
    if not blinds.ante:
        return ""
    amount = tr.number(blinds.ante)
    if blinds.ante_from_bb:
        return tr.gettext("BB ante {amount}", amount=amount)
    return tr.gettext("ante {amount}", amount=amount)


def clock(
    c: Canvas, box: Box, board: Board, hand_blinds: Blinds | None = None, *, widths: tuple[int, int, int] = _FULL
) -> None:
    """The time above all, the level above it, the blinds below. ``widths``: per cent for level, blinds, and ante."""
    height = min(box.h, box.w * 72 // 100)
    box = Box(box.x, box.cy - height // 2, box.w, height)
    if board.phase in ("cancelled", "moved", "none") or board.face is None:
        c.block(box, closed_words(c, board, c.theme.felt_ink, c.theme.felt_muted))
    elif board.phase in ("announced", "open"):
        _before_start(c, box, board, board.face, widths)
    else:
        _running(c, box, board, board.face, hand_blinds, widths)


USUAL_TIME = "00:00"
"""A time as wide as it is most of an evening: what a clock gets of a screen must not change with a second."""


class Letters(NamedTuple):
    """Sizes of the letters of a clock: of a usual time and of the blinds."""

    time: int
    blinds: int


def clock_letters(c: Canvas, box: Box, face: Face, widths: tuple[int, int, int] = _FULL) -> Letters:
    """How large a clock in play would be written in ``box``."""
    height = min(box.h, box.w * 72 // 100)
    _, time, _, blinds, _ = _rows(c, Box(box.x, box.cy - height // 2, box.w, height))
    said = blinds_text(c.tr, (face.next_blinds or face.blinds) if face.on_break else face.blinds)
    wide = _narrowed(blinds, widths[1]).w
    row = c.fit(said, wide, blinds.h, c.u(130 if face.on_break else 150), bold=True)
    return Letters(c.digits(time, USUAL_TIME, c.u(380)), row)


def _rows(c: Canvas, box: Box) -> tuple[Box, Box, Box, Box, Box]:
    """Level, time, bar, blinds, and ante."""
    shares = (14, 3, 49, 4, 2, 3, 27, 11)
    if box.h * shares[-1] < 100 * c.measure.height(LEAST_SIZE, False):  # a slit: the time comes first
        shares = (0, 0, 62, 5, 3, 5, 36, 0)
    top, _, time, _, bar, _, blinds, ante = box.rows(*shares)
    return top, time, bar, blinds, ante


def _narrowed(box: Box, per_cent: int) -> Box:
    return box.inset(box.w * (100 - per_cent) // 200, 0)


def _running(
    c: Canvas, box: Box, board: Board, face: Face, hand_blinds: Blinds | None, widths: tuple[int, int, int]
) -> None:
    tr, theme = c.tr, c.theme
    top, time, bar, blinds, ante = _rows(c, box)
    top, blinds, ante = (_narrowed(row, wide) for row, wide in zip((top, blinds, ante), widths, strict=True))
    stopped = not face.running
    level = tr.gettext("Level {level}", level=face.level)
    ink = theme.felt_ink
    if stopped:
        _stopped_pill(c, top, why_stopped(tr, board.phase), tr.gettext("Break") if face.on_break else level)
    elif face.on_break:
        until = tr.clock(face.break_ends_at) if face.break_ends_at else ""
        said = tr.gettext("Break until {time}", time=until) if until else tr.gettext("Break")
        c.text(top, said, c.u(64), ink, bold=True)
    else:
        c.text(top, level, c.u(64), ink, bold=True)
    color = theme.time_stopped if stopped else theme.time

    def seconds(c: Canvas, left: int) -> None:
        digits = c.countdown(time, duration(left), c.u(380), color)
        progress(c, Box(digits.x, bar.y, digits.w, max(3, bar.h)), face, left)

    c.running(seconds, face.remaining_s)
    if face.on_break:
        following = face.next_blinds or face.blinds
        c.text(blinds, blinds_text(tr, following), c.u(130), theme.blinds, bold=True)
        c.text(ante, after_break(tr, face), c.u(46), theme.felt_muted)
        return
    c.text(blinds, blinds_text(tr, face.blinds), c.u(150), theme.blinds, bold=True)
    note = ante_text(tr, face.blinds)
    if hand_blinds is not None and hand_blinds != face.blinds:
        note = tr.gettext("from the next hand; this hand {blinds}", blinds=blinds_text(tr, hand_blinds))
    c.text(ante, note, c.u(50), theme.felt_muted)


def after_break(tr: Translator, face: Face) -> str:
    """What the break is followed by, with its ante: the next level, or the one that it interrupts (CK-3)."""
    said = tr.gettext("after the break")
    if face.resumes_s is not None:
        left = duration(face.resumes_s)
        said = tr.gettext("after the break level {level} resumes, {time} left", level=face.level, time=left)
    elif face.next_blinds is not None:
        said = tr.gettext("level {level} after the break", level=face.following)
    return " · ".join(filter(None, (said, ante_text(tr, face.next_blinds or face.blinds))))


def why_stopped(tr: Translator, phase: Phase) -> str:
    """Why the clock of a round in play stands: by command, or because play is hand for hand (CK-6)."""
    return tr.gettext("Hand for hand") if phase == "running" else tr.gettext("Paused")


def _stopped_pill(c: Canvas, band: Box, why: str, what: str) -> None:
    """Says why the clock of the level or break stands, with the two bars: not by colour alone."""
    band = band.inset(0, band.h * 6 // 100)
    text = f"{why} · {what}"
    size = c.fit(text, band.w * 86 // 100, band.h * 9 // 10, c.u(58), bold=True)
    width = c.measure.width(text, size, True)
    icon = size
    pill = Box(band.cx - (width + 2 * icon) // 2 - icon // 2, band.y, width + 3 * icon, band.h)
    c.rounded(pill, pill.h // 2, c.theme.wait)
    bars = Box(pill.x + icon * 3 // 4, pill.cy - icon * 3 // 8, icon * 3 // 4, icon * 3 // 4)
    pause_bars(c, bars, c.theme.on_tone)
    c.text(Box(bars.right + icon // 3, pill.y, width + 2, pill.h), text, size, c.theme.on_tone, bold=True, align="left")


def progress(c: Canvas, box: Box, face: Face, seconds: int) -> None:
    """How much of the level is left, as a bar."""
    track = c.theme.felt_break_line if face.on_break else c.theme.felt_line
    c.rounded(box, box.h // 2, track)
    left = min(max(seconds / face.span_s, 0.0), 1.0) if face.span_s else 0.0
    c.rounded(Box(box.x, box.y, round(box.w * left), box.h), box.h // 2, c.theme.accent)


def _before_start(c: Canvas, box: Box, board: Board, face: Face, widths: tuple[int, int, int]) -> None:
    tr, theme = c.tr, c.theme
    top, _, time, _, blinds, ante = box.rows(15, 3, 51, 8, 24, 13)
    top, blinds, ante = (_narrowed(row, wide) for row, wide in zip((top, blinds, ante), widths, strict=True))
    start = board.starts_at
    if start is None or board.starts_in_s is None or board.starts_in_s <= 0:
        c.text(top, tr.gettext("Waiting for the start"), c.u(64), theme.felt_ink, bold=True)
        c.countdown(time, tr.clock(start) if start else DASH, c.u(380), theme.time_stopped)
    elif board.starts_in_s >= 12 * 3600:
        day = f"{tr.weekday(start)} {tr.date(start)}"
        c.text(top, tr.gettext("We start {day}", day=day), c.u(64), theme.felt_ink, bold=True)
        c.countdown(time, tr.clock(start), c.u(380), theme.time)
    else:
        c.text(top, tr.gettext("We start at {time}", time=tr.clock(start)), c.u(64), theme.felt_ink, bold=True)
        c.countdown(time, duration(board.starts_in_s), c.u(380), theme.time)
    c.text(blinds, blinds_text(tr, face.blinds), c.u(108), theme.blinds, bold=True)
    first = tr.gettext("first level, {minutes} min", minutes=face.span_s // 60)
    c.text(ante, " · ".join(filter(None, (first, ante_text(tr, face.blinds)))), c.u(46), theme.felt_muted)


def closed_words(c: Canvas, board: Board, ink: Color, muted: Color) -> list[Words]:
    """Why nothing is played: cancelled, moved, or no round at all; until the director was heard nobody knows."""
    tr, start = c.tr, board.starts_at
    said, note = tr.gettext("No round tonight"), ""
    if board.status.never_heard:
        said, note = tr.gettext("Waiting for the director…"), tr.gettext("What is on tonight is not known here yet.")
    elif board.phase == "cancelled":
        said, note = tr.gettext("The round is cancelled"), tr.gettext("Deposits are returned.")
    elif board.phase == "moved":
        said = tr.gettext("The round is moved")
        note = f"{tr.weekday(start)} {tr.date(start)}, {tr.clock(start)}" if start else ""
    return [Words(said, c.u(110), ink, True), Words(note, c.u(56), muted)]
