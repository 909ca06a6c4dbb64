"""The events in the league's records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from appliance.game.codec import EventError, UnknownEvent
from appliance.game.league_event import RosterEvent
from appliance.game.roster import decode_roster_event
from appliance.record import Record


def readable(records: Iterable[Record]) -> Iterator[tuple[RosterEvent | UnknownEvent, int]]:
    """The events of the league's records, each with when it was written; what cannot be read changes nothing."""
    for record in records:
        try:
            yield decode_roster_event(record.type, record.data), record.at
        except EventError:
            continue
