"""When venues were heard, and what time it is with them: reckoned, bounded, and written seldom."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import connection
from django.test.utils import CaptureQueriesContext
from msgspec import json

from appliance.link import envelope, topics
from appliance.link.envelope import Hello, State
from league.ingest.desk import Incoming
from league.ingest.models import Alert, Contact
from league.live import changes
from league.rounds.models import Venue
from league.standings.results import Results
from tests.league.scribe import Scribe, evening
from tests.league.test_desk import VENUE, Bench, stream

__all__ = ["stream"]

START = datetime(2027, 1, 15, 20, 0, tzinfo=UTC)
HOUR_MS = 3_600_000


class Hall(Bench):
    """A bench at which a test sets what time it is, for the desk and for the world."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__()
        self.time = 1000.0
        self.at = START
        monkeypatch.setattr("django.utils.timezone.now", lambda: self.at)

    def go(self, seconds: float) -> None:
        self.time += seconds
        self.at += timedelta(seconds=seconds)

    def ms(self, off: int = 0) -> int:
        return round(self.at.timestamp() * 1000) + off

    def says(self, at: int | None, online: bool = True, retained: bool = False, **more: Any) -> Contact:
        state = State("uplink", online, "uplink", "0.1.0", at=at, again_s=60, **more)
        self.raw(topics.up(VENUE, "state"), envelope.encode(state), retained=retained)
        return Contact.objects.get(venue=VENUE)

    def off(self) -> int | None:
        there = Contact.objects.get(venue=VENUE).venue_ms(self.at)
        return None if there is None else there - self.ms()


@pytest.fixture
def hall(imported: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Hall:
    return Hall(monkeypatch)


def test_a_venues_clock_is_kept_by_how_far_it_is_off_and_how_fast_it_goes(hall: Hall) -> None:
    hall.says(None)
    assert hall.off() is None
    hall.says(hall.ms(-4 * HOUR_MS), pace=6)
    assert hall.off() == -4 * HOUR_MS
    hall.go(60)
    assert hall.off() == -4 * HOUR_MS + 5 * 60_000


def test_a_word_that_was_long_on_its_way_moves_no_clock_and_one_that_was_quick_sets_it_right(hall: Hall) -> None:
    first = hall.says(hall.ms(-1200)).clock_at
    for late in (1150, 1250, 2600):
        hall.go(60)
        assert hall.says(hall.ms(-late)).clock_at == first, "no reader is told of that"
    hall.go(60)
    hall.says(hall.ms(-5))
    assert hall.off() == -5
    hall.go(60)
    hall.says(hall.ms(-90_000))
    assert hall.off() == -90_000, "it was set back"


def test_a_copy_that_the_broker_kept_tells_no_time_and_is_no_sign_of_life(hall: Hall) -> None:
    assert hall.says(hall.ms(-5000), retained=True).online
    assert hall.off() is None
    hall.says(hall.ms(-50))
    seen = hall.at
    hall.go(4000)
    contact = hall.says(hall.ms(-4_000_000), retained=True)
    assert (hall.off(), contact.seen_at) == (-50, seen)


@pytest.mark.parametrize("wrong", [{"at": -1}, {"at": 2**53}, {"pace": 0}, {"pace": 1001}, {"pace": 1.5}, {"at": "x"},
                                   {"again_s": 0}, {"again_s": 10**6}])  # fmt: skip
def test_a_clock_that_cannot_be_is_refused(hall: Hall, wrong: dict[str, Any]) -> None:
    hall.says(hall.ms(-50))
    forged = json.decode(envelope.encode(State("uplink", True))) | wrong
    hall.raw(topics.up(VENUE, "state"), json.encode(forged))
    assert hall.off() == -50
    assert Alert.objects.get().code == "bad-payload"


def test_the_first_and_the_last_moment_that_a_venue_may_tell_are_kept(hall: Hall) -> None:
    for at in (0, envelope.moment(2**60)):
        hall.says(at, pace=1000)
        assert hall.off() == at - hall.ms()
        hall.go(40 * 86_400)
        assert hall.off() is not None


def test_whatever_a_venue_sends_it_was_heard_then(hall: Hall, stream: Scribe) -> None:
    hall.batches(stream.batch(1, 5))
    contact = Contact.objects.get(venue=VENUE)
    assert (contact.online, contact.seen_at) == (True, hall.at), "of a venue that never said hello"
    for leaf, payload in (
        ("ev", envelope.encode(stream.batch(6, 9))),
        ("hello", envelope.encode(Hello("uplink", ()))),
        ("ack", envelope.encode(envelope.Ack(f"league/{VENUE}", stream.epoch, 0))),
        ("fetch", envelope.encode(envelope.Fetch(f"league/{VENUE}", stream.epoch, 0))),
    ):
        hall.go(11)
        hall.raw(topics.up(VENUE, leaf), payload)  # type: ignore[arg-type]
        assert Contact.objects.get(venue=VENUE).seen_at == hall.at, leaf


def test_what_is_said_when_it_is_gone_is_no_sign_of_life(hall: Hall) -> None:
    hall.says(hall.ms())
    seen = hall.at
    hall.go(300)
    contact = hall.says(None, online=False)
    assert (contact.online, contact.seen_at) == (False, seen)
    assert contact.away_since(hall.at) == seen


def test_a_venue_is_away_once_its_word_is_two_turns_late(hall: Hall) -> None:
    contact = hall.says(hall.ms())
    assert contact.away_since(hall.at + timedelta(seconds=149)) is None
    assert contact.away_since(hall.at + timedelta(seconds=151)) == hall.at
    old = State("uplink", True, "uplink", "0.0.9")  # says itself every ten minutes, and no time
    hall.raw(topics.up(VENUE, "state"), envelope.encode(old))
    contact.refresh_from_db()
    assert contact.away_since(hall.at + timedelta(minutes=20)) is None
    assert contact.away_since(hall.at + timedelta(minutes=21)) == hall.at


def test_that_venues_were_heard_costs_one_statement_in_ten_seconds(hall: Hall, director_key: Ed25519PrivateKey) -> None:
    others = [Venue.objects.create(id=f"v{n}", name=f"V{n}").pk for n in range(40)]

    def statements() -> int:
        for venue in others:
            hall.desk._line(venue)
        payload = envelope.encode(envelope.Ack("league/x", "1-00c0ffee00c0ffee", 0))
        messages = [Incoming(topics.up(venue, "ack"), payload) for venue in others * 5]
        with CaptureQueriesContext(
            connection,
        ) as asked:
            hall.desk.receive(messages)
        return sum("ingest_contact" in each["sql"] for each in asked)

    assert [statements() for _ in range(3)] == [1, 0, 0]
    assert Contact.objects.filter(seen_at=hall.at).count() == 40
    hall.go(11)
    assert statements() == 1


def test_states_of_many_venues_cost_as_many_statements_as_of_one(hall: Hall) -> None:
    names = [Venue.objects.create(id=f"v{n}", name=f"V{n}").pk for n in range(40)]
    device = envelope.DeviceState("table-1")

    def statements(venues: list[str]) -> int:
        state = State("uplink", True, devices=(device,), at=hall.ms(), again_s=60)
        messages = [Incoming(topics.up(venue, "state"), envelope.encode(state)) for venue in venues]
        with CaptureQueriesContext(connection) as asked:
            hall.desk.receive(messages)
        return len(asked)

    statements(names)
    hall.go(60)
    assert statements(names) == statements(names[:1])


def test_boards_are_drawn_anew_when_a_venue_goes_comes_or_sets_its_clock_and_not_else(
    hall: Hall, director_key: Ed25519PrivateKey
) -> None:
    played = evening(director_key)
    third = [n for n, raw in enumerate(played.raws, 1) if b'"busted/1"' in raw or b'"eliminated/1"' in raw][2]
    hall.batches(played.batch(1, third))
    Results().update("round/R1")

    def counted(step: Callable[[], object]) -> bool:
        before = changes.counted().number
        step()
        return changes.counted().number != before

    hall.says(None)
    assert counted(lambda: hall.says(hall.ms(-3000)))
    hall.go(60)
    assert not counted(lambda: hall.says(hall.ms(-3020)))
    assert counted(lambda: hall.says(None, online=False))
    assert counted(lambda: hall.says(None))
    assert counted(lambda: hall.says(hall.ms(60_000)))
