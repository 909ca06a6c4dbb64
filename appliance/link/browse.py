"""Listens for directors that announce themselves by multicast DNS (RFC 6762); see `appliance.link.announce`."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from zeroconf import DNSQuestionType, InterfaceChoice, IPVersion, ServiceBrowser, ServiceStateChange, Zeroconf

from appliance.link.announce import TROUBLE
from appliance.link.interfaces import nearest_first
from appliance.link.sighting import SERVICE, BadSighting, Sighting, from_txt

_ANSWER_MS = 1000
_log = logging.getLogger(__name__)


class Browser:
    """Calls ``found`` for each address of each director seen, in a thread of its own; again after each `ask`."""

    def __init__(self, found: Callable[[Sighting], None]) -> None:
        self._found = found
        self._zeroconf: Zeroconf | None = None
        self._browser: ServiceBrowser | None = None

    def ask(self) -> bool:
        """Ask the network once more, on the interfaces that there are now; False if there is none to ask on."""
        try:
            if self._browser is not None:
                self._browser.cancel()
            if self._zeroconf is None:
                self._zeroconf = Zeroconf(InterfaceChoice.All, ip_version=IPVersion.V4Only)
            else:
                self._zeroconf.update_interfaces()
            # answered to all (QM): what is sent to port 5353 of this machine alone may reach another program's socket
            self._browser = ServiceBrowser(
                self._zeroconf, SERVICE, handlers=[self._changed], question_type=DNSQuestionType.QM
            )
        except TROUBLE as error:
            _log.warning("cannot ask the network: %s", error or type(error).__name__)
            return False
        return True

    def _changed(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        if state_change is ServiceStateChange.Removed:
            return
        info: Any = zeroconf.get_service_info(service_type, name, _ANSWER_MS, DNSQuestionType.QM)
        if info is None or not info.port:
            return
        try:
            notice = from_txt(info.properties)
        except BadSighting as error:
            _log.warning("%.80r is no director's announcement: %s", name, error)
            return
        for address in nearest_first(info.parsed_addresses()):
            self._found(Sighting(address, info.port, notice))
