"""A seat's plate while a hand is tracked: who sits there, with how much, and how it stands out."""

from __future__ import annotations

from typing import NamedTuple

from appliance.display.canvas import LEAST_SIZE, Canvas, Words
from appliance.display.marks import draw_marks, marks
from appliance.display.ops import Box
from appliance.display.parted import largest
from appliance.display.seatmap import seat_note
from appliance.display.theme import Color
from appliance.display.view import HandSeat, Seat

_NAME, _NAME_WELL, _NAME_LEAST = 34, 25, 17
"""Letters of a name on a plate: at most, where one line is enough, and the least before a name is cut."""


class Stands(NamedTuple):
    """How a seat stands out: on turn, chosen by the keys, or one that may be."""

    turn: bool
    chosen: bool
    may: bool


def draw_plate(c: Canvas, box: Box, seat: Seat, dealt: HandSeat | None, stands: Stands) -> None:
    """Number, name, button and blinds, and the stack, or why there is none."""
    fill, edge, ink, small = _colors(c, seat, dealt, stands)
    marked = any(stands) or bool(dealt and dealt.won)
    c.framed(box, c.u(24), fill, edge, c.u(6) if marked else c.u(2))
    number = Box(box.x + c.u(6), box.y, box.w * 15 // 100, box.h)
    sign = "✔" if stands.chosen else "▶" if stands.turn else ""
    if sign:  # dark on its own, so that the number is none of the stack's digits
        cell = Box(box.x + c.u(6), box.y + c.u(6), number.w, box.h - 2 * c.u(6))
        c.rounded(cell, c.u(18), c.theme.plate)
        upper, lower = cell.inset(c.u(2), c.u(4)).rows(1, 1)
        c.text(upper, sign, c.u(32), c.theme.accent, bold=True)
        c.text(lower, str(seat.number), c.u(28), c.theme.accent, bold=True)
    else:
        c.text(number.inset(c.u(3), c.u(6)), str(seat.number), c.u(30), small, bold=True)
    if seat.who is None:
        return
    words = Box(number.right + c.u(6), box.y + c.u(4), box.right - number.right - c.u(18), box.h - 2 * c.u(4))
    below = _draw_name(c, words, seat.who, ink)
    left = _draw_marks(c, below, seat)
    _draw_below(c, Box(below.x, below.y, left - below.x, below.h), seat, dealt, ink)


def _draw_name(c: Canvas, words: Box, who: str, ink: Color) -> Box:
    """A name in the upper part of a plate; return the part below it. One that is too long for a line has two where they
    can be larger; only one that is too long for small letters too is cut.
    """
    upper, below = words.rows(1, 1)
    size = c.fit(who, upper.w, upper.h, c.u(_NAME), bold=True)
    if size < c.u(_NAME_WELL):
        double, rest = words.rows(3, 2)
        if (smaller := largest(c, double, [who], c.u(_NAME))) > size and len(c.lines(who, words.w, smaller, True)) == 2:
            c.block(double, [Words(who, smaller, ink, bold=True)], gap=0, align="left")
            return rest
    c.text(upper, who, size, ink, bold=True, align="left", least=c.u(_NAME_LEAST))
    return below


def _colors(c: Canvas, seat: Seat, dealt: HandSeat | None, stands: Stands) -> tuple[Color, Color, Color, Color]:
    """Fill, edge, ink, and the ink of what is less important."""
    theme = c.theme
    if stands.turn or (stands.chosen and stands.may):
        return theme.accent, theme.time, theme.on_accent, theme.on_accent
    bright = stands.chosen or stands.may
    if seat.who is None or dealt is None or dealt.folded:
        return theme.plate_empty, theme.accent if bright else theme.felt_line, theme.muted, theme.muted
    edge = theme.accent if bright else theme.good if dealt.won else theme.plate_edge
    return theme.plate, edge, theme.ink, theme.muted


def _draw_below(c: Canvas, box: Box, seat: Seat, dealt: HandSeat | None, ink: Color) -> None:
    """The stack, or that there is none; of one who is not in the hand why."""
    if dealt is None:
        c.text(box, seat_note(c, seat), c.u(28), c.theme.wait, align="left")
        return
    if dealt.all_in:
        c.text(box, c.tr.gettext("all-in"), c.u(34), c.theme.time_stopped if ink != c.theme.on_accent else ink,
               bold=True, align="left")  # fmt: skip
        return
    if dealt.out:
        c.text(box, c.tr.gettext("out of chips"), c.u(28), c.theme.wait, bold=True, align="left")
        return
    color = c.theme.blinds if ink == c.theme.ink else ink
    c.text(box, c.tr.number(dealt.stack), c.u(34), color, bold=not dealt.folded, align="left")


def _draw_marks(c: Canvas, box: Box, seat: Seat) -> int:
    """Button and blinds at the right end of the plate; where they begin."""
    radius = max(c.corner("BB", LEAST_SIZE) + c.u(2), min(c.u(22), box.h // 2))
    return draw_marks(c, box, marks(c.theme, seat), radius, c.u(23))
