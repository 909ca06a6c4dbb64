"""Whether the configuration says things that cannot work, and knows this device by its key."""

from __future__ import annotations

from collections.abc import Iterator

from appliance.config import Config
from appliance.health.finding import Finding
from appliance.i18n import N_
from appliance.soundness import complaints

TEXT = N_("A setting cannot be so: {place}: {why}")
REMEDY = N_("Set it right in the device file or the site file, then: tableside config check")
_KEY = N_("Enter in [devices] of the site file, at every device of the venue, the key that tableside key prints here.")


def check(config: Config) -> Iterator[Finding]:
    """A finding for each complaint, or one that all is well."""
    well = True
    for place, why in complaints(config):
        well, subject = False, "configuration"
        if place.startswith("devices."):
            text = N_("This device's key and [devices] do not agree: {place}: {why}")
        else:
            text = TEXT
        yield Finding(
            subject=subject,
            standing="issue",
            code="other-key" if place.startswith("devices.") else "bad-setting",
            text=text,
            remedy=_KEY if place.startswith("devices.") else REMEDY,
            params={"place": place, "why": why},
        )
    if well:
        text = N_("The settings agree with each other.")
        yield Finding(subject="configuration", standing="ok", code="works", text=text)
