"""How a device's link reaches its broker: at the one address of the configuration, or wherever the director is."""

from __future__ import annotations

from typing import Any, Protocol

from appliance.link.client import Client, Endpoint, Event
from appliance.link.envelope import DirectorNotice
from appliance.worker import tell_connection
from appliance.workplace import Workplace


class Link(Protocol):
    """What is driven (`appliance.link.kiosk.KioskLink`, `appliance.link.parting.Parting`)."""

    client: Client
    director: DirectorNotice | None

    def follows(self, notice: DirectorNotice) -> bool: ...
    def heeds(self, notice: DirectorNotice) -> bool: ...
    def doubt(self) -> None: ...
    def move(self, endpoint: Endpoint) -> None: ...
    def handle(self, event: Event) -> None: ...
    def tick(self) -> None: ...
    @property
    def due(self) -> float | None: ...


class Road(Protocol):
    """Drives a link; belongs to the thread that owns the link's store (`appliance.link.role.Role`)."""

    def start(self) -> None:
        """Begin to connect, or to look for where."""

    def stop(self) -> None:
        """Say goodbye."""

    def handle(self, item: Any) -> None:
        """Take one event."""

    def tick(self) -> None:
        """Send what is due."""

    @property
    def shut_out(self) -> str:
        """The device that directs and does not let this one in; empty where none does, or that is not known."""

    @property
    def due(self) -> float | None:
        """When `tick` wants to be called even if nothing happens."""


class Straight:
    """To the broker that the configuration names."""

    shut_out = ""

    def __init__(self, link: Link) -> None:
        self._link = link
        self.tick = link.tick

    def start(self) -> None:
        self._link.client.start()

    def stop(self) -> None:
        self._link.client.stop()

    def handle(self, item: Any) -> None:
        tell_connection(item)
        self._link.handle(item)

    @property
    def due(self) -> float | None:
        return self._link.due


class Winding:
    """To wherever the director is seen (`appliance.link.roaming`)."""

    def __init__(self, place: Workplace, link: Link, inbox: Any) -> None:
        from appliance import finding  # a kiosk at a fixed address has no use for it

        self._link = link
        self._roaming = finding.roaming(place, link, inbox)
        self._ear = finding.ear(place, link, inbox)

    def start(self) -> None:
        if self._ear is not None:
            self._ear.start()
        self._roaming.tick()

    def stop(self) -> None:
        if self._ear is not None:
            self._ear.stop()
        self._roaming.stop()
        self._link.client.stop()

    def handle(self, item: Any) -> None:
        if not self._roaming.takes(item):
            tell_connection(item)
            self._link.handle(item)

    def tick(self) -> None:
        self._link.tick()
        self._roaming.tick()

    @property
    def shut_out(self) -> str:
        return self._roaming.shut_out

    @property
    def due(self) -> float | None:
        return min((due for due in (self._link.due, self._roaming.due) if due is not None), default=None)


def road(place: Workplace, link: Link, inbox: Any) -> Road:
    """The road that the configuration asks for (``lan.find``)."""
    return Straight(link) if place.config.lan.find == "fixed" else Winding(place, link, inbox)
