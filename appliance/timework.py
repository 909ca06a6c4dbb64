"""The director's part in the time: whether it is right, who says so, what the venue's stream tells of it (DESIGN §3).

The time never steps while a round is played: remaining times are counted by it. What is learned of the right time is
noted in the venue's stream, and holds for all that was recorded since this time began (`appliance.game.righttime`).
Once no round is played, a time that is behind is set forward; it never goes back.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from typing import NamedTuple

from appliance.engine import Engine, Order
from appliance.game.righttime import RIGHT, Times
from appliance.game.roster import Roster, TimeTold
from appliance.game.state import Ledger, Phase
from appliance.note import Note
from appliance.record import uuid7
from appliance.timenotes import Source, TimeAsked, TimeConfirmed, TimeDoubted, TimeTrusted, times_of
from appliance.timetrust import TimeTrust
from appliance.trustsources import Sources
from appliance.workplace import Workplace

WORTH_MS = 1000
"""A difference of less is not worth a note."""

NEAR_MS = 60_000
"""So far what is trusted may be from what somebody says who knows better."""

ASK_AGAIN_MS = 5 * 60_000
"""How long after a question the league is asked for the time again."""

AT_MOST_MS = 2 * 60_000
"""An answer that took longer is worth nothing: it may be wrong by half of that."""

BEHIND_MS = 5 * 60_000
"""A time that the league's word is so far ahead of is wrong: it cannot have come before it was written."""

_RANK: dict[str, int] = {"": 0, "commissioner": 1, "league": 2, "ntp": 3}
"""Who knows better."""

_log = logging.getLogger(__name__)


class Said(NamedTuple):
    """What is missing to the right time, and who says so."""

    offset_ms: int
    source: Source


class TimeWork:
    """For the engine thread of a director that serves."""

    def __init__(self, place: Workplace, engine: Engine, sources: Sources | None = None) -> None:
        self._place, self._engine = place, engine
        self._sources = sources or Sources()
        self._trust = TimeTrust(place.data, self._sources)
        self._said: Said | None = None
        self._asked: tuple[str, int] | None = None
        self._of: Mapping[str, Note] | None = None
        self._times = RIGHT

    @property
    def times(self) -> Times:
        """What is known of the times of the venue's records."""
        notes = self._notes
        if notes is not self._of:
            self._of, self._times = notes, times_of(notes)
        return self._times

    def right_ms(self) -> int:
        """The right time now (UTC ms), as far as it is known."""
        return self.times.right(self._place.now_ms())

    def trusted(self, league_ms: int = 0) -> bool:
        """Whether the right time is known. ``league_ms``: when the league wrote its latest word (UTC ms)."""
        if self._rehearses:
            return True
        if league_ms - self.right_ms() > BEHIND_MS:
            self._trust.doubt()
            return False
        return self._trust.holds and not self.times.doubted

    def confirmed(self, note: TimeConfirmed) -> None:
        """A commissioner has said what is right."""
        if note.shown < self._place.time.anchor.utc_ms and not self._trust.continues:
            _log.warning("a confirmation of a time that ended: %s", note)
            return
        self._said = Said(note.right - note.shown, "commissioner")
        self.look()

    def ask_league(self) -> None:
        """Ask the league for the time while nobody vouches for it, if that was not done a moment ago."""
        now = self._place.now_ms()
        if self._rehearses or self.trusted() or not self._place.config.league.public_key:
            return
        if self._asked is None or now - self._asked[1] >= ASK_AGAIN_MS:
            ask = uuid7(now, os.urandom(10))
            if self._write(TimeAsked(ask=ask)):
                self._asked = ask, now

    def league_told(self, told: TimeTold | None) -> None:
        """The league's stream has grown; ``told``: the last time in it. It counts where this program asked for it, and
        the answer has not been on its way for long: it may have been written at any moment since the question."""
        if told is None or self._asked is None or told.ask != self._asked[0]:
            return
        now, (_, asked_at) = self._place.now_ms(), self._asked
        self._asked = None
        took = now - asked_at
        if took <= AT_MOST_MS:
            self._said = Said(told.at + took // 2 - now, "league")
            self.look()

    def look(self) -> bool:
        """Note what has come to be known; False if the disk would not have it."""
        if self._rehearses:
            return True
        now = self._place.now_ms()
        said = self._better(now)
        if said is not None and not self._believe(said, now):
            return False
        if not self._trust.holds and not self._doubts(now):
            return False
        return self._set_forward(now)

    # -- inside ------------------------------------------------------------------------------------------

    @property
    def _rehearses(self) -> bool:
        """A rehearsal's time is its own."""
        rehearsal = self._place.config.rehearsal
        return rehearsal.start_ms is not None or rehearsal.speed != 1

    @property
    def _stream(self) -> str:
        return f"venue/{self._place.config.venue.id}"

    @property
    def _notes(self) -> Mapping[str, Note]:
        notes: Mapping[str, Note] = self._engine.state(self._stream)
        return notes

    @property
    def _since(self) -> int:
        """When this time began: who took over goes on with that of the director before."""
        began = self._place.time.anchor.utc_ms
        return self.times.spells[-1].since if self._trust.continues and self.times.spells else began

    @property
    def _source(self) -> str:
        """Who vouches for this time; empty: nobody has noted it."""
        note = self._notes.get(f"time {self._since}")
        return note.source if isinstance(note, TimeTrusted) else ""

    def _better(self, now: int) -> Said | None:
        """What somebody says who is to be believed: anybody while nobody vouches, else who knows better."""
        said = Said(self._sources.wall_ms() - now, "ntp") if self._sources.ntp() else self._said
        self._said = None
        if said is None or not self.trusted():
            return said
        differs = abs(now + said.offset_ms - self.times.right(now)) > NEAR_MS
        return said if differs and _RANK[said.source] > _RANK[self._source] else None

    def _believe(self, said: Said, now: int) -> bool:
        known = self.times.right(now) - now
        if self.times.doubted or abs(said.offset_ms - known) >= WORTH_MS:
            note = TimeTrusted(since=self._since, offset_ms=said.offset_ms, source=said.source)
            if not self._write(note):
                return False
            _log.warning("the time is right by the %s: %+d ms", said.source, said.offset_ms)
        if not self._trust.holds:
            self._trust.trust()
        return True

    def _doubts(self, now: int) -> bool:
        spells = self.times.spells
        if spells and spells[-1].doubted and spells[-1].since == self._since:
            return True
        _log.warning("nobody vouches for the time")
        goes_on = abs(self._sources.wall_ms() - now) > NEAR_MS  # with what was written before, not with the wall clock
        missing = self.times.right(now) - now if goes_on else 0
        return self._write(TimeDoubted(since=self._since, offset_ms=missing))

    def _set_forward(self, now: int) -> bool:
        """Let what comes next be recorded at the right time, where no round's clock is counted by this one."""
        missing = self.times.right(now) - now
        if missing < WORTH_MS or not self.trusted() or any(map(_is_played, self._engine.states.values())):
            return True
        note = self._notes.get(f"time {self._since}")
        if not isinstance(note, TimeTrusted):
            return True
        if not self._write(TimeTrusted(since=now + missing, offset_ms=0, source=note.source)):
            return False
        self._place.move_on(now + missing)
        self._trust.trust()
        _log.warning("the time is set forward by %d ms", missing)
        return True

    def _write(self, note: Note) -> bool:
        order = Order(uuid7(self._place.now_ms(), os.urandom(10)), self._stream, note)
        [told] = self._engine.execute([order], leaves=True)
        return told.answer.ok


def _is_played(state: object) -> bool:
    return isinstance(state, Ledger) and state.round is not None and state.round.phase is Phase.RUNNING


def league_word(roster: Roster) -> int:
    """When the league wrote its latest allowance (UTC ms), 0: never."""
    return max((token.given for token in roster.allowances.values()), default=0)
