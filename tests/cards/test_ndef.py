"""NDEF as our cards carry it, and anything else that somebody may have written into one."""

from __future__ import annotations

import ndef as ndeflib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.cards import layout, ndef
from appliance.cards.ndef import BadNdef, NdefRecord, Tnf
from appliance.cards.record import MAX_BYTES
from tests.cards.issued import LEAGUE

URI = NdefRecord(Tnf.WELL_KNOWN, b"U", b"\x04league.example")
OURS = NdefRecord(Tnf.EXTERNAL, b"tableside:card", b"x" * 90)
LONG = NdefRecord(Tnf.MIME, b"text/plain", b"y" * 300, b"id")


@pytest.mark.parametrize("records", [(URI,), (OURS,), (LONG,), (URI, OURS, LONG), (NdefRecord(Tnf.EMPTY),)])
def test_message_is_read_as_it_was_written(records: tuple[NdefRecord, ...]) -> None:
    assert ndef.decode(ndef.encode(*records)) == records


def test_another_library_reads_the_same() -> None:
    (record,) = ndeflib.message_decoder(ndef.encode(OURS))
    assert (record.type, record.data) == ("urn:nfc:ext:tableside:card", OURS.payload)
    message = b"".join(ndeflib.message_encoder([ndeflib.UriRecord("https://league.example/a")]))
    assert ndef.decode(message) == (NdefRecord(Tnf.WELL_KNOWN, b"U", b"\x04league.example/a"),)


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ("d1", "cut short"),
        ("d101055504616263", "cut short"),
        ("d10101550a0b", "after the last"),
        ("5101015504", "begins"),
        ("9101015504 9101015504", "begins"),
        ("b10101550a", "chunks"),
        ("d60001 0a", "chunks"),
        ("d7010155", "no kind"),
        ("d0010055", "empty"),
        ("d5010155 0a", "type"),
        ("d10001 0a", "type"),
        ("c10100ffffff55", "cut short"),
        ("d40100ff", None),
    ],
)
def test_broken_message_is_refused(message: str, why: str | None) -> None:
    raw = bytes.fromhex(message.replace(" ", ""))
    if why is None:
        assert ndef.decode(raw) == (NdefRecord(Tnf.EXTERNAL, b"\xff"),)  # a type is bytes: no letters to trip over
        return
    with pytest.raises(BadNdef, match=why):
        ndef.decode(raw)


def test_message_is_bounded() -> None:
    with pytest.raises(BadNdef, match="too many"):
        ndef.decode(b"\x95\0\0" + b"\x15\0\0" * 40)
    with pytest.raises(BadNdef, match="longer"):
        ndef.decode(b"\xd5\0\xff" + bytes(2000))
    with pytest.raises(BadNdef):
        ndef.encode(NdefRecord(Tnf.MIME, b"t", bytes(2000)))


LOCK = bytes.fromhex("0103A00C34")
MEMORY = bytes.fromhex("0203F00202")


def test_message_is_found_behind_control_blocks_and_filling() -> None:
    assert ndef.message_of(LOCK + MEMORY + b"\0\0" + b"\x03\x02ab" + b"\xfe\xff") == b"ab"
    assert ndef.message_of(b"\xfd\x01x\x03\x00\xfe") == b""  # a block of somebody's own
    assert ndef.message_of(b"\xfe\x03\x02ab") == b""
    assert ndef.message_of(b"") == b""
    assert ndef.message_of(b"\x03\xff\x01\x00" + b"z" * 256) == b"z" * 256


@pytest.mark.parametrize("area", ["0304ab", "03ff0010" + "00" * 16, "03ff01", "0102a00c", "010400000000", "03"])
def test_broken_block_is_refused(area: str) -> None:
    with pytest.raises(BadNdef):
        ndef.message_of(bytes.fromhex(area))


def test_message_goes_behind_the_control_blocks_that_are_there() -> None:
    area = ndef.area_with(b"abc", 144, keep=LOCK + b"\x03\x00\xfe" + bytes(100))
    assert area == LOCK + b"\x03\x03abc\xfe"
    assert ndef.area_with(b"x" * 300, 504).startswith(b"\x03\xff\x01\x2cx")
    assert len(ndef.area_with(b"x" * 142, 144)) == 144  # no room for the end: the area's own end is it
    with pytest.raises(BadNdef):
        ndef.area_with(b"x" * 143, 144)


@given(st.binary(max_size=60), st.integers(0, 80))
def test_needed_bytes_are_told_from_the_beginning(message: bytes, cut: int) -> None:
    area = ndef.area_with(message, 200, keep=LOCK)
    told = ndef.needed(area[: max(cut, 7)])
    assert told == 7 + len(message)
    assert ndef.message_of(area[:told]) == message


@given(st.binary(max_size=80))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for read in (ndef.decode, ndef.message_of, lambda area: list(ndef.blocks(area))):
        try:
            read(data)
        except BadNdef as error:
            assert str(error)
    ndef.needed(data)
    assert layout.read_counter(data) is None


@given(st.binary(max_size=80))
def test_what_is_read_is_written_again(data: bytes) -> None:
    try:
        records = ndef.decode(data)
    except BadNdef:
        return
    if records:
        assert ndef.decode(ndef.encode(*records)) == records


def test_our_messages_fit_the_smallest_card_of_both_kinds() -> None:
    longest = LEAGUE.record().__class__("a" * 16, "9" * 12, "04" * 7, 2**32 - 1, LEAGUE.record().issued, bytes(64))
    assert len(longest.encode()) == MAX_BYTES
    assert len(ndef.area_with(layout.record_message(longest), 144, keep=LOCK)) <= 144
    assert len(layout.record_file(longest)) == 128


@pytest.mark.parametrize("length", [0, 255, 256])
def test_short_and_long_records_meet_at_256_bytes(length: int) -> None:
    record = NdefRecord(Tnf.MIME, b"t", bytes(length))
    message = ndef.encode(record)
    assert ndef.decode(message) == (record,)
    assert len(message) == length + (4 if length < 256 else 7)


@pytest.mark.parametrize("length", [254, 255, 256])
def test_short_and_long_blocks_meet_at_255_bytes(length: int) -> None:
    area = ndef.area_with(b"m" * length, 504)
    assert ndef.message_of(area) == b"m" * length
    assert len(area) == length + (3 if length < 255 else 5)
    with pytest.raises(BadNdef):
        ndef.message_of(b"\x03\xff\x00\xfe" + b"m" * 254)  # in three bytes what fits one


def test_message_may_have_its_1024_bytes() -> None:
    longest = NdefRecord(Tnf.MIME, b"t", bytes(ndef.MAX_MESSAGE - 7))
    assert ndef.decode(ndef.encode(longest)) == (longest,)
    with pytest.raises(BadNdef, match="longer"):
        ndef.encode(NdefRecord(Tnf.MIME, b"t", bytes(ndef.MAX_MESSAGE - 6)))
