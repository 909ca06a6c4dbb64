"""How a device's programs find the director of their venue, put together from what its configuration says.

`appliance.link.roaming` says what a device does with it, `appliance.link.watch` what a director does. Where the broker
stands at a fixed address (``lan.find = "fixed"``) none of this is loaded.
"""

from __future__ import annotations

import functools
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from appliance import kinds
from appliance.config import Lan
from appliance.engine import history, records
from appliance.journal import Journal
from appliance.link.client import Endpoint
from appliance.link.ear import Ear
from appliance.link.notices import is_genuine
from appliance.link.roaming import Link, Roaming
from appliance.link.seek import Seeker, Sink
from appliance.link.sighting import Sighting
from appliance.link.tls import lan_endpoint
from appliance.link.watch import look
from appliance.workplace import Workplace

if TYPE_CHECKING:
    from appliance.link.announce import Announcer
    from appliance.link.call import Caller

_RENEW_S = 30.0
_WATCH_S = 2.0
"""Between a director's looks at each of the venue's other hosts."""


def seeker(place: Workplace, inbox: Sink) -> Seeker:
    """Looks for a director as a device does that has none: all the time, everywhere."""
    return _seeker(place, inbox)


def watcher(place: Workplace, inbox: Sink) -> Seeker:
    """Looks for other directors as one does that directs: now and then, and not at its own broker."""
    return _seeker(place, inbox, "--others", "--every", str(_WATCH_S))


def latest(place: Workplace) -> Sighting | None:
    """The latest director that shows itself now, before this device serves; waits a second for it."""
    return look(lambda inbox: watcher(place, inbox), place.config.venue.id, place.keyring)


def announcer(lan: Lan) -> Announcer | None:
    """What announces the director, and does so from its first notice on; None where it is looked for by name."""
    if lan.find != "zeroconf":
        return None
    from appliance.link.announce import Announcer  # it is large, and a kiosk needs nothing of it

    made = Announcer(lan.port)
    made.start()
    return made


def caller(lan: Lan) -> Caller | None:
    """What calls the devices as long as this one directs, from its first notice on; None where nobody is to be called.

    Calls go to all of the networks also where hosts are named: several devices of one machine hear nothing else.
    """
    if not lan.call:
        return None
    from appliance.link.call import Caller

    made = Caller(lan.call, lan.port, lan.hosts if lan.find == "hosts" else ())
    made.start()
    return made


def ear(place: Workplace, link: Link, inbox: Any) -> Ear | None:
    """What hears directors call, for a link to be moved; None where that is not wanted."""
    lan = place.config.lan
    if not lan.call:
        return None
    hosts = lan.hosts if lan.find == "hosts" else ()
    return Ear(
        lan.call, inbox, heeds=link.heeds, genuine=lambda notice: is_genuine(notice, place.keyring), hosts=hosts,
        at=lan.port,
    )  # fmt: skip


def roaming(place: Workplace, link: Link, inbox: Sink) -> Roaming:
    """Moves a link to where the director is."""
    return Roaming(link, seeker(place, inbox), lambda sighting: endpoint_of(place, sighting))


def endpoint_of(place: Workplace, sighting: Sighting) -> Endpoint:
    """How to connect to a director that was seen. Raises `Unusable` if this device has no good certificate."""
    return replace(lan_endpoint(place, sighting.host), port=sighting.port)


class Certified:
    """Connects as this device does to any of the venue's hosts; learns anew now and then who belongs to the venue.

    May be asked from several threads. Raises `Unusable` if this device has no good certificate.
    """

    def __init__(self, place: Workplace) -> None:
        self._place = place
        self._lock = threading.Lock()
        self._renew()

    def endpoint(self, host: str) -> Endpoint:
        """The broker of a director at ``host``, if there is one. Raises OSError."""
        with self._lock:
            if time.monotonic() >= self._renew_at:
                self._renew()
            return replace(self._endpoint, host=host)

    def _renew(self) -> None:
        know_members(self._place)
        self._endpoint = lan_endpoint(self._place, "")  # its context takes a while to make, and serves for all hosts
        self._renew_at = time.monotonic() + _RENEW_S


def know_members(place: Workplace) -> None:
    """Take who belongs to the venue from this device's own copy, without the engine that follows it.

    Raises `JournalError`. A device that has no copy yet knows those of its configuration.
    """
    file, venue = place.data / "journal", place.config.venue.id
    if file.exists():
        with Journal(file, read_only=True) as journal:
            notes = _folded(journal, f"venue/{venue}")
            place.know(_folded(journal, f"league/{venue}"), kinds.adopted(notes), kinds.dropped(notes))


def _folded(journal: Journal, stream: str) -> Any:
    kind = kinds.KINDS[stream.partition("/")[0]]
    told = records(journal, stream, history(journal, stream))
    return functools.reduce(kind.fold, told, kind.initial())


def _seeker(place: Workplace, inbox: Sink, *options: str) -> Seeker:
    files = [str(file) for file in place.files]
    return Seeker([sys.executable, "-m", "appliance", "find", "--watch", "--all", *options, *files], inbox)
