"""The desk's ledger: what was done is on the disk, and half a line never happened."""

from __future__ import annotations

import errno
import json
import os
import resource
from datetime import date
from pathlib import Path

import pytest

from appliance.cards.ledgerline import MAX_LINE_BYTES, BadEntry, decode
from appliance.desk.ledger import LedgerError, opened

CARD = {"uid": "04958CAA5C5E80", "participant": "000101", "serial": 1, "issued": date(2027, 3, 1), "key_version": 1}


def test_what_was_written_is_there_the_next_time(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    with opened(path, "Věra") as ledger:
        ledger.write("begun", **CARD)
        ledger.write("issued", **CARD)
    assert path.stat().st_mode & 0o777 == 0o600
    with opened(path, "Jiří") as ledger:
        assert ledger.book.cards["04958CAA5C5E80"].state == "valid"
        assert ledger.book.last_serial == 1
        ledger.withdraw(ledger.book.cards["04958CAA5C5E80"], "stolen")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [(line["who"], line["what"]) for line in lines] == [
        ("Věra", "begun"), ("Věra", "issued"), ("Jiří", "withdrawn"),
    ]  # fmt: skip


def test_half_a_line_never_happened_and_does_not_spoil_the_next(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    with opened(path, "tester") as ledger:
        ledger.write("begun", **CARD)
        whole = path.read_bytes()
        ledger.write("issued", **CARD)
    both = path.read_bytes()
    for end in range(len(whole), len(both)):
        path.write_bytes(both[:end])
        with opened(path, "tester") as ledger:
            assert ledger.book.cards["04958CAA5C5E80"].state == "begun"
            ledger.write("wiped", uid=CARD["uid"])
        with opened(path, "tester") as ledger:
            assert ledger.book.cards["04958CAA5C5E80"].state == "wiped"


def test_a_broken_line_in_the_middle_is_named_and_nothing_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    with opened(path, "tester") as ledger:
        ledger.write("begun", **CARD)
    path.write_bytes(b'{"what":"issued"}\n' + path.read_bytes())
    before = path.read_bytes()
    with pytest.raises(LedgerError, match="line 1"), opened(path, "tester"):
        pass
    assert path.read_bytes() == before


def test_two_desks_do_not_write_one_ledger(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    with opened(path, "one"), pytest.raises(LedgerError, match="another desk"), opened(path, "two"):
        pass


def test_a_full_disk_is_said_and_leaves_no_half_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_file: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "ledger.jsonl"
    with opened(path, "tester") as ledger:
        ledger.write("begun", **CARD)
        whole = path.read_bytes()
        with monkeypatch.context() as patch, pytest.raises(LedgerError, match="No space left"):
            patch.setattr(os, "fsync", full)
            ledger.write("issued", **CARD)
        assert path.read_bytes() == whole
        ledger.write("issued", **CARD)
        assert path.read_bytes().count(b"\n") == 2


def test_a_disk_with_room_for_half_a_line_takes_none_of_it(tmp_path: Path) -> None:
    """The system then writes half and says so; nobody may take that for a line that is kept."""
    path = tmp_path / "ledger.jsonl"
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with opened(path, "tester") as ledger:
        ledger.write("begun", **CARD)
        whole = path.read_bytes()
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) + 40, limits[1]))
            with pytest.raises(LedgerError, match="File too large"):
                ledger.write("issued", **CARD)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert path.read_bytes() == whole and ledger.book.cards["04958CAA5C5E80"].state == "begun"
        ledger.write("issued", **CARD)
    with opened(path, "tester") as ledger:
        assert ledger.book.cards["04958CAA5C5E80"].state == "valid"


@pytest.mark.parametrize("path", [Path("/dev/full"), Path("/dev/zero"), Path("/nowhere/ledger"), Path("/tmp")])
def test_what_is_no_file_is_no_ledger(path: Path) -> None:
    with pytest.raises(LedgerError, match=str(path)), opened(path, "tester"):
        pass


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{}",
        b"\xff",
        b"[" * 4000,
        b"x" * (MAX_LINE_BYTES + 1),
        b'{"id":"%s","at":"2027-03-01T09:00:00"}' % (b"0" * 32),
    ],
)
def test_what_is_no_line_of_a_ledger_is_said_so(line: bytes) -> None:
    with pytest.raises(BadEntry):
        decode(line)


def test_what_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    for who, fields in (("x" * 201, CARD), ("tester", CARD | {"uid": "04"}), ("tester", CARD | {"serial": 1 << 32})):
        with pytest.raises(LedgerError, match="cannot be written down"), opened(path, who) as ledger:
            ledger.write("issued", **fields)
    assert path.read_bytes() == b""
