"""What each text of a draw list is written on: looked up in the list itself, so that no layout can slip through."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from msgspec.structs import fields

from appliance.display.fonts import FontBook
from appliance.display.ops import DrawList, Op, Picture, Round, Shade, Stroke, Text
from appliance.display.theme import Color, Theme

_ACROSS, _DOWN = (0.04, 0.27, 0.5, 0.73, 0.96), (0.3, 0.5, 0.7)
"""Where a text is looked under, in parts of the width and height of its capitals."""

SHADED = (("ground_top", "ground_bottom"), ("felt", "felt_light"), ("felt_break", "felt_break_light"))
"""Grounds that go over into each other; what lies between two is no darker and no lighter than both."""


LINES = ("felt_line", "felt_break_line", "rail_light", "shadow")
"""Lines along a table's rim, thinner than the strokes of what is written across them: what lies beside counts."""


def marked() -> Theme:
    """A theme whose colours tell which of its fields they are: no two are alike, none lies between shaded ones."""
    colors: dict[str, Color] = {field.name: (n + 1, 0, 0) for n, field in enumerate(fields(Theme))}
    for green, (first, last) in enumerate(SHADED, 1):
        colors |= {first: (100, green, 0), last: (160, green, 0)}
    return Theme(**colors)


def named(theme: Theme, color: Color) -> tuple[str, ...]:
    """The fields of `marked` that a colour is, or lies between."""
    if color[1]:
        first, last = SHADED[color[1] - 1]
        return {100: (first,), 160: (last,)}.get(color[0], (first, last))
    return (next(field.name for field in fields(Theme) if getattr(theme, field.name) == color),)


def written(ops: DrawList, fonts: FontBook, theme: Theme) -> Iterator[tuple[Text, Op, Color]]:
    """Each text with the things that lie under it and their colours there."""
    lines = {getattr(theme, name) for name in LINES}
    for n, op in enumerate(ops):
        if not isinstance(op, Text) or not op.text.strip():
            continue
        cap = fonts.cap_height(op.bold) * op.size
        top = op.box.y + fonts.ascent(op.size, op.bold) - cap
        for across in _ACROSS:
            for down in _DOWN:
                x, y = op.box.x + across * op.box.w, top + down * cap
                under = next((below for below in reversed(ops[:n]) if _lies(below, x, y, lines)), None)
                assert under is not None, f"nothing under {op.text!r}"
                yield op, under, _color(under, y)


def _lies(op: Op, x: float, y: float, lines: set[Color]) -> bool:
    box = op.box
    if not (box.x <= x < box.right and box.y <= y < box.bottom):
        return False
    match op:
        case Round(radius=r, color=color):
            if color in lines:
                return False
            dx = max(box.x + r - x, x - (box.right - r), 0)
            dy = max(box.y + r - y, y - (box.bottom - r), 0)
            return dx * dx + dy * dy <= r * r
        case Shade() | Picture():
            return True
        case Stroke(points=points, width=width):
            near = width * width / 4
            ends = pairwise(points)
            return any(_apart(x - box.x, y - box.y, start, end) < near for start, end in ends)
    return False


def _apart(x: float, y: float, start: tuple[float, float], end: tuple[float, float]) -> float:
    """Square of the distance from a point to a piece of a line."""
    (x1, y1), (x2, y2) = start, end
    along = (x2 - x1) ** 2 + (y2 - y1) ** 2
    at = max(0.0, min(1.0, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / along)) if along else 0.0
    return (x - x1 - at * (x2 - x1)) ** 2 + (y - y1 - at * (y2 - y1)) ** 2


def _color(op: Op, y: float) -> Color:
    match op:
        case Shade(box=box, top=first, bottom=last):
            at = (y - box.y) / max(1, box.h - 1)
            red, green, blue = (round(a + (b - a) * at) for a, b in zip(first, last, strict=True))
            return red, green, blue
        case Picture():
            raise AssertionError("a text over a picture")
        case _:
            return op.color
