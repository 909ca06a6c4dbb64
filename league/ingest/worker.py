"""The ingest's loop: takes what the broker brings in groups, stores, answers, then brings the results up to date.

Everything it knows is in the database, so it may be killed at any moment: what it had acknowledged is committed,
the rest is sent again by the venues.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from django.db import Error as DatabaseTrouble
from django.db import close_old_connections

from appliance.link import topics
from appliance.link.client import Client, Connected, Disconnected, Endpoint, Event, Message
from league.allowances.hearing import Allowances
from league.cards import hearing as refused_cards
from league.fleet.publishing import FleetTeller
from league.ingest import clock
from league.ingest.desk import Desk, Incoming, Outgoing
from league.ingest.fairbox import FairInbox
from league.ingest.leases import SHARDS, Held, Leases, own_name
from league.ingest.outbox import Pen
from league.ingest.quarantine_telling import QuarantineTeller
from league.ingest.rosters import RosterTeller
from league.ingest.telling import Teller
from league.notices.telling import PublicationTeller
from league.standings.excluding import DayWatch
from league.standings.results import Results

GROUP = 400
"""So many messages at most share a transaction: a commit costs the same for one or for all of them."""

IDLE_S = 0.25
"""How often the league's own streams are looked at when nothing comes in."""

BUSY, FOLDS_S, FOLDS_EVERY_S = 100, 0.25, 0.5
"""While so many messages wait, results are folded for so long, so often: first what came is stored and acknowledged."""

ALL = [
    (topics.up_filter("ev"), 1),
    (topics.up_filter("hello"), 1),
    (topics.up_filter("state"), 1),
    (topics.up_filter("ack"), 0),
    (topics.up_filter("fetch"), 1),
]
"""What who owns all shards subscribes to."""


def subscriptions(held: Held) -> list[tuple[str, int]]:
    """What a process subscribes to that hears some shards, or all of them."""
    if len(held.hears) == len(SHARDS):
        return ALL
    return [(topics.up_shard_filter(shard), 1) for shard in sorted(held.hears)]


class BrokerClientDied(RuntimeError):
    """The MQTT client's thread has ended: this process must end too and be started again."""


class Worker:
    """One ingest process. ``say`` gets a line for the operator; without a ``pen`` no venue is told of the season."""

    def __init__(self, endpoint: Endpoint, name: str, say: Callable[[str], None], pen: Pen | None = None) -> None:
        self._inbox = FairInbox()
        self._client = Client(endpoint, name, self._inbox)
        self._endpoint = endpoint
        self._say = say
        self._leases = Leases(own_name())
        self._held: list[Event] = []
        self._desk = Desk(time.monotonic, self._leases.owns, self._hold_next)
        self._results = Results()
        self._pen = pen
        self._teller = Teller(pen) if pen else None
        self._allowances = Allowances(pen) if pen else None
        self._fleet = FleetTeller(pen) if pen else None
        self._quarantine = QuarantineTeller(pen) if pen else None
        self._rosters = RosterTeller(pen) if pen else None
        self._publications = PublicationTeller(pen) if pen else None
        self._days = DayWatch()
        self._grown: dict[str, None] = {}
        self._fold_at = 0.0
        self._stopping = False

    @property
    def counts(self) -> dict[str, int]:
        """What was taken and dropped so far, by kind."""
        return dict(self._desk.counts + self._client.drops.counts + self._inbox.drops.counts)

    def stop(self) -> None:
        """End after the group in hand; may be called from a signal handler."""
        self._stopping = True
        self._inbox.put(None)

    def run(self) -> None:
        """Work until `stop`. Raises `BrokerClientDied`; trouble with the database is waited out."""
        self._catch_up()
        self._share_anew()
        self._say(f"connecting to {self._endpoint.host}:{self._endpoint.port}")
        self._client.start()
        try:
            while not self._stopping:
                self._turn(self._next_events())
                if self._client.died:
                    raise BrokerClientDied("the MQTT client has stopped")
        finally:
            with suppress(DatabaseTrouble):
                self._leases.give_up()
            self._client.stop()

    # -- inside ------------------------------------------------------------------------------------------

    def _catch_up(self) -> None:
        """Do what whoever had a shard before has stored and not folded."""
        behind = self._results.catch_up()
        refused_cards.catch_up()
        if behind:
            self._say(f"folded {behind} rounds anew")

    def _share_anew(self) -> bool:
        """Look after the leases; whether there are shards that others had before."""
        if not self._leases.turn():
            return False
        held = self._leases.held
        self._client.listen_to(subscriptions(held))
        self._desk.let_go()
        self._say(f"{len(held.shards)} of {len(SHARDS)} shards" + (", tells the venues" if held.tells else ""))
        return bool(held.new)

    def _next_events(self) -> list[Event]:
        """What is waiting, at most a group; empty after a while without anything."""
        if not self._held:
            with suppress(queue.Empty):
                self._hold(self._inbox.get(timeout=IDLE_S))
        self._hold_next()
        events, self._held = self._held, []
        return events

    def _hold_next(self) -> list[Incoming]:
        """Take a group out of what waits, and keep it for the next turn; its messages."""
        with suppress(queue.Empty):
            while len(self._held) < GROUP:
                self._hold(self._inbox.get_nowait())
        return _messages(self._held)

    def _hold(self, event: Event | None) -> None:
        if event is not None:
            self._held.append(event)

    def _turn(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, Connected | Disconnected):
                self._say("connected" if isinstance(event, Connected) else "connection lost")
                self._desk.disconnected()
        messages = _messages(events)
        try:
            if self._share_anew():
                self._catch_up()
            if messages:
                outcomes = self._desk.receive(messages)
                self._publish(outcomes.answers)
                self._grown |= dict.fromkeys(sorted(outcomes.grown))
                self._tell_time(outcomes.asking)
            self._fold(busy=len(self._held) + self._inbox.qsize() >= BUSY)
            if self._leases.held.tells:
                stirred = bool(messages) or len(self._leases.held.shards) < len(SHARDS)
                self._tell()
                self._move_allowances(stirred)
            self._publish(self._desk.send())
        except DatabaseTrouble as error:
            # nothing of the group was acknowledged, so the venues send it again in a few seconds
            self._say(f"database: {error}")
            self._desk.forget()
            self._results = Results()
            close_old_connections()
            time.sleep(1.0)

    def _fold(self, busy: bool) -> None:
        """Bring the results up to what was stored; while messages pile up, only now and then."""
        now = time.monotonic()
        if busy and now < self._fold_at:
            return
        while self._grown and (not busy or time.monotonic() - now < FOLDS_S):
            stream = next(iter(self._grown))
            self._results.update(stream)
            refused_cards.update(stream)
            del self._grown[stream]
        self._fold_at = time.monotonic() + FOLDS_EVERY_S

    def _tell(self) -> None:
        """Keep the venues' standings up with the results (LG-8)."""
        if self._teller is None:
            return
        for venue in self._teller.turn(time.monotonic(), time.time_ns() // 1_000_000):
            self._say(f"{venue}: standings told")
        if self._fleet is not None:
            for venue in self._fleet.turn(time.monotonic()):
                self._say(f"{venue}: devices told")
        if self._quarantine is not None:
            for venue in self._quarantine.turn(time.monotonic()):
                self._say(f"{venue}: quarantine told")
        if self._publications is not None:
            for venue in self._publications.turn(time.monotonic()):
                self._say(f"{venue}: publications told")
        if self._days.turn():
            self._say("somebody is excluded from today on, or not any more")
        if self._rosters is not None:
            for venue in self._rosters.turn(time.monotonic()):
                self._say(f"{venue}: roster told")

    def _tell_time(self, asking: Iterable[str]) -> None:
        """Answer a director that asks for the time."""
        if self._pen is not None:
            for venue in clock.answer(asking, self._pen, time.time_ns() // 1_000_000):
                self._say(f"{venue}: time told")

    def _move_allowances(self, stirred: bool) -> None:
        """Keep the participants' allowances where they belong (T-3)."""
        if self._allowances is None:
            return
        if stirred:
            self._allowances.stir()
        if given := self._allowances.turn(time.monotonic(), time.time_ns() // 1_000_000):
            self._say(f"{given} allowances given")

    def _publish(self, messages: Sequence[Outgoing]) -> None:
        for message in messages:
            self._client.publish(message.topic, message.payload, qos=message.qos)


def _messages(events: Sequence[Event]) -> list[Incoming]:
    return [Incoming(event.topic, event.payload, event.retained) for event in events if isinstance(event, Message)]
