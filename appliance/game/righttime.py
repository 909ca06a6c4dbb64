"""From the time that stands in a venue's records to the right one (DESIGN §3). Pure.

Records carry the director's time, which never steps: a machine without a battery may have begun it wrong. Once somebody
has told what is right, that holds for all that was recorded since this time began. The limit of 24 hours asks for right
times (T-3); remaining times, which are differences within an evening, do not.
"""

from __future__ import annotations

from bisect import bisect_right
from operator import attrgetter
from typing import NamedTuple

AHEAD_MS = (1 << 53) - 1
"""When something was whose age nobody knows: no limit that asks for a time after it lets it go."""

_since = attrgetter("since")


class Spell(NamedTuple):
    """A time that went on without a step: it began with ``since`` (UTC ms, as in records), and ``offset_ms`` were
    missing to the right one, as far as anybody could tell; ``doubted``: nobody could.
    """

    since: int
    offset_ms: int
    doubted: bool = False


class Times(NamedTuple):
    """All spells of a venue that are known of, oldest first; before the first, and without any, records are right."""

    spells: tuple[Spell, ...] = ()

    @property
    def doubted(self) -> bool:
        """Whether nobody vouches for the time now."""
        return bool(self.spells) and self.spells[-1].doubted

    def right(self, at: int) -> int:
        """The right time, as far as it is known, of what is recorded at ``at`` (both UTC ms)."""
        place = bisect_right(self.spells, at, key=_since) - 1
        return at if place < 0 else at + self.spells[place].offset_ms

    def age_known(self, at: int) -> bool:
        """Whether it is known how long ago a record's ``at`` was: not before a spell that nobody can place."""
        return not self.doubted or at >= self.spells[-1].since


RIGHT = Times()
"""Of a venue whose records are right."""
