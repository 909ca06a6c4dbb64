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

    def says(self, now_ms: int) -> bool:
        """Whether screens show it at ``now_ms``, by the director's clock."""
        return bool(self.text) and now_ms < self.until


def latest(notes: Mapping[str, Note]) -> FloorWord | None:
    """The last word, whether it still stands or not."""
    return next((note for note in notes.values() if isinstance(note, FloorWord)), None)


def standing(notes: Mapping[str, Note], now_ms: int) -> FloorWord | None:
    """What screens show at ``now_ms``."""
    word = latest(notes)
    return word if word is not None and word.says(now_ms) else None
