"""Whether a key still means what its presser saw: what is on the glass, since when, and who changed it.

For the engine thread, but `painted`, which the screen's thread tells. Times are monotonic seconds.
"""

from __future__ import annotations

from appliance.floor.lines import Shown
from appliance.floor.said import Text

DEAD_S = 0.4
"""How long keys that choose are void after a page has changed by itself: nobody stops a moving hand sooner."""

LEFT_S = 1.0
"""How long the menu's keys are nobody's after it has left: the same keys begin hands and call the floor."""

_Choice = tuple[tuple[str, ...], bool, Text, tuple[Text, ...]]


class Glance:
    """What a menu shows. Pages are numbered; a page has another number as soon as anything else is to be chosen."""

    def __init__(self) -> None:
        self.stamp = 0
        self.lines: tuple[str, ...] = ()
        self.painted: int | None = None
        self.dead_s, self.left_s = DEAD_S, LEFT_S
        self._choice: _Choice | None = None
        self._dead_until = self._left_until = 0.0

    def shows(self, lines: tuple[str, ...], page: Shown, by_key: bool, at: float) -> bool:
        """The menu goes to this page, with these lines to choose from: whether anything else is to be chosen than
        before. ``by_key``: its own person made it so; else keys are void for a moment."""
        read = tuple(line.text for line in page.lines if line.item is None)
        choice = (lines, page.editing, page.question, read)
        if choice == self._choice:
            return False
        self._choice, self.lines, self.stamp = choice, lines, self.stamp + 1
        if not by_key:
            self._dead_until = at + self.dead_s
        return True

    def left(self, at: float) -> None:
        """The menu is no longer there."""
        self._choice, self.lines = None, ()
        self._left_until = at + self.left_s

    def is_new(self, at: float) -> bool:
        """Whether a page has just changed by itself."""
        return at < self._dead_until

    def has_just_left(self, at: float) -> bool:
        """Whether keys may still have been meant for the menu."""
        return at < self._left_until

    def means(self, seen: int | None, at: float) -> bool:
        """Whether a key that chooses is heard; ``seen``: the page on the glass when it was pressed, None: untold."""
        return not self.is_new(at) and seen in (None, self.stamp)
