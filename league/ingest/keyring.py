"""Whose signature a stream needs: the devices that the league has registered (DESIGN §3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from django.utils import timezone

from appliance.link import topics
from league.ingest.models import StreamHead
from league.rounds.models import Device, Round

_MOST_ROUNDS = 100  # that a venue writes at a time


class Known:
    """What keyrings found, asked anew for each group of messages in two questions, whichever venues they are from."""

    def __init__(self) -> None:
        self._asked: defaultdict[str, set[str]] = defaultdict(set)
        self._rounds: defaultdict[str, set[str]] = defaultdict(set)
        self.devices: dict[tuple[str, str], Device] = {}
        self.rounds: dict[str, str] = {}

    def look(self, venues: Iterable[str]) -> None:
        """Forget what was found, and ask for what these venues' streams needed before."""
        here = set(venues)
        names = {name for venue in here for name in self._asked.get(venue, ())}
        rounds = {name for venue in here for name in self._rounds.get(venue, ())}
        found = Device.objects.filter(venue__in=here, name__in=names) if names else ()
        self.devices = {(device.venue_id, device.name): device for device in found}
        planned = Round.objects.filter(pk__in=rounds).values_list("pk", "venue_id") if rounds else ()
        self.rounds = dict(planned)

    def forget(self) -> None:
        """Devices have changed."""
        self.devices = {}

    def device(self, venue: str, name: str) -> Device | None:
        """A device of a venue, None if there is none."""
        known = self.devices.get((venue, name))
        if known is None:
            known = Device.objects.filter(venue=venue, name=name).first()
            if known is not None:
                self._asked[venue].add(name)
                self.devices[venue, name] = known
        return known

    def venue_of(self, round: str, asks: str) -> str | None:
        """Where a round was announced; ``asks``: the venue that writes it."""
        known = self.rounds.get(round)
        if known is None:
            known = Round.objects.filter(pk=round).values_list("venue_id", flat=True).first()
            if known is not None:
                if len(self._rounds[asks]) >= _MOST_ROUNDS:
                    self._rounds[asks].clear()
                self._rounds[asks].add(round)
                self.rounds[round] = known
        return known


class VenueKeyring:
    """(stream, the device that opened its epoch) → that device's public key, None if it may not write it.

    Looked up anew for each group of messages, so that adding or revoking a device acts at once: what is stored stays,
    nothing later is taken.
    """

    def __init__(self, venue: str, known: Known) -> None:
        self._venue = venue
        self._known = known
        self.revoked: set[str] = set()
        """Streams that were refused for the sake of a revoked device the last time."""

    def __call__(self, stream: str, opener: str) -> bytes | None:
        """See the class."""
        self.revoked.discard(stream)
        if not topics.owned_by(self._venue, stream) or self._elsewhere(stream):
            return None
        device = self._known.device(self._venue, opener)
        if device is None:
            return None
        if device.may_write(stream, timezone.now()):
            return bytes.fromhex(device.public_key)
        if device.revoked_at is not None:
            self.revoked.add(stream)
        return None

    def _elsewhere(self, stream: str) -> bool:
        """Whether a round's stream is another venue's: announced there, or already written from there."""
        area, _, name = stream.partition("/")
        if area != "round":
            return False
        announced = self._known.venue_of(name, self._venue)
        if announced is not None:
            return announced != self._venue
        return StreamHead.objects.filter(stream=stream).exclude(venue=self._venue).exists()
