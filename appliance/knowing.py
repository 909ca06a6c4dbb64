"""What a kiosk's engine thread knows: its place, its copy of the evening, and what of it the screen was given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from appliance import evening, kinds
from appliance.engine import Engine
from appliance.game.righttime import Times
from appliance.game.roster import Roster
from appliance.game.state import Ledger, Round
from appliance.snapshot import Snapshot
from appliance.worker import Worker
from appliance.workplace import Workplace


class Knowing(Worker):
    """The knowledge of a `Station`, without what it does: for taps, the floor menu and the screen."""

    _engine: Engine

    def __init__(self, place: Workplace, ended: Callable[[], None], snapshot: Snapshot) -> None:
        super().__init__(place, ended)
        self.snapshot = snapshot
        device = place.config.device
        self._table = device.table if device.role == "table" else None

    def now_ms(self) -> int:
        """The director's time, as far as it is known: who has lost it counts nothing until a director tells it."""
        known = self.snapshot
        return self._place.time.now_ms() + known.offset_ms if known.stands_at is None else known.stands_at

    @property
    def device(self) -> str:
        """This device's name."""
        return self._place.config.device.name

    @property
    def table(self) -> int | None:
        """The table this kiosk stands at, if it is one's."""
        return self._table

    @property
    def rounds(self) -> tuple[Round, ...]:
        """The rounds of the own copy, as they are shown."""
        return self.snapshot.rounds

    @property
    def roster(self) -> Roster:
        """What the league has told."""
        return self.snapshot.roster

    @property
    def has_director(self) -> bool:
        """Whether commands are answered."""
        return self.snapshot.director

    @property
    def lang(self) -> str:
        """The screen's language."""
        return self._place.config.language

    def ledger(self, round: str) -> Ledger:
        """A round of the own copy."""
        return kinds.timed(self._engine.state(f"round/{round}"), self.times)

    @property
    def times(self) -> Times:
        """How far the director's time is from the right one."""
        return self.snapshot.times

    def called(self) -> Literal["floor", "time"] | None:
        """What this table has called the floor for."""
        return next((call.about for call in self.snapshot.calls if call.table == self._table), None)

    def refused_hands(self) -> int:
        """How many of the hands played without a director were refused and not seen to: here, at a door anywhere."""
        return sum(self._table in (None, note.table) for note in self.snapshot.refused)

    @property
    def _venue_notes(self) -> Mapping[str, kinds.Note]:
        notes: Mapping[str, kinds.Note] = self._engine.state(f"venue/{self._place.config.venue.id}")
        return notes

    def _round_here(self) -> Round | None:
        now, door = self.times.right(self.now_ms()), self._table is None
        return evening.on_screen(self.snapshot.rounds, now, self._table, door=door)

    def _show(self, **changes: Any) -> None:
        self.snapshot = self.snapshot._replace(**changes)
