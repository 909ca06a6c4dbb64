"""A reader and one job for one card: done while the card lies there, gone on with when it comes back."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from appliance.desk.desk import Refused
from appliance.hw.ports import (
    CardLost,
    CardPresented,
    CardUnreadable,
    Channel,
    Reader,
    ReaderEvent,
    ReaderOffline,
    ReaderOnline,
)

T = TypeVar("T")


class GaveUp(Exception):
    """No card came, or the one that was torn away did not come back."""


class Session(Generic[T]):
    """One job; its dialog runs in the reader's thread, `run` in the caller's."""

    def __init__(self, job: Callable[[Channel, str], T], tell: Callable[[str], None]) -> None:
        self._job = job
        self._tell = tell
        self._torn: str | None = None
        self._over = False

    def dialog(self, channel: Channel, uid: str) -> Callable[[], T] | None:
        """Do the job. What comes of it, an error too, is handed over as a function that gives it."""
        if self._over:
            return None
        if self._torn not in (None, uid):
            self._tell(f"this is another card: put {self._torn} back first")
            return None
        try:
            done = self._job(channel, uid)
        except CardLost:
            self._torn = uid
            raise
        except (Refused, OSError) as error:
            self._over = True
            problem = error
        else:
            self._over = True
            return lambda: done

        def outcome() -> T:
            raise problem

        return outcome

    def run(self, reader: Reader, timeout: float) -> T:
        """Wait so many seconds for the card and the job's end. Raises `GaveUp` and whatever the job raises."""
        events: queue.SimpleQueue[ReaderEvent] = queue.SimpleQueue()
        offline = ""
        reader.start(events.put, self.dialog)
        try:
            ends = time.monotonic() + timeout
            while (left := ends - time.monotonic()) > 0:
                try:
                    event = events.get(timeout=left)
                except queue.Empty:
                    break
                match event:
                    case CardPresented(reading=outcome) if callable(outcome):
                        return outcome()  # type: ignore[no-any-return]
                    case CardUnreadable():
                        self._tell(f"the card was not read to the end ({event.why}): put it back and leave it there")
                    case ReaderOffline():
                        offline = f": reader offline: {event.why}"
                        self._tell(offline.removeprefix(": "))
                    case ReaderOnline():
                        offline = ""
        finally:
            reader.stop()
        problem = f"no card within {timeout:.0f} s" if self._torn is None else f"{self._torn} did not come back"
        raise GaveUp(problem + offline)
