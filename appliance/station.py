"""A kiosk's engine thread: its copy of the evening, its link to the director, and what taps mean here.

Everything comes through one queue: messages of the link, events of the readers, commands of the program. What the
screen needs is handed to the main thread as one frozen `Snapshot`; the main thread is only woken.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from appliance import evening, kinds, tablekeys, taps
from appliance.cards.reading import PlainRead
from appliance.cards.verdict import Refusal as CardRefusal
from appliance.cards.verdict import Refused, Verdict, verdict
from appliance.display import prompt as show
from appliance.display.prompt import Prompt
from appliance.engine import Engine
from appliance.game.command import (
    Command,
)
from appliance.game.commands import (
    encode_command,
)
from appliance.game.roster import Roster
from appliance.game.state import Phase, Round
from appliance.game.tablestream.state import TableHands
from appliance.hw.ports import CardPresented, CardRemoved, CardUnreadable, ReaderOffline, ReaderOnline
from appliance.journal import Journal
from appliance.link.envelope import CommandMessage, DirectorNotice, Reply
from appliance.link.lan import NO_ANSWER, KioskLink
from appliance.link.role import waiting
from appliance.pad import Pad, key_of
from appliance.record import uuid7
from appliance.tablework import TableWork
from appliance.worker import Worker, tell, tell_connection
from appliance.workplace import Workplace, endpoint

ASK_TTL_MS = 5_000
"""How long a command of the door may wait for the director: longer than a restart of the broker takes."""

NOTE_TTL_MS = 600_000
PROMPT_S = 8.0
"""How long an answer stays on the screen."""
ONE_MOMENT_S = 0.15
"""Answers mostly come sooner. Only who waits longer is told so: a frame painted now would hold up the answer's."""

_log = logging.getLogger(__name__)


class Snapshot(NamedTuple):
    """What the screen is drawn from. ``expected`` is what will follow the prompt if nobody objects.

    ``offset_ms`` leads from this device's time to the director's. ``table``: the table's hands, where every action is
    tracked; ``pad`` and ``keys``: what the dealer typed, and which keys make sense now.
    """

    rounds: tuple[Round, ...] = ()
    roster: Roster = Roster()
    prompt: Prompt | None = None
    prompt_until: float = 0.0
    expected: Prompt | None = None
    director: bool = False
    director_lost_at: int | None = None
    reader: bool = True
    offset_ms: int = 0
    table: TableHands | None = None
    pad: Pad = Pad()
    keys: tuple[str, ...] = ()


class Key(NamedTuple):
    """A key of the dealer's: by its own name, or by that of the keyboard's key, whose meaning may change."""

    name: str
    keyboard: bool = False


class Asked(NamedTuple):
    """A command of this program, and whom to tell its answer (in the engine thread)."""

    command: Command
    actor: str
    ttl_ms: int
    told: Callable[[Reply], None]


class Station(Worker):
    """Runs until `stop`; if it dies the program must end (``failure`` says why). ``wake`` stirs the main thread."""

    def __init__(self, place: Workplace, wake: Callable[[], None] = lambda: None) -> None:
        super().__init__(place, wake)
        self.snapshot = Snapshot()
        self._wake = wake
        device = place.config.device
        self._table = device.table if device.role == "table" else None
        self._waiting: taps.Waiting | None = None
        self._asked: dict[str, Asked | taps.Ask] = {}
        self._one_moment: tuple[float, Prompt] | None = None
        self._shown = self.snapshot
        self._tablework: TableWork | None = None

    # -- for other threads -------------------------------------------------------------------------------

    def ask(self, command: Command, actor: str, told: Callable[[Reply], None], ttl_ms: int = ASK_TTL_MS) -> None:
        """Send a command to the director; ``told`` hears the answer once its events are in the own copy."""
        self.inbox.put(Asked(command, actor, ttl_ms, told))

    def press(self, key: str) -> None:
        """A key of the table's was touched (`appliance.pad.KEYS`)."""
        self.inbox.put(Key(key))

    def type(self, name: str) -> None:
        """A key of the keyboard was pressed."""
        self.inbox.put(Key(name, keyboard=True))

    def now_ms(self) -> int:
        """The director's time, as far as it is known."""
        return self._place.time.now_ms() + self.snapshot.offset_ms

    # -- in the thread -----------------------------------------------------------------------------------

    def _work(self, journal: Journal) -> None:
        config = self._place.config
        self._table_stream = "" if self._table is None else f"table/{config.venue.id}-{self._table}"
        self._engine = Engine(journal, kinds.KINDS, self._place.time.now_ms)
        if self._table_stream:
            self._engine.own_epoch(self._table_stream, "start", dated=True)
        self._link = KioskLink(
            endpoint(config.broker),
            config.venue.id,
            config.device.name,
            journal,
            self._place.keyring,
            self.inbox,
            clock=self._place.time.now_ms,
            writes={self._table_stream} if self._table_stream else frozenset(),
            role=config.device.role,
            public_key=self._place.public,
            on_records=self._copied,
            on_reply=self._replied,
            on_one_copy=self._replied_from_one_disk,
            on_director=self._director,
            alert=tell,
        )
        if self._table is not None:
            self._tablework = TableWork(
                self._engine,
                self._table_stream,
                self._table,
                config.device.tracking == "actions",
                send=self._send_for_table,
                fresh_id=self._fresh_id,
                complain=lambda refusal, who: self._tell(show.Refused(refusal.code, dict(refusal.detail), who)),
            )
            self._tablework.start(self._rounds)
        self._publish()
        self._wake_if_changed()
        self._link.client.start()
        try:
            while not self._stopping:
                self._step()
        finally:
            self._link.client.stop()

    def _step(self) -> None:
        due = self._due
        for item in waiting(self.inbox, None if due is None else due - time.monotonic()):
            self._take(item)
            self._wake_if_changed()
        self._link.tick()
        self._settle_offset()
        self._show_one_moment()
        self._wake_if_changed()

    @property
    def _due(self) -> float | None:
        dues = (self._link.due, self._one_moment[0] if self._one_moment else None)
        return min((due for due in dues if due is not None), default=None)

    def _wake_if_changed(self) -> None:
        """Stir the main thread once for all that an item has led to, so that nothing half new is painted.

        While an answer is on its way, what its records change is painted with it.
        """
        if self._shown is not self.snapshot and self._one_moment is None:
            self._shown = self.snapshot
            self._wake()

    def _take(self, item: Any) -> None:
        match item:
            case None | CardRemoved():
                pass
            case CardPresented(uid=uid):
                self._tap(verdict(PlainRead(uid), self.snapshot.roster))
            case CardUnreadable():
                self._tap(Refused(CardRefusal.UNREADABLE))
            case ReaderOnline():
                self._show(reader=True)
            case ReaderOffline():
                self._show(reader=False)
            case Key():
                self._press(item)
            case Asked():
                self._send(item.command, item.actor, item.ttl_ms, item)
            case _:
                tell_connection(item)
                self._link.handle(item)

    # -- taps --------------------------------------------------------------------------------------------

    def _tap(self, card: Verdict) -> None:
        if isinstance(card, Refused) and card.code is CardRefusal.UNKNOWN and not self.snapshot.roster.entries:
            self._tell(show.NoAnswer())  # the league's word is not here yet: no fault of the card, and no note of it
            return
        now = taps.Now(self.now_ms(), time.monotonic_ns() // 1_000_000)
        outcome = taps.tap(card, self.snapshot.rounds, self._waiting, now, self._table)
        self._waiting = outcome.waiting
        if outcome.ask is not None:
            self._send(outcome.ask.command, outcome.ask.actor, ASK_TTL_MS, outcome.ask)
            self._one_moment = (time.monotonic() + ONE_MOMENT_S, outcome.prompt)
            return
        if outcome.waiting is not None:
            self._prompt(outcome.prompt, taps.IDENTITY_CHECK_MS / 1000, self._expected(outcome.waiting))
        else:
            self._prompt(outcome.prompt, PROMPT_S)
        if outcome.refused is not None:
            self._note_refused(outcome.refused)

    def _show_one_moment(self) -> None:
        if self._one_moment is not None and time.monotonic() >= self._one_moment[0]:
            self._prompt(self._one_moment[1], PROMPT_S)

    def _note_refused(self, card: Refused) -> None:
        """Tell the director of a refused card; it stands in the venue's stream (LG-6)."""
        note = kinds.CardRefused(
            device=self._place.config.device.name, reason=card.code.value, uid=card.uid, participant=card.participant
        )
        self._command("venue", "kiosk", NOTE_TTL_MS, msgspec.json.encode(note))

    def _send(self, command: Command, actor: str, ttl_ms: int, asked: Asked | taps.Ask) -> None:
        self._asked[self._command(command.round, actor, ttl_ms, encode_command(command))] = asked

    def _command(self, round: str, actor: str, ttl_ms: int, body: bytes, number: str = "") -> str:
        number = number or self._fresh_id()
        device = self._place.config.device.name
        self._link.command(CommandMessage(number, device, actor, round, ttl_ms, msgspec.Raw(body)))
        return number

    def _fresh_id(self) -> str:
        return uuid7(self.now_ms(), os.urandom(10))

    def _replied(self, reply: Reply) -> None:
        asked = self._asked.pop(reply.id, None)
        if isinstance(asked, Asked):
            asked.told(reply)
            self._show_table()
        elif asked is not None:
            self._tell(self._answer(asked, reply))

    def _replied_from_one_disk(self, reply: Reply) -> None:
        """Accepted, and so far only the director's disk says so (DESIGN §3)."""
        asked = self._asked.pop(reply.id, None)
        if isinstance(asked, Asked):
            asked.told(reply)
            self._show_table()
        elif asked is not None and (round := self._round(asked.command.round)):
            self._tell(_registered(asked.participant, round, one_copy=True))

    def _expected(self, waiting: taps.Waiting) -> Prompt | None:
        """What will be said if nobody objects, so that it can be made ready; after the start it depends on the draw."""
        round = self._round(waiting.round)
        if round is None or round.phase is not Phase.OPEN:
            return None
        return _registered(waiting.participant, round)

    def _tell(self, answer: Prompt) -> None:
        """Show an answer that has come; the commissioner's card confirms nobody whom the screen does not show.

        If the next one waits there already, good news gives way to them; bad news does not, and they must tap again.
        """
        if self._waiting is not None and isinstance(answer, show.Registered | show.YourSeat):
            return
        self._waiting = None
        self._prompt(answer, PROMPT_S)

    def _round(self, number: str) -> Round | None:
        return next((round for round in self.snapshot.rounds if round.id == number), None)

    def _answer(self, asked: taps.Ask, reply: Reply) -> Prompt:
        """The words for the one who waits; what was registered is read from the own copy."""
        if not reply.ok:
            code = reply.refusal.code if reply.refusal else NO_ANSWER
            if code == NO_ANSWER:
                return show.NoAnswer(asked.participant)
            detail = msgspec.json.decode(reply.refusal.detail) if reply.refusal else {}
            return show.Refused(code, detail, asked.participant)
        round = self._round(asked.command.round)
        player = round.players.get(asked.participant) if round else None
        if player is None:
            return show.NoAnswer(asked.participant)
        if player.seat is not None:
            return show.YourSeat(asked.participant, *player.seat)
        return show.Registered(asked.participant, player.deposit, player.chips)

    # -- the copy ----------------------------------------------------------------------------------------

    def _copied(self, stream: str, records: tuple[bytes, ...]) -> None:
        self._engine.catch_up(stream)
        if self._tablework is not None and stream.startswith("round/"):
            self._tablework.round_changed(self._engine.state(stream).round)
        self._publish()

    @property
    def _rounds(self) -> tuple[Round, ...]:
        """All rounds of the own copy."""
        ledgers = (ledger for stream, ledger in self._engine.states.items() if stream.startswith("round/"))
        return tuple(ledger.round for ledger in ledgers if ledger.round is not None)

    def _publish(self) -> None:
        self._show(rounds=self._rounds, roster=self._engine.state(f"league/{self._place.config.venue.id}"))
        self._show_table()

    # -- the dealer's keys -------------------------------------------------------------------------------

    def _press(self, key: Key) -> None:
        if (work := self._tablework) is None:
            return
        name = key_of(work.pad, key.name) if key.keyboard else key.name
        if name is not None:
            work.press(name, self._round_here())
            self._show_table()

    def _round_here(self) -> Round | None:
        return evening.on_screen(self.snapshot.rounds, self.now_ms(), self._table)

    def _show_table(self) -> None:
        if (work := self._tablework) is None:
            return
        table, keys = work.hands if work.tracks else None, work.keys(self._round_here())
        if (table, work.pad, keys) != (self.snapshot.table, self.snapshot.pad, self.snapshot.keys):
            self._show(table=table, pad=work.pad, keys=keys)

    def _send_for_table(self, number: str, command: Command, ttl_ms: int, told: Callable[[Reply], None]) -> None:
        self._asked[number] = Asked(command, tablekeys.ACTOR, ttl_ms, told)
        self._command(command.round, tablekeys.ACTOR, ttl_ms, encode_command(command), number)

    def _director(self, notice: DirectorNotice | None) -> None:
        lost_at = None if notice else self.now_ms()
        self._show(director=notice is not None, director_lost_at=lost_at)

    def _settle_offset(self) -> None:
        offset = self._link.offset.ms
        if offset is not None and round(offset) != self.snapshot.offset_ms:
            self._show(offset_ms=round(offset))

    def _prompt(self, prompt: Prompt, seconds: float, expected: Prompt | None = None) -> None:
        self._one_moment = None
        self._show(prompt=prompt, prompt_until=time.monotonic() + seconds, expected=expected)

    def _show(self, **changes: Any) -> None:
        self.snapshot = self.snapshot._replace(**changes)


def _registered(participant: str, round: Round, *, one_copy: bool = False) -> show.Registered:
    chips = round.deposit * round.rules.chips_per_crown
    return show.Registered(participant, round.deposit, chips, one_copy=one_copy)
