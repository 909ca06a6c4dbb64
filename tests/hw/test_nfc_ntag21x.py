"""A simulated NTAG213 behind the whole of the PN532's way: chip, serial line, nfcpy, channel."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from appliance.cards.emulator.ntag21x import EmulatedNtag21x
from appliance.cards.emulator.ntag21x_models import Model
from appliance.hw.emulation.pn532 import EmulatedPn532
from appliance.hw.emulation.radio import Type2Card
from appliance.hw.nfc import NfcReader
from appliance.hw.ports import CardPresented, CardRemoved, CardUnreadable, Channel, ReaderOnline, Unreadable
from tests.contract.stands import Heard

UID = bytes.fromhex("04A2B3C4D5E6F7")
SIGNATURE = bytes(range(32))
GET_VERSION, READ_SIG, FAST_READ = b"\x60", b"\x3c\x00", b"\x3a\x04\x27"
WRONG_PASSWORD = b"\x1b\x00\x01\x02\x03"


@pytest.fixture
def heard(chip: EmulatedPn532) -> Iterator[Heard]:
    reader, heard = NfcReader(str(chip.wire.path), name="door"), Heard()
    reader.start(heard.sink, looked_at)
    heard.next(ReaderOnline)
    yield heard
    reader.stop()


def looked_at(channel: Channel, _: str) -> tuple[bytes, ...]:
    """What it is, its signature, a page written, a refusal in between, and all of its pages."""
    version, signature = channel.command(GET_VERSION), channel.command(READ_SIG)
    channel.write_page(39, b"abcd")
    refusal = channel.command(WRONG_PASSWORD)
    return version[2:3], signature, refusal, channel.command(FAST_READ)[-4:], channel.read_pages(0)[:3]


SEEN = (b"\x04", SIGNATURE, b"\x00", b"abcd", UID[:3])


def test_card_is_asked_read_and_written_in_one_tap(chip: EmulatedPn532, heard: Heard) -> None:
    chip.put(Type2Card(UID, EmulatedNtag21x(Model.NTAG213, UID, signature=SIGNATURE)))
    assert heard.next(CardPresented).reading == SEEN


@pytest.mark.parametrize("done", [False, True])
@pytest.mark.parametrize("command", range(4))
def test_card_torn_away_at_any_command_is_gone_and_whole_at_the_next_tap(
    chip: EmulatedPn532, heard: Heard, command: int, done: bool
) -> None:
    """Up to the refusal: after that the card is chosen anew, and torn away no more."""
    ntag = EmulatedNtag21x(Model.NTAG213, UID, signature=SIGNATURE)
    ntag.tear(command, done)
    chip.put(Type2Card(UID, ntag))
    assert heard.next(CardUnreadable).why is Unreadable.GONE
    heard.next(CardRemoved)
    chip.put(Type2Card(UID, ntag))
    assert heard.next(CardPresented).reading == SEEN
