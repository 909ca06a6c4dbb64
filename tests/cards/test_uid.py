"""The number on a card: one spelling, and what no card can have said (ISO/IEC 14443-3, 6.5.4)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.cards.uid import BadUid, is_random, normal_uid


@pytest.mark.parametrize("text", ["04a2b3c4d5e6f7", "04:A2:B3:C4:D5:E6:F7", "04 a2 b3 c4-d5-e6-f7"])
def test_uid_has_one_spelling(text: str) -> None:
    assert normal_uid(text) == "04A2B3C4D5E6F7"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "not-hex"),
        ("::", "not-hex"),
        ("04A2B3CG", "not-hex"),
        ("٠٤١٢٣٤٥٦", "not-hex"),
        ("04A2B3", "bad-length"),
        ("04A2B3C4D", "bad-length"),
        ("04A2B3C4D5", "bad-length"),
        ("04" * 11, "bad-length"),
        ("88A2B3C4", "cut-short"),
    ],
)
def test_what_no_card_says_is_refused_by_name(text: str, code: str) -> None:
    with pytest.raises(BadUid) as refused:
        normal_uid(text)
    assert refused.value.code == code


def test_uid_beginning_with_the_cascade_tag_is_cut_short_only_if_it_has_four_bytes() -> None:
    assert normal_uid("88A2B3C4D5E6F7") == "88A2B3C4D5E6F7"


def test_only_four_bytes_beginning_with_08_are_made_up() -> None:
    assert is_random("08A2B3C4")
    assert not is_random("08A2B3C4D5E6F7")
    assert not is_random("04A2B3C4")


@given(st.sampled_from([4, 7, 10]).flatmap(lambda size: st.binary(min_size=size, max_size=size)))
def test_every_uid_of_a_real_length_is_its_own_normal_form(raw: bytes) -> None:
    text = raw.hex().upper()
    if len(raw) == 4 and raw[0] == 0x88:
        with pytest.raises(BadUid):
            normal_uid(text)
    else:
        assert normal_uid(text) == normal_uid(normal_uid(raw.hex(":"))) == text


@given(st.text(max_size=60))
def test_any_text_is_a_uid_or_a_named_refusal(text: str) -> None:
    try:
        uid = normal_uid(text)
    except BadUid as refused:
        assert refused.code in ("not-hex", "bad-length", "cut-short")
    else:
        assert bytes.fromhex(uid).hex().upper() == uid
