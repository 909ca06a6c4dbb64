"""A device goes to the latest genuine director that it sees, and never back; one that directs falls silent for it."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw

from appliance.link.client import Drops, Endpoint
from appliance.link.envelope import CommandMessage, DirectorNotice, Reply
from appliance.link.notices import signed_notice
from appliance.link.roaming import LONGEST_TRY_S, MOST_PLACES, PATIENCE_S, TRY_S, Roaming
from appliance.link.role import step
from appliance.link.seek import Looking, Seen
from appliance.link.sighting import Sighting
from appliance.link.watch import Watch, look
from tests.link.harness import fresh, pump
from tests.link.island import VENUE, Mosquitto, brokers, key_of
from tests.link.society import free_port
from tests.link.stores import MemoryStore, Writer
from tests.link.venue import Director, Kiosk


def notice(n: int = 3, device: str = "d1", *, by: str = "", venue: str = VENUE, gathering: bool = False) -> Any:
    return signed_notice(venue, device, f"{n}-00000000000000d1", key_of(by or device), gathering=gathering)


def seen(host: str, n: int = 3, **how: Any) -> Sighting:
    return Sighting(host, 1883, notice(n, **how))


class Searching:
    """A search that is told what it sees."""

    def __init__(self) -> None:
        self.running = False
        self.begun = 0
        self.options: tuple[str, ...] = ()

    def start(self, *options: str) -> None:
        self.begun += not self.running
        if not self.running:
            self.options = options
        self.running = True

    def stop(self) -> None:
        self.running = False


class Link:
    """A link that moves nowhere, and follows whom it is told to."""

    def __init__(self) -> None:
        self.director: DirectorNotice | None = None
        self.client = self
        self.connected = False
        self.endpoint = Endpoint("nowhere", 1)
        self.moves: list[str] = []
        self.doubts = 0
        self.refused: set[str] = set()
        self.drops = Drops()

    def follows(self, notice: DirectorNotice) -> bool:
        return notice.epoch not in self.refused

    def heeds(self, notice: DirectorNotice) -> bool:
        return self.director is None or notice.epoch > self.director.epoch or notice.gathering

    def doubt(self) -> None:
        self.doubts += 1

    def move(self, endpoint: Endpoint) -> None:
        self.director = None
        self.endpoint = endpoint
        self.moves.append(endpoint.host)


class Journey:
    """Roaming by hand: time passes when it is told to."""

    def __init__(self) -> None:
        self.time = 100.0
        self.link, self.search = Link(), Searching()
        self.unusable: set[str] = set()
        self.roaming = Roaming(self.link, self.search, self.endpoint_of, now=lambda: self.time)  # type: ignore[arg-type]

    def endpoint_of(self, sighting: Sighting) -> Endpoint:
        if sighting.host in self.unusable:
            raise OSError("no certificate")
        return Endpoint(sighting.host, sighting.port)

    def sees(self, *sightings: Sighting) -> None:
        for sighting in sightings:
            assert self.roaming.takes(Seen(sighting))

    def waits(self, seconds: float) -> None:
        """Time passes, and the engine wakes when it is due."""
        until = self.time + seconds
        for _ in range(1000):
            due = self.roaming.due
            if due is None or due > until:
                break
            self.time = max(self.time, due)
            self.roaming.tick()
        else:
            raise AssertionError("it never comes to rest")
        self.time = until
        self.roaming.tick()


@pytest.fixture
def journey() -> Journey:
    return Journey()


def test_who_knows_no_director_looks_at_once(journey: Journey) -> None:
    journey.roaming.tick()
    assert journey.search.running and journey.roaming.due is None


def test_a_director_that_is_gone_for_a_moment_is_not_looked_for(journey: Journey) -> None:
    journey.link.director = notice()
    journey.roaming.tick()
    assert not journey.search.running and journey.roaming.due is None
    journey.link.director = None
    journey.roaming.tick()
    journey.waits(PATIENCE_S - 0.01)
    journey.link.director = notice()
    journey.roaming.tick()
    assert journey.search.begun == 0
    journey.link.director = None
    journey.roaming.tick()
    journey.waits(PATIENCE_S)
    assert journey.search.running


def test_nobody_looks_and_nothing_wakes_once_the_director_is_heard(journey: Journey) -> None:
    journey.roaming.tick()
    journey.sees(seen("a"), seen("b"))
    journey.link.director = notice()
    journey.roaming.tick()
    assert not journey.search.running and journey.roaming.due is None
    journey.sees(seen("c", 9))  # was on its way already
    assert journey.link.moves == ["a"]


def test_a_later_director_is_gone_to_at_once_an_earlier_one_is_not(journey: Journey) -> None:
    journey.roaming.tick()
    journey.sees(seen("a", 3), seen("b", 2), seen("c", 4), seen("a", 3), seen("c", 4))
    assert journey.link.moves == ["a", "c"]


def test_who_is_not_followed_is_not_gone_to(journey: Journey) -> None:
    journey.roaming.tick()
    journey.link.refused.add(notice(7).epoch)
    journey.sees(seen("a", 7), seen("b", 3))
    assert journey.link.moves == ["b"]


def test_every_address_is_tried_in_turn_the_latest_directors_first(journey: Journey) -> None:
    journey.roaming.tick()
    journey.sees(seen("a"), seen("b"), seen("c"), seen("old", 2))
    journey.waits(TRY_S * 4)
    assert journey.link.moves[:4] == ["a", "b", "c", "old"]
    journey.waits(1000)
    assert set(journey.link.moves[4:8]) == {"a", "b", "c", "old"} and journey.link.moves[7] == "old"


def test_tries_in_vain_become_longer_and_short_again_after_a_success(journey: Journey) -> None:
    journey.roaming.tick()
    journey.sees(seen("a"))
    journey.waits(60)
    patient = len(journey.link.moves)
    journey.waits(10 * LONGEST_TRY_S)
    assert len(journey.link.moves) - patient in (9, 10, 11)
    journey.link.director = notice()
    journey.roaming.tick()
    journey.link.director = None
    journey.roaming.tick()
    journey.waits(PATIENCE_S)
    del journey.link.moves[:]
    journey.sees(seen("a"), seen("b"))
    journey.waits(TRY_S)
    assert journey.link.moves == ["a", "b"]


def test_who_is_connected_there_already_is_not_cut_off(journey: Journey) -> None:
    journey.roaming.tick()
    journey.link.endpoint, journey.link.connected = Endpoint("a", 1883), True
    journey.sees(seen("a"))
    assert journey.link.moves == []
    journey.sees(seen("b"))
    journey.waits(TRY_S)
    assert journey.link.moves == ["b"]


def test_who_is_let_in_and_told_nothing_again_and_again_is_shut_out_until_it_hears_a_director(journey: Journey) -> None:
    """So it looks to a device that the league has revoked: the broker takes its certificate, and tells it nothing."""
    journey.roaming.tick()
    journey.sees(seen("a"))
    assert journey.roaming.shut_out == ""
    journey.link.connected = True
    journey.waits(TRY_S)
    assert journey.roaming.shut_out == "", "it may just be about to be told"
    journey.waits(3 * TRY_S)
    assert journey.roaming.shut_out == notice().device
    journey.link.director = notice()
    journey.roaming.tick()
    assert journey.roaming.shut_out == ""


def test_who_is_turned_away_is_shut_out_and_who_finds_nobody_there_any_more_is_not(journey: Journey) -> None:
    journey.roaming.tick()
    journey.sees(seen("a"))
    journey.link.drops("turned-away")
    journey.waits(4 * TRY_S)
    assert journey.roaming.shut_out == notice().device
    journey.link.drops.counts.clear()
    journey.waits(2 * LONGEST_TRY_S)
    assert journey.roaming.shut_out == ""


def test_a_place_that_cannot_be_gone_to_is_passed_over(journey: Journey) -> None:
    journey.unusable.add("a")
    journey.roaming.tick()
    journey.sees(seen("a"), seen("b"))
    journey.waits(TRY_S)
    assert journey.link.moves == ["b"]


def test_who_shows_the_notice_at_a_thousand_places_hides_the_director_from_nobody(journey: Journey) -> None:
    """Anybody can say a genuine notice again, and that it was heard elsewhere."""
    journey.roaming.tick()
    journey.sees(*(seen(f"h{n}", 3) for n in range(1000)), seen("true", 3))
    for n in range(40):
        journey.waits(LONGEST_TRY_S)
        journey.sees(*(seen(f"i{n}-{m}", 3) for m in range(3)), seen("true", 3))
        if "true" in journey.link.moves:
            return
    raise AssertionError("the director's place was never gone to")


def test_a_thousand_places_are_not_kept(journey: Journey) -> None:
    journey.roaming.tick()
    journey.sees(*(seen(f"h{n}") for n in range(1000)))
    assert len(journey.roaming._places) == MOST_PLACES


def test_only_the_searchs_events_are_taken(journey: Journey) -> None:
    assert journey.roaming.takes(Looking())
    assert not journey.roaming.takes(None) and not journey.roaming.takes("something")


# -- with brokers -----------------------------------------------------------------------------------------


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Callable[..., Mosquitto]]:
    with brokers(tmp_path) as make:
        yield make


class Town:
    """Two brokers, a kiosk that knows of none, and directors of one venue at either."""

    def __init__(self, broker: Callable[..., Mosquitto]) -> None:
        self.venue = fresh("v")
        port = free_port()
        self.places = [broker(host, port) for host in ("127.0.0.1", "127.0.0.2")]
        self.keys: dict[str, bytes] = {}
        self.kiosk = Kiosk(Endpoint("127.0.0.9", port), self.venue, "door", self.keys, MemoryStore())
        self.search = Searching()
        self.roaming = Roaming(self.kiosk.link, self.search, lambda s: Endpoint(s.host, s.port))
        self.roles: list[Any] = [(self, self.kiosk.inbox)]
        self.started: list[Director] = []

    # as a role: what a kiosk's engine does
    @property
    def due(self) -> float | None:
        return min((due for due in (self.kiosk.link.due, self.roaming.due) if due is not None), default=None)

    def handle(self, event: Any) -> None:
        if not self.roaming.takes(event):
            self.kiosk.link.handle(event)

    def tick(self) -> None:
        self.kiosk.link.tick()
        self.roaming.tick()

    def directs(self, at: int, n: int) -> tuple[Director, Sighting]:
        place = self.places[at]
        told = signed_notice(self.venue, "d1", f"{n}-00000000000000d1", Writer(MemoryStore()).key)
        director = Director(Endpoint(place.host, place.port), self.venue, self.keys, told)
        director.link.client.start()
        self.roles.append((director.link, director.inbox))
        self.started.append(director)
        return director, Sighting(place.host, place.port, told)

    def leaves(self, director: Director) -> None:
        self.roles.remove((director.link, director.inbox))
        self.started.remove(director)
        director.link.client.stop()

    def until(self, condition: Callable[[], Any], what: str = "") -> Any:
        return pump(self.roles, condition, what)

    def heard(self, n: int) -> bool:
        director = self.kiosk.link.director
        return director is not None and director.epoch.startswith(f"{n}-")

    def close(self) -> None:
        for director in self.started:
            director.link.client.stop()
        self.kiosk.link.client.stop()


@pytest.fixture
def town(broker: Callable[..., Mosquitto]) -> Iterator[Town]:
    one = Town(broker)
    yield one
    one.close()


def leaving() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("leaving-")]


def test_a_kiosk_follows_its_director_to_another_broker_with_its_records_and_commands(town: Town) -> None:
    first, at = town.directs(0, 3)
    first.writer.open("round/R1")
    town.until(lambda: town.search.running)
    town.kiosk.inbox.put(Seen(at))  # type: ignore[arg-type]
    town.until(lambda: town.kiosk.store.raws() == first.store.raws(), "the copy")
    assert not town.search.running
    town.kiosk.link.command(CommandMessage("c1", "door", "000101", "R1", 60_000, Raw(b"{}")))
    town.until(lambda: first.commands, "the command")
    town.leaves(first)
    town.places[0].kill()
    town.until(lambda: town.search.running, "it looks")
    second, at = town.directs(1, 4)
    second.store.lines = first.store.lines
    second.writer.store = second.store
    second.writer.write("round/R1", 5)
    epoch = second.store.epochs("round/R1")[-1]
    second.answer = lambda command: Reply(command.id, True, "round/R1", epoch, 6)
    town.kiosk.inbox.put(Seen(at))  # type: ignore[arg-type]
    town.until(lambda: town.kiosk.replies, "the answer of the same command")
    assert [reply.id for reply in town.kiosk.replies] == ["c1"]
    assert town.kiosk.store.raws() == second.store.raws()
    assert not town.search.running and town.heard(4)


def test_a_broker_that_hangs_is_left_without_waiting_for_it(town: Town) -> None:
    first, at = town.directs(0, 3)
    town.until(lambda: town.search.running)
    town.kiosk.inbox.put(Seen(at))  # type: ignore[arg-type]
    town.until(lambda: town.heard(3))
    town.places[0].freeze()
    old = town.kiosk.link.client
    assert old.connected
    _, at = town.directs(1, 4)
    town.kiosk.link.move(Endpoint(at.host, at.port))
    assert leaving(), "the old connection is still being left: nobody waited for it"
    assert town.kiosk.link.client is not old
    town.until(lambda: town.heard(4))
    town.until(lambda: not leaving(), "in the end it was left")
    assert not old.connected and not town.kiosk.link.client.died
    town.leaves(first)


def test_what_the_old_connection_still_says_is_not_heard(town: Town) -> None:
    first, at = town.directs(0, 3)
    town.until(lambda: town.search.running)
    town.kiosk.inbox.put(Seen(at))  # type: ignore[arg-type]
    town.until(lambda: town.heard(3))
    _, at = town.directs(1, 4)
    town.kiosk.link.move(Endpoint(at.host, at.port))
    assert town.kiosk.link.director is None
    first.writer.open("round/OLD")
    for _ in range(50):
        first.link.tick()
    town.until(lambda: town.heard(4))
    assert not any(stream == "round/OLD" for stream, _ in town.kiosk.received)


def test_an_older_or_a_forged_director_is_never_gone_to(town: Town) -> None:
    first, at = town.directs(0, 7)
    town.until(lambda: town.search.running)
    town.kiosk.inbox.put(Seen(at))  # type: ignore[arg-type]
    town.until(lambda: town.heard(7))
    town.leaves(first)
    town.places[0].kill()
    town.until(lambda: town.search.running)
    _, older = town.directs(1, 6)
    here = town.kiosk.link.client
    forged = Sighting(older.host, older.port, signed_notice(town.venue, "d1", "9-00000000000000d1", key_of("x")))
    foreign = Sighting(older.host, older.port, signed_notice("praha", "d1", "9-00000000000000d1", first.writer.key))
    for sighting in (older, forged, foreign):
        town.kiosk.inbox.put(Seen(sighting))  # type: ignore[arg-type]
    for _ in range(20):
        step(town, town.kiosk.inbox, longest_s=0.01)
    assert town.kiosk.link.client is here and town.search.running


# -- while directing --------------------------------------------------------------------------------------


def keyring(stream: str, opener: str) -> bytes | None:
    return key_of(opener).public_key().public_bytes_raw() if opener in ("d1", "d2") else None


def test_a_later_genuine_director_is_told_of_once(journey: Journey) -> None:
    told: list[Sighting] = []
    watch = Watch(journey.search, keyring, told.append)  # type: ignore[arg-type]
    watch.seen(seen("a", 9))
    watch.direct(notice(5))
    assert journey.search.running
    for sighting in (
        seen("a", 5),
        seen("a", 4),
        seen("b", 9, by="x"),
        seen("b", 9, device="stranger"),
        seen("b", 9, venue="praha"),
        seen("b", 9, gathering=True),
        seen("b", 999_999_999),
        seen("c", 6, device="d2"),
        seen("c", 6, device="d2"),
        seen("c", 5),
        seen("d", 7),
    ):
        watch.seen(sighting)
    assert [(sighting.host, sighting.notice.epoch[0]) for sighting in told] == [("c", "6"), ("d", "7")]
    watch.stop()
    assert not journey.search.running


class Saying(Searching):
    """A search that has all to say at once."""

    def __init__(self, inbox: Any, events: list[Any]) -> None:
        super().__init__()
        self.inbox, self.events = inbox, events

    def start(self) -> None:
        super().start()
        for event in self.events:
            self.inbox.put(event)


def test_before_serving_the_latest_genuine_director_is_known() -> None:
    made: list[Saying] = []
    there = (seen("a", 4), seen("b", 6, device="d2"), seen("c", 9, by="x"), seen("a", 7, gathering=True), seen("a", 4))
    events = [Looking(), *map(Seen, there)]

    def seeker_of(inbox: queue.SimpleQueue[Any]) -> Saying:
        made.append(Saying(inbox, events))
        return made[-1]

    latest = look(seeker_of, VENUE, keyring, seconds=0.05)  # type: ignore[arg-type]
    assert latest is not None and (latest.host, latest.notice.epoch[0]) == ("b", "6")
    assert not made[0].running and made[0].begun == 1


def test_before_serving_nobody_is_seen_where_nobody_is() -> None:
    assert look(lambda inbox: Saying(inbox, [Looking()]), VENUE, keyring, seconds=0.05) is None  # type: ignore[arg-type, return-value]
