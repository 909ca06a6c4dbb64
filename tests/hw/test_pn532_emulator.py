"""The emulated PN532 and its cards behave as the chip's manual and ISO/IEC 14443 say: a kind fake would hide faults."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.hw.emulation.frames import ACK, ERROR, NACK, Frames, frame
from appliance.hw.emulation.pn532 import EmulatedPn532
from appliance.hw.emulation.radio import NTAG424_ATS, Type2Card, Type4Card
from tests.contract.wired_stands import ApduChip, PageChip

UID = bytes.fromhex("04A2B3C4D5E6F7")
RATS = b"\xe0\x80"


class Host:
    """The other end of the cable, without nfcpy."""

    def __init__(self, port: Path) -> None:
        self._file = os.open(port, os.O_RDWR | os.O_NOCTTY)
        self._parser = Frames()

    def close(self) -> None:
        os.close(self._file)

    def send(self, raw: bytes) -> None:
        os.write(self._file, raw)

    def heard(self, count: int, timeout: float = 10.0) -> list[bytes]:
        """The next frames' data, fewer when no more come in time."""
        found: list[bytes] = []
        deadline = time.monotonic() + timeout
        while len(found) < count and select.select([self._file], [], [], max(0.0, deadline - time.monotonic()))[0]:
            found += self._parser.feed(os.read(self._file, 4096))
        return found

    def ask(self, command: str) -> bytes:
        """The answer to a command, without its code."""
        self.send(frame(bytes.fromhex("D4" + command)))
        ack, answer = self.heard(2)
        assert (ack, answer[:1]) == (ACK, b"\xd5")
        return answer[2:]


@pytest.fixture
def host(chip: EmulatedPn532) -> Iterator[Host]:
    host = Host(chip.wire.path)
    yield host
    host.close()


def test_frames_of_the_manual() -> None:
    """UM0701-02, 6.2.1 and 7.2.2: GetFirmwareVersion, ACK, NACK, and the error frame."""
    assert frame(bytes.fromhex("D402")) == bytes.fromhex("0000FF02FED4022A00")
    assert bytes.fromhex("0000FF00FF00") == ACK
    assert bytes.fromhex("0000FFFF0000") == NACK
    assert frame(b"\x7f") == ERROR
    assert frame(b"\xd4\x00" + bytes(300))[:8] == bytes.fromhex("0000FFFFFF012ED1")


def test_nack_gets_the_last_answer_again(host: Host) -> None:
    firmware = host.ask("02")
    host.send(NACK)
    assert host.heard(1) == [b"\xd5\x03" + firmware]


def test_unknown_command_gets_the_error_frame(host: Host) -> None:
    host.send(frame(b"\xd4\x99"))
    assert host.heard(2) == [ACK, b"\x7f"]


def test_spoilt_command_gets_no_word(host: Host) -> None:
    host.send(bytes.fromhex("0000FF02FED4022B00"))
    assert host.ask("02")[0] == 0x32, "the first word is of the second command"
    assert host.heard(1, timeout=0.2) == []


def test_endless_search_ends_with_a_card_or_with_an_ack(chip: EmulatedPn532, host: Host) -> None:
    host.ask("32050100FF")
    host.send(frame(bytes.fromhex("D44A0100")))
    assert host.heard(1) == [ACK]
    host.send(ACK)
    assert host.ask("02")[0] == 0x32
    chip.put(Type4Card(UID, ApduChip()))
    assert host.ask("4A0100") == bytes.fromhex("0101 0344 20 07") + UID


def test_bounded_search_without_a_card_finds_none(host: Host) -> None:
    host.ask("3205010001")
    assert host.ask("4A0100") == b"\x00"
    assert host.ask("066339") == b"\x26", "the request is still in the FIFO: nobody answered"


def test_only_the_wanted_of_two_cards_answers(chip: EmulatedPn532, host: Host) -> None:
    chip.put(Type4Card(b"\x04\x01\x02\x03", ApduChip()))
    chip.put(Type4Card(UID, ApduChip()))
    host.ask("3205010001")
    assert host.ask("4A0100").endswith(b"\x04\x01\x02\x03")
    assert host.ask("4A010088" + UID.hex()).endswith(UID)
    assert host.ask("4A010088" + UID[::-1].hex()) == b"\x00"


def test_card_does_not_outlive_the_field(chip: EmulatedPn532, host: Host) -> None:
    card = Type4Card(UID, ApduChip())
    chip.put(card)
    host.ask("4A0100")
    assert host.ask("42E080")[1:] == NTAG424_ATS
    host.ask("320102")
    assert host.ask("42E080") == b"\x01", "no card was chosen since"
    assert card.chip.offs == 1


def test_blocks_are_repeated_on_request_and_obeyed_once() -> None:
    chip = ApduChip()
    card = Type4Card(UID, chip)
    card.radio(RATS)
    answer = card.radio(b"\x02\x00\xa4")
    assert answer == b"\x02\xa4\x00\x90\x00"
    assert card.radio(b"\xb2") == answer, "R(NAK) with its number: the same again"
    assert card.radio(b"\xb3") == b"\xa2", "R(NAK) with the other number: I am here"
    assert chip.asked == [b"\x00\xa4"]


def test_long_answer_comes_in_blocks_of_the_readers_size() -> None:
    card = Type4Card(UID, ApduChip())
    card.radio(b"\xe0\x00")
    card.radio(b"\x12" + bytes(range(10)))
    first = card.radio(b"\x03" + bytes(range(10, 20)))
    assert first == b"\x13" + bytes(range(19, 6, -1))
    assert card.radio(b"\xa2") == b"\x02" + bytes(range(6, -1, -1)) + b"\x90\x00"


def test_pps_and_deselect_are_answered() -> None:
    card = Type4Card(UID, ApduChip())
    assert card.radio(b"\x02\x00") is None, "nothing before RATS"
    card.radio(RATS)
    assert card.radio(b"\xd0\x11\x00") == b"\xd0"
    assert card.radio(b"\xc2") == b"\xc2"
    assert card.radio(b"\x02\x00") is None


def test_page_card_falls_asleep_with_a_refusal() -> None:
    card = Type2Card(UID, PageChip())
    assert card.radio(b"\x3c\x00") == b"\x00"
    assert card.radio(b"\x30\x04") is None
    card.power_off()
    assert card.radio(b"\x30\x04") == bytes(16)
