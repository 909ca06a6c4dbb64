"""Who belongs to a venue by another program's journal: its uplink reads the director's, and folds no more than this."""

from __future__ import annotations

from appliance import kinds
from appliance.engine import Engine
from appliance.journal import Journal
from appliance.record import Epoch
from appliance.workplace import Workplace


class Belonging:
    """Keeps a place's members as a journal tells them that somebody else writes.

    Else a device that the league named, or a commissioner let in, would be a stranger to its own uplink. ``told``:
    where the uplink keeps what the league tells; the first time its director has nothing of it yet.
    """

    def __init__(self, place: Workplace, journal: Journal, told: Journal | None = None) -> None:
        """Raises `JournalError` if a journal is damaged."""
        self._place, self._journal = place, journal
        venue = place.config.venue.id
        self._league, self._venue = f"league/{venue}", f"venue/{venue}"
        self._engine = Engine(journal, kinds.KINDS, place.now_ms, only=(self._league, self._venue))
        self._told = Engine(told, kinds.KINDS, place.now_ms, only=(self._league,)) if told is not None else self._engine
        self._know()

    def look(self) -> None:
        """Take in what has been written since the last look. Raises `JournalError`."""
        self._journal.refresh()
        came = [*self._engine.catch_up(self._league), *self._engine.catch_up(self._venue)]
        if self._told is not self._engine:
            came += self._told.catch_up(self._league)
        if came:
            self._know()

    def _know(self) -> None:
        notes = self._engine.state(self._venue)
        at = [_newest(engine.journal, self._league) for engine in (self._engine, self._told)]
        league = self._told if at[1] > at[0] else self._engine
        self._place.know(league.state(self._league), kinds.adopted(notes), kinds.dropped(notes))


def _newest(journal: Journal, stream: str) -> tuple[int, str, int]:
    """How far a journal has a stream; what is further compares greater."""
    head = journal.newest(stream)
    if head is None:
        return 0, "", 0
    epoch = Epoch.parse(head.epoch)
    return epoch.n, head.epoch, head.seq
