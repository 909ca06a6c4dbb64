"""A device goes where the director is (DESIGN §5): to the latest one that is genuine, and never back.

    roaming = Roaming(link, seeker, endpoint_of)
    while running:
        if not roaming.takes(item):
            link.handle(item)
        link.tick()
        roaming.tick()                      # also at `roaming.due`

While the director's notice is heard nobody seeks, nothing wakes. Without one for a moment the seeker looks; the latest
director it sees is gone to at once, and the other places of the same one are tried in turn until it is heard. A later
one that calls (`appliance.link.ear`) is gone to although the director seems to be there.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import NamedTuple, Protocol

from appliance.link.client import Client, Endpoint
from appliance.link.ear import Called
from appliance.link.envelope import DirectorNotice
from appliance.link.role import Now
from appliance.link.seek import Looking, Seen
from appliance.link.sighting import Sighting
from appliance.record import Epoch

PATIENCE_S = 0.3
"""How long a connection that was good may be without a director before somebody looks for another."""

TRY_S, LONGEST_TRY_S = 2.0, 8.0
"""How long a place has to let its director be heard, doubled with each round that was in vain."""

CALLED_S = 6.0
"""How long somebody who calls is looked for, before the director that seems to be there counts again."""

SHUT_OUT = 2
"""So many times in a row a director's broker takes the connection and tells nothing, or turns this device away, before
it is said that it does not let this device in: it may just be about to learn who belongs here."""

MOST_PLACES = 64
_MOST_VAIN = 64

_log = logging.getLogger(__name__)


class Search(Protocol):
    """What looks for directors (`appliance.link.seek.Seeker`)."""

    @property
    def running(self) -> bool:
        """Whether it looks."""

    def start(self, *options: str) -> None:
        """Look, as options of `tableside find` say."""

    def stop(self) -> None:
        """Look no more."""


class Link(Protocol):
    """What is moved (`appliance.link.kiosk.KioskLink`)."""

    client: Client
    director: DirectorNotice | None
    """Who directs, None while that is not known."""

    def follows(self, notice: DirectorNotice) -> bool:
        """Whether this device would take a director of whom it hears elsewhere."""

    def heeds(self, notice: DirectorNotice) -> bool:
        """Whether a director that calls concerns it, were it genuine."""

    def doubt(self) -> None:
        """Find out soon whether the director is there: another one, of no later epoch, gathers."""

    def move(self, endpoint: Endpoint) -> None:
        """Connect elsewhere."""


class Place(NamedTuple):
    """Where a broker is."""

    host: str
    port: int


class Roaming:
    """Moves a link. ``endpoint_of`` makes a connection's endpoint of a sighting; it may raise OSError."""

    def __init__(
        self,
        link: Link,
        search: Search,
        endpoint_of: Callable[[Sighting], Endpoint],
        *,
        now: Now = time.monotonic,
    ) -> None:
        self._link = link
        self._search = search
        self._endpoint_of = endpoint_of
        self._now = now
        self._missed_since: float | None = None if link.director else now() - PATIENCE_S
        self._places: dict[Place, Sighting] = {}
        self._tried: set[Place] = set()
        self._goal: Sighting | None = None
        self._try_s = TRY_S
        self._try_until = 0.0
        self._call: DirectorNotice | None = None
        self._call_until = 0.0
        self._vain: dict[str, None] = {}
        self._without = ""
        self._refused = 0

    @property
    def shut_out(self) -> str:
        """The device that directs and does not let this one in; empty where none does, or that is not known."""
        return self._goal.notice.device if self._goal is not None and self._refused >= SHUT_OUT else ""

    @property
    def due(self) -> float | None:
        """When `tick` wants to be called even if nothing happens."""
        if self._missed_since is None:
            return None
        dues = [self._call_until] if self._call is not None else []
        if not self._search.running:
            dues.append(self._missed_since + PATIENCE_S)
        elif self._places:
            dues.append(self._try_until)
        return min(dues, default=None)

    def stop(self) -> None:
        """Look no more."""
        self._search.stop()

    def takes(self, item: object) -> bool:
        """Take what the search says, or who calls; False if it is neither."""
        if isinstance(item, Seen):
            self.seen(item.sighting)
        elif isinstance(item, Called):
            self.called(item)
        return isinstance(item, Seen | Looking | Called)

    def called(self, call: Called) -> None:
        """A genuine director calls. Whoever is heard now is left for a later one; it is looked for where its place is
        not told. One that was not there where it called from is not believed again: anybody can repeat a call.
        """
        notice, heard = call.notice, self._link.director
        if not self._link.heeds(notice) or notice.epoch in self._vain:
            return
        if heard is not None and _of(notice) <= _of(heard):
            self._link.doubt()
            return
        if heard is not None and (self._call is None or _of(notice) > _of(self._call)):
            self._call, self._call_until = notice, self._now() + CALLED_S
            self._missed_since = self._missed_since or self._now()
            if call.place is None:
                self._look()
        if call.place is not None:
            self._consider(call.place)

    def seen(self, sighting: Sighting) -> None:
        """Somebody says that a director is there."""
        if self._search.running and self._link.follows(sighting.notice):
            self._consider(sighting)

    def _consider(self, sighting: Sighting) -> None:
        if self._call is not None and self._link.director is not None and _epoch(sighting) < _of(self._call):
            return
        self._keep(sighting)
        if self._goal is None or _epoch(sighting) > _epoch(self._goal):
            self._tried.clear()
            self._go(sighting)
        else:
            self.tick()

    def tick(self) -> None:
        """Look at whether there is a director; seek, or go on to the next place."""
        now = self._now()
        if self._call is not None and now >= self._call_until:
            self._give_up(self._call)
        if self._is_there:
            self._settle()
        elif self._missed_since is None:
            self._missed_since = now
        elif not self._search.running:
            if now >= self._missed_since + PATIENCE_S:
                self._look()
        elif bool(self._without) != self._link.client.connected and (self._without or now >= self._try_until):
            self._search.stop()
            self._look()
        elif self._places and now >= self._try_until:
            self._go_on()

    # -- inside ------------------------------------------------------------------------------------------

    def _keep(self, sighting: Sighting) -> None:
        """Have a place in mind. One too many takes that of one where nobody was, else of the one known longest: who
        says a genuine notice again at many places must not hide the director's.
        """
        place = _place(sighting)
        if place not in self._places and len(self._places) >= MOST_PLACES:
            out = next((each for each in self._places if each in self._tried), next(iter(self._places)))
            del self._places[out]
            self._tried.discard(out)
        self._places[place] = sighting

    @property
    def _is_there(self) -> bool:
        """Whether a director is heard, and nobody later calls."""
        heard = self._link.director
        return heard is not None and (self._call is None or _of(heard) >= _of(self._call))

    def _look(self) -> None:
        """Everywhere but where this device is connected: a broker takes whoever shows the same certificate for the same
        client, and cuts its other connection.
        """
        here = self._link.client
        self._without = here.endpoint.host if here.connected else ""
        self._search.start(*(("--without", self._without) if self._without else ()))

    def _give_up(self, call: DirectorNotice) -> None:
        while len(self._vain) >= _MOST_VAIN:
            del self._vain[next(iter(self._vain))]
        self._vain[call.epoch] = None
        self._call = None
        _log.warning("%s (%s) called, and is not to be found", call.device, call.epoch)

    def _settle(self) -> None:
        if self._missed_since is not None:
            self._search.stop()
            self._missed_since, self._goal, self._try_s = None, None, TRY_S
            self._refused = 0
            self._call = None
            self._places.clear()
            self._tried.clear()

    def _go_on(self) -> None:
        """To the latest director's next place; then to those of earlier ones, should he be there no more."""
        here, goal = self._link.client, self._goal
        silent = here.connected and goal is not None and _place(goal) == Place(here.endpoint.host, here.endpoint.port)
        self._refused = self._refused + 1 if silent or here.drops.counts["turned-away"] else 0
        if self._refused == SHUT_OUT:
            _log.warning("%s directs, and does not let this device in: was it revoked?", self.shut_out)
        if self._tried.issuperset(self._places):
            self._tried.clear()
            self._try_s = min(2 * self._try_s, LONGEST_TRY_S)
        self._go(max((seen for place, seen in self._places.items() if place not in self._tried), key=_epoch))

    def _go(self, sighting: Sighting) -> None:
        place = _place(sighting)
        self._goal = sighting
        self._try_until = self._now() + self._try_s
        self._tried.add(place)
        _log.info(
            "going to the director %s (%s) at %s:%d",
            sighting.notice.device, sighting.notice.epoch, sighting.host, sighting.port,
        )  # fmt: skip
        here = self._link.client
        if here.connected and place == Place(here.endpoint.host, here.endpoint.port):
            return  # its notice is on its way
        try:
            self._link.move(self._endpoint_of(sighting))
        except (OSError, ValueError) as error:
            _log.warning("%s:%d: %s", sighting.host, sighting.port, error)


def _epoch(sighting: Sighting) -> Epoch:
    return _of(sighting.notice)


def _of(notice: DirectorNotice) -> Epoch:
    return Epoch.parse(notice.epoch)


def _place(sighting: Sighting) -> Place:
    return Place(sighting.host, sighting.port)
