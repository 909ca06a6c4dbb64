"""Whether the configuration says things that cannot work, and knows this device by its key."""

from __future__ import annotations

from collections.abc import Iterator

from appliance.config import Config
from appliance.health.finding import Finding
from appliance.i18n import N_
from appliance.soundness import Complaint, wrong

TEXT = N_("A setting cannot be so: {place}: {why}")
REMEDY = N_("Set it right in the device file or the site file, then: tableside config check")
_KEY = N_("Enter in [devices] of the site file, at every device of the venue, the key that tableside key prints here.")


_ENTER = N_(
    "Enter the director's key in [devices] of the site file, the same at every device; this one's too, "
    "or: tableside enrol"
)
_STRANGERS = frozenset({"director", "device.name"})


def check(config: Config) -> Iterator[Finding]:
    """A finding for each complaint, or one that all is well."""
    found = list(wrong(config))
    yield from map(_finding, found)
    if not found:
        text = N_("The settings agree with each other.")
        yield Finding(subject="configuration", standing="ok", code="works", text=text)


def _finding(complaint: Complaint) -> Finding:
    params = {"place": complaint.place, "why": complaint.why}
    if complaint.place.startswith("devices."):
        text, remedy = N_("This device's key and [devices] do not agree: {place}: {why}"), _KEY
        return Finding(
            subject="configuration", standing="issue", code="other-key", text=text, remedy=remedy, params=params
        )
    if complaint.place in _STRANGERS:
        text, remedy = N_("The devices do not know each other: {place}: {why}"), _ENTER
        return Finding(
            subject="configuration", standing="issue", code="unknown-device", text=text, remedy=remedy, params=params
        )
    return Finding(
        subject="configuration", standing="issue", code="bad-setting", text=TEXT, remedy=REMEDY, params=params
    )
