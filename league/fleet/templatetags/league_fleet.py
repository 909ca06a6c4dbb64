"""How a device stands, in words."""

from __future__ import annotations

from django import template
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

from appliance import power

register = template.Library()

# codes as devices send them: no part of the hardware is imported here; a test holds them together
_READERS = {
    "no-service": _("the service of readers does not answer"),
    "no-reader": _("is not plugged in"),
    "failed": _("does not work"),
    "no-answer": _("says nothing"),
    "library-missing": _("its library is missing"),
}

_POWER = {
    power.OK: _("enough"),
    power.UNDERVOLTAGE: _("too little voltage"),
    power.THROTTLED: _("slowed down"),
    power.UNDERVOLTAGE_BEFORE: _("enough now, too little before"),
    power.UNKNOWN: _("not known"),
}


@register.filter
def reader_trouble(code: str) -> str:
    """What ails a reader; a code that a newer version made up stays a code."""
    return str(_READERS.get(code, code))


@register.filter
def power_word(word: str | None) -> str:
    """How a device's power is."""
    return str(_POWER.get(word, word)) if word else "–"


@register.filter
def clock_offset(ms: int | None) -> str:
    """How far a clock is from the director's, in a unit that suits."""
    if not isinstance(ms, int):
        return "–"
    sign = "−" if ms < 0 else ""
    size = abs(ms)
    if size < 1000:
        return f"{sign}{size} ms"
    if size < 600_000:
        return f"{sign}{number_format(size / 1000, 1)} s"
    return f"{sign}{number_format(size // 60_000)} min"
