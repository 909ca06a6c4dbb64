"""The league's signed record: one way of writing it, bound to one card."""

from __future__ import annotations

import datetime as dt

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from appliance.cards import layout, ndef, record
from appliance.cards.ndef import NdefRecord, Tnf
from appliance.cards.record import MAX_BYTES, BadRecord, SignedRecord, decode, sign, verify
from tests.cards.issued import LEAGUE, OTHER_UID, UID, text

KEY = LEAGUE.key.public_key()
SIGNED = LEAGUE.record()
LONGEST_LINK = 158

records = st.builds(
    SignedRecord,
    st.from_regex(r"[a-z0-9-]{1,16}", fullmatch=True),
    st.from_regex(r"[0-9]{1,12}", fullmatch=True).filter(str.isascii),
    st.binary(min_size=7, max_size=7).map(text),
    st.integers(0, 2**32 - 1),
    st.dates(),
    st.binary(min_size=64, max_size=64),
)


@given(records)
def test_record_is_read_as_it_was_written(signed: SignedRecord) -> None:
    data = signed.encode()
    assert len(data) <= MAX_BYTES <= 110
    assert decode(data) == signed
    assert layout.record_in_file(layout.record_file(signed)) == signed
    assert layout.record_in_message(layout.record_message(signed)) == signed


@given(st.binary(max_size=MAX_BYTES + 3))
def test_no_bytes_but_a_records_own_are_a_record(data: bytes) -> None:
    try:
        assert decode(data).encode() == data
    except BadRecord as error:
        assert str(error)


@given(records, st.integers(0, MAX_BYTES - 1), st.integers(1, 255))
def test_changed_bytes_read_as_another_record_or_as_none(signed: SignedRecord, place: int, bits: int) -> None:
    data = bytearray(signed.encode())
    data[place % len(data)] ^= bits
    try:
        again = decode(bytes(data))
    except BadRecord:
        return
    assert again != signed
    assert again.encode() == bytes(data)


def test_bytes_are_those_of_the_description() -> None:
    assert SIGNED.signed.hex() == "0103" + b"cpl".hex() + "060000000065" + UID.hex() + "000000070b4a9c"
    assert dt.date.fromordinal(0x0B4A9C) == SIGNED.issued


def test_signature_holds_for_its_card_and_its_key_alone() -> None:
    assert verify(SIGNED, KEY, text(UID))
    assert not verify(SIGNED, KEY, text(OTHER_UID))
    assert not verify(SIGNED, Ed25519PrivateKey.generate().public_key(), text(UID))


@pytest.mark.parametrize(
    "wrong",
    [
        {"league": ""},
        {"league": "Liga"},
        {"league": "a" * 17},
        {"participant": ""},
        {"participant": "1" * 13},
        {"participant": "12a"},
        {"participant": "١٢"},
        {"uid": "04958CAA"},
        {"uid": "04958caa5c5e80"},
        {"serial": -1},
        {"serial": 2**32},
    ],
)
def test_fields_outside_their_bounds_are_not_signed(wrong: dict[str, object]) -> None:
    fields = {"league": "cpl", "participant": "1", "uid": text(UID), "serial": 1, "issued": dt.date(2027, 1, 1)}
    with pytest.raises(ValueError):
        sign(LEAGUE.key, **(fields | wrong))  # type: ignore[arg-type]


def test_later_version_is_no_record_of_ours() -> None:
    with pytest.raises(BadRecord, match="version 2"):
        decode(b"\x02" + SIGNED.encode()[1:])


def test_blank_file_holds_none_and_a_torn_one_is_broken() -> None:
    assert layout.record_in_file(bytes(103)) is None
    assert layout.record_in_file(b"\0\x7e" + bytes(101)) is None  # as delivered
    whole = layout.record_file(SIGNED)
    for torn in (whole[:20] + bytes(108), b"\0\x20" + whole[2:], b"\0\x7f" + whole[2:], whole[1:] + b"\0"):
        with pytest.raises(BadRecord):
            layout.record_in_file(torn[: layout.RECORD_READ])
    half = layout.record_in_file((whole[:60] + bytes(68))[: layout.RECORD_READ])
    assert half is not None and not verify(half, KEY, text(UID))
    assert record.decode(whole[2 : 2 + whole[1]]) == SIGNED


def test_link_is_read_with_what_the_card_filled_in() -> None:
    link = layout.link("https://league.example/card")
    filled = link.content.replace(b"u=00000000000000", b"u=04958CAA5C5E80").replace(b"n=000000", b"n=00002A")
    assert layout.read_counter(filled.ljust(202, b"\0")) == ("04958CAA5C5E80", 42)
    assert layout.read_counter(filled[:-1]) is None
    assert layout.read_counter(filled.replace(b"00002A", b"00002a")) is None
    for base in ("https://a.example/?x=1", "https://a.example/#x", "https://a.example/" + "y" * 200):
        with pytest.raises(ValueError):
            layout.link(base)


@pytest.mark.parametrize("filling", [b"\0", b"\1", b"\xff"])
def test_bytes_of_any_length_are_refused(filling: bytes) -> None:
    for length in range(MAX_BYTES + 3):
        with pytest.raises(BadRecord):
            decode(filling * length)
    with pytest.raises(BadRecord):
        decode(SIGNED.encode() + filling)


@pytest.mark.parametrize("day", [dt.date.min, dt.date.max])
def test_first_and_last_day_can_be_written(day: dt.date) -> None:
    fields = {"league": "cpl", "participant": "1", "uid": text(UID), "serial": 1, "issued": day}
    signed = sign(LEAGUE.key, **fields)  # type: ignore[arg-type]
    assert decode(signed.encode()) == signed
    body = signed.signed
    for beyond in (0, dt.date.max.toordinal() + 1):
        with pytest.raises(BadRecord, match="day"):
            decode(body[:-3] + beyond.to_bytes(3) + bytes(64))


def test_file_holds_a_record_and_nothing_behind_it() -> None:
    whole = layout.record_file(SIGNED)[: layout.RECORD_READ]
    assert layout.record_in_file(whole) == SIGNED
    with pytest.raises(BadRecord):
        layout.record_in_file(whole[:-1] + b"\1")


def test_record_is_looked_for_under_its_own_name_alone() -> None:
    body = SIGNED.encode()
    for other in (NdefRecord(Tnf.EXTERNAL, b"other:card", body), NdefRecord(Tnf.MIME, layout.RECORD_TYPE, body)):
        assert layout.record_in_message(ndef.encode(other)) is None
        ours = NdefRecord(Tnf.EXTERNAL, layout.RECORD_TYPE, body)
        assert layout.record_in_message(ndef.encode(other, ours)) == SIGNED
    assert layout.record_in_message(b"\xd1") is None


def test_longest_link_is_read_whole() -> None:
    longest = "https://a.example/" + "y" * (LONGEST_LINK - len("https://a.example/"))
    assert len(layout.link(longest).content) == layout.LINK_READ
    with pytest.raises(ValueError):
        layout.link(longest + "y")
