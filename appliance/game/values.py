"""The small values that commands, events and state share, and how they are written in JSON."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Annotated, NamedTuple

from msgspec import Meta

MAX_AMOUNT = 10**12
"""No amount of crowns or chips is larger; beyond it a number is a slip of the keyboard."""

Participant = Annotated[str, Meta(pattern=r"\A[0-9]{1,12}\Z")]
"""A registration number, as a string: leading zeros are part of it."""

RoundId = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")]
VenueId = Annotated[str, Meta(pattern=r"\A[a-z0-9-]{1,32}\Z")]
Text = Annotated[str, Meta(max_length=500)]
Amount = Annotated[int, Meta(ge=0, le=MAX_AMOUNT)]
PositiveAmount = Annotated[int, Meta(ge=1, le=MAX_AMOUNT)]
TableNumber = Annotated[int, Meta(ge=1, le=999)]
SeatNumber = Annotated[int, Meta(ge=1, le=99)]
Total = Annotated[int, Meta(ge=0, le=1000 * MAX_AMOUNT)]
"""A sum of amounts as events carry it: the chips of a table, of a counted stack with what was bought on top."""

Count = Annotated[int, Meta(ge=0, le=MAX_AMOUNT)]
"""How many, or which one, where nothing narrower is known."""

Ordinal = Annotated[int, Meta(ge=1, le=MAX_AMOUNT)]
"""Which one, counted from 1: a level, a hand, a draw."""

Share = Annotated[str, Meta(pattern=r"\A[0-9]{1,3}(\.[0-9]{1,6})?\Z")]
"""A share of the pool in percent, as a decimal string: "50", "33.33"."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_END_OF_TIME = (datetime(2200, 1, 1, tzinfo=UTC) - _EPOCH) // _MILLISECOND  # no screen's calendar has to go further
_LAST_MOMENT = (datetime(2300, 1, 1, tzinfo=UTC) - _EPOCH) // _MILLISECOND  # a clock set in 2199 ends after it
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d{1,6})?)?(Z|[+-]\d{2}(:?\d{2})?)", re.ASCII)


Moment = Annotated[int, Meta(ge=0, le=_LAST_MOMENT)]
"""UTC milliseconds in an event, within what calendars and databases can show."""

Duration = Annotated[int, Meta(ge=0, le=366 * 86_400_000)]
"""Milliseconds of a level or a break, or what is left of them."""


def is_moment(at_ms: int) -> bool:
    """Whether these UTC milliseconds are a time that can be shown, as `Moment` has it."""
    return 0 <= at_ms <= _LAST_MOMENT


class Seat(NamedTuple):
    """A place to sit: ``[table, seat]``, seats numbered clockwise from 1."""

    table: TableNumber
    seat: SeatNumber


def parse_time(text: str) -> int:
    """UTC milliseconds of an ISO 8601 time with offset; a finer part is cut off. Raises ValueError."""
    if not _TIME.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is no ISO 8601 time with offset")
    moment = (datetime.fromisoformat(text) - _EPOCH) // _MILLISECOND
    if moment < 0:
        raise ValueError(f"{text[:40]!r} is before 1970")
    if moment >= _END_OF_TIME:
        raise ValueError(f"{text[:40]!r} is after 2199")
    return moment


def time_text(at_ms: int) -> str:
    """UTC milliseconds as ISO 8601, as `parse_time` reads it: ``2027-01-15T18:00:00.000Z``."""
    return f"{(_EPOCH + at_ms * _MILLISECOND).replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"


def registration_order(participant: str) -> tuple[int, int, str]:
    """Sort key of "lower registration number" (T-7): by number, then by its way of writing."""
    return (int(participant), len(participant), participant)
