"""The director says on the venue's network where it is, by multicast DNS (RFC 6762): the service `_tableside._tcp`.

    announcer = Announcer(8883)
    announcer.start()
    announcer.announce(notice)              # again whenever it has changed
    announcer.stop()                        # withdraws it

The thread follows the machine's addresses too: what the cable brings a minute later is announced then.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Sequence

import zeroconf
from zeroconf import InterfaceChoice, IPVersion, ServiceInfo, Zeroconf

from appliance.link import sighting
from appliance.link.envelope import DirectorNotice
from appliance.link.interfaces import own_addresses

LOOK_S = 5.0
"""Between looks at the machine's addresses."""

Interfaces = InterfaceChoice | Sequence[str]
Shown = tuple[DirectorNotice, tuple[str, ...]]
TROUBLE = (OSError, zeroconf.Error, TimeoutError)
"""What a network that comes and goes may raise; later it may be well."""

_STOP_S = 3.0
_log = logging.getLogger(__name__)


def open_line(interfaces: InterfaceChoice | list[str | int] = InterfaceChoice.All, *, alone: bool = False) -> Zeroconf:
    """What speaks multicast DNS; ``alone``: from a port of its own, hearing only answers. Raises `TROUBLE`.

    A cable that is pulled would stand in the log with a trace.
    """
    logging.getLogger("zeroconf").setLevel(logging.ERROR)
    return Zeroconf(interfaces, unicast=alone, ip_version=IPVersion.V4Only)


class Announcer:
    """Shows one director's notice. ``announce`` and ``stop`` may be called from any thread."""

    def __init__(
        self,
        port: int,
        *,
        interfaces: Interfaces = InterfaceChoice.All,
        addresses: Callable[[], Sequence[str]] = own_addresses,
        look_s: float = LOOK_S,
    ) -> None:
        self._port = port
        self._interfaces = interfaces
        self._addresses = addresses
        self._look_s = look_s
        self._notices: queue.SimpleQueue[DirectorNotice | None] = queue.SimpleQueue()
        self._wanted: DirectorNotice | None = None
        self._shown: Shown | None = None
        self._zeroconf: Zeroconf | None = None
        self._trouble = ""
        self._thread = threading.Thread(target=self._run, name="announcer", daemon=True)

    def start(self) -> None:
        """Begin; nothing is said before there is something to announce."""
        self._thread.start()

    def announce(self, notice: DirectorNotice) -> None:
        """Show this notice from now on."""
        self._notices.put(notice)

    def stop(self) -> None:
        """Take back what was announced, and wait a moment for that."""
        self._notices.put(None)
        if self._thread.is_alive():
            self._thread.join(_STOP_S)

    # -- in the thread -----------------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            try:
                wanted = self._notices.get(timeout=self._look_s if self._wanted else None)
            except queue.Empty:
                wanted = self._wanted
            if wanted is None:
                break
            self._wanted = wanted
            try:
                self._show((wanted, tuple(self._addresses())))
                self._trouble = ""
            except TROUBLE as error:
                self._complain(error)
                self._withdraw()  # what is half said is said anew
        self._withdraw()

    def _show(self, wanted: Shown) -> None:
        if wanted == self._shown:
            return
        if self._zeroconf is None:
            self._zeroconf = open_line(self._given)
        elif self._shown and wanted[1] != self._shown[1]:
            self._zeroconf.update_interfaces()
        info = self._info(*wanted)
        if self._shown is None:
            # no questions first whether somebody has the name: a device's is its own, and people wait
            self._zeroconf.register_service(info, cooperating_responders=True)
        else:
            self._zeroconf.update_service(info)
        self._shown = wanted

    @property
    def _given(self) -> InterfaceChoice | list[str | int]:
        return self._interfaces if isinstance(self._interfaces, InterfaceChoice) else [*self._interfaces]

    def _info(self, notice: DirectorNotice, addresses: Sequence[str]) -> ServiceInfo:
        name = sighting.instance(notice)
        return ServiceInfo(
            sighting.SERVICE,
            f"{name}.{sighting.SERVICE}",
            port=self._port,
            properties=dict(sighting.to_txt(notice)),
            server=f"{name}.local.",
            parsed_addresses=list(addresses),
        )

    def _withdraw(self) -> None:
        said, self._zeroconf, self._shown = self._zeroconf, None, None
        if said is not None:
            try:
                said.close()
            except TROUBLE as error:
                self._complain(error)

    def _complain(self, error: Exception) -> None:
        """A line for the log, one for each kind of trouble in a row."""
        if str(error) != self._trouble:
            self._trouble = str(error)
            _log.warning("cannot announce the director on the network: %s", error or type(error).__name__)
