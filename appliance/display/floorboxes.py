"""Where the parts of the floor menu lie: the same boxes are drawn and touched.

Whatever a finger may mean is at least `TARGET` of the screen's short side high and wide: on a 7" panel of 800×480
pixels that is 64 of them, twelve millimetres.
"""

from __future__ import annotations

from typing import NamedTuple

from appliance.display.canvas import Canvas
from appliance.display.layout_board import ribbons_height
from appliance.display.layout_strip import strip_height
from appliance.display.ops import Box
from appliance.display.view import Status
from appliance.display.view_floor import MenuView

TARGET = (2, 15)
"""Part of the screen's short side, as a fraction."""

_GAP = 14
_HINT = 44
_KEYPAD = (("1", "2", "3"), ("4", "5", "6"), ("7", "8", "9"), ("delete", "0", "enter"))
_ANSWERS = {"confirm": ("back", "enter"), "done": ("enter",), "refused": ("enter",)}


class Turn(NamedTuple):
    """A key that turns the page of a long list: by which keys of the menu, where, and whether it leads anywhere."""

    keys: tuple[str, ...]
    box: Box
    forward: bool


class Parts(NamedTuple):
    """All of a page: the strip with the clock, the row with title and back, what is said, and all to touch.

    ``lines``: those on this page of the list, by their numbers; of ``pages`` it is ``page``, from 0.
    """

    strip: Box
    body: Box
    back: Box
    title: Box
    words: Box
    hint: Box
    lines: tuple[tuple[int, Box], ...] = ()
    keys: tuple[tuple[str, Box], ...] = ()
    turns: tuple[Turn, ...] = ()
    page: int = 0
    pages: int = 1


def least(c: Canvas) -> int:
    """How high and wide a thing to touch is at least."""
    return -(-min(c.screen.w, c.screen.h) * TARGET[0] // TARGET[1])


def parts(c: Canvas, menu: MenuView, status: Status) -> Parts:
    """The boxes of a page."""
    safe, gap, touch = c.safe, c.u(_GAP), least(c)
    strip = Box(safe.x, safe.y, safe.w, strip_height(c))
    body = safe.below(strip.h + gap)
    head = body.below(ribbons_height(c, status))._replace(h=touch)
    hint_h = c.u(_HINT) if menu.hint else 0
    hint = Box(body.x, body.bottom - hint_h, body.w, hint_h)
    free = Box(body.x, head.bottom + gap, body.w, hint.y - (gap // 2 if hint_h else 0) - head.bottom - gap)
    back = Box(head.x, head.y, touch * 3 // 2, touch)
    title = Box(back.right + 2 * gap, head.y, head.right - back.right - 2 * gap, touch)
    found = Parts(strip, body, back, title, free, hint)
    if menu.page in ("choice", "form"):
        return _with_lines(c, found, menu)
    if menu.page == "number":
        words, keypad = _halves(c, free)
        return found._replace(words=words, keys=_in_grid(c, keypad, _KEYPAD))
    answers = _ANSWERS.get(menu.page, ())
    if not answers:
        return found
    low = Box(free.x, free.bottom - touch * 9 // 8, free.w, touch * 9 // 8)
    words = Box(free.x, free.y, free.w, low.y - gap - free.y)
    return found._replace(words=words, keys=_in_grid(c, low, (answers,)))


def _with_lines(c: Canvas, found: Parts, menu: MenuView) -> Parts:
    """Lines from the top, in two columns where there is the width; a list that is too long has pages."""
    gap, touch, free = c.u(_GAP), least(c), found.words
    rows = max(1, (free.h + gap) // (touch + gap))
    columns = 2 if free.w * 100 >= free.h * 200 and len(menu.lines) > 3 else 1
    room, count = rows * columns, len(menu.lines)
    pages = max(1, -(-count // room))
    page = min(max(menu.chosen, 0), max(0, count - 1)) // room
    shown = range(page * room, min(count, (page + 1) * room))
    used = rows if pages > 1 else max(1, -(-count // columns))
    height = min((free.h - gap * (used - 1)) // used, touch * 5 // 4)
    cells = free.columns(*[1] * columns, gap=gap)
    lines = tuple(
        (line, Box(cell.x, free.y + row * (height + gap), cell.w, height))
        for n, line in enumerate(shown)
        for cell, row in [(cells[n // used], n % used)]
    )
    if pages == 1:
        return found._replace(lines=lines)
    width = touch * 5 // 4
    right = found.title.right
    turns = (
        Turn(_steps(menu.chosen, (page - 1) * room), found.title._replace(x=right - 2 * width - gap, w=width), False),
        Turn(
            _steps(menu.chosen, (page + 1) * room) if page + 1 < pages else (),
            found.title._replace(x=right - width, w=width),
            True,
        ),
    )
    title = found.title._replace(w=turns[0].box.x - 2 * gap - found.title.x)
    return found._replace(lines=lines, turns=turns, title=title, page=page, pages=pages)


def _steps(chosen: int, line: int) -> tuple[str, ...]:
    """The keys that lead from the chosen line to another; none to one that there is not."""
    if line < 0:
        return ()
    return ("down",) * (line - chosen) if line > chosen else ("up",) * (chosen - line)


def _halves(c: Canvas, free: Box) -> tuple[Box, Box]:
    """What is said and what is touched: side by side, or one above the other."""
    gap = c.u(3 * _GAP)
    if free.w * 100 >= free.h * 130:
        left, right = free.columns(52, 48, gap=gap)
        return left, right
    upper = free._replace(h=free.h * 36 // 100)
    return upper, free.below(upper.h + gap)


def _in_grid(c: Canvas, box: Box, rows: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, Box], ...]:
    gap = c.u(_GAP)
    height = min((box.h - gap * (len(rows) - 1)) // len(rows), 2 * least(c))
    return tuple(
        (key, cell)
        for n, row in enumerate(rows)
        for key, cell in zip(
            row,
            Box(box.x, box.y + n * (height + gap), box.w, height).columns(*[1] * len(row), gap=gap),
            strict=True,
        )
    )
