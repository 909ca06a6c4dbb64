"""What goes on the glass while something moves: each list on its way to the next, by the time that has passed.

A machine that is slow shows fewer steps and takes no longer. What happens meanwhile starts from the end of what was
under way: nothing is ever queued.
"""

from __future__ import annotations

from appliance.display.motion import Transition, transition
from appliance.display.ops import DrawList
from appliance.display.theme import Theme

FRAME_S = 1 / 60


class Mover:
    """Follows the lists of one window. ``on`` False: each list shows at once. Moments are monotonic seconds."""

    def __init__(self, theme: Theme, *, on: bool = True) -> None:
        self._theme = theme
        self._on = on
        self.size = (0, 0)
        self._after: DrawList = ()
        self._under_way: Transition | None = None
        self._since = 0.0

    def follow(self, after: DrawList, size: tuple[int, int], now: float, *, happened: bool, turned: bool) -> None:
        """Go on to this list. ``happened``: more than a second has passed since the last; ``turned``: pages have."""
        if size != self.size:
            self._under_way = None
        elif happened or turned:
            self._under_way = self._to(after, turned)
            self._since = now
        self._after, self.size = after, size

    def frame(self, now: float) -> DrawList:
        """What to show at a moment."""
        if self._under_way is None:
            return self._after
        share = (now - self._since) / self._under_way.length_s
        if share >= 1:
            self._under_way = None
            return self._after
        return self._under_way.at(self._after, share)

    def first(self, expected: DrawList) -> DrawList:
        """What would be shown at first if this list followed, because something happens."""
        way = self._to(expected, False)
        return expected if way is None else way.at(expected, 0.0)

    @property
    def moving(self) -> bool:
        """Whether the next frame shows something else by itself."""
        return self._under_way is not None

    def _to(self, after: DrawList, turned: bool) -> Transition | None:
        if not self._on or not self._after:
            return None
        return transition(self._after, after, self.size, self._theme, turned=turned)
