"""What the league tells a venue: the base of all that stands in ``league/<venue>``."""

from __future__ import annotations

from msgspec import Struct


class RosterEvent(Struct, frozen=True, kw_only=True):
    """Something the league tells a venue."""
