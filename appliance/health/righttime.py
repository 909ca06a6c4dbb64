"""Whether the time of day is right here, and who says so."""

from __future__ import annotations

from collections.abc import Iterator

from appliance.config import Config
from appliance.game.righttime import Times
from appliance.health.finding import Finding
from appliance.i18n import N_
from appliance.trustsources import Sources

_SUBJECT = "time"
_BY_NTP = N_("NTP has set this machine's clock.")
_REHEARSAL = N_("A rehearsal has its own time.")
_NO_NTP = N_("NTP has not set this machine's clock since it was switched on; the venue's time is known all the same.")
_DOUBTED = N_("Nobody has said yet whether the time of day is right in this venue.")
_REMEDY = N_(
    "Connect the network (systemd-timesyncd sets the clock by itself: timedatectl), or hold a commissioner's card to a "
    "reader and choose: Confirm the time. Until then deposits count as if they were made within 24 hours."
)


def check(config: Config, times: Times, sources: Sources | None = None) -> Iterator[Finding]:
    """One finding. ``times``: what this device's copy of the venue's stream tells."""
    asked = sources or Sources()
    if config.rehearsal.start_ms is not None or config.rehearsal.speed != 1:
        yield Finding(subject=_SUBJECT, standing="ok", code="rehearsal", text=_REHEARSAL)
    elif times.doubted:
        yield Finding(subject=_SUBJECT, standing="issue", code="doubted", text=_DOUBTED, remedy=_REMEDY)
    elif asked.ntp():
        yield Finding(subject=_SUBJECT, standing="ok", code="ntp", text=_BY_NTP)
    else:
        yield Finding(subject=_SUBJECT, standing="absent", code="no-ntp", text=_NO_NTP)
