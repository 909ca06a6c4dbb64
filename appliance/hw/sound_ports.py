"""What the appliance expects of a sound card, whatever driver stands behind it."""

from __future__ import annotations

from enum import Enum, StrEnum
from typing import Protocol

from appliance.sounds.cue import Cue


class SoundState(Enum):
    """Where the sound stands: SILENT until something was to be heard, then what came of it."""

    STOPPED = "stopped"
    SILENT = "silent"
    WORKS = "works"
    FAILED = "failed"


class SoundTrouble(StrEnum):
    """Why nothing is heard; stable codes."""

    NO_LIBRARY = "no-library"
    """SDL, which comes with pygame-ce, is not to be found in this process."""
    NO_DEVICE = "no-device"
    """There is no sound card, not the one that was named, or another program has it."""


class SoundFailed(OSError):
    """Nothing can be heard; ``why`` is a stable code, the text the system's own."""

    def __init__(self, why: SoundTrouble, text: str) -> None:
        super().__init__(text)
        self.why = why


class Sound(Protocol):
    """Something that makes cues heard.

    What every driver promises (the contract suite runs over all of them):

    - `play` returns at once, from any thread, whatever the device does, and does nothing where it was not started;
    - what cannot be heard soon is not heard at all: a late sound would be a false one;
    - a card that is missing or busy is a state, told once in the log, and tried again;
    - `stop` returns within a second, may be called at any time, also twice; it can be started again.
    """

    @property
    def state(self) -> SoundState: ...

    @property
    def why(self) -> SoundTrouble | None:
        """What the trouble is while the state is FAILED."""

    def start(self) -> None: ...

    def play(self, cue: Cue) -> None: ...

    def stop(self) -> None: ...
