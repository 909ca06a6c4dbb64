"""Looks for a director at hosts that are known by name: its notice is retained on the broker that runs beside it."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from paho.mqtt.enums import CallbackAPIVersion

from appliance.link import envelope, topics
from appliance.link.bare_paho import paho
from appliance.link.client import Endpoint, send_at_once
from appliance.link.envelope import BadPayload, DirectorNotice
from appliance.link.sighting import Sighting

LOOK_S = 2.0
"""The longest look at one host."""

FOUND_S = 5.0
"""Until a host that showed a director is looked at again."""

_TURN_S = 0.1
_log = logging.getLogger(__name__)


class Prober:
    """Looks at each host in turn for ever, all at once, each in a thread; ``found`` is called in these.

    ``every_s``: until a host where nobody was is looked at again. ``but``: a host is left alone once it has shown
    this device's own notice.
    """

    def __init__(
        self, places: Sequence[Callable[[], Endpoint]], venue: str, found: Callable[[Sighting], None], *,
        every_s: float, but: str = "",
    ) -> None:  # fmt: skip
        self._venue = venue
        self._found = found
        self._every_s = every_s
        self._but = but
        self._threads = [threading.Thread(target=self._watch, args=(place,), daemon=True) for place in places]

    def ask(self) -> bool:
        """Begin; the first time is for all."""
        for thread in self._threads:
            if thread.ident is None:
                thread.start()
        return True

    def _watch(self, place: Callable[[], Endpoint]) -> None:
        while True:
            notice = None
            try:
                endpoint = place()
                notice = look(endpoint, self._venue)
            except OSError as error:
                _log.warning("%s", error)
            if notice is not None:
                if notice.device == self._but:
                    return
                self._found(Sighting(endpoint.host, endpoint.port, notice))
            time.sleep(self._every_s if notice is None else FOUND_S)


def look(endpoint: Endpoint, venue: str) -> DirectorNotice | None:
    """The notice retained on a broker; None if there is no broker, or none on it, within `LOOK_S`."""
    until = time.monotonic() + LOOK_S
    told: list[DirectorNotice | None] = []
    client = _reader(endpoint, topics.director(venue), told)
    try:
        client.connect(endpoint.host, endpoint.port, keepalive=int(LOOK_S))
        while not told and time.monotonic() < until and client.loop(_TURN_S) == paho.MQTT_ERR_SUCCESS:
            pass
        client.disconnect()
    except (OSError, ValueError):  # refused, unreachable, no such name, another's certificate
        return None
    return told[0] if told else None


def _reader(endpoint: Endpoint, topic: str, told: list[DirectorNotice | None]) -> paho.Client:
    client = paho.Client(CallbackAPIVersion.VERSION2, "", clean_session=True, protocol=paho.MQTTv311)
    client.connect_timeout = LOOK_S
    if endpoint.username is not None:
        client.username_pw_set(endpoint.username, endpoint.password)
    if endpoint.tls is not None:
        client.tls_set_context(endpoint.tls)

    def subscribe(client: paho.Client, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        client.subscribe(topic, 1)

    def read(client: paho.Client, data: Any, message: paho.MQTTMessage) -> None:
        try:
            told.append(envelope.decode(DirectorNotice, bytes(message.payload)))
        except BadPayload:
            told.append(None)

    client.on_connect = subscribe
    client.on_message = read
    client.on_socket_open = send_at_once
    return client
