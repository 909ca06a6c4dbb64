"""The door: tap here, what is on tonight, and the answer to whoever tapped."""

from __future__ import annotations

from appliance.display.canvas import Canvas
from appliance.display.icons import badge, tap_invitation
from appliance.display.layout_announcement import announcement_and_body, draw_announcement
from appliance.display.layout_board import (
    blinds_text,
    closed_words,
    header,
    header_gap,
    ribbons,
    ribbons_height,
    why_stopped,
)
from appliance.display.layout_figures import free_places
from appliance.display.layout_moves import draw_moves, moves_and_body
from appliance.display.layout_notices import draw_notices, notices_and_body
from appliance.display.layout_pin import draw_pin, draws_pin
from appliance.display.layout_prompt import full
from appliance.display.layout_results import key_flag, points_text
from appliance.display.ops import Box
from appliance.display.view import Board, DoorView, Result
from appliance.i18n import NBSP, Translator, duration


def draw_door_screen(c: Canvas, view: DoorView) -> None:
    """The whole screen of a door."""
    safe = c.safe
    c.ground()
    head = Box(safe.x, safe.y, safe.w, c.u(64))
    header(c, head, view.board, view.board.venue)
    body = Box(safe.x, head.bottom + c.u(28), safe.w, safe.bottom - head.bottom - c.u(28))
    ribbons(c, body, view.board.status)
    body = body.below(ribbons_height(c, view.board.status))
    if view.prompt is not None and draws_pin(view.prompt):
        draw_pin(c, view.prompt)
        return
    announced, body = announcement_and_body(c, body, view.board.announcement, slim=view.prompt is not None)
    c.part(draw_announcement, announced, view.board.announcement)
    if view.prompt is not None:
        c.part(full, body, view.prompt)
        return
    noted, body = notices_and_body(c, header_gap(c, head, view.board, view.board.venue), body, view.notices)
    c.part(draw_notices, noted, view.notices)
    told, body = moves_and_body(c, body, view.moves)
    c.part(draw_moves, told, view.moves)
    gap = c.u(40)
    if body.w * 100 >= body.h * 120:
        left = Box(body.x, body.y, body.w * 56 // 100, body.h)
        right = Box(left.right + gap, body.y, body.right - left.right - gap, body.h)
    else:
        left = Box(body.x, body.y, body.w, body.h * 52 // 100)
        right = Box(body.x, left.bottom + gap, body.w, body.bottom - left.bottom - gap)
    _invitation(c, left, view)
    _tonight(c, right, view.board)


def _invitation(c: Canvas, box: Box, view: DoorView) -> None:
    theme, tr = c.theme, c.tr
    c.framed(box, c.u(36), theme.felt, theme.rail_light, c.u(3))
    inner = box.inset(c.u(50), c.u(40))
    drawing = Box(inner.x, inner.y, inner.w, inner.h * 52 // 100)
    said = Box(inner.x, drawing.bottom + c.u(16), inner.w, inner.h * 26 // 100)
    note = Box(inner.x, said.bottom, inner.w, inner.bottom - said.bottom)
    if not view.board.status.reader:
        badge(c, drawing, "attention", theme.bad, theme.on_tone)
        c.paragraph(said, tr.gettext("The reader is offline"), c.u(110), theme.felt_ink, bold=True)
        c.paragraph(note, tr.gettext("Please see the commissioner."), c.u(46), theme.felt_muted)
        return
    tap_invitation(c, drawing, theme.plate, theme.felt_ink, theme.accent)
    c.paragraph(said, tr.gettext("Tap your card"), c.u(120), theme.felt_ink, bold=True)
    hint = {
        "announced": tr.gettext("Registration has not opened yet"),
        "open": tr.gettext("to register for tonight"),
        "running": tr.gettext("to see your seat"),
        "paused": tr.gettext("to see your seat"),
        "finished": tr.gettext("to see your result"),
    }.get(view.board.phase, "")
    c.paragraph(note, hint, c.u(50), theme.felt_muted)


def _tonight(c: Canvas, box: Box, board: Board) -> None:
    tr, theme = c.tr, c.theme
    c.framed(box, c.u(36), theme.panel, theme.panel_edge, c.u(2))
    inner = box.inset(c.u(48), c.u(36))
    start = board.starts_at
    if start is None or board.phase in ("none", "cancelled", "moved"):
        c.block(inner, closed_words(c, board, theme.ink, theme.muted))
        return
    started = board.phase in ("running", "paused", "finished")
    title = tr.gettext("Tonight")
    if start.date() != board.now.date():
        title = f"{tr.weekday(start)} {tr.date(start)}"
        title = title[:1].upper() + title[1:]
    title_h = inner.h * 15 // 100
    c.text(Box(inner.x, inner.y, inner.w, title_h), title, c.u(56), theme.accent, bold=True, align="left")
    lines = _running_lines(c, board) if started else _opening_lines(c, board)
    flag_h = _key_flag(c, inner, board)
    height = (inner.h - title_h - flag_h) // max(1, len(lines))
    for n, (label, value, note) in enumerate(lines):
        row = Box(inner.x, inner.y + title_h + n * height, inner.w, height)
        if n:
            c.rounded(Box(row.x, row.y, row.w, c.u(2)), 0, theme.panel_edge)
        _line(c, row, label, value, note)


def _key_flag(c: Canvas, box: Box, board: Board) -> int:
    """The note on the points at the bottom of ``box``; returns its height, 0 where there is nothing to flag."""
    flag = key_flag(c, board, c.theme.muted)
    height = c.needed(box.w, flag)[1]
    c.block(Box(box.x, box.bottom - height, box.w, height), flag)
    return height


def _line(c: Canvas, row: Box, label: str, value: str, note: str) -> None:
    left = Box(row.x, row.y, row.w * 44 // 100, row.h)
    right = Box(left.right + c.u(12), row.y, row.right - left.right - c.u(12), row.h)
    c.text(left, label, c.u(40), c.theme.muted, align="left")
    if not note:
        c.text(right, value, c.u(72), c.theme.ink, bold=True, align="right")
        return
    upper = Box(right.x, right.y + right.h * 10 // 100, right.w, right.h * 50 // 100)
    lower = Box(right.x, upper.bottom, right.w, right.h * 30 // 100)
    c.text(upper, value, c.u(64), c.theme.ink, bold=True, align="right")
    c.text(lower, note, c.u(34), c.theme.muted, align="right")


Line = tuple[str, str, str]
"""Label, value, and a smaller note below the value."""


def _opening_lines(c: Canvas, board: Board) -> list[Line]:
    tr = c.tr
    chips = tr.ngettext("{n} chip", "{n} chips", board.stack)
    lines = [(tr.gettext("Deposit"), tr.crowns(board.deposit), chips)]
    if board.starts_at is not None:
        lines.insert(0, (tr.gettext("Start"), tr.clock(board.starts_at), ""))
    if board.field is not None:
        places = free_places(tr, board.capacity - board.field.entries)
        lines.append((tr.gettext("Registered"), tr.number(board.field.entries), places))
    if board.face is not None:
        minutes = tr.gettext("{minutes} min a level", minutes=board.face.span_s // 60)
        lines.append((tr.gettext("First blinds"), blinds_text(tr, board.face.blinds), minutes))
    return lines


def _result_line(tr: Translator, result: Result) -> Line:
    prize = tr.crowns(result.prize) if result.prize else ""
    return tr.place(result.place), result.who, " · ".join(filter(None, (prize, points_text(tr, result))))


def _running_lines(c: Canvas, board: Board) -> list[Line]:
    tr, face = c.tr, board.face
    if board.phase == "finished":
        return [_result_line(tr, result) for result in board.results[:4]] or [(tr.gettext("Finished"), "", "")]
    lines: list[Line] = []
    if face is not None:
        what = tr.gettext("Break") if face.on_break else tr.gettext("Time left")
        stands = why_stopped(tr, board.phase) if not face.running else ""
        lines.append((stands or what, duration(face.remaining_s), ""))
        lines.append(
            (tr.gettext("Blinds"), blinds_text(tr, face.blinds), tr.gettext("Level {level}", level=face.level))
        )
    if board.field is not None:
        players = f"{tr.number(board.field.left)}{NBSP}/{NBSP}{tr.number(board.field.entries)}"
        lines.append((tr.gettext("Players"), players, ""))
    if face is not None and face.next_break_at is not None:
        lines.append((tr.gettext("Next break"), tr.clock(face.next_break_at), ""))
    return lines
