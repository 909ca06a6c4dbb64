"""The simulated NTAG 424 DNA: what the card itself refuses, counts, forgets and keeps, by raw APDUs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.cards.apdu import CardError, Fault, native
from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.cards.messaging import CommMode
from appliance.cards.ntag424 import DATA_FILE, FACTORY_KEY, NDEF_FILE, Ntag424
from appliance.cards.secret import Secret

H = bytes.fromhex
KEY = Secret(bytes(range(16)))
SELECT = H("00A4040C07D2760000850101")


def sw(card: EmulatedNtag424, apdu: str | bytes) -> str:
    return card.transmit(apdu if isinstance(apdu, bytes) else H(apdu))[-2:].hex().upper()


def fail(card: EmulatedNtag424, key_no: int = 0) -> str:
    """One authentication with a key that is wrong; the status word at its end."""
    answer = card.transmit(native(0x71, bytes([key_no, 0])))
    return sw(card, native(0xAF, bytes(32))) if answer[-2:] == H("91AF") else answer[-2:].hex().upper()


@pytest.mark.parametrize(
    ("apdu", "status"),
    [
        ("", "6700"),
        ("9060", "6700"),
        ("80600000", "6E00"),
        ("A0A4040C07D2760000850101", "6E00"),
        ("9060000000", "91AF"),
        ("90600000", "917E"),
        ("906000000000", "917E"),
        ("906000000100", "917E"),
        ("90600000010000", "917E"),
        ("9060010000", "919E"),
        ("90F500000102", "917E"),
        ("90F50000010201", "917E"),
        ("90F5000002020000", "917E"),
        ("90F5000000", "917E"),
        ("90AD00000602000000010000", "917E"),
        ("90AD00000802000000010000FF00", "917E"),
        ("90AD0000070200010001000000", "91BE"),
        ("90AD0000070200000001010000", "91BE"),
        ("90AD0000070300000001000000", "91AE"),
        ("908D000008020000000200000000", "917E"),
        ("908D0000080200000000000000 00", "919E"),
        ("908D00000702000000000000 00", "919E"),
        ("9071000001 00 00", "917E"),
        ("90710000020500 00", "9140"),
        ("907100000300010200", "919E"),
        ("9077000001 00 00", "919D"),
        ("90AF000000", "911C"),
        ("90EE000000", "911C"),
        ("905C0000010A00", "91AE"),
        ("90C4000001 00 00", "91AE"),
        ("905F0000010200", "91AE"),
        ("90F600000102 00", "919D"),
        ("00A4040C", "6A87"),
        ("00A4040C08D2760000850101", "6700"),
        ("00A4040D07D2760000850101", "6A86"),
        ("00A4050C07D2760000850101", "6A86"),
        ("00A4040C07D2760000850102", "6A82"),
        ("00A4000C02E1FF", "6A82"),
        ("00A4000C03E10400", "6A87"),
        ("00A4010C02E104", "6A82"),
        ("00A4000002E10400", "9000"),
        ("00B0000000", "6985"),
        ("00B0840000", "9000"),
        ("00B0840002", "9000"),
        ("00B08400", "6700"),
        ("00B09F0001", "6A86"),
        ("00B0E00001", "6A86"),
        ("00B0860001", "6A82"),
        ("00B0850001", "6982"),
        ("00D6840002FFFF", "9000"),
        ("00D6840002FFFF00", "6700"),
        ("00D684FF02FFFF", "6A87"),
        ("00D6830001FF", "6982"),
        ("00D68400", "6700"),
        ("00B2000000", "6D00"),
    ],
)
def test_each_wrong_command_has_its_status_word(card: EmulatedNtag424, apdu: str, status: str) -> None:
    assert sw(card, SELECT) == "9000"
    assert sw(card, apdu) == status


def test_nothing_but_the_version_is_told_before_the_application_is_selected(card: EmulatedNtag424) -> None:
    assert sw(card, "9060000000") == "91AF"
    card.power_off()
    assert sw(card, "90F5000001 02 00") == "919D"
    assert sw(card, "90AD0000070200000001000000") == "919D"
    assert sw(card, "9071000002000000") == "9140"
    assert sw(card, "00A4000C02E104") == "6A82"
    assert sw(card, "00A4000C02E110") == "9000"
    assert sw(card, "00A4000C02E104") == "9000"
    assert sw(card, "00A4000C023F00") == "9000"
    assert sw(card, "00A4000C02E104") == "6A82"


def test_a_command_of_several_frames_is_aborted_by_another(card: EmulatedNtag424) -> None:
    card.transmit(SELECT)
    assert sw(card, "9071000002000000") == "91AF"
    assert sw(card, "9060000000") == "91CA"
    assert sw(card, "90AF00002000" + "00" * 31 + "00") == "911C"
    assert sw(card, "9060000000") == "91AF"
    assert sw(card, SELECT) == "6985"
    assert sw(card, SELECT) == "9000"
    assert card.memory.keys[0].failed == 0


def test_the_reader_selects_a_card_whose_dialogue_was_broken_off(card: EmulatedNtag424, reader: Ntag424) -> None:
    card.transmit(native(0x71, b"\0\0"))
    reader.select()
    reader.authenticate(0, FACTORY_KEY)


def test_a_success_takes_ten_failures_off_and_never_below_none(card: EmulatedNtag424, reader: Ntag424) -> None:
    for failures, left in ((3, 0), (12, 2), (10, 0)):
        card.memory.keys[1].failed = 0
        for _ in range(failures):
            assert fail(card, 1) == "91AE"
        assert card.memory.keys[1].failed == failures
        reader.authenticate(1, FACTORY_KEY)
        assert card.memory.keys[1].failed == left
    assert card.memory.keys[0].failed == 0


def test_failures_in_a_row_bring_longer_and_longer_delays(card: EmulatedNtag424, reader: Ntag424) -> None:
    for _ in range(49):
        assert fail(card) == "91AE"
    assert fail(card) == "91AE"
    owed = []
    for _ in range(3):
        answers = 0
        while fail(card) == "91AD":
            answers += 1
        owed.append(answers)
    assert owed == [1, 2, 3]
    card.power_off()
    reader.select()
    codes = []
    for _ in range(5):
        try:
            reader.authenticate(0, FACTORY_KEY)
            break
        except CardError as error:
            codes.append(error.code)
    assert codes == [Fault.LATER] * 4
    assert reader.authenticated
    assert card.memory.keys[0].failed_in_a_row == 0


def test_the_thousandth_failure_blocks_a_key_and_key_0_opens_it_again(card: EmulatedNtag424, reader: Ntag424) -> None:
    card.memory.keys[2].failed = 999
    reader.authenticate(2, FACTORY_KEY)
    assert card.memory.keys[2].failed == 989
    card.memory.keys[2].failed = 999
    assert fail(card, 2) == "91AE"
    assert fail(card, 2) == "919D"
    with pytest.raises(CardError) as refused:
        reader.authenticate(2, FACTORY_KEY)
    assert refused.value.code is Fault.LOCKED
    reader.authenticate(0, FACTORY_KEY)
    reader.change_key(2, KEY, 1)
    reader.authenticate(2, KEY)


def test_a_blocked_key_0_is_final(card: EmulatedNtag424, reader: Ntag424) -> None:
    card.memory.keys[0].failed = 999
    fail(card)
    for _ in range(20):
        card.power_off()
        card.transmit(SELECT)
        assert fail(card) == "919D"
    reader.authenticate(1, FACTORY_KEY)
    with pytest.raises(CardError) as refused:
        reader.change_key(0, KEY, 1)
    assert refused.value.code is Fault.NOT_AUTHENTICATED


def test_the_limit_of_failures_is_the_one_set(card: EmulatedNtag424, reader: Ntag424) -> None:
    reader.authenticate(0, FACTORY_KEY)
    reader.set_failure_limit(3, 1)
    reader.select()
    assert [fail(card, 1) for _ in range(4)] == ["91AE", "91AE", "91AE", "919D"]


def test_without_power_the_session_is_gone_and_the_rest_is_not(card: EmulatedNtag424, reader: Ntag424) -> None:
    reader.authenticate(0, FACTORY_KEY)
    reader.change_key(1, KEY, 5)
    reader.write_data(NDEF_FILE, b"kept")
    card.power_off()
    with pytest.raises(CardError):
        reader.get_card_uid()
    reader.select()
    assert reader.read_data(NDEF_FILE, 4) == b"kept"
    assert reader.get_key_version(1) == 5
    reader.authenticate(1, KEY)


def test_a_wrong_mac_padding_or_counter_is_an_integrity_error_and_ends_the_session(
    card: EmulatedNtag424, reader: Ntag424
) -> None:
    heard: list[bytes] = []
    transmit = card.transmit

    class Recorder:
        def transmit(self, apdu: bytes) -> bytes:
            heard.append(apdu)
            return transmit(apdu)

    reader = Ntag424(Recorder())
    reader.authenticate(3, FACTORY_KEY)
    reader.write_data(DATA_FILE, b"once", mode=CommMode.FULL)
    assert sw(card, heard[-1]) == "911E"
    assert sw(card, "9051000000") == "91AE"
    assert card.memory.files[3].content[:4] == b"once"


@settings(deadline=None)
@given(place=st.integers(5, 40), flip=st.integers(1, 255))
def test_a_write_with_a_changed_byte_changes_nothing(place: int, flip: int) -> None:
    card = EmulatedNtag424(b"\x04abcdef")

    class Broken:
        def transmit(self, apdu: bytes) -> bytes:
            if apdu[1] != 0x8D:
                return card.transmit(apdu)
            changed = bytearray(apdu)
            changed[5 + (place - 5) % (len(apdu) - 6)] ^= flip
            return card.transmit(bytes(changed))

    reader = Ntag424(Broken())
    reader.select()
    reader.authenticate(3, FACTORY_KEY)
    before = {number: file.content for number, file in card.memory.files.items()}
    with pytest.raises(CardError):
        reader.write_data(DATA_FILE, b"sixteen letters!", mode=CommMode.FULL)
    assert {number: file.content for number, file in card.memory.files.items()} == before


INS = st.sampled_from([0x71, 0x77, 0xAF, 0x60, 0x51, 0x64, 0xC4, 0x5C, 0xF5, 0x5F, 0xF6, 0xAD, 0x8D, 0xA4, 0xB0, 0xD6])
FRAMES = st.one_of(
    st.binary(max_size=300),
    st.builds(native, INS, st.binary(max_size=60)),
    st.builds(lambda ins, p, data: bytes([0, ins, *p, len(data)]) + data, INS, st.tuples(st.integers(0, 255),
              st.integers(0, 255)), st.binary(max_size=40)),
    st.just(SELECT),
    st.just(H("9071000002000000")),
)  # fmt: skip


@settings(deadline=None)
@given(frames=st.lists(FRAMES, max_size=40), login=st.booleans())
def test_no_apdu_breaks_the_card(frames: list[bytes], login: bool) -> None:
    card = EmulatedNtag424(b"\x04abcdef")
    reader = Ntag424(card)
    reader.select()
    if login:
        reader.authenticate(0, FACTORY_KEY)
    for frame in frames:
        answer = card.transmit(frame)
        assert 2 <= len(answer) <= 258
        assert answer[-2] in (0x90, 0x91, 0x6A, 0x67, 0x69, 0x6D, 0x6E)
    assert sum(len(file.content) for file in card.memory.files.values()) == 416
    card.power_off()
    reader.select()
    reader.authenticate(0, FACTORY_KEY)
    assert reader.get_card_uid() == card.uid
