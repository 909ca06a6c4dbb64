"""What a second changes on a screen on which nothing else happens: a digit or two, and now and then the end of a bar.

A kiosk shows that all evening long, and asleep between: whatever it looks at once a second it has to fetch from far
away. So what some seconds to come will change is worked out in one go, and each then takes a few copies of pictures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from appliance.display.canvas import Canvas
from appliance.display.ops import Box, DrawList, Op, Round, Text, end_of, is_shorter
from appliance.display.raster import Painter

if TYPE_CHECKING:
    from pygame.surface import Surface

AHEAD = 30
"""How many seconds are worked out in one go; whatever happens meanwhile makes the rest of them worthless."""


_SLACK = 8
"""Digits are not all of one size: around the first of them is seen an eighth more."""


class Step(NamedTuple):
    """From one second to the next: the pictures to copy to the glass and where to, and where it has changed then."""

    copies: list[tuple[Surface, tuple[int, int]]]
    boxes: list[Box]


Patches = dict[tuple[Box, tuple[Op, ...]], "Surface"]
"""What a box with these operations looks like. A digit that goes through its turn comes to the same again."""


class Turn:
    """The pictures of the last seconds that were worked out, over this ground: a window's, for whoever goes on."""

    def __init__(self) -> None:
        self.patches: Patches = {}
        self._ground: DrawList = ()

    def lies_on(self, ground: DrawList) -> None:
        """What is under them from now on; they are worth nothing where it is something else."""
        if ground != self._ground:
            self._ground, self.patches = ground, {}


class SecondHand:
    """Goes on from a canvas's list with this second on its clock, which is on the glass, a second at a time.

    ``last``: the second after which the screen is looked at anew, so that nothing is worked out beyond it.
    """

    def __init__(
        self, canvas: Canvas, second: int, glass: Surface, painter: Painter, turn: Turn, last: int = 0
    ) -> None:
        self.canvas = canvas
        self.second = second
        self._glass = glass
        self._painter = painter
        self._steps: dict[int, Step] = {}
        self._turn = turn
        self._last = last
        self._ahead = second
        self._ops = list(canvas.at(second))
        """The list of the second up to which steps are worked out."""
        self._ground = painter.keep_ground(glass, tuple(self._ops))
        turn.lies_on(tuple(self._ops[: self._ground]))
        self._seen: dict[int, Box] = {}
        self._around: dict[int, tuple[Box, list[int]]] = {}

    @property
    def shown(self) -> DrawList:
        """The whole list that is on the glass."""
        return self.canvas.at(self.second)

    def step(self, second: int) -> Step | None:
        """Go on to the next second; None where it is another one, or changes more than digits and a bar."""
        if second != self.second - 1:
            return None
        if second not in self._steps:
            self._work_out()
        step = self._steps.pop(second, None)
        if step is not None:
            self.second = second
        return step

    # -- inside ------------------------------------------------------------------------------------------

    def _work_out(self) -> None:
        kept, self._turn.patches = self._turn.patches, {}
        for _ in range(max(1, min(AHEAD, self._ahead - self._last))):
            step = self._next(kept)
            if step is None:
                break
            self._ahead -= 1
            self._steps[self._ahead] = step

    def _next(self, kept: Patches) -> Step | None:
        turned: list[tuple[int, Box]] = []
        fresh: list[tuple[int, Op, Box]] = []
        for start, end, ops in self.canvas.seconds(self._ahead - 1):
            if len(ops) != end - start:
                return None
            for place, op in enumerate(ops, start):
                was = self._ops[place]
                if op == was:
                    continue
                seen = self._painter.seen(op)
                box = self._changed(place, was, op, seen)
                if box is None or not self._knows(place, box if isinstance(op, Text) else was.box.union(box)):
                    return None
                turned.append((place, box))
                fresh.append((place, op, seen))
        for place, op, seen in fresh:
            self._ops[place], self._seen[place] = op, seen
        return Step([(self._patch(place, box, kept), box[:2]) for place, box in turned], [box for _, box in turned])

    def _changed(self, place: int, was: Op, now: Op, seen: Box) -> Box | None:
        """Where it can be seen; None where more changes than a text in its place or a bar that becomes shorter."""
        if isinstance(was, Text) and isinstance(now, Text):
            return (self._seen.get(place) or self._painter.seen(was)).union(seen)
        if isinstance(was, Round) and isinstance(now, Round) and is_shorter(was, now):
            return end_of(was, now)
        return None

    def _patch(self, place: int, box: Box, kept: Patches) -> Surface:
        around = [self._ops[each] for each in self._around[place][1] if self._seen[each].meets(box)]
        key = box, tuple(around)
        fresh = self._turn.patches
        patch = fresh.get(key) or kept.get(key) or self._painter.patch(self._glass, around, box)
        fresh[key] = patch
        return patch

    def _knows(self, place: int, box: Box) -> bool:
        """Whether it is known, or can be found out, what is seen around an operation in a box."""
        reach = box.inset(-box.w // _SLACK, -box.h // _SLACK)
        if place in self._around:
            reach = self._around[place][0]
            if reach.holds(box):
                return True
            reach = reach.union(box)
        ops = self._ops
        around = [n for n in range(self._ground, len(ops)) if ops[n].box.meets(reach)]
        self._seen |= {n: self._painter.seen(ops[n]) for n in around}
        self._around[place] = reach, around
        return place in around
