"""SUN messages: the simulated card makes them, `verify` takes them, and takes nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.cards.aes import encrypt
from appliance.cards.apdu import CardError, Fault
from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.cards.messaging import CommMode
from appliance.cards.ntag424 import FACTORY_KEY, NDEF_FILE, NDEF_FILE_ID, Ntag424
from appliance.cards.sdm import PiccData, SunMessage, open_file_data, open_picc, verify
from appliance.cards.secret import Secret
from appliance.cards.settings import FREE, NEVER, NOT_SHOWN, AccessRights, FileSettings, Sdm

META, FILE = Secret(b"key of meta data"), Secret(b"key of file data")
UID = bytes.fromhex("04958CAA5C5E80")
TEXT = b"\0\xf0https://example.org/?" + b"." * 200
RIGHTS = AccessRights(FREE, 0, 0, 0)

HIDDEN = Sdm(2, 1, 4, picc_offset=30, mac_input_offset=20, mac_offset=100)
BARE = Sdm(2, 1, 4, picc_offset=30, mac_input_offset=100, mac_offset=100)
DATA = Sdm(2, 1, 4, picc_offset=30, mac_input_offset=62, enc_offset=70, enc_length=64, mac_offset=150)
PLAIN = Sdm(FREE, 1, FREE, uid_offset=30, counter_offset=50, mac_input_offset=20, mac_offset=100)
NO_UID = Sdm(2, 1, 4, uid=False, picc_offset=30, mac_input_offset=20, mac_offset=100)
NO_COUNTER = Sdm(2, 1, NEVER, counter=False, picc_offset=30, mac_input_offset=20, mac_offset=100)
SILENT_COUNTER = Sdm(FREE, 1, 4, uid_offset=30, counter_offset=NOT_SHOWN, mac_input_offset=20, mac_offset=100)
NOTHING = Sdm(NEVER, 1, NEVER, uid=False, counter=False, mac_input_offset=20, mac_offset=100)
ALL = {
    "hidden": (HIDDEN, UID, True),
    "bare": (BARE, UID, True),
    "data": (DATA, UID, True),
    "plain": (PLAIN, UID, True),
    "no uid": (NO_UID, None, True),
    "no counter": (NO_COUNTER, UID, False),
    "silent counter": (SILENT_COUNTER, UID, False),
    "nothing": (NOTHING, None, False),
}


def issued(sdm: Sdm) -> Ntag424:
    """A card with these settings, selected and without a session."""
    card = EmulatedNtag424(UID)
    reader = Ntag424(card)
    reader.select()
    reader.authenticate(0, FACTORY_KEY)
    reader.change_key(1, FILE, 1)
    reader.change_key(2, META, 1)
    reader.write_data(NDEF_FILE, TEXT)
    reader.change_file_settings(NDEF_FILE, FileSettings(CommMode.PLAIN, RIGHTS, 256, sdm))
    reader.select()
    return reader


def read(reader: Ntag424) -> bytes:
    """The file as a phone sees it."""
    reader.iso_select_file(NDEF_FILE_ID)
    return reader.iso_read(0, 256)


def key_of(uid: bytes | None) -> Secret | None:
    return FILE if uid in (UID, None) else None


@pytest.mark.parametrize("name", ALL)
def test_each_read_is_a_message_of_its_own_and_believed(name: str) -> None:
    sdm, uid, counts = ALL[name]
    reader = issued(sdm)
    for number in (1, 2, 3):
        message = verify(read(reader), sdm, META, key_of)
        assert (message.uid, message.counter) == (uid, number if counts else None)
        assert message.data == (b"." * 32 if sdm.enc_offset else None)


@pytest.mark.parametrize("name", ALL)
@settings(deadline=None)
@given(place=st.integers(0, 255), flip=st.integers(1, 255))
def test_no_message_with_a_changed_byte_is_believed(name: str, place: int, flip: int) -> None:
    sdm, _, _ = ALL[name]
    content = bytearray(read(issued(sdm)))
    content[place] ^= flip
    assert sdm.mac_offset is not None and sdm.mac_input_offset is not None
    spans = [(sdm.mac_input_offset, sdm.mac_offset + 16), (sdm.picc_offset, 32), (sdm.uid_offset, 14)]
    spans += [(sdm.counter_offset, 6)] if sdm.counter_offset != NOT_SHOWN else []
    covered = spans[0][0] <= place < spans[0][1]
    covered |= any(start is not None and start <= place < start + length for start, length in spans[1:])
    if covered:
        with pytest.raises(CardError):
            verify(bytes(content), sdm, META, key_of)
    else:
        verify(bytes(content), sdm, META, key_of)


def fault(call: Callable[[], object]) -> Fault:
    with pytest.raises(CardError) as refused:
        call()
    return refused.value.code


def test_a_message_of_another_key_settings_or_card_is_refused() -> None:
    content = read(issued(HIDDEN))
    assert fault(lambda: verify(content, HIDDEN, FACTORY_KEY, key_of)) in (Fault.FORGED, Fault.NO_SUCH_KEY)
    assert fault(lambda: verify(content, HIDDEN, META, lambda _: META)) is Fault.FORGED
    assert fault(lambda: verify(content, HIDDEN, META, lambda _: None)) is Fault.NO_SUCH_KEY
    assert fault(lambda: verify(content, HIDDEN, None, key_of)) is Fault.NO_SUCH_KEY
    assert fault(lambda: verify(content, BARE, META, key_of)) is Fault.FORGED
    assert fault(lambda: verify(content, NO_UID, META, key_of)) is Fault.FORGED
    assert fault(lambda: verify(content[:90], HIDDEN, META, key_of)) is Fault.MALFORMED
    assert fault(lambda: verify(content.lower(), HIDDEN, META, key_of)) is Fault.MALFORMED
    unsigned = Sdm(2, NEVER, picc_offset=30)
    assert fault(lambda: verify(content, unsigned, META, key_of)) is Fault.PERMISSION_DENIED


def test_one_read_in_parts_is_one_message_and_another_command_begins_the_next() -> None:
    reader = issued(HIDDEN)
    reader.iso_select_file(NDEF_FILE_ID)
    parts = [reader.iso_read(offset, 64) for offset in range(0, 256, 64)]
    assert verify(b"".join(parts), HIDDEN, META, key_of).counter == 1
    assert verify(reader.iso_read(0, 256), HIDDEN, META, key_of).counter == 1
    whole = reader.read_data(NDEF_FILE, 200)
    assert verify(whole, HIDDEN, META, key_of).counter == 2
    assert reader.read_data(NDEF_FILE, 200) == whole
    reader.get_key_version(1)
    assert verify(reader.read_data(NDEF_FILE, 200), HIDDEN, META, key_of).counter == 3


def test_a_read_in_a_session_is_the_plain_file_and_is_not_counted() -> None:
    reader = issued(HIDDEN)
    read(reader)
    reader.authenticate(4, FACTORY_KEY)
    assert reader.read_data(NDEF_FILE, len(TEXT)) == TEXT
    assert reader.get_file_counters(NDEF_FILE) == 1
    reader.authenticate(0, FACTORY_KEY)
    assert fault(lambda: reader.get_file_counters(NDEF_FILE)) is Fault.NOT_AUTHENTICATED


def test_a_free_counter_is_told_to_anybody() -> None:
    reader = issued(PLAIN)
    for number in (1, 2):
        read(reader)
        assert reader.get_file_counters(NDEF_FILE) == number


def test_the_counter_survives_power_and_ends_at_its_limit() -> None:
    limited = Sdm(2, 1, 4, picc_offset=30, mac_input_offset=20, mac_offset=100, limit=3)
    reader = issued(limited)
    for number in (1, 2, 3):
        reader._card.power_off()  # type: ignore[attr-defined]
        reader.select()
        assert verify(read(reader), limited, META, key_of).counter == number
    assert fault(lambda: read(reader)) is Fault.NOT_AUTHENTICATED
    assert fault(lambda: reader.read_data(NDEF_FILE, 10)) is Fault.PERMISSION_DENIED
    reader.authenticate(0, FACTORY_KEY)
    assert reader.read_data(NDEF_FILE, len(TEXT)) == TEXT


def test_the_counter_goes_on_over_new_settings_and_begins_anew_when_sdm_was_off() -> None:
    reader = issued(HIDDEN)
    read(reader)
    read(reader)
    reader.authenticate(0, FACTORY_KEY)
    reader.change_file_settings(NDEF_FILE, FileSettings(CommMode.PLAIN, RIGHTS, 256, BARE))
    assert verify(read(reader), BARE, META, key_of).counter == 3
    for sdm in (None, HIDDEN):
        reader.authenticate(0, FACTORY_KEY)
        reader.change_file_settings(NDEF_FILE, FileSettings(CommMode.PLAIN, RIGHTS, 256, sdm))
    assert verify(read(reader), HIDDEN, META, key_of) == SunMessage(UID, 1)


def test_a_counter_at_its_end_tells_nothing_more() -> None:
    reader = issued(HIDDEN)
    card = reader._card
    assert isinstance(card, EmulatedNtag424)
    card.memory.files[2].reads = 0xFFFFFE
    assert verify(read(reader), HIDDEN, META, key_of).counter == 0xFFFFFF
    assert fault(lambda: read(reader)) is Fault.NOT_AUTHENTICATED
    assert fault(lambda: reader.read_data(NDEF_FILE, 10)) is Fault.INTEGRITY


@pytest.mark.parametrize("tag", [0xD7, 0xE7, 0xF7, 0xC0, 0xC4, 0xC8, 0x47, 0x0F])
def test_picc_data_of_an_impossible_kind_is_forged(tag: int) -> None:
    assert fault(lambda: open_picc(META, encrypt(META, bytes([tag]) + bytes(15)))) is Fault.FORGED


def test_file_data_need_both_uid_and_counter_and_whole_blocks() -> None:
    for picc, data in (
        (PiccData(None, 1), 16),
        (PiccData(UID, None), 16),
        (PiccData(UID, 1), 15),
        (PiccData(UID, 1), 0),
    ):
        assert fault(lambda picc=picc, data=data: open_file_data(FILE, picc, bytes(data))) is Fault.MALFORMED
