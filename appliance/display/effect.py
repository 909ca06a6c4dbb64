"""What an operation goes through on its way to its place: where it is, and in what colour, at a share of the way."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import msgspec

from appliance.display.ops import Box, Op, Round, Text
from appliance.display.theme import Color

_COLOURS = 6
"""Steps of a colour's change: each colour is a picture that is made and kept."""

_TIME = re.compile(r"\d:\d\d")


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """What an operation goes through: it starts ``dx``, ``dy`` from its place, or in the colour ``was``.

    ``around``: it goes round the middle of this box; ``line``: a line of this colour opens and closes under it.
    """

    length_s: float
    dx: int = 0
    dy: int = 0
    around: Box | None = None
    center: tuple[float, float] = (0, 0)
    was: Color | None = None
    line: Color | None = None

    def of(self, op: Op, share: float) -> Iterator[Op]:
        """The operation, a share of the way to where and what it will be."""
        if share >= 1:
            yield op
            return
        if self.line is not None and isinstance(op, Text):
            yield from _line(op, self.line, share)
        if self.was is not None and isinstance(op, Round):
            op = msgspec.structs.replace(op, color=_mixed(self.was, op.color, share))
        dx, dy = self.way(eased(share)) if self.dx or self.dy else (0, 0)
        yield shifted(op, dx, dy) if dx or dy else op

    def way(self, share: float) -> tuple[int, int]:
        """How far it still is from its place."""
        if self.around is None:
            return round(self.dx * (1 - share)), round(self.dy * (1 - share))
        x, y = self.center
        on_x, on_y = _round_about(self.around, (x + self.dx, y + self.dy), (x, y), share)
        return round(on_x - x), round(on_y - y)


def eased(share: float) -> float:
    """Fast at first, then ever slower (cubic)."""
    return 1 - (1 - share) ** 3


def is_time(op: Op) -> bool:
    """Whether it is a time, or a digit of one in its cell."""
    return isinstance(op, Text) and ((len(op.text) == 1 and op.box == op.room) or _TIME.search(op.text) is not None)


def shifted(op: Op, dx: int, dy: int) -> Op:
    """The same operation elsewhere."""
    box = Box(op.box.x + dx, op.box.y + dy, op.box.w, op.box.h)
    if isinstance(op, Text):
        room = Box(op.room.x + dx, op.room.y + dy, op.room.w, op.room.h)
        return msgspec.structs.replace(op, box=box, room=room)
    return msgspec.structs.replace(op, box=box)


# -- inside ------------------------------------------------------------------------------------------


def _round_about(box: Box, start: tuple[float, float], end: tuple[float, float], share: float) -> tuple[float, float]:
    """On the way round the middle of a box, the shorter way, nearer or farther as start and end are."""
    cx, cy = box.x + box.w / 2, box.y + box.h / 2
    far, angle = zip(*(_polar((x - cx) / box.w, (y - cy) / box.h) for x, y in (start, end)), strict=True)
    turn = (angle[1] - angle[0] + math.pi) % (2 * math.pi) - math.pi
    distance, at = far[0] + (far[1] - far[0]) * share, angle[0] + turn * share
    return cx + distance * math.cos(at) * box.w, cy + distance * math.sin(at) * box.h


def _polar(x: float, y: float) -> tuple[float, float]:
    return math.hypot(x, y), math.atan2(y, x)


def _line(op: Text, color: Color, share: float) -> Iterator[Op]:
    """A line below the letters, within their own box, that opens from the middle and closes again."""
    width = round(op.box.w * math.sin(math.pi * share))
    height = max(2, op.box.h // 20)
    if width > 0:
        yield Round(Box(op.box.cx - width // 2, op.box.bottom - height, width, height), 0, color)


def _mixed(first: Color, second: Color, share: float) -> Color:
    step = math.floor(share * _COLOURS) / _COLOURS
    red, green, blue = (round(a + (b - a) * step) for a, b in zip(first, second, strict=True))
    return red, green, blue
