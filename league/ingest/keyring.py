"""Whose signature a stream needs: the devices that the league has registered (DESIGN §3)."""

from __future__ import annotations

from collections.abc import Callable

from appliance.link import topics
from league.ingest.models import StreamHead
from league.rounds.models import Device, Round


def keyring(venue: str) -> Callable[[str, str], bytes | None]:
    """(stream, the device that opened its epoch) → that device's public key, None if it may not write it.

    Looked up anew each time, so that adding or revoking a device acts at once.
    """

    def key_of(stream: str, opener: str) -> bytes | None:
        if not topics.owned_by(venue, stream) or _elsewhere(venue, stream):
            return None
        device = Device.objects.filter(venue=venue, name=opener).first()
        return bytes.fromhex(device.public_key) if device and device.may_write(stream) else None

    return key_of


def _elsewhere(venue: str, stream: str) -> bool:
    """Whether a round's stream is another venue's: announced there, or already written from there."""
    area, _, name = stream.partition("/")
    if area != "round":
        return False
    announced = Round.objects.filter(pk=name).values_list("venue_id", flat=True).first()
    if announced is not None:
        return announced != venue
    return StreamHead.objects.filter(stream=stream).exclude(venue=venue).exists()
