"""Dialogs over a PN532: APDUs and pages, badly heard, refused, never ending, and with the card pulled away."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator

import pytest

from appliance.hw.emulation.pn532 import EmulatedPn532
from appliance.hw.emulation.radio import Type2Card, Type4Card
from appliance.hw.nfc import NfcReader
from appliance.hw.ports import (
    CardLost,
    CardPresented,
    CardRemoved,
    CardUnreadable,
    Channel,
    NotSupported,
    ReaderOnline,
    Unreadable,
)
from tests.contract.stands import Heard
from tests.contract.wired_stands import SELECT, ApduChip, PageChip

UID = bytes.fromhex("04A2B3C4D5E6F7")
OTHER = bytes.fromhex("04112233445566")


@pytest.fixture
def reader(chip: EmulatedPn532) -> Iterator[NfcReader]:
    reader = NfcReader(str(chip.wire.path), name="door")
    yield reader
    reader.stop()


def select(channel: Channel, _: str) -> bytes:
    return channel.transmit(SELECT)


@pytest.mark.parametrize("fsci", [0, 2, 5, 8])
def test_apdus_of_every_length_pass_over_frames_of_every_size(
    chip: EmulatedPn532, reader: NfcReader, heard: Heard, fsci: int
) -> None:
    card = Type4Card(UID, ApduChip(), ats=bytes((5, 0x70 | fsci, 0x80, 0x40, 0x02)), waits=lambda apdu: len(apdu) % 3)
    commands = [bytes(range(length)) for length in (4, 12, 13, 14, 60, 61, 62, 130, 255)]

    def dialog(channel: Channel, _: str) -> list[bytes]:
        return [channel.transmit(command) for command in commands]

    reader.start(heard.sink, dialog)
    heard.next(ReaderOnline)
    chip.put(card)
    assert heard.next(CardPresented).reading == [command[::-1] + b"\x90\x00" for command in commands]
    assert card.chip.asked == commands


def test_frames_that_the_antenna_hears_badly_are_asked_for_again_and_no_command_is_obeyed_twice(
    chip: EmulatedPn532, reader: NfcReader, heard: Heard
) -> None:
    card = Type4Card(UID, ApduChip())

    def dialog(channel: Channel, _: str) -> bytes:
        channel.transmit(SELECT)
        chip.noise(3)
        return channel.transmit(b"\x00\x01\x02\x03")

    reader.start(heard.sink, dialog)
    heard.next(ReaderOnline)
    chip.put(card)
    assert heard.next(CardPresented).reading == b"\x03\x02\x01\x00\x90\x00"
    assert card.chip.asked == [SELECT, b"\x00\x01\x02\x03"]


@pytest.mark.parametrize("ats", ["0208", "032840", "0578807002", "067777710280"])
def test_answer_to_select_may_leave_out_what_has_a_default(
    chip: EmulatedPn532, reader: NfcReader, heard: Heard, ats: str
) -> None:
    """ISO/IEC 14443-4, 5.2: nfcpy reads the interface bytes as if all were there."""
    reader.start(heard.sink, select)
    heard.next(ReaderOnline)
    chip.put(Type4Card(UID, ApduChip(), ats=bytes.fromhex(ats)))
    assert heard.next(CardPresented).reading == SELECT[::-1] + b"\x90\x00"


@pytest.mark.parametrize("heard_frame", [False, True])
@pytest.mark.parametrize("frame", range(1, 8))
def test_card_yanked_at_any_frame_is_gone_and_the_next_is_read(
    chip: EmulatedPn532, reader: NfcReader, heard: Heard, frame: int, heard_frame: bool
) -> None:
    """Frames: RATS, then three times a command in two blocks, the second of them with its answer."""

    def dialog(channel: Channel, _: str) -> list[bytes]:
        return [channel.transmit(bytes(100)) for _ in range(3)]

    reader.start(heard.sink, dialog)
    heard.next(ReaderOnline)
    chip.yank(frame, heard=heard_frame)
    chip.put(Type4Card(UID, ApduChip(), ats=bytes.fromhex("0575804002")))
    assert heard.next(CardUnreadable).why is Unreadable.GONE
    heard.next(CardRemoved)
    chip.put(Type4Card(OTHER, ApduChip()))
    assert heard.next(CardPresented).uid == OTHER.hex().upper()


def test_lost_card_stays_lost_for_its_dialog(chip: EmulatedPn532, reader: NfcReader, heard: Heard) -> None:
    def dialog(channel: Channel, _: str) -> list[Unreadable]:
        whys = []
        for _ in range(3):
            with pytest.raises(CardLost) as lost:
                channel.transmit(SELECT)
            whys.append(lost.value.why)
        return whys

    reader.start(heard.sink, dialog)
    heard.next(ReaderOnline)
    card = Type4Card(UID, ApduChip())
    card.mute = True
    chip.put(card)
    assert heard.next(CardPresented).reading == [Unreadable.MUTE] * 3
    assert chip.frames <= 8


def test_mute_chip_that_answers_after_all_is_told_while_it_is_held(
    chip: EmulatedPn532, reader: NfcReader, heard: Heard
) -> None:
    reader.start(heard.sink, select)
    heard.next(ReaderOnline)
    card = Type4Card(UID, ApduChip())
    card.mute = True
    chip.put(card)
    assert heard.next(CardUnreadable).why is Unreadable.MUTE
    card.mute = False
    assert heard.next(CardPresented).uid == UID.hex().upper()
    chip.take()
    heard.next(CardRemoved)


def test_card_that_asks_for_more_time_for_ever_does_not_hang_the_reader(
    chip: EmulatedPn532, reader: NfcReader, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("appliance.hw.nfc_channel.EXCHANGE_S", 0.3)
    reader.start(heard.sink, select)
    heard.next(ReaderOnline)
    chip.put(Type4Card(UID, ApduChip(), waits=lambda _: 10**9))
    assert heard.next(CardUnreadable).why is Unreadable.MUTE
    chip.take()
    heard.next(CardRemoved)


def test_stop_does_not_wait_for_such_a_card(chip: EmulatedPn532, reader: NfcReader, heard: Heard) -> None:
    asked = threading.Event()

    def waits(_: bytes) -> int:
        asked.set()
        return 10**9

    reader.start(heard.sink, select)
    heard.next(ReaderOnline)
    chip.put(Type4Card(UID, ApduChip(), waits=waits))
    assert asked.wait(10)
    reader.stop()
    assert "reader door" not in {thread.name for thread in threading.enumerate()}
    heard.nothing(0)


def test_pages_are_read_written_and_asked_raw(chip: EmulatedPn532, reader: NfcReader, heard: Heard) -> None:
    pages = PageChip()

    def dialog(channel: Channel, _: str) -> bytes:
        assert channel.read_pages(4) == bytes(16)
        channel.write_page(5, b"abcd")
        assert channel.command(b"\x60") == PageChip.version
        assert channel.command(b"\x3c\x00") == b"\x00", "a refusal is told as the card said it"
        with pytest.raises(NotSupported):
            channel.read_pages(200)
        with pytest.raises(NotSupported):
            channel.write_page(0, bytes(4))
        with pytest.raises(ValueError, match="4 bytes"):
            channel.write_page(5, b"abc")
        return channel.read_pages(5)

    reader.start(heard.sink, dialog)
    heard.next(ReaderOnline)
    chip.put(Type2Card(UID, pages))
    assert heard.next(CardPresented).reading == b"abcd" + bytes(12)


def test_silence_to_one_command_is_an_answer_of_a_card_that_is_still_there(
    chip: EmulatedPn532, reader: NfcReader, heard: Heard
) -> None:
    """A copy need not know READ_SIG, and need not say so."""
    pages = PageChip()
    pages.silent_to = b"\x3c\x00"
    reader.start(heard.sink, lambda channel, _: (channel.command(b"\x3c\x00"), channel.read_pages(4)))
    heard.next(ReaderOnline)
    chip.put(Type2Card(UID, pages))
    assert heard.next(CardPresented).reading == (b"", bytes(16))


def test_spoilt_answer_to_a_command_is_asked_for_again_and_is_no_silence(
    chip: EmulatedPn532, reader: NfcReader, heard: Heard
) -> None:
    """A card must not be thought a copy because it was heard badly."""
    spoilt = iter([2, 50])

    def dialog(channel: Channel, _: str) -> bytes:
        chip.noise(next(spoilt, 0))
        return channel.command(b"\x60")

    reader.start(heard.sink, dialog)
    heard.next(ReaderOnline)
    chip.put(Type2Card(UID, PageChip()))
    assert heard.next(CardPresented).reading == PageChip.version
    chip.take()
    heard.next(CardRemoved)
    chip.put(Type2Card(UID, PageChip()))
    assert heard.next(CardUnreadable).why is Unreadable.MUTE
    assert heard.next(CardPresented).reading == PageChip.version, "it is tried again while it is held there"


def test_password_is_not_sent_twice(chip: EmulatedPn532, reader: NfcReader, heard: Heard) -> None:
    pages = PageChip()
    pages.silent_to = bytes.fromhex("1BDEADBEEF")
    reader.start(heard.sink, lambda channel, _: channel.command(pages.silent_to))
    heard.next(ReaderOnline)
    chip.put(Type2Card(UID, pages))
    assert heard.next(CardPresented).reading == b""
    assert pages.asked == [pages.silent_to]


def test_page_card_yanked_is_gone(chip: EmulatedPn532, reader: NfcReader, heard: Heard) -> None:
    reader.start(heard.sink, lambda channel, _: [channel.read_pages(page) for page in range(8)])
    heard.next(ReaderOnline)
    chip.yank(5)
    chip.put(Type2Card(UID, PageChip()))
    assert heard.next(CardUnreadable).why is Unreadable.GONE
    heard.next(CardRemoved)


def test_password_is_not_logged_at_any_level(
    chip: EmulatedPn532, reader: NfcReader, heard: Heard, caplog: pytest.LogCaptureFixture
) -> None:
    """nfcpy logs each frame at DEBUG and below."""
    caplog.set_level(1)
    logging.getLogger().setLevel(1)
    reader.start(heard.sink, lambda channel, _: channel.command(bytes.fromhex("1BDEADBEEF")))
    heard.next(ReaderOnline)
    chip.put(Type2Card(UID, PageChip()))
    heard.next(CardPresented)
    assert "deadbeef" not in caplog.text.lower()
