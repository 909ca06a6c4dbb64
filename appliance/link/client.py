"""A connection to an MQTT 3.1.1 broker: what happens on it comes out of a queue, nothing runs in paho's thread.

    inbox: Inbox = queue.SimpleQueue()
    client = Client(
        Endpoint("127.0.0.1", 1883), "league-ingest", inbox,
        subscriptions=[(topics.up_filter("ev"), 1), (topics.up_filter("ack"), 0)],
    )
    client.start()                          # connects, and connects again, in the background
    while running:
        match inbox.get():
            case Connected():               # subscriptions are granted, the birth is published
                ...
            case Message(_, topic, payload):
                ...                         # raw: `topics.parse` and `envelope.decode` come next
                client.publish(topics.down("brno", "ack"), envelope.encode(ack), qos=0)
            case Disconnected():
                sender.reset()              # whatever was in flight is lost
    client.stop()

Nothing is queued while there is no connection: `publish` then answers False, and replication repairs what was
lost. Several clients may share an inbox; each event names its client.
"""

from __future__ import annotations

import logging
import os
import queue
import random
import socket
import ssl
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from msgspec import Struct
from msgspec.structs import replace
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode

from appliance.link.bare_paho import paho
from appliance.link.envelope import MAX_PAYLOAD_BYTES

INBOX_LIMIT = 500
"""Messages waiting; more are dropped, counted and repaired by replication."""

DIRECTOR_SOCKET = Path("broker") / "socket"
"""In a director's data folder: the way into a broker of its own."""

_IN_FLIGHT = 20  # what brokers grant a client by default
_OUT_LIMIT = 200
_STEADY_S = 10.0
"""A connection that holds so long was a good one, if that is longer than the longest pause of another that wants its
name; that other one waits as we do."""
_CUTS = 3
"""So many short connections in a row are bad luck; more are somebody who throws us out each time."""
_SHORTEST_S = 0.01
_SILENCE = "Keep alive timeout"  # paho's word for it
_NO_PORT = 1  # paho wants one with a unix socket, too
_log = logging.getLogger(__name__)


class Endpoint(Struct, frozen=True):
    """Where a broker listens and who we are to it. ``path``: its unix socket, instead of host and port."""

    host: str
    port: int
    username: str | None = None
    password: str | None = None
    tls: ssl.SSLContext | None = None
    path: str = ""

    @classmethod
    def unix(cls, path: Path) -> Endpoint:
        """A broker of this machine, which only who may open the file can speak to."""
        return cls("", 0, path=str(path))

    def __str__(self) -> str:
        return self.path or f"{self.host}:{self.port}"


class Presence(Struct, frozen=True):
    """A retained message that says we are there, and the will on the same topic that says we are not.

    ``kept``: put the birth back when something else appears on its topic while we are there, such as the will of
    our last connection, which on NATS may come after the birth of this one.
    """

    topic: str
    birth: bytes
    will: bytes
    kept: bool = True


class Connected(NamedTuple):
    """The broker is there and has granted the subscriptions."""

    client: Client


class Disconnected(NamedTuple):
    """The connection is gone; the client is trying again by itself."""

    client: Client


class Message(NamedTuple):
    """A message as it came. ``retained``: the broker had kept it, it is not of this moment."""

    client: Client
    topic: str
    payload: bytes
    retained: bool = False


Event = Connected | Disconnected | Message
Inbox = queue.SimpleQueue[Event | None]
"""None wakes the reader without saying anything."""


class Sink(Protocol):
    """Where events go: an `Inbox`, or a program's own queue that holds other things as well."""

    def put(self, item: Event, /) -> None:
        """Add an event; never blocks."""

    def qsize(self) -> int:
        """How much is waiting."""


class Drops:
    """Counts what was thrown away, by code; logs the 1st, 10th, 100th … of each."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._lock = threading.Lock()

    def __call__(self, code: str, topic: str = "", detail: str = "") -> None:
        """Count one."""
        with self._lock:
            self.counts[code] += 1
            count = self.counts[code]
        if str(count).strip("0") == "1":
            _log.warning("dropped %s (%d so far): %.80r %.200s", code, count, topic, detail)


class Backoff:
    """Waits that double up to ``most`` seconds, each shortened at random by up to a half."""

    def __init__(self, first: float, most: float, chance: Callable[[], float] = random.random) -> None:
        self._first = first
        self.most = most
        self._chance = chance
        self._failures = 0

    def next(self) -> float:
        """Seconds to wait after one more failure."""
        full = min(self._first * 2.0 ** min(self._failures, 32), self.most)
        self._failures += 1
        return full * (1 - self._chance() / 2)

    def reset(self) -> None:
        """It worked."""
        self._failures = 0


class Client:
    """One MQTT connection that keeps itself up. ``publish`` and ``stop`` may be called from any thread.

    ``client_id`` must hold no dot (NATS refuses one). ``backoff``: how long to wait before connecting again.
    ``keepalive_s``: of a line on which something goes and comes more often, nobody asks whether it holds.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        client_id: str,
        inbox: Sink,
        *,
        subscriptions: Sequence[tuple[str, int]] = (),
        presence: Presence | None = None,
        backoff: Backoff | None = None,
        keepalive_s: int = 10,
    ) -> None:
        if "." in client_id:
            raise ValueError(f"client id {client_id!r} holds a dot")
        self.endpoint = endpoint
        self.client_id = client_id
        self.drops = Drops()
        self._inbox = inbox
        self._subscriptions = list(subscriptions)
        self._asked: list[tuple[str, int]] = []
        self._waiting: dict[int, list[tuple[str, int]]] = {}
        self._subscribing = threading.RLock()
        self._presence = presence
        self._kept = presence if presence and presence.kept else None
        if self._kept:
            self._subscriptions.append((self._kept.topic, 1))
        self._backoff = backoff or Backoff(0.25, 8.0)
        self.keepalive_s = keepalive_s
        self._up = threading.Event()
        self._up_since = 0.0
        self._reached = False
        self._cuts = 0
        self._stopping = False
        self._thread: threading.Thread | None = None
        self._paho = self._build()

    @property
    def connected(self) -> bool:
        """Whether there is a connection with all subscriptions granted."""
        return self._up.is_set()

    @property
    def died(self) -> bool:
        """Whether the background thread ended unasked; its program must end, too, and be started again."""
        return self._thread is not None and not self._stopping and not self._thread.is_alive()

    def start(self) -> None:
        """Begin connecting in the background; an absent broker is no error. Raises ValueError on a bad endpoint."""
        host, port = (self.endpoint.path, _NO_PORT) if self.endpoint.path else (self.endpoint.host, self.endpoint.port)
        self._paho.connect_async(host, port, keepalive=self.keepalive_s)
        before = set(threading.enumerate())
        self._paho.loop_start()
        mine = f"paho-mqtt-client-{self.client_id}"
        self._thread = next(t for t in threading.enumerate() if t not in before and t.name == mine)

    def listen_to(self, subscriptions: Sequence[tuple[str, int]]) -> None:
        """Subscribe to these in place of those before, at once or with the next connection. New ones come first."""
        with self._subscribing:
            self._subscriptions = [*subscriptions, *([(self._kept.topic, 1)] if self._kept else [])]
        if self.connected:
            self._subscribe_anew()

    def say_anew(self, said: bytes, birth: bytes | None = None) -> None:
        """Tell this at once, and from now on as birth; or another ``birth``, where this holds only as it is said."""
        if self._presence is not None:
            self._presence = replace(self._presence, birth=said if birth is None else birth)
            self._kept = replace(self._presence, birth=said) if self._kept else None
            if self.connected:
                self.publish(self._presence.topic, said, retain=True)

    def stop(self, *, silently: bool = False) -> None:
        """Say that we go, disconnect and wait for the background thread; ``silently``: another speaks on our topic."""
        with self._subscribing:  # no birth after this: a connection that ends well has no will to take it back
            self._stopping = True
        if self.connected and self._presence is not None and not silently:
            told = self._paho.publish(self._presence.topic, self._presence.will, qos=1, retain=True)
            if told.rc == MQTTErrorCode.MQTT_ERR_SUCCESS:
                _wait_until_sent(told)
        self._up.clear()
        self._paho.disconnect()
        self._paho.loop_stop()

    def leave(self) -> None:
        """Stop, without waiting for it: a broker that is gone may take seconds to say so. Never to be started again."""
        self._stopping = True
        if self._thread is not None:
            threading.Thread(target=self.stop, name=f"leaving-{self.client_id}", daemon=True).start()

    def publish(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> bool:
        """Hand a message to the connection; False (and a counted drop) if it cannot take it."""
        if not self._up.is_set():
            self.drops("offline", topic)
            return False
        if len(payload) > MAX_PAYLOAD_BYTES:  # paho would send it again on every connect, and a broker cut each one
            self.drops("too-large", topic, f"{len(payload)} bytes to publish")
            return False
        sent = self._paho.publish(topic, payload, qos=qos, retain=retain)
        if sent.rc != MQTTErrorCode.MQTT_ERR_SUCCESS:
            self.drops("not-sent", topic, paho.error_string(sent.rc))
            return False
        return True

    # -- in paho's thread: look, count, enqueue ----------------------------------------------------------

    def _build(self) -> paho.Client:
        client = _Calm(
            CallbackAPIVersion.VERSION2, self.client_id, clean_session=True, protocol=paho.MQTTv311,
            transport="unix" if self.endpoint.path else "tcp",
        )  # fmt: skip
        client.max_inflight_messages_set(_IN_FLIGHT)
        client.max_queued_messages_set(_OUT_LIMIT)
        if self.endpoint.username is not None:
            client.username_pw_set(self.endpoint.username, self.endpoint.password)
        if self.endpoint.tls is not None:
            client.tls_set_context(self.endpoint.tls)
        if self._presence is not None:
            client.will_set(self._presence.topic, self._presence.will, qos=1, retain=True)
        client.on_socket_open = self._on_socket_open
        client.on_connect = self._on_connect
        client.on_connect_fail = self._on_connect_fail
        client.on_subscribe = self._on_subscribe
        client.on_disconnect = self._on_disconnect
        client.on_message = self._on_message
        return client

    def _on_socket_open(self, client: paho.Client, data: Any, sock: Any) -> None:
        self._reached = True
        send_at_once(client, data, sock)

    def _on_connect(self, client: paho.Client, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        if reason.is_failure:
            self.drops("connection-refused", "", str(reason))
            return
        with self._subscribing:
            self._asked = []
            self._waiting.clear()
        if self._subscriptions:
            self._subscribe_anew()
        else:
            self._ready()

    def _on_subscribe(self, client: paho.Client, data: Any, mid: int, reasons: Any, properties: Any) -> None:
        with self._subscribing:
            asked = self._waiting.pop(mid, [])
        for (topic, _), reason in zip(asked, reasons, strict=False):
            if reason.is_failure:
                self.drops("subscription-refused", topic, str(reason))
        if not self._up.is_set():
            self._ready()
            self._subscribe_anew()

    def _subscribe_anew(self) -> None:
        """Tell the broker what is different from what it was asked for on this connection."""
        with self._subscribing:
            now, before = list(self._subscriptions), self._asked
            self._asked = now
            if new := [each for each in now if each not in before]:
                _, mid = self._paho.subscribe(new)
                if mid is not None:
                    self._waiting[mid] = new
            wanted = {topic for topic, _ in now}
            if gone := [topic for topic, _ in before if topic not in wanted]:
                self._paho.unsubscribe(gone)

    def _ready(self) -> None:
        self._up_since = time.monotonic()
        if self._cuts < _CUTS:
            self._backoff.reset()
        with self._subscribing:
            if self._stopping:
                return
            if self._presence is not None:
                self._kept = self._presence if self._kept else None
                self._paho.publish(self._presence.topic, self._presence.birth, qos=1, retain=True)
            self._up.set()
        self._inbox.put(Connected(self))

    def _on_connect_fail(self, client: paho.Client, data: Any) -> None:
        error = sys.exception()  # paho tells where it has caught it
        if isinstance(error, ssl.SSLError):  # somebody is there
            why = getattr(error, "verify_message", "") or error.reason or str(error)
            self.drops("tls-failed", "", f"{self.endpoint}: {why}")
        else:
            self.drops("no-broker", "", f"{self.endpoint} does not answer")
        self._wait_longer()

    def _on_disconnect(self, client: paho.Client, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        was_up, reached = self._up.is_set(), self._reached
        self._up.clear()
        self._reached = False
        if not was_up and not reached and not self._stopping:
            return  # paho says of a connection twice that nothing came on it any more
        if was_up and not self._stopping:
            self._note_cut(time.monotonic() - self._up_since)
        elif not self._stopping and reason.getName() == _SILENCE:
            self.drops("no-broker", "", f"{self.endpoint} takes the connection and says nothing")
        elif not self._stopping:
            self.drops("turned-away", "", f"{self.endpoint}: {reason}: does it know this device?")
        self._wait_longer()
        if was_up or self._stopping:
            self._inbox.put(Disconnected(self))

    def _note_cut(self, lasted_s: float) -> None:
        """Short connections in a row get ever longer pauses, and a line in the log at the 3rd, 10th, 100th."""
        if lasted_s >= max(_STEADY_S, 1.25 * self._backoff.most):
            self._cuts = 0
            self._backoff.reset()
            return
        self._cuts += 1
        if self._cuts == _CUTS or (self._cuts >= 10 and str(self._cuts).strip("0") == "1"):
            _log.warning(
                "the broker at %s has cut %d connections of %r within moments: does another device have this name?",
                self.endpoint, self._cuts, self.client_id,
            )  # fmt: skip

    def _wait_longer(self) -> None:
        # paho doubles its delay without jitter; a fixed one, set anew after each failure, leaves the doubling to us
        seconds: Any = self._backoff.next()
        self._paho.reconnect_delay_set(seconds, seconds)

    def _on_message(self, client: paho.Client, data: Any, message: paho.MQTTMessage) -> None:
        try:
            topic = message.topic
        except UnicodeDecodeError:
            self.drops("bad-topic")
            return
        if self._kept and self._presence and topic == self._kept.topic:
            if self._up.is_set() and not self._stopping and message.payload != self._kept.birth:
                self._kept = self._presence
                client.publish(topic, self._kept.birth, qos=1, retain=True)
        elif len(message.payload) > MAX_PAYLOAD_BYTES:
            self.drops("too-large", topic, f"{len(message.payload)} bytes")
        elif self._inbox.qsize() >= INBOX_LIMIT:
            self.drops("inbox-full", topic)
        else:
            self._inbox.put(Message(self, topic, bytes(message.payload), message.retain))


class _Calm(paho.Client):
    """paho's client, but its thread looks up for the keepalive alone, when it is due: it need not see seconds pass.

    A unix socket may lie deeper than the 107 bytes that its address holds (unix(7)): it is reached through its folder.
    A host's name is given as bytes where it can be: as a text, Python would load a megabyte to encode it (IDNA).
    """

    def _create_socket_connection(self) -> socket.socket:
        if self._get_proxy():
            return super()._create_socket_connection()
        return socket.create_connection((_plain(self.host), self.port), timeout=self.connect_timeout)

    def _ssl_wrap_socket(self, tcp_sock: socket.socket) -> ssl.SSLSocket:
        context = self._ssl_context
        assert context is not None, "paho wraps for TLS only"
        line = context.wrap_socket(tcp_sock, server_hostname=_plain(self.host), do_handshake_on_connect=False)
        line.settimeout(self.connect_timeout)
        line.do_handshake()
        return line

    def _create_unix_socket_connection(self) -> socket.socket:
        folder, _, name = self.host.rpartition("/")
        inside = os.open(folder or ".", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            line.connect(f"/proc/self/fd/{inside}/{name}")
        except OSError:
            line.close()
            raise
        finally:
            os.close(inside)
        return line

    def _packet_write(self) -> MQTTErrorCode:
        """Paho's own notes that something went out only where something else did not, and so asks in vain."""
        waiting = len(self._out_packet)
        done = super()._packet_write()
        if len(self._out_packet) < waiting:
            with self._msgtime_mutex:
                self._last_msg_out = time.monotonic()
        return done

    def _loop(self, timeout: float = 1.0) -> MQTTErrorCode:
        with self._msgtime_mutex:
            quiet_since = min(self._last_msg_out, self._last_bytes_received)
        due = quiet_since + self.keepalive - time.monotonic()
        return super()._loop(max(_SHORTEST_S, due) if self.keepalive else timeout)


def _plain(host: str) -> Any:
    return host.encode() if host.isascii() else host


def send_at_once(client: paho.Client, data: Any, sock: Any) -> None:
    """Without this, Nagle's algorithm and delayed acknowledgement add 40 ms to a message."""
    if sock.family != socket.AF_UNIX:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _wait_until_sent(message: paho.MQTTMessageInfo, seconds: float = 1.0) -> None:
    try:
        message.wait_for_publish(seconds)
    except (RuntimeError, ValueError) as error:
        _log.info("last word not sent: %s", error)
