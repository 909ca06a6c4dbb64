"""The PN532 reader on the real nfcpy and an emulated chip: bad cables, phones, two cards, silence, and coming back."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from appliance.hw.emulation.pn532 import EmulatedPn532
from appliance.hw.emulation.radio import Type2Card, Type4Card
from appliance.hw.nfc import NfcReader
from appliance.hw.ports import (
    CardPresented,
    CardRemoved,
    Channel,
    Offline,
    ReaderOffline,
    ReaderOnline,
    ReaderState,
)
from tests.contract.stands import Heard
from tests.contract.wired_stands import SELECT, ApduChip, PageChip

UID = bytes.fromhex("04A2B3C4D5E6F7")
OTHER = bytes.fromhex("04112233445566")
BACK_S = 2.0
"""How soon a reader must be back after its device is (DESIGN 9)."""


@pytest.fixture
def reader(chip: EmulatedPn532) -> Iterator[NfcReader]:
    reader = NfcReader(str(chip.wire.path), name="door")
    yield reader
    reader.stop()


def select(channel: Channel, _: str) -> bytes:
    return channel.transmit(SELECT)


@pytest.mark.parametrize("uid", ["04010203", "04A2B3C4D5E6F7", "04A2B3C4D5E6F7081122"])
def test_uids_of_every_length_are_told(chip: EmulatedPn532, reader: NfcReader, heard: Heard, uid: str) -> None:
    reader.start(heard.sink)
    heard.next(ReaderOnline)
    chip.put(Type2Card(bytes.fromhex(uid), PageChip()))
    assert heard.next(CardPresented).uid == uid
    heard.nothing(0.5)
    chip.take()
    heard.next(CardRemoved)


def test_of_two_cards_one_is_told_and_the_other_when_it_has_left(
    chip: EmulatedPn532, reader: NfcReader, heard: Heard
) -> None:
    first, second = Type4Card(UID, ApduChip()), Type4Card(OTHER, ApduChip())
    reader.start(heard.sink, select)
    heard.next(ReaderOnline)
    chip.put(first)
    assert heard.next(CardPresented).uid == UID.hex().upper()
    chip.put(second)
    heard.nothing(0.5)
    chip.take(first)
    heard.next(CardRemoved)
    assert heard.next(CardPresented).uid == OTHER.hex().upper()
    chip.take(second)
    heard.next(CardRemoved)


class Phone(Type4Card):
    """Takes another UID each time the field comes on."""

    def __init__(self) -> None:
        self._made_up = 0
        super().__init__(b"\x08\x00\x00\x00", ApduChip())

    def power_off(self) -> None:
        super().power_off()
        self._made_up += 1
        self.uid = b"\x08" + self._made_up.to_bytes(3, "big")


def test_phone_is_one_tap_however_many_uids_it_makes_up(chip: EmulatedPn532, reader: NfcReader, heard: Heard) -> None:
    reader.start(heard.sink, select)
    heard.next(ReaderOnline)
    phone = Phone()
    chip.put(phone)
    assert heard.next(CardPresented).uid.startswith("08")
    before = phone.uid
    heard.nothing(0.6)
    assert phone.uid != before, "the field was never off: the test proves nothing"
    chip.take()
    heard.next(CardRemoved)


def test_reader_that_falls_silent_is_offline_and_comes_back(
    chip: EmulatedPn532, reader: NfcReader, heard: Heard
) -> None:
    reader.start(heard.sink)
    heard.next(ReaderOnline)
    chip.mute = True
    assert heard.next(ReaderOffline).why is Offline.FAILED
    assert reader.state is ReaderState.OFFLINE
    chip.mute = False
    heard.next(ReaderOnline, timeout=BACK_S)
    chip.put(Type4Card(UID, ApduChip()))
    heard.next(CardPresented)


def test_reader_that_falls_silent_with_a_card_takes_it_along(
    chip: EmulatedPn532, reader: NfcReader, heard: Heard
) -> None:
    reader.start(heard.sink)
    heard.next(ReaderOnline)
    chip.put(Type4Card(UID, ApduChip()))
    heard.next(CardPresented)
    chip.mute = True
    heard.next(ReaderOffline)
    chip.take()
    chip.mute = False
    heard.next(ReaderOnline)
    heard.nothing(0.3)


def test_cable_pulled_in_mid_dialog_is_the_readers_fault_not_the_cards(
    chip: EmulatedPn532, reader: NfcReader, heard: Heard
) -> None:
    def dialog(channel: Channel, _: str) -> bytes:
        channel.transmit(SELECT)
        chip.unplug()
        return channel.transmit(SELECT)

    reader.start(heard.sink, dialog)
    heard.next(ReaderOnline)
    chip.put(Type4Card(UID, ApduChip()))
    assert heard.next(ReaderOffline).why is Offline.NO_READER
    chip.take()
    chip.plug()
    heard.next(ReaderOnline)


def test_few_spoilt_frames_cost_no_tap_and_tell_no_wrong_uid(
    chip: EmulatedPn532, reader: NfcReader, heard: Heard
) -> None:
    reader.start(heard.sink, select)
    heard.next(ReaderOnline)
    for _ in range(5):
        chip.garble(1)
        chip.put(Type4Card(UID, ApduChip()))
        assert heard.next(CardPresented).uid == UID.hex().upper()
        chip.take()
        heard.next(CardRemoved)


def test_reader_is_there_again_after_every_pull_of_its_cable(
    chip: EmulatedPn532, reader: NfcReader, heard: Heard
) -> None:
    reader.start(heard.sink)
    heard.next(ReaderOnline)
    files = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(4):
        chip.unplug()
        assert heard.next(ReaderOffline).why is Offline.NO_READER
        chip.plug()
        heard.next(ReaderOnline, timeout=BACK_S)
    assert len(list(Path("/proc/self/fd").iterdir())) == files, "a port is left open"


def test_port_that_another_program_holds_is_not_shared(chip: EmulatedPn532, reader: NfcReader, heard: Heard) -> None:
    other, deaf = NfcReader(str(chip.wire.path), name="other"), Heard()
    reader.start(heard.sink)
    heard.next(ReaderOnline)
    other.start(deaf.sink)
    try:
        assert deaf.next(ReaderOffline).why is Offline.FAILED
        chip.put(Type4Card(UID, ApduChip()))
        assert heard.next(CardPresented).uid == UID.hex().upper()
    finally:
        other.stop()


def test_stop_does_not_wait_for_a_silent_chip(chip: EmulatedPn532, reader: NfcReader, heard: Heard) -> None:
    reader.start(heard.sink)
    heard.next(ReaderOnline)
    chip.mute = True
    heard.next(ReaderOffline)
    reader.stop()
    assert "reader door" not in {thread.name for thread in threading.enumerate()}
    heard.nothing(0)


def test_firmware_is_known_once_the_reader_is_online(chip: EmulatedPn532, reader: NfcReader, heard: Heard) -> None:
    assert reader.firmware == ""
    reader.start(heard.sink)
    heard.next(ReaderOnline)
    assert reader.firmware == "PN532v1.6"


def test_stopped_reader_leaves_the_chip_asleep(chip: EmulatedPn532, reader: NfcReader, heard: Heard) -> None:
    reader.start(heard.sink)
    heard.next(ReaderOnline)
    reader.stop()
    assert chip.asked[-1][0] == 0x16


def test_idle_reader_sleeps(chip: EmulatedPn532, reader: NfcReader, heard: Heard) -> None:
    """The chip looks for cards by itself; it is asked a handful of things a second."""
    reader.start(heard.sink)
    heard.next(ReaderOnline)
    time.sleep(0.2)
    before = len(chip.asked)
    time.sleep(2)
    assert len(chip.asked) - before <= 20


def test_chip_behind_a_usb_adapter_is_found_by_the_adapters_id(
    chip: EmulatedPn532, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    ports = [SimpleNamespace(vid=0x1A86, pid=0x7523, device=str(chip.wire.path))]
    monkeypatch.setattr("appliance.hw.serial.list_ports.comports", lambda: ports)
    reader = NfcReader(usb="1A86:7523", name="door")
    reader.start(heard.sink)
    try:
        heard.next(ReaderOnline)
    finally:
        reader.stop()


def test_no_usb_reader_of_that_id_is_no_reader(heard: Heard) -> None:
    reader = NfcReader(usb="072f:2200", name="door")
    reader.start(heard.sink)
    try:
        assert heard.next(ReaderOffline).why is Offline.NO_READER
    finally:
        reader.stop()


def test_missing_library_names_the_extra_that_brings_it() -> None:
    program = "import sys; sys.modules['nfc'] = None; import appliance.hw.nfc"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    last = ended.stderr.splitlines()[-1]
    assert last.startswith("appliance.hw.ports.DriverMissing: PN532 readers need nfcpy")
    assert "tableside[readers]" in last
