"""The draw list: what a layout says and a window does. Frozen, hashable, boxes in whole pixels, in painter's order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import compress, zip_longest
from operator import is_not
from typing import NamedTuple

import msgspec

from appliance.display.theme import Color


class Box(NamedTuple):
    """A rectangle of pixels; right and bottom are outside."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        return self.x + self.w

    @property
    def bottom(self) -> int:
        return self.y + self.h

    @property
    def cx(self) -> int:
        return self.x + self.w // 2

    @property
    def cy(self) -> int:
        return self.y + self.h // 2

    def inset(self, dx: int, dy: int | None = None) -> Box:
        """Smaller by ``dx`` left and right and ``dy`` (default ``dx``) above and below."""
        dy = dx if dy is None else dy
        return Box(self.x + dx, self.y + dy, max(0, self.w - 2 * dx), max(0, self.h - 2 * dy))

    def moved(self, right: int, down: int) -> Box:
        """The same size elsewhere."""
        return Box(self.x + right, self.y + down, self.w, self.h)

    def below(self, height: int) -> Box:
        """What is left under the upper ``height`` pixels."""
        return Box(self.x, self.y + height, self.w, max(0, self.h - height))

    def union(self, other: Box) -> Box:
        """The smallest box around both."""
        x, y = min(self.x, other.x), min(self.y, other.y)
        return Box(x, y, max(self.right, other.right) - x, max(self.bottom, other.bottom) - y)

    def meets(self, other: Box) -> bool:
        """Whether they share a pixel."""
        return self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom

    def clip(self, other: Box) -> Box:
        """The part inside ``other``; of size 0 when there is none."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        return Box(x, y, max(0, right - x), max(0, bottom - y))

    def without(self, inner: Box) -> list[Box]:
        """What is left of it around ``inner``, a part of it: at most four boxes that do not overlap."""
        left = [
            Box(self.x, self.y, self.w, inner.y - self.y),
            Box(self.x, inner.y, inner.x - self.x, inner.h),
            Box(inner.right, inner.y, self.right - inner.right, inner.h),
            Box(self.x, inner.bottom, self.w, self.bottom - inner.bottom),
        ]
        return [box for box in left if box.w and box.h]

    def holds(self, other: Box) -> bool:
        """Whether ``other`` lies inside."""
        return self.x <= other.x and self.y <= other.y and other.right <= self.right and other.bottom <= self.bottom

    def rows(self, *shares: int) -> list[Box]:
        """Cut from top to bottom in proportion."""
        total, y, cut = sum(shares), 0, []
        for share in shares:
            top, bottom = self.h * y // total, self.h * (y + share) // total
            cut.append(Box(self.x, self.y + top, self.w, bottom - top))
            y += share
        return cut

    def columns(self, *shares: int, gap: int = 0) -> list[Box]:
        """Cut from left to right in proportion, with ``gap`` pixels between."""
        total, x, cut = sum(shares), 0, []
        free = self.w - gap * (len(shares) - 1)
        for n, share in enumerate(shares):
            left, right = free * x // total, free * (x + share) // total
            cut.append(Box(self.x + left + n * gap, self.y, right - left, self.h))
            x += share
        return cut


class Shade(msgspec.Struct, frozen=True):
    """A rectangle shaded evenly from ``top`` to ``bottom``."""

    box: Box
    top: Color
    bottom: Color


class Round(msgspec.Struct, frozen=True):
    """A rectangle with round corners; ``radius`` half of the shorter side makes a disc or a stadium."""

    box: Box
    radius: int
    color: Color


class Stroke(msgspec.Struct, frozen=True):
    """A line through ``points`` with round ends and joins, ``width`` pixels thick.

    The points are relative to the box and may lie between pixels.
    """

    box: Box
    points: tuple[tuple[float, float], ...]
    width: int
    color: Color


class Text(msgspec.Struct, frozen=True):
    """A line of text; ``box`` is what its glyphs' surface covers, as measured, ``room`` what it was fitted into."""

    box: Box
    room: Box
    text: str
    size: int
    bold: bool
    color: Color


class Source(NamedTuple):
    """A picture's file and its size in pixels; ``whole``: a rectangle that nothing shows through."""

    file: str
    w: int
    h: int
    whole: bool


class Picture(msgspec.Struct, frozen=True):
    """A picture, made as large as the box."""

    box: Box
    source: Source


Op = Shade | Round | Stroke | Text | Picture
DrawList = tuple[Op, ...]


def changed(before: DrawList, after: DrawList, seen: Callable[[Op], Box] = lambda op: op.box) -> list[Box]:
    """The boxes to draw again when ``after`` follows ``before``; overlapping ones are joined.

    Drawing ``after`` inside these boxes gives the same pixels as drawing all of it. ``seen``: where an operation can
    be seen within its box.
    """
    in_place = _in_place(before, after, seen)
    if in_place is not None:
        return _joined(in_place)
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    end = max(0, end - 1)  # the first that stays may lie over the last that changes
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    stay = set(old) & set(new)
    if [op for op in old if op in stay] == [op for op in new if op in stay]:
        touched = [*_touched(old, stay, seen), *_touched(new, stay, seen)]
    else:  # something moved in front of something else
        touched = [seen(op) for op in (*old, *new)]
    return _joined([box for box in touched if box.w and box.h])


def _in_place(before: DrawList, after: DrawList, seen: Callable[[Op], Box]) -> list[Box] | None:
    """What a second changes: texts that say something else and bars that became shorter, all others as they were.

    None when there is more to it.
    """
    if len(before) != len(after):
        return None
    boxes: list[Box] = []
    for was, now in compress(zip(before, after, strict=True), map(is_not, before, after)):
        if was == now:
            continue
        if isinstance(was, Text) and isinstance(now, Text):
            boxes += seen(was), seen(now)
        elif isinstance(was, Round) and isinstance(now, Round) and _same_but_width(was, now):
            boxes.append(end_of(was, now))
        else:
            return None
    return [box for box in boxes if box.w and box.h]


def end_of(was: Round, now: Round) -> Box:
    """What changes of a bar that becomes longer or shorter."""
    left = max(now.box.x, min(was.box.right, now.box.right) - now.radius - 1)
    return now.box._replace(x=left, w=max(was.box.right, now.box.right) - left)


def is_shorter(was: Round, now: Round) -> bool:
    """Whether it is the same bar, and no longer than it was."""
    return now.box.w <= was.box.w and _same_but_width(was, now)


def _same_but_width(one: Round, other: Round) -> bool:
    return (one.box._replace(w=0), one.radius, one.color) == (other.box._replace(w=0), other.radius, other.color)


def _touched(ops: DrawList, stay: set[Op], seen: Callable[[Op], Box]) -> Iterator[Box]:
    """Where the operations that do not stay can be seen: of an edge, not what the panel that stays lies over."""
    for op, above in zip_longest(ops, ops[1:]):
        if op in stay:
            continue
        if isinstance(above, Round) and above in stay:
            core = above.box.inset(above.radius * 3 // 10 + 1)  # within the circle of the corners: 1 - √½ of the radius
            if core.w and core.h and op.box.holds(core):
                yield from op.box.without(core)
                continue
        yield seen(op)


def _joined(boxes: list[Box]) -> list[Box]:
    """Boxes that do not overlap and cover the same pixels (and perhaps some more)."""
    done: list[Box] = []
    for box in boxes:
        grown = box
        while True:
            met = [other for other in done if other.meets(grown)]
            if not met:
                break
            done = [other for other in done if not other.meets(grown)]
            for other in met:
                grown = grown.union(other)
        done.append(grown)
    return done
