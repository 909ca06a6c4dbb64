"""The director's engine thread: the one writer of a venue's rounds.

Everything comes through one queue: messages of the link, and the wish to stop. What came together is decided
together and shares one commit; answers go out after it, records right behind them.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from appliance import intake, kinds
from appliance.engine import STORAGE, Engine, Order, opener
from appliance.game.command import (
    Command,
)
from appliance.game.commands import (
    Pause,
)
from appliance.game.roster import Roster
from appliance.game.state import Ledger, Phase, Round
from appliance.journal import Journal, JournalError
from appliance.link.envelope import CommandMessage, Refusal, Reply
from appliance.link.lan import DirectorLink
from appliance.link.notices import signed_notice
from appliance.link.role import waiting
from appliance.record import uuid7
from appliance.timebase import boot_id
from appliance.worker import Worker, tell, tell_connection
from appliance.workplace import Workplace, endpoint

HEARTBEAT_S = 10.0
"""How often the time is noted outside the journal; after a power cut the clock is set back to the last note."""

ANSWERS_KEPT_MS = 24 * 3_600_000
"""How long after its last record an ended round's answers stay."""

_log = logging.getLogger(__name__)


class Heartbeat(msgspec.Struct, frozen=True):
    """The last time noted in this boot of the kernel."""

    boot: str
    at: int


class Conductor(Worker):
    """Runs until `stop`; if it dies the program must end (``failure`` says why)."""

    def __init__(self, place: Workplace, ended: Callable[[], None] = lambda: None) -> None:
        super().__init__(place, ended)
        self._waiting: list[tuple[CommandMessage, Order]] = []
        self._beat_at = 0.0
        self._tables: dict[int, str] = {}
        self._owed: list[Callable[[], bool]] = [self._pause_after_power_cut, self._take_up_offers]

    # -- in the thread -----------------------------------------------------------------------------------

    def _work(self, journal: Journal) -> None:
        config = self._place.config
        self._venue = config.venue.id
        self._know_the_time(journal)
        clock = self._place.time.now_ms
        self._engine = Engine(journal, kinds.KINDS, clock)
        epoch = self._engine.own_epoch(f"venue/{self._venue}", "start")
        for stream in journal.streams():
            self._know_table(stream)
        self._settle()
        self._forget_old_answers(journal)
        self._link = DirectorLink(
            endpoint(config.broker),
            signed_notice(self._venue, config.device.name, epoch, self._place.key),
            journal,
            self._place.keyring,
            self.inbox,
            clock=clock,
            on_command=self._command,
            on_records=lambda stream, records: self._copied(stream),
            alert=tell,
        )
        _log.info("directing %s, %d rounds known", self._venue, len(self._ledgers()))
        self._link.client.start()
        try:
            while not self._stopping:
                self._step()
        finally:
            self._link.client.stop()

    def _step(self) -> None:
        """Take what has come, carry it out in one commit, let it go out."""
        due = min(self._link.due or self._beat_at, self._beat_at)
        for event in waiting(self.inbox, due - time.monotonic()):
            if event is not None:
                tell_connection(event)
                self._link.handle(event)
        self._carry_out()
        self._link.tick()
        if time.monotonic() >= self._beat_at:
            self._beat()

    def _command(self, message: CommandMessage) -> None:
        """Put a command in the queue of this commit, or refuse it at once."""
        order = self._order(message)
        if not isinstance(order, Refusal) and intake.takes_money(order) and self._waiting:
            self._carry_out()  # what was deposited in another round a moment ago counts (T-3)
            order = self._order(message)
        if isinstance(order, Refusal):
            self._link.reply(message.device, Reply(message.id, ok=False, refusal=order))
        else:
            self._waiting.append((message, order))

    def _order(self, message: CommandMessage) -> Order | Refusal:
        devices = self._place.config.devices
        here = intake.Here(self._venue, devices, self._roster(), self._ledgers(), self._tables)
        return intake.order_of(message, here, self._place.time.now_ms())

    def _ledgers(self) -> dict[str, Ledger]:
        ledgers = (state for name, state in self._engine.states.items() if name.startswith("round/"))
        return {ledger.round.id: ledger for ledger in ledgers if ledger.round is not None}

    def announced(self, stream: str) -> bool:
        """Whether a round's stream holds an announcement."""
        ledger: Ledger = self._engine.state(stream)
        return ledger.round is not None

    def _carry_out(self) -> None:
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        told = self._engine.execute([order for _, order in waiting], leaves=True)
        self._link.tick()  # the kiosk that asked waits for the records; of the answer it only wants to know that it is
        for (message, _), outcome in zip(waiting, told, strict=True):
            answer = outcome.answer
            refusal = None if answer.ok else intake.refusal(answer.code, **answer.detail)
            reply = Reply(message.id, answer.ok, answer.stream, answer.epoch or None, answer.seq, refusal)
            self._link.reply(message.device, reply)

    def _copied(self, stream: str) -> None:
        """Others' records are here: fold them, and announce what the league offers."""
        self._engine.catch_up(stream)
        self._know_table(stream)
        if stream == f"league/{self._venue}" and not self._take_up_offers():
            self._owed.append(self._take_up_offers)

    def _know_table(self, stream: str) -> None:
        """Whose device a table is: that of the newest epoch of its stream (DESIGN §3)."""
        number = stream.removeprefix(f"table/{self._venue}-")
        if number != stream and number.isdecimal():
            self._tables[int(number)] = opener(self._engine.journal, stream)

    def _roster(self) -> Roster:
        roster: Roster = self._engine.state(f"league/{self._venue}")
        return roster

    # -- what nobody has to ask for ----------------------------------------------------------------------

    def _settle(self) -> None:
        """Do what is owed; what the disk refuses is owed until the next beat."""
        self._owed = [act for act in self._owed if not act()]

    def _take_up_offers(self) -> bool:
        """Copy each announcement of the league into its round's stream, as the first record (DESIGN §3)."""
        offers = [offer for offer in self._roster().offers.values() if offer.venue == self._venue]
        new = [offer for offer in offers if not self.announced(f"round/{offer.round}")]
        return all(self._order_now(f"round/{offer.round}", offer) for offer in new)

    def _order_now(self, stream: str, command: Command) -> bool:
        """Carry out a command of our own; False if the disk would not have it."""
        order = Order(uuid7(self._place.time.now_ms(), os.urandom(10)), stream, command)
        [told] = self._engine.execute([order], leaves=True)
        if not told.answer.ok:
            _log.warning("%s: refused %s %s", stream, told.answer.code, told.answer.detail)
        return told.answer.code != STORAGE

    def _forget_old_answers(self, journal: Journal) -> None:
        """Answers are kept until the round has ended, and a night longer: somebody may still undo its last command."""
        for stream, ledger in self._engine.states.items():
            if not stream.startswith("round/") or not _ended(ledger.round):
                continue
            if journal.last_at(stream) < self._place.time.now_ms() - ANSWERS_KEPT_MS:
                try:
                    journal.forget_answers(stream)
                except JournalError as error:  # the next start will do
                    _log.warning("%s: %s", stream, error)

    # -- the clock across a power cut --------------------------------------------------------------------

    @property
    def _heartbeat_file(self) -> Path:
        return self._place.data / "heartbeat.json"

    def _beat(self) -> None:
        """Note the time, once the note of the last boot has served. A disk that refuses costs seconds of a level."""
        self._beat_at = time.monotonic() + HEARTBEAT_S
        self._settle()
        if self._owed:
            return
        fresh = self._heartbeat_file.with_suffix(".new")
        try:
            fresh.write_bytes(msgspec.json.encode(Heartbeat(boot_id(), self._place.time.now_ms())))
            fresh.replace(self._heartbeat_file)
        except OSError as error:
            _log.warning("%s: %s", fresh, error)

    def _last_beat(self) -> Heartbeat | None:
        try:
            return msgspec.json.decode(self._heartbeat_file.read_bytes(), type=Heartbeat)
        except (OSError, msgspec.MsgspecError):
            return None

    def _know_the_time(self, journal: Journal) -> None:
        """Be no earlier than what was written here before, whatever the wall clock came up with (DESIGN §9)."""
        last = self._last_beat()
        written = [journal.last_at(stream) for stream in journal.streams() if not stream.startswith("league/")]
        self._place.move_on(max([*written, last.at if last else 0]))

    def _pause_after_power_cut(self) -> bool:
        """After a reboot, stop each running clock where it stood at the last note (DESIGN §5)."""
        last = self._last_beat()
        if last is None or last.boot == boot_id():
            return True
        running = [
            s for s, ledger in self._engine.states.items() if s.startswith("round/") and _clock_runs(ledger.round)
        ]
        return all(self._pause_at(last.at, stream) for stream in running)

    def _pause_at(self, at: int, stream: str) -> bool:
        pause = Pause(round=self._engine.state(stream).round.id)
        return self._engine.as_of(at, lambda: self._order_now(stream, pause))


def _ended(round: Round | None) -> bool:
    return round is not None and round.phase in (Phase.FINISHED, Phase.CANCELLED)


def _clock_runs(round: Round | None) -> bool:
    return round is not None and round.phase is Phase.RUNNING and round.clock is not None and round.clock.running
