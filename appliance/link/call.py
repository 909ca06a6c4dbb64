"""A director calls the devices of its venue, which may hang at a connection to another one that is gone.

    caller = Caller(8883, broker_port, hosts)
    caller.start()
    caller.call(notice)                     # again whenever it has changed
    caller.stop()

A call is a datagram (UDP) with the director's signed notice as a line of `tableside find`, to every host that the
configuration names and to all of each network that this machine is on. It costs devices nothing to wait for one
(`appliance.link.ear`), so they need not find out by themselves that a director fell silent.
"""

from __future__ import annotations

import logging
import queue
import socket
import threading
import time
from collections.abc import Callable, Iterable, Sequence

from appliance.link.envelope import DirectorNotice
from appliance.link.interfaces import broadcast_addresses
from appliance.link.role import Now
from appliance.link.sighting import Sighting, to_line

OFTEN_S, RARELY_S = 0.4, 10.0
"""Between calls, at first or while it gathers, and later."""

AT_FIRST_S = 6.0
"""How long after a new notice it calls often: longer than a switch takes to pass on what comes from a new cable."""

_STOP_S = 1.0
_log = logging.getLogger(__name__)


class Caller(threading.Thread):
    """Calls on ``port``; the broker is at ``at``. `call` and `stop` may be called from any thread."""

    def __init__(
        self,
        port: int,
        at: int,
        hosts: Sequence[str] = (),
        *,
        networks: Callable[[], Iterable[str]] = broadcast_addresses,
        now: Now = time.monotonic,
    ) -> None:
        super().__init__(name="caller", daemon=True)
        self._port, self._at = port, at
        self._hosts = tuple(hosts)
        self._networks = networks
        self._now = now
        self._notices: queue.SimpleQueue[DirectorNotice | None] = queue.SimpleQueue()
        self._known: dict[str, tuple[int, str]] = {}
        self._resolve_at = 0.0

    def call(self, notice: DirectorNotice) -> None:
        """Call with this notice from now on."""
        self._notices.put(notice)

    def stop(self) -> None:
        """Call no more."""
        self._notices.put(None)
        if self.is_alive():
            self.join(_STOP_S)

    # -- in the thread -----------------------------------------------------------------------------------

    def run(self) -> None:
        wanted: DirectorNotice | None = None
        since = 0.0
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as four:
            four.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
            while True:
                often = wanted is not None and (wanted.gathering or self._now() < since + AT_FIRST_S)
                wait = OFTEN_S if often else RARELY_S
                try:
                    wanted = self._notices.get(timeout=None if wanted is None else wait)
                    since = self._now()
                except queue.Empty:
                    pass
                if wanted is None:
                    return
                self._say(four, to_line(Sighting(wanted.device, self._at, wanted)))

    def _say(self, four: socket.socket, line: bytes) -> None:
        for address in self._networks():
            _send(four, line, (address, self._port))
        for host in self._hosts:
            if (known := self._known.get(host)) is None:
                continue
            if known[0] == socket.AF_INET:
                _send(four, line, (known[1], self._port))
            else:
                with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as six:
                    _send(six, line, (known[1], self._port))
        if self._now() >= self._resolve_at:  # last: names that nobody knows may take seconds
            self._resolve_at = self._now() + RARELY_S
            if self._learn():
                self._say(four, line)

    def _learn(self) -> bool:
        """Look up the hosts whose addresses are not known yet; whether there are new ones."""
        before = len(self._known)
        for host in self._hosts:
            if host not in self._known:
                try:
                    family, _, _, _, address = socket.getaddrinfo(host, None, type=socket.SOCK_DGRAM)[0]
                except OSError as error:
                    _log.info("%s: %s", host, error)
                else:
                    self._known[host] = (family, str(address[0]))
        return len(self._known) > before


def _send(line: socket.socket, said: bytes, where: tuple[str, int]) -> None:
    """A network or a host that cannot be reached now may be there at the next call."""
    try:
        line.sendto(said, where)
    except OSError as error:
        _log.debug("%s: %s", where[0], error)
