"""A director that says nothing is missed although the connection to its broker stands, and nobody flees a slow one."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from appliance.link.broker import Broker
from appliance.link.client import Endpoint
from appliance.link.ear import Called
from appliance.link.envelope import Pong, Reply
from appliance.link.lan import KioskLink
from appliance.link.notices import signed_notice
from appliance.link.pings import AGAIN_S, ANSWER_S, ASKED, PING_S, Pings
from appliance.link.roaming import CALLED_S, LONGEST_TRY_S, PATIENCE_S
from appliance.link.role import step
from tests.link.harness import fresh, lose, pump
from tests.link.test_lan import ROUND, command
from tests.link.test_roaming import Journey, notice, seen
from tests.link.venue import Evening, Kiosk

SILENT_S = ANSWER_S + (ASKED - 1) * AGAIN_S


class Asking:
    """Pings by hand: time passes when it is told to."""

    def __init__(self) -> None:
        self.time = 100.0
        self.pings = Pings(lambda: 0)
        self.pings.begin("d1", self.time)
        self.sent: list[float] = []
        self.answers = True

    def waits(self, seconds: float) -> None:
        until = self.time + seconds
        while (due := self.pings.due) is not None and due <= until:
            self.time = max(self.time, due)
            if self.pings.silent(self.time):
                break
            self.sent.append(self.time)
            ping = self.pings.ping(self.time)
            if self.answers:
                self.pings.heard()
                self.pings.pong(Pong(ping.id, 0, 0), self.time)
        self.time = max(self.time, until)


def test_a_director_that_answers_is_asked_each_ten_seconds_and_nothing_wakes_in_between() -> None:
    asking = Asking()
    asking.waits(5)
    del asking.sent[:]
    asking.waits(20 * PING_S)
    assert len(asking.sent) == 20 and not asking.pings.silent(asking.time)


def test_a_ping_without_an_answer_is_asked_again_and_then_the_director_is_silent() -> None:
    asking = Asking()
    asking.waits(5)
    asking.answers = False
    del asking.sent[:]
    asking.waits(PING_S + SILENT_S)
    assert len(asking.sent) == ASKED and asking.pings.silent(asking.time)
    assert asking.sent[1] - asking.sent[0] >= ANSWER_S


def test_who_hung_itself_asks_again_before_it_calls_anybody_silent() -> None:
    asking = Asking()
    asking.waits(5)
    asking.answers = False
    asking.pings.ping(asking.time)
    asking.time += 60
    assert not asking.pings.silent(asking.time)


def test_who_has_reason_to_doubt_asks_at_once_and_waits_less() -> None:
    asking = Asking()
    asking.waits(5)
    del asking.sent[:]
    asking.pings.doubt(asking.time)
    asking.waits(0.01)
    assert len(asking.sent) == 1 and not asking.pings.silent(asking.time + PING_S)
    asking.answers = False
    asking.pings.doubt(asking.time)
    asking.waits(2 * AGAIN_S)
    assert len(asking.sent) == 3 and asking.pings.silent(asking.time)


def test_anything_that_a_director_says_is_an_answer() -> None:
    asking = Asking()
    asking.waits(5)
    asking.answers = False
    for _ in range(20):
        asking.waits(ANSWER_S - 0.1)
        asking.pings.heard()
        assert not asking.pings.silent(asking.time)


# -- with a broker that stays ------------------------------------------------------------------------------


class Clock:
    """The kiosk's: seconds pass when it is told to."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.ahead


class Venue(Evening):
    """A director that can be stopped as a machine that hangs is, and a door."""

    def __init__(self, broker: Broker) -> None:
        super().__init__(broker.endpoint, fresh("v"))
        self.director.answer = lambda asked: Reply(asked.id, ok=True)
        self.clock = Clock()
        self.door: Kiosk = self.kiosk("door", now=self.clock)
        self.until(lambda: self.link.director and self.link.offset.ms is not None, "a director")

    @property
    def link(self) -> KioskLink:
        return self.door.link

    def hangs(self, seconds: float) -> None:
        """Only the door goes on, whose clock runs at full speed; of what is sent to it nothing is left lying."""
        until = self.clock.ahead + seconds
        while self.clock.ahead < until:
            self.clock.ahead += 0.25
            for _ in range(3):
                step(self.link, self.door.inbox, longest_s=0.002)


@pytest.fixture
def venue(broker: Broker) -> Iterator[Venue]:
    venue = Venue(broker)
    yield venue
    venue.close()


def test_pings_keep_the_connection_to_the_broker_which_asks_for_no_others(venue: Venue) -> None:
    assert PING_S < venue.link.client.keepalive_s <= PING_S + 1


def test_a_director_that_hangs_is_missed_while_the_connection_stands(venue: Venue) -> None:
    venue.hangs(PING_S + SILENT_S + 1)
    assert venue.link.director is None and venue.link.client.connected
    assert venue.door.directors[-1] is None


def test_a_director_that_is_slow_for_two_seconds_is_not_missed(venue: Venue) -> None:
    for _ in range(4):
        venue.hangs(2)
        venue.work(5)
    assert None not in venue.door.directors[1:] and venue.link.director is not None


def test_one_that_gathers_in_an_older_epoch_is_gone_to_if_the_own_one_is_silent(venue: Venue) -> None:
    """The device of who takes over may not know of the last takeover."""
    key = venue.director.writer.key
    other, own = (signed_notice(venue.venue, by, "1-00000000000000a1", key, gathering=True) for by in ("d2", "d1"))
    assert venue.link.heeds(other) and not venue.link.heeds(own)
    venue.link.doubt()
    venue.hangs(3 * AGAIN_S)
    assert venue.link.director is None and venue.link.heeds(other)


@pytest.mark.parametrize("says", ["pong", "record"])
def test_whatever_it_says_it_is_there_again_and_gets_what_waited(venue: Venue, says: str) -> None:
    venue.hangs(PING_S + SILENT_S + 1)
    venue.link.command(command("door"))
    if says == "record":
        venue.director.writer.open(ROUND)
    venue.until(lambda: venue.link.director, "it is there")
    venue.until(lambda: venue.door.replies, "the answer")
    assert [reply.ok for reply in venue.door.replies] == [True]
    venue.equal(venue.door)


def test_that_its_broker_is_there_is_no_proof_of_a_director_that_was_silent(venue: Venue) -> None:
    """Who connects anew finds the notice kept there; the director itself has to say something."""
    venue.hangs(PING_S + SILENT_S + 1)
    alone = [(venue.link, venue.door.inbox)]
    lose(venue.link.client)
    pump(alone, lambda: not venue.link.client.connected)
    pump(alone, lambda: venue.link.client.connected)
    venue.hangs(1)
    assert venue.link.director is None
    venue.until(lambda: venue.link.director, "it is there")


# -- who calls ---------------------------------------------------------------------------------------------


@pytest.fixture
def journey() -> Journey:
    """A device that hears a director."""
    one = Journey()
    one.link.director = notice()
    one.roaming.tick()
    return one


def calls(journey: Journey, n: int, host: str = "") -> None:
    told = notice(n, gathering=True)
    assert journey.roaming.takes(Called(told, seen(host, n, gathering=True) if host else None))


def test_a_later_director_that_calls_is_gone_to_at_once_though_the_old_one_seems_to_be_there(journey: Journey) -> None:
    calls(journey, 4, "new")
    assert journey.link.moves == ["new"] and not journey.search.running
    journey.link.director = notice(4)
    journey.roaming.tick()
    assert journey.roaming.due is None and journey.search.begun == 0


def test_one_that_is_not_later_is_not_gone_to(journey: Journey) -> None:
    """Nor is it looked for; but whoever gathers has a reason: is the own one there?"""
    calls(journey, 3, "same")
    calls(journey, 2, "old")
    assert journey.link.moves == [] and journey.roaming.due is None and journey.link.doubts == 2


def test_a_later_one_whose_place_is_not_known_is_looked_for_and_nothing_is_left_before_it_is_seen(
    journey: Journey,
) -> None:
    calls(journey, 4)
    assert journey.search.running and journey.link.moves == []
    journey.sees(seen("old", 3))
    journey.waits(1)
    assert journey.link.moves == [] and journey.search.running
    journey.sees(seen("new", 4))
    assert journey.link.moves == ["new"]


def test_a_device_that_is_connected_is_not_thrown_out_by_its_own_search(journey: Journey) -> None:
    """By the certificate both are the same client to the broker."""
    journey.link.connected, journey.link.endpoint = True, Endpoint("here", 1)
    calls(journey, 4)
    assert journey.search.options == ("--without", "here")
    journey.link.connected = False
    journey.roaming.tick()
    assert journey.search.running and journey.search.options == ()


def test_who_called_and_is_not_there_is_not_believed_again_and_the_old_one_is_gone_back_to(journey: Journey) -> None:
    """Anybody can send again what a director once sent."""
    calls(journey, 4, "trap")
    journey.waits(PATIENCE_S)
    assert journey.search.running
    journey.sees(seen("old", 3))
    journey.waits(CALLED_S + LONGEST_TRY_S)
    assert journey.link.moves[0] == "trap" and "old" in journey.link.moves
    journey.link.director = notice(3)
    journey.roaming.tick()
    del journey.link.moves[:]
    calls(journey, 4, "trap")
    assert journey.link.moves == [] and journey.roaming.due is None
    calls(journey, 5, "new")
    assert journey.link.moves == ["new"]


def test_who_looked_for_in_vain_stays_with_its_director(journey: Journey) -> None:
    calls(journey, 4)
    journey.waits(CALLED_S)
    assert not journey.search.running and journey.link.moves == [] and journey.roaming.due is None


def test_who_has_no_director_goes_to_any_that_calls(journey: Journey) -> None:
    journey.link.director = None
    calls(journey, 3, "back")
    assert journey.link.moves == ["back"]
