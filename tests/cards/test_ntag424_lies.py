"""Nothing is accepted from an NTAG 424 DNA with a changed byte, and no answer of any kind breaks the reader's side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from appliance.cards.aes import encrypt, mac8
from appliance.cards.apdu import CardError, Fault
from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.cards.messaging import CommMode, Session
from appliance.cards.ntag424 import DATA_FILE, FACTORY_KEY, NDEF_FILE, Ntag424
from appliance.cards.secret import Secret
from appliance.cards.settings import FREE, AccessRights, FileSettings, Sdm

KEY = Secret(bytes(range(16)))
SDM = FileSettings(CommMode.PLAIN, AccessRights(FREE, 0, 0, 0), 256, Sdm(FREE, 1, 0, uid_offset=0, counter_offset=20,
                   mac_input_offset=40, mac_offset=40))  # fmt: skip


def conversation(reader: Ntag424) -> None:
    """Every command whose answer is under a MAC, and every authentication."""
    reader.select()
    reader.authenticate(0, FACTORY_KEY)
    assert len(reader.get_card_uid()) == 7
    assert len(reader.get_version().uid) == 7
    assert reader.get_key_version(1) == 0
    reader.change_key(3, KEY, 7)
    reader.change_file_settings(NDEF_FILE, SDM)
    assert reader.get_file_settings(NDEF_FILE) == SDM
    assert reader.get_file_counters(NDEF_FILE) == 0
    reader.set_failure_limit(900, 9)
    reader.authenticate(3, KEY, first=False)
    reader.write_data(DATA_FILE, b"secret", mode=CommMode.FULL)
    assert reader.read_data(DATA_FILE, 100, mode=CommMode.FULL) == b"secret".ljust(100, b"\0")
    reader.authenticate(0, FACTORY_KEY)
    reader.change_file_settings(DATA_FILE, FileSettings(CommMode.MAC, AccessRights(0, 0, 0, 0)))
    reader.write_data(DATA_FILE, b"signed", mode=CommMode.MAC)
    assert reader.read_data(DATA_FILE, 6, mode=CommMode.MAC) == b"signed"
    reader.change_key(0, KEY, 1)


ANSWERS = 23


def run(tampered: Any, change: Callable[[int, bytes], bytes]) -> int:
    card = tampered(EmulatedNtag424(b"\x04abcdef"), change)
    conversation(Ntag424(card))
    return int(card.number)


def test_the_untouched_conversation_passes(tampered: Any) -> None:
    assert run(tampered, lambda _, answer: answer) == ANSWERS


def lengths(tampered: Any) -> list[int]:
    found: list[int] = []
    run(tampered, lambda _, answer: found.append(len(answer)) or answer)
    return found


@pytest.mark.parametrize("number", range(ANSWERS))
def test_no_answer_with_one_bit_changed_is_accepted_whichever_byte_it_is_in(tampered: Any, number: int) -> None:
    for place in range(lengths(tampered)[number]):

        def change(at: int, answer: bytes, place: int = place) -> bytes:
            if at != number:
                return answer
            return answer[:place] + bytes([answer[place] ^ 1 << place % 8]) + answer[place + 1 :]

        with pytest.raises(CardError):
            run(tampered, change)


@settings(deadline=None)
@given(number=st.integers(0, ANSWERS - 1), place=st.integers(0, 300), flip=st.integers(1, 255))
def test_no_answer_with_a_changed_byte_is_accepted(tampered: Any, number: int, place: int, flip: int) -> None:
    def change(at: int, answer: bytes) -> bytes:
        if at != number:
            return answer
        broken = bytearray(answer)
        broken[place % len(answer)] ^= flip
        return bytes(broken)

    with pytest.raises(CardError):
        run(tampered, change)


@settings(deadline=None)
@example(number=0, keep=1, more=b"\x90\x00")
@given(number=st.integers(0, ANSWERS - 1), keep=st.integers(0, 300), more=st.binary(max_size=20))
def test_no_answer_of_another_length_is_accepted(tampered: Any, number: int, keep: int, more: bytes) -> None:
    def change(at: int, answer: bytes) -> bytes:
        if at != number:
            return answer
        keeps = keep % len(answer)
        return answer[:keeps] + more if answer[:keeps] + more != answer else b""

    with pytest.raises(CardError):
        run(tampered, change)


@settings(deadline=None)
@given(number=st.integers(0, ANSWERS - 1), other=st.integers(0, ANSWERS - 1))
def test_no_answer_is_accepted_in_the_place_of_another(tampered: Any, number: int, other: int) -> None:
    heard: list[bytes] = []
    run(tampered, lambda _, answer: heard.append(answer) or answer)
    unchanged: list[bool] = []

    def change(at: int, answer: bytes) -> bytes:
        if at != number:
            return answer
        unchanged.append(heard[other] == answer)
        return heard[other]

    try:
        run(tampered, change)
    except CardError:
        return
    # bare status words and a version's first frames are always the same, and the MAC at the end covers those
    assert unchanged == [True]


@settings(deadline=None)
@given(
    answers=st.lists(st.binary(max_size=80) | st.binary(max_size=60).map(lambda data: data + b"\x91\0"), max_size=30)
)
def test_no_answer_breaks_the_reader(answers: list[bytes]) -> None:
    class Babbling:
        def __init__(self) -> None:
            self.rest = list(answers)

        def transmit(self, apdu: bytes) -> bytes:
            return self.rest.pop(0) if self.rest else b"\x91\xae"

    reader = Ntag424(Babbling())
    calls: list[Callable[[], object]] = [
        reader.select,
        reader.read_ndef,
        reader.get_version,
        lambda: reader.get_file_settings(2),
        lambda: reader.get_key_version(0),
        lambda: reader.get_file_counters(2),
        lambda: reader.read_data(2, 20),
        lambda: reader.write_data(2, b"x"),
        lambda: reader.authenticate(0, FACTORY_KEY),
        lambda: reader.change_key(0, KEY, 1),
    ]
    for call in calls:
        try:
            call()
        except CardError as error:
            assert error.code in Fault


def test_a_card_that_only_repeats_our_own_proof_has_no_key(script: Any) -> None:
    """A mirror of our random number in any form the reader sent is no answer."""
    card = EmulatedNtag424(b"\x04abcdef")
    sent: list[bytes] = []

    class Mirror:
        def transmit(self, apdu: bytes) -> bytes:
            sent.append(apdu)
            if apdu[1] == 0xAF:
                return apdu[5:37] + b"\x91\0"
            return card.transmit(apdu)

    reader = Ntag424(Mirror())
    reader.select()
    with pytest.raises(CardError) as refused:
        reader.authenticate(0, FACTORY_KEY)
    assert refused.value.code is Fault.FORGED
    assert not reader.authenticated


def test_the_same_session_recorded_is_refused_when_played_again() -> None:
    """Our random number is new each time, so a recorded card cannot prove its key again."""
    card, heard = EmulatedNtag424(b"\x04abcdef"), []

    class Recorder:
        def transmit(self, apdu: bytes) -> bytes:
            heard.append(card.transmit(apdu))
            return heard[-1]

    class Player:
        def transmit(self, apdu: bytes) -> bytes:
            return heard.pop(0)

    reader = Ntag424(Recorder())
    reader.select()
    reader.authenticate(0, FACTORY_KEY)
    reader.get_card_uid()
    again = Ntag424(Player())
    again.select()
    with pytest.raises(CardError) as refused:
        again.authenticate(0, FACTORY_KEY)
    assert refused.value.code is Fault.FORGED


@pytest.mark.parametrize("place", [0, 3, 4, 19, 26, 31])
def test_a_card_that_holds_the_key_and_answers_wrongly_is_not_believed(place: int) -> None:
    """TI and the card's own capabilities are its to choose; our random number and our capabilities are not."""
    rnd_a, rnd_b = bytes(range(16)), bytes(range(16, 32))
    told = bytearray(b"tiTI" + rnd_a[1:] + rnd_a[:1] + bytes(12))
    told[place] ^= 1
    answers = [encrypt(KEY, rnd_b) + b"\x91\xaf", encrypt(KEY, bytes(told)) + b"\x91\0"]

    class Holder:
        def transmit(self, apdu: bytes) -> bytes:
            return answers.pop(0)

    reader = Ntag424(Holder(), lambda _: rnd_a)
    if place < 4:
        reader.authenticate(0, KEY)
        assert reader.authenticated
    else:
        with pytest.raises(CardError) as refused:
            reader.authenticate(0, KEY)
        assert refused.value.code is Fault.FORGED


@pytest.mark.parametrize(
    "padded",
    [bytes(16), b"x" * 16, b"data" + bytes(12), b"data\x80" + bytes(27), b"\x80" + bytes(31), b"x" * 31 + b"\1"],
)
def test_an_answer_with_the_right_mac_and_wrong_padding_is_not_believed(padded: bytes) -> None:
    """Both sides hold the keys here, so nothing but the padding is wrong."""
    ti, mac_key = b"tiTI", Secret(bytes(16))
    iv = encrypt(KEY, b"\x5a\xa5" + ti + bytes(10))
    body = encrypt(KEY, padded, iv)
    answer = body + mac8(mac_key, bytes(3) + ti + body)
    with pytest.raises(CardError) as refused:
        Session(KEY, mac_key, ti).accept(CommMode.FULL, answer)
    assert refused.value.code is Fault.FORGED


def test_an_answer_with_the_right_mac_and_half_a_block_is_malformed() -> None:
    body, ti = bytes(24), b"tiTI"
    answer = body + mac8(KEY, bytes(3) + ti + body)
    with pytest.raises(CardError) as refused:
        Session(KEY, KEY, ti).accept(CommMode.FULL, answer)
    assert refused.value.code is Fault.MALFORMED
