"""A device hears a director call (`appliance.link.call`): datagrams that come though nobody was asked.

    ear = Ear(8883, inbox, heeds=link.heeds, genuine=link.is_genuine, hosts=lan.hosts)
    ear.start()                             # `Called` events come into the inbox
    ear.stop()

The thread sleeps in the kernel until something comes. Anybody may send anything: what is too long, garbage, of another
venue or of no later director is thrown away before a signature is looked at, and of a flood the kernel throws away all
but a few a second.
"""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from appliance.link.client import INBOX_LIMIT
from appliance.link.envelope import DirectorNotice
from appliance.link.sighting import BadSighting, Sighting, from_line

MOST_BYTES = 1200
"""Of a call: what any network carries in one piece."""

AT_ONCE, EACH_S = 20, 0.1
"""So many datagrams are looked at as they come, further ones each after so long."""

_WAITING_BYTES = 16 * 1024
_LATER_S = 1.0
_log = logging.getLogger(__name__)


class Called(NamedTuple):
    """A genuine director calls; ``place`` is where it is, None where that is to be looked for. Of no ``client``'s."""

    notice: DirectorNotice
    place: Sighting | None = None
    client: None = None


class Sink(Protocol):
    """Where events go: a program's queue."""

    def put(self, item: Called, /) -> None:
        """Add an event; never blocks."""

    def qsize(self) -> int:
        """How much is waiting."""


class Ear(threading.Thread):
    """Listens on a UDP port, which other programs of this machine may listen on, too.

    ``heeds``: whether a director with this notice would be gone to; ``genuine``: whether it signed it, which takes a
    moment. Both are asked in this thread. ``hosts``: the names where directors may be, which are connected to on
    ``at``; without any, wherever the call came from.
    """

    def __init__(
        self,
        port: int,
        inbox: Sink,
        *,
        heeds: Callable[[DirectorNotice], bool],
        genuine: Callable[[DirectorNotice], bool],
        hosts: Sequence[str] = (),
        at: int = 0,
    ) -> None:
        super().__init__(name="ear", daemon=True)
        self._port = port
        self._inbox = inbox
        self._heeds, self._genuine = heeds, genuine
        self._hosts, self._at = tuple(hosts), at
        self._line: socket.socket | None = None
        self._over = False
        self._left, self._since = float(AT_ONCE), time.monotonic()

    def start(self) -> None:
        """Begin; where the port cannot be had, directors are only looked for."""
        try:
            self._line = _open(self._port)
        except OSError as error:
            _log.warning("cannot hear directors call on UDP port %d: %s", self._port, error)
        else:
            super().start()

    def stop(self) -> None:
        """Hear no more."""
        self._over = True
        if self._line is not None:
            with contextlib.suppress(OSError):  # it says that nobody is connected, and wakes the thread all the same
                self._line.shutdown(socket.SHUT_RDWR)

    # -- in the thread -----------------------------------------------------------------------------------

    def run(self) -> None:
        assert self._line is not None
        with self._line as line:
            while not self._over:
                try:
                    said, source = line.recvfrom(MOST_BYTES + 1)
                except OSError as error:
                    if not self._over:
                        _log.warning("UDP port %d: %s", self._port, error)
                        time.sleep(_LATER_S)
                    continue
                if not self._over:
                    self._take(said, source[0] if source else "")
                    self._rest()

    def _take(self, said: bytes, source: str) -> None:
        if not source or len(said) > MOST_BYTES or self._inbox.qsize() >= INBOX_LIMIT:
            return
        try:
            call = from_line(said)
        except BadSighting:
            return
        if self._heeds(call.notice) and self._genuine(call.notice):
            self._inbox.put(Called(call.notice, self._place(call, source.removeprefix("::ffff:"))))

    def _place(self, call: Sighting, source: str) -> Sighting | None:
        """Where to connect to: never where the caller says, only where it is."""
        if not self._hosts:
            return Sighting(source, call.port, call.notice)
        known = next((host for host in self._hosts if source in _addresses(host)), None)
        return None if known is None else Sighting(known, self._at, call.notice)

    def _rest(self) -> None:
        now = time.monotonic()
        self._left = min(float(AT_ONCE), self._left + (now - self._since) / EACH_S) - 1
        self._since = now
        if self._left < 0:
            time.sleep(EACH_S)


def _open(port: int) -> socket.socket:
    """For IPv4 and IPv6, or for IPv4 where the machine has nothing else. Raises OSError."""
    try:
        line = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    except OSError:
        line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        if line.family == socket.AF_INET6:
            line.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _WAITING_BYTES)
        line.bind(("", port))
    except OSError:
        line.close()
        raise
    return line


def _addresses(host: str) -> set[str]:
    try:
        return {str(found[4][0]) for found in socket.getaddrinfo(host, None, type=socket.SOCK_DGRAM)}
    except OSError:
        return set()
