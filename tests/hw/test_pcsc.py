"""The PC/SC reader against a real pcscd that is killed, late, hung or changed, and cards that misbehave."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest
from smartcard import scard

from appliance.hw.pcsc import PcscReader
from appliance.hw.pcsc_run import RETRIES
from appliance.hw.ports import (
    CardPresented,
    CardRemoved,
    CardUnreadable,
    Offline,
    ReaderEvent,
    ReaderOffline,
    ReaderOnline,
    ReaderState,
    Unreadable,
)
from bench.ifd.rig import Rig, event_driven, unplug
from tests.contract.stands import Heard
from tests.contract.virtualcard import OK, Pcscd, VirtualCard, vpcd

BACK_WITHIN_S = 2.0
"""The promise: a reader is back two seconds after its device or its service, at the latest."""
UID = "04A2B3C4D5E6F7"


@pytest.fixture
def rig() -> Iterator[Rig]:
    with Rig() as rig:
        yield rig


@pytest.fixture
def reader() -> Iterator[PcscReader]:
    reader = PcscReader("virtual", name="door")
    yield reader
    reader.stop()


def test_pcscd_killed_again_and_again(rig: Rig, reader: PcscReader, heard: Heard) -> None:
    reader.start(heard.sink)
    heard.skip_to(ReaderOnline)
    for number in range(5):
        rig.pcscd.kill()
        assert heard.next(ReaderOffline).why is Offline.NO_SERVICE
        rig.pcscd.start()
        heard.skip_to(ReaderOnline, BACK_WITHIN_S)
        uid = f"0401020{number}"
        rig.insert(uid)
        assert heard.next(CardPresented).uid == uid
        rig.remove()
        heard.next(CardRemoved)


def test_pcscd_killed_while_a_card_is_being_read(rig: Rig, reader: PcscReader, heard: Heard) -> None:
    asked = threading.Event()

    def never(command: bytes) -> bytes:
        asked.set()
        time.sleep(0.2)
        return OK

    reader.start(heard.sink)
    heard.skip_to(ReaderOnline)
    rig.insert(never)
    asked.wait(10)
    rig.pcscd.kill()
    heard.skip_to(ReaderOffline)
    rig.remove()
    rig.pcscd.start()
    heard.skip_to(ReaderOnline, BACK_WITHIN_S)
    rig.insert(UID)
    assert heard.next(CardPresented).uid == UID


def test_pcscd_stopped_in_order_and_started_again(rig: Rig, reader: PcscReader, heard: Heard) -> None:
    reader.start(heard.sink)
    heard.skip_to(ReaderOnline)
    rig.pcscd.stop()
    heard.next(ReaderOffline)
    rig.pcscd.start()
    heard.skip_to(ReaderOnline, BACK_WITHIN_S)


def test_pcscd_that_is_late_is_waited_for(reader: PcscReader, heard: Heard) -> None:
    reader.start(heard.sink)
    assert heard.next(ReaderOffline).why is Offline.NO_SERVICE
    heard.nothing(1.2)
    with Rig() as rig:
        heard.skip_to(ReaderOnline, BACK_WITHIN_S)
        rig.insert(UID)
        assert heard.next(CardPresented).uid == UID


def test_reader_that_pcscd_does_not_have_is_waited_for(reader: PcscReader, heard: Heard) -> None:
    with Pcscd() as pcscd:
        reader.start(heard.sink)
        assert heard.next(ReaderOffline).why is Offline.NO_READER
        pcscd.kill()
        assert heard.next(ReaderOffline).why is Offline.NO_SERVICE
        pcscd.configure(event_driven())
        pcscd.start()
        heard.skip_to(ReaderOnline, BACK_WITHIN_S)
        pcscd.kill()
        heard.next(ReaderOffline)
        pcscd.configure()
        pcscd.start()
        assert heard.next(ReaderOffline).why is Offline.NO_READER


def test_reader_that_pcscd_cannot_talk_to_is_offline(rig: Rig, reader: PcscReader, heard: Heard) -> None:
    reader.start(heard.sink)
    heard.skip_to(ReaderOnline)
    unplug(rig.readers[0])
    assert heard.next(ReaderOffline).why is Offline.FAILED


def test_readers_beside_each_other_keep_their_taps_apart(heard: Heard) -> None:
    other = Heard()
    left, right = PcscReader("left", name="left"), PcscReader("right", name="right")
    with Rig("Left", "Right") as rig:
        left.start(heard.sink)
        right.start(other.sink)
        heard.skip_to(ReaderOnline)
        other.skip_to(ReaderOnline)
        rig.insert("04000001", reader=0)
        rig.insert("04000002", reader=1)
        assert heard.next(CardPresented) == CardPresented("left", "04000001", pytest.approx(0, abs=1e18))
        assert other.next(CardPresented).uid == "04000002"
        unplug(rig.readers[0])
        heard.next(ReaderOffline)
        other.nothing(0.1)
        left.stop()
        right.stop()


def test_one_name_for_two_readers_is_online_while_one_works(heard: Heard) -> None:
    reader = PcscReader("gate", name="door")
    with Rig("Gate A", "Gate B") as rig:
        reader.start(heard.sink)
        heard.skip_to(ReaderOnline)
        rig.insert("04000001", reader=0)
        assert heard.next(CardPresented).uid == "04000001"
        unplug(rig.readers[0])
        heard.next(CardRemoved)
        rig.insert("04000002", reader=1)
        assert heard.next(CardPresented).uid == "04000002"
        assert reader.state is ReaderState.ONLINE
        unplug(rig.readers[1])
        heard.skip_to(ReaderOffline)
        reader.stop()


def test_card_yanked_while_it_is_read(rig: Rig, reader: PcscReader, heard: Heard) -> None:
    reader.start(heard.sink)
    heard.skip_to(ReaderOnline)
    for _ in range(10):
        rig.insert(lambda command: None)
        assert heard.next(CardUnreadable).why is Unreadable.GONE
        heard.next(CardRemoved)
    rig.insert(UID)
    assert heard.next(CardPresented).uid == UID


def test_card_yanked_from_the_stock_reader_while_it_is_read(reader: PcscReader, heard: Heard) -> None:
    config = vpcd()
    with Pcscd(config):
        reader.start(heard.sink)
        heard.skip_to(ReaderOnline)
        with VirtualCard(config.address, lambda command: None):
            assert heard.next(CardUnreadable).why is Unreadable.GONE
        heard.next(CardRemoved)
        with VirtualCard(config.address, UID):
            assert heard.next(CardPresented).uid == UID


@pytest.mark.parametrize("first", [OK, b"\x63\x00", b"\x6f\x00", b""], ids=["empty", "6300", "6F00", "silent"])
def test_card_that_fails_once_is_read_again(rig: Rig, reader: PcscReader, heard: Heard, first: bytes) -> None:
    answers = iter([first, bytes.fromhex(UID) + OK])
    reader.start(heard.sink)
    heard.skip_to(ReaderOnline)
    rig.insert(lambda command: next(answers))
    assert heard.next(CardPresented).uid == UID


@pytest.mark.parametrize("answer", [OK, b"\x63\x00", b"\x6a\x82"], ids=["empty", "6300", "6A82"])
def test_card_that_gives_no_uid_is_told(rig: Rig, reader: PcscReader, heard: Heard, answer: bytes) -> None:
    reader.start(heard.sink)
    heard.skip_to(ReaderOnline)
    rig.insert(lambda command: answer)
    assert heard.next(CardUnreadable).why is Unreadable.NO_UID
    rig.remove()
    heard.next(CardRemoved)


def test_card_held_there_until_it_answers_is_read_after_all(rig: Rig, reader: PcscReader, heard: Heard) -> None:
    answers = iter([OK, OK, OK, bytes.fromhex(UID) + OK])
    reader.start(heard.sink)
    heard.skip_to(ReaderOnline)
    rig.insert(lambda command: next(answers))
    heard.next(CardUnreadable)
    assert heard.next(CardPresented).uid == UID
    rig.remove()
    heard.next(CardRemoved)


def test_card_that_never_answers_is_not_asked_for_ever(rig: Rig, reader: PcscReader, heard: Heard) -> None:
    reader.start(heard.sink)
    heard.skip_to(ReaderOnline)
    card = rig.insert(lambda command: OK)
    heard.next(CardUnreadable)
    heard.nothing(2.5)
    assert len(card.asked) == 2 * (1 + RETRIES)
    rig.remove()
    heard.next(CardRemoved)


def test_card_held_by_another_program_is_busy(rig: Rig, reader: PcscReader, heard: Heard) -> None:
    rig.insert(UID)
    with another_program_holding(f"{rig.readers[0].name} 00 00"):
        reader.start(heard.sink)
        heard.skip_to(ReaderOnline)
        assert heard.next(CardUnreadable).why is Unreadable.BUSY
    rig.remove()
    heard.next(CardRemoved)
    rig.insert(UID)
    assert heard.next(CardPresented).uid == UID


@contextlib.contextmanager
def another_program_holding(slot: str) -> Iterator[None]:
    """Hold the card that lies on a slot for oneself."""
    _, context = scard.SCardEstablishContext(scard.SCARD_SCOPE_SYSTEM)
    state = scard.SCARD_STATE_UNAWARE
    while not state & scard.SCARD_STATE_PRESENT:
        code, ((_, state, _),) = scard.SCardGetStatusChange(context, 10_000, [(slot, state)])
        assert code == scard.SCARD_S_SUCCESS
    code, card, _ = scard.SCardConnect(
        context, slot, scard.SCARD_SHARE_EXCLUSIVE, scard.SCARD_PROTOCOL_T0 | scard.SCARD_PROTOCOL_T1
    )
    assert code == scard.SCARD_S_SUCCESS
    yield
    scard.SCardDisconnect(card, scard.SCARD_LEAVE_CARD)
    scard.SCardReleaseContext(context)


def test_cards_that_come_and_go_behind_its_back_are_told(rig: Rig, reader: PcscReader, heard: Heard) -> None:
    held, go_on = threading.Event(), threading.Event()

    def sink_that_holds_the_reader_up(event: ReaderEvent) -> None:
        heard.sink(event)
        if isinstance(event, CardPresented) and not held.is_set():
            held.set()
            go_on.wait(10)

    reader.start(sink_that_holds_the_reader_up)
    heard.skip_to(ReaderOnline)
    rig.insert("04000001")
    held.wait(10)
    rig.insert("04000002").wait_until_noticed()
    rig.insert("04000003").wait_until_noticed()
    go_on.set()
    assert heard.next(CardPresented).uid == "04000001"
    heard.next(CardRemoved)
    assert heard.next(CardUnreadable).why is Unreadable.GONE
    heard.next(CardRemoved)
    assert heard.next(CardPresented).uid == "04000003"
    heard.nothing(0.2)


def test_card_that_follows_a_dead_one_at_once_is_told_once(rig: Rig, reader: PcscReader, heard: Heard) -> None:
    reader.start(heard.sink)
    heard.skip_to(ReaderOnline)
    for uid in ("04000001", "04000002", "04000003"):
        rig.remove()
        with VirtualCard(rig.readers[0].address, "", atr=b"") as dead:
            dead.wait_until_noticed()
        rig.insert(uid)
        heard.skip_to(CardUnreadable)
        heard.next(CardRemoved)
        assert heard.next(CardPresented).uid == uid
        heard.nothing(0.6)


def test_stop_does_not_wait_for_a_card_that_hangs(rig: Rig, heard: Heard) -> None:
    reading, go_on = threading.Event(), threading.Event()

    def hang(command: bytes) -> bytes:
        reading.set()
        go_on.wait(10)
        return bytes.fromhex(UID) + OK

    reader = PcscReader("virtual", name="door")
    reader.start(heard.sink)
    heard.skip_to(ReaderOnline)
    rig.insert(hang)
    reading.wait(10)
    reader.stop()
    assert not go_on.is_set()
    go_on.set()
    heard.nothing(0.3)


def test_stop_does_not_wait_for_a_pcscd_that_hangs(rig: Rig, heard: Heard) -> None:
    reader = PcscReader("virtual", name="door")
    reader.start(heard.sink)
    heard.skip_to(ReaderOnline)
    os.kill(rig.pcscd.pid, signal.SIGSTOP)
    try:
        reader.stop()
        assert reader.state is ReaderState.STOPPED
    finally:
        os.kill(rig.pcscd.pid, signal.SIGCONT)


def test_missing_library_names_the_extra_that_brings_it() -> None:
    program = "import sys; sys.modules['smartcard'] = None; import appliance.hw.pcsc"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    last = ended.stderr.splitlines()[-1]
    assert last.startswith("appliance.hw.ports.DriverMissing: PC/SC readers need pyscard")
    assert "tableside[readers]" in last
    assert "pcscd" in last
