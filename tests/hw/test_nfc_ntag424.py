"""A simulated NTAG 424 DNA behind the whole of the PN532's way: chip, serial line, nfcpy, ISO-DEP, channel."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.cards.messaging import CommMode
from appliance.cards.ntag424 import DATA_FILE, FACTORY_KEY, Ntag424
from appliance.hw.emulation.pn532 import EmulatedPn532
from appliance.hw.emulation.radio import Type4Card
from appliance.hw.nfc import NfcReader
from appliance.hw.ports import CardPresented, CardRemoved, CardUnreadable, Channel, ReaderOnline, Unreadable
from tests.contract.stands import Heard

UID = bytes.fromhex("04A2B3C4D5E6F7")


@pytest.fixture
def heard(chip: EmulatedPn532) -> Iterator[Heard]:
    reader, heard = NfcReader(str(chip.wire.path), name="door"), Heard()
    reader.start(heard.sink, authenticated)
    heard.next(ReaderOnline)
    yield heard
    reader.stop()


def authenticated(channel: Channel, _: str) -> tuple[bytes, bytes]:
    """Authenticate, and read and write what takes frames of every size."""
    card = Ntag424(channel)
    card.select()
    card.authenticate(0, FACTORY_KEY)
    uid = card.get_card_uid()
    card.authenticate(3, FACTORY_KEY)
    card.write_data(DATA_FILE, bytes(range(128)), 0, CommMode.FULL)
    return uid, card.read_data(DATA_FILE, 128, 0, CommMode.FULL)


def test_card_is_authenticated_read_and_written_in_one_tap(chip: EmulatedPn532, heard: Heard) -> None:
    chip.put(Type4Card(UID, EmulatedNtag424(UID)))
    assert heard.next(CardPresented).reading == (UID, bytes(range(128)))


@pytest.mark.parametrize("done", [False, True])
@pytest.mark.parametrize("apdu", range(7))
def test_card_torn_away_at_any_apdu_is_gone_and_whole_at_the_next_tap(
    chip: EmulatedPn532, heard: Heard, apdu: int, done: bool
) -> None:
    ntag = EmulatedNtag424(UID)
    ntag.tear(apdu, done)
    chip.put(Type4Card(UID, ntag))
    assert heard.next(CardUnreadable).why is Unreadable.GONE
    heard.next(CardRemoved)
    chip.put(Type4Card(UID, ntag))
    assert heard.next(CardPresented).reading == (UID, bytes(range(128)))
