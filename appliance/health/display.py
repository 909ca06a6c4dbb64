"""Whether a display is plugged in, as far as the kernel knows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from appliance.config import Config
from appliance.display.hotplug import plugged
from appliance.health.finding import Finding
from appliance.i18n import N_


def check(config: Config, root: Path | None = None) -> Iterator[Finding]:
    """One finding for the kiosk's display; ``root`` is the kernel's list of connectors."""
    if config.device.role == "director" or config.screen.headless:
        yield Finding(subject="display", standing="absent", code="none-wanted", text=N_("No display is configured."))
        return
    plugs = plugged(root)
    there = [name.partition("-")[2] for name, status, _ in plugs if status == "connected"]
    if not plugs:
        text = N_("The kernel lists no connectors; a desktop may have the display.")
        yield Finding(subject="display", standing="absent", code="no-connectors", text=text)
    elif there:
        text = N_("A display is plugged in.")
        facts = {"port": ", ".join(there)}
        yield Finding(subject="display", standing="ok", code="plugged", text=text, facts=facts)
    else:
        yield Finding(
            subject="display",
            standing="issue",
            code="unplugged",
            text=N_("No display is plugged in, or it is switched off."),
            remedy=N_("Plug it in and switch it on; the kiosk opens its window by itself, and takes cards meanwhile."),
        )
