"""A pcscd that hangs, and what it costs to know: told offline by itself, back by itself, and asleep meanwhile."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from appliance.hw import pcsc, pcsc_turn
from appliance.hw.pcsc import PcscReader
from appliance.hw.pcsc_service import Service
from appliance.hw.ports import (
    SILENT_NS,
    CardPresented,
    CardRemoved,
    CardUnreadable,
    Channel,
    Offline,
    ReaderOffline,
    ReaderOnline,
    ReaderState,
    Unreadable,
)
from bench.ifd.rig import Rig
from tests.contract.stands import Heard

UID = "04A2B3C4D5E6F7"
WINDOW_S = 12.0
BACK_WITHIN_S = 0.75 * pcsc.PROOF_MS / 1000
"""Sooner than the wait would end that pcscd was kept from beginning."""
NOTICED_WITHIN_S = pcsc.PROOF_MS / 1000 + pcsc_turn.LATE_S


@pytest.fixture
def rig() -> Iterator[Rig]:
    with Rig() as rig:
        yield rig


@pytest.fixture
def reader() -> Iterator[PcscReader]:
    reader = PcscReader("virtual", name="door", dialog_s=0.3)
    yield reader
    reader.stop()


def hang(pid: int) -> None:
    """Stop a process, and wait until it has stopped (proc(5), stat)."""
    os.kill(pid, signal.SIGSTOP)
    while Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "T":
        time.sleep(0.001)


@contextlib.contextmanager
def hung(rig: Rig) -> Iterator[None]:
    """pcscd takes no step meanwhile."""
    pid = rig.pcscd.pid
    hang(pid)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def test_silence_is_told_before_the_kiosk_would_have_to_notice() -> None:
    assert NOTICED_WITHIN_S * 1e9 < SILENT_NS


def test_pcscd_that_hangs_is_told_and_its_return_too(rig: Rig, reader: PcscReader, heard: Heard) -> None:
    reader.start(heard.sink)
    heard.skip_to(ReaderOnline)
    for uid in (UID, "04010203"):
        with hung(rig):
            offline = heard.skip_to(ReaderOffline, timeout=60)
            assert offline.why is Offline.NO_SERVICE
            assert reader.state is ReaderState.OFFLINE
        heard.next(ReaderOnline, timeout=BACK_WITHIN_S)
        rig.insert(uid)
        assert heard.next(CardPresented).uid == uid
        rig.remove()
        heard.next(CardRemoved)


def test_wait_that_goes_on_after_pcscd_hung_is_ended(
    rig: Rig, reader: PcscReader, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pcscd that hangs just as it is told to wait begins to wait when it is back, for as long as it was told to."""
    wait, waits, cancelled = Service.wait, itertools.count(1), threading.Event()

    def second_goes_on(service: Service, slots: Mapping[str, int], timeout_ms: int) -> dict[str, int] | None:
        if next(waits) == 2:
            cancelled.wait(60)
            return {}
        return wait(service, slots, timeout_ms)

    monkeypatch.setattr(pcsc, "PROOF_MS", 500)
    monkeypatch.setattr(Service, "wait", second_goes_on)
    monkeypatch.setattr(Service, "cancel", lambda _: cancelled.set())
    reader.start(heard.sink)
    heard.next(ReaderOnline)
    heard.next(ReaderOffline)
    heard.next(ReaderOnline)
    monkeypatch.undo()


def test_card_that_lies_there_is_told_again_when_pcscd_is_back(rig: Rig, reader: PcscReader, heard: Heard) -> None:
    reader.start(heard.sink)
    heard.skip_to(ReaderOnline)
    rig.insert(UID)
    heard.next(CardPresented)
    with hung(rig):
        heard.next(ReaderOffline, timeout=60)
    heard.next(ReaderOnline)
    assert heard.next(CardPresented).uid == UID


def test_pcscd_that_hangs_is_killed_and_started_anew(rig: Rig, reader: PcscReader, heard: Heard) -> None:
    reader.start(heard.sink)
    heard.skip_to(ReaderOnline)
    hang(rig.pcscd.pid)
    heard.next(ReaderOffline, timeout=60)
    rig.pcscd.kill()
    rig.pcscd.start()
    heard.next(ReaderOnline)
    rig.insert(UID)
    assert heard.next(CardPresented).uid == UID


def test_pcscd_that_hangs_from_the_start_is_told(rig: Rig, reader: PcscReader, heard: Heard) -> None:
    with hung(rig):
        reader.start(heard.sink)
        assert heard.next(ReaderOffline, timeout=60).why is Offline.NO_SERVICE
    heard.next(ReaderOnline)


def test_pcscd_that_hangs_in_a_dialog_is_told_after_the_card(rig: Rig, reader: PcscReader, heard: Heard) -> None:
    asked: list[str] = []

    def dialog(channel: Channel, uid: str) -> object:
        asked.append(uid)
        if len(asked) == 1:
            hang(rig.pcscd.pid)
        with contextlib.suppress(OSError):
            channel.read_pages(4)
        return "read"

    reader.start(heard.sink, dialog)
    heard.skip_to(ReaderOnline)
    rig.insert(UID)
    assert heard.next(CardUnreadable, timeout=60).why is Unreadable.MUTE
    heard.next(ReaderOffline, timeout=60)
    os.kill(rig.pcscd.pid, signal.SIGCONT)
    heard.next(ReaderOnline)
    assert heard.next(CardPresented).reading == "read"
    heard.nothing(0.2)


def test_stop_does_not_wait_for_a_pcscd_that_was_told_to_hang(rig: Rig, reader: PcscReader, heard: Heard) -> None:
    reader.start(heard.sink)
    heard.skip_to(ReaderOnline)
    with hung(rig):
        heard.next(ReaderOffline, timeout=60)
        reader.stop()
        assert reader.state is ReaderState.STOPPED
    heard.nothing(0.2)


def test_idle_reader_wakes_at_most_once_a_second(rig: Rig, reader: PcscReader, heard: Heard) -> None:
    reader.start(heard.sink)
    heard.skip_to(ReaderOnline)
    threads = [thread for thread in threading.enumerate() if thread.name in ("reader door", "guard door")]
    assert len(threads) == 2
    time.sleep(0.2)
    # what else the machine does only ever adds: the best of three windows counts
    assert any(wakeups_meanwhile(threads) <= WINDOW_S for _ in range(3))


def wakeups_meanwhile(threads: list[threading.Thread]) -> int:
    """How often the busiest of these threads goes to sleep in `WINDOW_S` (proc(5), status)."""
    before = [wakeups(thread) for thread in threads]
    time.sleep(WINDOW_S)
    return max(wakeups(thread) - start for thread, start in zip(threads, before, strict=True))


def wakeups(thread: threading.Thread) -> int:
    status = Path(f"/proc/self/task/{thread.native_id}/status").read_text()
    return int(status.split("\nvoluntary_ctxt_switches:")[1].split()[0])
