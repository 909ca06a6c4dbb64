"""Small drawings made of strokes and discs, so that they are sharp at any size."""

from __future__ import annotations

import math
from typing import Literal

from appliance.display.canvas import Canvas
from appliance.display.ops import Box
from appliance.display.theme import Color

Icon = Literal[
    "check", "cross", "attention", "wait", "again", "seat", "flag", "person", "lock", "hand-in",
    "horn", "apart", "reader", "copy", "day", "none",
]  # fmt: skip


def badge(c: Canvas, box: Box, icon: Icon, tone: Color, ink: Color) -> None:
    """A disc of colour ``tone`` in the middle of ``box`` with the icon on it: colour never speaks alone."""
    c.disc(box.cx, box.cy, min(box.w, box.h) // 2, tone)
    sign(c, box, icon, ink)


def sign(c: Canvas, box: Box, icon: Icon, ink: Color) -> None:
    """The icon alone, on any ground; it fills about two thirds of ``box``."""
    r = min(box.w, box.h) // 2
    width = max(2, r // 6)

    def line(*points: tuple[float, float]) -> None:
        c.stroke([(box.cx + x * r, box.cy + y * r) for x, y in points], width, ink)

    match icon:
        case "check":
            line((-0.42, 0.04), (-0.1, 0.36), (0.46, -0.32))
        case "cross":
            line((-0.34, -0.34), (0.34, 0.34))
            line((0.34, -0.34), (-0.34, 0.34))
        case "attention":
            line((0, -0.5), (0, 0.12))
            c.disc(box.cx, round(box.cy + 0.44 * r), max(2, r // 9), ink)
        case "wait":
            for x in (-0.4, 0, 0.4):
                c.disc(round(box.cx + x * r), box.cy, max(2, r // 9), ink)
        case "again":
            line(*arc(0, 0, 0.46, 15, 270))
            line((0, -0.46), (0, -0.67), (0.27, -0.46), (0, -0.25), (0, -0.46), (0.12, -0.46))
        case "seat":
            line((0, 0.52), (0, -0.4))
            line((-0.34, 0.16), (0, 0.52), (0.34, 0.16))
        case "flag":
            line(
                (-0.26, 0.54), (-0.26, -0.44), (0.38, -0.44), (0.38, -0.16), (-0.26, -0.16), (-0.26, -0.3), (0.38, -0.3)
            )
        case "person":
            c.disc(box.cx, round(box.cy - 0.24 * r), round(0.24 * r), ink)
            line(*arc(0, 0.52, 0.4, 180, 360))
        case "lock":
            line(*arc(0, -0.1, 0.28, 180, 360))
            c.rounded(
                Box(round(box.cx - 0.42 * r), round(box.cy - 0.1 * r), round(0.84 * r), round(0.6 * r)), r // 8, ink
            )
        case "hand-in":
            line((-0.32, -0.58), (0.32, -0.58), (0.32, -0.2), (-0.32, -0.2), (-0.32, -0.58))
            line((0, -0.02), (0, 0.3))
            line((-0.2, 0.12), (0, 0.32), (0.2, 0.12))
            line((-0.5, 0.2), (-0.5, 0.52), (0.5, 0.52), (0.5, 0.2))
        case "horn":
            line((-0.5, -0.16), (-0.5, 0.16), (-0.16, 0.16), (0.36, 0.42), (0.36, -0.42), (-0.16, -0.16), (-0.5, -0.16))
            line((-0.26, 0.2), (-0.16, 0.5))
            line((0.56, -0.14), (0.56, 0.14))
        case "apart":
            line((-0.6, 0), (-0.2, 0))
            line((0.2, 0), (0.6, 0))
            line((-0.14, -0.3), (-0.14, 0.3))
            line((0.14, -0.3), (0.14, 0.3))
        case "reader":
            line((-0.46, -0.3), (0.46, -0.3), (0.46, 0.3), (-0.46, 0.3), (-0.46, -0.3))
            line((-0.5, 0.56), (0.5, -0.56))
        case "copy":
            line((-0.14, -0.46), (0.46, -0.46), (0.46, 0.2))
            line((-0.46, -0.16), (0.16, -0.16), (0.16, 0.46), (-0.46, 0.46), (-0.46, -0.16))
        case "day":
            line((-0.46, -0.4), (0.46, -0.4), (0.46, 0.5), (-0.46, 0.5), (-0.46, -0.4))
            line((-0.46, -0.1), (0.46, -0.1))
            for x in (-0.22, 0.22):
                line((x, -0.58), (x, -0.36))
        case "none":
            pass


def arc(cx: float, cy: float, r: float, start: int, end: int) -> list[tuple[float, float]]:
    """Points on a circle from ``start`` to ``end`` degrees, clockwise from the right."""
    steps = max(4, abs(end - start) // 3)
    angles = (math.radians(start + (end - start) * step / steps) for step in range(steps + 1))
    return [(cx + r * math.cos(angle), cy + r * math.sin(angle)) for angle in angles]


def tap_invitation(c: Canvas, box: Box, card: Color, lines: Color, waves: Color) -> None:
    """A card held to a reader: the card tilted to the left, three waves to the right."""
    unit = min(box.w / 3.4, box.h / 2.1)
    width = max(2, round(unit / 14))
    left, top = round(box.cx - 1.45 * unit), round(box.cy - 0.55 * unit)
    face = Box(left, top, round(1.75 * unit), round(1.1 * unit))
    c.framed(face, round(0.12 * unit), card, lines, width)
    chip = Box(left + round(0.2 * unit), top + round(0.3 * unit), round(0.34 * unit), round(0.26 * unit))
    c.rounded(chip, round(0.06 * unit), lines)
    for row, share in ((0.76, 0.8), (0.9, 0.5)):
        y = top + round(row * unit)
        c.rounded(Box(chip.x, y, round(share * unit), max(2, width // 2)), width, lines)
    for ring, radius in enumerate((0.42, 0.72, 1.02)):
        cx = face.right + 0.12 * unit
        points = arc(cx, face.cy, radius * unit, -42, 42)
        c.stroke(points, width + ring // 2, waves)


def pause_bars(c: Canvas, box: Box, color: Color) -> None:
    """The two bars of a paused clock."""
    width = max(2, box.h // 4)
    for x in (box.cx - 3 * width // 2, box.cx + width // 2):
        c.rounded(Box(x, box.y, width, box.h), width // 3, color)


def chevron(c: Canvas, cx: int, cy: int, arm: int, color: Color, *, back: bool = False) -> None:
    """An arrow head that points on, or back; ``arm`` is half its height."""
    tip = -arm / 2 if back else arm / 2
    c.stroke([(cx - tip, cy - arm), (cx + tip, cy), (cx - tip, cy + arm)], max(2, arm // 3), color)


def cross(c: Canvas, cx: int, cy: int, arm: int, color: Color) -> None:
    """Two strokes that cross: to close something."""
    width = max(2, arm // 3)
    c.stroke([(cx - arm, cy - arm), (cx + arm, cy + arm)], width, color)
    c.stroke([(cx + arm, cy - arm), (cx - arm, cy + arm)], width, color)
