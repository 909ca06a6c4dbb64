"""Against burning in: the whole drawing wanders a few pixels around its place, one small step every few minutes.

A pure function of the time of day that a screen shows, so that it costs no wake-up of its own: the drawing moves
when the minute in its header changes.
"""

from __future__ import annotations

from datetime import datetime

REACH = 6
"""How far it goes at most from its place, in lengths of the design (which leaves a margin of 36 at least)."""

STEP_MIN = 4
"""Minutes between two steps."""

_SIDE = (-2, -1, 0, 1, 2)
_ROWS = [[(x, y) for x in (_SIDE if n % 2 == 0 else _SIDE[::-1])] for n, y in enumerate(_SIDE)]
_THERE = [place for row in _ROWS for place in row]
PATH: tuple[tuple[int, int], ...] = (*_THERE, *_THERE[-2:0:-1])
"""Places in quarters of the whole way across, each beside the one before: five rows there and the same way back."""


def wandered(now: datetime, reach: int) -> tuple[int, int]:
    """How many pixels right and down the drawing lies at a time of day; at most ``reach`` either way.

    Even numbers: what is rounded to whole pixels then comes out the same in every place.
    """
    minutes = (now.toordinal() * 24 + now.hour) * 60 + now.minute
    across, down = PATH[minutes // STEP_MIN % len(PATH)]
    half = reach // 2
    return 2 * round(half * across / 2), 2 * round(half * down / 2)
