"""A slip of paper as a value: lines of text, rules, a QR code, a cut.

A slip knows no printer and no width; `appliance.slips.layout` fits it to a roll, the driver prints it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, TypeAlias

from msgspec import Struct

Size: TypeAlias = Literal[1, 2, 3, 4]
"""Height and width of letters in multiples of the printer's own."""


class Align(StrEnum):
    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"


class Text(Struct, frozen=True):
    """A text that is broken where it does not fit; one whose longest word is too wide becomes smaller first."""

    text: str
    size: Size = 1
    bold: bool = False
    align: Align = Align.CENTRE


class Pair(Struct, frozen=True):
    """A label on the left and its value on the right, on one row where both fit."""

    label: str
    value: str
    bold: bool = False


class Rule(Struct, frozen=True):
    """A line across the paper; ``dotted`` to write on."""

    dotted: bool = False


class Space(Struct, frozen=True):
    """An empty row."""


class Qr(Struct, frozen=True):
    """A QR code; ``data`` is printable ASCII."""

    data: str


class Cut(Struct, frozen=True):
    """The end of the paper: feed, and cut where the printer can."""


Line: TypeAlias = Text | Pair | Rule | Space | Qr | Cut


class Slip(Struct, frozen=True):
    """What goes onto one piece of paper.

    ``kind`` names it in logs; ``copy`` is what is printed above a slip that may have come out before, in part.
    """

    kind: str
    lines: tuple[Line, ...]
    copy: str

    def as_copy(self) -> Slip:
        """The same slip, marked as one that was printed before."""
        return Slip(self.kind, (Text(self.copy, size=2, bold=True), *self.lines), self.copy)
