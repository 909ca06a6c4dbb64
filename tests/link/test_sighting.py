"""Sightings: what goes out comes back, and what anybody else says raises nothing but `BadSighting`."""

from __future__ import annotations

import json
import string
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.link.envelope import DirectorNotice
from appliance.link.sighting import (
    MAX_LINE_BYTES,
    MAX_TXT_BYTES,
    BadSighting,
    Sighting,
    from_line,
    from_txt,
    instance,
    to_line,
    to_txt,
)

IDS = st.text(string.ascii_lowercase + string.digits + "-", min_size=1, max_size=32)
HEX = "0123456789abcdef"
NOTICES = st.builds(
    DirectorNotice,
    device=IDS,
    epoch=st.builds(
        lambda n, journal: f"{n}-{journal}", st.integers(1, 999_999_999), st.text(HEX, min_size=16, max_size=16)
    ),
    key=st.one_of(st.just(""), st.text(HEX, min_size=64, max_size=64)),
    venue=IDS,
    signature=st.binary(max_size=64),
    gathering=st.booleans(),
)
HOSTS = st.one_of(st.ip_addresses().map(str), st.from_regex(r"\A[a-z]([a-z0-9-]{0,20}[a-z0-9])?(\.[a-z]{2,9})?\Z"))
SIGHTINGS = st.builds(Sighting, host=HOSTS, port=st.integers(1, 65535), notice=NOTICES)
NOTICE = DirectorNotice("d1", "3-00c0ffee00c0ffee", "ab" * 32, "brno", bytes(64))


def txt(notice: DirectorNotice) -> dict[bytes, bytes | None]:
    return {key.encode(): value.encode() for key, value in to_txt(notice).items()}


@given(SIGHTINGS)
def test_a_sighting_comes_back_from_its_line(sighting: Sighting) -> None:
    line = to_line(sighting)
    assert b"\n" not in line and len(line) <= MAX_LINE_BYTES
    assert from_line(line) == sighting


@given(NOTICES)
def test_a_notice_comes_back_from_its_txt_record_of_small_entries(notice: DirectorNotice) -> None:
    entries = txt(notice)
    assert all(len(key) + 1 + len(value or b"") <= MAX_TXT_BYTES for key, value in entries.items())
    assert from_txt(entries) == notice


@given(NOTICES)
def test_a_services_name_is_one_label_that_ends_with_the_device(notice: DirectorNotice) -> None:
    assert len(instance(notice)) <= 63
    assert instance(notice).endswith(f"-{notice.device}")


@given(NOTICES, st.dictionaries(st.text(string.ascii_lowercase, min_size=1, max_size=9), st.text(max_size=9)))
def test_what_a_later_version_says_more_is_ignored(notice: DirectorNotice, more: dict[str, str]) -> None:
    known = set(DirectorNotice.__struct_fields__)
    later = {key.encode(): value.encode() for key, value in more.items() if key not in known}
    ascii_alone = {key: value for key, value in later.items() if value.isascii()}
    assert from_txt({**ascii_alone, **txt(notice)}) == notice
    line = json.loads(to_line(Sighting("10.0.0.1", 1883, notice)))
    assert from_line(json.dumps({**more, **line}).encode()).notice == notice


def test_case_of_keys_means_nothing() -> None:  # RFC 6763, 6.4
    assert from_txt({key.upper(): value for key, value in txt(NOTICE).items()}) == NOTICE


@given(st.binary(max_size=300))
def test_bytes_that_are_no_line_are_told_apart(line: bytes) -> None:
    with pytest.raises(BadSighting):
        from_line(line)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(["host", "port", "notice"]), JSON)
def test_a_line_with_one_thing_replaced_is_a_sighting_or_told_apart(place: str, value: Any) -> None:
    line = {**json.loads(to_line(Sighting("10.0.0.1", 1883, NOTICE))), place: value}
    try:
        read = from_line(json.dumps(line).encode())
    except BadSighting:
        return
    assert from_line(to_line(read)) == read
    assert place == "host" or (place == "port" and read.port == value)


@given(st.dictionaries(st.binary(max_size=12), st.none() | st.binary(max_size=80), max_size=8))
def test_entries_that_are_no_notice_are_told_apart(entries: dict[bytes, bytes | None]) -> None:
    with pytest.raises(BadSighting):
        from_txt(entries)


@given(st.sampled_from(DirectorNotice.__struct_fields__), st.none() | st.binary(max_size=200))
def test_a_record_with_one_entry_replaced_is_a_notice_or_told_apart(key: str, value: bytes | None) -> None:
    try:
        read = from_txt({**txt(NOTICE), key.encode(): value})
    except BadSighting:
        return
    assert from_txt(txt(read)) == read


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{}",
        b"[" * 4000,
        b"x" * (MAX_LINE_BYTES + 1),
        to_line(Sighting("10.0.0.1", 1883, NOTICE)).replace(b"10.0.0.1", b"10.0.0.1 or so"),
        to_line(Sighting("10.0.0.1", 1883, NOTICE)).replace(b"1883", b"0"),
        to_line(Sighting("10.0.0.1", 1883, NOTICE)).replace(b"1883", b"65536"),
        to_line(Sighting("10.0.0.1", 1883, NOTICE)).replace(b"3-00c0", b"0-00c0"),
        to_line(Sighting("10.0.0.1", 1883, msgspec.structs.replace(NOTICE, venue="Brno"))),
    ],
)
def test_lines_that_nearly_are_sightings_are_told_apart(line: bytes) -> None:
    with pytest.raises(BadSighting):
        from_line(line)


def test_a_record_of_a_thousand_entries_is_not_read() -> None:
    with pytest.raises(BadSighting, match="1000"):
        from_txt({**{str(n).encode(): b"" for n in range(1000 - len(txt(NOTICE)))}, **txt(NOTICE)})
