"""Which of a kiosk's readers work: by what they say, and by their sign of life when they say nothing."""

from __future__ import annotations

from collections.abc import Sequence

from appliance.hw.ports import Reader, silent

BEAT_S = 3.5
"""How often signs of life are looked at: a silent reader is told within twelve seconds and a half."""


class ReaderWatch:
    """For the engine thread. ``readers`` are those of the configuration; an unknown name in an event is one more."""

    def __init__(self, readers: Sequence[Reader] = ()) -> None:
        self._readers = tuple(readers)
        self._said: dict[str, bool] = {}
        self._silent: frozenset[str] = frozenset()

    @property
    def any(self) -> bool:
        """Whether there is a reader to look after."""
        return bool(self._readers)

    def told(self, name: str, works: bool) -> None:
        """A reader said that it is online or offline."""
        self._said[name] = works

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

    @property
    def missing(self) -> tuple[str, ...]:
        """The readers that do not work, by name, where others still do."""
        return tuple(sorted(name for name in self._said if not self._alive(name))) if self.works else ()

    def _alive(self, name: str) -> bool:
        return self._said.get(name, True) and name not in self._silent
