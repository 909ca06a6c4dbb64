"""The simulated reader: what it is told from outside, and what it remembers of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.hw.control import ask
from appliance.hw.ports import CardPresented, CardRemoved, CardUnreadable, ReaderOffline, ReaderOnline, Unreadable
from appliance.hw.simulated import SimulatedReader
from tests.contract.stands import Heard

UID = "04A2B3C4D5E6F7"


@pytest.fixture
def door(tmp_path: Path, heard: Heard) -> Iterator[SimulatedReader]:
    reader = SimulatedReader("door", socket=tmp_path / "door.sock")
    reader.start(heard.sink)
    heard.next(ReaderOnline)
    yield reader
    reader.stop()


@pytest.fixture
def socket(tmp_path: Path, door: SimulatedReader) -> Path:
    return tmp_path / "door.sock"


def test_tap_from_outside_is_a_card_that_comes_and_leaves(socket: Path, heard: Heard) -> None:
    assert ask(socket, f"tap {UID.lower()}") == "ok"
    assert heard.next(CardPresented).uid == UID
    heard.next(CardRemoved)


def test_card_put_there_stays_until_it_is_taken(socket: Path, heard: Heard) -> None:
    assert ask(socket, f"put {UID}") == "ok"
    heard.next(CardPresented)
    heard.nothing(0.05)
    assert ask(socket, "take") == "ok"
    heard.next(CardRemoved)
    assert ask(socket, "take") == "ok"
    heard.nothing(0.05)


def test_cards_put_on_each_other_are_changed(door: SimulatedReader, heard: Heard) -> None:
    door.put("0401")
    door.put("0402")
    assert heard.next(CardPresented).uid == "0401"
    heard.next(CardRemoved)
    assert heard.next(CardPresented).uid == "0402"


@pytest.mark.parametrize("why", list(Unreadable))
def test_every_reason_can_be_rehearsed(socket: Path, heard: Heard, why: Unreadable) -> None:
    assert ask(socket, f"unreadable {why}") == "ok"
    assert heard.next(CardUnreadable).why is why
    heard.next(CardRemoved)


def test_tap_on_an_unplugged_reader_is_not_seen_and_says_so(socket: Path, heard: Heard) -> None:
    assert ask(socket, "unplug") == "ok"
    heard.next(ReaderOffline)
    assert ask(socket, "unplug") == "ok"
    assert ask(socket, f"tap {UID}") == "error not seen: door is offline"
    assert ask(socket, "state") == "offline"
    assert ask(socket, "plug") == "ok"
    heard.next(ReaderOnline)
    assert ask(socket, "state") == "online"
    heard.nothing(0.05)


def test_tap_is_seen_or_not_by_its_caller_too() -> None:
    reader = SimulatedReader()
    assert not reader.tap(UID)
    reader.start(Heard().sink)
    assert reader.tap(UID)
    reader.unplug()
    assert not reader.put(UID)


def test_everything_asked_is_remembered_bad_lines_are_not(socket: Path, door: SimulatedReader) -> None:
    for line in (f"tap {UID}", "tap xyz", "dance", "unreadable", "put 04", "take", "unplug", "plug"):
        ask(socket, line)
    door.stop()
    assert list(door.asked) == [
        "start",
        f"tap {UID}",
        "unreadable mute",
        "put 04",
        "take",
        "unplug",
        "plug",
        "stop",
    ]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("", "error not a command: ''"),
        ("dance", "error not a command: 'dance'"),
        ("tap", "error not a command: 'tap'"),
        ("tap 04 05 06", "error not a command: 'tap 04 05 06'"),
        ("TAP 04", "error not a command: 'TAP 04'"),
        ("tap xyz", "error not hex: 'xyz'"),
        ("tap 0", "error not hex: '0'"),
        ("tap " + "04" * 33, "error a UID has 1 to 32 bytes, not 33"),
        ("unreadable why", "error not a reason: 'why' (gone, mute, no-uid, busy)"),
    ],
)
def test_bad_line_is_answered_with_its_fault_and_dropped(socket: Path, heard: Heard, line: str, answer: str) -> None:
    assert ask(socket, line).startswith(answer)
    heard.nothing(0)


def test_socket_is_gone_with_the_reader(socket: Path, door: SimulatedReader) -> None:
    door.stop()
    with pytest.raises(FileNotFoundError):
        ask(socket, "state")
