"""A director that is taking over asks first: devices tell it what they hold, and commands wait until it serves."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from appliance.link import envelope, topics
from appliance.link.broker import Broker
from appliance.link.envelope import DirectorNotice, Reply
from appliance.link.notices import is_genuine, signed_notice
from tests.link.harness import fresh, raw_publisher
from tests.link.test_lan import ROUND, another_director, command
from tests.link.venue import EPOCH, Evening


@pytest.fixture
def evening(broker: Broker) -> Iterator[Evening]:
    evening = Evening(broker.endpoint, fresh("v"))
    yield evening
    evening.close()


def gathering(evening: Evening) -> DirectorNotice:
    """The director's notice while it still asks."""
    key = evening.director.writer.key
    return signed_notice(evening.venue, "d1", EPOCH, key, gathering=True)


def test_that_a_director_still_asks_is_signed(evening: Evening) -> None:
    asks = gathering(evening)
    assert is_genuine(asks, lambda stream, by: evening.keys.get(by))
    assert not is_genuine(replace(asks, gathering=False), lambda stream, by: evening.keys.get(by))


def test_devices_say_hello_to_a_director_that_asks_and_commands_wait_until_it_serves(evening: Evening) -> None:
    evening.director.link.serve(gathering(evening))
    evening.director.answer = lambda asked: Reply(asked.id, ok=True)
    kiosk = evening.kiosk("door")
    evening.until(lambda: evening.director.hellos)
    kiosk.link.command(command("door"))
    evening.work()
    assert not evening.director.commands and not kiosk.replies
    evening.director.link.serve(signed_notice(evening.venue, "d1", EPOCH, evening.director.writer.key))
    evening.until(lambda: kiosk.replies)
    assert [reply.ok for reply in kiosk.replies] == [True] and len(evening.director.commands) == 1


def test_a_director_that_asked_and_never_served_is_followed_by_one_of_the_same_number(evening: Evening) -> None:
    """Its epoch was never opened: who takes over next counts from where it did."""
    kiosk = evening.kiosk("door")
    evening.until(lambda: kiosk.link.director)
    later = another_director(evening)
    asks = signed_notice(evening.venue, "d1", "2-ffffffffffffffff", evening.director.writer.key, gathering=True)
    with raw_publisher(evening.endpoint) as other:
        for notice in (asks, later):
            other.publish(topics.director(evening.venue), envelope.encode(notice), qos=1, retain=True)
            evening.until(lambda notice=notice: kiosk.link.director == notice)


def test_a_kiosk_knows_the_last_director_from_its_own_copy(evening: Evening) -> None:
    """Started anew beside an old director it waits for the later one, whose records it holds."""
    before = evening.kiosk("door")
    evening.director.writer.open(f"venue/{evening.venue}")
    evening.equal(before)
    evening.stop(before)
    evening.director.writer.open(f"venue/{evening.venue}")  # what it holds is of an older epoch than the director's
    again = evening.kiosk("door", before.store)
    evening.until(lambda: again.link.director)
    evening.stop(again)
    before.store.lines.update(evening.director.store.lines)
    epoch = evening.director.store.epochs(f"venue/{evening.venue}")[-1]
    assert epoch > EPOCH
    once_more = evening.kiosk("door", before.store)
    evening.until(lambda: once_more.link.client.drops.counts["old-director"])
    assert once_more.link.director is None
    evening.director.writer.open(ROUND)


def test_one_that_asks_may_not_know_yet_how_far_others_have_come(evening: Evening) -> None:
    """A kiosk that holds a later epoch, and has no director, says so to whoever asks."""
    kiosk = evening.kiosk("door")
    evening.until(lambda: kiosk.link.director)
    later = another_director(evening)
    topic = topics.director(evening.venue)
    with raw_publisher(evening.endpoint) as other:
        other.publish(topic, envelope.encode(later), qos=1, retain=True)
        evening.until(lambda: kiosk.link.director == later)
        asks = gathering(evening)
        other.publish(topic, envelope.encode(asks), qos=1, retain=True)
        evening.until(lambda: kiosk.link.client.drops.counts["old-director"])
        assert kiosk.link.director == later
        other.publish(topic, b"", qos=1, retain=True)
        other.publish(topic, envelope.encode(asks), qos=1, retain=True)
        evening.until(lambda: kiosk.link.director == asks)
