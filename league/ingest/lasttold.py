"""What a venue's stream says last of something that is told whole each time."""

from __future__ import annotations

from typing import TypeVar

from appliance import record as rec
from appliance.game.codec import EventError
from appliance.game.league_event import RosterEvent
from appliance.game.roster import decode_roster_event
from league.ingest.models import RawRecord
from league.ingest.store import VenueStore

E = TypeVar("E", bound=RosterEvent)


def last_of(venue: str, name: str, kind: type[E]) -> E | None:
    """The last event of this name in the venue's stream, None where it has none that this version can read."""
    stream = f"league/{venue}"
    for epoch, upto in reversed(VenueStore(venue).history(stream)):
        rows = RawRecord.objects.filter(stream=stream, epoch=epoch, seq__lte=upto, type=name)
        if (row := rows.order_by("-seq").first()) is not None:
            try:
                event = decode_roster_event(name, rec.decode(bytes(row.raw)).data)
            except EventError:
                return None
            return event if isinstance(event, kind) else None
    return None
