"""A commissioner's phone on a host of its own: signed in over the venue's broker as kiosks do, it taps by HTTP."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar
from urllib.parse import urlencode

import msgspec

from appliance.console import signing
from appliance.link import envelope, topics
from appliance.link.client import Client, Endpoint, Inbox, Message
from appliance.link.envelope import CommandMessage, Hello, Phones, Reply
from appliance.phonekey import seal
from appliance.phonenotes import ConfirmPhone, PairPhone
from appliance.record import uuid7
from bench.venue_programs import COMMISSIONER, VENUE
from chaos.nets import Host

T = TypeVar("T")
_PATIENCE_S = 20.0
_TTL_MS = 5000


def new_id() -> str:
    """An id for what a phone wants."""
    return uuid7(time.time_ns() // 1_000_000, os.urandom(10))


class Desk:
    """A device at which phones are signed in: ``name`` is one of the venue's."""

    def __init__(self, host: Host, name: str, broker: Endpoint) -> None:
        self._name = name
        self._inbox: Inbox = queue.SimpleQueue()
        self._phones, self._replies = Phones(), dict[str, Reply]()
        heard = [(topics.reply_filter(VENUE, name), 1)]
        with host.within():  # its thread stays where it was started
            self._client = Client(broker, f"bench-{name}", self._inbox, subscriptions=heard)
            self._client.start()
        self._again(lambda: self._phones.url, "hello", envelope.encode(Hello(name, (), copies=False)))

    @property
    def url(self) -> str:
        """Where phones find the director."""
        return self._phones.url

    def offer(self) -> tuple[str, bytes]:
        """A session with its key, which the director knows from now on."""
        session, key = os.urandom(8).hex(), os.urandom(signing.KEY_BYTES)
        box = seal(key, session, self._phones.seal)
        self._ask(PairPhone(session=session, role="commissioner", box=box, by=COMMISSIONER))
        return session, key

    def confirm(self, session: str) -> None:
        """The phone shows the digits that this device shows."""
        self._ask(ConfirmPhone(session=session, yes=True, by=COMMISSIONER))

    def stop(self) -> None:
        """Leave the broker."""
        self._client.stop()

    def _ask(self, wish: PairPhone | ConfirmPhone) -> None:
        body = msgspec.Raw(msgspec.json.encode(wish))
        message = CommandMessage(new_id(), self._name, COMMISSIONER, "venue", _TTL_MS, body)
        reply = self._again(lambda: self._replies.get(message.id), "cmd", envelope.encode(message))
        if not reply.ok:
            raise RuntimeError(f"{wish}: {reply.refusal}")

    def _again(self, answer: Callable[[], T | None], leaf: topics.DeviceLeaf, payload: bytes) -> T:
        """Say it until it is answered, as kiosks do."""
        deadline = time.monotonic() + _PATIENCE_S
        while time.monotonic() < deadline:
            if not self._client.connected:
                time.sleep(0.02)
                continue
            self._client.publish(topics.device(VENUE, self._name, leaf), payload)
            until = time.monotonic() + 0.5
            while time.monotonic() < until:
                if found := answer():
                    return found
                with contextlib.suppress(queue.Empty):
                    self._hear(self._inbox.get(timeout=0.05))
        raise TimeoutError(f"no answer to {leaf} in {_PATIENCE_S:.0f} s")

    def _hear(self, event: object) -> None:
        if not isinstance(event, Message):
            return
        match event.topic.split("/")[7:]:
            case []:
                reply = envelope.decode(Reply, event.payload)
                self._replies[reply.id] = reply
            case ["phones"]:
                self._phones = envelope.decode(Phones, event.payload)


class PhoneHand:
    """A phone that is signed in. One tap at a time."""

    def __init__(self, host: Host, desk: Desk) -> None:
        self._host, self._count = host, 0
        self._where = desk.url.removeprefix("http://").rstrip("/")
        self._session, self._key = desk.offer()
        self._connection = http.client.HTTPConnection(self._where, timeout=_PATIENCE_S)
        with host.within():
            self._connection.connect()
        self.ask("POST", "/pair", json.dumps({"nonce": os.urandom(signing.NONCE_BYTES).hex(), "agent": "bench"}))
        desk.confirm(self._session)

    def ask(self, method: str, path: str, body: str = "") -> str:
        """What is answered, once all of it is there. Raises RuntimeError for what is no answer."""
        self._connection.request(method, path, body or None, self._signed(method, path, body.encode()))
        answer = self._connection.getresponse()
        text = answer.read().decode()
        if answer.status != 200:
            raise RuntimeError(f"{method} {path}: {answer.status} {text[:200]}")
        return text

    def send(self, action: str, answers: Mapping[str, str]) -> str:
        """Tap what sends a form."""
        return self.ask("POST", f"/form/{action}?lang=cs", urlencode({**answers, "do": "send", "id": new_id()}))

    @contextlib.contextmanager
    def listening(self) -> Iterator[queue.SimpleQueue[int]]:
        """The moments (monotonic ns) at which it hears that something has changed."""
        path, heard = "/events?lang=cs", queue.SimpleQueue[int]()
        ticket = json.loads(self.ask("POST", "/ticket", path))["ticket"]
        connection = http.client.HTTPConnection(self._where, timeout=_PATIENCE_S)
        with self._host.within():
            connection.connect()
        connection.request("GET", f"{path}&ticket={ticket}")
        answer, over = connection.getresponse(), threading.Event()

        def listen() -> None:
            with contextlib.suppress(OSError, ValueError, AttributeError):  # it is closed under us
                while not over.is_set() and (line := answer.readline()):
                    if line == b"event: change\n":
                        heard.put(time.monotonic_ns())

        threading.Thread(target=listen, name="phone listens", daemon=True).start()
        try:
            yield heard
        finally:
            over.set()

    def _signed(self, method: str, path: str, body: bytes) -> dict[str, str]:
        self._count += 1
        signature = signing.sign(self._key, method, path, self._count, body)
        return {signing.SESSION: self._session, signing.COUNT: str(self._count), signing.SIGNATURE: signature}
