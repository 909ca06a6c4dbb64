"""Button and blinds before a seat, as letters on coloured discs in a row."""

from __future__ import annotations

from typing import NamedTuple

from appliance.display.canvas import Canvas
from appliance.display.ops import Box
from appliance.display.theme import Color, Theme
from appliance.display.view import Seat


class Mark(NamedTuple):
    """A disc: its letters, its colour and theirs."""

    label: str
    fill: Color
    ink: Color


def marks(theme: Theme, seat: Seat) -> list[Mark]:
    """What lies before a seat, in the order it is drawn from left to right."""
    return (
        [Mark("D", theme.button, theme.on_button)] * seat.button
        + [Mark("SB", theme.small_blind, theme.on_small_blind)] * seat.small_blind
        + [Mark("BB", theme.big_blind, theme.on_big_blind)] * seat.big_blind
    )


def draw_marks(c: Canvas, box: Box, row: list[Mark], radius: int, size: int) -> int:
    """Draw a row of discs at the right end of ``box``, their letters at most ``size``; where it begins."""
    x = box.right
    for mark in reversed(row):
        x -= 2 * radius
        c.marker(x + radius, box.cy, radius, mark.label, size, mark.fill, mark.ink)
        x -= c.u(4)
    return x
