"""What the cells of a file say: days, yes and no, whole numbers, points."""

from __future__ import annotations

import re
from datetime import date, datetime, time
from fractions import Fraction

from django.utils import timezone

from league.privacy.marks import fold

_YES = {"ano", "a", "x", "yes", "y", "1", "true", "pravda"}
_NO = {"", "ne", "n", "no", "0", "false", "nepravda"}
_CZECH_DAY = re.compile(r"([0-9]{1,2})\.\s*([0-9]{1,2})\.\s*([0-9]{4})", re.ASCII)
_TIME = re.compile(r"([0-9]{1,2})[:.]([0-9]{2})(?:[:.]([0-9]{2}))?", re.ASCII)
_WHOLE = re.compile(r"[0-9]{1,9}", re.ASCII)
_POINTS = re.compile(r"([0-9]{1,7})(?:[.,]([05])0*)?", re.ASCII)


def day(text: str) -> date:
    """``2027-02-05`` or ``5. 2. 2027``. Raises ValueError."""
    found = _CZECH_DAY.fullmatch(text)
    if found:
        return date(int(found[3]), int(found[2]), int(found[1]))
    return date.fromisoformat(text)


def moment(text: str) -> datetime:
    """A day (its beginning in the league's time zone) or a time in ISO 8601. Raises ValueError."""
    try:
        return at(day(text))
    except ValueError:
        found = datetime.fromisoformat(text)
    return found if timezone.is_aware(found) else timezone.make_aware(found)


def at(of: date, text: str = "") -> datetime:
    """A day at a time of day like ``19:00``; without one its beginning. Raises ValueError."""
    hour = time.min
    if text:
        found = _TIME.fullmatch(text)
        if not found:
            raise ValueError(text)
        hour = time(int(found[1]), int(found[2]), int(found[3] or 0))
    return timezone.make_aware(datetime.combine(of, hour))


def yes(text: str) -> bool:
    """Raises ValueError for what is neither yes nor no."""
    word = fold(text)
    if word in _YES:
        return True
    if word in _NO and (word or not text):
        return False
    raise ValueError(text)


def whole(text: str) -> int:
    """A whole number of plain digits, spaces between thousands and ``Kč`` aside. Raises ValueError."""
    plain = re.sub(r"[\s\u00a0\u202f]", "", text.replace("Kč", "").replace("CZK", ""))
    if not _WHOLE.fullmatch(plain):
        raise ValueError(text)
    return int(plain)


def half_points(text: str) -> int:
    """Points in halves: ``97,5`` is 195. Raises ValueError."""
    found = _POINTS.fullmatch(text.replace(" ", ""))
    if not found:
        raise ValueError(text)
    return int(2 * (int(found[1]) + Fraction(int(found[2] or 0), 10)))
