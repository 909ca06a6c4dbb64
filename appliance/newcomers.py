"""The director's window for devices that do not belong to the venue yet (DESIGN §5): what asks there,
and who lets it in.

    newcomers = Newcomers(place, broker, inbox, ...)    # with a thread and a connection of its own
    newcomers.start(notice)
    if newcomers.takes(event): ...                      # what the thread tells comes through the inbox
    newcomers.stop()

Deriving keys of a code takes a tenth of a second, on a small machine more: the thread does that. What it finds becomes
a note in the venue's stream like any command's; only once that is written the device is told so.
"""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple, TypeAlias

import msgspec

from appliance import intake, kinds, newcomersite
from appliance.adopt import Adopt
from appliance.adoption import BadMessage
from appliance.adoption_desk import Asking, Desk, Known, Send
from appliance.engine import Order
from appliance.game.refusal import Refusal
from appliance.game.roster import Roster
from appliance.link import envelope, topics
from appliance.link.client import Client, Connected, Disconnected, Endpoint, Event, Message, Presence
from appliance.link.commands import ONE_COPY_S
from appliance.link.envelope import CommandMessage, DirectorNotice, Reply, Spare, Spares
from appliance.link.role import ClientDied, waiting
from appliance.link.topics import BadTopic, Kind
from appliance.patience import Patience
from appliance.phone import Phone
from appliance.workplace import Workplace

_KEPT = 50
"""Answers kept for commands that come again."""

_WRITTEN_S = 5.0
"""Until then what was let in is written down, if the disk has room for it."""

STARTS_S = 60.0
"""So long a device that was let in as a table counts as there: it starts anew as that."""


class Decided(NamedTuple):
    """What has become of the command with this number."""

    number: str
    result: kinds.DeviceAdopted | Refusal


class NowAsking(NamedTuple):
    """Other devices ask than before."""

    asking: tuple[Asking, ...]


class _Wanted(NamedTuple):
    number: str
    want: Adopt
    tracked: bool


Item: TypeAlias = "Event | DirectorNotice | Known | _Wanted | None"


class Floor(NamedTuple):
    """What the director's engine thread does for it: answer and carry out commands, and tell devices who asks.
    ``copied``: whether another device has all of the venue's stream, or none is there.
    """

    reply: Callable[[str, Reply], None]
    order: Callable[[CommandMessage, Order], None]
    show: Callable[[str, Spares], None]
    devices: Callable[[], Collection[str]]
    tables: Callable[[], Mapping[int, str]]
    tracked: Callable[[int | None], bool]
    copied: Callable[[], bool] = lambda: True


_NOBODY = Floor(
    lambda device, reply: None, lambda message, order: None, lambda device, spares: None, tuple, dict, bool
)  # fmt: skip


class Newcomers:
    """For the director's engine thread. Without an ``endpoint`` nobody may ask, and nothing of it runs."""

    def __init__(self, place: Workplace, endpoint: Endpoint | None, inbox: Any, floor: Floor = _NOBODY) -> None:
        self._place, self._floor = place, floor
        self._window = _Window(place, endpoint, inbox) if endpoint is not None else None
        self._known = Known()
        self._shown = Spares()
        self._asking: tuple[Asking, ...] = ()
        self._commands: dict[str, CommandMessage] = {}
        self._answers: dict[str, Order | Refusal] = {}
        self._starting: dict[int, tuple[str, float]] = {}
        self._tell_at: float | None = None

    def start(self, notice: DirectorNotice) -> None:
        """Open the window, with this notice at it."""
        if self._window is not None:
            self._window.open(notice)

    def show(self, notice: DirectorNotice) -> None:
        """The notice has changed."""
        if self._window is not None:
            self._window.inbox.put(notice)

    def stop(self) -> None:
        """Close it."""
        if self._window is not None:
            self._window.close()

    def know(self, known: Known) -> None:
        """Who belongs to the venue now. A device that was let in hears it once that is on a second disk (DESIGN §3);
        after `ONE_COPY_S`, or where nobody else is there, on one.
        """
        if self._window is None or known == self._known:
            return
        fresh = self._known != Known() and any(device not in self._known.adopted for device in known.adopted)
        waits = fresh or self._tell_at is not None
        self._known = known
        if not waits:
            self._window.inbox.put(known)
        elif self._tell_at is None:
            self._tell_at = time.monotonic() + ONE_COPY_S

    @property
    def due(self) -> float | None:
        """When `tick` wants to be called even if nothing happens."""
        return self._tell_at

    def takes(self, event: object) -> bool:
        """Take what the thread tells; False if the event is another's."""
        match event:
            case NowAsking(asking=asking):
                self._asking = asking
            case Decided(number=number, result=result):
                self._decided(number, result)
            case _:
                return False
        return True

    def tick(self) -> None:
        """Tell all devices who asks, when that or who is there has changed; and one that it was let in."""
        window, tell_at = self._window, self._tell_at
        if window is not None and tell_at is not None and (time.monotonic() >= tell_at or self._floor.copied()):
            self._tell_at = None
            window.inbox.put(self._known)
        spares = self._spares()
        if spares != self._shown:
            self._shown = spares
            for device in self._floor.devices():
                self._floor.show(device, spares)

    def greet(self, device: str) -> None:
        """A device has come: it may know what was so before."""
        self._floor.show(device, self._shown)

    @property
    def shown(self) -> Spares:
        """The devices that ask, as was told last."""
        return self._shown

    def starts(self, note: kinds.DeviceAdopted) -> None:
        """A device is let in: until it has started as what it is now, nobody else is let in as that table."""
        if note.table is not None:
            self._starting[note.table] = note.device, time.monotonic() + STARTS_S

    def command(self, message: CommandMessage, roster: Roster, phone: Phone | None = None) -> bool:
        """Take a command that lets a device in, of a kiosk or of a ``phone``; False if it is none."""
        if self._window is None or message.round != kinds.VENUE_NOTES:
            return False
        try:
            want = msgspec.json.decode(bytes(message.body), type=Adopt)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return False
        if message.id in self._answers:
            self._answer(message, self._answers[message.id])
        elif message.id not in self._commands:
            refusal = self._why_not(message, want, roster, phone)
            if refusal is not None:
                self._answer(message, refusal)
            else:
                self._commands[message.id] = message
                self._window.inbox.put(_Wanted(message.id, want, self._floor.tracked(want.table)))
        return True

    # -- inside ------------------------------------------------------------------------------------------

    def _why_not(self, message: CommandMessage, want: Adopt, roster: Roster, phone: Phone | None) -> Refusal | None:
        if not intake.is_uuid(message.id) or (want.role == "table") is not (want.table is not None):
            return Refusal("bad-command", {"field": "id"})
        if message.device not in self._place.members and (phone is None or phone.device != message.device):
            return Refusal("unknown-device", {"device": message.device})
        if want.by != message.actor or not intake.is_commissioner(roster, want.by):
            return Refusal("not-authorised", {"actor": want.by})
        return self._taken(want.table, want.device)

    def _taken(self, table: int | None, device: str) -> Refusal | None:
        """Why a device cannot be this table: another one is."""
        there = self.tables_there().get(table or 0, device)
        return Refusal("table-taken", {"table": table, "device": there}) if there != device else None

    def _decided(self, number: str, result: kinds.DeviceAdopted | Refusal) -> None:
        message = self._commands.pop(number, None)
        if message is None:
            return
        answer: Order | Refusal
        if isinstance(result, Refusal):
            answer = result
        elif (taken := self._taken(result.table, result.device)) is not None:
            answer = taken  # somebody else let another one in meanwhile
        else:
            answer = Order(number, f"venue/{self._place.config.venue.id}", result)
            self.starts(result)
        while len(self._answers) >= _KEPT:
            del self._answers[next(iter(self._answers))]
        self._answers[number] = answer
        self._answer(message, answer)

    def _answer(self, message: CommandMessage, answer: Order | Refusal) -> None:
        if isinstance(answer, Order):
            self._floor.order(message, answer)
        else:
            refusal = intake.refusal(answer.code, **answer.detail)
            self._floor.reply(message.device, Reply(message.id, ok=False, refusal=refusal))

    def _spares(self) -> Spares:
        if not self._asking:
            return Spares()
        asking = tuple(Spare(each.name, each.key, each.software, each.known) for each in self._asking)
        return Spares(asking, tuple(sorted(self.tables_there())))

    def tables_there(self) -> dict[int, str]:
        """The tables whose device is there, or starts anew as that, and which it is."""
        there, members, now = self._floor.devices(), self._place.members, time.monotonic()
        named = {member.table: name for name, member in members.items() if member.table is not None and name in there}
        own = {number: name for number, name in self._floor.tables().items() if name in there}
        self._starting = {
            number: (name, until) for number, (name, until) in self._starting.items()
            if now < until and (name in members or until > now + STARTS_S - _WRITTEN_S)
        }  # fmt: skip
        return {**named, **own, **{number: name for number, (name, _) in self._starting.items()}}


class _Window(threading.Thread):
    """Speaks with the devices; its connection's name is secret, for newcomers may take any that they know.

    Nothing is acknowledged here: a broker whose memory strangers have filled forgets what it owes, and the connection
    would wait for that for ever. Devices ask anew every few seconds.
    """

    def __init__(self, place: Workplace, endpoint: Endpoint, out: Any) -> None:
        super().__init__(name="newcomers", daemon=True)
        self.inbox: queue.SimpleQueue[Item] = queue.SimpleQueue()
        self._place, self._endpoint, self._out = place, endpoint, out
        self._venue = place.config.venue.id
        self._shown: tuple[Asking, ...] = ()
        self._patience = Patience()
        self._desk = Desk(
            self._venue, place.config.venue.called, place.key,
            lambda role, table, tracked: newcomersite.answer(place, role, table, tracked),
        )  # fmt: skip

    def open(self, notice: DirectorNotice) -> None:
        presence = Presence(topics.director(self._venue), envelope.encode(notice), b"", kept=False)
        asks = [(topics.newcomers_filter(self._venue, "ask"), 0)]
        name = f"newcomers-{os.urandom(8).hex()}"
        self._client = Client(self._endpoint, name, self.inbox, subscriptions=asks, presence=presence)
        self._client.start()
        self.start()

    def close(self) -> None:
        if self.ident is not None:
            self.inbox.put(None)
            self.join(5.0)

    def run(self) -> None:
        while True:
            due = self._desk.due
            for item in waiting(self.inbox, 10.0 if due is None else due - time.monotonic()):
                if item is None:
                    self._client.stop()
                    return
                self._take(item)
            self._desk.tick(time.monotonic())
            self._tell()
            if self._client.died:
                raise ClientDied(self._client.client_id)

    def _take(self, item: Item) -> None:
        match item:
            case Message():
                self._message(item)
            case Connected() | Disconnected():
                pass
            case DirectorNotice():
                self._client.say_anew(envelope.encode(item))
            case Known():
                self._desk.know(item)
                self._send(self._desk.tell_written())
            case _Wanted():
                self._send(self._desk.adopt(item.number, item.want, time.monotonic(), tracked=item.tracked))

    def _message(self, message: Message) -> None:
        try:
            topic = topics.parse(message.topic)
            if topic.kind is not Kind.NEW_ASK or message.retained:
                raise BadTopic("wrong-topic", message.topic)
            if not self._patience.has(topic.device, time.monotonic()):
                self._client.drops("too-often", message.topic)
                return
            self._send(self._desk.heard(topic.device, message.payload, time.monotonic()))
        except BadTopic as error:
            self._client.drops(error.code, message.topic)
        except BadMessage as error:
            self._client.drops("bad-adoption", message.topic, str(error))

    def _send(self, sends: list[Send]) -> None:
        for client, payload in sends:
            self._client.publish(topics.newcomer(self._venue, client, "told"), payload, qos=0)

    def _tell(self) -> None:
        for number, result in self._desk.results():
            self._out.put(Decided(number, result))
        if self._desk.asking != self._shown:
            self._shown = self._desk.asking
            self._out.put(NowAsking(self._shown))
