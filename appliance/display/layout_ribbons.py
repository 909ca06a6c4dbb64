"""Ribbons below the header: what is wrong, and what to do about it."""

from __future__ import annotations

from appliance.display.canvas import LEAST_SIZE, Canvas
from appliance.display.icons import sign
from appliance.display.ops import Box
from appliance.display.trouble import Trouble, troubles
from appliance.display.view import Status

_HIGH, _LOW, _GAP, _SIDE = 100, 60, 10, 26
"""Height of a ribbon of two lines and of one, space below it and at its ends, in lengths of the design."""

_SIZE, _LEGIBLE = 34, 28
"""Size of the letters, and the least at which both sentences stand in one line."""


def ribbons_height(c: Canvas, status: Status, width: int, *, few: bool = False) -> int:
    """How many pixels the ribbons take from the top of a body so wide. ``few``: one line holds all that is wrong."""
    found = troubles(c.tr, status)
    if few:
        return _low(c) + c.u(_GAP) if found else 0
    return sum(_height(c, width, trouble) + c.u(_GAP) for trouble in found)


def ribbons(c: Canvas, box: Box, status: Status, *, few: bool = False) -> None:
    """Draw the warnings as ribbons at the top of ``box``."""
    if status != Status():
        c.part(_ribbons, box, status, few=few)


def _ribbons(c: Canvas, box: Box, status: Status, *, few: bool) -> None:
    y, found = box.y, troubles(c.tr, status)
    if few and found:
        _together(c, Box(box.x, box.y, box.w, _low(c)), found)
        return
    for trouble in found:
        row = Box(box.x, y, box.w, _height(c, box.w, trouble))
        _ribbon(c, row, trouble)
        y = row.bottom + c.u(_GAP)


def _together(c: Canvas, row: Box, found: list[Trouble]) -> None:
    """All that is wrong in one line; what to do where there is room for it."""
    theme = c.theme
    c.rounded(row, row.h // 2, theme.wait)
    x = row.x + c.u(_SIDE) // 2
    for trouble in found:
        sign(c, Box(x, row.y, row.h, row.h), trouble.icon, theme.on_tone)
        x += row.h
    words = Box(x + c.u(6), row.y, row.right - c.u(_SIDE) - x - c.u(6), row.h)
    said = " ".join(trouble.problem for trouble in found)
    whole = " ".join(f"{trouble.problem} {trouble.remedy}" for trouble in found)
    if c.measure.width(whole, max(LEAST_SIZE, c.u(_LEGIBLE)), True) <= words.w:
        said = whole
    c.text(words, said, c.u(_SIZE), theme.on_tone, bold=True, align="left")


def _ribbon(c: Canvas, row: Box, trouble: Trouble) -> None:
    theme = c.theme
    c.rounded(row, c.u(_LOW) // 2, theme.wait)
    side = row.h
    mark = Box(row.x + c.u(_SIDE) // 2, row.y, side, side)
    sign(c, mark, trouble.icon, theme.on_tone)
    words = Box(mark.right + c.u(6), row.y, row.right - c.u(_SIDE) - mark.right - c.u(6), row.h)
    if row.h <= _low(c):
        problem = c.measure.width(trouble.problem, _size(c, words.w, trouble), True)
        left = Box(words.x, words.y, problem + 1, words.h)
        right = Box(left.right + c.u(16), words.y, words.right - left.right - c.u(16), words.h)
        c.text(left, trouble.problem, _size(c, words.w, trouble), theme.on_tone, bold=True, align="left")
        c.text(right, trouble.remedy, _size(c, words.w, trouble), theme.on_tone, align="left")
        return
    upper, lower = words.inset(0, row.h // 12).rows(1, 1)
    c.text(upper, trouble.problem, c.u(_SIZE + 4), theme.on_tone, bold=True, align="left")
    c.text(lower, trouble.remedy, c.u(_SIZE), theme.on_tone, align="left")


def _height(c: Canvas, width: int, trouble: Trouble) -> int:
    """One line where both sentences stand in it legibly, else two."""
    words = width - c.u(_SIDE) - c.u(_SIDE) // 2 - _low(c) - c.u(6)
    if _in_a_line(c, trouble, max(LEAST_SIZE, c.u(_LEGIBLE))) <= words:
        return _low(c)
    return max(c.u(_HIGH), 2 * c.measure.height(LEAST_SIZE, True) + 4)


def _low(c: Canvas) -> int:
    return max(c.u(_LOW), c.measure.height(LEAST_SIZE, True) + 2)


def _size(c: Canvas, width: int, trouble: Trouble) -> int:
    """The size at which both sentences stand side by side."""
    size = max(LEAST_SIZE, c.u(_SIZE))
    while size > LEAST_SIZE and _in_a_line(c, trouble, size) > width:
        size -= 1
    return size


def _in_a_line(c: Canvas, trouble: Trouble, size: int) -> int:
    width = c.measure.width(trouble.problem, size, True) + c.measure.width(trouble.remedy, size, False)
    return width + 1 + c.u(16)
