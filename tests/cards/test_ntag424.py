"""NTAG 424 DNA: every command in every mode, against the simulated card."""

from __future__ import annotations

import itertools

import pytest

from appliance.cards.apdu import CardError, Fault
from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.cards.messaging import CommMode
from appliance.cards.ntag424 import CC_FILE, DATA_FILE, FACTORY_KEY, KEYS, NDEF_FILE, NDEF_FILE_ID, Ntag424
from appliance.cards.secret import Secret
from appliance.cards.settings import FREE, NEVER, AccessRights, FileSettings, Sdm

OPEN = AccessRights(FREE, FREE, FREE, 0)
MODES = list(CommMode)


def fault(call: object, *args: object, **named: object) -> Fault:
    assert callable(call)
    with pytest.raises(CardError) as refused:
        call(*args, **named)
    return refused.value.code


def test_a_delivered_card_is_as_the_data_sheet_says(reader: Ntag424) -> None:
    assert reader.get_file_settings(CC_FILE) == FileSettings(CommMode.PLAIN, AccessRights(FREE, 0, 0, 0), 32)
    assert reader.get_file_settings(NDEF_FILE) == FileSettings(CommMode.PLAIN, OPEN, 256)
    assert reader.get_file_settings(DATA_FILE) == FileSettings(CommMode.FULL, AccessRights(2, 3, 3, 0), 128)
    assert [reader.get_key_version(key) for key in KEYS] == [0] * 5
    assert reader.read_data(CC_FILE, 23) == bytes.fromhex("001720010000FF0406E104010000000506E10500808283")
    for key in KEYS:
        reader.authenticate(key, FACTORY_KEY)


def test_version_is_told_in_three_frames_and_with_a_mac_in_a_session(reader: Ntag424, card: EmulatedNtag424) -> None:
    told = reader.get_version()
    assert (told.uid, told.hardware[:2], told.software[:2]) == (card.uid, b"\x04\x04", b"\x04\x04")
    reader.authenticate(1, FACTORY_KEY)
    assert reader.get_version() == told
    assert reader.get_card_uid() == card.uid
    assert reader.authenticated


def test_the_uid_is_told_only_in_a_session(reader: Ntag424) -> None:
    assert fault(reader.get_card_uid) is Fault.NOT_AUTHENTICATED


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("length", [1, 15, 16, 17, 94, 95, 96, 128, 224, 225, 256])
def test_what_is_written_is_read_in_every_mode_and_length(reader: Ntag424, mode: CommMode, length: int) -> None:
    data = bytes(i * 7 & 0xFF for i in range(length))
    reader.authenticate(0, FACTORY_KEY)
    reader.change_file_settings(NDEF_FILE, FileSettings(mode, AccessRights(0, 0, 0, 0)))
    reader.write_data(NDEF_FILE, data, mode=mode)
    assert reader.read_data(NDEF_FILE, length, mode=mode) == data
    if length > 4:
        reader.write_data(NDEF_FILE, b"abc", offset=2, mode=mode)
        assert reader.read_data(NDEF_FILE, 5, mode=mode) == data[:2] + b"abc"
    assert reader.get_file_settings(NDEF_FILE).mode is mode


def test_the_command_counter_goes_on_over_plain_commands_and_further_authentications(reader: Ntag424) -> None:
    reader.authenticate(0, FACTORY_KEY)
    reader.write_data(NDEF_FILE, b"in plain", mode=CommMode.PLAIN)
    reader.get_key_version(1)
    reader.authenticate(3, FACTORY_KEY, first=False)
    reader.write_data(DATA_FILE, b"encrypted", mode=CommMode.FULL)
    assert reader.read_data(DATA_FILE, 9, mode=CommMode.FULL) == b"encrypted"
    reader.authenticate(0, FACTORY_KEY)
    assert reader.read_data(NDEF_FILE, 8) == b"in plain"


def test_a_session_ends_when_its_counter_does(reader: Ntag424, card: EmulatedNtag424) -> None:
    reader.authenticate(0, FACTORY_KEY)
    assert reader._session is not None
    assert card._card.power.session is not None
    reader._session.counter = card._card.power.session.counter = 0xFFFE
    assert reader.get_card_uid() == card.uid
    assert fault(reader.get_card_uid) is Fault.INTEGRITY
    reader.authenticate(0, FACTORY_KEY)
    assert reader.get_card_uid() == card.uid


def test_a_further_authentication_needs_a_session(reader: Ntag424) -> None:
    assert fault(reader.authenticate, 0, FACTORY_KEY, first=False) is Fault.NOT_AUTHENTICATED


def test_keys_are_changed_with_their_versions_and_nobody_elses(reader: Ntag424) -> None:
    new = {number: Secret.random() for number in KEYS}
    reader.authenticate(0, FACTORY_KEY)
    for number in (1, 2, 3, 4):
        reader.change_key(number, new[number], 10 + number)
    reader.change_key(3, new[0], 99, old=new[3])
    reader.change_key(0, new[0], 10)
    assert not reader.authenticated
    assert [reader.get_key_version(number) for number in KEYS] == [10, 11, 12, 99, 14]
    for number, key in {**new, 3: new[0]}.items():
        reader.authenticate(number, key)
    assert fault(reader.authenticate, 0, FACTORY_KEY) is Fault.WRONG_KEY


def test_a_key_is_not_changed_on_a_wrong_old_one(reader: Ntag424) -> None:
    reader.authenticate(0, FACTORY_KEY)
    assert fault(reader.change_key, 2, Secret.random(), 1, old=Secret.random()) is Fault.INTEGRITY
    reader.authenticate(2, FACTORY_KEY)


@pytest.mark.parametrize("key_no", [1, 2, 3, 4])
def test_only_key_0_changes_keys(reader: Ntag424, key_no: int) -> None:
    reader.authenticate(key_no, FACTORY_KEY)
    assert fault(reader.change_key, key_no, Secret.random(), 1) is Fault.NOT_AUTHENTICATED
    assert fault(reader.change_key, 0, Secret.random(), 1) is Fault.NOT_AUTHENTICATED


def test_what_is_not_there_has_its_own_code(reader: Ntag424) -> None:
    assert fault(reader.authenticate, 5, FACTORY_KEY) is Fault.NO_SUCH_KEY
    assert fault(reader.get_key_version, 5) is Fault.NO_SUCH_KEY
    assert fault(reader.get_file_settings, 4) is Fault.NO_SUCH_FILE
    assert fault(reader.read_data, 0, 1) is Fault.NO_SUCH_FILE
    assert fault(reader.read_data, NDEF_FILE, 2, 255) is Fault.BOUNDARY
    assert fault(reader.write_data, NDEF_FILE, b"12", 255) is Fault.BOUNDARY
    assert fault(reader.get_file_counters, NDEF_FILE) is Fault.PERMISSION_DENIED
    assert fault(reader.iso_select_file, 0xE106) is Fault.NO_SUCH_FILE


def test_a_fault_ends_the_session_on_both_sides(reader: Ntag424) -> None:
    reader.authenticate(0, FACTORY_KEY)
    assert fault(reader.read_data, NDEF_FILE, 2, 255) is Fault.BOUNDARY
    assert not reader.authenticated
    assert fault(reader.get_card_uid) is Fault.NOT_AUTHENTICATED


RIGHTS = [0, 1, FREE, NEVER]


@pytest.mark.parametrize("one", RIGHTS)
@pytest.mark.parametrize("other", RIGHTS)
@pytest.mark.parametrize("session", [None, 0, 1, 2])
@pytest.mark.parametrize("wants", ["read", "write"])
def test_access_is_by_either_right_and_by_nothing_else(
    reader: Ntag424, one: int, other: int, session: int | None, wants: str
) -> None:
    read, write = (one, NEVER) if wants == "read" else (NEVER, one)
    reader.authenticate(0, FACTORY_KEY)
    reader.change_file_settings(NDEF_FILE, FileSettings(CommMode.FULL, AccessRights(read, write, other, 0)))
    reader.select()
    if session is not None:
        reader.authenticate(session, FACTORY_KEY)
    by_key = session in (one, other)
    mode = CommMode.FULL if by_key else CommMode.PLAIN

    def use() -> None:
        if wants == "read":
            assert reader.read_data(NDEF_FILE, 3, mode=mode) == b"\0\0\0"
        else:
            reader.write_data(NDEF_FILE, b"new", mode=mode)

    if by_key or FREE in (one, other):
        use()
    else:
        assert fault(use) is (Fault.PERMISSION_DENIED if one == other == NEVER else Fault.NOT_AUTHENTICATED)


@pytest.mark.parametrize(("change", "session"), list(itertools.product([0, 1, NEVER], [0, 1, 2])))
def test_settings_are_changed_by_the_change_right_alone(reader: Ntag424, change: int, session: int) -> None:
    wanted = FileSettings(CommMode.MAC, AccessRights(1, 2, 3, change), 256)
    reader.authenticate(0, FACTORY_KEY)
    reader.change_file_settings(NDEF_FILE, wanted)
    reader.authenticate(session, FACTORY_KEY)
    later = FileSettings(CommMode.FULL, AccessRights(FREE, FREE, FREE, FREE), 256)
    if change == session:
        reader.change_file_settings(NDEF_FILE, later)
        assert reader.get_file_settings(NDEF_FILE) == later
    else:
        code = fault(reader.change_file_settings, NDEF_FILE, later)
        assert code is (Fault.PERMISSION_DENIED if change == NEVER else Fault.NOT_AUTHENTICATED)
        assert reader.get_file_settings(NDEF_FILE) == wanted


def test_a_phone_reads_and_writes_the_ndef_file(reader: Ntag424) -> None:
    assert reader.read_ndef() == b""
    reader.iso_update(0, b"\0\x05hello")
    assert reader.read_ndef() == b"hello"
    reader.iso_update(0, (254).to_bytes(2) + b"\xaa" * 200)
    reader.iso_update(202, b"\xbb" * 54)
    assert reader.read_ndef() == b"\xaa" * 200 + b"\xbb" * 54
    reader.iso_update(0, b"\xff\xff")
    assert fault(reader.read_ndef) is Fault.MALFORMED


def test_a_phone_gets_at_no_file_that_is_not_free(reader: Ntag424) -> None:
    reader.iso_select_file(0xE105)
    assert fault(reader.iso_read, 0, 1) is Fault.NOT_AUTHENTICATED
    assert fault(reader.iso_update, 0, b"x") is Fault.NOT_AUTHENTICATED
    reader.iso_select_file(0xE103)
    assert fault(reader.iso_update, 0, b"x") is Fault.NOT_AUTHENTICATED
    assert reader.iso_read(0, 2) == b"\0\x17"


def test_no_iso_command_reads_in_a_session(reader: Ntag424) -> None:
    reader.iso_select_file(NDEF_FILE_ID)
    reader.authenticate(0, FACTORY_KEY)
    assert fault(reader.iso_read, 0, 1) is Fault.NOT_AUTHENTICATED


def test_no_iso_command_writes_in_a_session(reader: Ntag424) -> None:
    reader.iso_select_file(NDEF_FILE_ID)
    reader.authenticate(0, FACTORY_KEY)
    assert fault(reader.iso_update, 0, b"x") is Fault.NOT_AUTHENTICATED


def test_an_answer_that_needs_more_than_a_short_apdu_is_refused(reader: Ntag424) -> None:
    whole = bytes([NDEF_FILE]) + bytes(6)
    assert len(reader._command(CommMode.PLAIN, 0xAD, whole)) == 256
    for mode, most in ((CommMode.MAC, 248), (CommMode.FULL, 239)):
        reader.authenticate(0, FACTORY_KEY)
        reader.change_file_settings(NDEF_FILE, FileSettings(mode, AccessRights(0, 0, 0, 0)))
        assert len(reader._command(mode, 0xAD, whole[:4] + most.to_bytes(3, "little"))) == most
        assert fault(reader._command, mode, 0xAD, whole[:4] + (most + 1).to_bytes(3, "little")) is Fault.LENGTH


def test_sdm_settings_survive_the_card(reader: Ntag424) -> None:
    rights = AccessRights(FREE, 0, 0, 0)
    plain = Sdm(FREE, 1, FREE, uid_offset=10, counter_offset=30, mac_input_offset=5, mac_offset=40, limit=900)
    hidden = Sdm(2, 1, 4, picc_offset=10, mac_input_offset=50, enc_offset=60, enc_length=64, mac_offset=130)
    for sdm in (plain, hidden, None):
        reader.authenticate(0, FACTORY_KEY)
        wanted = FileSettings(CommMode.PLAIN, rights, 256, sdm)
        reader.change_file_settings(NDEF_FILE, wanted)
        assert reader.get_file_settings(NDEF_FILE) == wanted
        reader.select()
        assert reader.get_file_settings(NDEF_FILE) == wanted


@pytest.mark.parametrize(
    "sdm",
    [
        Sdm(2, 1, picc_offset=10, mac_input_offset=50),
        Sdm(2, 1, mac_input_offset=50, mac_offset=50),
        Sdm(2, NEVER, picc_offset=10, mac_offset=60),
        Sdm(FREE, NEVER, picc_offset=10),
        Sdm(2, 1, picc_offset=10, mac_input_offset=50, enc_offset=60, mac_offset=130),
    ],
)
def test_sdm_settings_with_a_field_missing_or_too_many_are_no_settings(sdm: Sdm) -> None:
    with pytest.raises(ValueError, match="SDM settings"):
        sdm.encode()


@pytest.mark.parametrize(
    "told",
    ["", "00", "000000E0000100", "01000000000100", "000200E0000100", "00000000000100FF", "004000E0000100", "0040" * 4],
)
def test_settings_that_no_card_has_are_malformed(told: str) -> None:
    data = bytes.fromhex(told)
    if told == "000000E0000100":
        assert FileSettings.decode(data).size == 256
        return
    assert fault(FileSettings.decode, data) is Fault.MALFORMED


def test_the_failure_limit_is_set_by_key_0_only(reader: Ntag424, card: EmulatedNtag424) -> None:
    reader.authenticate(1, FACTORY_KEY)
    assert fault(reader.set_failure_limit, 20, 2) is Fault.NOT_AUTHENTICATED
    reader.authenticate(0, FACTORY_KEY)
    assert fault(reader.set_failure_limit, 0, 2) is Fault.PARAMETER
    reader.authenticate(0, FACTORY_KEY)
    reader.set_failure_limit(20, 2)
    assert (card.memory.failure_limit, card.memory.failure_decrement) == (20, 2)
