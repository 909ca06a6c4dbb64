"""Phones' keys outlive the director's program, and no count that was taken before counts again."""

from __future__ import annotations

import json
import logging
import stat
from pathlib import Path

import pytest

from appliance.console.kept import AHEAD, FILE, Kept

ONE, TWO = "00000000000000a1", "00000000000000b2"
KEY, OTHER = bytes(range(32)), bytes(32)


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    found = Kept(tmp_path)
    found.hold(ONE, KEY)
    found.keep(ONE)
    return found


def test_keys_of_phones_that_are_signed_in_are_there_after_a_restart(kept: Kept, tmp_path: Path) -> None:
    kept.hold(TWO, OTHER)
    again = Kept(tmp_path)
    assert again.key(ONE) == KEY and again.has(ONE)
    assert again.key(TWO) is None, "its picture is shown no more"


def test_after_a_restart_no_count_counts_again(kept: Kept, tmp_path: Path) -> None:
    assert kept.take(ONE, 3) and kept.take(ONE, AHEAD - 1)
    again = Kept(tmp_path)
    assert not any(again.take(ONE, count) for count in (1, 3, 4, AHEAD - 1, AHEAD))
    assert again.take(ONE, again.high(ONE) + 1)


def test_a_count_beyond_the_mark_is_written_before_it_is_taken(kept: Kept, tmp_path: Path) -> None:
    assert kept.take(ONE, 5 * AHEAD)
    assert not Kept(tmp_path).take(ONE, 5 * AHEAD)


def test_few_requests_write(kept: Kept, tmp_path: Path) -> None:
    before = (tmp_path / FILE).stat().st_ino
    assert all(kept.take(ONE, count) for count in range(1, AHEAD))
    assert (tmp_path / FILE).stat().st_ino == before


def test_counts_of_the_time_before_it_was_signed_in_are_taken(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    kept.hold(ONE, KEY)
    assert kept.take(ONE, 2) and not kept.take(ONE, 2)
    kept.keep(ONE)
    assert not kept.take(ONE, 2)
    kept.hold(ONE, OTHER)
    assert kept.key(ONE) == KEY and not kept.take(ONE, 2), "an offer that comes again begins no new counts"


def test_who_is_cut_off_stands_in_no_file(kept: Kept, tmp_path: Path) -> None:
    kept.retain(set(), {ONE})
    assert KEY.hex() not in (tmp_path / FILE).read_text()
    assert kept.key(ONE) == KEY and not kept.has(ONE), "it is still told why it may nothing"
    kept.retain(set(), set())
    assert kept.key(ONE) is None and not kept.take(ONE, 9)


def test_the_file_is_for_its_owner_alone(kept: Kept, tmp_path: Path) -> None:
    file = tmp_path / FILE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.chmod(0o644)
    kept.hold(TWO, OTHER)
    kept.keep(TWO)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("junk", [b"", b"nonsense", b'{"phones": [{"session": "a1"}]}', b"\xff\xfe"])
def test_a_file_that_cannot_be_read_has_phones_signed_in_anew(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, junk: bytes
) -> None:
    (tmp_path / FILE).write_bytes(junk)
    with caplog.at_level(logging.ERROR):
        kept = Kept(tmp_path)
    assert FILE in caplog.text and kept.key(ONE) is None
    kept.hold(ONE, KEY)
    kept.keep(ONE)
    assert Kept(tmp_path).key(ONE) == KEY


def test_no_phone_is_signed_in_whose_key_the_disk_refuses(kept: Kept, tmp_path: Path) -> None:
    kept.hold(TWO, OTHER)
    (tmp_path / "phones.json.new").mkdir()
    with pytest.raises(OSError):
        kept.keep(TWO)
    assert not kept.has(TWO)
    (tmp_path / "phones.json.new").rmdir()
    assert [each["session"] for each in json.loads((tmp_path / FILE).read_bytes())["phones"]] == [ONE]


def test_a_full_disk_keeps_nobody_out_who_is_signed_in(
    kept: Kept, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "phones.json.new").mkdir()
    with caplog.at_level(logging.ERROR):
        assert kept.take(ONE, AHEAD + 1) and not kept.take(ONE, AHEAD + 1)
    assert "not up to date" in caplog.text and KEY.hex() not in caplog.text
