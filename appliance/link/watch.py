"""A director keeps an eye on the network: where a later one shows itself, the older falls silent (DESIGN §5).

latest = look(seeker_of, venue, keyring)    # before serving: somebody may have taken over while we were away
watch = Watch(seeker_of(inbox), keyring, on_later)
watch.direct(notice)                        # from now on, in this epoch
watch.seen(sighting)                        # for each `Seen` of the inbox
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable

from appliance.link.envelope import DirectorNotice
from appliance.link.notices import is_genuine
from appliance.link.role import Now
from appliance.link.seek import Looking, Seeker, Seen, Sink
from appliance.link.sighting import Sighting
from appliance.link.store import Keyring
from appliance.record import Epoch

LOOK_S = 1.0
"""How long a director looks about before it serves."""

_LONGEST_START_S = 10.0
"""How long the child may take to begin: on the slowest board after a cold start, several seconds."""


class Watch:
    """Tells of each later director once. ``on_later`` is called in the thread that hands in what was seen."""

    def __init__(self, seeker: Seeker, keyring: Keyring, on_later: Callable[[Sighting], None]) -> None:
        self._seeker = seeker
        self._keyring = keyring
        self._own: DirectorNotice | None = None
        self._highest: Epoch | None = None
        self._on_later = on_later

    def direct(self, notice: DirectorNotice) -> None:
        """Watch from now on for who is later than this."""
        self._own, self._highest = notice, Epoch.parse(notice.epoch)
        self._seeker.start()

    def stop(self) -> None:
        """Watch no more."""
        self._seeker.stop()

    def seen(self, sighting: Sighting) -> None:
        """Somebody says that a director is there. One that still asks for the longest copy deposes nobody yet."""
        notice = sighting.notice
        epoch = Epoch.parse(notice.epoch)
        if self._own is None or notice.gathering or notice.venue != self._own.venue or epoch.leaps(self._own.epoch):
            return
        if self._highest is not None and epoch > self._highest and is_genuine(notice, self._keyring):
            self._highest = epoch
            self._on_later(sighting)


def look(
    seeker_of: Callable[[Sink], Seeker],
    venue: str,
    keyring: Keyring,
    seconds: float = LOOK_S,
    now: Now = time.monotonic,
) -> Sighting | None:
    """The latest director that serves and shows itself within ``seconds`` from when the child looks, if any does."""
    inbox: queue.SimpleQueue[Seen | Looking] = queue.SimpleQueue()
    seeker = seeker_of(inbox)
    seeker.start()
    latest: Sighting | None = None
    until = now() + _LONGEST_START_S
    try:
        while True:
            match inbox.get(timeout=max(0.0, until - now())):
                case Looking():
                    until = min(until, now() + seconds)
                case Seen(sighting=sighting):
                    notice = sighting.notice
                    if notice.venue == venue and not notice.gathering and is_genuine(notice, keyring):
                        latest = max(latest or sighting, sighting, key=_epoch)
    except queue.Empty:
        return latest
    finally:
        seeker.stop()


def _epoch(sighting: Sighting) -> Epoch:
    return Epoch.parse(sighting.notice.epoch)
