"""The maker's signature on NTAG21x: real chips' ones as they were published, and simulated ones."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.cards.originality import NXP_NTAG21X, B, BadKey, N, P, PublicKey, public_key, sign, verify
from tests.cards.issued import MAKER, OTHER_UID, UID

CHIPS = [
    ("04E10CDA993C80", "8B76052EE42F5567BEB53238B3E3F9950707C0DCC956B5C5EFCFDB709B2D82B3"),
    ("04DB0BDA993C80", "6048EFD9417CD10F6B7F1818D471A7FE5B46868D2EABDC6307A1E0AAE139D8D0"),
    ("04AB87F2CA1190", "67B1750BCCEB1174F9A33BF20E0226551A6366939B31F949848C3C087350FA90"),
]
"""UID and signature of chips by NXP, as their owners published them."""

ULTRALIGHT_EV1 = PublicKey.from_hex("0490933BDCD6E99B4E255E3DA55389A827564E11718E017292FAF23226A96614B8")


@pytest.mark.parametrize(("uid", "signature"), CHIPS)
def test_signature_of_a_real_chip_holds(uid: str, signature: str) -> None:
    assert verify(NXP_NTAG21X, bytes.fromhex(uid), bytes.fromhex(signature))
    assert not verify(ULTRALIGHT_EV1, bytes.fromhex(uid), bytes.fromhex(signature))


def test_signature_of_another_chip_does_not() -> None:
    assert not verify(NXP_NTAG21X, bytes.fromhex(CHIPS[1][0]), bytes.fromhex(CHIPS[0][1]))
    assert verify(
        ULTRALIGHT_EV1,
        bytes.fromhex("04C1285A373080"),
        bytes.fromhex("CEA2EB0B3C95D0844A95B824A7553703B3702378033BF0987899DB70151A19E7"),
    )


@given(st.integers(0, 31), st.integers(1, 255))
def test_changed_signature_does_not(place: int, bits: int) -> None:
    signature = bytearray.fromhex(CHIPS[0][1])
    signature[place] ^= bits
    assert not verify(NXP_NTAG21X, bytes.fromhex(CHIPS[0][0]), bytes(signature))


@settings(max_examples=50, deadline=None)
@given(st.integers(1, N - 1), st.binary(min_size=7, max_size=7))
def test_simulated_maker_signs_as_a_real_one(private: int, uid: bytes) -> None:
    key = public_key(private)
    assert PublicKey.from_hex(key.to_hex()) == key
    signature = sign(private, uid)
    assert len(signature) == 32
    assert verify(key, uid, signature)
    assert not verify(key, bytes([uid[0] ^ 1]) + uid[1:], signature)


@pytest.mark.parametrize(
    "signature",
    [
        b"",
        bytes(32),
        bytes(31),
        bytes(16) + b"\1" * 16,
        b"\1" * 16 + bytes(16),
        N.to_bytes(16) + b"\1" * 16,
        b"\1" * 16 + N.to_bytes(16),
        b"\xff" * 32,
        sign(MAKER, UID) + b"\0",
    ],
)
def test_what_is_no_signature_does_not_hold(signature: bytes) -> None:
    assert not verify(public_key(MAKER), UID, signature)


def test_products_that_meet_at_the_same_point_or_at_none_are_no_signature() -> None:
    for key in (public_key(1), public_key(N - 1)):  # G itself, and its opposite
        assert not verify(key, OTHER_UID, sign(MAKER, OTHER_UID))
        for private in (1, N - 1):
            assert verify(key, UID, sign(private, UID)) == (key == public_key(private))


@pytest.mark.parametrize("text", ["", "zz", "04" * 16, "05" + "01" * 32, "04" + "01" * 32, "04" + f"{P:032x}" * 2])
def test_what_is_no_point_of_the_curve_is_no_key(text: str) -> None:
    with pytest.raises(BadKey):
        PublicKey.from_hex(text)


@pytest.mark.parametrize("private", [0, N, -1])
def test_what_is_no_private_key_makes_none(private: int) -> None:
    with pytest.raises(BadKey):
        public_key(private)


def test_coordinate_is_written_in_one_way() -> None:
    y = pow(B, (P + 1) // 4, P)  # of the point with x = 0
    assert PublicKey.from_hex(f"04{0:032x}{y:032x}").point == (0, y)
    with pytest.raises(BadKey):
        PublicKey.from_hex(f"04{P:032x}{y:032x}")
