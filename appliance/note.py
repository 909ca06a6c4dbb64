"""What every note of a venue's or a table's stream has in common; `kinds` has the list."""

from __future__ import annotations

from typing import Annotated

import msgspec

WORD = 64
Word = Annotated[str, msgspec.Meta(max_length=WORD)]
"""A name, a number or a code in a note."""

Millis = Annotated[int, msgspec.Meta(ge=0, lt=1 << 53)]
"""UTC milliseconds."""


class Note(msgspec.Struct, frozen=True, tag_field="type", kw_only=True):
    """Something told of a device or a hand: written as it is asked for, folded into the latest of its type."""
