"""The highest counters seen, on the disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.cards.counters import LAST, Counters, CountersError


def test_counter_only_rises_and_is_there_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "counters"
    with Counters(path) as counters:
        assert counters.highest("04A1") is None
        assert [counters.rise("04A1", n) for n in (0, 5, 5, 4, 6)] == [True, True, False, False, True]
        assert counters.rise("04A2", LAST)
    with Counters(path) as counters:
        assert (counters.highest("04A1"), counters.highest("04A2")) == (6, LAST)
        assert not counters.rise("04A1", 6)


def test_two_programs_keep_the_higher_one(tmp_path: Path) -> None:
    path = tmp_path / "counters"
    with Counters(path) as one, Counters(path) as other:
        assert one.rise("04A1", 9)
        assert not other.rise("04A1", 8)
        assert other.highest("04A1") == 9


def test_kept_counter_survives_a_power_cut(tmp_path: Path) -> None:
    """The files as they are the moment after are what a cut would leave."""
    with Counters(tmp_path / "counters") as counters:
        counters.rise("04A1", 7)
        for file in tmp_path.iterdir():
            (tmp_path / f"cut-{file.name}").write_bytes(file.read_bytes())
    (tmp_path / "cut-counters-shm").unlink(missing_ok=True)
    with Counters(tmp_path / "cut-counters") as again:
        assert again.highest("04A1") == 7


def test_damaged_file_is_told_of_and_not_taken_for_an_empty_one(tmp_path: Path) -> None:
    path = tmp_path / "counters"
    path.write_bytes(b"not a database at all, but long enough to be taken for one" * 100)
    with pytest.raises(CountersError):
        Counters(path)
    with pytest.raises(CountersError):
        Counters(tmp_path / "no" / "folder")


def test_closed_counters_say_so(tmp_path: Path) -> None:
    counters = Counters(tmp_path / "counters")
    counters.close()
    with pytest.raises(CountersError):
        counters.highest("04A1")
    with pytest.raises(CountersError):
        counters.rise("04A1", 1)


@pytest.mark.parametrize("counter", [-1, LAST + 1])
def test_counter_has_three_bytes(tmp_path: Path, counter: int) -> None:
    with Counters(tmp_path / "counters") as counters, pytest.raises(ValueError):
        counters.rise("04A1", counter)


def test_a_chip_issued_anew_counts_from_zero_under_its_new_serial_number(tmp_path: Path) -> None:
    with Counters(tmp_path / "counters") as counters:
        assert counters.rise("04A1", 40, serial=7)
        assert counters.highest("04A1", serial=8) is None
        assert counters.rise("04A1", 0, serial=8)
        assert not counters.rise("04A1", 40, serial=7)
