"""The floor menu on the glass: what the commissioner may do, under the clock that goes on (never hidden)."""

from __future__ import annotations

from appliance.display.canvas import Canvas
from appliance.display.floorboxes import Parts, Turn, parts
from appliance.display.fonts import Measure
from appliance.display.icons import badge, chevron, cross
from appliance.display.layout_board import ribbons
from appliance.display.layout_floor_said import draw_key, draw_number, draw_said
from appliance.display.layout_strip import draw_strip
from appliance.display.ops import Box
from appliance.display.theme import DARK
from appliance.display.view import FloorView
from appliance.display.view_floor import FloorLine, MenuView
from appliance.i18n import Translator


def draw_floor_screen(c: Canvas, view: FloorView) -> None:
    """The whole screen while a menu is open."""
    menu, board = view.menu, view.board
    where = parts(c, menu, board.status)
    c.ground()
    draw_strip(c, where.strip, board)
    ribbons(c, where.body, board.status)
    c.part(_draw_menu, where, menu)


def floor_hit(
    view: FloorView, size: tuple[int, int], tr: Translator, measure: Measure, x: int, y: int
) -> tuple[str, ...]:
    """The keys of the menu that a touch of this pixel means; none where nothing is."""
    where = parts(Canvas(size, tr, DARK, measure), view.menu, view.board.status)
    spot = Box(x, y, 1, 1)
    for turn in where.turns:
        if turn.box.holds(spot):
            return turn.keys
    touched = [("back", where.back), *where.keys, *((f"item:{line}", box) for line, box in where.lines)]
    return next(((key,) for key, box in touched if box.holds(spot)), ())


def _draw_menu(c: Canvas, where: Parts, menu: MenuView) -> None:
    _draw_head(c, where, menu)
    for line, box in where.lines:
        _draw_line(c, box, menu.lines[line], chosen=line == menu.chosen)
    match menu.page:
        case "number":
            draw_number(c, where.words, menu)
        case "confirm" | "waiting" | "done" | "refused":
            draw_said(c, where.words, menu)
        case _ if not menu.lines:
            c.paragraph(where.words, menu.text, c.u(54), c.theme.muted)
    for key, box in where.keys:
        draw_key(c, box, key, menu)
    c.text(where.hint, menu.hint, c.u(32), c.theme.muted)


def _draw_head(c: Canvas, where: Parts, menu: MenuView) -> None:
    theme, back = c.theme, where.back
    c.framed(back, c.u(20), theme.panel, theme.panel_edge, c.u(2))
    if menu.top:
        cross(c, back.cx, back.cy, back.h * 18 // 100, theme.ink)
    else:
        chevron(c, back.cx, back.cy, back.h * 20 // 100, theme.ink, back=True)
    title, above = where.title, " › ".join((menu.who, *menu.trail) if menu.who else menu.trail)
    turns = where.turns
    if above:
        upper, lower = title.rows(36, 64)
        c.text(upper, above, c.u(34), theme.muted, align="left")
        c.text(lower, menu.title, c.u(68), theme.ink, bold=True, align="left")
    else:
        c.text(title, menu.title, c.u(72), theme.ink, bold=True, align="left")
    for turn in turns:
        _draw_turn(c, turn, f"{where.page + 1}/{where.pages}")


def _draw_turn(c: Canvas, turn: Turn, page: str) -> None:
    theme, box = c.theme, turn.box
    c.framed(box, c.u(20), theme.panel, theme.panel_edge, c.u(2))
    ink = theme.ink if turn.keys else theme.panel_edge
    half = box.w // 2
    if turn.forward:
        c.text(Box(box.x + c.u(10), box.y, half, box.h), page, c.u(34), theme.muted)
        chevron(c, box.right - half // 2, box.cy, box.h * 20 // 100, ink)
    else:
        chevron(c, box.cx, box.cy, box.h * 20 // 100, ink, back=True)


def _draw_line(c: Canvas, box: Box, line: FloorLine, *, chosen: bool) -> None:
    """The chosen line is bright, framed twice and pointed at; a refused one is quiet, crossed out and says why."""
    theme = c.theme
    fill, edge, ink, quiet = theme.panel, theme.panel_edge, theme.ink, theme.muted
    if chosen and line.refused:
        fill, edge = theme.plate, theme.accent
    elif chosen:
        fill, edge, ink, quiet = theme.accent, theme.accent, theme.on_accent, theme.on_accent
    elif line.refused:
        fill = theme.plate
    if chosen:
        c.framed(box, c.u(26), theme.ink, fill if not line.refused else edge, c.u(4))
        c.framed(box.inset(c.u(4)), c.u(22), edge, fill, c.u(3))
    c.framed(box if not chosen else box.inset(c.u(6)), c.u(22), fill, edge, c.u(2))
    side = min(box.h * 38 // 100, c.u(60))
    mark = Box(box.x + c.u(22), box.cy - side // 2, side, side)
    if line.refused:
        badge(c, mark, "cross", theme.muted, theme.plate)
    elif chosen:
        chevron(c, mark.cx, mark.cy, side * 45 // 100, ink)
    else:
        c.disc(mark.cx, mark.cy, max(2, side // 8), quiet)
    words = Box(mark.right + c.u(20), box.y + c.u(8), box.right - mark.right - c.u(44), box.h - c.u(16))
    color = theme.muted if line.refused else ink
    if not line.note:
        c.text(words, line.text, c.u(52), color, bold=True, align="left")
        return
    upper, lower = words.rows(56, 44)
    c.text(upper, line.text, c.u(46), color, bold=True, align="left")
    c.text(lower, line.note, c.u(36), theme.wait if line.refused else quiet, align="left")
