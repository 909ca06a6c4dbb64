"""Listens for directors that announce themselves by multicast DNS (RFC 6762); see `appliance.link.announce`."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from zeroconf import DNSQuestionType, ServiceBrowser, ServiceStateChange, Zeroconf

from appliance.link.announce import TROUBLE, open_line
from appliance.link.interfaces import nearest_first
from appliance.link.sighting import SERVICE, BadSighting, Sighting, from_txt

_ANSWER_MS = 1000
_log = logging.getLogger(__name__)


class Browser:
    """Calls ``found`` for each address of each director seen, in threads of its own; again after each `ask`.

    It asks twice. What is announced or answered to all (port 5353) is heard whenever it comes, but who has answered
    a moment ago waits for up to a second before he does so again (RFC 6762, 6); a question from a port of our own is
    answered to that port, at once (6.7).
    """

    def __init__(self, found: Callable[[Sighting], None]) -> None:
        self._found = found
        self._lines: dict[bool, Zeroconf] = {}
        self._browsers: dict[bool, ServiceBrowser] = {}

    def ask(self) -> bool:
        """Ask the network once more, on the interfaces that there are now; False if there is none to ask on."""
        alone = self._ask(True)
        return self._ask(False) and alone

    def _ask(self, alone: bool) -> bool:
        try:
            if alone in self._browsers:
                self._browsers.pop(alone).cancel()
            if alone in self._lines:
                self._lines[alone].update_interfaces()
            else:
                self._lines[alone] = open_line(alone=alone)
            # to all (QM): what is sent to port 5353 of this machine alone may reach another program's socket
            self._browsers[alone] = ServiceBrowser(
                self._lines[alone], SERVICE, handlers=[self._changed], question_type=DNSQuestionType.QM
            )
        except TROUBLE as error:
            _log.warning("cannot ask the network: %s", error or type(error).__name__)
            return False
        return True

    def _changed(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        if state_change is ServiceStateChange.Removed:
            return
        try:
            info: Any = zeroconf.get_service_info(service_type, name, _ANSWER_MS, DNSQuestionType.QM)
        except TROUBLE as error:  # a name that somebody made up
            _log.warning("%.80r is no director: %s", name, error)
            return
        if info is None or not info.port:
            return
        try:
            notice = from_txt(info.properties)
        except BadSighting as error:
            _log.warning("%.80r is no director's announcement: %s", name, error)
            return
        for address in nearest_first(info.parsed_addresses()):
            self._found(Sighting(address, info.port, notice))
