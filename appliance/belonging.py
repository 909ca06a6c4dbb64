"""Who belongs to a venue by another program's journal: its uplink reads the director's, and folds no more than this."""

from __future__ import annotations

from appliance import kinds
from appliance.engine import Engine
from appliance.journal import Journal
from appliance.workplace import Workplace


class Belonging:
    """Keeps a place's members as a journal tells them that somebody else writes.

    Else a device that the league named, or a commissioner let in, would be a stranger to its own uplink.
    """

    def __init__(self, place: Workplace, journal: Journal) -> None:
        """Raises `JournalError` if the journal is damaged."""
        self._place, self._journal = place, journal
        venue = place.config.venue.id
        self._league, self._venue = f"league/{venue}", f"venue/{venue}"
        self._engine = Engine(journal, kinds.KINDS, place.now_ms, only=(self._league, self._venue))
        self._know()

    def look(self) -> None:
        """Take in what has been written since the last look. Raises `JournalError`."""
        self._journal.refresh()
        if [*self._engine.catch_up(self._league), *self._engine.catch_up(self._venue)]:
            self._know()

    def _know(self) -> None:
        notes = self._engine.state(self._venue)
        self._place.know(self._engine.state(self._league), kinds.adopted(notes), kinds.dropped(notes))
