"""Whether the printer of slips prints."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator

from appliance.config import Config
from appliance.health.finding import Finding
from appliance.hw.ports import DriverMissing
from appliance.hw.printer import from_config
from appliance.hw.printer_ports import Printer, PrinterChanged, PrinterEvent, PrinterState, PrinterTrouble
from appliance.i18n import N_
from appliance.printerconfig import PrinterConfig

PATIENCE_S = 6.0
"""How long a printer may take to say how it stands."""

_WHY: dict[str, tuple[str, str]] = {
    PrinterTrouble.NO_DEVICE: (
        N_("The printer is not plugged in, or its port is another one."),
        N_("Look at cable and power, and compare printer.port or printer.usb with ls /dev/usb, ls /dev/tty* or lsusb."),
    ),
    PrinterTrouble.FAILED: (
        N_("The printer takes no data or does not answer."),
        N_("Switch it off and on; a serial one needs the same printer.baud and printer.flow as its switches say."),
    ),
    PrinterTrouble.NOT_READY: (
        N_("The printer is not ready: its cover is open, its cutter stuck, or it was switched off line."),
        N_("Close the cover, and look at its lamps."),
    ),
    PrinterTrouble.UNUSABLE: (
        N_("The printer's profile is unknown, or a library is missing."),
        N_("Set printer.profile to one of python-escpos' list; pip install 'tableside[printer]'"),
    ),
    "no-port": (
        N_("The configuration does not say where the printer is."),
        N_("Set printer.port, or printer.usb for driver usb: ls /dev/usb, ls /dev/tty* or lsusb show it."),
    ),
    "paper-out": (N_("The printer is out of paper."), N_("Put in a new roll.")),
    "no-answer": (N_("The printer says nothing."), N_("Switch it off and on.")),
}


def check(
    config: Config,
    in_use: bool,
    make: Callable[[PrinterConfig], Printer | None] = from_config,
    patience_s: float = PATIENCE_S,
) -> Iterator[Finding]:
    """One finding for the printer."""
    printer = config.printer
    if printer.driver == "none":
        yield Finding(subject="printer", standing="absent", code="no-printer", text=N_("No printer is configured."))
        return
    facts = {name: str(value) for name in ("driver", "profile", "port", "usb") if (value := getattr(printer, name))}
    if in_use:
        text = N_("The kiosk that runs here has it.")
        yield Finding(subject="printer", standing="ok", code="in-use", text=text, facts=facts)
        return
    why = _why(printer, make, patience_s)
    if why is None:
        yield Finding(subject="printer", standing="ok", code="works", text=N_("The printer is ready."), facts=facts)
        return
    text, remedy = _WHY[why]
    yield Finding(subject="printer", standing="issue", code=str(why), text=text, remedy=remedy, facts=facts)


def _why(config: PrinterConfig, make: Callable[[PrinterConfig], Printer | None], patience_s: float) -> str | None:
    if not (config.usb if config.driver == "usb" else config.port):
        return "no-port"
    try:
        made = make(config)
    except (DriverMissing, ValueError):
        return PrinterTrouble.UNUSABLE
    if made is None:
        return None
    events: queue.SimpleQueue[PrinterEvent] = queue.SimpleQueue()
    made.start(events.put)
    try:
        return _first_word(events, patience_s)
    finally:
        made.stop()


def _first_word(events: queue.SimpleQueue[PrinterEvent], patience_s: float) -> str | None:
    ends = time.monotonic() + patience_s
    while (left := ends - time.monotonic()) > 0:
        try:
            event = events.get(timeout=left)
        except queue.Empty:
            break
        if isinstance(event, PrinterChanged):
            if event.state is PrinterState.PAPER_OUT:
                return "paper-out"
            return event.why or (None if event.state is PrinterState.ONLINE else "no-answer")
    return "no-answer"
