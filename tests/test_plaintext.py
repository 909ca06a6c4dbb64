"""Texts that are handed in: what becomes of any of them, and which are refused where somebody types them."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.plaintext import _PLAIN_ALREADY, _cleaned, fault, is_blank, plain


def test_every_character_is_drawn_or_gone() -> None:
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        made = plain(char)
        assert all(unicodedata.category(each)[0] not in "CZ" or each in " \u00a0" for each in made), hex(code)
        if _PLAIN_ALREADY.fullmatch(char):
            assert _cleaned(char) == char, hex(code)


@given(st.text(st.characters(codec=None)))
def test_what_is_plain_stays_as_it_is(text: str) -> None:
    made = plain(text)
    assert plain(made) == made == unicodedata.normalize("NFC", made)
    made.encode()


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("Jan\0 Novák", "Jan Novák"),
        ("Jan\u2028Nov", "Jan Nov"),
        ("\u202eJan\u200b Novák\ufeff", "Jan Novák"),
        ("Ru\u030az\u030cena", "Růžena"),
        ("A\tB\r\n", "A B  "),
        ("Jan\ud800", "Jan"),
        ("10\u202f000\u00a0Kč", "10\u00a0000\u00a0Kč"),
        ("\x1b[31mJan\x07\x85", "[31mJan"),
    ],
)
def test_what_is_left(text: str, made: str) -> None:
    assert plain(text) == made


@pytest.mark.parametrize(
    "text", ["", " ", "\u200b", "\u2060\u200b \u200b", "\ufeff", "\0", "\u0301", "\u3164", "\u00a0"]
)
def test_what_nobody_sees_is_blank(text: str) -> None:
    assert is_blank(text)
    assert not is_blank(f"{text}Ř") and not is_blank(f"1{text}")


def test_a_fault_is_named() -> None:
    assert fault("Jan\0") == "U+0000 is a control character"
    assert fault("\x9bJan") == "U+009B is a control character"
    assert fault("Jan\udcff") == "not UTF-8"
    assert fault("Herna \u202eažereb") == "U+202E turns the direction of the text"
    assert fault("\u200b \ufeff") == fault("  ") == "nothing of it can be seen"
    assert fault("") is fault("Jan Novák,\n\tŽďár – 100 €") is fault("👨\u200d👩\u200d👧") is None


TURNERS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def test_P_no_sign_that_turns_the_direction_of_a_text_is_taken() -> None:
    turning = [chr(code) for code in range(sys.maxunicode + 1) if unicodedata.bidirectional(chr(code)) in TURNERS]
    assert len(turning) == 9
    for char in (*turning, "\u200e", "\u200f", "\u061c"):
        for text in (char, f"Dnes {char}v osm", f"Dnes v osm{char}"):
            assert fault(text) is not None, hex(ord(char))
        assert char not in plain(f"a{char}b")
    assert fault("שלום") is fault("سلام") is None, "letters that are written so are no signs"
