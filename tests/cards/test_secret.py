"""A key is seen by nobody: not in a text, a pickle, a copy, a log, nor in a traceback with all its variables."""

from __future__ import annotations

import copy
import io
import json
import logging
import pickle
import traceback
from collections.abc import Callable

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from appliance.cards import aes
from appliance.cards.apdu import CardError
from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.cards.messaging import CommMode, Session
from appliance.cards.ntag424 import DATA_FILE, FACTORY_KEY, NDEF_FILE, Ntag424
from appliance.cards.sdm import PiccData, check, open_picc, verify
from appliance.cards.secret import Secret
from appliance.cards.settings import FREE, Sdm

# planted where no frame of a traceback has them: a module's globals
KEY_BYTES, NEW_BYTES, SHORT_BYTES = b"PLANTED-KEY-ZERO", b"PLANTED-KEY-NEW!", b"PLANTED-SHORT"
NO_HEX = "0f0e0d0c0b0a09O8"
KEY, NEW, SHORT = Secret(KEY_BYTES), Secret(NEW_BYTES), Secret(SHORT_BYTES)


def spellings(value: bytes) -> list[str]:
    """What to look for: the bytes as Python, hex and a list of numbers show them, whole or half."""
    half = value[:8]
    return [
        half.decode("latin-1"),
        repr(half)[2:-1],
        half.hex(),
        half.hex().upper(),
        half.hex(" "),
        str(list(half))[1:-1],
        str(int.from_bytes(value)),
    ]


def assert_hidden(text: str, *values: bytes) -> None:
    for value in values:
        for spelling in spellings(value):
            assert spelling not in text


def everything_told(call: Callable[[], object]) -> str:
    """All that a log, a crash report and a debugger would keep of a call that fails."""
    stream = io.StringIO()
    logger = logging.getLogger("planted")
    logger.addHandler(handler := logging.StreamHandler(stream))
    logger.propagate = False
    try:
        call()
    except Exception as error:
        logger.exception("failed %s %r", error, error)
        told = traceback.TracebackException.from_exception(error, capture_locals=True)
        logger.removeHandler(handler)
        return stream.getvalue() + "".join(told.format()) + repr(error.args) + repr(vars(error))
    raise AssertionError("this should have failed")


def test_the_search_finds_what_it_looks_for() -> None:
    def careless() -> None:
        key = KEY.reveal()
        raise ValueError(len(key))

    with pytest.raises(AssertionError):
        assert_hidden(everything_told(careless), KEY_BYTES)


@pytest.mark.parametrize("show", [repr, str, "{}".format, "{!r:>30}".format, lambda key: f"{key!s}"])
def test_a_secret_shows_as_stars(show: Callable[[object], str]) -> None:
    assert show(KEY).strip() == "Secret(***)"
    assert_hidden(show([KEY, {"key": KEY}]) if show in (repr, str) else show(KEY), KEY_BYTES)


@pytest.mark.parametrize(
    "give",
    [
        pickle.dumps,
        json.dumps,
        msgspec.json.encode,
        msgspec.msgpack.encode,
        bytes,
        hash,
        vars,
        lambda key: key.__getstate__(),
        lambda key: setattr(key, "value", b""),
        lambda key: key.__reduce__(),
    ],
)
def test_a_secret_is_not_given_away(give: Callable[[object], object]) -> None:
    try:
        given_away = give(KEY)
    except (TypeError, AttributeError) as error:
        assert_hidden(str(error), KEY_BYTES)
    else:
        assert_hidden(repr(given_away), KEY_BYTES)


def test_a_secret_does_not_change_and_copies_are_itself() -> None:
    changeable = bytearray(KEY_BYTES)
    key = Secret(changeable)
    changeable[0] = 0
    assert key == KEY
    assert copy.copy(KEY) is KEY
    assert copy.deepcopy([KEY])[0] is KEY


@given(st.binary(max_size=20), st.binary(max_size=20))
@example(b"the same until Z", b"the same until A")
@example(b"the same, longer", b"the same")
def test_secrets_are_equal_when_their_bytes_are(one: bytes, other: bytes) -> None:
    assert (Secret(one) == Secret(other)) is (one == other)
    assert (Secret(one) != Secret(other)) is (one != other)
    assert Secret(one) != one
    assert Secret(one).reveal() == one
    assert len(Secret(one)) == len(one)


def test_text_that_is_no_hex_is_refused_without_it() -> None:
    assert_hidden(everything_told(lambda: Secret.from_hex(NO_HEX)), NO_HEX.encode())
    assert Secret.from_hex(KEY_BYTES.hex()) == KEY
    assert Secret.random() != Secret.random()


def owned() -> tuple[EmulatedNtag424, Ntag424]:
    """A card whose key 0 is the planted one, with a session of it."""
    card = EmulatedNtag424(b"\x04abcdef")
    reader = Ntag424(card)
    reader.select()
    reader.authenticate(0, FACTORY_KEY)
    reader.change_key(0, KEY, 1)
    reader.authenticate(0, KEY)
    return card, reader


class Answers:
    """A card that answers every command alike."""

    def __init__(self, answer: bytes) -> None:
        self.answer = answer

    def transmit(self, apdu: bytes) -> bytes:
        if self.answer == b"gone":
            raise ConnectionError("the card is gone")
        return self.answer


ANSWERS = [b"", b"\x90", b"\x91\0", b"\x91\xae", b"\x91\xaf", bytes(16) + b"\x91\xaf", bytes(40) + b"\x91\0", b"gone"]
COMMANDS: dict[str, Callable[[Ntag424], object]] = {
    "authenticate first": lambda reader: reader.authenticate(0, KEY),
    "authenticate further": lambda reader: reader.authenticate(0, KEY, first=False),
    "change own key": lambda reader: reader.change_key(0, NEW, 1),
    "change other key": lambda reader: reader.change_key(2, NEW, 1, KEY),
    "uid": lambda reader: reader.get_card_uid(),
    "version": lambda reader: reader.get_version(),
    "key version": lambda reader: reader.get_key_version(9),
    "settings": lambda reader: reader.get_file_settings(9),
    "read": lambda reader: reader.read_data(DATA_FILE, 8, mode=CommMode.FULL),
    "read signed": lambda reader: reader.read_data(NDEF_FILE, 8, 255, mode=CommMode.MAC),
    "write": lambda reader: reader.write_data(DATA_FILE, b"data", mode=CommMode.FULL),
    "limit": lambda reader: reader.set_failure_limit(0, 0),
    "counters": lambda reader: reader.get_file_counters(NDEF_FILE),
}


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("answer", ANSWERS)
def test_no_failing_command_tells_a_key(name: str, answer: bytes) -> None:
    _, reader = owned()
    session = reader._session
    assert session is not None
    keys = session._enc.reveal(), session._mac.reveal()
    if answer in (b"\x91\0",) and name in ("change own key",):
        reader._card = Answers(b"\x91\0\x91\0")  # its success is this bare answer
    else:
        reader._card = Answers(answer)

    def call() -> None:
        COMMANDS[name](reader)

    assert_hidden(everything_told(call), KEY_BYTES, NEW_BYTES, *keys)


@pytest.mark.parametrize(
    "call",
    [
        lambda: owned()[1].authenticate(0, NEW),
        lambda: owned()[1].authenticate(0, SHORT),
        lambda: owned()[1].change_key(0, SHORT, 1),
        lambda: owned()[1].change_key(2, NEW, 300),
        lambda: owned()[1].change_key(2, NEW, -1, KEY),
        lambda: owned()[1].change_key(2, NEW, 1, SHORT),
        lambda: owned()[1].change_key(2, NEW, 1, KEY),
        lambda: owned()[1].change_key(7, NEW, 1),
        lambda: Ntag424(Answers(b"\x91\0")).change_key(0, NEW, 1),
        lambda: Ntag424(Answers(b"\x91\0")).change_key(1, NEW, 1, KEY),
        lambda: aes.cmac(SHORT, b""),
        lambda: aes.encrypt(SHORT, bytes(16)),
        lambda: aes.encrypt(KEY, bytes(15)),
        lambda: aes.encrypt(KEY, NEW, bytes(3)),
        lambda: aes.encrypt(KEY, SHORT),
        lambda: aes.decrypt(KEY, bytes(15)),
        lambda: aes.an10922(KEY, bytes(3)),
        lambda: aes.diversify(KEY, bytes(3), 0, bytes(8)),
        lambda: aes.diversify(KEY, bytes(7), 300, bytes(8)),
        lambda: Session(KEY, NEW, bytes(4)).accept(CommMode.FULL, bytes(24)),
        lambda: Session(KEY, NEW, bytes(4)).accept(CommMode.MAC, bytes(3)),
        lambda: Session(KEY, NEW, bytes(4), 65536).protect(CommMode.FULL, 0, b"", NEW),
        lambda: open_picc(KEY, bytes(3)),
        lambda: open_picc(KEY, bytes(16)),
        lambda: check(KEY, PiccData(bytes(7), 1), bytes(8)),
        lambda: verify(bytes(99), Sdm(2, 1, picc_offset=0, mac_input_offset=50, mac_offset=50), KEY, lambda _: NEW),
        lambda: verify(b"0" * 99, Sdm(FREE, 1, uid_offset=0, counter_offset=20, mac_input_offset=50, mac_offset=50),
                       KEY, lambda _: NEW),
    ],
)  # fmt: skip
def test_no_error_path_tells_a_key(call: Callable[[], object]) -> None:
    assert_hidden(everything_told(call), KEY_BYTES, NEW_BYTES, SHORT_BYTES)


def test_nothing_that_holds_a_key_shows_it() -> None:
    card, reader = owned()
    reader.change_key(2, NEW, 1)
    shown = "".join(repr(each) for each in (card, card.memory, card._card, card._card.power, reader, reader._session))
    assert "Secret(***)" in shown
    assert_hidden(shown, KEY_BYTES, NEW_BYTES)
    for each in (card, reader, reader._session):
        with pytest.raises(TypeError):
            pickle.dumps(each)


def test_an_error_holds_its_code_and_status_word_and_nothing_else() -> None:
    with pytest.raises(CardError) as refused:
        owned()[1].get_key_version(7)
    assert str(refused.value) == "no-such-key (9140)"
    assert refused.value.args == ("no-such-key (9140)",)
