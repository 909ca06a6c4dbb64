"""A venue that floods the league drops its own messages, and nobody else's."""

from __future__ import annotations

import queue

import pytest

from appliance.link import topics
from appliance.link.client import Client, Connected, Endpoint, Message
from league.ingest.fairbox import SHARE, FairInbox

CLIENT = Client(Endpoint("127.0.0.1", 1), "nobody", queue.SimpleQueue())


def message(venue: str, payload: bytes = b"") -> Message:
    return Message(CLIENT, topics.up(venue, "ev"), payload, False)


def test_a_venue_that_floods_has_its_share_and_no_more() -> None:
    box = FairInbox()
    for _ in range(10 * SHARE):
        box.put(message("loud"))
    box.put(message("quiet", b"heard"))
    box.put(Connected(CLIENT))
    assert box.qsize() == SHARE + 2
    assert box.drops.counts == {"share-full": 9 * SHARE}
    events = [box.get_nowait() for _ in range(SHARE + 2)]
    assert [event.payload for event in events if isinstance(event, Message)][-1] == b"heard"
    with pytest.raises(queue.Empty):
        box.get(timeout=0.01)


def test_what_was_taken_makes_room_and_whoever_has_no_venue_shares_one_place() -> None:
    box = FairInbox()
    for _ in range(SHARE):
        box.put(message("loud"))
        box.put(Message(CLIENT, "garbage", b"", False))
    box.put(message("loud"))
    box.get_nowait()
    box.put(message("loud", b"again"))
    box.put(None)
    events = [box.get_nowait() for _ in range(box.qsize())]
    assert events[-1] is None
    assert isinstance(events[-2], Message) and events[-2].payload == b"again"
