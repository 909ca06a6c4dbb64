"""A word of the floor to everybody in the venue, as the venue's stream tells it: the newest stands until its end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec

from appliance.note import Millis, Note, Word

LONGEST_WORD = 200
"""Letters: what a band on a screen holds."""

MINUTES = (2, 5, 15, 60)
"""How long a word may stand."""


class FloorWord(Note, frozen=True, tag="floor-word/1", kw_only=True):
    """A commissioner (``by``) says something to all screens, from ``at`` ``until`` (UTC ms); empty: no longer."""

    device: Word
    by: Word
    text: Annotated[str, msgspec.Meta(max_length=LONGEST_WORD)]
    at: Millis
    until: Millis


def standing(notes: Mapping[str, Note], now_ms: int) -> FloorWord | None:
    """What screens show at ``now_ms``."""
    return next(
        (note for note in notes.values() if isinstance(note, FloorWord) and note.text and now_ms < note.until), None
    )
