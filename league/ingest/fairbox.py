"""The ingest's inbox: no venue has more than its share of it, so that one that floods the league drops its own."""

from __future__ import annotations

import queue
import threading
from collections import Counter

from appliance.link.client import Drops, Event, Message

SHARE = 100
"""So many messages of one venue wait at most: an uplink has fewer under way. More are dropped, and sent again."""


class FairInbox:
    """A queue of events; ``put`` is for the network's thread, the rest for the one that takes them."""

    def __init__(self) -> None:
        self.drops = Drops()
        self._events: queue.SimpleQueue[Event | None] = queue.SimpleQueue()
        self._waiting: Counter[str] = Counter()
        self._lock = threading.Lock()

    def put(self, item: Event | None, /) -> None:
        """Add an event, unless it is a message of a venue that has its share already. None wakes the reader."""
        if isinstance(item, Message):
            venue = venue_of(item.topic)
            with self._lock:
                if self._waiting[venue] >= SHARE:
                    self.drops("share-full", item.topic)
                    return
                self._waiting[venue] += 1
        self._events.put(item)

    def get(self, timeout: float) -> Event | None:
        """The next one. Raises `queue.Empty` after ``timeout`` seconds."""
        return self._taken(self._events.get(timeout=timeout))

    def get_nowait(self) -> Event | None:
        """The next one. Raises `queue.Empty` if there is none."""
        return self._taken(self._events.get_nowait())

    def qsize(self) -> int:
        """How many wait."""
        return self._events.qsize()

    def _taken(self, event: Event | None) -> Event | None:
        if isinstance(event, Message):
            venue = venue_of(event.topic)
            with self._lock:
                self._waiting[venue] -= 1
                if not self._waiting[venue]:
                    del self._waiting[venue]
        return event


def venue_of(topic: str) -> str:
    """Whose message it is, if anybody's."""
    levels = topic.split("/", 3)
    return levels[2] if len(levels) > 3 else ""
