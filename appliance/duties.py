"""What a director does without being asked: it announces what the league offers, forgets old answers, and sees that a
clock does not run on through a power cut (DESIGN §5, §9). What the disk refuses is owed until the next beat.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from statistics import median_low

from appliance.counting import clock_runs, last_written
from appliance.engine import STORAGE, Engine, Order
from appliance.game.command import (
    Command,
)
from appliance.game.commands import (
    Cancel,
    Pause,
    Reschedule,
)
from appliance.game.roster import Roster, RoundChanged
from appliance.game.state import Ledger, Phase, Round
from appliance.game.values import time_text
from appliance.heartbeat import Heartbeat
from appliance.journal import Journal, JournalError
from appliance.link.envelope import Refusal
from appliance.note import Note
from appliance.record import uuid7
from appliance.timework import TimeWork
from appliance.tokenwork import TokenWork
from appliance.workplace import Workplace

ANSWERS_KEPT_MS = 24 * 3_600_000
"""How long after its last record an ended round's answers stay."""

LONGEST_CUT_MS = 3 * 3_600_000
"""A screen that has counted on for longer than this after the last note is believed no more."""

_NOT_BEGUN = (Phase.ANNOUNCED, Phase.OPEN, Phase.MOVED)

_log = logging.getLogger(__name__)


class Duties:
    """For the engine thread of a director that serves."""

    def __init__(self, place: Workplace, engine: Engine) -> None:
        self._place, self._engine = place, engine
        self._heart = Heartbeat(place.data)
        self.clock = TimeWork(place, engine)
        self.tokens = TokenWork(place, engine, self.clock)
        self._tokens_due = True
        self._shown: dict[str, int] = {}  # by device: its time less what is counted here
        self._lost = False
        self._owed: list[Callable[[], bool]] = [self._pause_after_power_cut, self._follow_league]

    def settle(self) -> None:
        """Do what is owed."""
        self._owed = [act for act in self._owed if not act()]
        if not self._owed:
            self.clock.look()
            self.clock.ask_league()

    @property
    def rebooted(self) -> bool:
        """Whether the machine was off since the time was noted: its card may have been put back meanwhile."""
        return self._cut is not None

    @property
    def stands_at(self) -> int | None:
        """Where clocks are to stand (UTC ms): how far a screen has counted, else the last that was noted; None: they go
        on."""
        cut = self._cut
        return None if cut is None else max(cut, self._screens_show() or cut)

    def screen_shows(self, device: str, at: int | None) -> None:
        """A device's screen has counted on to this time (UTC ms) while the machine was off. One that is behind what was
        noted here, or far ahead, is not believed."""
        if at is not None and self.rebooted:
            self._shown.setdefault(device, at - self._counted_ms())

    def go_on_from_screens(self) -> None:
        """Have the time go on as those screens show it: by their median, so that no single one decides among several.

        Raises OSError.
        """
        if (shows := self._screens_show()) is not None:
            self._place.move_on(shows)

    def beat(self) -> None:
        """Note the time, once the note of the last boot has served."""
        self.settle()
        self._move_tokens()
        if not self._owed:
            self._heart.note(self._place.now_ms())

    def follows_unprepared(self) -> None:
        """This device takes over, and nobody has handed it the evening's time (`Heartbeat.hand_on`): where it has noted
        none itself, it knows no more of it than screens tell."""
        self._lost = self._heart.last() is None

    def league_told(self) -> None:
        """The league's stream has grown: announce what it offers, cancel and move what it says (LG-2)."""
        if not self._follow_league():
            self._owed.append(self._follow_league)
        self._tokens_due = True
        roster: Roster = self._engine.state(f"league/{self._place.config.venue.id}")
        self.clock.league_told(roster.time_told)

    def refused(self, round: str, refusal: Refusal) -> None:
        """A command of a round was refused: for want of an allowance the league is asked for it (T-3)."""
        self._tokens_due |= self.tokens.refused(round, refusal)

    def carried_out(self) -> None:
        """No command waits for its commit now: only so all that was deposited is told with an allowance."""
        if self._tokens_due:
            self._move_tokens()

    def _move_tokens(self) -> None:
        """Give back the allowances whose time is up or that are wanted, ask for others; the next beat tries again."""
        self._tokens_due = False
        for note in self.tokens.notes():
            if not self._order_now(f"venue/{self._place.config.venue.id}", note):
                return

    def announced(self, stream: str) -> bool:
        """Whether a round's stream holds an announcement."""
        ledger: Ledger = self._engine.state(stream)
        return ledger.round is not None

    def forget_old_answers(self) -> None:
        """Answers are kept until the round has ended, and a night longer: somebody may still undo its last command."""
        journal = self._engine.journal
        for stream, ledger in self._engine.states.items():
            if not stream.startswith("round/") or not _ended(ledger.round):
                continue
            if journal.last_at(stream) < self._place.now_ms() - ANSWERS_KEPT_MS:
                try:
                    journal.forget_answers(stream)
                except JournalError as error:  # the next start will do
                    _log.warning("%s: %s", stream, error)

    # -- inside ------------------------------------------------------------------------------------------

    def _take_up_offers(self) -> bool:
        """Copy each announcement of the league into its round's stream, as the first record (DESIGN §3)."""
        venue = self._place.config.venue.id
        roster: Roster = self._engine.state(f"league/{venue}")
        offers = [offer for offer in roster.offers.values() if offer.venue == venue]
        new = [offer for offer in offers if not self.announced(f"round/{offer.round}")]
        return all(self._order_now(f"round/{offer.round}", offer) for offer in new)

    def _follow_league(self) -> bool:
        return self._take_up_offers() and self._carry_out_changes()

    def _carry_out_changes(self) -> bool:
        """Cancel or move rounds as the league says: each once, and none that has begun (LG-2)."""
        roster: Roster = self._engine.state(f"league/{self._place.config.venue.id}")
        return all(
            self._order_now(f"round/{change.round}", _command(change), change.id)
            for change in roster.changes.values()
            if self._is_due(change)
        )

    def _is_due(self, change: RoundChanged) -> bool:
        stream = f"round/{change.round}"
        round: Round | None = self._engine.state(stream).round
        if round is None or round.phase not in _NOT_BEGUN or self._engine.carried_out(stream, change.id):
            return False
        return change.do == "cancel" or change.starts_at not in (None, round.starts_at)

    def _order_now(self, stream: str, command: Command | Note, id: str | None = None) -> bool:
        """Carry out a command of our own; False if the disk would not have it."""
        order = Order(id or uuid7(self._place.now_ms(), os.urandom(10)), stream, command)
        [told] = self._engine.execute([order], leaves=True)
        if not told.answer.ok:
            _log.warning("%s: refused %s %s", stream, told.answer.code, told.answer.detail)
        return told.answer.code != STORAGE

    def _pause_after_power_cut(self) -> bool:
        """After a reboot, stop each running clock where a screen has counted it to, else where it stood at the last
        note (DESIGN §5)."""
        cut = self.stands_at
        if cut is None:
            return True
        running = [
            s for s, ledger in self._engine.states.items() if s.startswith("round/") and clock_runs(ledger.round)
        ]
        return all(self._pause_at(cut, stream) for stream in running)

    @property
    def _cut(self) -> int | None:
        """Until when the evening's time is known for certain (UTC ms), where it is not known on from there."""
        cut = 0 if self._lost else self._heart.cut(rebooted=self._place.rebooted)
        return None if cut is None else max(cut, last_written(self._engine.journal))

    def _screens_show(self) -> int | None:
        cut = self._cut or 0  # what devices have may have come after their word
        shown = [
            at for since in self._shown.values() if cut <= (at := since + self._counted_ms()) <= cut + LONGEST_CUT_MS
        ]
        return median_low(shown) if shown else None

    def _counted_ms(self) -> int:
        """Milliseconds since some moment of this boot; in a rehearsal as fast as the evening."""
        return self._place.time.mono() * self._place.time.anchor.rate // 1_000_000

    def _pause_at(self, at: int, stream: str) -> bool:
        pause = Pause(round=self._engine.state(stream).round.id)
        return self._engine.as_of(at, lambda: self._order_now(stream, pause))


def _command(change: RoundChanged) -> Command:
    if change.do == "cancel":
        return Cancel(round=change.round, reason=change.reason)
    return Reschedule(round=change.round, starts_at=time_text(change.starts_at or 0), reason=change.reason)


def know_the_time(place: Workplace, journal: Journal) -> None:
    """Be later than all that directors have written, whatever the wall clock came up with (DESIGN §9)."""
    last = Heartbeat(place.data).last()
    place.move_on(max(last_written(journal), last.at if last else 0) + 1)


def _ended(round: Round | None) -> bool:
    return round is not None and round.phase in (Phase.FINISHED, Phase.CANCELLED)
