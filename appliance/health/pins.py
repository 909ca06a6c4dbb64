"""Whether the panel's pins can be had."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from appliance.config import Config
from appliance.health.finding import Finding
from appliance.hw.panel import Absent
from appliance.hw.pins import FactoryMaker, gpiod_factory, open_panel
from appliance.i18n import N_

_WHY: dict[Absent, tuple[str, str]] = {
    Absent.NO_LIBRARY: (
        N_("The library for pins is not installed."),
        N_("Install it: pip install 'tableside[pins]', or apt-get install python3-libgpiod"),
    ),
    Absent.NO_CHIP: (
        N_("This machine has no such GPIO chip."),
        N_("Remove [pins] on a machine without GPIO, or set pins.chip to one that gpiodetect lists."),
    ),
    Absent.NO_ACCESS: (
        N_("The GPIO chip may not be opened by this user."),
        N_("Put the kiosk's user into the group gpio."),
    ),
    Absent.BUSY: (
        N_("Another program or a driver of the kernel holds one of the pins."),
        N_("Find it with gpioinfo; take another pin, or switch the overlay off in config.txt."),
    ),
    Absent.FAILED: (N_("The GPIO chip answers with an error."), N_("Look at dmesg, and restart the machine.")),
}


def check(config: Config, in_use: bool, make_factory: FactoryMaker = gpiod_factory) -> Iterator[Finding]:
    """One finding for the panel, with each pin."""
    used = config.pins.used()
    if not used:
        yield Finding(subject="pins", standing="absent", code="no-pins", text=N_("No pins are configured."))
        return
    facts: dict[str, Any] = {name: f"GPIO {gpio}" for name, gpio in used.items()}
    if in_use:
        text = N_("The kiosk that runs here has it.")
        yield Finding(subject="pins", standing="ok", code="in-use", text=text, facts=facts)
        return
    panel = open_panel(config.pins, make_factory=make_factory)
    why, stuck = panel.why, panel.stuck
    panel.close()
    if why is not None:
        text, remedy = _WHY[why]
        yield Finding(subject="pins", standing="issue", code=why.value, text=text, remedy=remedy, facts=facts)
        return
    yield Finding(subject="pins", standing="ok", code="works", text=N_("The pins work."), facts=facts)
    for button in sorted(stuck):
        yield Finding(
            subject=f"button {button.value}",
            standing="issue",
            code="stuck",
            text=N_("The button is pressed all the time."),
            remedy=N_('Look for a short circuit; a contact to 3.3 V needs pins.pull = "down".'),
        )
