"""What every event of a round has in common, and the small values that only events carry."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from appliance.game.values import MAX_AMOUNT

Seed = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Word = Annotated[str, Meta(max_length=64)]
"""A card of the deck, or the name of a command."""

Change = Annotated[int, Meta(ge=-1000 * MAX_AMOUNT, le=1000 * MAX_AMOUNT)]
"""Chips that come (positive) or go (negative)."""


class Event(Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """Something that happened in the round whose stream it is in."""
