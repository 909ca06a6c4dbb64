"""The console's side in the director's engine thread: phones come, ask, press keys and are cut off there.

    desk = ConsoleDesk(way, floor, maker)
    if desk.takes(event): ...               # what phones ask comes through the inbox
    if desk.command(message, phone): ...    # what kiosks, or a phone, ask about phones
    if desk.answer(device, reply): ...      # an answer that is a phone's
    desk.tick()                             # after each commit

Who is signed in follows from the venue's notes, the roster and the keys that are here, and is looked up anew each time:
whoever is cut off, or is no commissioner any more, may nothing from the commit on that says so.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import time
from collections.abc import Callable, Collection, Container, Mapping
from typing import Any, NamedTuple

import msgspec
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from appliance import intake, kinds, phonenotes
from appliance.console.asked import Answered
from appliance.console.gate import Standing
from appliance.console.pairing import GONE, Pairing
from appliance.console.pressing import Pressing
from appliance.console.sighting import Around, Maker
from appliance.console.way import Claimed, Pressed, Served, Tell, Wanted, Way
from appliance.engine import STORAGE, Order
from appliance.game.roster import Roster
from appliance.link.commands import ONE_COPY_S
from appliance.link.envelope import CommandMessage, PadKeys, PadShown, Phones, PhoneThere, Refusal, Reply
from appliance.link.interfaces import own_addresses
from appliance.phone import Phone
from appliance.phonekey import BadBox, unseal
from appliance.phonenotes import ConfirmPhone, CutOffPhone, PairPhone, PhoneCutOff, PhonePaired

EVENING_MS = 14 * 3_600_000
"""So long a phone is signed in."""

SIGHT_S = 0.05
"""Least time between two sights of which nobody waits for the second."""

LOOK_S = 10.0
"""Between looks at the machine's addresses."""

NO_CONSOLE, NOT_DIRECTING = "no-console", "not-directing"
_MOST_PHONES = 100
_SEEN_MS = 60_000
_KEPT = 50
_log = logging.getLogger(__name__)


class Floor(NamedTuple):
    """What the director's engine thread does for it. ``ready``: whether commands are carried out now; ``answered``:
    whether the command with an id was answered for good before.
    """

    command: Callable[[CommandMessage, Phone], None]
    order: Callable[[CommandMessage, Order], None]
    reply: Callable[[str, Reply], None]
    show: Callable[[str, Phones], None]
    press: Callable[[str, PadKeys], None]
    members: Callable[[], Container[str]]
    roster: Callable[[], Roster]
    notes: Callable[[], Mapping[str, kinds.Note]]
    ready: Callable[[], bool]
    answered: Callable[[str], bool]
    venue: str
    around: Around
    addresses: Callable[[], list[str]] = own_addresses


class _Told(NamedTuple):
    """An answer that waits for a second disk to have what it tells of."""

    answered: Answered
    tells: list[Tell[Answered]]
    at: tuple[str, str, int] | None
    until: float


class ConsoleDesk:
    """For the engine thread. Without a ``way`` there is no console, and kiosks hear that."""

    def __init__(self, way: Way | None, floor: Floor, maker: Maker) -> None:
        self._way, self._floor, self._maker = way, floor, maker
        self._pairing = Pairing()
        self._pressing = Pressing(floor.around.places, floor.press)
        self._sealing = X25519PrivateKey.generate()
        self._waiting: dict[tuple[str, str], list[Tell[Answered]]] = {}
        self._told: list[_Told] = []
        self._answers: dict[str, Order | Refusal | None] = {}
        self._phones: tuple[Phone, ...] = ()
        self._leaving: set[str] = set()
        self._shown: Phones | None = None
        self._served = Served(0, secure=False)
        self._address, self._look_at = "", 0.0
        self._sight_at = 0.0
        self._closed = False
        if way is not None:
            self._look()

    # -- what happens ------------------------------------------------------------------------------------

    def takes(self, event: object) -> bool:
        """Take what phones, or their server, say; False if the event is another's."""
        match event:
            case Wanted():
                self._wanted(event)
            case Pressed():
                phone = self._phone(event.session)
                refusal = self._pressing.press(event, phone) if self._ready else Refusal(NOT_DIRECTING)
                if refusal is not None:
                    event.tell(Answered(False, refusal))
            case Claimed():
                event.tell(self._claim(event) if self._ready else None)
            case Served():
                self._served, self._look_at = event, 0.0
            case _:
                return False
        return True

    def command(self, message: CommandMessage, phone: Phone | None = None) -> bool:
        """Take what a kiosk, or a ``phone``, asks about phones; False if it is something else."""
        if message.round != kinds.VENUE_NOTES:
            return False
        want = phonenotes.decode_wish(bytes(message.body))
        if want is None:
            return False
        if message.id not in self._answers:
            while len(self._answers) >= _KEPT:
                del self._answers[next(iter(self._answers))]
            self._answers[message.id] = self._answer_to(message, want, phone)
        self._answer(message, self._answers[message.id])
        return True

    def answer(self, device: str, reply: Reply) -> bool:
        """Tell a phone what became of its command; False where no phone has given it."""
        tells = self._waiting.pop((device, reply.id), None)
        if tells is None:
            return False
        at = None
        if reply.ok and reply.stream and reply.epoch and reply.seq:
            at = reply.stream, reply.epoch, reply.seq
        answered = Answered(reply.ok, reply.refusal)
        self._told.append(_Told(answered, tells, at, time.monotonic() + ONE_COPY_S))
        self._sight_at = 0.0  # who reads the answer wants to see what it did
        return True

    def refused(self, order: Order) -> None:
        """The disk would not have it: a phone that was to be signed in is not, one that was to be cut off is there."""
        match order.command:
            case PhonePaired(session=session):
                self._pairing.give_up(session, time.monotonic())
            case PhoneCutOff(session=session):
                self._leaving.discard(session)
            case _:
                return
        self._answers.pop(order.id, None)

    def pad(self, device: str, shown: PadShown) -> None:
        """A table's kiosk tells what its pad shows."""
        self._pressing.shown(device, shown)

    def greet(self, device: str) -> None:
        """A device has come: it may know what was so before."""
        self._floor.show(device, self._shown or Phones())

    @property
    def due(self) -> float | None:
        """When `tick` wants to be called even if nothing happens."""
        if self._way is None:
            return None
        dues = [self._pairing.due, self._pressing.due, self._maker.due, *(told.until for told in self._told)]
        if self._maker.changed(self._pressing.pads, self._phones):
            dues.append(self._sight_at)
        return min((due for due in dues if due is not None), default=None)

    def tick(self) -> None:
        """Look what has changed, and tell phones and kiosks."""
        if self._way is None:
            return
        now = time.monotonic()
        self._pairing.tick(now)
        self._pressing.tick(now)
        self._find_address(now)
        before = self._phones
        self._look()
        self._tell_kiosks()
        pads = self._pressing.pads
        if (now >= self._sight_at or self._phones != before) and self._maker.changed(pads, self._phones):
            self._way.show(self._maker.make(pads, self._phones))
            self._sight_at = now + SIGHT_S
        self._tell_phones(now)

    def close(self, inbox: queue.SimpleQueue[Any]) -> None:
        """This director serves no more: nobody waits for it, nor for what they have put into its inbox."""
        if self._way is None:
            return
        self._way.close()
        self._closed = True
        for _ in range(inbox.qsize()):
            with contextlib.suppress(queue.Empty):
                if not self.takes(event := inbox.get_nowait()):
                    inbox.put(event)
        for tells in self._waiting.values():
            for tell in tells:
                tell(Answered(False, Refusal(NOT_DIRECTING)))
        for told in self._told:
            for tell in told.tells:
                tell(told.answered._replace(copied=False))
        self._waiting, self._told = {}, []

    # -- who is signed in --------------------------------------------------------------------------------

    def _look(self) -> None:
        """Who is signed in by now, and whose keys are still of use."""
        way, roster = self._way, self._floor.roster()
        if way is None:
            return
        told = phonenotes.phones(self._floor.notes(), self._floor.around.now_ms())
        self._phones = tuple(
            msgspec.structs.replace(phone, here=way.kept.has(phone.session))
            for phone in told
            if intake.is_commissioner(roster, phone.who) and phone.session not in self._leaving
        )
        wanted = {phone.session for phone in told} | set(self._pairing.wanted())
        way.kept.retain(wanted)
        way.admit({phone.session: phone for phone in self._phones if phone.here}, self._standings())

    def _standings(self) -> dict[str, Standing]:
        standings = self._pairing.standing()
        for note in self._floor.notes().values():
            if isinstance(note, PhonePaired):
                standings[note.session] = "expired"
            elif isinstance(note, PhoneCutOff):
                standings[note.session] = "cut-off"
        standings.update((phone.session, "confirmed") for phone in self._phones if phone.here)
        return standings

    @property
    def _ready(self) -> bool:
        return self._way is not None and not self._closed and self._floor.ready()

    def _phone(self, session: str) -> Phone | None:
        found = next((phone for phone in self._phones if phone.here and phone.session == session), None)
        return None if session in self._leaving else found

    def _claim(self, event: Claimed) -> str | None:
        code = self._pairing.claim(event.session, event.nonce, _plain(event.agent), time.monotonic())
        self._look()
        return code

    # -- what phones ask ---------------------------------------------------------------------------------

    def _wanted(self, event: Wanted) -> None:
        message = event.message
        phone = self._phone(event.session)
        if not self._ready:
            event.tell(Answered(False, Refusal(NOT_DIRECTING)))
        elif phone is None or phone.device != message.device:
            event.tell(Answered(False, Refusal(GONE)))
        elif (number := (message.device, message.id)) in self._waiting:
            self._waiting[number].append(event.tell)
        else:
            self._waiting[number] = [event.tell]
            self._floor.command(message, phone)

    def _tell_phones(self, now: float) -> None:
        waiting, self._told = self._told, []
        for told in waiting:
            copied = told.at is None or bool(self._floor.around.holders(*told.at))
            if copied or now >= told.until or not self._floor.around.devices():
                for tell in told.tells:
                    tell(told.answered._replace(copied=copied))
            else:
                self._told.append(told)

    # -- what kiosks ask ---------------------------------------------------------------------------------

    def _answer_to(
        self, message: CommandMessage, want: phonenotes.PhoneWish, phone: Phone | None
    ) -> Order | Refusal | None:
        """What becomes of it; None: it is done."""
        if not intake.is_uuid(message.id):
            return intake.refusal("bad-command", field="id")
        if self._way is None:
            return Refusal(NO_CONSOLE)
        if (refusal := self._why_not(message, want, phone)) is not None:
            return refusal
        if self._floor.answered(message.id):  # before this program began
            return Order(message.id, f"venue/{self._floor.venue}", want)
        match want:
            case PairPhone():
                return self._pair(message, want, self._way)
            case ConfirmPhone():
                return self._confirm(message, want, self._way)
            case CutOffPhone():
                return self._cut_off(message, want)

    def _why_not(self, message: CommandMessage, want: phonenotes.PhoneWish, phone: Phone | None) -> Refusal | None:
        if phone is not None:
            own = phone.session == want.session and want.by == message.actor
            rules = phone.role == "commissioner" and want.by == phone.who == message.actor
            return (
                None
                if isinstance(want, CutOffPhone) and (own or rules)
                else intake.refusal("not-authorised", actor=want.by)
            )
        if message.device not in self._floor.members():
            return intake.refusal("unknown-device", device=message.device)
        if want.by != message.actor or not intake.is_commissioner(self._floor.roster(), want.by):
            return intake.refusal("not-authorised", actor=want.by)
        return None

    def _pair(self, message: CommandMessage, want: PairPhone, way: Way) -> Refusal | None:
        if (want.role == "dealer") is not (want.table is not None):
            return intake.refusal("bad-command", field="table")
        if not self._url:
            return Refusal(NO_CONSOLE)
        if len(self._phones) >= _MOST_PHONES:
            return Refusal("too-many-phones")
        try:
            key = unseal(want.box, want.session, self._sealing)
        except BadBox:
            return Refusal("stale")
        if any(isinstance(n, PhonePaired | PhoneCutOff) and n.session == want.session for n in self._notes()):
            return Refusal(GONE)
        why_not = self._pairing.offer(want, key, message.device, time.monotonic())
        if why_not is not None:
            return Refusal(why_not)
        way.kept.hold(want.session, key)
        self._look()
        return None

    def _confirm(self, message: CommandMessage, want: ConfirmPhone, way: Way) -> Order | Refusal | None:
        now = time.monotonic()
        offer = self._pairing.confirm(want.session, message.device, want.by, now, yes=want.yes)
        if offer is None:
            return Refusal(GONE)
        if not want.yes:
            self._look()
            return None
        try:
            way.kept.keep(want.session)
        except OSError as error:
            _log.error("a phone is not signed in: %s", error)
            self._pairing.give_up(want.session, now)
            return Refusal(STORAGE)
        since = self._floor.around.now_ms()
        note = PhonePaired(
            session=want.session, role=offer.want.role, table=offer.want.table, by=want.by, device=message.device,
            since=since, until=since + EVENING_MS, agent=offer.agent,
        )  # fmt: skip
        return Order(message.id, f"venue/{self._floor.venue}", note)

    def _cut_off(self, message: CommandMessage, want: CutOffPhone) -> Order | Refusal:
        if not any(isinstance(note, PhonePaired) and note.session == want.session for note in self._notes()):
            return Refusal(GONE)
        self._leaving.add(want.session)  # what it asks for from here on is too late, even in the same commit
        note = PhoneCutOff(session=want.session, by=want.by, device=message.device)
        return Order(message.id, f"venue/{self._floor.venue}", note)

    def _notes(self) -> Collection[kinds.Note]:
        return self._floor.notes().values()

    def _answer(self, message: CommandMessage, answer: Order | Refusal | None) -> None:
        if isinstance(answer, Order):
            self._floor.order(message, answer)
        else:
            if answer is not None and answer.code == STORAGE:
                self._answers.pop(message.id, None)
            self._floor.reply(message.device, Reply(message.id, ok=answer is None, refusal=answer))

    def _tell_kiosks(self) -> None:
        shown = self._phones_message()
        if shown != self._shown:
            self._shown = shown
            for device in self._floor.around.devices():
                self._floor.show(device, shown)

    def _phones_message(self) -> Phones:
        seen = self._way.seen if self._way is not None else {}
        there = tuple(
            PhoneThere(
                phone.session, phone.role, phone.who, phone.since_ms, phone.until_ms,
                seen.get(phone.session, 0) // _SEEN_MS * _SEEN_MS, phone.table, phone.agent,
            )
            for phone in self._phones
        )  # fmt: skip
        seal = self._sealing.public_key().public_bytes_raw().hex()
        return Phones(self._url, seal if self._url else "", self._pairing.waiting(), there[-_MOST_PHONES:])

    # -- where the console is ----------------------------------------------------------------------------

    def _find_address(self, now: float) -> None:
        if self._served.port and now >= self._look_at:
            self._look_at = now + LOOK_S
            self._address = self._floor.addresses()[0]

    @property
    def _url(self) -> str:
        """Where phones find the pages; empty where they are not."""
        if not self._served.port or not self._address:
            return ""
        host = f"[{self._address}]" if ":" in self._address else self._address
        return f"{'https' if self._served.secure else 'http'}://{host}:{self._served.port}/"


def _plain(agent: str) -> str:
    """What a phone says it is, as far as it can be shown on one line."""
    return "".join(each for each in agent if each.isprintable())[:64]
