"""What people type about rounds, read as they mean it: structures row by row, shares, numbers (CK-1, T-5)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest
from django.core.exceptions import ValidationError
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from appliance.game.commands import StructureEntry
from league.rounds.levels import COLUMNS, MOST_ROWS, of_levels, typed
from league.rounds.shares import read_numbers, read_shares, shares_text


def rows(*rows: tuple[str, ...]) -> QueryDict:
    """A form with these rows: sb, bb, ante, minutes, pause."""
    data = QueryDict(mutable=True)
    for name, values in zip(COLUMNS, zip(*rows, strict=True), strict=True):
        data.setlist(name, list(values))
    return data


def test_CK_1_a_level_a_break_and_rows_that_are_empty() -> None:
    read = typed(
        rows(("25", "50", "", "20", ""), ("",) * 5, ("", "", "", "", "10"), ("1 000", "2\u00a0000", "5", "9", ""))
    )
    assert read.errors == []
    assert read.levels == [
        {"sb": 25, "bb": 50, "minutes": 20}, {"break": 10}, {"sb": 1000, "bb": 2000, "minutes": 9, "ante": 5},
    ]  # fmt: skip
    assert [row.number for row in read.rows] == [1, None, None, 2]


@pytest.mark.parametrize(
    "row",
    [
        ("25", "", "", "20", ""), ("", "50", "", "20", ""), ("25", "50", "", "", ""), ("25", "50", "", "20", "5"),
        ("", "", "", "", "0"), ("", "", "", "", "1441"), ("25", "50", "", "0", ""), ("0", "0", "", "20", ""),
        ("60", "50", "", "20", ""), ("x", "50", "", "20", ""), ("-1", "50", "", "20", ""), ("٢", "50", "", "20", ""),
        ("25", "50", "1.5", "20", ""), ("99999999999", "99999999999", "", "20", ""),
    ],
)  # fmt: skip
def test_CK_1_what_is_no_level_and_no_break_is_named_by_its_row(row: tuple[str, ...]) -> None:
    read = typed(rows(("25", "50", "", "20", ""), row))
    assert [place for place, why in read.errors if str(why)] == [2]


def level(bb: int, sb: int, ante: int, minutes: int) -> dict[str, int]:
    made = {"sb": sb % (bb + 1), "bb": bb, "minutes": minutes}
    return made | {"ante": ante} if ante else made


BLIND, MINUTES = st.integers(1, 10**9), st.integers(1, 1440)
ENTRY = st.fixed_dictionaries({"break": MINUTES}) | st.builds(level, BLIND, BLIND, st.integers(0, 1000), MINUTES)


@given(st.lists(ENTRY, max_size=30))
def test_CK_1_a_structure_comes_back_as_it_was_shown(levels: list[dict[str, Any]]) -> None:
    shown = of_levels(levels)
    data = rows(*(tuple(value for _, value in row.cells) for row in shown.rows)) if levels else QueryDict()
    assert typed(data).levels == levels
    assert len(msgspec.convert(levels, list[StructureEntry])) == len(levels)


def test_more_rows_than_an_announcement_has_are_not_read() -> None:
    read = typed(rows(*[("25", "50", "", "20", "")] * 500))
    assert len(read.levels) == MOST_ROWS
    assert len(read.with_rows(5).rows) == MOST_ROWS


@pytest.mark.parametrize(
    ("text", "shares"),
    [
        ("50 30 20", ["50", "30", "20"]), ("50, 30, 20", ["50", "30", "20"]), ("50;30;20", ["50", "30", "20"]),
        ("50,30,20", ["50", "30", "20"]), ("50 % / 30 % / 20 %", ["50", "30", "20"]), ("100", ["100"]),
        ("66,67 33,33", ["66.67", "33.33"]), ("33.34;33.33;33.33", ["33.34", "33.33", "33.33"]),
        ("50\n30\n20\n", ["50", "30", "20"]),
    ],
)  # fmt: skip
def test_T_5_shares_are_read_as_they_are_typed(text: str, shares: list[str]) -> None:
    assert read_shares(text) == shares
    assert read_shares(shares_text(shares)) == shares
    assert sum(map(Fraction, shares)) == 100


@pytest.mark.parametrize(
    "text",
    [
        "",
        "50 30",
        "50 x 50",
        "0 100",
        "101",
        "-50 150",
        "1e2",
        "50 50.0000001",
        "10 " * 91,
        "100 0",
        "٥٠ 50",
        "33.3 33.3 33.3",
    ],
)
def test_T_5_what_are_no_shares_is_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        read_shares(text)


def test_numbers_and_ranges() -> None:
    assert read_numbers("1-3, 8 10–11") == [1, 2, 3, 8, 10, 11]
    assert read_numbers("") == []
    for wrong in ("0", "3-1", "1 1", "1-2 2", "x", "1000", "1-999", "--", "1-"):
        with pytest.raises(ValidationError):
            read_numbers(wrong)
