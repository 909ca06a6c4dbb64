"""What screens show beyond the round: the season's standings, what the league or the floor announces."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the standings; equal totals share the place (LG-8). ``points`` a decimal string."""

    place: int
    who: str
    points: str
    rounds: int = 0


class Standings(msgspec.Struct, frozen=True, kw_only=True):
    """The season's standings as the league last told them: the best ``rows`` of ``participants`` ranked.

    ``as_of``: when the league computed them. ``key_confirmed``: the league stands by the key behind the points (P).
    """

    season: str
    rows: tuple[Standing, ...]
    participants: int
    as_of: datetime | None = None
    key_confirmed: bool = True


class Announcement(msgspec.Struct, frozen=True, kw_only=True):
    """A word for everybody in the room, in the screen's language already; it never hides the time.

    ``fresh``: it came a short while ago and is shown large.
    """

    text: str
    by: Literal["league", "floor"] = "league"
    fresh: bool = False
