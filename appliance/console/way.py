"""The way between the console's asyncio loop and the engine thread, and the phones that may use it.

    way = Way(place.data, place.now_ms)             # one for both
    conductor = Conductor(place, ended, taking, way)
    way.listen(see)                                 # `see` is called in the engine thread with each `Sight`
    answered = await way.command(phone, id, command, revision)

Into the engine thread goes what stands in its inbox (`Wanted`, `Pressed`, `Claimed`, `Served`); out of it come futures,
set by ``loop.call_soon_threadsafe``, and what is put here as one new value: phones, standings, the newest sight. So a
phone that was cut off is none from the moment in which that is on the disk, also for streams of events that are open.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from appliance.console.asked import Answered, Asked
from appliance.console.gate import Standing
from appliance.console.kept import Kept
from appliance.console.sight import Sight
from appliance.game.command import Command
from appliance.game.commands import encode_command
from appliance.kinds import VENUE_NOTES, Note
from appliance.link.commands import NO_ANSWER
from appliance.link.envelope import CommandMessage, PadKeys, Refusal
from appliance.phone import Phone
from appliance.phonerights import DEALER

WAIT_S = 10.0
"""So long an answer is waited for; the engine has one within two seconds unless the disk is slow."""

NEWER_S = 2.0
_TTL_MS = 10_000

T = TypeVar("T")
Tell = Callable[[T], None]


NOT_DIRECTING = "not-directing"


class Wanted(NamedTuple):
    """A phone's command or note."""

    session: str
    message: CommandMessage
    tell: Tell[Answered]


class Pressed(NamedTuple):
    """Keys that a phone presses on a table's pad."""

    session: str
    keys: PadKeys
    tell: Tell[Answered]


class Claimed(NamedTuple):
    """A phone has come with a key that was offered; its code is told, or None."""

    session: str
    nonce: bytes
    agent: str
    tell: Tell[str | None]


class Served(NamedTuple):
    """The pages are served at this port, 0: they are not."""

    port: int
    secure: bool


def turned_away(event: object) -> bool:
    """Answer a phone's event where nobody directs any more; whether it was one."""
    match event:
        case Wanted() | Pressed():
            event.tell(Answered(False, Refusal(NOT_DIRECTING)))
        case Claimed():
            event.tell(None)
        case Served():
            pass
        case _:
            return False
    return True


class Way:
    """Implements `appliance.console.asked.Asks` and `appliance.console.gate.Gate`."""

    def __init__(self, folder: Path, clock: Callable[[], int]) -> None:
        """``folder``: the director's; ``clock``: its time, UTC ms."""
        self.kept = Kept(folder)
        self.sight = Sight()
        self.seen: dict[str, int] = {}
        """When a phone was heard of last, UTC ms."""
        self._inbox: queue.SimpleQueue[Any] | None = None
        self._clock = clock
        self._phones: Mapping[str, Phone] = {}
        self._standings: Mapping[str, Standing] = {}
        self._listeners: list[Callable[[Sight], None]] = []
        self._newer: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()

    # -- for the engine thread ---------------------------------------------------------------------------

    def open(self, inbox: queue.SimpleQueue[Any]) -> None:
        """The engine thread takes what is put there from now on."""
        self._inbox = inbox

    def close(self) -> None:
        """It takes no more."""
        self._inbox, self._phones = None, {}

    def admit(self, phones: Mapping[str, Phone], standings: Mapping[str, Standing]) -> None:
        """Those phones are signed in, and so it stands with all that are known, from this moment on."""
        self._phones, self._standings = phones, standings

    def show(self, sight: Sight) -> None:
        """Hand out a newer sight."""
        self.sight = sight
        for listener in self._listeners:
            listener(sight)
        for loop, event in list(self._newer):
            with contextlib.suppress(RuntimeError):  # its loop has ended
                loop.call_soon_threadsafe(event.set)

    # -- for the console's loop: what its server tells, and `Gate` ------------------------------------------

    def listen(self, see: Callable[[Sight], None]) -> None:
        """Call ``see`` with each new sight, in the engine thread."""
        self._listeners.append(see)

    def served(self, port: int, secure: bool) -> None:
        """The pages are there at this port, with TLS or without; 0: they are not."""
        if self._inbox is not None:
            self._inbox.put(Served(port, secure))

    def key(self, session: str) -> bytes | None:
        """See `Gate.key`."""
        return self.kept.key(session)

    def take(self, session: str, count: int) -> bool:
        """See `Gate.take`."""
        taken = self.kept.take(session, count)
        if taken:
            self.seen[session] = self._clock()
        return taken

    def high(self, session: str) -> int:
        """See `Gate.high`."""
        return self.kept.high(session)

    def phone(self, session: str) -> Phone | None:
        """See `Gate.phone`."""
        found = self._phones.get(session)
        return found if found is not None and self._clock() < found.until_ms else None

    def standing(self, session: str) -> Standing:
        """See `Gate.standing`."""
        return self._standings.get(session, "unknown")

    async def claim(self, session: str, nonce: bytes, agent: str) -> str | None:
        """See `Gate.claim`."""
        return await self._ask(lambda tell: Claimed(session, nonce, agent, tell), None)

    # -- `Asks` ------------------------------------------------------------------------------------------

    async def newer(self, asked: Asked) -> Asked:
        """See `Asks.newer`; after `NEWER_S` without anything newer it is asked again of the same."""
        waiter = asyncio.get_running_loop(), asyncio.Event()
        self._newer.add(waiter)
        try:
            async with asyncio.timeout(NEWER_S):
                while self.sight.n <= asked.sight.n:
                    await waiter[1].wait()
                    waiter[1].clear()
        except TimeoutError:
            pass
        finally:
            self._newer.discard(waiter)
        phone = self.phone(asked.phone.session) or asked.phone
        return asked._replace(sight=self.sight, phone=phone, now_ms=self._clock())

    async def command(self, phone: Phone, id: str, command: Command, revision: int | None) -> Answered:
        """See `Asks.command`."""
        return await self._want(phone, id, command.round, encode_command(command), revision)

    async def note(self, phone: Phone, id: str, note: Note | bytes) -> Answered:
        """See `Asks.note`."""
        body = note if isinstance(note, bytes) else msgspec.json.encode(note)
        return await self._want(phone, id, VENUE_NOTES, body, None)

    async def keys(self, phone: Phone, id: str, table: int, keys: str, seen: str) -> Answered:
        """See `Asks.keys`."""
        pressed = PadKeys(id, table, phone.device, keys, seen)
        return await self._ask(lambda tell: Pressed(phone.session, pressed, tell), _silence())

    # -- inside ------------------------------------------------------------------------------------------

    async def _want(self, phone: Phone, id: str, round: str, body: bytes, revision: int | None) -> Answered:
        actor = phone.who if phone.role == "commissioner" else DEALER
        message = CommandMessage(id, phone.device, actor, round, _TTL_MS, msgspec.Raw(body), revision)
        return await self._ask(lambda tell: Wanted(phone.session, message, tell), _silence())

    async def _ask(self, item: Callable[[Tell[T]], object], otherwise: T) -> T:
        loop, inbox = asyncio.get_running_loop(), self._inbox
        if inbox is None:
            return otherwise
        future: asyncio.Future[T] = loop.create_future()

        def tell(result: T) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended, and who asked with it
                loop.call_soon_threadsafe(_set, future, result)

        inbox.put(item(tell))
        try:
            return await asyncio.wait_for(future, WAIT_S)
        except TimeoutError:
            return otherwise


def _set(future: asyncio.Future[T], result: T) -> None:
    if not future.done():  # who asked may have gone
        future.set_result(result)


def _silence() -> Answered:
    return Answered(False, Refusal(NO_ANSWER), copied=False)
