"""Whether a key still means what its presser saw: what is on the glass, since when, and who changed it.

For the engine thread, but `painted`, which the screen's thread tells. Times are monotonic seconds.
"""

from __future__ import annotations

from typing import Literal

from appliance.floor.lines import Shown
from appliance.floor.said import Text, still

DEAD_S = 0.4
"""How long keys that choose are void after a page has changed by itself: nobody stops a moving hand sooner."""

TWICE_S = 0.25
"""How long a push is void after a push has changed the page: a button pressed twice in one go is pressed once."""

LEFT_S = 1.0
"""How long the menu's keys are nobody's after it has left: the same keys begin hands and call the floor."""

By = Literal["itself", "key", "choice"]
"""What changed a page: nobody here; a key that moves or enters something; one that chose."""

_Choice = tuple[tuple[str, ...], bool, Text, tuple[Text, ...]]


class Glance:
    """What a menu shows. Pages are numbered; a page has another number as soon as anything else is to be chosen. That
    a clock on it goes on is nothing else.
    """

    def __init__(self) -> None:
        self.stamp = 0
        self.lines: tuple[str, ...] = ()
        self.painted: int | None = None
        self.dead_s, self.twice_s, self.left_s = DEAD_S, TWICE_S, LEFT_S
        self._choice: _Choice | None = None
        self._dead_until = self._twice_until = self._left_until = 0.0

    def shows(self, lines: tuple[str, ...], page: Shown, by: By, at: float) -> bool:
        """The menu goes to this page, with these lines to choose from: whether anything else is to be chosen than
        before. Where it came by itself keys that choose are void for a moment, and pushes where a choice led to it."""
        read = tuple(still(line.text) for line in page.lines if line.item is None)
        choice = (lines, page.editing, still(page.question), read)
        if choice == self._choice:
            return False
        self._choice, self.lines, self.stamp = choice, lines, self.stamp + 1
        if by == "itself":
            self._dead_until = at + self.dead_s
        elif by == "choice":
            self._twice_until = at + self.twice_s
        return True

    def left(self, at: float) -> None:
        """The menu is no longer there."""
        self._choice, self.lines = None, ()
        self._left_until = at + self.left_s

    def is_new(self, at: float) -> bool:
        """Whether a page has just changed, by itself or by a choice."""
        return at < max(self._dead_until, self._twice_until)

    def has_just_left(self, at: float) -> bool:
        """Whether keys may still have been meant for the menu."""
        return at < self._left_until

    def means(self, seen: int | None, pushed: bool, at: float) -> bool:
        """Whether a key that chooses is heard; ``seen``: the page on the glass when it was pressed, None: untold.

        ``pushed``: it takes a line, as a second push of the same would.
        """
        dead_until = max(self._dead_until, self._twice_until) if pushed else self._dead_until
        return at >= dead_until and seen in (None, self.stamp)
