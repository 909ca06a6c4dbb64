"""Birth numbers, and whether they prove an adult: the synthetic ones, with the day given."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.people.birth_number import BadBirthNumber, Doubt, Fault, adult_from, is_adult, read

DAY = date(2072, 6, 15)
NEW_YEAR = date(2071, 1, 2)


@pytest.mark.parametrize(
    ("number", "born"),
    [
        ("500307/9994", date(2050, 3, 7)),
        ("505307/9999", date(2050, 3, 7)),
        ("513130/9997", date(2051, 11, 30)),
        ("518130/9991", date(2051, 11, 30)),
        ("520229/9993", date(2052, 2, 29)),
        ("000101/999", date(1900, 1, 1)),
        ("540101/9900", date(1954, 1, 1)),
        ("530101/000", date(1953, 1, 1)),
    ],
)
def test_LG_4_a_birth_number_says_when_somebody_was_born_and_proves_an_adult(number: str, born: date) -> None:
    read_back = read(number)
    assert (read_back.born, read_back.doubt(DAY), str(read_back)) == (born, None, number)
    assert read(number.replace("/", "")) == read(f" {number} ") == read_back


@pytest.mark.parametrize(
    ("number", "doubt"),
    [("535101/9993", None), ("535102/9992", None), ("535103/9991", Doubt.UNDER_AGE)],
)
def test_LG_4_somebody_is_eighteen_on_the_very_day(number: str, doubt: Doubt | None) -> None:
    assert read(number).doubt(NEW_YEAR) == doubt


def test_LG_4_a_day_that_has_not_come_proves_nothing() -> None:
    """The numbers of who was born in 1950 with ten digits look like those of 2050."""
    assert read("500307/9994").doubt(date(2026, 11, 30)) == Doubt.FUTURE


def test_LG_4_born_on_the_29th_of_February_somebody_is_eighteen_on_the_1st_of_March() -> None:
    born = read("520229/9993").born
    assert adult_from(born) == date(2070, 3, 1)
    assert not is_adult(born, date(2070, 2, 28)) and is_adult(born, date(2070, 3, 1))


@pytest.mark.parametrize(("number", "doubt"), [("540101/9900", None), ("860101/9890", Doubt.REMAINDER)])
def test_a_remainder_of_ten_is_taken_up_to_1985_and_borne_out_by_a_document_later(
    number: str, doubt: Doubt | None
) -> None:
    assert int(number.replace("/", "")[:9]) % 11 == 10
    assert read(number).doubt(DAY) == doubt


@pytest.mark.parametrize(
    ("number", "fault"),
    [
        ("500307/9995", Fault.CHECK_DIGIT),
        ("", Fault.FORM),
        ("500307-9994", Fault.FORM),
        ("50030/79994", Fault.FORM),
        ("5003079994/", Fault.FORM),
        ("٥٠٠٣٠٧/9994", Fault.FORM),
        ("500307/99944", Fault.FORM),
        ("500307/9994\n500307/9994", Fault.FORM),
        ("540101/999", Fault.DATE),  # nine digits ended with 1953
        ("002101/999", Fault.DATE),  # +20 is of ten digits only
        ("510230/9990", Fault.DATE),
        ("510031/9990", Fault.DATE),
        ("511301/9990", Fault.DATE),
    ],
)
def test_what_is_no_birth_number_is_told_apart(number: str, fault: Fault) -> None:
    with pytest.raises(BadBirthNumber) as caught:
        read(number)
    assert caught.value.fault == fault


@pytest.mark.parametrize("month", ["00", "13", "20", "33", "41", "49", "50", "63", "70", "83", "91", "99"])
def test_no_other_month_is_taken(month: str) -> None:
    first = f"51{month}01999"
    with pytest.raises(BadBirthNumber) as caught:
        read(first + str(int(first) % 11 % 10))
    assert caught.value.fault == Fault.DATE


@pytest.mark.parametrize("year", ["54", "85", "99", "00", "03"])
@pytest.mark.parametrize("month", ["21", "32", "71", "82"])
def test_twenty_and_seventy_came_in_2004(year: str, month: str) -> None:
    first = f"{year}{month}01999"
    with pytest.raises(BadBirthNumber) as caught:
        read(first + str(int(first) % 11 % 10))
    assert caught.value.fault == Fault.DATE
    later = f"04{month}01999"
    assert read(later + str(int(later) % 11 % 10)).born.year == 2004


@given(st.dates(date(1954, 1, 1), date(2053, 12, 31)), st.integers(0, 999), st.booleans())
def test_every_number_made_for_a_day_says_that_day_and_no_other_last_digit_will_do(
    born: date, serial: int, woman: bool
) -> None:
    first = f"{born.year % 100:02}{born.month + 50 * woman:02}{born.day:02}{serial:03}"
    last = int(first) % 11 % 10
    assert read(f"{first}{last}").born == born
    for wrong in set(range(10)) - {last}:
        with pytest.raises(BadBirthNumber):
            read(f"{first}{wrong}")
