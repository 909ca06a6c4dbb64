"""Signatures by the same bytes on both sides; each count once, none that is old (RFC 4303 §3.4.3)."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import hashes, hmac
from hypothesis import given
from hypothesis import strategies as st

from appliance.console import signing
from appliance.console.signing import MOST_COUNT, Window

VECTORS = json.loads((Path(__file__).parent / "vectors.json").read_text())


@pytest.mark.parametrize("each", VECTORS["requests"], ids=lambda each: each["path"])
def test_requests_are_signed_as_the_vectors_say(each):
    key, body = bytes.fromhex(each["key"]), each["body"].encode()
    told = each["method"], each["path"], each["count"], body
    assert signing.sign(key, *told) == each["signature"]
    assert signing.holds(key, each["signature"], *told)
    assert not signing.holds(key, each["signature"][:-1] + "x", *told)
    # by another's HMAC, from what is written down alone
    lines = f"tableside-phone-1\n{each['method']}\n{each['path']}\n{each['count']}\n{hashlib.sha256(body).hexdigest()}"
    mac = hmac.HMAC(key, hashes.SHA256())
    mac.update(lines.encode())
    assert mac.finalize().hex() == each["signature"]


def test_codes_and_fragments_are_as_the_vectors_say():
    for each in VECTORS["codes"]:
        assert signing.code(bytes.fromhex(each["key"]), bytes.fromhex(each["nonce"])) == each["code"]
    for each in VECTORS["fragments"]:
        assert signing.fragment(each["session"], bytes.fromhex(each["key"])) == each["fragment"]


def test_a_signature_of_anything_but_ascii_is_wrong_and_no_error():
    assert not signing.holds(bytes(32), "é" * 64, "GET", "/", 1, b"")


def test_a_count_is_taken_once_and_none_that_is_64_below_the_highest():
    window = Window()
    assert [window.take(count) for count in (1, 1, 3, 2, 2, 100, 37, 36, 37, 99)] == [
        True, False, True, True, False, True, True, False, False, True,
    ]  # fmt: skip


def test_what_is_no_count_is_never_taken():
    window = Window()
    assert not any(window.take(count) for count in (0, -1, MOST_COUNT + 1))
    assert window.take(MOST_COUNT) and not window.take(MOST_COUNT) and window.take(MOST_COUNT - 63)


def test_after_a_restart_counts_go_on_above_the_mark():
    window = Window(1000)
    assert not any(window.take(count) for count in (1000, 999, 950, 1))
    assert window.take(1001) and window.high == 1001


@given(st.lists(st.integers(1, 300), max_size=80), st.integers(0, 50))
def test_no_count_is_ever_taken_twice_and_all_new_ones_within_the_window_are(counts, high):
    window, taken, highest = Window(high), set(range(high + 1)), high
    for count in counts:
        expected = count not in taken and count > highest - Window.SIZE
        assert window.take(count) is expected
        if expected:
            taken.add(count)
            highest = max(highest, count)


def test_a_count_far_below_the_highest_is_refused_without_making_a_number_as_long_as_their_distance():
    window = Window()
    assert window.take(signing.MOST_COUNT)
    assert not window.take(1)
