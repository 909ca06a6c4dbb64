"""A word for everybody in the room: a large band while it is fresh, later a slim line. It hides nothing.

It stands above what it shares the screen with, in the largest letters that hold all of it. Only where they would be
too small to read its end gives way to "…".
"""

from __future__ import annotations

from typing import NamedTuple

from appliance.display.canvas import LEAST_SIZE, Canvas
from appliance.display.icons import badge
from appliance.display.ops import Box
from appliance.display.view_season import Announcement

_SIZE, _LEGIBLE, _LABEL = 60, 34, 28
"""Sizes of a fresh one's letters, the smallest still read across a room, and who says it."""

_SLIM, _SLIM_HIGH = 34, 54
_CLEAR, _CLEAR_HIGH = 44, 70
"""A slim line's letters and its height; and of one whose words have room to be larger."""

_PAD, _SIDE, _GAP = 18, 30, 14
"""Space above and below the words, beside them, and below the band."""

_MOST, _MOST_LINE = 30, 10
"""Per cent of the body that a band takes at most, and a line of larger letters; the smallest screens leave it nothing
but a line of small ones."""

_ROWS = 26
"""What a band leaves of the body at least, in the smallest letters."""


class _Set(NamedTuple):
    """How a text is set: the size of its letters and its lines."""

    size: int
    lines: tuple[str, ...]


def announcement_and_body(c: Canvas, body: Box, said: Announcement | None, *, slim: bool = False) -> tuple[Box, Box]:
    """Where the announcement goes, at the top, and what of the body is left. ``slim``: something else comes first."""
    if said is None or not _words(said):
        return Box(body.x, body.y, body.w, 0), body
    height = _line_height(c)
    most = min(body.h * _MOST // 100, body.h - _ROWS * LEAST_SIZE)
    if not slim and said.fresh and most >= 2 * height:
        height = c.found(_band_height, body.w, most, said)
    elif not slim and not said.fresh and c.u(_CLEAR_HIGH) <= body.h * _MOST_LINE // 100:
        height = c.found(_clear_height, body.w, said)
    band = Box(body.x, body.y, body.w, height)
    return band, body.below(height + c.u(_GAP))


def draw_announcement(c: Canvas, box: Box, said: Announcement | None) -> None:
    """Write it into its box: of a line's height with its sign before it, of a band's with who says it above."""
    if said is None or not box.h or not _words(said):
        return
    if box.h < 2 * _line_height(c):
        _draw_line(c, box, said)
        return
    theme = c.theme
    c.framed(box, c.u(28), theme.panel, theme.accent, c.u(5))
    icon = _icon(c, box)
    badge(c, icon, "horn", theme.accent, theme.on_accent)
    inner = _inner(c, box)
    label = Box(inner.x, inner.y, inner.w, _label_height(c))
    c.text(label, _by(c, said), c.u(_LABEL), theme.accent, bold=True, align="left")
    rest = inner.below(label.h)
    text = _set(c, rest.w, rest.h, _words(said))
    height = c.measure.height(text.size, True)
    y = rest.y + max(0, (rest.h - height * len(text.lines)) // 2)
    for line in text.lines:
        c.text(Box(rest.x, y, rest.w, height), line, text.size, theme.ink, bold=True, align="left")
        y += height


def _draw_line(c: Canvas, box: Box, said: Announcement) -> None:
    theme = c.theme
    c.framed(box, box.h // 2, theme.panel, theme.accent, c.u(2))
    icon = Box(box.x + box.h // 8, box.y, box.h, box.h).inset(box.h // 8)
    badge(c, icon, "horn", theme.accent, theme.on_accent)
    words = Box(icon.right + c.u(16), box.y, box.right - icon.right - c.u(16) - box.h // 2, box.h)
    size = max(LEAST_SIZE, c.u(_CLEAR if box.h > _line_height(c) else _SLIM))
    text = _words(said)
    fits = c.measure.width(text, size, False) <= words.w
    c.text(words, text, size, theme.ink, align="center" if fits else "left", least=c.u(_LEGIBLE))


def _clear_height(c: Canvas, width: int, said: Announcement) -> int:
    """How high a slim line is: higher where its words fit into it in larger letters."""
    fits = c.measure.width(_words(said), c.u(_CLEAR), False) <= width - 2 * c.u(_CLEAR_HIGH)
    return max(c.u(_CLEAR_HIGH), _line_height(c)) if fits else _line_height(c)


def _words(said: Announcement) -> str:
    return " ".join(said.text.split())


def _by(c: Canvas, said: Announcement) -> str:
    return c.tr.gettext("The league announces") if said.by == "league" else c.tr.gettext("The commissioner announces")


def _line_height(c: Canvas) -> int:
    return max(c.u(_SLIM_HIGH), c.measure.height(LEAST_SIZE, False) + 2)


def _label_height(c: Canvas) -> int:
    return c.measure.height(max(LEAST_SIZE, c.u(_LABEL)), True)


def _icon(c: Canvas, box: Box) -> Box:
    side = min(c.u(110), box.h - 2 * c.u(_PAD))
    return Box(box.x + c.u(_SIDE), box.cy - side // 2, side, side)


def _inner(c: Canvas, box: Box) -> Box:
    left = box.x + 2 * c.u(_SIDE) + c.u(110)
    return Box(left, box.y + c.u(_PAD), box.right - c.u(_SIDE) - left, box.h - 2 * c.u(_PAD))


def _band_height(c: Canvas, width: int, most: int, said: Announcement) -> int:
    """As high as the text asks for, at most ``most``."""
    inner = _inner(c, Box(0, 0, width, most))
    text = _set(c, inner.w, inner.h - _label_height(c), _words(said))
    needed = len(text.lines) * c.measure.height(text.size, True) + _label_height(c) + 2 * c.u(_PAD)
    return min(most, max(needed, c.u(130)))


def _set(c: Canvas, width: int, height: int, words: str) -> _Set:
    """The words in the largest letters at which all of them fit; shortened where those could not be read."""
    size, least = max(LEAST_SIZE, c.u(_SIZE)), max(LEAST_SIZE, c.u(_LEGIBLE))
    while True:
        lines = c.lines(words, width, size, True)
        rows = max(1, height // c.measure.height(size, True))
        if len(lines) <= rows and all(c.measure.width(line, size, True) <= width for line in lines):
            return _Set(size, tuple(lines))
        if size <= least:
            break
        size = max(least, min(size - 1, size * 94 // 100))
    kept = lines[:rows]
    if len(lines) > rows:
        kept[-1] = c.shortened(" ".join([kept[-1], *lines[rows : rows + 3]]), width, size, True)
    return _Set(size, tuple(c.shortened(line, width, size, True) for line in kept))
