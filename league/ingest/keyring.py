"""Whose signature a stream needs: the devices that the league has registered (DESIGN §3)."""

from __future__ import annotations

from django.utils import timezone

from appliance.link import topics
from league.ingest.models import StreamHead
from league.rounds.models import Device, Round


class VenueKeyring:
    """(stream, the device that opened its epoch) → that device's public key, None if it may not write it.

    Looked up anew each time, so that adding or revoking a device acts at once: what is stored stays, nothing later is
    taken.
    """

    def __init__(self, venue: str) -> None:
        self._venue = venue
        self.revoked: set[str] = set()
        """Streams that were refused for the sake of a revoked device the last time."""

    def __call__(self, stream: str, opener: str) -> bytes | None:
        """See the class."""
        self.revoked.discard(stream)
        if not topics.owned_by(self._venue, stream) or _elsewhere(self._venue, stream):
            return None
        device = Device.objects.filter(venue=self._venue, name=opener).first()
        if device is None:
            return None
        if device.may_write(stream, timezone.now()):
            return bytes.fromhex(device.public_key)
        if device.revoked_at is not None:
            self.revoked.add(stream)
        return None


def _elsewhere(venue: str, stream: str) -> bool:
    """Whether a round's stream is another venue's: announced there, or already written from there."""
    area, _, name = stream.partition("/")
    if area != "round":
        return False
    announced = Round.objects.filter(pk=name).values_list("venue_id", flat=True).first()
    if announced is not None:
        return announced != venue
    return StreamHead.objects.filter(stream=stream).exclude(venue=venue).exists()
