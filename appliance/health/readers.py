"""Whether the readers of the configuration work: their libraries, pcscd, plugs, permissions, firmware."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from appliance.config import Config
from appliance.health.finding import Finding
from appliance.hw.configured import make_readers
from appliance.hw.ports import DriverMissing, Offline, Reader, ReaderEvent, ReaderOffline, ReaderOnline
from appliance.i18n import N_
from appliance.readerconfig import ReaderConfig

PATIENCE_S = 4.0
"""How long a reader may take to say that it works."""

WHY: dict[str, tuple[str, str]] = {
    Offline.NO_SERVICE: (
        N_("pcscd, the service that owns PC/SC readers, does not answer."),
        N_("Install and start it: apt-get install pcscd; systemctl enable --now pcscd.socket"),
    ),
    Offline.NO_READER: (
        N_("No such reader is plugged in."),
        N_("Plug it in, try another cable or port, and compare [[reader]] with what is listed here."),
    ),
    Offline.FAILED: (
        N_("The reader is there and does not work."),
        N_("Pull it out and plug it in again; the user must be in the groups dialout and plugdev."),
    ),
    "library-missing": (
        N_("The reader's library is not installed."),
        N_("Install it: pip install 'tableside[readers]'"),
    ),
    "no-answer": (N_("The reader says nothing."), N_("Pull it out and plug it in again; restart pcscd.")),
}
"""What is wrong with a reader by the code of it, and what to do; a kiosk's screen says the same."""

Make = Callable[[Config], tuple[Reader, ...]]


def check(config: Config, in_use: bool, make: Make = make_readers, patience_s: float = PATIENCE_S) -> Iterator[Finding]:
    """A finding for each reader. ``in_use``: a kiosk has this data folder, and with it what only one may open."""
    known = config.readers_here
    if not known:
        yield Finding(subject="readers", standing="absent", code="no-readers", text=N_("No reader is configured."))
        return
    alone = (config_of(config, reader) for reader in known)
    for reader, one in zip(known, alone, strict=True):
        yield _finding(reader, one, in_use, make, patience_s)
    if any(reader.driver == "pcsc" for reader in known):
        yield from _slots()


def config_of(config: Config, reader: ReaderConfig) -> Config:
    """The configuration with this reader only."""
    return replace(config, readers=(reader,))


def _finding(reader: ReaderConfig, config: Config, in_use: bool, make: Make, patience_s: float) -> Finding:
    facts = {name: value for name in ("driver", "match", "usb", "port") if (value := getattr(reader, name))}
    subject = f"reader {reader.name}"
    if reader.driver == "simulated":
        return Finding(subject=subject, standing="ok", code="simulated", text=N_("A simulated reader."), facts=facts)
    if in_use and reader.driver != "pcsc":
        text = N_("The kiosk that runs here has it.")
        return Finding(subject=subject, standing="ok", code="in-use", text=text, facts=facts)
    try:
        made = make(config)[0]
        why = _first_word(made, patience_s)
        if firmware := getattr(made, "firmware", ""):
            facts["firmware"] = firmware
        made.stop()
    except DriverMissing:
        why = "library-missing"
    except OSError as error:
        facts["error"] = error.strerror or str(error)
        why = Offline.FAILED
    if why is None:
        return Finding(subject=subject, standing="ok", code="works", text=N_("The reader works."), facts=facts)
    text, remedy = WHY[why]
    return Finding(subject=subject, standing="issue", code=str(why), text=text, remedy=remedy, facts=facts)


def _first_word(reader: Reader, patience_s: float) -> str | None:
    """Why the reader is offline, by its first event; None when it works."""
    events: queue.SimpleQueue[ReaderEvent] = queue.SimpleQueue()
    reader.start(events.put)
    ends = time.monotonic() + patience_s
    why: str | None = "no-answer"
    while (left := ends - time.monotonic()) > 0:
        try:
            event = events.get(timeout=left)
        except queue.Empty:
            break
        if isinstance(event, ReaderOnline):
            return None
        if isinstance(event, ReaderOffline):
            return event.why
    return why


def _slots() -> Iterator[Finding]:
    """Every reader that pcscd knows, with firmware and state."""
    try:
        from appliance.hw.pcsc_info import slots
    except DriverMissing:
        return
    for slot in slots():
        facts: dict[str, Any] = {"firmware": slot.firmware, "usb": slot.usb, "state": slot.state, "vendor": slot.vendor}
        yield Finding(
            subject=f"pcsc {slot.name}",
            standing="ok",
            code="listed",
            text=N_("pcscd knows this reader."),
            facts={name: value for name, value in facts.items() if value},
        )
