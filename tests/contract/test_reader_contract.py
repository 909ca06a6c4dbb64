"""What `appliance.hw.ports.Reader` promises, held against every driver, simulated and real."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.hw.ports import (
    CardPresented,
    CardRemoved,
    CardUnreadable,
    ReaderOffline,
    ReaderOnline,
    ReaderState,
)
from tests.contract.stands import STANDS, Heard, Stand


@pytest.fixture(params=STANDS)
def stand(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stand]:
    stand = STANDS[request.param](tmp_path)
    yield stand
    stand.close()


@pytest.fixture
def heard() -> Heard:
    return Heard()


def test_first_event_of_a_reader_that_is_there_says_so(stand: Stand, heard: Heard) -> None:
    assert stand.reader.state is ReaderState.STOPPED
    stand.reader.start(heard.sink)
    assert heard.skip_to(ReaderOnline).reader == stand.reader.name == "door"
    assert stand.reader.state is ReaderState.ONLINE


def test_first_event_of_a_reader_that_is_not_there_says_so(stand: Stand, heard: Heard) -> None:
    stand.unplug()
    stand.reader.start(heard.sink)
    assert heard.next(ReaderOffline).reader == "door"
    assert stand.reader.state is ReaderState.OFFLINE


def test_card_is_told_once_when_it_comes_and_once_when_it_leaves(stand: Stand, heard: Heard) -> None:
    stand.reader.start(heard.sink)
    heard.skip_to(ReaderOnline)
    before = time.monotonic_ns()
    stand.put(stand.first)
    came = heard.next(CardPresented)
    assert (came.reader, came.uid) == ("door", stand.first)
    assert before <= came.at_ns <= time.monotonic_ns()
    heard.nothing(0.5)
    stand.take()
    left = heard.next(CardRemoved)
    assert came.at_ns <= left.at_ns <= time.monotonic_ns()


def test_every_tap_of_a_quick_hand_is_told_in_order_to_a_slow_consumer(stand: Stand, heard: Heard) -> None:
    stand.reader.start(heard.sink)
    heard.skip_to(ReaderOnline)
    told: list[object] = []
    cards = [stand.uid(number) for number in range(stand.taps)]
    enough = threading.Event()

    def consume() -> None:
        for number in range(2 * len(cards)):
            told.append(heard.queue.get(timeout=20))
            if number % 40 == 0:
                enough.wait(0.05)  # never set: a consumer that is busy with something else

    consumer = threading.Thread(target=consume)
    consumer.start()
    tap_all(stand, cards)
    consumer.join()
    assert [event.uid for event in told if isinstance(event, CardPresented)] == cards
    assert [type(event) for event in told] == [CardPresented, CardRemoved] * len(cards)


def tap_all(stand: Stand, cards: list[str]) -> None:
    """Tap as fast as the reader can notice: a real card stays until it is read, and the next comes at once."""
    for uid in cards:
        stand.put(uid)
        if card := getattr(stand, "card", None):
            card.wait_until_read()
        stand.take()


def test_same_card_twice_is_two_taps(stand: Stand, heard: Heard) -> None:
    stand.reader.start(heard.sink)
    heard.skip_to(ReaderOnline)
    for _ in range(2):
        stand.put(stand.first)
        assert heard.next(CardPresented).uid == stand.first
        stand.take()
        heard.next(CardRemoved)


def test_unreadable_card_is_told_with_its_reason_and_the_next_is_read(stand: Stand, heard: Heard) -> None:
    stand.reader.start(heard.sink, stand.dialog)
    heard.skip_to(ReaderOnline)
    if why := stand.bad_card():
        assert heard.next(CardUnreadable).why is why
        heard.next(CardRemoved)
    stand.put(stand.other)
    assert heard.next(CardPresented).uid == stand.other


def test_reader_comes_back_by_itself_and_sees_taps_again(stand: Stand, heard: Heard) -> None:
    stand.reader.start(heard.sink)
    heard.skip_to(ReaderOnline)
    for uid in (stand.first, stand.other):
        stand.unplug()
        heard.next(ReaderOffline)
        assert stand.reader.state is ReaderState.OFFLINE
        stand.plug()
        heard.skip_to(ReaderOnline)
        assert stand.reader.state is ReaderState.ONLINE
        stand.put(uid)
        assert heard.next(CardPresented).uid == uid
        stand.take()
        heard.next(CardRemoved)


def test_card_that_lies_there_at_the_start_is_told(stand: Stand, heard: Heard) -> None:
    stand.put(stand.first)
    stand.reader.start(heard.sink)
    heard.skip_to(ReaderOnline)
    assert heard.next(CardPresented).uid == stand.first


def test_card_leaves_with_its_reader_without_a_word_of_its_own(stand: Stand, heard: Heard) -> None:
    stand.reader.start(heard.sink)
    heard.skip_to(ReaderOnline)
    stand.put(stand.first)
    heard.next(CardPresented)
    stand.unplug()
    heard.next(ReaderOffline)
    stand.take()
    stand.plug()
    heard.skip_to(ReaderOnline)
    stand.put(stand.other)
    assert heard.next(CardPresented).uid == stand.other


def test_stopped_reader_tells_nothing_and_can_be_started_again(stand: Stand, heard: Heard) -> None:
    stand.reader.start(heard.sink)
    heard.skip_to(ReaderOnline)
    stand.reader.stop()
    stand.reader.stop()
    assert stand.reader.state is ReaderState.STOPPED
    stand.put(stand.first)
    heard.nothing(0.6)
    stand.take()
    again = Heard()
    stand.reader.start(again.sink)
    again.skip_to(ReaderOnline)
    stand.put(stand.other)
    assert again.skip_to(CardPresented).uid == stand.other
    heard.nothing(0)


def test_reader_cannot_be_started_twice(stand: Stand, heard: Heard) -> None:
    stand.reader.start(heard.sink)
    with pytest.raises(RuntimeError, match="door: already started"):
        stand.reader.start(heard.sink)
    heard.skip_to(ReaderOnline)


def test_reader_stopped_at_once_ends_its_threads(stand: Stand, heard: Heard) -> None:
    before = set(threading.enumerate())
    for _ in range(20):
        stand.reader.start(heard.sink)
        stand.reader.stop()
    assert {thread.name for thread in set(threading.enumerate()) - before} <= {"virtual card"}
