"""How a device stands, in words."""

from __future__ import annotations

from django import template
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from appliance import power
from league.fleet.overview import VenueRow
from league.rounds.models import Device

register = template.Library()

# codes as devices send them: no part of the hardware is imported here; a test holds them together
_READERS = {
    "no-service": gettext_lazy("the service of readers does not answer"),
    "no-reader": gettext_lazy("is not plugged in"),
    "failed": gettext_lazy("does not work"),
    "no-answer": gettext_lazy("says nothing"),
    "library-missing": gettext_lazy("its library is missing"),
}

_POWER = {
    power.OK: gettext_lazy("enough"),
    power.UNDERVOLTAGE: gettext_lazy("too little voltage"),
    power.THROTTLED: gettext_lazy("slowed down"),
    power.UNDERVOLTAGE_BEFORE: gettext_lazy("enough now, too little before"),
    power.UNKNOWN: gettext_lazy("not known"),
}


OFF_MS = 60_000
"""A venue's clock that is so far off is pointed out, and not only told where it is looked for."""


@register.filter
def venue_clock(row: VenueRow) -> str:
    """How a venue's clock stands to the league's."""
    off = row.clock_ms
    if off is None:
        return _("not told")
    gap = {"gap": time_span(abs(off))}
    if abs(off) < 2000:
        told = _("as the league's")
    else:
        told = (_("%(gap)s behind the league's") if off < 0 else _("%(gap)s ahead of the league's")) % gap
    if row.pace == 1:
        return told
    return _("%(told)s, runs %(pace)s times as fast: a rehearsal") % {"told": told, "pace": row.pace}


@register.filter
def clock_is_off(row: VenueRow) -> bool:
    """Whether that should be looked at."""
    return row.clock_ms is not None and (abs(row.clock_ms) >= OFF_MS or row.pace != 1)


def time_span(ms: int) -> str:
    """A span of time in its two largest units."""
    seconds = round(ms / 1000)
    minutes, hours = seconds // 60, seconds // 3600
    if hours >= 48:
        return _("%(days)s d %(hours)s h") % {"days": hours // 24, "hours": hours % 24}
    if hours:
        return f"{hours} h {minutes % 60} min"
    return f"{minutes} min {seconds % 60} s" if minutes else f"{seconds} s"


@register.filter
def role_word(role: str) -> str:
    """What a device says it is for; a role that a newer version made up stays as it is."""
    return str(dict(Device.Role.choices).get(role, role))


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
