"""Paints operations on a surface, in software, with smooth edges.

What is costly to make (texts, round corners, strokes) is kept and blitted; the cache holds at most as many bytes as
it was given. Painting within a clip gives exactly the pixels that painting everything would give there.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from itertools import pairwise
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from appliance.display import parts
from appliance.display.disc import Disc, fill, make_disc, paint_round
from appliance.display.effect import shifted
from appliance.display.fonts import FontBook
from appliance.display.ops import Box, DrawList, Op, Picture, Round, Shade, Stroke, Text
from appliance.display.pictures import Pictures

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pygame.surface import Surface

Made = TypeVar("Made")

_FINER = 4
"""Strokes are drawn this many times larger and scaled down."""

_SMOOTH = 0.98
"""Cosine of the turn up to which two pieces of a stroke share their edge; a sharper one gets a round joint."""


_MOST_TOLD = 100
"""Texts that cannot be drawn and are named in the log; more of them say nothing new."""


class _Made(NamedTuple):
    """A picture; of a text only its letters, so far right and down of the corner of what its font would cover."""

    picture: Surface
    x: int = 0
    y: int = 0


class Painter:
    """Paints with one set of fonts; keeps at most ``cache_bytes`` of made pictures.

    With ``backdrop`` everything before a list's first text (ground, table) is kept as one picture of the whole screen
    for as long as it stays the same, so that a digit that changes costs one small copy instead of a stack of shapes.
    """

    def __init__(self, fonts: FontBook, cache_bytes: int, *, backdrop: bool = False) -> None:
        self._fonts = fonts
        self._made: Kept[_Made] = Kept(cache_bytes, lambda made: made.picture.get_pitch() * made.picture.get_height())
        self._discs: Kept[Disc] = Kept(cache_bytes // 2, lambda made: made.bytes)
        self._files = Pictures()
        self._left_out: set[str] = set()
        self._with_backdrop = backdrop
        self._backdrop_ops: DrawList = ()
        self._backdrop: Surface | None = None

    @property
    def kept_bytes(self) -> int:
        """Bytes of pictures kept now, without the backdrop."""
        return self._made.bytes + self._discs.bytes

    def paint(self, target: Surface, ops: DrawList, within: Box) -> None:
        """Paint those of ``ops`` that show in ``within``, and nothing outside it."""
        start = _ground(ops) if self._with_backdrop else 0
        shown = visible(ops[start:], within)
        if self._with_backdrop and not (shown and _covers(shown[0], within)):
            target.blit(self._kept_backdrop(target, ops[:start]), within[:2], within)
        self._paint_all(target, shown, within)

    def keep_ground(self, target: Surface, ops: DrawList) -> int:
        """Keep the backdrop of a list for `patch`; return how many of the operations lie in it."""
        start = _ground(ops)
        self._kept_backdrop(target, ops[:start])
        return start

    def patch(self, target: Surface, ops: Sequence[Op], within: Box) -> Surface:
        """What is to be copied to ``target`` to have all of ``ops`` over the kept backdrop in ``within``.

        To copy is a tenth of the work of mixing letters with pixels that the processor has not seen for a second.
        """
        picture, whole = parts.surface.Surface(within[2:], 0, target), Box(0, 0, *within[2:])
        if self._backdrop is not None:
            picture.blit(self._backdrop, (0, 0), within)
        self._paint_all(picture, [shifted(op, -within.x, -within.y) for op in ops], whole)
        return picture

    def _paint_all(self, target: Surface, ops: Sequence[Op], within: Box) -> None:
        target.set_clip(within)
        try:
            for op in ops:
                self._paint(target, op, within)
        finally:
            target.set_clip(None)

    def _kept_backdrop(self, target: Surface, ops: DrawList) -> Surface:
        if self._backdrop is None:
            self._backdrop = parts.surface.Surface(target.get_size(), 0, target)
            self._backdrop_ops = ()
        if ops != self._backdrop_ops:
            whole = Box(0, 0, *target.get_size())
            self._backdrop.fill(0)
            self._backdrop.set_clip(whole)
            for op in visible(ops, whole):
                self._paint(self._backdrop, op, whole)
            self._backdrop_ops = ops
        return self._backdrop

    def _paint(self, target: Surface, op: Op, within: Box) -> None:
        match op:
            case Text():
                letters, x, y = self._letters(op)
                ink = Box(x, y, *letters.get_size())
                part = ink.clip(op.box)  # some letters are higher than their font says
                target.blit(letters, part[:2], part.moved(-x, -y))
            case Picture(box=box, source=source):
                flags = 0 if source.whole else parts.constants.BLEND_PREMULTIPLIED
                scaled = self._made.get((source, box[2:]), lambda: _Made(self._files.scaled(op)))
                target.blit(scaled.picture, box[:2], None, flags)
            case Round(radius=0):
                fill(target, op.color, op.box)
            case Round():
                disc = self._discs.get((op.radius, op.color), lambda: make_disc(op.radius, op.color))
                paint_round(target, op.box, disc, op.color, within)
            case Stroke():
                key = (op.box[2:], op.points, op.width, op.color)
                target.blit(self._made.get(key, lambda: _Made(_stroke(op))).picture, op.box[:2])
            case Shade():
                _shade(target, op, op.box.clip(within))

    def seen(self, op: Op) -> Box:
        """Where an operation can be seen: of a text its letters, around which much of its box is empty."""
        if not isinstance(op, Text):
            return op.box
        letters, x, y = self._letters(op)
        return Box(x, y, *letters.get_size()).clip(op.box)

    def _letters(self, op: Text) -> _Made:
        """A text's letters and where they are on the screen."""
        key = (op.text, op.size, op.bold, op.color)
        picture, x, y = self._made.get(key, lambda: self._written(op))
        return _Made(picture, op.box.x + x, op.box.y + y + self._fonts.drop(op.text, op.size, op.bold))

    def _written(self, op: Text) -> _Made:
        try:
            whole = self._fonts.font(op.size, op.bold, op.text).render(op.text, True, op.color)
        except (ValueError, parts.base.error) as error:
            self._tell(op.text, str(error))
            whole = parts.surface.Surface((0, 0))
        ink = whole.get_bounding_rect()
        return _Made(whole.subsurface(ink).copy(), ink.x, ink.y)

    def _tell(self, text: str, why: str) -> None:
        """Log a text that cannot be drawn, once: all others are."""
        import logging

        if text not in self._left_out and len(self._left_out) < _MOST_TOLD:
            self._left_out.add(text)
            logging.getLogger(__name__).error("left out, cannot be drawn: %s: %s", ascii(text[:80]), why)


class Kept(Generic[Made]):
    """Things that were made, by key, up to a number of bytes; the least recently used ones go first."""

    def __init__(self, limit: int, size: Callable[[Made], int]) -> None:
        self._limit = limit
        self._size = size
        self._made: OrderedDict[object, Made] = OrderedDict()
        self.bytes = 0

    def get(self, key: object, make: Callable[[], Made]) -> Made:
        """What was made for ``key`` before, or make it now."""
        found = self._made.get(key)
        if found is not None:
            self._made.move_to_end(key)
            return found
        made = make()
        size = self._size(made)
        if size <= self._limit:
            self._made[key] = made
            self.bytes += size
            while self.bytes > self._limit:
                _, dropped = self._made.popitem(last=False)
                self.bytes -= self._size(dropped)
        return made


def _ground(ops: DrawList) -> int:
    """How many operations lie below the first text."""
    return next((n for n, op in enumerate(ops) if isinstance(op, Text)), len(ops))


def visible(ops: Sequence[Op], within: Box) -> list[Op]:
    """The operations that show in ``within``: those after the last one that covers all of it."""
    shown: list[Op] = []
    left, top, right, bottom = within.x, within.y, within.right, within.bottom
    for op in reversed(ops):
        x, y, w, h = op.box
        if x < right and left < x + w and y < bottom and top < y + h:  # `Box.meets`, a hundred times a second
            shown.append(op)
            if _covers(op, within):
                break
    return shown[::-1]


def _covers(op: Op, within: Box) -> bool:
    match op:
        case Shade(box=box):
            return box.holds(within)
        case Round(box=box, radius=r):
            return box.inset(r, 0).holds(within) or box.inset(0, r).holds(within)
    return False


def _shade(target: Surface, op: Shade, part: Box) -> None:
    """Row by row; only the rows asked for, each with the colour it has in the whole."""
    last = max(1, op.box.h - 1)
    for y in range(part.y, part.bottom):
        at = (y - op.box.y) / last
        red, green, blue = (round(a + (b - a) * at) for a, b in zip(op.top, op.bottom, strict=True))
        target.fill((red, green, blue), (part.x, y, part.w, 1))


def _stroke(op: Stroke) -> Surface:
    size = (op.box.w * _FINER, op.box.h * _FINER)
    large = parts.surface.Surface(size, parts.constants.SRCALPHA, 32)
    large.fill((*op.color, 0))
    half = op.width * _FINER / 2
    points = [((x + 0.5) * _FINER, (y + 0.5) * _FINER) for x, y in op.points]
    sides = [_across(start, end, half) for start, end in pairwise(points)]
    starts, ends = list(sides), list(sides)
    for n, (before, after) in enumerate(pairwise(sides)):
        if before[0] * after[0] + before[1] * after[1] > _SMOOTH * half * half:  # along an arc: one edge, no joint
            both = before[0] + after[0], before[1] + after[1]
            ends[n] = starts[n + 1] = _scaled(both, half)
        else:
            _dot(large, op, points[n + 1], half)
    for (x1, y1), (x2, y2), (ax, ay), (bx, by) in zip(points, points[1:], starts, ends, strict=False):
        corners = [(x1 + ax, y1 + ay), (x2 + bx, y2 + by), (x2 - bx, y2 - by), (x1 - ax, y1 - ay)]
        parts.draw.polygon(large, op.color, [(round(x), round(y)) for x, y in corners])
    for end in (points[0], points[-1]):
        _dot(large, op, end, half)
    return parts.transform.smoothscale(large, (op.box.w, op.box.h))


def _dot(target: Surface, op: Stroke, at: tuple[float, float], radius: float) -> None:
    parts.draw.circle(target, op.color, (round(at[0]), round(at[1])), radius)


def _across(start: tuple[float, float], end: tuple[float, float], length: float) -> tuple[float, float]:
    """From the middle of a line to its edge."""
    return _scaled((start[1] - end[1], end[0] - start[0]), length)


def _scaled(vector: tuple[float, float], length: float) -> tuple[float, float]:
    by = length / (math.hypot(*vector) or 1.0)
    return vector[0] * by, vector[1] * by
