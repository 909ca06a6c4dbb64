"""How a venue's devices stand, as its uplink said last: kept as told, for the office to look at.

A venue may say anything. What is kept is bounded, fits both databases, and shows nothing that a screen cannot.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.utils import timezone

from appliance import power
from appliance.link.envelope import DeviceState, State
from league.fleet.models import VenueStanding


class Said(NamedTuple):
    """What a device said of itself. ``at``: when, by the director's clock; None where it did not say.

    ``readers``: names and codes of what ails them, empty for one that works.
    """

    device: str
    at: datetime | None
    online: bool
    role: str
    software: str
    offset_ms: int | None
    readers: tuple[tuple[str, str], ...]
    power: str
    waiting: int | None

    @property
    def weak(self) -> bool:
        """Whether it gets too little power."""
        return self.power in power.AILING

    @property
    def ails(self) -> bool:
        """Whether somebody should look at it."""
        return ails(self.power, self.readers)


def ails(word: str, readers: Any) -> bool:
    """Whether something is wrong with a device of this power and these readers."""
    return word in power.AILING or any(trouble for _, trouble in readers)


def keep(states: Mapping[str, State]) -> None:
    """Write down what uplinks' states say of the devices, by venue. Who says nothing of them leaves what was said."""
    rows = []
    for venue, state in states.items():
        devices = [_kept(device) for device in {device.device: device for device in state.devices}.values()]
        ailing = sum(device["online"] and ails(device["power"], device["readers"]) for device in devices)
        if devices:
            values = {"devices": devices, "left_out": state.left_out, "ailing": ailing, "heard_at": timezone.now()}
            rows.append(VenueStanding(venue_id=venue, **values))
    VenueStanding.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["venue"],
        update_fields=["devices", "left_out", "ailing", "heard_at"],
    )  # fmt: skip


def said_by(standing: VenueStanding | None) -> dict[str, Said]:
    """What the devices of a venue said, by their names."""
    found = {}
    for device in standing.devices if standing else ():
        at = datetime.fromtimestamp(device["at"] / 1000, UTC) if device["at"] else None
        readers = tuple((name, trouble) for name, trouble in device["readers"])
        found[device["device"]] = Said(**(device | {"at": at, "readers": readers}))
    return found


def _kept(device: DeviceState) -> dict[str, Any]:
    return {
        "device": device.device, "at": device.at, "online": device.online, "role": device.role,
        "software": _shown(device.software), "offset_ms": device.offset_ms, "power": device.power,
        "readers": [[_shown(reader.name), reader.trouble] for reader in device.readers], "waiting": device.waiting,
    }  # fmt: skip


def _shown(text: str) -> str:
    """A sign for each character that shows nothing, turns the text round, or does not fit a database."""
    return "".join(char if char.isprintable() else "\ufffd" for char in text)
