"""A kiosk's engine thread: its copy of the evening, its link to the director, and what taps mean here.

Everything comes through one queue: messages of the link, events of the readers, commands of the program. What the
screen needs is handed to the main thread as one frozen `Snapshot`; the main thread is only woken.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from appliance import VERSION, kinds, outside, tablekeys, taps
from appliance.admission import Admission
from appliance.cards.outcome import Refusal as CardRefusal
from appliance.cards.outcome import Refused
from appliance.cards.pin import Pins
from appliance.cardwork import CardWork, SealedKeys
from appliance.direction import Direction
from appliance.display import prompt as show
from appliance.display.prompt import Prompt
from appliance.display.scene import OpenMenu
from appliance.doorslips import DoorSlips
from appliance.engine import Engine
from appliance.floor.said import Text
from appliance.floorbell import FloorBell
from appliance.floorwords import latest
from appliance.floorwork import DONE_S, FloorWork
from appliance.game.command import Command
from appliance.game.refusal import Refusal
from appliance.game.roster import Roster
from appliance.game.state import Round
from appliance.gathering import take_copy
from appliance.hw.panel import Button, ButtonPressed, Dark, Indicator, PanelChanged, Signal, Turned
from appliance.hw.ports import CardPresented, CardRemoved, CardUnreadable, Reader, ReaderOffline, ReaderOnline
from appliance.hw.printer_ports import Printer, PrinterChanged, SlipPrinted
from appliance.journal import Journal
from appliance.knowing import Knowing
from appliance.link.envelope import Ack, DirectorNotice, PadKeys, Phones, Reply
from appliance.link.lan import KioskLink
from appliance.link.role import waiting
from appliance.lone import Decider
from appliance.pad import Pad, key_of
from appliance.padtelling import PadSeen, PadTelling
from appliance.phonebook import Phonebook
from appliance.phonerights import may_press
from appliance.pinwork import PinWork
from appliance.post import Post
from appliance.power import power
from appliance.readerwatch import ReaderWatch
from appliance.road import Road, road
from appliance.snapshot import Asked, Key
from appliance.tableplace import TablePlace
from appliance.tablework import TableWork
from appliance.tapwork import PROMPT_S, TapWork
from appliance.timenotes import times_of
from appliance.workplace import Workplace, endpoint

ASK_TTL_MS = 5_000
"""How long a command of the door may wait for the director: longer than a restart of the broker takes."""

ONE_MOMENT_S = 0.15
"""Answers mostly come sooner. Only who waits longer is told so: a frame painted now would hold up the answer's."""


class Station(Knowing):
    """Runs until `stop`; if it dies the program must end (``failure`` says why). ``wake`` stirs the main thread."""

    def __init__(self, place: Workplace, wake: Callable[[], None] = lambda: None) -> None:
        super().__init__(place, wake)
        self._wake = wake
        device = place.config.device
        self.cards = CardWork(
            SealedKeys(place.config.card_keys, place.data, device.name, self.now_ms), place.config.card_counters
        )
        self.taps = TapWork(self, PinWork(Pins(kept=self.cards)))
        self.menu = FloorWork(self)
        self._post = Post(device.name, lambda message: self._link.command(message), self.now_ms)
        self._readers = ReaderWatch()
        self._indicator: Indicator = Dark()
        self._slips = DoorSlips(None, place.config, place.data)
        self._bell = FloorBell(device.name, self._table, self.note, self.now_ms)
        self._one_moment: tuple[float, Prompt] | None = None
        self._shown = self.snapshot
        self._tablework: TableWork | None = None
        self.lone = Decider(device.name, self._post.for_venue, self._post.fresh_id, lambda: self._venue_notes)
        self.admission = Admission(self._post.for_venue, lambda: self._venue_notes, self.menu.changed, self.stop)
        self.phonebook = Phonebook(device.name, self._post.for_venue, self.menu.changed)
        self._padtelling = PadTelling(self._table or 0, lambda shown: self._link.show_pad(shown))
        self.direction = Direction(
            place, self.now_ms, self._show, self._take_over_copy, lambda: self._link.present, lambda: self._venue_notes,
            revoked=lambda: self.snapshot.revoked, shut_out=lambda: self.snapshot.shut_out,
        )  # fmt: skip

    def equip(
        self, readers: Sequence[Reader] = (), indicator: Indicator | None = None, printer: Printer | None = None
    ) -> None:
        """What stands here, before the start; their events go into the inbox."""
        self._readers = ReaderWatch(readers)
        self._indicator = indicator or self._indicator
        self._slips = DoorSlips(printer, self._place.config, self._place.data)

    # -- for other threads -------------------------------------------------------------------------------

    def ask(self, command: Command, actor: str, told: Callable[[Reply], None], ttl_ms: int = ASK_TTL_MS) -> None:
        """Send a command to the director; ``told`` hears the answer once its events are in the own copy."""
        self.inbox.put(Asked(command, actor, ttl_ms, told))

    def press(self, key: str) -> None:
        """A key of the table's was touched (`appliance.pad.KEYS`)."""
        self.inbox.put(Key(key))

    def type(self, name: str) -> None:
        """A key of the keyboard was pressed."""
        self.inbox.put(Key(name, keyboard=True, seen=self.menu.glance.painted))

    def choose(self, keys: Iterable[str]) -> None:
        """Something of the floor menu's was touched: its keys (`appliance.floor.menu`)."""
        self.inbox.put(Key(" ".join(keys), menu=True, seen=self.menu.glance.painted))

    def painted(self, stamp: int) -> None:
        """The page of the floor menu with this stamp is on the glass; 0: none is."""
        self.menu.glance.painted = stamp

    # -- in the thread -----------------------------------------------------------------------------------

    def _work(self, journal: Journal) -> None:
        config = self._place.config
        outside.note(self._place.data, "", self.now_ms())  # what an earlier run saw may be over by now
        self._table_stream = "" if self._table is None else f"table/{config.venue.id}-{self._table}"
        self._engine = Engine(journal, kinds.KINDS, self.now_ms)
        self._seat = TablePlace(self._engine, self._table_stream, config.device.name)
        self._link: KioskLink = KioskLink(
            endpoint(config.broker), config.venue.id, config.device.name, journal, self._place.keyring, self.inbox,
            clock=self._place.time.now_ms,
            writes={self._table_stream} if self._table_stream else frozenset(),
            role=config.device.role, public_key=self._place.public, former=self._place.former,
            on_records=self._copied,
            on_forked=lambda head: self._engine.go_on_from(head, "forked"),
            on_reply=self._post.replied,
            on_one_copy=lambda reply: self._post.replied(reply, one_copy=True),
            on_director=self._director,
            on_told=self._told_of_table,
            on_spares=self.admission.heard,
            on_phones=self._phones,
            on_keys=self._keys_of_phone,
            alert=self._alert,
            software=VERSION,
            readers=self._readers.states,
            power=power,
        )  # fmt: skip
        self._be_the_table()
        self._bell.recall(self._venue_notes)
        self._stand_still(self._rounds)
        self._publish()
        self._slips.start(self._engine, self.now_ms())
        self._wake_if_changed()
        self._road: Road = road(self._place, self._link, self.inbox)
        self._road.start()
        try:
            while not self._stopping:
                self._step()
        finally:
            self._road.stop()
            self.cards.close()
            self._slips.stop()

    def _step(self) -> None:
        due = self._due
        for item in waiting(self.inbox, None if due is None else due - time.monotonic()):
            self._take(item)
            self._wake_if_changed()
        self._road.tick()
        self._padtelling.look(self._pad_seen, wanted=not self.phonebook.hindrance)
        self._show_shut_out()
        self._show_stopped()
        self._settle_offset(self._link.offset.ms)
        self._show_one_moment()
        if self._readers.beat():
            self._show_readers()
        self.phonebook.tick()
        self.menu.tick()
        self.direction.tick()
        if self._tablework is not None:
            self._tablework.tick()
        self._post.send_notes()
        self._wake_if_changed()

    @property
    def _due(self) -> float | None:
        dues = (
            self._road.due, self._one_moment[0] if self._one_moment else None, self._readers.due, self.menu.due,
            self.direction.due, self._tablework.due if self._tablework else None, self.phonebook.due,
            None if self.snapshot.stopped else self._stopped.due,
        )  # fmt: skip
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
            case None | CardRemoved() | PanelChanged():
                pass
            case CardPresented():
                self.taps.tap(self.cards.judge(item, self.snapshot.roster))
            case CardUnreadable():
                self.taps.tap(Refused(CardRefusal.UNREADABLE))
            case ReaderOnline(reader=name):
                self._reader_said(name, True)
            case ReaderOffline(reader=name, why=why):
                self._reader_said(name, False, why)
            case ButtonPressed():
                self._button(item)
            case Turned(steps=steps) if self.menu.is_open:
                self.menu.turned(steps)
            case Turned() if self.menu.has_just_left and not self.taps.asks_pin:
                pass
            case Turned(steps=steps):
                self.taps.turned(steps)
            case PrinterChanged() | SlipPrinted():
                self._slips.told(item)
                self._show(printer=self._slips.trouble)
            case Key():
                self._press(item)
            case Asked():
                self._send(item.command, item.actor, item.ttl_ms, item.told)
            case _:
                self._road.handle(item)

    # -- what taps need (`appliance.tapwork.Counter`) -----------------------------------------------------

    def ask_director(self, ask: taps.Ask, meanwhile: Prompt) -> None:
        """Send a tap's command; ``meanwhile`` is shown when the answer takes long."""
        self._post.command(ask.command, ask.actor, ASK_TTL_MS, partial(self.taps.answered, ask))
        self._one_moment = (time.monotonic() + ONE_MOMENT_S, meanwhile)

    def note(self, note: kinds.Note) -> None:
        """Have the director write a note into the venue's stream, once nobody waits for an answer."""
        self._post.note(note)

    def say(self, prompt: Prompt | None, seconds: float, expected: Prompt | None = None) -> None:
        """Show a prompt for so long, or none."""
        self._one_moment = None
        self._show(prompt=prompt, prompt_until=time.monotonic() + seconds, expected=expected)

    def signal(self, signal: Signal) -> None:
        """Tell the room by light and buzzer."""
        self._indicator.show(signal)

    def floor_is_here(self) -> None:
        """A commissioner stands at this table: its call is over."""
        self._bell.floor_is_here()
        self._show_calls()

    def seated(self, prompt: show.YourSeat) -> None:
        """Somebody was told their seat: the slip, where one is printed here."""
        self._slips.seat_told(prompt, self.snapshot.rounds, self.now_ms())

    def _show_one_moment(self) -> None:
        if self._one_moment is not None and time.monotonic() >= self._one_moment[0]:
            self.say(self._one_moment[1], PROMPT_S)

    def _send(self, command: Command, actor: str, ttl_ms: int, told: Callable[[Reply], None], number: str = "") -> None:
        def tell_and_show(reply: Reply, one_copy: bool) -> None:
            told(reply)
            self._show_table()
            self._show_calls()

        self._post.command(command, actor, ttl_ms, tell_and_show, number)

    # -- what the floor menu needs (`appliance.floorman.Floorman`) ---------------------------------------

    def command(self, number: str, command: Command, actor: str, told: Callable[[Reply], None]) -> None:
        """A command of the menu's, under its own number."""
        self._send(command, actor, ASK_TTL_MS, told, number)

    def ask_venue(self, note: kinds.Note, who: str, told: Callable[[Refusal | None], None]) -> None:
        """A note that a commissioner asks for: they hear whether it is written."""
        self._post.ask(note, who, ASK_TTL_MS, told)

    def fresh_id(self) -> str:
        """An id for a command."""
        return self._post.fresh_id()

    def show_menu(self, page: OpenMenu | None) -> None:
        """Put a page on the screen, or take the menu from it."""
        self._show(menu=page)

    def refused_seen(self, who: str) -> None:
        """A commissioner has seen them."""
        self._bell.refused.seen(self._venue_notes, who)
        self._show_calls()

    def done(self, what: Text) -> None:
        """A command of a menu that is closed was carried out: that interrupts nothing that is said to somebody."""
        if self._one_moment is None and time.monotonic() >= self.snapshot.prompt_until:
            self.say(show.Done(what), DONE_S)

    def refuse(self, refusal: Refusal) -> None:
        """A command of a menu that is closed was refused."""
        self.taps.tell(show.Refused(refusal.code, dict(refusal.detail)))

    # -- the table's own stream --------------------------------------------------------------------------

    def _told_of_table(self, ack: Ack) -> None:
        if self.snapshot.director:
            self._padtelling.again()  # who takes our records knows us
            self._seat.told(ack)
            self._be_the_table()

    def _be_the_table(self) -> None:
        """Begin to work as the table where its stream is here and ours; write no more where it is another device's."""
        if self._table is None:
            return
        if (elsewhere := self._seat.elsewhere) != self.snapshot.elsewhere:
            self._tablework = None
            self._show(elsewhere=elsewhere, pad=Pad(), keys=(), table=None)
        elif self._tablework is None and self._seat.take():
            self._tablework = TableWork(
                self._engine, self._table_stream, self._table, self._place.config.device.tracking == "actions",
                send=lambda number, command, ttl, told: self._send(command, tablekeys.ACTOR, ttl, told, number),
                fresh_id=self._post.fresh_id,
                complain=lambda refusal, who: self.taps.tell(show.Refused(refusal.code, dict(refusal.detail), who)),
                settled=self._say_no_longer, reachable=lambda: self.snapshot.director, now_ms=self.now_ms,
            )  # fmt: skip
            self._tablework.start(self._rounds)
            self._show_table()

    # -- the copy ----------------------------------------------------------------------------------------

    def _copied(self, stream: str, records: tuple[bytes, ...]) -> None:
        fresh = self._engine.catch_up(stream)
        self._stopped.copied(stream)
        if stream == self._table_stream:
            self._be_the_table()
        if self._tablework is not None:
            self._tablework.copied(stream, self._rounds)
        self._publish()
        self._slips.happened(fresh, self._rounds, self.now_ms())

    @property
    def _rounds(self) -> tuple[Round, ...]:
        """All rounds of the own copy, as this table goes on with them while nobody directs."""
        ledgers = (ledger for stream, ledger in self._engine.states.items() if stream.startswith("round/"))
        rounds = (ledger.round for ledger in ledgers if ledger.round is not None)
        return tuple(rounds if self._tablework is None else map(self._tablework.offline.round, rounds))

    def _publish(self) -> None:
        roster: Roster = self._engine.state(f"league/{self._place.config.venue.id}")
        if roster.policy is not self.snapshot.roster.policy:
            self.cards.follow(roster.policy)
        if roster.card_keys is not self.snapshot.roster.card_keys:
            self.cards.hear(roster.card_keys.get(self._place.config.device.name))
        self.admission.follow(self._place, roster)
        self._show(rounds=self._rounds, roster=roster, revoked=self._place.public in roster.revoked_keys)
        if (times := times_of(self._venue_notes)) != self.snapshot.times:
            self._show(times=times)
        self._show_table()
        self._bell.follow(self._round_here())
        self._show_calls()
        self.menu.changed()
        self._stand()

    # -- what stands here --------------------------------------------------------------------------------

    def _reader_said(self, name: str, works: bool, why: str = "") -> None:
        self._readers.told(name, works, why)
        self._show_readers()

    def _show_readers(self) -> None:
        works, missing = self._readers.works, self._readers.missing
        if (works, missing) != (self.snapshot.reader, self.snapshot.missing):
            self._show(reader=works, missing=missing)
        self._stand()

    def _stand(self) -> None:
        """What the light shows when nothing happens."""
        round = self._round_here()
        table = round.tables.get(self._table or 0) if round else None
        self._indicator.show(self._readers.signal(table is not None and table.time_call is not None))

    def _button(self, button: ButtonPressed) -> None:
        if not self.taps.asks_pin:
            if self.menu.button(button.name, button.held):
                return
            if self.menu.has_just_left and button.name is not Button.TIME:
                return
        match button.name:
            case Button.SELECT:
                self.taps.pushed(button.held)
            case Button.NEXT_HAND:
                self._press(Key("next"))
            case Button.TIME:
                self._bell.press("time", button.held)
            case Button.FLOOR:
                self._bell.press("floor", button.held)
        self._show_calls()

    # -- calls for the floor -----------------------------------------------------------------------------

    def _show_calls(self) -> None:
        notes = self._venue_notes
        if self._tablework is not None:
            self._bell.refused.tell(self._tablework.offline.offers, notes)
        told = self._bell.calls(notes), self._bell.refused.standing(notes), len(self.lone.open()), latest(notes)
        if told != (self.snapshot.calls, self.snapshot.refused, self.snapshot.lone, self.snapshot.word):
            self._show(calls=told[0], refused=told[1], lone=told[2], word=told[3])

    # -- the dealer's keys -------------------------------------------------------------------------------

    def _press(self, key: Key) -> None:
        if self.taps.asks_pin:
            self.taps.key(key.name)
            return
        if self.menu.is_open or key.menu:
            self.menu.press(key)
            return
        if key.keyboard and self.menu.has_just_left:
            return
        if (work := self._tablework) is None:
            return
        name = key_of(work.pad, key.name) if key.keyboard else key.name
        if name is not None:
            work.press(name, self._round_here())
            self._show_table()

    def _phones(self, told: Phones) -> None:
        self.phonebook.heard(told)
        self._padtelling.again()

    def _keys_of_phone(self, asked: PadKeys) -> None:
        """A phone presses keys here: by the same way as the keyboard's, whatever the screen shows."""
        phone = self._phone(asked.phone)

        def press(key: str) -> PadSeen | None:
            if (work := self._tablework) is not None:
                work.press(key, self._round_here(), phone)
                self._show_table()
            return self._pad_seen

        if asked.table == self._table:
            may = phone is not None and may_press(phone, asked.table)
            self._padtelling.press(asked, self._pad_seen, press if may else None)

    @property
    def _pad_seen(self) -> PadSeen | None:
        if self._tablework is None:
            return None
        head = self._engine.journal.newest(self._table_stream)
        return PadSeen(self.snapshot.pad, self.snapshot.keys, head, self._round_here())

    def _show_table(self) -> None:
        if (work := self._tablework) is None:
            return
        rounds, kept = self._rounds, work.kept
        if kept != self.snapshot.kept or any(a is not b for a, b in zip(rounds, self.snapshot.rounds, strict=False)):
            self._show(rounds=rounds, kept=kept)
        table, keys = work.hands if work.tracks else None, work.keys(self._round_here())
        if (table, work.pad, keys) != (self.snapshot.table, self.snapshot.pad, self.snapshot.keys):
            self._show(table=table, pad=work.pad, keys=keys)

    def _say_no_longer(self, code: str) -> None:
        """What the screen says was refused is not so any more."""
        prompt = self.snapshot.prompt
        if isinstance(prompt, show.Refused) and prompt.code == code:
            self.say(None, 0)

    def _take_over_copy(self) -> None:
        """The director of this device was followed: what it alone had is this kiosk's to hand over."""
        for stream in take_copy(self._engine.journal, self.direction.own_journal, self._place.config.venue.id):
            self._engine.catch_up(stream)
        self._link.greet()
        self._publish()

    def _director(self, notice: DirectorNotice | None) -> None:
        self.direction.told(notice)
        self.phonebook.lost()
        if self._tablework is not None:
            self._tablework.reached()
            self._show_table()
        self.menu.changed()

    def _show_shut_out(self) -> None:
        """Whether somebody directs who does not let this device in."""
        if (by := self._road.shut_out) != self.snapshot.shut_out:
            outside.note(self._place.data, by, self.now_ms())
            self._show(shut_out=by)
            self.menu.changed()
