"""What a kiosk's engine thread knows: its place, its copy of the evening, and what of it the screen was given."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from appliance import evening, kinds
from appliance.counting import is_played, last_written
from appliance.engine import Engine
from appliance.game.righttime import Times
from appliance.game.roster import Roster
from appliance.game.state import Ledger, Round
from appliance.lastoffset import LastOffset
from appliance.link.store import Alert
from appliance.phone import Phone
from appliance.phonenotes import phones
from appliance.snapshot import Snapshot
from appliance.stopped import Stopped
from appliance.worker import Worker, tell
from appliance.workplace import Workplace

FOLLOWED_MS = 5
"""A clock that is off by less is not followed each time: the screen would look at everything anew, for pings tell some
milliseconds more or less all evening. Screens may differ by ten times that (CK-1)."""


class Knowing(Worker):
    """The knowledge of a `Station`, without what it does: for taps, the floor menu and the screen."""

    _engine: Engine

    def __init__(self, place: Workplace, ended: Callable[[], None]) -> None:
        super().__init__(place, ended)
        self._last_offset = LastOffset(place.data)
        self._stopped = Stopped()
        self.snapshot = Snapshot(offset_ms=self._last_offset.recall())
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

    def _phone(self, device: str) -> Phone | None:
        """The phone of this name, as the venue's stream and the league's tell who may: nobody else's word counts."""
        found = (phone for phone in phones(self._venue_notes, self.now_ms()) if phone.device == device)
        phone = next(found, None)
        entry = None if phone is None else self.roster.by_number(phone.who)
        return phone if entry is not None and (entry.role, entry.state) == ("commissioner", "active") else None

    def _round_here(self) -> Round | None:
        now, door = self.times.right(self.now_ms()), self._table is None
        return evening.on_screen(self.snapshot.rounds, now, self._table, door=door)

    def _stand_still(self, rounds: Iterable[Round]) -> None:
        """Where this device has lost the evening's time by a power cut, a round's clock stands where it was last known
        to (DESIGN §5)."""
        if not self._last_offset.known and any(map(is_played, rounds)):
            self._show(stands_at=max(self._last_offset.noted_at, last_written(self._engine.journal)))

    def _settle_offset(self, offset: float | None) -> None:
        """How far the director's time is from this device's, as its link has found out; None: it has not yet."""
        if offset is not None and (self._is_news(offset) or self.snapshot.stands_at is not None):
            self._show(offset_ms=round(offset), stands_at=None)
        if self.snapshot.stands_at is None and (offset is not None or self._last_offset.kept):
            played = any(map(is_played, self.snapshot.rounds))
            self._last_offset.keep(self.snapshot.offset_ms, self.now_ms(), played=played)

    def _is_news(self, offset: float) -> bool:
        """Whether it is another one than is gone by, and not only a little better or worse known."""
        return abs(offset - self.snapshot.offset_ms) >= FOLLOWED_MS

    def _alert(self, alert: Alert) -> None:
        tell(alert)
        self._stopped.heard(alert, self._engine.journal.newest(alert.stream), time.monotonic())

    def _show_stopped(self) -> None:
        """Whether the own copy goes no further, though there is more."""
        if (stopped := self._stopped.lasts(time.monotonic())) != self.snapshot.stopped:
            self._show(stopped=stopped)

    def _show(self, **changes: Any) -> None:
        self.snapshot = self.snapshot._replace(**changes)
