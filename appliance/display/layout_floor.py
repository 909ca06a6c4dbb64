"""The floor menu on the glass: what the commissioner may do, under the clock, which goes on and is never hidden."""

from __future__ import annotations

from typing import NamedTuple

from appliance.display.canvas import Canvas
from appliance.display.floorboxes import Parts, Turn, parts
from appliance.display.fonts import Measure
from appliance.display.house import PLAIN, House
from appliance.display.icons import badge, chevron, cross
from appliance.display.layout_floor_said import draw_figure, draw_key, draw_signed, draw_words
from appliance.display.layout_pairing import draw_pairing
from appliance.display.layout_ribbons import ribbons
from appliance.display.layout_strip import draw_strip
from appliance.display.ops import Box
from appliance.display.parted import largest
from appliance.display.theme import DARK, Color
from appliance.display.view import FloorView
from appliance.display.view_floor import MenuLine, MenuView
from appliance.i18n import NBSP, Translator

_TEXT, _NOTED, _NOTE = 52, 46, 36
"""Letters of a line at most, alone and above a note, and of the note."""

_TEXT_LEAST, _NOTE_LEAST = 32, 24
"""All lines of a page have the same, down to these: beyond, a long one alone gets smaller."""


class _Letters(NamedTuple):
    """The letters of a page's lines and of what stands below them, and how the two share a line's height."""

    text: int
    note: int
    shares: tuple[int, int]


def draw_floor_screen(c: Canvas, view: FloorView) -> None:
    """The whole screen while a menu is open."""
    menu, board = view.menu, view.board
    where = parts(c, menu, board.status)
    c.ground()
    draw_strip(c, where.strip, board, view.call)
    ribbons(c, where.body, board.status, few=where.few)
    c.part(_draw_menu, where, menu)


def floor_hit(
    view: FloorView, size: tuple[int, int], tr: Translator, measure: Measure, x: int, y: int, house: House = PLAIN
) -> tuple[str, ...]:
    """The keys of the menu that a touch of this pixel means, in their order; none where nothing is."""
    menu = view.menu
    where = parts(Canvas(size, tr, DARK, measure, house=house), menu, view.board.status)
    spot = Box(x, y, 1, 1)
    for turn in where.turns:
        if turn.box.holds(spot):
            return turn.keys
    items, accept, edit = menu.items, menu.at("accept"), menu.at("edit")
    touched = [("back", where.back), *where.keys, *((f"item:{items[n].item}", box) for n, box in where.lines)]
    if edit is not None and where.figure is not None:
        touched.append((f"item:{edit.item}", where.figure))
    key = next((key for key, box in touched if box.holds(spot)), None)
    if key == "enter" and accept is not None:  # one touch, whatever the knob stands at
        key = f"item:{accept.item}"
    return () if key is None else (key,)


def _draw_menu(c: Canvas, where: Parts, menu: MenuView) -> None:
    _draw_head(c, where, menu)
    if menu.signed:
        draw_signed(c, where.words, menu)
    elif not where.asked_above:
        draw_words(c, where.words, menu)
    if where.figure is not None and menu.pairing is not None:
        draw_pairing(c, where.figure, where.left, menu.pairing)
    elif where.figure is not None:
        draw_figure(c, where.figure, menu)
    letters = _letters(c, [(menu.items[n], _words(c, box)) for n, box in where.lines])
    for n, box in where.lines:
        _draw_line(c, box, menu.items[n], letters, chosen=menu.items[n].selected and not menu.editing)
    accept = menu.at("accept")
    for key, box in where.keys:
        draw_key(c, box, key, chosen=key == "enter" and accept is not None and accept.selected)
    if menu.warned:
        c.text(where.hint, f"⚠{NBSP} {menu.hint}", c.u(38), c.theme.wait, bold=True)
    else:
        c.text(where.hint, menu.hint, c.u(32), c.theme.muted)


def _draw_head(c: Canvas, where: Parts, menu: MenuView) -> None:
    theme, back = c.theme, where.back
    c.framed(back, c.u(20), theme.panel, theme.panel_edge, c.u(2))
    if menu.top:
        cross(c, back.cx, back.cy, back.h * 18 // 100, theme.ink)
    else:
        chevron(c, back.cx, back.cy, back.h * 20 // 100, theme.ink, back=True)
    title = menu.asked if where.asked_above else menu.title
    above = " · ".join(filter(None, (menu.who, menu.title if where.asked_above else "")))
    upper, lower = where.title.rows(36, 64) if above else (where.title._replace(h=0), where.title)
    c.text(upper, above, c.u(34), theme.muted, align="left")
    c.text(lower, title, c.u(68), theme.ink, bold=True, align="left")
    for turn in where.turns:
        _draw_turn(c, turn, f"{where.page + 1}/{where.pages}")


def _draw_turn(c: Canvas, turn: Turn, page: str) -> None:
    theme, box = c.theme, turn.box
    c.framed(box, c.u(20), theme.panel, theme.panel_edge, c.u(2))
    ink = theme.ink if turn.keys else theme.panel_edge
    if not turn.forward:
        chevron(c, box.cx, box.cy, box.h * 20 // 100, ink, back=True)
        return
    half = box.w // 2
    c.text(Box(box.x + c.u(10), box.y, half, box.h), page, c.u(34), theme.muted)
    chevron(c, box.right - half // 2, box.cy, box.h * 20 // 100, ink)


def _letters(c: Canvas, lines: list[tuple[MenuLine, Box]]) -> _Letters:
    """The largest in which every line of a page, in one row or two, and every note has room."""
    long = any(c.measure.width(_note(line), c.u(_NOTE), False) > words.w for line, words in lines)
    shares = (42, 58) if long else (56, 44)
    texts, notes = [c.u(_TEXT)], [c.u(_NOTE)]
    for line, words in lines:
        upper, lower = words.rows(*shares)
        if note := _note(line):
            texts.append(c.fit(line.text, upper.w, upper.h, c.u(_NOTED), bold=True))
            notes.append(largest(c, lower, [note], c.u(_NOTE), bold=False))
        else:
            texts.append(largest(c, words, [line.text], c.u(_TEXT)))
    return _Letters(max(c.u(_TEXT_LEAST), min(texts)), max(c.u(_NOTE_LEAST), min(notes)), shares)


def _note(line: MenuLine) -> str:
    return line.why_not or line.detail


def _mark(c: Canvas, box: Box) -> Box:
    side = min(box.h * 38 // 100, c.u(60))
    return Box(box.x + c.u(24), box.cy - side // 2, side, side)


def _words(c: Canvas, box: Box) -> Box:
    left = _mark(c, box).right
    return Box(left + c.u(20), box.y + c.u(8), box.right - left - c.u(46), box.h - c.u(16))


def _draw_line(c: Canvas, box: Box, line: MenuLine, letters: _Letters, *, chosen: bool) -> None:
    """The chosen line is bright, framed twice and pointed at; a refused one is quiet, crossed out and says why."""
    fill, edge, ink, quiet = _colors(c, line, chosen=chosen)
    if chosen:
        c.framed(box, c.u(26), fill, c.theme.ink, c.u(4))
        c.framed(box.inset(c.u(6)), c.u(20), fill, edge, c.u(3))
    else:
        c.framed(box, c.u(24), fill, edge, c.u(2))
    _draw_mark(c, _mark(c, box), line, ink if chosen else quiet, fill, chosen=chosen)
    words, note = _words(c, box), _note(line)
    if not note:
        c.paragraph(words, line.text, letters.text, ink, bold=True, align="left")
        return
    upper, lower = words.rows(*letters.shares)
    c.text(upper, line.text, letters.text, ink, bold=True, align="left")
    c.paragraph(lower, note, letters.note, c.theme.wait if line.why_not else quiet, align="left")


def _draw_mark(c: Canvas, mark: Box, line: MenuLine, ink: Color, fill: Color, *, chosen: bool) -> None:
    """What stands before a line: how it can be told without its colour."""
    if line.refused:
        badge(c, mark, "cross", ink, fill)
    elif line.danger and chosen:
        badge(c, mark.inset(-mark.h // 6), "attention", fill, ink)
    elif line.danger:
        badge(c, mark, "attention", ink, fill)
    elif line.seat is not None:
        room = Box(mark.x - c.u(16), mark.cy - c.u(50), mark.w + c.u(30), c.u(100))
        c.text(room, str(line.seat), c.u(76), ink if chosen else c.theme.ink, bold=True)
    elif line.digit:
        c.text(mark, line.digit, c.u(40), ink, bold=True)
    elif chosen or line.back:
        chevron(c, mark.cx, mark.cy, mark.h * 45 // 100, ink, back=line.back)
    else:
        c.disc(mark.cx, mark.cy, max(2, mark.h // 8), ink)


def _colors(c: Canvas, line: MenuLine, *, chosen: bool) -> tuple[Color, Color, Color, Color]:
    """Fill, edge, ink and quiet ink."""
    theme = c.theme
    if line.refused:
        return theme.plate, theme.accent if chosen else theme.panel_edge, theme.muted, theme.muted
    if chosen and line.danger:
        return theme.bad, theme.on_tone, theme.on_tone, theme.on_tone
    if chosen:
        return theme.accent, theme.on_accent, theme.on_accent, theme.on_accent
    if line.danger:
        return theme.panel, theme.bad, theme.bad, theme.bad
    return theme.panel, theme.panel_edge, theme.ink, theme.muted
