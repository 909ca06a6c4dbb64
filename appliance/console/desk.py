"""The console's side in the director's engine thread: phones come, ask, press keys and are cut off there.

desk = ConsoleDesk(way, floor, maker)
if desk.takes(event): ...               # what phones ask comes through the inbox
if desk.command(message, phone): ...    # what kiosks, or a phone, ask about phones
if desk.answer(device, reply): ...      # an answer that is a phone's
desk.tick()                             # after each commit
"""

from __future__ import annotations

import contextlib
import queue
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from appliance import kinds, phonenotes
from appliance.console.asked import Answered
from appliance.console.pairing import GONE
from appliance.console.pressing import Pressing
from appliance.console.sighting import Around, Maker
from appliance.console.signedin import NO_CONSOLE, Records, SignedIn
from appliance.console.way import NOT_DIRECTING, Claimed, Pressed, Served, Tell, Wanted, Way
from appliance.engine import Order
from appliance.link.commands import ONE_COPY_S
from appliance.link.envelope import CommandMessage, PadKeys, PadShown, Phones, Refusal, Reply
from appliance.phone import Phone

SIGHT_S = 0.05
"""Least time between two sights of which nobody waits for the second."""

LOOK_S = 10.0
"""Between looks at the machine's addresses."""


class Floor(NamedTuple):
    """What the director's engine thread does for it. ``ready``: whether commands are carried out now; ``addresses``:
    where phones find this machine, the best first.
    """

    command: Callable[[CommandMessage, Phone], None]
    order: Callable[[CommandMessage, Order], None]
    reply: Callable[[str, Reply], None]
    show: Callable[[str, Phones], None]
    press: Callable[[str, PadKeys], None]
    ready: Callable[[], bool]
    records: Records
    around: Around
    addresses: Callable[[], list[str]]


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
        self._signed_in = SignedIn(way, floor.records) if way is not None else None
        self._pressing = Pressing(floor.around.places, floor.around.devices, floor.press)
        self._waiting: dict[tuple[str, str], list[Tell[Answered]]] = {}
        self._told: list[_Told] = []
        self._shown = Phones()
        self._served = Served(0, secure=False)
        self._address, self._look_at, self._sight_at = "", 0.0, 0.0
        self._closed = False

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
                event.tell(self._signed_in.claim(event) if self._signed_in and self._ready else None)
            case Served():
                self._served, self._look_at = event, 0.0
            case _:
                return False
        return True

    def command(self, message: CommandMessage, phone: Phone | None = None) -> bool:
        """Take what a kiosk, or a ``phone``, asks about phones; False if it is something else."""
        want = phonenotes.decode_wish(bytes(message.body)) if message.round == kinds.VENUE_NOTES else None
        if want is None:
            return False
        if self._signed_in is None or (isinstance(want, phonenotes.PairPhone) and not self._url):
            answer: Order | Refusal | None = Refusal(NO_CONSOLE)
        else:
            answer = self._signed_in.answer(message, want, phone)
        if isinstance(answer, Order):
            self._floor.order(message, answer)
        else:
            self._floor.reply(message.device, Reply(message.id, ok=answer is None, refusal=answer))
        return True

    def answer(self, device: str, reply: Reply) -> bool:
        """Tell a phone what became of its command; False where no phone has given it."""
        tells = self._waiting.pop((device, reply.id), None)
        if tells is None:
            return False
        at = None
        if reply.ok and reply.stream and reply.epoch and reply.seq:
            at = reply.stream, reply.epoch, reply.seq
        self._tell_soon(Answered(reply.ok, reply.refusal), tells, at)
        return True

    def refused(self, order: Order) -> None:
        """The disk would not have it."""
        if self._signed_in is not None:
            self._signed_in.refused(order)

    def pad(self, device: str, shown: PadShown) -> None:
        """A table's kiosk tells what its pad shows."""
        heard = self._pressing.shown(device, shown)
        if heard is not None:
            self._tell_soon(*heard, None)

    def greet(self, device: str) -> None:
        """A device has come: it may know what was so before."""
        self._floor.show(device, self._shown)

    @property
    def due(self) -> float | None:
        """When `tick` wants to be called even if nothing happens."""
        if self._signed_in is None:
            return None
        dues = [self._signed_in.due, self._pressing.due, self._maker.due, *(told.until for told in self._told)]
        if self._maker.changed(self._pressing.pads, self._signed_in.phones):
            dues.append(self._sight_at)
        return min((due for due in dues if due is not None), default=None)

    def tick(self) -> None:
        """Look what has changed, and tell phones and kiosks."""
        signed_in, way = self._signed_in, self._way
        if signed_in is None or way is None:
            return
        now, before = time.monotonic(), signed_in.phones
        self._pressing.tick(now)
        self._find_address(now)
        signed_in.look()
        self._tell_kiosks(signed_in)
        pads, phones = self._pressing.pads, signed_in.phones
        if (now >= self._sight_at or phones != before) and self._maker.changed(pads, phones):
            way.show(self._maker.make(pads, phones))
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

    # -- inside ------------------------------------------------------------------------------------------

    @property
    def _ready(self) -> bool:
        return not self._closed and self._floor.ready()

    def _phone(self, session: str) -> Phone | None:
        return None if self._signed_in is None else self._signed_in.phone(session)

    def _wanted(self, event: Wanted) -> None:
        message, phone = event.message, self._phone(event.session)
        number = (message.device, message.id)
        if not self._ready:
            event.tell(Answered(False, Refusal(NOT_DIRECTING)))
        elif phone is None or phone.device != message.device:
            event.tell(Answered(False, Refusal(GONE)))
        elif number in self._waiting:
            self._waiting[number].append(event.tell)
        else:
            self._waiting[number] = [event.tell]
            self._floor.command(message, phone)

    def _tell_soon(self, answered: Answered, tells: list[Tell[Answered]], at: tuple[str, str, int] | None) -> None:
        """Once it is to be seen what it tells of, and that is on a second disk."""
        self._told.append(_Told(answered, tells, at, time.monotonic() + ONE_COPY_S))
        self._sight_at = 0.0

    def _tell_phones(self, now: float) -> None:
        waiting, self._told = self._told, []
        for told in waiting:
            copied = told.at is None or bool(self._floor.around.holders(*told.at))
            if copied or now >= told.until or not self._floor.around.devices():
                for tell in told.tells:
                    tell(told.answered._replace(copied=copied))
            else:
                self._told.append(told)

    def _tell_kiosks(self, signed_in: SignedIn) -> None:
        url = self._url
        shown = Phones(url, signed_in.seal if url else "", signed_in.waiting(), signed_in.there())
        if shown != self._shown:
            self._shown = shown
            for device in self._floor.around.devices():
                self._floor.show(device, shown)

    def _find_address(self, now: float) -> None:
        if self._served.port and now >= self._look_at:
            self._look_at = now + LOOK_S
            with suppress(OSError):  # no file is left to ask with: it stays what it was
                self._address = self._floor.addresses()[0]

    @property
    def _url(self) -> str:
        """Where phones find the pages; empty where they are not."""
        if not self._served.port or not self._address:
            return ""
        host = f"[{self._address}]" if ":" in self._address else self._address
        return f"{'https' if self._served.secure else 'http'}://{host}:{self._served.port}/"
