"""The director's engine thread: the one writer of a venue's rounds.

Everything comes through one queue: messages of the link, and the wish to stop. What came together is decided
together and shares one commit; answers go out after it, records right behind them.

It has up to three parts: *gathering*, where it takes over from another one (`appliance.gathering`); serving; and, once
another one has followed it, nothing but handing over what it alone has (`appliance.fencing`).
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Mapping, Sequence

from appliance import fencing, gathering, intake, kinds
from appliance.adoption_desk import Known
from appliance.beginning import beginning
from appliance.console import desk as console
from appliance.console.desk import ConsoleDesk
from appliance.console.sighting import Around, Maker
from appliance.console.signedin import Records
from appliance.console.way import Way, turned_away
from appliance.duties import Duties, know_the_time
from appliance.engine import STORAGE, Engine, Order, opener
from appliance.fencing import FENCED, Fenced
from appliance.game.refusal import Refusal as Ruled
from appliance.game.righttime import Times
from appliance.game.roster import Roster
from appliance.game.state import Ledger
from appliance.game.tablestream.fold import INITIAL_TABLE
from appliance.gathering import SIMPLY, Gathering, Taking
from appliance.journal import Journal, JournalError
from appliance.link.envelope import CommandMessage, DirectorNotice, Hello, Refusal, Reply
from appliance.link.interfaces import own_addresses
from appliance.link.lan import DirectorLink
from appliance.link.mosquitto import VenueBroker, venue_broker
from appliance.link.notices import signed_notice
from appliance.link.rights import UPLINK
from appliance.link.role import waiting
from appliance.link.sighting import Sighting
from appliance.lone import Lister, standing
from appliance.newcomers import Floor, Newcomers
from appliance.outlook import outlook_of
from appliance.phone import Phone
from appliance.record import Epoch, Head
from appliance.worker import Worker, tell, tell_connection
from appliance.workplace import Workplace, director_endpoint

HEARTBEAT_S = 10.0
"""How often the time is noted outside the journal; after a power cut the clock is set back to the last note."""

_log = logging.getLogger(__name__)


class Conductor(Worker):
    """Runs until `stop`, or until another director has followed (``deposed``); if it dies the program must end
    (``failure`` says why). ``taking``: whether a commissioner has this device take over. ``way``: to the phones, where
    there is a console for them.
    """

    def __init__(
        self,
        place: Workplace,
        ended: Callable[[], None] = lambda: None,
        taking: Taking = SIMPLY,
        way: Way | None = None,
    ) -> None:
        super().__init__(place, ended)
        self._way = way
        if way is not None:
            way.open(self.inbox)
        self.deposed: Fenced | None = None
        self._taking = taking
        self._gathering: Gathering | None = None
        self._broker: VenueBroker | None = None
        self._waiting: list[tuple[CommandMessage, Order]] = []
        self._beat_at = 0.0
        self._tables: dict[int, str] = {}
        self._listening: Gathering | None = None
        self._newcomers = Newcomers(place, None, self.inbox)

    # -- in the thread -----------------------------------------------------------------------------------

    def _work(self, journal: Journal) -> None:
        config, taking = self._place.config, self._taking
        self._venue = config.venue.id
        if taking.copy is not None and taking.copy.exists():
            gathering.take_copy(journal, taking.copy, self._venue)
        know_the_time(self._place, journal)
        self._broker = venue_broker(self._place)  # before anybody is looked for: that takes what it takes
        self._engine = Engine(journal, {**kinds.KINDS, "round": kinds.RoundKind(times=self._times)}, self._place.now_ms)
        self._duties = Duties(self._place, self._engine)
        self._lister = Lister(self._engine, self._venue, self._place.now_ms)
        for stream in journal.streams():
            self._know_table(stream)
        self._know_members()
        begun = beginning(self._place, self._engine, self._taking)
        self.deposed, self._above = begun.deposed, begun.above
        if begun.gathers:
            if taking.copy is None:
                self._duties.follows_unprepared()
            others = self._others()
            self._gathering = Gathering(others, time.monotonic(), taking.expected if taking.copy else others)
        if self.deposed is None:
            self._direct(journal, begun.epoch)
        if self.deposed is not None:
            self._make_way(journal, self.deposed)

    def finish(self, program: str) -> int:
        """As of every worker; 3 once another director has followed."""
        status = super().finish(program)
        return FENCED if status == 0 and self.deposed is not None else status

    def _direct(self, journal: Journal, epoch: str) -> None:
        listens = self._gathering is None and self._duties.rebooted
        if self._gathering is None and not listens:
            self._duties.settle()
            self._duties.forget_old_answers()
        if self._broker is not None:
            self._broker.start()
        notice = self._notice(epoch, gathering=self._gathering is not None)
        self._link = DirectorLink(
            director_endpoint(self._place.config, self._place.data),
            notice,
            journal,
            self._place.keyring,
            self.inbox,
            clock=self._place.now_ms,
            on_command=self._command,
            on_records=lambda stream, records: self._copied(stream),
            on_hello=self._heard,
            former=self._place.former,
            on_fenced=lambda notice: self._fenced(Fenced(notice.epoch, notice.device)),
            on_later=lambda head: self._fenced(Fenced(head.epoch, "")),
            on_forked=self._forked,
            on_lost=self._lost,
            on_caught_up=lambda device: self._list_lone(),
            on_pad=lambda device, shown: self._desk.pad(device, shown),
            alert=tell,
        )
        self._desk = self._open_to_phones()
        self._link.client.start()
        self._open_to_newcomers(notice)
        self._outlook = outlook_of(self._place, self.inbox, self._later)
        self._outlook.show(notice)
        try:
            if self._gathering is not None:
                self._gather(journal, self._gathering)
            elif listens:
                self._listen(journal)
            if self._goes_on:
                _log.info("directing %s, %d rounds known", self._venue, len(self._ledgers()))
            while self._goes_on:
                self._step()
        finally:
            self._desk.close(self.inbox)
            self._newcomers.stop()
            self._outlook.stop()
            self._link.client.stop(silently=self.deposed is not None)
            if self._broker is not None:
                self._broker.stop()

    @property
    def _goes_on(self) -> bool:
        return not self._stopping and self.deposed is None

    def _notice(self, epoch: str, *, gathering: bool = False) -> DirectorNotice:
        config = self._place.config
        return signed_notice(
            self._venue, config.device.name, epoch, self._place.key, gathering=gathering, newcomers=config.lan.newcomers
        )

    def _step(self) -> None:
        """Take what has come, carry it out in one commit, let it go out."""
        dues = (self._link.due, self._newcomers.due, self._desk.due, self._beat_at)
        self._take(min(due for due in dues if due is not None))
        if self.deposed is not None:  # what is not on the disk yet is the next director's to answer
            return
        self._carry_out()
        self._duties.carried_out()
        self._newcomers.tick()
        self._link.tick()
        self._desk.tick()
        if time.monotonic() >= self._beat_at:
            self._beat_at = time.monotonic() + HEARTBEAT_S
            self._duties.beat()
            self._let_in()  # whom the disk would not write down

    def _take(self, due: float) -> None:
        for event in waiting(self.inbox, due - time.monotonic()):
            if event is not None and not any(
                each.takes(event) for each in (self._outlook, self._newcomers, self._desk)
            ):
                tell_connection(event)
                self._link.handle(event)
            if self.deposed is not None:
                return

    def _command(self, message: CommandMessage, phone: Phone | None = None) -> None:
        """Put a command in the queue of this commit, or refuse it at once. ``phone``: the one that has signed it."""
        if self._newcomers.command(message, self._roster(), phone) or self._desk.command(message, phone):
            return
        order = self._order(message, phone)
        sees_all = not isinstance(order, Refusal) and (intake.takes_money(order) or intake.lets_in(order))
        if sees_all and self._waiting:
            self._carry_out()  # what was deposited in another round a moment ago counts (T-3)
            order = self._order(message, phone)
        if isinstance(order, Refusal):
            reply = Reply(message.id, ok=False, refusal=order)
            if isinstance(order, intake.Barred):
                reply = self._bar(message, order)
                self._duties.refused(order.round, order)
            self._reply(message.device, reply)
        else:
            self._waiting.append((message, order))

    def _reply(self, device: str, reply: Reply) -> None:
        """Tell whoever has asked: a phone, or a device."""
        if not self._desk.answer(device, reply):
            self._link.reply(device, reply)

    def _order(self, message: CommandMessage, phone: Phone | None) -> Order | Refusal:
        here = intake.Here(self._venue, self._place.members, self._roster(), self._ledgers(), self._tables)
        adopted = {note.device: note.key for note in kinds.adopted(self._notes())}
        here = here._replace(
            allowances=self._duties.tokens.allowances(), adopted=adopted, answered=self._engine.answered,
            lone={found.command: found for found in standing(self._notes())}, there=self._newcomers.tables_there,
            phone=phone,
        )  # fmt: skip
        return intake.order_of(message, here, self._place.now_ms())

    def _bar(self, message: CommandMessage, barred: intake.Barred) -> Reply:
        """Keep a refusal, in the words in which it is told again: a copy of the command that comes late is not to be
        carried out when the money would fit (T-3).
        """
        stream = f"venue/{self._venue}" if message.round == kinds.VENUE_NOTES else f"round/{message.round}"
        detail = json.loads(bytes(barred.detail))
        try:
            self._engine.refuse(message.id, stream, Ruled(barred.code, detail))
        except JournalError as error:
            _log.warning("the refusal of %s is not kept: %s", message.id, error)
        return Reply(message.id, False, stream, None, 0, intake.refusal(barred.code, **detail))

    def _times(self) -> Times:
        return self._duties.clock.times

    def _ledgers(self) -> dict[str, Ledger]:
        times, states = self._times(), self._engine.states
        ledgers = (kinds.timed(state, times) for name, state in states.items() if name.startswith("round/"))
        return {ledger.round.id: ledger for ledger in ledgers if ledger.round is not None}

    def _carry_out(self) -> None:
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        told = self._engine.execute([order for _, order in waiting], leaves=True)
        of_devices = [(order.first or order).command for _, order in waiting]
        if any(isinstance(command, kinds.DeviceAdopted | kinds.DeviceDropped) for command in of_devices):
            self._know_members()
        for each, outcome in zip(of_devices, told, strict=True):
            if isinstance(each, kinds.DeviceAdopted) and outcome.records:
                self._newcomers.starts(each)
        self._link.tick()  # the kiosk that asked waits for the records; of the answer it only wants to know that it is
        for (message, _), outcome in zip(waiting, told, strict=True):
            answer = outcome.answer
            if answer.ok and isinstance(outcome.order.command, kinds.TimeConfirmed) and outcome.records:
                self._duties.clock.confirmed(outcome.order.command)
            refusal = None if answer.ok else intake.refusal(answer.code, **answer.detail)
            if answer.code == STORAGE:
                self._desk.refused(outcome.order)
            reply = Reply(message.id, answer.ok, answer.stream, answer.epoch or None, answer.seq, refusal)
            self._reply(message.device, reply)

    def _copied(self, stream: str) -> None:
        """Others' records are here: fold them, and announce what the league offers."""
        self._engine.catch_up(stream)
        self._know_table(stream)
        if stream in (f"league/{self._venue}", f"venue/{self._venue}"):
            self._know_members()
        if stream.startswith("league/") and not (self._link.gathering or self._link.listening):
            self._duties.league_told()

    def _know_members(self) -> None:
        """Who belongs here by the streams' own word."""
        self._place.know(self._roster(), kinds.adopted(self._notes()), kinds.dropped(self._notes()))
        self._let_in()

    def _let_in(self) -> None:
        """Have the venue's own broker let in who belongs here."""
        if self._broker is not None:
            self._broker.update(self._place.members)
        adopted = frozenset(note.device for note in kinds.adopted(self._notes()))
        self._newcomers.know(Known(self._place.members, adopted, self._roster().revoked_keys))

    def _open_to_newcomers(self, notice: DirectorNotice) -> None:
        """Have devices that do not belong here yet ask, where the broker lets them."""
        endpoint = self._broker.newcomers if self._broker is not None else None
        floor = Floor(
            self._reply, lambda message, order: self._waiting.append((message, order)), self._link.show_spares,
            lambda: self._link.devices, lambda: self._tables, self._is_tracked, self._is_copied,
        )  # fmt: skip
        self._newcomers = Newcomers(self._place, endpoint, self.inbox, floor)
        self._newcomers.start(notice)
        self._let_in()

    def _open_to_phones(self) -> ConsoleDesk:
        """Have phones ask, where there are pages for them."""
        link, venue, address = self._link, self._venue, self._place.config.console.address
        around = Around(
            times=self._times, ledgers=self._ledgers, devices=lambda: link.devices,
            places=lambda: self._newcomers.tables_there(), spares=lambda: self._newcomers.shown, holders=link.holders,
            alone=lambda: not self._others(),
            carries=lambda: UPLINK in self._place.members, now_ms=self._place.now_ms,
        )  # fmt: skip
        floor = console.Floor(
            command=self._command, order=lambda message, order: self._waiting.append((message, order)),
            reply=self._reply, show=link.show_phones, press=link.press_keys, ready=lambda: link.ready, around=around,
            addresses=lambda: [address] if address else own_addresses(),
            records=Records(
                venue, lambda: self._place.members, self._roster, self._notes, self._engine.answered,
                self._place.now_ms,
            ),
        )  # fmt: skip
        return ConsoleDesk(self._way, floor, Maker(self._engine, venue, around))

    def _is_copied(self) -> bool:
        """Whether another device has all of the venue's stream, or none is there."""
        head = self._engine.journal.newest(f"venue/{self._venue}")
        return head is None or not self._link.devices or bool(self._link.holders(head.stream, head.epoch, head.seq))

    def _others(self) -> set[str]:
        """The devices that may answer a director that asks."""
        members = self._place.members
        return {name for name in members if members.may_direct(name)} - {self._place.config.device.name}

    def _notes(self) -> Mapping[str, kinds.Note]:
        notes: Mapping[str, kinds.Note] = self._engine.state(f"venue/{self._venue}")
        return notes

    def _know_table(self, stream: str) -> None:
        """Whose device a table is: that of the newest epoch of its stream (DESIGN §3)."""
        number = stream.removeprefix(f"table/{self._venue}-")
        if number != stream and number.isdecimal():
            self._tables[int(number)] = opener(self._engine.journal, stream)

    def _is_tracked(self, table: int | None) -> bool:
        """Whether of a table's hands every action is keyed in."""
        stream = f"table/{self._venue}-{table}"
        return stream in self._engine.states and self._engine.state(stream).hands.now != INITIAL_TABLE.now

    def _roster(self) -> Roster:
        roster: Roster = self._engine.state(f"league/{self._venue}")
        return roster

    # -- taking over, and being followed -----------------------------------------------------------------

    def _heard(self, hello: Hello) -> None:
        if (asking := self._gathering or self._listening) is not None:
            asking.hello(hello.device, time.monotonic(), hello.heads)
            self._duties.screen_shows(hello.device, hello.showing)
        self._newcomers.greet(hello.device)
        self._desk.greet(hello.device)

    def _hear_out(self, asking: Gathering) -> None:
        while self._goes_on and not asking.over(time.monotonic(), fetching := bool(self._link.lacking)):
            until = asking.until(fetching=fetching)
            self._take(min(until, self._link.due or until))
            self._link.tick()

    def _listen(self, journal: Journal) -> None:
        """Hear what devices have of our own streams before anything is written: the machine was off, and its card may
        be an older one. What is written before its tail is back parts the stream.
        """
        self._link.listening, self._listening = True, Gathering(self._others(), time.monotonic())
        self._hear_out(self._listening)
        self._link.listening, self._listening = False, None
        if self._goes_on:
            know_the_time(self._place, journal)
            self._duties.go_on_from_screens()
            self._duties.settle()
            self._duties.forget_old_answers()
            self._list_lone()

    def _gather(self, journal: Journal, asking: Gathering) -> None:
        """Ask for the longest copy, then open the next epochs and serve."""
        _log.info("taking over %s", self._venue)
        self._hear_out(asking)
        if not self._goes_on:
            return
        device = self._place.config.device.name
        know_the_time(self._place, journal)
        self._duties.go_on_from_screens()
        note = kinds.Takeover(
            by=self._taking.by, device=device, why=gathering.WHY, heard=tuple(asking.heard), unheard=asking.unheard,
            wish=self._taking.wish,
        )  # fmt: skip
        after, at = self._go_on_from(journal, asking), self._duties.stands_at or self._place.now_ms()
        for stream in gathering.open_epochs(journal, self._venue, note, at, self._above, after):
            self._engine.catch_up(stream)
        fencing.forget_former(self._place.data)
        self._know_members()  # it may go on from another epoch than the one that was the newest here
        self._gathering = None
        self._duties.settle()
        self._serve_anew()
        self._list_lone()

    def _go_on_from(self, journal: Journal, asking: Gathering) -> dict[str, Head]:
        """What streams go on from, where that is not what is newest here."""
        copy = self._taking.copy
        if copy is None or not copy.exists():
            return gathering.instead(journal, asking.named) if asking.heard else {}
        return gathering.instead(journal, asking.named | gathering.held(copy))

    def _list_lone(self) -> None:
        """What only an old director had is here by now: people have to decide of it."""
        if self._gathering is None and self._listening is None and self.deposed is None and self._lister.look():
            self._know_members()

    def _lost(self, records: Sequence[bytes]) -> None:
        """Devices have what this director has lost, and gone on from otherwise."""
        if self._lister.lost(records):
            self._know_members()

    def _serve_anew(self) -> None:
        """Tell all in which epoch of the venue's stream this device writes now."""
        notice = self._notice(self._engine.own_epoch(f"venue/{self._venue}", "start"))
        self._link.serve(notice)
        self._outlook.show(notice)
        self._newcomers.show(notice)
        self._link.tick()

    def _forked(self, head: Head) -> None:
        """Devices have other records of ours than this disk after ``head``: go on from there in a new epoch."""
        self._engine.go_on_from(head, "forked")
        if head.stream.startswith("venue/"):
            self._know_members()
            self._serve_anew()

    def _later(self, seen: Sighting) -> None:
        """A later director is elsewhere. Who is still about to follow another begins above that one's epoch."""
        if self._gathering is None:
            self._fenced(Fenced(seen.notice.epoch, seen.notice.device))
        else:
            self._above = max(self._above, Epoch.parse(seen.notice.epoch).n)

    def _fenced(self, by: Fenced) -> None:
        """Another director has followed: from here on nothing is written or answered."""
        _log.warning("%s directs in epoch %s: this one ends", by.device or "another device", by.epoch)
        self.deposed = by

    def _make_way(self, journal: Journal, by: Fenced) -> None:
        """Note it for good, and let the next director have what is here alone; a kiosk hands over by itself.

        Where the disk has no room for the note, the next start finds who directs as this one has.
        """
        _log.warning(
            "%s directs in epoch %s: what is here alone is handed over", by.device or "another device", by.epoch
        )
        try:
            fencing.put_fence(self._place.data, by)
        except OSError as error:
            _log.error("that this device directs no more is noted nowhere: %s", error)
        if self._taking.copy is None:
            fencing.hand_over(self._place, journal, self.inbox, lambda: self._stopping, turned_away)
