"""The sounds there are, and which of them each kind of device makes."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal


class Cue(StrEnum):
    """A sound, by what it tells."""

    LEVEL = "level"
    """A level begins, the first one too."""
    MINUTE = "minute"
    """One minute is left of a level or a break."""
    BREAK = "break"
    BREAK_OVER = "break-over"
    TIME_CALL = "time-call"
    """Somebody's time runs (CK-4)."""
    COUNT = "count"
    """A second of a time call's last ones."""
    TIME_OVER = "time-over"
    ACCEPTED = "accepted"
    WEAK = "weak"
    """Accepted, but the card proves less than it could."""
    REFUSED = "refused"
    AGAIN = "again"
    """Nothing was decided: hold the card there once more."""


Role = Literal["table", "door", "clock"]

CLOCK = frozenset({Cue.LEVEL, Cue.MINUTE, Cue.BREAK, Cue.BREAK_OVER})
CALL = frozenset({Cue.TIME_CALL, Cue.COUNT, Cue.TIME_OVER})
TAP = frozenset({Cue.ACCEPTED, Cue.WEAK, Cue.REFUSED, Cue.AGAIN})

HEARD: dict[Role, frozenset[Cue]] = {"table": TAP | CALL | CLOCK, "door": TAP, "clock": CLOCK}
"""What a device of each kind makes heard. At the door nobody waits for a level; a call for time is its table's."""


def heard_at(role: Role, *, clock: bool) -> frozenset[Cue]:
    """The cues of a device; without ``clock`` a table leaves its own to a wall that everybody hears."""
    return HEARD[role] if clock or role == "clock" else HEARD[role] - CLOCK
