"""How much all clients together may have lying here: who has had something lie here longest has to go first.

A client that takes or sends as fast as a line lets it is never the oldest for long; one that stands still is.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from types import TracebackType


class Room:
    """So many bytes. Threads and the server's loop may take of it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._bytes = 0
        self._waiting: dict[Place, None] = {}

    @property
    def filled(self) -> int:
        """How many bytes lie here."""
        return self._bytes

    def take(self, place: Place, count: int) -> bool:
        """Let so many bytes more lie at a place; False if there is no room for them whoever goes."""
        with self._lock:
            while not place.gone and self._bytes + count > self._most:
                oldest = next((each for each in self._waiting if each is not place), None)
                if oldest is None:
                    return False
                self._clear(oldest)
                oldest.let_go()
            if not place.gone:
                place.bytes += count
                self._bytes += count
            return not place.gone

    def give(self, place: Place, count: int) -> None:
        """So many bytes lie there no more."""
        with self._lock:
            count = min(count, place.bytes)
            place.bytes -= count
            self._bytes -= count

    def wait(self, place: Place) -> None:
        """From now on a place is held by a client's slowness alone: it may have to go."""
        with self._lock:
            self._waiting[place] = None

    def stay(self, place: Place) -> None:
        """Now it is held by work of ours."""
        with self._lock:
            self._waiting.pop(place, None)

    def clear(self, place: Place) -> None:
        """Nothing lies there any more."""
        with self._lock:
            self._clear(place)

    def _clear(self, place: Place) -> None:
        self._waiting.pop(place, None)
        self._bytes -= place.bytes
        place.bytes = 0


class Place:
    """What lies in a room for one client; ``end`` ends its connection, in the loop that made the place."""

    def __init__(self, room: Room, end: Callable[[], None]) -> None:
        self._room = room
        self._end = end
        self._loop = asyncio.get_running_loop()
        self.bytes = 0
        self.gone = False

    def __enter__(self) -> Place:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._room.clear(self)

    def take(self, count: int) -> bool:
        """Let so many bytes more lie here; False if there is no room."""
        return self._room.take(self, count)

    def give(self, count: int) -> None:
        """So many are taken away."""
        self._room.give(self, count)

    def wait(self) -> None:
        """The client is waited for."""
        self._room.wait(self)

    def stay(self) -> None:
        """The client is not waited for: it has to stay."""
        self._room.stay(self)

    def let_go(self) -> None:
        """Others need the room."""
        self.gone = True
        self._loop.call_soon_threadsafe(self._end)
