"""The director's side of pings: its clock for who asks, and a word to who has to say hello again."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from appliance.link import envelope, topics
from appliance.link.client import Client
from appliance.link.envelope import Pong, moment
from appliance.link.role import Now

NUDGE_S = 1.0
_MAX_DEVICES = 200


class Pulse:
    """``known``: the devices that are there, by their names. ``clock``: UTC milliseconds, as in records."""

    def __init__(
        self, venue: str, client: Client, clock: Callable[[], int], now: Now, known: Mapping[str, object]
    ) -> None:
        self._venue = venue
        self._client = client
        self._clock = clock
        self._now = now
        self._known = known
        self._nudged: dict[str, float] = {}

    @property
    def mono_ms(self) -> int:
        """The monotonic clock of this machine in milliseconds."""
        return int(self._now() * 1000)

    def pong(self, device: str, ping_id: str) -> None:
        """Answer a ping."""
        present = tuple(sorted(self._known))
        pong = Pong(ping_id, moment(self._clock()), self.mono_ms, known=device in self._known, present=present)
        self._client.publish(topics.reply(self._venue, device, "pong"), envelope.encode(pong), qos=0)

    def nudge(self, device: str) -> None:
        """Ask a device whose hello was lost (or overtaken by its own will) to say it again; once a second."""
        now = self._now()
        if device in self._known or now - self._nudged.get(device, -NUDGE_S) < NUDGE_S:
            return
        if len(self._nudged) > _MAX_DEVICES:
            self._nudged.clear()
        self._nudged[device] = now
        self.pong(device, "")
