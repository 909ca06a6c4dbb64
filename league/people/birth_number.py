"""Birth numbers (*rodné číslo*), as act 133/2000 has them and as they are really found: pure, the day is given.

``YYMMDD/XXX``, nine digits: born up to 1953, without a check digit. Ten digits: the first nine modulo 11 are the last
one. The month says man, woman (+50) and since 2004 that a day's numbers had run out (+20, +70).
"""

from __future__ import annotations

import re
from datetime import date
from enum import StrEnum
from typing import NamedTuple

ADULT = 18
"""Years that a participant must have (LG-4)."""

_WRITTEN = re.compile(r"[0-9]{6}\s*/?\s*[0-9]{3,4}", re.ASCII)


class Fault(StrEnum):
    """Why what was typed is no birth number."""

    FORM = "form"
    DATE = "date"
    CHECK_DIGIT = "check-digit"


class Doubt(StrEnum):
    """Why a birth number does not prove the age by itself: a document must."""

    REMAINDER = "remainder"
    FUTURE = "future"
    UNDER_AGE = "under-age"


class BadBirthNumber(ValueError):
    """It is no birth number; ``fault`` says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.value)
        self.fault = fault


class BirthNumber(NamedTuple):
    """``digits``: without the slash. ``born``: the day that it says."""

    digits: str
    born: date

    def doubt(self, today: date) -> Doubt | None:
        """What keeps this number from proving an adult on this day, or None."""
        if self.born > today:
            return Doubt.FUTURE
        if len(self.digits) == 10 and self.born.year > 1985 and int(self.digits[:9]) % 11 == 10:
            return Doubt.REMAINDER
        return None if is_adult(self.born, today) else Doubt.UNDER_AGE

    def __str__(self) -> str:
        return f"{self.digits[:6]}/{self.digits[6:]}"


def read(text: str) -> BirthNumber:
    """What was typed, with or without the slash. Raises `BadBirthNumber`."""
    if not _WRITTEN.fullmatch(text.strip()):
        raise BadBirthNumber(Fault.FORM)
    digits = re.sub(r"[^0-9]", "", text)
    born = _born(digits)
    if len(digits) == 10:
        remainder = int(digits[:9]) % 11
        # a remainder of 10 was written as 0: legally up to 1985, and a document must bear out a later one
        if remainder % 10 != int(digits[9]):
            raise BadBirthNumber(Fault.CHECK_DIGIT)
    return BirthNumber(digits, born)


def is_adult(born: date, today: date) -> bool:
    """Whether somebody born then is 18 (LG-4). Born on 29 February: from 1 March on."""
    return today >= adult_from(born)


def adult_from(born: date) -> date:
    """The day on which somebody becomes 18."""
    try:
        return born.replace(year=born.year + ADULT)
    except ValueError:
        return date(born.year + ADULT, 3, 1)


def _born(digits: str) -> date:
    year, written, day = int(digits[:2]), int(digits[2:4]), int(digits[4:6])
    if len(digits) == 9:
        if year > 53:
            raise BadBirthNumber(Fault.DATE)
        year += 1900
    else:
        year += 1900 if year >= 54 else 2000
    month = written - 50 if written > 50 else written
    if month > 20 and year >= 2004 and len(digits) == 10:
        month -= 20
    try:
        return date(year, month, day)
    except ValueError:
        raise BadBirthNumber(Fault.DATE) from None


__all__ = ["BadBirthNumber", "BirthNumber", "Doubt", "Fault", "adult_from", "is_adult", "read"]
