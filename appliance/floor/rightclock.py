"""A commissioner confirms the time, or sets it, where nobody else vouches for it (DESIGN §3)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from appliance.floor.forms import Action, Field, Filled, Here
from appliance.floor.said import Moment, Said, Text
from appliance.i18n import N_

_HERE = ZoneInfo("Europe/Prague")
_MIDNIGHT = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_MS = 7_258_118_400_000  # 2200
_SET = ("what", ("set",))


def _part(name: str, label: str, least: int, most: int) -> Field:
    return Field(name=name, label=label, kind="number", unit="number", least=least, most=most, when=_SET)


ACTIONS: tuple[Action, ...] = (
    Action(
        id="confirm_time", label=N_("Confirm the time"), group="time", request="confirm-time",
        fields=(
            Field(
                name="what", label=N_("Is this the right time?"), kind="choice",
                choices=(("right", N_("Yes, it is right")), ("set", N_("No, set it"))),
            ),
            _part("hour", N_("Hour"), 0, 23), _part("minute", N_("Minute"), 0, 59), _part("day", N_("Day"), 1, 31),
            _part("month", N_("Month"), 1, 12), _part("year", N_("Year"), 2025, 2199),
        ),
        sentence=N_("It is {moment} now. Deposits and times of day go by it; no clock of a round is changed."),
    ),
)  # fmt: skip


def local(here: Here) -> datetime:
    """What the time is here, as far as anybody knows."""
    return _at(here.times.right(here.at_ms))


def fields(here: Here, action: Action, filled: Filled) -> tuple[Field, ...]:
    """The form: what it is now is shown first, and what to set begins there."""
    now = local(here)
    values = {"hour": now.hour, "minute": now.minute, "day": now.day, "month": now.month, "year": now.year}
    shown = (Said(N_("Here it is {moment}."), {"moment": _running(here)}),)
    return tuple(
        replace(field, above=shown) if field.name == "what" else replace(field, default=values[field.name])
        for field in action.fields
        if field.when is None or filled.get("what") == "set"
    )


def told(here: Here, filled: Filled) -> Mapping[str, Text]:
    """For the sentence: what the time will be."""
    if filled.get("what") != "set":
        return {"moment": _running(here)}
    return {"moment": Moment(_at(right_ms(here, filled)).replace(second=0, microsecond=0))}


def right_ms(here: Here, filled: Filled) -> int:
    """The right time now (UTC ms) by the answers; a day that its month has not is the last that it has."""
    if filled.get("what") != "set":
        return here.times.right(here.at_ms)
    now = local(here)
    from calendar import monthrange  # not before: a kiosk that is never asked saves 0.3 MB

    hour, minute, day, month, year = (_number(filled, name, getattr(now, name)) for name in _PARTS)
    day = min(day, monthrange(year, month)[1])
    set_to = datetime(year, month, day, hour, minute, now.second, tzinfo=_HERE)
    return round(set_to.astimezone(UTC).timestamp()) * 1000


def _running(here: Here) -> Moment:
    """The time here, as it goes on by itself."""
    right = here.times.right(here.at_ms)
    return Moment(_at(right).replace(second=0, microsecond=0), runs=right - here.at_ms)


_PARTS = ("hour", "minute", "day", "month", "year")


def _at(at_ms: int) -> datetime:
    return (_MIDNIGHT + timedelta(milliseconds=min(max(at_ms, 0), _LAST_MS))).astimezone(_HERE)


def _number(filled: Filled, name: str, otherwise: int) -> int:
    value = filled.get(name)
    return value if isinstance(value, int) else otherwise
