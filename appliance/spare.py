"""A device without a place looks for directors, asks each to be let in, and takes what the right one tells.

    asker = Asker(place, changed)
    asker.start()                           # a thread; `changed` is called whenever `now` has changed
    asker.now.code                          # what the screen shows
    asker.now.role                          # what it became: its files are written, the program may start anew

Directors are found by multicast DNS, or at the hosts of ``lan.hosts``; a director's notice at its window for newcomers
says which venue it is. Whose word that is nobody can tell here: what the code proves is all that counts.
"""

from __future__ import annotations

import logging
import os
import queue
import ssl
import threading
import time
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from appliance import VERSION, newcomersite
from appliance.adoption import BadMessage
from appliance.adoption_spare import Line, Pending, Spare
from appliance.certificates import CertificateError
from appliance.config import ConfigError
from appliance.identity import load_or_make_opening
from appliance.link import envelope, topics
from appliance.link.client import Backoff, Client, Connected, Disconnected, Endpoint, Event, Message
from appliance.link.envelope import BadPayload, DirectorNotice
from appliance.link.role import waiting
from appliance.link.sighting import Sighting
from appliance.link.topics import BadTopic, Kind
from appliance.workplace import Workplace

ASK_S = 5.0
"""Between two questions to a director; each also says that the device is still there."""

LOOK_S = 5.0
GONE_S = 30.0
"""A director that is neither connected nor seen for so long is looked at no more."""

MOST_DIRECTORS = 8
"""Of those that multicast DNS tells of, whoever they are; hosts that somebody has named are asked, however many."""
DEFAULT_PORT = 8884
"""Where directors of ``lan.hosts`` are asked, unless ``lan.newcomers`` says otherwise."""

_log = logging.getLogger(__name__)


class Shown(NamedTuple):
    """What is known of a venue, for the screen."""

    venue: str
    called: str
    seen: bool
    sorry: str


class Now(NamedTuple):
    """How it stands. ``role`` is empty until the device has its place, and its files."""

    code: str = ""
    wrong: bool = False
    pending: bool = False
    lines: tuple[Shown, ...] = ()
    role: Literal["", "table", "door", "clock"] = ""
    table: int | None = None


class _Director:
    """A director's window for newcomers: the connection there, and whose it is once that is known."""

    def __init__(self, client: Client, now: float) -> None:
        self.client, self.seen_at, self.ask_at = client, now, now
        self.venue = ""


class Asker(threading.Thread):
    """One device's. ``over``: it asks no more; ``failure``: why, if it was not asked to stop."""

    def __init__(self, place: Workplace, changed: Callable[[], None]) -> None:
        super().__init__(name="asker", daemon=True)
        self.now = Now()
        self.failure: Exception | None = None
        self.over = False
        self._place, self._changed = place, changed
        self._lan = place.config.lan
        opening: X25519PrivateKey = load_or_make_opening(place.data / "opening.key")
        kept = newcomersite.kept_pending(place.data)
        self._spare = Spare(place.key, opening, f"tableside {VERSION}", kept)
        self._kept = kept
        self.name = self._spare.name
        self._inbox: queue.SimpleQueue[Event | Sighting | None] = queue.SimpleQueue()
        self._directors: dict[tuple[str, int], _Director] = {}
        self._client_name = f"new-{os.urandom(8).hex()}"
        self._browser: Any = None
        self._look_at = 0.0
        self._stopping = False

    def stop(self) -> None:
        """Ask no more."""
        self._stopping = True
        self._inbox.put(None)
        if self.is_alive():
            self.join(5.0)

    def run(self) -> None:
        try:
            while not self._stopping and not self.now.role:
                self._step()
        except (OSError, ConfigError) as error:
            self.failure = error
        finally:
            for director in self._directors.values():
                director.client.leave()
            self.over = True
            self._changed()

    # -- inside ------------------------------------------------------------------------------------------

    def _step(self) -> None:
        now = time.monotonic()
        if now >= self._look_at:
            self._look_at = now + LOOK_S
            self._look()
            self._forget(now)
        if self._spare.tick(now):
            for director in self._directors.values():
                director.ask_at = now
        for director in self._directors.values():
            if director.venue and director.client.connected and now >= director.ask_at:
                director.ask_at = now + ASK_S
                self._ask(director)
        self._show()
        due = min([self._look_at, *(each.ask_at for each in self._directors.values() if each.venue)])
        for event in waiting(self._inbox, max(0.05, due - time.monotonic())):
            if event is not None:
                self._take(event)
        self._show()

    def _look(self) -> None:
        """See which directors there are."""
        if self._lan.find == "hosts":
            for host in self._lan.hosts:
                self._connect(host, self._lan.newcomers or DEFAULT_PORT)
            return
        if self._browser is None:
            from appliance.link.browse import Browser

            self._browser = Browser(self._inbox.put)
        self._browser.ask()

    def _connect(self, host: str, port: int) -> None:
        now, known = time.monotonic(), self._directors.get((host, port))
        if known is not None:
            known.seen_at = now
            return
        if self._lan.find != "hosts" and len(self._directors) >= MOST_DIRECTORS:
            return
        told = f"{topics.ROOT}/+/lan/n/{self._client_name}/told"
        notices = f"{topics.ROOT}/+/lan/d/director"
        client = Client(
            Endpoint(host, port, tls=_anybody() if self._lan.secure else None), self._client_name, self._inbox,
            subscriptions=[(told, 0), (notices, 1)], backoff=Backoff(0.25, 4.0),
        )  # fmt: skip
        self._directors[host, port] = _Director(client, now)
        client.start()

    def _forget(self, now: float) -> None:
        for place, director in list(self._directors.items()):
            if director.client.connected:
                director.seen_at = now
            elif self._lan.find != "hosts" and now >= director.seen_at + GONE_S:
                director.client.leave()
                del self._directors[place]
        venues = {director.venue for director in self._directors.values() if director.client.connected}
        for line in self._spare.lines:
            if line.venue not in venues:
                self._spare.leave(line.venue)

    def _take(self, event: Event | Sighting) -> None:
        if isinstance(event, Sighting):
            if event.notice.newcomers:
                self._connect(event.host, event.notice.newcomers)
            return
        director = next((each for each in self._directors.values() if each.client is event.client), None)
        if director is None:
            return
        match event:
            case Connected():
                director.ask_at = 0.0
            case Disconnected():
                director.venue = ""
            case Message():
                self._message(director, event)

    def _message(self, director: _Director, message: Message) -> None:
        try:
            topic = topics.parse(message.topic)
            if topic.kind is Kind.DIRECTOR:
                self._notice(director, topic.venue, message.payload)
            elif topic.kind is Kind.NEW_TOLD and topic.venue == director.venue:
                said = self._spare.heard(director.venue, message.payload, time.monotonic())
                self._keep()
                self._say(director, said)
        except (BadTopic, BadPayload, BadMessage) as error:
            director.client.drops("bad-adoption", message.topic, str(error))

    def _notice(self, director: _Director, venue: str, payload: bytes) -> None:
        """Which venue it is; one that only gathers, or is gone, lets nobody in."""
        notice = envelope.decode(DirectorNotice, payload) if payload else None
        director.venue = venue if notice is not None and notice.venue == venue and not notice.gathering else ""
        director.ask_at = 0.0

    def _ask(self, director: _Director) -> None:
        try:
            self._say(director, self._spare.ask(director.venue))
        except CertificateError as error:  # a venue of such a name has no devices
            director.client.drops("bad-venue", director.venue, str(error))
            director.venue = ""

    def _say(self, director: _Director, said: list[bytes]) -> None:
        for payload in said:
            director.client.publish(topics.newcomer(director.venue, self._client_name, "ask"), payload, qos=0)

    def _keep(self) -> None:
        """What was accepted under the code is on the disk before it is answered; what became of it in its files."""
        pending, done = self._spare.pending, self._spare.done
        if pending is not None and pending is not self._kept:
            newcomersite.keep_pending(self._place.data, pending)
            self._kept = pending
        if done is not None:
            self._become(done)

    def _become(self, done: Pending) -> None:
        newcomersite.write(self._place.data, self._place.files, self.name, done)
        _log.info("%s is adopted by %s: %s %s", self.name, done.answer.venue, done.answer.role, done.answer.table or "")
        self._show()

    def _show(self) -> None:
        spare = self._spare
        lines = tuple(_shown(line) for line in spare.lines)
        role: Any = spare.done.answer.role if spare.done else ""
        table = spare.done.answer.table if spare.done else None
        now = Now(spare.code, spare.wrong, not spare.code, lines, role, table)
        if now != self.now:
            self.now = now
            self._changed()


def _shown(line: Line) -> Shown:
    return Shown(line.venue, line.called, line.seen, line.sorry)


def _anybody() -> ssl.SSLContext:
    """Whose certificate it is nobody can say yet: the code says it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context
