"""Which of a kiosk's readers work: by what they say, and by their sign of life when they say nothing."""

from __future__ import annotations

import time
from collections.abc import Sequence

from appliance.hw.panel import Signal
from appliance.hw.ports import Offline, Reader, silent
from appliance.link.envelope import ReaderSaid

BEAT_S = 3.5
"""How often signs of life are looked at: a silent reader is told within twelve seconds and a half."""

NO_ANSWER = "no-answer"
"""What ails a reader that says nothing."""

_MOST_TOLD = 8


class ReaderWatch:
    """For the engine thread. ``readers`` are those of the configuration; an unknown name in an event is one more."""

    def __init__(self, readers: Sequence[Reader] = ()) -> None:
        self._readers = tuple(readers)
        self._said: dict[str, str] = {}  # by name, what ails it
        self._silent: frozenset[str] = frozenset()
        self.due: float | None = time.monotonic() + BEAT_S if readers else None
        """When `beat` wants to be called (monotonic seconds)."""

    def beat(self) -> bool:
        """Look for readers that say nothing, when it is time; whether it was."""
        if self.due is None or time.monotonic() < self.due:
            return False
        self.due = time.monotonic() + BEAT_S
        self.look(time.monotonic_ns())
        return True

    def told(self, name: str, works: bool, why: str = Offline.FAILED) -> None:
        """A reader said that it is online or offline; ``why``: then the code of what ails it."""
        self._said[name] = "" if works else str(why)

    def look(self, now_ns: int) -> None:
        """Look for readers that say nothing at all (monotonic time)."""
        self._silent = frozenset(reader.name for reader in self._readers if silent(reader, now_ns))

    @property
    def works(self) -> bool:
        """Whether cards can be read here; true before any reader has said anything."""
        return not self._said or any(self._alive(name) for name in self._said)

    @property
    def all_work(self) -> bool:
        """Whether no reader is missing."""
        return all(self._alive(name) for name in self._said)

    def signal(self, time_called: bool) -> Signal:
        """What the light shows when nothing happens."""
        if not self.all_work:
            return Signal.OFFLINE
        return Signal.TIME_CALL if time_called else Signal.IDLE

    @property
    def missing(self) -> tuple[str, ...]:
        """The readers that do not work, by name, where others still do."""
        return tuple(sorted(name for name in self._said if not self._alive(name))) if self.works else ()

    def states(self) -> tuple[ReaderSaid, ...]:
        """Each reader, and what ails it as `appliance.health.readers` names it."""
        names = sorted({*self._said, *self._silent})[:_MOST_TOLD]
        return tuple(ReaderSaid(name[:24], NO_ANSWER if name in self._silent else self._said[name]) for name in names)

    def _alive(self, name: str) -> bool:
        return not self._said.get(name) and name not in self._silent
