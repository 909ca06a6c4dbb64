"""What a venue's stream tells of its time: how far records are from the right one, and who says so (DESIGN §3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from appliance.game.righttime import RIGHT, Spell, Times
from appliance.note import Millis, Note, Word

Source = Literal["ntp", "league", "commissioner"]
"""Who says what is right."""

Offset = Annotated[int, msgspec.Meta(gt=-(1 << 53), lt=1 << 53)]


class TimeTrusted(Note, frozen=True, tag="time-trusted/1", kw_only=True):
    """To the times of records from ``since`` (UTC ms) on, ``offset_ms`` are missing to the right ones."""

    since: Millis
    offset_ms: Offset
    source: Source


class TimeDoubted(Note, frozen=True, tag="time-doubted/1", kw_only=True):
    """The director's time began anew at ``since`` (UTC ms), and nobody vouches for it; ``offset_ms``: what is probably
    missing."""

    since: Millis
    offset_ms: Offset = 0


class TimeConfirmed(Note, frozen=True, tag="time-confirmed/1", kw_only=True):
    """A commissioner (``by``) says at a ``device``: when the director had ``shown``, it was ``right`` (UTC ms)."""

    device: Word
    by: Word
    shown: Millis
    right: Millis


class TimeAsked(Note, frozen=True, tag="time-asked/1", kw_only=True):
    """The director asks the league for the time; ``ask`` comes back with the answer."""

    ask: Word


def times_of(notes: Mapping[str, Note]) -> Times:
    """What is known of the times of a venue's records."""
    spells = [
        Spell(note.since, note.offset_ms, isinstance(note, TimeDoubted))
        for note in notes.values()
        if isinstance(note, TimeTrusted | TimeDoubted)
    ]
    return Times(tuple(sorted(spells))) if spells else RIGHT
